"""fw: starts until so many in a row bring nothing; the best matching is kept."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


def test_more_restarts_are_never_worse():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 6, 6, edges=0.4)
        values = [gm.gm_solve(problem, "fw", restarts=k).value for k in (1, 10, 50)]
        assert values == sorted(values, reverse=True)


def test_many_restarts_solve_small_problems():
    solved = 0
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 4, complete=seed % 2 == 0)
        r = gm.gm_solve(problem, "fw", restarts=200)
        assert r.status == "converged"
        solved += r.value == pytest.approx(brute_force(problem), abs=1e-9)
    assert solved >= 9
