"""ipfp: corners of the assignment polytope, of which the best is the answer."""

import numpy as np
import pytest
from baseline_reference import affinities
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm
from gmtoolbox.solvers.ipfp import Block


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


def test_a_block_is_the_matrix_that_it_stands_for():
    rng = np.random.default_rng(1)
    for size in (1, 4, 9):
        blocks, matrices = [], []
        for rest in (0.25, 0.0, 0.0):
            places = np.flatnonzero(rng.random(size) < 0.4)
            blocks.append(Block(size, rest, places, np.ones(len(places))))
            matrices.append(np.full(size, rest))
            matrices[-1][places] = 1.0
        block, matrix = blocks[0], matrices[0]
        for other, written, t in zip(blocks[1:], matrices[1:], (0.3, 0.1), strict=True):
            moved, matrix_moved = block.towards(other, t), matrix + t * (written - matrix)
            assert np.array_equal(moved.at(np.arange(size)), matrix_moved)
            assert moved.equals(block) == np.array_equal(matrix_moved, matrix)
            block, matrix = moved, matrix_moved
        assert block.equals(block.towards(blocks[0], 0.0))
