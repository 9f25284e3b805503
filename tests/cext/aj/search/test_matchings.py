"""The search for matchings: an answer at once, an init that is used, a cutoff that is kept."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def test_the_first_iteration_has_a_matching():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 7, 8, complete=seed % 2 == 0)
        r = gm.gm_solve(problem, "aj", maxiter=1)
        assert np.isfinite(r.value) and r.value == pytest.approx(problem.energy(r.labels))


def test_an_optimal_init_is_never_lost():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 5, 5, complete=True)
        best = gm.gm_solve(problem, "ilp").labels
        r = gm.gm_solve(problem, "aj", init=best, maxiter=1)
        assert r.value == pytest.approx(brute_force(problem), abs=1e-7)


def test_a_cutoff_below_the_optimum_is_proven_useless():
    problem = random_problem(np.random.default_rng(7), 5, 5, complete=True)
    optimum = brute_force(problem)
    r = gm.gm_solve(problem, "aj", cutoff=optimum - 1.0)
    assert optimum - 1.0 < r.bound <= optimum + 1e-9
