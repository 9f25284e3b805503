"""Dense integer assignment: the optimum of scipy, and duals that prove it."""

import numpy as np
from c_internals import internals
from scipy.optimize import linear_sum_assignment

ffi, lib = internals("assignment/jv.h")


def jv(cost):
    n, cost = len(cost), np.ascontiguousarray(cost, np.int64)
    col_of, row_of = np.empty(n, np.int32), np.empty(n, np.int32)
    u, v, scratch = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(5 * n + 5, np.int64)
    lib.gm_jv(
        n,
        ffi.from_buffer("int64_t[]", cost.reshape(-1)),
        *(ffi.from_buffer("int32_t[]", array) for array in (col_of, row_of)),
        *(ffi.from_buffer("int64_t[]", array) for array in (u, v, scratch)),
        ffi.NULL,
    )
    return col_of, row_of, u, v


def test_optimal_and_proven():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = int(rng.integers(1, 12))
        cost = rng.integers(-20, 20, (n, n)) * rng.choice([1, 10**9])
        col_of, row_of, u, v = jv(cost)
        assert sorted(col_of) == list(range(n)) and row_of[col_of].tolist() == list(range(n))
        value = cost[np.arange(n), col_of].sum()
        assert value == cost[linear_sum_assignment(cost)].sum() == u.sum() + v.sum()
        assert np.all(cost - u[:, None] - v >= 0)
