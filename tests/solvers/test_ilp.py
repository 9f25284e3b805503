"""ilp: the reference method against brute force, and its relaxation below."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("complete", [False, True])
def test_integers_give_the_optimum(complete):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        shape = rng.integers(1, 5, 2)
        problem = random_problem(rng, *map(int, shape), density=0.8, complete=complete, offset=3.0)
        r = gm.gm_solve(problem, "ilp")
        assert r.status == "optimal" and r.value == pytest.approx(brute_force(problem), abs=1e-7)


def test_the_relaxation_is_a_bound():
    for seed in range(8):
        problem = random_problem(np.random.default_rng(seed), 4, 4, complete=seed % 2 == 0)
        r = gm.gm_solve(problem, "ilp", relax=True)
        optimum = brute_force(problem)
        assert r.bound <= optimum + 1e-9 and r.value >= optimum - 1e-9
        assert np.isfinite(r.bound)


def test_a_node_limit_still_gives_an_answer():
    problem = random_problem(np.random.default_rng(0), 8, 8, complete=True)
    r = gm.gm_solve(problem, "ilp", maxiter=1)
    assert problem.is_complete_matching(r.labels) and r.bound <= r.value + 1e-9
