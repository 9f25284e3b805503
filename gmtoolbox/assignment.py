"""Linear assignment: match rows to columns of a cost matrix, proven optimal.

Dense matrices are solved as they are by SciPy's shortest augmenting paths, without a Problem of
n1 * n2 candidates; sparse ones by gm_solve, as a problem without pair costs.
"""

import math
import time
from numbers import Real

from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.result import Result, trace_dtype
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.rounding import dense_labels
from gmtoolbox.models.costs import as_matrix

METHOD = "assignment"
NO_MATCHING = "the allowed entries admit no complete matching"


def assign(C, *, maximize=False, unmatched=None):
    """Match rows to columns of a matrix so that the sum of the matched entries is smallest.

    .. math:: \\min_x \\sum_{i,s} C_{is}\\, x_{is}, \\qquad
        \\sum_s x_{is} \\le 1, \\; \\sum_i x_{is} \\le 1, \\; x_{is} \\in \\{0, 1\\}

    The answer is always proven. Unlike `gm_solve`, whose matrix K is over pairs of assignments, the
    matrix here has one row for each left node and one column for each label.

    Parameters
    ----------
    C : (n1, n2) array, scipy.sparse matrix, or path of a .csv, .tsv, .npy or .npz file
        Entries inf (-inf if maximised), and entries that a sparse matrix does not store, are
        forbidden.
    maximize : bool
        Maximise the sum instead.
    unmatched : float, optional
        Cost of each node of the smaller side that stays free (its profit, if maximised). Without
        it every node of the smaller side is matched.

    Returns
    -------
    Result
        With labels, value, and status "optimal".

    Raises
    ------
    InfeasibleError
        If `unmatched` is not given and the allowed entries admit no complete matching.

    See Also
    --------
    gm_solve : matching with pairwise costs.
    scipy.optimize.linear_sum_assignment : the same for dense matrices.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> r = gm.assign([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
    >>> r.labels.tolist(), r.value, r.status
    ([1, 0], 3.0, 'optimal')
    >>> gm.assign([[4.0, 1.0], [2.0, 9.0]], unmatched=1.5).labels.tolist()
    [1, -1]
    """
    started = time.perf_counter()
    C, names = as_matrix(C)
    if not (unmatched is None or isinstance(unmatched, Real) and math.isfinite(unmatched)):
        raise InputError(f"unmatched must be a finite number, got {unmatched!r}")
    sign = -1.0 if maximize else 1.0
    price = None if unmatched is None else sign * float(unmatched)
    solve = solve_sparse if sparse.issparse(C) else solve_dense
    labels = solve(-C if maximize else C, price)
    value = total(C, labels, unmatched)
    elapsed = time.perf_counter() - started
    return Result(
        labels=labels,
        value=value,
        bound=value,
        gap=0.0,
        status="optimal",
        time=elapsed,
        solver_time=elapsed,
        n_iter=1,
        trace=np.array([(elapsed, value, value)], dtype=trace_dtype()),
        shape=C.shape,
        method=METHOD,
        sense="max" if maximize else "min",
        nodes1=names[0],
        nodes2=names[1],
    )


def solve_dense(cost, price):
    """Return the labels that minimise a dense cost; price: of a node that stays free, or None.

    With a price u the matrix min(cost, u) is solved completely: nodes assigned at cost u stay
    free. Every partial matching extends to such an assignment of the same cost.
    """
    if not math.isfinite(cost.sum()) and np.isneginf(cost).any():
        raise InputError("C must not contain an infinite reward; give it a finite number")
    solved = cost if price is None else np.minimum(cost, price)
    try:
        labels = dense_labels(solved)
    except ValueError as error:  # SciPy's word for it
        raise InfeasibleError(NO_MATCHING) from error
    if price is None:
        return labels
    rows = np.flatnonzero(labels >= 0)
    free = rows[cost[rows, labels[rows]] >= price]
    labels[free] = -1
    return labels


def solve_sparse(cost, price):
    """Return the labels that minimise over the stored entries; see solve_dense.

    With a price u a match costs c - u and a free node nothing: the same for every matching but for
    a constant.
    """
    columns = sparse.csc_array(cost)  # the order of a Problem's candidates
    columns.sum_duplicates()
    listed = sparse.coo_array(columns)
    allowed = np.isfinite(listed.data)
    rows, columns = (index[allowed] for index in listed.coords)
    if not len(rows):
        if price is None:
            raise InfeasibleError(NO_MATCHING)
        return np.full(cost.shape[0], -1, np.int32)
    entries = listed.data[allowed] - (0.0 if price is None else price)
    problem = Problem(cost.shape, rows, columns, entries, complete=price is None)
    try:
        return gm_solve(problem).labels
    except InfeasibleError as error:
        raise InfeasibleError(NO_MATCHING) from error


def total(C, labels, unmatched):
    """Return the sum of the matched entries, and of `unmatched` for the free nodes of the smaller
    side.
    """
    rows = np.flatnonzero(labels >= 0)
    entries = C.tocsr()[rows, labels[rows]] if sparse.issparse(C) else C[rows, labels[rows]]
    free = min(C.shape) - len(rows)
    return float(np.sum(entries)) + (free * float(unmatched) if unmatched is not None else 0.0)
