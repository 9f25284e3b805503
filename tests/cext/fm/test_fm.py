"""The kernel of fm: proposals by seed, an end by patience."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def test_patience_ends_it():
    problem = random_problem(np.random.default_rng(0), 5, 5)
    short, long = (gm.gm_solve(problem, "fm", patience=k) for k in (10, 500))
    assert short.status in ("converged", "optimal") and short.n_iter <= long.n_iter
    assert long.value <= short.value


def test_small_problems_are_solved():
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 5, complete=seed % 2 == 0)
        assert gm.gm_solve(problem, "fm", maxiter=300).value == pytest.approx(brute_force(problem))


def test_its_bound_is_the_sum_of_least_costs():
    """What fm says without any dual is no bound above any matching."""
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 4)
        assert gm.gm_solve(problem, "fm", maxiter=5).bound <= brute_force(problem) + 1e-9
