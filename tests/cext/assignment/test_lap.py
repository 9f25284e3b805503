"""The sparse LAP against scipy and its own optimality conditions; Munkres against scipy."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.errors import InfeasibleError
from gmtoolbox.engine.rounding import Lap, munkres


def random_lap(rng):
    n_rows, n_cols = rng.integers(1, 9, size=2)
    mask = rng.random((n_rows, n_cols)) < rng.choice([0.3, 0.7, 1.0])
    draw = [
        rng.normal(size=mask.shape),
        rng.integers(-2, 3, size=mask.shape).astype(float),
        rng.random(mask.shape) * 1e6,
    ][rng.integers(3)]
    cost = np.where(mask, draw, np.inf)
    row, col = np.nonzero(mask)
    return cost, Lap(n_rows, n_cols, np.searchsorted(row, np.arange(n_rows + 1)), col), mask


def partial_optimum(cost):
    """By scipy, with one private zero-cost column per row."""
    n = cost.shape[0]
    own = np.full((n, n), np.inf)
    np.fill_diagonal(own, 0.0)
    whole = np.hstack([cost, own])
    return whole[linear_sum_assignment(whole)].sum()


def check_duals(lap, cost, mask, match, complete):
    reduced = np.where(mask, cost, 0) - lap.u[:, None] - lap.v[None, :]
    scale = 1e-9 * (1 + np.abs(cost[mask]).max(initial=0))
    assert reduced[mask].min(initial=0) >= -scale
    rows = np.flatnonzero(match >= 0)
    assert np.abs(reduced[rows, match[rows]]).max(initial=0) <= scale
    assert lap.v.max(initial=0) <= 0
    free = np.setdiff1d(np.arange(cost.shape[1]), match[rows])
    assert np.all(lap.v[free] == 0)
    if not complete:
        assert lap.u.max(initial=0) <= 0 and np.all(lap.u[match < 0] == 0)
    assert lap.u.sum() + lap.v.sum() == pytest.approx(lap.value, abs=scale)


@pytest.mark.parametrize("complete", [False, True])
def test_lap_equals_scipy_cold_and_warm(complete):
    rng = np.random.default_rng(0)
    for _ in range(400):
        cost, lap, mask = random_lap(rng)
        for warm in (False, True, True):
            try:
                expected = (
                    cost[linear_sum_assignment(cost)].sum() if complete else partial_optimum(cost)
                )
                if complete and cost.shape[0] > cost.shape[1]:
                    raise ValueError("more rows than columns")
            except ValueError:
                with pytest.raises(InfeasibleError):
                    lap.solve(cost[mask], complete=True, warm=warm)
                break
            match = lap.solve(cost[mask], complete=complete, warm=warm)
            used = match[match >= 0]
            assert len(set(used)) == len(used) and np.all(mask[match >= 0, used])
            assert lap.value == pytest.approx(expected, rel=1e-9, abs=1e-9)
            check_duals(lap, cost, mask, match, complete)
            changed = rng.random(cost.shape) < 0.3
            cost = np.where(changed & mask, cost + rng.normal(size=cost.shape), cost)


def test_munkres_equals_scipy():
    rng = np.random.default_rng(1)
    for _ in range(200):
        cost, _, mask = random_lap(rng)
        cost = np.where(mask, cost - cost[mask].min(initial=0), cost)
        match = munkres(cost)
        try:
            expected = cost[linear_sum_assignment(cost)].sum()
        except ValueError:
            continue
        rows = np.flatnonzero(match >= 0)
        assert len(rows) == min(cost.shape)
        assert cost[rows, match[rows]].sum() == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_munkres_takes_the_first_zero():
    assert munkres(np.zeros((3, 4))).tolist() == [0, 1, 2]
    assert munkres(np.full((2, 2), np.inf)).tolist() == [-1, -1]


def test_a_solve_ends_when_its_first_matching_leaves_too_many_rows_free():
    """All rows like column 0 best: one of four gets it."""
    cost = np.add.outer(np.arange(4.0), [0.0, 5.0, 6.0, 7.0])
    lap = Lap(4, 4, np.arange(0, 17, 4), np.tile(np.arange(4), 4))
    lib.gm_lap_limit_free(lap._lap, 2)
    assert lib.gm_lap_solve(lap._lap, pointer(cost), 1, 0) == lib.GM_ECUT
    lib.gm_lap_limit_free(lap._lap, 3)
    assert lib.gm_lap_solve(lap._lap, pointer(cost), 1, 0) == lib.GM_OK
    assert lap.value == 24.0
