"""Neighbourhoods of few pairs: large sparse graphs without seeds."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _near
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._near import (
    affords_near,
    most_probable,
    near_labels,
    near_point,
    nearest,
    scale_sparse_sums,
    spread_features,
    stable_features,
    start_near,
    subtract_totals,
)
from gmtoolbox.solvers._neighbours import links_of, scale_sums, squared_distances
from gmtoolbox.solvers._portfolio import Portfolio


def thinned(G, share, seed):
    """(A, B, truth) of a graph and a permuted copy without a share of its edges."""
    n, rng = len(G), np.random.default_rng(seed)
    ends, truth = np.array(G.edges), rng.permutation(n)
    kept = truth[ends[rng.random(len(ends)) >= share]]
    graphs = []
    for i, j in (ends.T, kept.T):
        M = sp.coo_array((np.ones(len(i)), (i, j)), shape=(n, n))
        graphs.append(sp.csr_array(M + M.T))
    return *graphs, truth


SMALL_WORLD = nx.watts_strogatz_graph(1500, 10, 0.1, seed=5)


@pytest.mark.parametrize(
    ("G", "accuracy"),
    [
        (SMALL_WORLD, 0.99),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                (nx.random_geometric_graph(1500, np.sqrt(10 / np.pi / 1500), seed=5), 0.85),
                (nx.barabasi_albert_graph(1500, 5, seed=5), 0.95),
            )
        ),
    ],
)
def test_large_graphs_are_aligned_without_seeds(G, accuracy):
    A, B, truth = thinned(G, 0.05, 5)
    factors = QapFactors(gm.models.from_graphs(A, B).as_costs())
    assert gm.accuracy(near_labels(factors, Budget()), truth) > accuracy


@pytest.mark.parametrize("is_reversed", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_part_of_a_graph_is_found_in_the_whole(is_reversed):
    A, B, truth = thinned(nx.gnp_random_graph(800, 0.02, seed=3), 0.05, 3)
    part = B[:600, :600]
    place = np.argsort(truth)[:600]  # in A of the nodes of the part
    graphs = (A, part) if is_reversed else (part, A)
    factors = QapFactors(gm.models.from_graphs(*graphs).as_costs())
    labels = near_labels(factors, Budget())
    found = labels[place] == np.arange(600) if is_reversed else labels == place
    assert found.mean() > 0.9


def test_auto_proves_a_small_world_by_this_start():
    A, B, truth = thinned(SMALL_WORLD, 0.05, 6)
    r = gm.gm_solve(gm.models.from_graphs(A, B), time_limit=60)
    assert r.status == "optimal"
    assert gm.accuracy(r.labels, truth) > 0.99
    names = [name for name, *_ in r.extra["ran"]]
    assert "near pairs + faq" in names
    assert "faq" not in names  # no spectra


@pytest.mark.long
def test_graphs_on_which_spectra_take_less_time_begin_with_those(monkeypatch):
    A, B, _ = thinned(nx.gnp_random_graph(1500, 0.05, seed=3), 0.05, 3)
    state = Portfolio(gm.models.from_graphs(A, B).as_costs(), Budget())
    start_near(state, 8.0)
    assert not state.ran
    monkeypatch.setattr(_near, "SPECTRA", 1e9)
    start_near(state, 8.0)
    assert [name for name, *_ in state.ran] == ["near pairs + faq"]


def test_features_count_by_how_stable_they_are():
    A, B, truth = thinned(SMALL_WORLD, 0.05, 7)
    A, B = links_of(A), links_of(B)
    F, G = stable_features(A, B, np.random.default_rng(0))
    rows, columns, _ = nearest(F, G, 20)
    plain = squared_distances(spread_features(A), spread_features(B))
    rank = (plain < plain[np.arange(len(truth)), truth][:, None]).sum(axis=1)
    assert np.mean(columns.reshape(-1, 20) == truth[:, None]) * 20 > 2.0 * np.mean(rank < 20)


@pytest.mark.parametrize("links", [0, 1, 3])
def test_features_are_finite_if_no_link_is_removed(links):
    i = np.arange(links)
    M = sp.csr_array((np.ones(links), (i, i + 1)), shape=(200, 200))
    factors = QapFactors(gm.models.from_graphs(M, M).as_costs())
    A = links_of(factors.A)
    for M in stable_features(A, A, np.random.default_rng(0)):
        assert np.isfinite(M).all()
    assert len(set(near_labels(factors, Budget()))) == 200


def test_evidence_of_costs_decides():
    ring = nx.to_scipy_sparse_array(nx.cycle_graph(40), dtype=float)
    similarity = np.zeros((40, 40))
    similarity[0, 7] = similarity[1, 8] = 3.0
    problem = gm.models.from_graphs(ring, ring, similarity=similarity).as_costs()
    P = near_point(QapFactors(problem), Budget())
    assert list(most_probable(P)[:4]) == [7, 8, 9, 10]


def test_sums_are_those_of_full_tables():
    rng = np.random.default_rng(0)
    for shape in ((6, 6), (4, 7), (7, 4)):
        E = rng.random(shape, dtype=np.float32) ** 4
        assert np.allclose(scale_sparse_sums(sp.csr_array(E)).toarray(), scale_sums(E.copy()))


def test_totals_of_groups_some_of_which_are_empty():
    values = np.array([0.0, 0.0, 700.0, -700.0])
    left = subtract_totals(values, np.array([0, 2, 2, 4, 4]))
    assert np.allclose(left[:3], [-np.log(2), -np.log(2), 0.0])
    assert np.isclose(left[3], -1400.0)
    assert len(subtract_totals(np.empty(0), np.array([0, 0]))) == 0


def test_dense_graphs_many_costs_and_short_limits_are_left_to_others():
    rng = np.random.default_rng(0)
    ring, full = sp.csr_array(sp.eye_array(100, k=1)), rng.random((100, 100))
    make = lambda M, **more: QapFactors(gm.models.from_graphs(M, M, **more).as_costs())
    assert affords_near(make(ring), 10.0, 1.0)
    assert not affords_near(make(ring, similarity=full), 10.0, 1.0)
    assert not affords_near(make(full), 10.0, 1.0)
    assert not affords_near(make(ring), 1e-5, 1.0)
    assert not affords_near(make(ring), 10.0, 1e-5)
