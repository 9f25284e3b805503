"""The cycle bound: never above the optimum, above the sum of pair bounds where pairs disagree."""

import numpy as np
import pytest
from multi_cases import brute_force, random_multi

import gmtoolbox as gm


def test_never_above_the_optimum():
    closed = 0
    for seed in range(25):
        m = random_multi(500 + seed, (3, 2, 3), density=(1.0, 0.8)[seed % 2])
        optimum = brute_force(m)
        r = gm.gm_solve_multi(m, bound="cycles", maxiter=400, seed=seed)
        assert r.bound <= optimum + 1e-9 * max(1.0, abs(optimum))
        closed += r.status == "optimal"
        if r.status == "optimal":
            assert r.value == pytest.approx(optimum, rel=1e-6)
    assert closed >= 12


def test_closes_a_gap_that_pairs_leave():
    """Three single nodes: two pairs want to be matched, the third costs more than they bring."""
    pairs = {(0, 1): -1.0, (1, 2): -1.0, (0, 2): 3.0}
    m = gm.MultiProblem({key: gm.Problem((1, 1), [0], [0], [c]) for key, c in pairs.items()})
    by_pairs = gm.gm_solve_multi(m, bound="pairs")
    assert by_pairs.value == -1 and by_pairs.bound == pytest.approx(-2)
    r = gm.gm_solve_multi(m, bound="cycles")
    assert r.value == -1 and r.bound == pytest.approx(-1, abs=1e-5) and r.status == "optimal"
    assert np.all(np.diff(r.trace["bound"][np.isfinite(r.trace["bound"])]) >= 0)
