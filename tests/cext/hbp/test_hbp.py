"""Branch and bound of hbp: exact where it is asked to be, limited where it is not."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def test_the_exact_search_ends_at_the_optimum():
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 4, complete=seed % 2 == 0)
        r = gm.gm_solve(problem, "hbp", exact=True)
        assert r.value == pytest.approx(brute_force(problem), abs=1e-7)


def test_a_limit_on_search_nodes_is_kept():
    problem = random_problem(np.random.default_rng(0), 6, 6, complete=True)
    for maxiter in (1, 5):
        r = gm.gm_solve(problem, "hbp", maxiter=maxiter, exact=True)
        assert r.n_iter <= maxiter and problem.is_complete_matching(r.labels)
