"""The ascent: steps raise the bound, to the value of the relaxation it climbs."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm


def test_more_steps_give_better_bounds():
    risen = 0
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 5, 5, edges=0.4, complete=True)
        first, later = (gm.gm_solve(problem, "dd-ls0", maxiter=k).bound for k in (1, 300))
        assert later >= first
        risen += later > first + 1e-6
    assert risen >= 4


def test_without_edges_the_first_step_is_the_last():
    problem = random_problem(np.random.default_rng(1), 5, 6, edges=0.0)
    r = gm.gm_solve(problem, "dd-ls0")
    assert r.status == "optimal" and r.bound == pytest.approx(r.value)


def test_scaling_costs_scales_the_bound():
    problem = random_problem(np.random.default_rng(2), 5, 5, complete=True)
    scaled = gm.Problem(
        problem.shape, problem.left, problem.right, 1024 * problem.cost,
        problem.a, problem.b, 1024 * problem.edge_cost, complete=True,
    )  # fmt: skip
    one, other = (gm.gm_solve(p, "dd-ls0", maxiter=50) for p in (problem, scaled))
    assert other.bound == pytest.approx(1024 * one.bound, rel=1e-9)
