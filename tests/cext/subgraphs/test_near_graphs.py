"""gm_edit_distances: distances by exhaustive search and by matching, and which are left open."""

import math

import networkx as nx
import numpy as np
import pytest
from edit_reference import brute_force
from repetition import times
from subgraph_reference import random_graph, seeded

import gmtoolbox as gm
from gmtoolbox.core.graph import Graph
from gmtoolbox.subgraphs import filters
from gmtoolbox.subgraphs.filters import GraphCollection, filter_of

UNIT = (1.0, 1.0, 1.0, 1.0)
SCALES = [UNIT, (1, 0, 1, 0), (4, 2, 1, 1), (0.5, 1, 0.25, 2), (1, 2, 1, math.inf), (0, 0, 1, 1)]


def as_graph(G):
    """A Graph of a networkx one, compared by its labels."""
    edges = list(G.edges)
    data = [
        [{"label": one.get("label")} for one in held]
        for held in (G.nodes.values(), G.edges.values())
    ]
    names = dict(node_label=("label",), edge_label=("label",))
    return Graph(list(G), [edge[:2] for edge in edges], *data, G.is_directed(), **names)


def ask(query, graphs, scale=UNIT, **given):
    kept = GraphCollection([as_graph(G) for G in graphs])
    known = filter_of(GraphCollection([as_graph(query)]).graphs[0], kept)
    return known.edit_distances(scale, range(len(graphs)), **given).tolist()


def costs_of(scale):
    """The functions of a scale for exhaustive search."""
    node, relabel, edge, edge_relabel = scale
    differ = lambda cost: lambda a, b: 0.0 if a.get("label") == b.get("label") else cost
    return dict(
        node_subst_cost=differ(relabel), edge_subst_cost=differ(edge_relabel),
        node_del_cost=lambda a: node, node_ins_cost=lambda a: node,
        edge_del_cost=lambda a: edge, edge_ins_cost=lambda a: edge,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(times(24)))
def test_distances_are_those_of_exhaustive_search(seed):
    rng = seeded(seed)
    how = dict(
        p=float(rng.choice([0.3, 0.6])), directed=bool(seed % 2), loops=bool(rng.integers(2)),
        labels=int(rng.choice([0, 2])), kinds=int(rng.choice([0, 2])),
    )  # fmt: skip
    query, *graphs = (random_graph(rng, int(rng.integers(5)), **how) for _ in range(6))
    scale = SCALES[seed % len(SCALES)]
    right = [brute_force(query, G, **costs_of(scale)) for G in graphs]
    assert ask(query, graphs, scale) == right
    limit = float(np.median(right))
    assert ask(query, graphs, scale, limit=limit) == [x if x <= limit else math.inf for x in right]


@pytest.mark.parametrize("scale", [(1, 1, 2**31 - 2, math.inf), (2**30 - 1, 2**30 - 1, 2, 2)])
def test_costs_whose_sums_need_more_bits_are_left_open(scale):
    """Half an edge costs 2^30 - 1 and its relabelling twice as much: their sum has 32 bits."""
    query, other = nx.path_graph(4), nx.star_graph(3)
    nx.set_edge_attributes(query, 1, "label")
    nx.set_edge_attributes(other, 2, "label")
    assert ask(query, [query, other], scale) == [pytest.approx(math.nan, nan_ok=True)] * 2


@pytest.mark.long
def test_searches_that_are_given_up_leave_nothing_behind(monkeypatch):
    """Rows of costs have room for 16 nodes. The costs of a graph of 16 nodes stay there, and many
    searches among 15 nodes that are given up must not add to them.
    """
    monkeypatch.setattr(filters, "SLICE", 60.0)
    rng = seeded(0)
    query, hard = (random_graph(rng, 15, p=0.3) for _ in range(2))
    star = nx.Graph()
    star.add_nodes_from(range(16))
    star.add_edges_from((15, k) for k in range(15))
    kept = GraphCollection([as_graph(G) for G in (star, hard, query)])
    known = filter_of(GraphCollection([as_graph(query)]).graphs[0], kept)
    scale = (0.0, 0.0, 7001.0, 7000.0)  # all sums fit, but only just
    found = known.edit_distances(scale, [0, *[1] * 40_000, 2], work=4000)
    assert np.isnan(found[1:-1]).all() and found[-1] == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_those_of_matching(seed):
    """Trees with a ring, on which the search has to go deep."""
    graphs = []
    for k in range(4):
        G = nx.random_labeled_tree(9 + k % 2, seed=10 * seed + k)
        G.add_edge(0, 8)
        nx.set_node_attributes(G, {u: (u * (k + 3)) % 3 for u in G}, "label")
        graphs.append(G)
    same = lambda a, b: a["label"] == b["label"]
    by_matching = lambda G: gm.graph_edit_distance(graphs[0], G, node_match=same, method="aj")
    right = [by_matching(G).distance for G in graphs]
    assert ask(graphs[0], graphs) == right


def test_nodes_that_can_be_exchanged_are_tried_once():
    """A star of 40 leaves has 40! maps onto another one."""
    star, other = nx.star_graph(40), nx.star_graph(40)
    other.add_edges_from([(1, 2), (3, 4), (5, 6)])
    assert ask(star, [star, other, nx.star_graph(37)]) == [0.0, 3.0, 6.0]


def test_what_is_left_open():
    is_open = lambda *given, **named: all(map(math.isnan, ask(*given, **named)))
    path, several = nx.path_graph(3), nx.MultiGraph([(0, 1), (0, 1)])
    assert is_open(nx.MultiGraph([(0, 1)]), [several]) and is_open(several, [nx.MultiGraph()])
    assert is_open(path, [nx.path_graph(129)]) and is_open(nx.path_graph(129), [path])
    assert ask(nx.path_graph(128), [nx.path_graph(126)]) == [4.0]
    assert is_open(path, [path], (0.3, 0.5, 0.2, 0.7))  # no sums without rounding
    assert is_open(path, [path], (1, 3, 1, 1))  # nodes are deleted and inserted instead
    assert is_open(path, [path], (0, 0, 0, 0))
    hard = [nx.gnp_random_graph(24, 0.5, seed=s) for s in (1, 2)]
    assert is_open(hard[0], hard[1:], time_limit=1e-5)
    assert ask(nx.Graph(), [nx.Graph(), path]) == [0.0, 5.0]


def test_a_little_work_decides_nothing_wrong(monkeypatch):
    """Whatever the work allowed, an answer is the distance or none."""
    graphs = [nx.gnp_random_graph(8, 0.4, seed=s) for s in range(5)]
    right = ask(graphs[0], graphs)
    opened = 0
    for work in (0, 100, 400, 1000, 3000):
        monkeypatch.setattr(filters, "WORK", work)
        found = ask(graphs[0], graphs)
        opened += sum(map(math.isnan, found))
        assert all(a == b or math.isnan(a) for a, b in zip(found, right, strict=True))
    assert opened > 0 and not any(map(math.isnan, right))


def test_slices_of_time_change_nothing(monkeypatch):
    graphs = [nx.gnp_random_graph(7, 0.4, seed=s) for s in range(30)]
    right = ask(graphs[0], graphs)
    monkeypatch.setattr(filters, "SLICE", 0.0)
    assert ask(graphs[0], graphs) == right
