"""Smoothed sweeps: they end near the linear programme, where plain sweeps get stuck."""

import numpy as np
from small import random_problem

import gmtoolbox as gm


def test_long_runs_reach_the_relaxation():
    """ilp with relax solves the same linear programme; smoothing comes within a thousandth."""
    gaps = []
    for seed in range(5):
        problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.6, complete=True)
        relaxed = gm.gm_solve(problem, "ilp", relax=True).bound
        r = gm.gm_solve(problem, "mp", maxiter=4000)
        assert r.bound <= r.value + 1e-9
        gaps.append((relaxed - r.bound) / (1 + abs(relaxed)))
    assert max(gaps) <= 5e-3


def test_bounds_only_rise_through_all_phases():
    problem = random_problem(np.random.default_rng(9), 5, 5, edges=0.5, complete=True)
    bounds = gm.gm_solve(problem, "mp", maxiter=1500).trace["bound"]
    finite = bounds[np.isfinite(bounds)]
    assert len(finite) and np.all(np.diff(finite) >= 0)
