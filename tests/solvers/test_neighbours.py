"""Neighbourhoods that agree: nodes of regular graphs, which spectra cannot distinguish."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._chains import Chains
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._neighbours import (
    affords_neighbours,
    features,
    links_of,
    neighbour_point,
    scale_sums,
)
from gmtoolbox.solvers._portfolio import Portfolio


def noisy_copy(G, changes, seed):
    """(A, B, truth) of a graph and a permuted copy with swapped edges."""
    n, H = G.number_of_nodes(), G.copy()
    nx.double_edge_swap(H, nswap=changes, max_tries=10_000, seed=seed)
    truth = np.random.default_rng(seed).permutation(n)
    A, M = (nx.to_scipy_sparse_array(g, nodelist=range(n), dtype=float) for g in (G, H))
    B = sp.csr_array(M[np.argsort(truth)][:, np.argsort(truth)])
    return A, B, truth


def test_regular_graphs_are_aligned():
    A, B, truth = noisy_copy(nx.random_regular_graph(8, 150, seed=3), 15, 3)
    state = Portfolio(gm.models.from_graphs(A, B).as_costs(), Budget())
    chance = np.random.default_rng(0).permutation(150).astype(np.int32)
    state.offer(chance, "chance")
    assert Chains(state, [chance]).match_neighbours(1.0)
    assert gm.accuracy(state.labels, truth) > 0.95
    assert state.ran[-1][0] == "neighbours + faq"


@pytest.mark.parametrize("rows", [120, 90])
def test_small_worlds_are_found_also_if_nodes_are_missing(rows):
    A, B, truth = noisy_copy(nx.watts_strogatz_graph(120, 8, 0.2, seed=1), 6, 1)
    problem = gm.models.from_graphs(A[:rows, :rows], B).as_costs()
    P = neighbour_point(QapFactors(problem), Budget())
    assert np.mean(P.argmax(axis=1) == truth[:rows]) > 0.8
    assert np.allclose(P.sum(axis=1), 1.0, atol=0.05)


def test_costs_of_pairs_spread_to_their_neighbours():
    ring = nx.to_scipy_sparse_array(nx.cycle_graph(20), dtype=float)
    similarity = np.zeros((20, 20))
    similarity[0, 7] = similarity[1, 8] = 3.0
    problem = gm.models.from_graphs(ring, ring, similarity=similarity).as_costs()
    P = neighbour_point(QapFactors(problem), Budget())
    assert list(P.argmax(axis=1)[:4]) == [7, 8, 9, 10]


def test_a_hint_decides_between_equal_neighbourhoods():
    ring = nx.to_scipy_sparse_array(nx.cycle_graph(20), dtype=float)
    problem = gm.models.from_graphs(ring, ring).as_costs()
    shifted = (np.arange(20) + 3) % 20
    hint = np.full((20, 20), 0.04)
    hint[np.arange(20), shifted] = 0.24
    P = neighbour_point(QapFactors(problem), Budget(), hint=hint)
    assert np.array_equal(P.argmax(axis=1), shifted)


def test_closed_walks_do_not_turn_back():
    for seed in range(5):
        G = nx.gnp_random_graph(12, 0.4, seed=seed)
        A = nx.to_numpy_array(G)
        counts = np.expm1(features(links_of(sp.csr_array(A))))
        D = np.diag(A.sum(axis=1))
        two = A @ A - D
        three = A @ two - (D - np.eye(12)) @ A
        wanted = [A.sum(axis=1), (A * two).sum(axis=1), (two * two).sum(axis=1)]
        wanted += [(two * three).sum(axis=1), (three * three).sum(axis=1)]
        assert np.allclose(counts, np.transpose(wanted))
        triangles = np.array(list(nx.triangles(G).values()))
        assert np.allclose(counts[:, 1], 2 * triangles)


def test_sums_of_the_larger_side_are_at_most_one():
    rng = np.random.default_rng(0)
    for shape in ((5, 5), (4, 7), (7, 4)):
        P = scale_sums(rng.random(shape, dtype=np.float32) ** 4)
        side = int(shape[0] <= shape[1])  # over which the smaller side is summed
        assert np.allclose(P.sum(axis=side), 1.0, atol=0.05)
        assert np.all(P.sum(axis=1 - side) < 1.05)


def test_dense_graphs_large_tables_and_short_limits_are_left_to_others():
    path, random = sp.csr_array(sp.eye_array(100, k=1)), np.random.default_rng(0).random((100, 100))
    ring, full = (QapFactors(gm.models.from_graphs(M, M).as_costs()) for M in (path, random))
    assert affords_neighbours(ring, 10.0, 1.0)
    assert not affords_neighbours(full, 10.0, 1.0)
    assert not affords_neighbours(ring, 1e-4, 1.0)
    assert not affords_neighbours(ring, 10.0, 1e-5)
