"""Parts: a matrix in three parts scales as the whole one does."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core.transforms import bijective
from gmtoolbox.solvers._parts import Parts


def whole(parts):
    """Everything written out, forbidden pairs too."""
    X = np.outer(parts.R, parts.C)
    dummies = parts.problem.dummies
    X[dummies.row :, dummies.col :] = np.outer(parts.rho, parts.gamma)
    X[parts.problem.left, parts.problem.right] = parts.x
    return X


@pytest.mark.parametrize("shape, complete", [((3, 4), False), ((4, 4), True), ((3, 5), True)])
def test_sinkhorn_is_that_of_the_whole_matrix(shape, complete):
    rng = np.random.default_rng(0)
    for _ in range(5):
        problem = bijective(random_problem(rng, *shape, density=0.7, complete=complete)).problem
        parts = Parts(problem)
        parts.x[:] = rng.random(problem.n_candidates)
        X = whole(parts)
        for _ in range(3):
            X = X / X.sum(axis=1, keepdims=True)
            X = X / X.sum(axis=0, keepdims=True)
        assert parts.sinkhorn(0.0, 3)
        assert np.allclose(whole(parts), X)


def test_distances_and_updates():
    problem = bijective(random_problem(np.random.default_rng(1), 3, 3, density=0.8)).problem
    one, other = Parts(problem), Parts(problem)
    y = np.random.default_rng(2).random(problem.n_candidates)
    other.update(one, 0.5, y)
    assert np.allclose(other.x, np.exp(0.5 * y))
    distance = np.abs(whole(one) - whole(other)).sum()
    assert one.is_near(other, distance * 1.001) and not one.is_near(other, distance * 0.999)
    assert np.allclose(other.matrix()[problem.left, problem.right], other.x)


def test_overflow_is_told():
    problem = random_problem(np.random.default_rng(3), 3, 3, complete=True)
    parts = Parts(problem)
    parts.x[:] = np.inf
    assert not parts.sinkhorn(0.0, 3)
