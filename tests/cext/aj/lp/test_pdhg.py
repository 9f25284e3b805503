"""The ascent: the root bound nears the value of the linear programme that it climbs."""

import numpy as np
from small import brute_force, random_problem

import gmtoolbox as gm


def test_the_root_is_at_least_the_relaxation():
    """The Adams-Johnson programme is never weaker than the study's, which ilp relaxes."""
    for seed in range(5):
        problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.6, complete=True)
        relaxed = gm.gm_solve(problem, "ilp", relax=True).bound
        root = gm.gm_solve(problem, "aj", branch=False, fix=False).bound
        assert relaxed - 1e-2 * (1 + abs(relaxed)) <= root <= brute_force(problem) + 1e-9


def test_more_steps_never_lower_the_bound():
    problem = random_problem(np.random.default_rng(9), 8, 8, edges=0.4, complete=True)
    bounds = [
        gm.gm_solve(problem, "aj", branch=False, fix=False, maxiter=k).bound
        for k in (50, 400, 3000)
    ]
    assert bounds == sorted(bounds)
