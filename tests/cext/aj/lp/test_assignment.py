"""aj/assignment: values and reduced costs of small dense assignment problems."""

import numpy as np
import pytest
from c_internals import internals
from scipy.optimize import linear_sum_assignment


def reduce(cost):
    """(value, reduced costs, largest number met)."""
    ffi, lib = internals("aj/lp/assignment.h", "base/pool.h")
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
    lap, magnitude, n = ffi.new("aj_assignment *"), ffi.new("double *"), len(cost)
    lib.aj_assignment_take(lap, pool, n + 3)
    lib.aj_assignment_begin(lap, n)
    cells = np.frombuffer(ffi.buffer(lap.cost, 8 * n * lap.stride)).reshape(n, lap.stride)
    cells[:, :n] = cost
    value = lib.aj_assignment_reduce(lap, magnitude)
    return value, cells[:, :n].copy(), magnitude[0]


@pytest.mark.parametrize("n", range(1, 14))
def test_value_and_reduced_costs(n):
    rng = np.random.default_rng(n)
    for trial in range(40):
        cost = rng.normal(size=(n, n)) if trial % 2 else rng.integers(-3, 4, (n, n)).astype(float)
        forbidden = rng.random((n, n)) < (0.0, 0.4)[trial % 4 > 1]
        open_cost = np.where(forbidden, 1e6, cost)
        rows, columns = linear_sum_assignment(open_cost)
        best = open_cost[rows, columns].sum()
        value, reduced, magnitude = reduce(np.where(forbidden, np.inf, cost))
        if best > 1e5:
            assert value == np.inf
            continue
        assert value == pytest.approx(best, abs=1e-12 * n)
        assert reduced.min() >= 0.0
        assert np.all(np.isinf(reduced) == forbidden)
        # duals: what was taken out of a cell depends on its row and its column alone
        taken = np.where(forbidden, 0.0, cost) - np.where(forbidden, 0.0, reduced)
        order = rng.permutation(n)
        other = taken[np.arange(n), order]
        if not forbidden.any():
            assert other.sum() == pytest.approx(value, abs=1e-11 * n)
        assert magnitude >= 0.0


def test_a_row_without_cells():
    value, _, _ = reduce(np.array([[np.inf, np.inf], [1.0, 2.0]]))
    assert value == np.inf
