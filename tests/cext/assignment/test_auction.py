"""Prices of an auction: never positive, close to the duals of the optimum."""

import numpy as np
from c_internals import internals
from scipy import sparse
from scipy.optimize import linear_sum_assignment

ffi, lib = internals("assignment/auction.h")


def prices_of(matrix, complete):
    """The column duals that an auction ends with."""
    n_rows, n_cols = matrix.shape
    start = matrix.indptr.astype(np.int64)
    col, cost = matrix.indices.astype(np.int32), matrix.data.astype(float)
    v, owner = np.zeros(n_cols), np.zeros(n_cols, np.int32)
    borrowed = [
        ffi.from_buffer(f"{kind}[]", array)
        for kind, array in [
            ("int64_t", start), ("int32_t", col), ("double", cost), ("double", v),
            ("int32_t", owner),
        ]
    ]  # fmt: skip
    names = ("start", "col", "cost", "v", "owner")
    fields = dict(zip(names, borrowed, strict=True))
    auction = ffi.new("gm_auction *", {"n_rows": n_rows, "n_cols": n_cols, **fields})
    auction.complete = complete
    assert lib.gm_auction_solve(auction, ffi.NULL) == 0
    return v


def dual_value(matrix, v, complete):
    """The bound that these duals prove."""
    reduced = matrix.toarray() - v
    reduced[matrix.toarray() == 0] = np.inf
    least = reduced.min(axis=1)
    return (least if complete else np.minimum(least, 0.0)).sum() + v.sum()


def test_duals_are_nearly_optimal():
    rng = np.random.default_rng(0)
    for n in (5, 20, 60):
        cost = rng.random((n, n)) + 0.1
        allowed = rng.random((n, n)) < 0.5
        np.fill_diagonal(allowed, True)
        matrix = sparse.csr_array(np.where(allowed, cost, 0.0))
        v = prices_of(matrix, complete=True)
        best = np.where(allowed, cost, 1e6)
        value = best[linear_sum_assignment(best)].sum()
        assert v.max() <= 0
        assert value - 0.05 * value <= dual_value(matrix, v, True) <= value + 1e-9


def test_ends_without_a_complete_matching():
    """Three rows that want one column bid for as long as they are allowed to, not for ever."""
    matrix = sparse.csr_array(np.array([[1.0, 0, 0], [2.0, 0, 0], [3.0, 0, 0]]))
    assert prices_of(matrix, complete=True).max() <= 0
    assert np.all(prices_of(matrix - 4 * (matrix != 0), complete=False) <= 0)
