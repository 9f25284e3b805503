"""Rounding of mp: matchings from the first iteration on, better ones with Frank-Wolfe."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("complete", [False, True])
def test_one_iteration_has_a_matching(complete):
    for seed in range(8):
        problem = random_problem(np.random.default_rng(seed), 5, 6, density=0.7, complete=complete)
        r = gm.gm_solve(problem, "mp", maxiter=1)
        assert np.isfinite(r.value) and r.value == pytest.approx(problem.energy(r.labels))
        assert not complete or problem.is_complete_matching(r.labels)


def test_local_moves_and_fusion_find_the_optimum_of_small_problems():
    for method in ("mp", "mp-fw"):
        hits = 0
        for seed in range(10):
            problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.6)
            r = gm.gm_solve(problem, method, maxiter=200)
            hits += r.value == pytest.approx(brute_force(problem), abs=1e-9)
        assert hits >= 9
