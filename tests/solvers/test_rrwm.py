"""rrwm: without its jump it is a random walk, and walks to the leading eigenvector."""

import numpy as np
import pytest
from baseline_reference import affinities

import gmtoolbox as gm
from gmtoolbox.solvers.rrwm import walk_matrix


def compatible_affinity(problem, W):
    conflict = (problem.left[:, None] == problem.left) | (problem.right[:, None] == problem.right)
    np.fill_diagonal(conflict, False)
    return np.where(conflict, 0.0, W)


@pytest.mark.parametrize("seed", range(4))
def test_without_jumps_it_is_a_power_iteration(seed):
    problem, W = affinities(seed)
    M = compatible_affinity(problem, W)
    r = gm.gm_solve(problem, "rrwm", c=1.0, maxiter=300, tol=0.0)
    walk = r.scores[problem.left, problem.right]
    assert walk.sum() == pytest.approx(1.0)
    leading = np.abs(np.linalg.eigh(M)[1][:, -1])
    assert np.allclose(walk, leading / leading.sum(), atol=1e-4)


def test_the_walks_matrix_is_scaled_by_its_largest_column_sum():
    problem, W = affinities(9)
    M = compatible_affinity(problem, W)
    x = np.random.default_rng(0).random(problem.n_candidates)
    assert np.allclose(walk_matrix(problem) @ x, M @ x / M.sum(axis=0).max())
    assert walk_matrix(problem).row_sums().max() == pytest.approx(1.0)
