"""sm: the leading eigenvector of the affinity."""

import numpy as np
import pytest
from baseline_reference import affinities

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._matrices import make_affinity
from gmtoolbox.solvers.spectral import leading_vector, leading_vector_by_products


@pytest.mark.parametrize("seed", range(5))
def test_many_iterations_give_the_leading_eigenvector(seed):
    problem, W = affinities(seed)
    r = gm.gm_solve(problem, "sm", maxiter=500, sweeps=0)
    leading = np.abs(np.linalg.eigh(W)[1][:, -1])
    assert np.allclose(r.scores[problem.left, problem.right], leading, atol=1e-6)


def test_products_alone_give_the_same_vector():
    problem, W = affinities(7)
    compiled = leading_vector(make_affinity(problem), 30, Budget())
    plain = leading_vector_by_products(W, 30, Budget())
    assert np.allclose(compiled[0], plain[0]) and compiled[1:] == plain[1:] == (30, "converged")


def test_nothing_to_multiply_is_a_breakdown():
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], np.zeros(4), complete=True)
    r = gm.gm_solve(problem, "sm")
    assert r.status in ("breakdown", "optimal") and problem.is_complete_matching(r.labels)
