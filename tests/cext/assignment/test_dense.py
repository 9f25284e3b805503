"""Dense assignment with real costs: the optimum of scipy, and duals that prove it."""

from fractions import Fraction

import numpy as np
import pytest
from c_internals import internals
from repetition import times
from scipy.optimize import linear_sum_assignment

ffi, lib = internals("assignment/dense.h")


def laid_out(n_rows, n_cols):
    """(gm_dense *, the memory of its arrays)."""
    dense = ffi.new("gm_dense *")
    memory = ffi.new("double[]", lib.gm_dense_bytes(n_rows, n_cols) // 8 + 1)
    lib.gm_dense_lay(dense, memory, n_rows, n_cols)
    return dense, memory


def solve(cost):
    """(column of each row, duals v) by gm_dense_solve."""
    n_rows, n_cols = cost.shape
    flat = np.ascontiguousarray(cost, np.float64).reshape(-1)
    dense, memory = laid_out(n_rows, n_cols)
    dense.cost = held = ffi.from_buffer("double[]", flat)
    assert lib.gm_dense_solve(dense, ffi.NULL) == 0
    found = [dense.col_of[i] for i in range(n_rows)], [dense.v[j] for j in range(n_cols)]
    u = [lib.gm_dense_row_dual(dense, i) for i in range(n_rows)]
    del held, memory
    return np.array(found[0]), np.array(u), np.array(found[1])


@pytest.mark.parametrize("kind", ["real", "ties", "equal", "products"])
def test_optimal_and_proven(kind):
    rng = np.random.default_rng(1)
    for _ in range(60):
        n_rows = int(rng.integers(1, 20))
        n_cols = n_rows if rng.integers(2) else int(rng.integers(n_rows, 24))
        cost = {
            "real": rng.normal(size=(n_rows, n_cols)),
            "ties": rng.integers(-2, 3, (n_rows, n_cols)).astype(float),
            "equal": np.full((n_rows, n_cols), 4.0),
            "products": np.outer(np.arange(n_rows), -np.arange(n_cols)).astype(float),
        }[kind]
        col_of, u, v = solve(cost)
        assert len(set(col_of.tolist())) == n_rows
        value = cost[np.arange(n_rows), col_of].sum()
        assert value == pytest.approx(cost[linear_sum_assignment(cost)].sum(), abs=1e-9)
        assert u.sum() + v.sum() == pytest.approx(value, abs=1e-9)
        assert np.all(cost - v >= u[:, None])
        if n_rows < n_cols:
            free = np.setdiff1d(np.arange(n_cols), col_of)
            assert v.max() <= 0 and np.all(v[free] == 0)


def test_forbidden_entries():
    """inf is never chosen; without an assignment the kernel says so."""
    cost = np.array([[1.0, np.inf, np.inf], [2.0, 5.0, np.inf], [np.inf, 3.0, 4.0]])
    col_of, u, v = solve(cost)
    assert col_of.tolist() == [0, 1, 2] and u.sum() + v.sum() == 10.0
    flat = np.array([[1.0, np.inf, np.inf], [2.0, np.inf, np.inf], [5.0, 3.0, 4.0]]).reshape(-1)
    dense, memory = laid_out(3, 3)
    dense.cost = held = ffi.from_buffer("double[]", flat)
    assert lib.gm_dense_solve(dense, ffi.NULL) == lib.GM_ELIMIT
    del held, memory


def test_is_cut():
    """A run that is over leaves in the middle and says so."""
    flat = np.random.default_rng(0).random(50 * 50)
    dense, memory = laid_out(50, 50)
    dense.cost = held = ffi.from_buffer("double[]", flat)
    watch = ffi.new("gm_watch *", {"is_over": 1})
    assert lib.gm_dense_solve(dense, watch) == lib.GM_ECUT
    del held, memory


@pytest.mark.parametrize("seed", range(times(30)))
def test_excess_of_rows_is_that_of_real_numbers(seed):
    """Any assignment with any duals: the excess is that of fractions, rounded up."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    scale = 10.0 ** rng.integers(0, 18)
    C, duals = rng.normal(size=(n, n)), rng.normal(size=n) * scale
    if seed % 2:
        duals = np.round(duals)
    dense, memory = laid_out(n, n)
    held = ffi.from_buffer("double[]", C.reshape(-1))
    for j in range(n):
        dense.v[j] = duals[j]
    dense.n_rows = 1
    for i, s in enumerate(rng.permutation(n).tolist()):
        dense.cost, dense.col_of[0] = held + i * n, s
        reduced = [Fraction(c) - Fraction(v) for c, v in zip(C[i], duals, strict=True)]
        exact = reduced[s] - min(reduced)
        found = Fraction(lib.gm_dense_excess(dense))
        assert exact <= found <= exact * (1 + Fraction(2) ** -48)
    del held, memory
