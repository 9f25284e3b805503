"""aj/quick: iterations of mp prove easy problems, and end where they do not."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def sparse(seed, n, lure=0.0):
    """No pair cost is positive; node i is lured to label i."""
    p = random_problem(np.random.default_rng(seed), n, n, edges=0.5, signs="nonpositive")
    cost = p.cost - lure * (p.left == p.right)
    return gm.Problem(p.shape, p.left, p.right, cost, p.a, p.b, p.edge_cost)


def test_easy_problems_take_as_many_iterations_as_mp():
    same = 0
    for seed in range(20):
        problem = sparse(seed, 5, lure=6.0)
        quick, mp = gm.gm_solve(problem, "aj"), gm.gm_solve(problem, "mp", maxiter=7)
        assert quick.status == "optimal"
        assert quick.value == pytest.approx(brute_force(problem), abs=1e-9)
        if mp.status == "optimal":
            assert quick.n_iter == mp.n_iter, seed
            same += 1
    assert same > 5


def test_bounds_stay_valid_where_mp_gives_up():
    for seed in range(12):
        problem = sparse(seed, 6)
        optimum = brute_force(problem)
        for units in (1, 7, 9, 30):
            r = gm.gm_solve(problem, "aj", maxiter=units)
            assert r.n_iter <= units
            assert r.bound <= optimum + 1e-9


def test_positive_costs_go_to_the_exact_method_at_once():
    """mp would need full tables: the first units are fusion moves, without any bound."""
    problem = random_problem(np.random.default_rng(1), 6, 6, edges=0.6, signs="positive")
    r = gm.gm_solve(problem, "aj", maxiter=3)
    assert not np.isfinite(r.bound)
