"""Frank-Wolfe on overlaps: its table is the gradient, its steps find the alignment."""

import numpy as np
import pytest
import scipy.sparse as sp

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._overlap_descent import OverlapDescent, Priced, affords_descent


def arcs(rng, n, degree):
    M = (rng.random((n, n)) < degree / n) * np.ceil(rng.lognormal(1.0, 1.0, (n, n)))
    np.fill_diagonal(M, 0.0)
    return M


def factors_of(A, B, **options):
    p = gm.models.from_graphs(sp.csr_array(A), sp.csr_array(B), overlap="min", **options)
    return QapFactors(p.as_costs())


def test_the_table_is_half_of_the_gradient():
    rng = np.random.default_rng(0)
    for n1, n2 in ((6, 6), (5, 8), (8, 5)):
        A, B = arcs(rng, n1, 3), arcs(rng, n2, 3)
        labels = np.full(n1, -1)
        k = min(n1, n2) - 1
        labels[rng.permutation(n1)[:k]] = rng.permutation(n2)[:k]
        descent = OverlapDescent(factors_of(A, B), Budget())
        assert descent.add(labels, 1.0) and descent.add(labels, 0.5)
        expected = np.zeros((n1, n2))
        for j in range(n1):
            for t in range(n2):
                for i, s in enumerate(labels):
                    if s >= 0:
                        expected[j, t] += min(A[i, j], B[s, t]) + min(A[j, i], B[t, s])
        assert descent.E == pytest.approx(0.75 * expected, rel=1e-5)


@pytest.mark.parametrize("with_costs", [False, True])
def test_noisy_networks_are_aligned(with_costs):
    rng, n = np.random.default_rng(1), 120
    A, truth = arcs(rng, n, 10), np.random.default_rng(2).permutation(n)
    noisy = np.where(rng.random((n, n)) < 0.8, A, arcs(rng, n, 2))
    B = np.zeros((n, n))
    B[np.ix_(truth, truth)] = noisy
    similarity = rng.random((n, n)) if with_costs else None
    factors = factors_of(A, B, similarity=similarity)
    seen = []
    start = np.argsort(np.argsort(A.sum(axis=0)))
    order = np.argsort(B.sum(axis=0))[start]
    OverlapDescent(factors, Budget()).run(order, seen.append)
    assert np.mean(seen[-1] == truth) > 0.95
    values = [factors.problem.total_cost(labels) for labels in seen]
    assert values[-1] < values[0]


def test_it_is_refused_if_it_cannot_help():
    A = arcs(np.random.default_rng(3), 80, 4)
    assert affords_descent(factors_of(A, A), 10.0, 1.0)
    assert not affords_descent(factors_of(A, A), 10.0, 1e-6)
    assert not affords_descent(factors_of(A, A), 1e-6, 1.0)
    assert not affords_descent(factors_of(A, A, sense="min"), 10.0, 1.0)
    assert not affords_descent(factors_of(A, A, similarity=np.eye(80), complete=False), 10.0, 1.0)


@pytest.mark.parametrize("n1, n2", [(40, 40), (30, 40), (40, 30)])
def test_prices_spread_the_best_labels(n1, n2):
    rng = np.random.default_rng(4)
    x, y = np.sort(rng.pareto(2.0, n1) + 1), np.sort(rng.pareto(2.0, n2) + 1)
    E = np.outer(x, y).astype(np.float32)
    priced = Priced(E)[:]
    k = min(n1, n2)
    assert np.all(E.argmax(axis=1) == n2 - 1)  # without prices all nodes want one label
    wanted = priced[n1 - k :].argmax(axis=1)
    assert np.abs(wanted - np.arange(n2 - k, n2)).max() <= 1
