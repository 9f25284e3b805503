"""Problems from a plain matrix of the costs of single pairs, given as an array or a file."""

from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.text import show
from gmtoolbox.core.values import (
    LARGEST_TOTAL,
    as_array,
    as_listed,
    check_exact,
    check_finite_scalar,
    check_flag,
    check_total,
    magnitude,
    stored_entries,
)
from gmtoolbox.io.matrices import read_matrix

LOST_DIGITS = 1e-9  # of the range of costs: by at most this a price may round them


def from_costs(C, *, maximize=False, unmatched=None):
    """Return the Problem of a matrix with one row per left node and one column per label.

    Use `gm.assign` to solve it as it is; a Problem can be saved, drawn, conditioned and given
    pairwise costs. It has no pairwise costs.

    Parameters
    ----------
    C : (n1, n2) array, scipy.sparse matrix, or path
        As in `gm.assign`.
    maximize : bool
        Whether the entries are affinities.
    unmatched : float, optional
        As in `gm.assign`; with it the problem is a partial one.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.models.from_costs([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
    >>> p.shape, p.n_candidates, p.complete, gm.gm_solve(p).value
    ((2, 3), 6, True, 3.0)
    """
    C, (nodes1, nodes2) = as_matrix(C)
    maximize = check_flag("maximize", maximize)
    check_entries(C, maximize)
    listed = sparse.coo_array(C) if sparse.issparse(C) else None
    if listed is None:
        left, right = np.nonzero(np.isfinite(C))
        entries = C[left, right]
    else:
        left, right = listed.coords
        entries = listed.data
        left, right, entries = (part[np.isfinite(entries)] for part in (left, right, entries))
    cost = -entries if maximize else entries
    offset = 0.0
    if unmatched is not None:  # a free node pays the price, a matched one gets it back
        sign = -1.0 if maximize else 1.0
        price = sign * check_finite_scalar("unmatched", unmatched)
        check_price(cost, sign * price, sign, min(C.shape))
        cost, offset = cost - price, price * min(C.shape)
    return Problem(
        C.shape, left, right, cost, sense="max" if maximize else "min",
        complete=unmatched is None, offset=offset, nodes1=nodes1, nodes2=nodes2,
    )  # fmt: skip


def check_price(cost, unmatched, sign, n):
    """InputError if the price is so far from the costs that cost - price loses their digits.

    sign: -1 if C is maximised; n: nodes of the smaller side.
    """
    if not len(cost):
        return
    price, low, high = sign * unmatched, float(cost.min()), float(cost.max())
    lost = float(np.abs((cost - price) + price - cost).max())
    rounding = 4.0 * np.finfo(float).eps * max(abs(low), abs(high))
    if lost > max(LOST_DIGITS * (high - low), rounding):
        enough = high + n * (high - low) if price > high else low - n * (high - low)
        raise InputError(
            f"unmatched={unmatched:g} is too far from the entries of C: the difference is off"
            f" by up to {lost:.2g}; {sign * enough:.3g} leads to the same matchings, or use"
            " gm.assign"
        )


def as_matrix(C):
    """Return (float matrix, (row names, column names) or Nones); InputError unless it is one."""
    names = (None, None)
    if isinstance(C, (str, Path)):
        C, *names = read_matrix(C)
    elif all(hasattr(C, part) for part in ("index", "columns", "to_numpy")):  # of pandas
        C, *names = C.to_numpy(), labels_of(C.index), labels_of(C.columns)
    C = as_listed(C) if sparse.issparse(C) else as_array("C", C)
    if C.ndim != 2 or 0 in C.shape:
        found = f"shape {C.shape}" if C.ndim else show(C.item())
        raise InputError(f"C must be a matrix with a row and a column, got {found}")
    check_exact("C", C)
    return C.astype(float, copy=False), tuple(names)


def labels_of(axis):
    """Return the names on an axis of a DataFrame, None for plain numbers 0, 1, ..."""
    names = axis.tolist()
    return None if names == list(range(len(names))) else tuple(names)


def check_entries(C, maximize):
    """InputError if an entry of a float matrix is NaN or an infinite reward, or if the finite ones
    add up to too much.
    """
    entries = stored_entries(C).reshape(-1)
    if magnitude(entries) <= LARGEST_TOTAL:  # false with NaN and inf
        return
    if np.isnan(entries).any():
        raise InputError("C must not contain NaN; an infinite entry forbids a pair")
    if (np.isposinf if maximize else np.isneginf)(entries).any():
        raise InputError("C must not contain an infinite reward; give it a finite number")
    finite = entries[np.isfinite(entries)]
    check_total("C", magnitude(finite) if len(finite) else 0.0)
