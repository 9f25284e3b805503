"""ipfp: corners of the assignment polytope, of which the best is the answer."""

import numpy as np
import pytest
from baseline_reference import affinities
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm


@pytest.mark.parametrize("method", ["ipfpu", "ipfps"])
def test_more_steps_are_never_worse(method):
    for seed in range(5):
        problem, _ = affinities(seed, n=5)
        costs = [gm.gm_solve(problem, method, maxiter=k).value for k in (1, 2, 5, 51)]
        assert costs == sorted(costs, reverse=True)


def test_the_first_corner_is_the_assignment_of_the_gradient():
    problem, W = affinities(3, n=5)
    gradient = problem.scatter(W @ np.ones(problem.n_candidates))
    _, labels = linear_sum_assignment(-gradient)
    assert gm.gm_solve(problem, "ipfpu", maxiter=1).labels.tolist() == labels.tolist()


def test_an_init_is_never_lost():
    problem, _ = affinities(4, n=5)
    best = gm.gm_solve(problem, "ilp").labels
    r = gm.gm_solve(problem, "ipfpu", init=best)
    assert r.value == pytest.approx(problem.energy(best))
