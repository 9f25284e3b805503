"""Relaxations of the exact method: sparse and full tables of the same problem."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("signs", ["any", "nonpositive", "positive"])
@pytest.mark.parametrize("lift", [0, 10**6])
def test_lifted_or_not_the_answer_is_the_same(signs, lift):
    for seed in range(4):
        problem = random_problem(
            np.random.default_rng(seed), 4, 5, edges=0.5, signs=signs, complete=seed % 2 == 0
        )
        r = gm.gm_solve(problem, "aj", lift=lift)
        assert r.status == "optimal" and r.value == pytest.approx(brute_force(problem), abs=1e-6)


def test_nodes_without_candidates_and_single_ones():
    for shape, left, right in (((3, 3), [0, 2], [1, 1]), ((1, 1), [0], [0]), ((4, 2), [3], [0])):
        problem = gm.Problem(shape, left, right, -np.arange(1.0, 1 + len(left)))
        r = gm.gm_solve(problem, "aj")
        assert r.status == "optimal" and r.value == pytest.approx(brute_force(problem))
