"""n_best against brute force."""

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("complete", [False, True])
def test_n_best_are_the_n_best(complete):
    rng = np.random.default_rng(8)
    for _ in range(5):
        problem = random_problem(rng, 3, 4, density=0.8, complete=complete)
        costs = sorted(problem.total_cost(np.array(found)) for found in matchings(problem))
        result = gm.gm_solve(problem, n_best=7)
        found = [result.labels, *(other["labels"] for other in result.alternatives)]
        assert len({tuple(labels) for labels in found}) == len(found) == min(7, len(costs))
        values = [problem.total_cost(labels) for labels in found]
        assert values == pytest.approx(costs[:7], rel=1e-5, abs=1e-7)


def test_n_best_refuses_what_it_cannot():
    problem = gm.synth.car(seed=0, size=4)
    assert len(gm.gm_solve(problem, n_best=100).alternatives) == 23  # 4! matchings in all
    with pytest.raises(gm.InputError, match="goes with method 'auto'"):
        gm.gm_solve(problem, "sm", n_best=2)
    with pytest.raises(gm.InputError, match="positive number"):
        gm.gm_solve(problem, n_best=0)
