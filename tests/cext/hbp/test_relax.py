"""The relaxation of a search node: its bound holds, and falls where states are excluded."""

import numpy as np
from small import brute_force, random_problem

import gmtoolbox as gm


def test_the_first_search_node_gives_a_bound():
    finite = 0
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 4, complete=True)
        optimum = brute_force(problem)
        for maxiter in (1, 3, 10):
            r = gm.gm_solve(problem, "hbp", maxiter=maxiter, exact=True)
            assert r.bound <= optimum + 1e-7 and r.value >= optimum - 1e-7
            finite += np.isfinite(r.bound)
    assert finite >= 20


def test_more_search_nodes_tighten():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 5, 5, complete=True)
        bounds = [gm.gm_solve(problem, "hbp", maxiter=k, exact=True).bound for k in (1, 20, 10**6)]
        assert bounds == sorted(bounds)
