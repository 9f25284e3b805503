"""Tabu search: what it believes a matching costs is what it costs, and it finds optima that descent
does not.
"""

import numpy as np
import pytest
from small import matchings, random_problem

from gmtoolbox.core._ffi import check, ffi, lib, model, pointer
from gmtoolbox.engine.rounding import candidate_lap


def tabu(problem, labels, steps, seed=0):
    """(labels, cost that the search believes) of the C function."""
    struct, borrowed = model(problem)
    labels, cost = np.array(labels, dtype=np.int32), ffi.new("double *")
    check(lib.gm_tabu_search(struct, seed, steps, pointer(labels), cost))
    del borrowed
    return labels, cost[0] + problem.offset


def some_matching(problem, rng):
    lap, order = candidate_lap(problem)
    return lap.solve(-100.0 - rng.random(problem.n_candidates)[order])  # as many pairs as possible


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("integer", [False, True])
def test_costs_of_moves_add_up(complete, integer):
    """Every kind of move, with and without forbidden pairs and spare labels, for every number of
    steps.
    """
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n1 = int(rng.integers(1, 9))
        n2 = n1 + int(rng.integers(0, 4))
        problem = random_problem(
            rng, n1, n2, density=rng.choice([1.0, 0.6, 0.3]), complete=complete, integer=integer
        )
        start = some_matching(problem, rng)
        before = problem.energy(start)
        for steps in (0, 1, 2, 5, 20, 100):
            labels, cost = tabu(problem, start, steps, seed)
            assert problem.energy(labels) == pytest.approx(cost, abs=1e-9)
            assert cost <= before + 1e-12
            before = cost
            assert not complete or problem.is_complete_matching(labels)


def test_finds_the_optimum_of_small_problems():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        # swaps alone may not connect complete matchings where pairs are forbidden
        complete = seed % 2 == 0
        problem = random_problem(rng, 5, 5, density=1.0 if complete else 0.8, complete=complete)
        best = min(problem.energy(np.array(labels)) for labels in matchings(problem))
        labels, _ = tabu(problem, some_matching(problem, rng), 400, seed)
        assert problem.energy(labels) == pytest.approx(best, abs=1e-9)


def test_nothing_to_move():
    problem = random_problem(np.random.default_rng(0), 1, 1, complete=True)
    labels, cost = tabu(problem, [0], 10)
    assert labels.tolist() == [0] and cost == pytest.approx(problem.energy(labels))
