"""Linear assignment: match rows to columns of a cost matrix, proven optimal.

One call of C for a dense matrix; a sparse one is solved by the kernel that gm_solve uses for
problems without pair costs. No Problem is made: it would take longer than solving a small matrix.
"""

import math
from numbers import Real
from time import perf_counter

from gmtoolbox.core._ffi import assign_small, ffi, lib, pointer, prepare_assign
from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.result import Result
from gmtoolbox.core.values import LARGEST_TOTAL, as_array, check_flag, check_total
from gmtoolbox.engine.exact_assignment import improve_exactly
from gmtoolbox.engine.kernels import drive, run_briefly
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.rounding import largest_labels
from gmtoolbox.models.costs import as_matrix, check_entries

METHOD = "assignment"
FEW_ENTRIES = 25_000  # up to which the kernel itself finds quickly that no matching exists
SHORT = 250_000  # entries of a dense matrix: up to here a solve is not given up for Ctrl-C
UNNAMED = (None, None)  # rows and columns
LATER_FIELDS = (
    "bound", "gap", "status", "time", "solver_time", "n_iter", "shape", "method", "options",
    "extra",
)  # fmt: skip
DOUBLES, INTEGERS = ffi.typeof("double[]"), ffi.typeof("int32_t[]")
NO_MATCHING = "the allowed entries admit no complete matching; unmatched= lets nodes stay free"


