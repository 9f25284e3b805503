"""fgmd: a path whose end is a permutation."""

import numpy as np
import pytest
from baseline_reference import affinities
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers.fgm import doubly_stochastic_start, edge_factor


def test_the_path_ends_at_a_permutation():
    for seed in range(3):
        problem, _ = affinities(seed, n=5)
        X = gm.gm_solve(problem, "fgmd").scores
        assert np.allclose(X.sum(axis=0), 1) and np.allclose(X.sum(axis=1), 1)
        assert np.allclose(np.sort(X, axis=1)[:, -1], 1, atol=1e-6)


def test_the_start_is_doubly_stochastic_on_allowed_pairs():
    problem = random_problem(np.random.default_rng(0), 5, 5, density=0.7, complete=True)
    X = doubly_stochastic_start(problem, Budget())
    assert np.allclose(X.sum(axis=0), 1, atol=1e-6)
    assert not X[problem.Ct.toarray() == 0].any()


def test_the_factor_is_symmetric_and_grows_with_the_affinity():
    problem, _ = affinities(1)
    A = edge_factor(problem)
    doubled = gm.Problem(
        problem.shape, problem.left, problem.right, problem.cost,
        problem.a, problem.b, 2 * problem.edge_cost, complete=True,
    )  # fmt: skip
    assert np.allclose(A, A.T) and np.allclose(edge_factor(doubled), 2 * A)
    assert np.linalg.eigvalsh(A).min() >= -1e-9


def test_a_permuted_graph_is_found_again():
    rng = np.random.default_rng(5)
    A = rng.random((6, 6))
    A = np.triu(A, 1) + np.triu(A, 1).T
    order = rng.permutation(6)
    problem = gm.models.from_graphs(A, A[np.ix_(order, order)])
    assert gm.accuracy(gm.gm_solve(problem, "fgmd").labels, np.argsort(order)) == pytest.approx(1.0)
