"""Rematching: whole parts of a matching that are wrong are found and mended."""

import numpy as np
import pytest
from repetition import times
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._portfolio import Portfolio
from gmtoolbox.solvers._rematching import Rematches, score_nodes

SIZE, GROUPS = 16, 12


def groups(rng):
    """Adjacency matrix of dense groups with few links between them."""
    n = SIZE * GROUPS
    group = np.arange(n) // SIZE
    p = np.where(group[:, None] == group, 0.5, 0.03)
    A = np.triu(rng.random((n, n)) < p, 1)
    return (A | A.T).astype(float)


@pytest.fixture
def exchanged():
    """(problem, planted labels, labels of which two groups are exchanged)."""
    rng = np.random.default_rng(1)
    A = groups(rng)
    problem = gm.models.from_graphs(sparse.csr_array(A), sparse.csr_array(A)).as_costs()
    truth = np.arange(len(A))
    labels = truth.copy()
    labels[:SIZE], labels[SIZE : 2 * SIZE] = truth[SIZE : 2 * SIZE], truth[:SIZE]
    return problem, truth, labels


def test_scores_of_wrong_parts_are_the_least(exchanged):
    problem, truth, labels = exchanged
    factors = QapFactors(problem)
    scores = score_nodes(factors, labels)
    assert scores[: 2 * SIZE].max() < scores[2 * SIZE :].min()
    assert np.ptp(score_nodes(factors, truth)) < 1e-12


def test_exchanged_groups_are_mended(exchanged):
    problem, truth, labels = exchanged
    with Budget(None, 0) as budget:
        state = Portfolio(problem, budget)
        state.offer(labels, "given")
        assert Rematches(state, np.inf).improve(budget.expired)
        assert state.cost == problem.total_cost(truth)
        assert problem.total_cost(state.labels) == state.cost


def test_without_memory_nothing_is_done(exchanged):
    problem, _, labels = exchanged
    with Budget(None, 0) as budget:
        state = Portfolio(problem, budget)
        state.offer(labels, "given")
        assert not Rematches(state, 0.0).improve(budget.expired)
        np.testing.assert_array_equal(state.labels, labels)


@pytest.mark.parametrize("seed", range(times(3)))
def test_matchings_of_partial_problems_of_two_sizes_stay_valid(seed):
    rng = np.random.default_rng(seed)
    A = groups(rng)
    small = sparse.csr_array(A[:120, :120])
    problem = gm.models.from_graphs(small, sparse.csr_array(A), complete=False).as_costs()
    labels = rng.permutation(len(A))[:120]
    labels[rng.random(120) < 0.3] = -1
    with Budget(None, seed) as budget:
        state = Portfolio(problem, budget)
        state.offer(labels, "given")
        Rematches(state, np.inf).improve(budget.expired)
        assert state.cost <= problem.total_cost(labels)
        assert problem.total_cost(state.labels) == pytest.approx(state.cost)