def assign(C, *, maximize=False, unmatched=None):
    """Match rows to columns of a matrix so that the sum of the matched entries is smallest.

    .. math:: \\min_x \\sum_{i,s} C_{is}\\, x_{is}, \\qquad
        \\sum_s x_{is} \\le 1, \\; \\sum_i x_{is} \\le 1, \\; x_{is} \\in \\{0, 1\\}

    The answer is always proven. Unlike `gm_solve`, whose matrix K is over pairs of assignments, the
    matrix here has one row for each left node and one column for each label.

    Parameters
    ----------
    C : (n1, n2) array, scipy.sparse matrix, pandas.DataFrame, or path of a file
        .csv, .tsv, .txt, .npy or .npz. Names of rows and columns appear in `mapping`.
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
    if unmatched is None:
        result = assign_small(C, maximize)
        if result is not None:
            return result
    return assign_checked(C, maximize, unmatched)


def assign_checked(C, maximize, unmatched):
    """Return what assign returns, for every kind of C, with its errors."""
    started = perf_counter()
    if unmatched is None and type(C) is list:
        C = as_array("C", C)
        result = assign_small(C, maximize)
        if result is not None:
            return result
    C, names = as_matrix(C)
    maximize = check_flag("maximize", maximize)
    if not (unmatched is None or isinstance(unmatched, Real) and math.isfinite(unmatched)):
        raise InputError(f"unmatched must be a finite number, got {unmatched!r}")
    sign = -1.0 if maximize else 1.0
    price = None if unmatched is None else sign * float(unmatched)
    if price is not None:
        check_total("unmatched", abs(price) * min(C.shape))
    if sparse.issparse(C):
        check_entries(C, maximize)
        labels, cost = solve_sparse(-C if maximize else C, price)
    else:
        labels, cost = solve_dense(C, sign, price)
    result = object.__new__(Result)
    result.labels, result.value = labels, sign * cost + 0.0
    given = result.value, *C.shape, perf_counter() - started
    result.later = LATER_FIELDS, make_later_fields, given
    if maximize:
        result.sense = "max"
    if names is not UNNAMED:
        result.nodes1, result.nodes2 = names
    return result


def make_later_fields(value, n1, n2, elapsed):
    """Return the LATER_FIELDS of the Result of a proven assignment.

    They are made when one of them is read: all of them would take longer than a small matrix.
    """
    return value, 0.0, "optimal", elapsed, elapsed, 1, (n1, n2), METHOD, {}, {}


def new_labels(n):
    """Return an array of n labels."""
    return np.empty(n, np.int32)


prepare_assign(np.ndarray, Result, new_labels, LATER_FIELDS, make_later_fields, LARGEST_TOTAL)


def solve_dense(C, sign, price):
    """Return (labels, their cost) of the best matching of a dense matrix of sign * costs; price: of
    a node that stays free, or None.

    With a price u the matrix min(cost, u) is solved completely: nodes assigned at cost u stay
    free. Every partial matching extends to such an assignment of the same cost.
    """
    C = np.ascontiguousarray(C)
    n1, n2 = C.shape
    labels = new_labels(n1)
    order = ffi.new("gm_assign_order *")  # see cext/include/gm/linear.h
    order.sign, order.price = sign, math.inf if price is None else price
    order.largest = LARGEST_TOTAL
    borrowed = ffi.from_buffer(DOUBLES, C), order, ffi.from_buffer(INTEGERS, labels)
    task = n1, n2, *borrowed
    cost = lib.gm_assign_matrix(*task) if n1 * n2 <= SHORT else assign_under_watch(task)
    if cost == cost:  # else NaN: no matching is complete, or rounding has kept the proof open
        return labels, cost
    check_entries(C, sign < 0.0)
    rows, columns = np.isfinite(C).nonzero()
    listed = sparse.csr_array((sign * C[rows, columns], (rows, columns)), shape=C.shape)
    return solve_sparse(listed, price)


def assign_under_watch(task):
    """Return the cost of gm_assign_matrix(*task); Ctrl-C cuts it."""
    order, watch = task[3], ffi.new("gm_watch *")
    with Budget() as budget:
        order.watch, watch.stop = watch, budget.stop.flag
        cost = lib.gm_assign_matrix(*task)
    if watch.is_over:
        raise KeyboardInterrupt
    return cost


def solve_sparse(cost, price):
    """Return (labels, their cost) of the best matching along the stored entries; see solve_dense.

    The rows of the model are the nodes of the smaller side. With a price u each of them has a
    column of its own at cost u, in which it stays free: no cost is rounded on the way.
    """
    n1, n2 = cost.shape
    is_swapped = n1 > n2 or (n1 == n2 and cost.format == "csr")  # csr: nothing is sorted
    rows, columns, entries = list_by_column(cost.tocsr() if is_swapped else cost.tocsc())
    n_rows, n_real = min(n1, n2), max(n1, n2)
    n_columns = n_real
    if price is not None:
        free = np.arange(n_rows, dtype=np.int32)
        rows, columns = np.append(rows, free), np.append(columns, n_real + free)
        entries = np.append(entries, np.full(n_rows, price))
        n_columns += n_rows
    chosen, paid = match_rows((n_rows, n_columns), rows, columns, entries)
    if not is_swapped:
        chosen[chosen >= n_real] = -1
        return chosen, paid
    labels = np.full(n_columns, -1, np.int32)
    labels[chosen] = np.arange(n_rows)
    return labels[:n_real], paid


def list_by_column(compressed):
    """Return (rows, columns, entries) of the finite entries of a csc matrix, sorted by column, then
    by row; of the transposed one, if it is csr.
    """
    if not compressed.has_canonical_format:
        compressed = compressed.copy()  # the caller's arrays stay as they are
        compressed.sum_duplicates()
    sizes = np.diff(compressed.indptr)
    columns = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    rows, entries = compressed.indices.astype(np.int32, copy=False), compressed.data
    if entries.size and not math.isfinite(entries.max()):
        finite = np.isfinite(entries)
        rows, columns, entries = rows[finite], columns[finite], entries[finite]
    return rows, columns, entries


def admits_matching(shape, rows, columns):
    """Return whether all rows can be matched along these entries; few entries count as if they
    could.
    """
    if len(rows) <= FEW_ENTRIES:
        return len(rows) > 0
    start = np.searchsorted(columns, np.arange(shape[1] + 1))
    return np.count_nonzero(largest_labels(shape[1], shape[0], start, rows) >= 0) == shape[0]


def match_rows(shape, rows, columns, entries):
    """Return (column of each row, cost) of the cheapest assignment of all rows.

    The kernel is that of gm_solve for problems without pair costs. A Problem would check the order
    of the entries again.
    """
    if not admits_matching(shape, rows, columns):
        raise InfeasibleError(NO_MATCHING)
    model = ffi.new("gm_model *")
    model.n1, model.n2 = shape
    model.n_candidates, model.complete = len(entries), 1  # tolerance 0: but for rounding
    borrowed = pointer(rows), pointer(columns), pointer(np.ascontiguousarray(entries))
    model.left, model.right, model.cost = borrowed
    try:
        quick = run_briefly("linear", model) if len(entries) <= FEW_ENTRIES else None
        chosen, paid, bound = quick or match_under_watch(model, borrowed)
    except InfeasibleError as error:
        raise InfeasibleError(NO_MATCHING) from error
    if lib.gm_gap_closed(paid, bound, lib.gm_matching_error(model, pointer(chosen))):
        return chosen, paid
    chosen = improve_exactly(shape[1], rows, columns, entries, chosen)
    return chosen, math.fsum(entries[chosen[rows] == columns])


def match_under_watch(model, borrowed):
    """Return (column of each row, cost, bound) of a kernel that Ctrl-C cuts."""
    with Budget() as budget:
        try:
            outcome = drive("linear", (model, borrowed), {}, budget, size=model.n_candidates)
        except OutOfTime as error:
            raise KeyboardInterrupt from error
    if outcome.status != "converged":  # there is no time limit: Ctrl-C
        raise KeyboardInterrupt
    return outcome.labels, budget.incumbent.cost, outcome.bound
