"""Parts: a matrix in three parts scales as the whole one does."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import bijective
from gmtoolbox.solvers._matrices import Affinity, Parts, make_affinity


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


def with_conflicts(rng):
    """Edges between any two candidates, conflicting ones too; some costs 0."""
    a, b = np.nonzero(np.triu(rng.random((12, 12)) < 0.5, 1))
    cost, edge_cost = (np.where(rng.random(n) < 0.2, 0.0, rng.normal(size=n)) for n in (12, len(a)))
    return Problem(
        (3, 4), np.tile(np.arange(3), 4), np.repeat(np.arange(4), 3), cost, a, b, edge_cost
    )


def test_affinity_multiplies_like_the_matrix():
    rng = np.random.default_rng(4)
    for _ in range(20):
        problem, x = with_conflicts(rng), rng.normal(size=12)
        W, K = make_affinity(problem), problem.reducedK
        assert (W @ x).tolist() == (
            -K @ x
        ).tolist()  # to the last bit: the order of the additions is the same
        assert (
            W.sum() == pytest.approx(-K.sum(), rel=1e-12)
            and W.row_sums().tolist() == (-K @ np.ones(12)).tolist()
        )
        W *= 0.3
        assert (W @ x).tolist() == ((-K * 0.3) @ x).tolist()


def test_affinity_without_conflicts():
    problem = with_conflicts(np.random.default_rng(5))
    same = (problem.left[:, None] == problem.left) | (problem.right[:, None] == problem.right)
    K = problem.reducedK.toarray()
    K[same & ~np.eye(12, dtype=bool)] = 0.0
    x = np.random.default_rng(6).normal(size=12)
    assert np.allclose(Affinity(problem, compatible=True) @ x, -K @ x, rtol=1e-14)
    assert not np.allclose(Affinity(problem) @ x, -K @ x)
