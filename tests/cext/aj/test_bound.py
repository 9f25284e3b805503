"""The star bound: valid at any duals, exact where there are no edges."""

import numpy as np
import pytest
from aj_reference import claims, draw, optimum, slack
from small import brute_force, random_problem


def test_without_edges_it_is_the_assignment():
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 5, edges=0.0, complete=seed % 2)
        bound, forced, _ = claims(problem, 0, 0)
        assert bound == pytest.approx(brute_force(problem), abs=1e-9)
        assert np.all(forced >= bound - 1e-9)


def test_random_duals_never_lift_it_above_the_optimum():
    finite = 0
    for seed in range(60):
        problem = draw(np.random.default_rng(seed))
        best = optimum(problem)
        if problem.complete and (problem.shape[0] > problem.shape[1] or not np.isfinite(best)):
            continue
        for dual_seed in range(1, 4):
            bound, _, _ = claims(problem, dual_seed % 2, dual_seed)
            assert bound <= best + slack(problem)
            finite += np.isfinite(bound)
    assert finite > 60
