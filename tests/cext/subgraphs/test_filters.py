"""filters: bounds hold on graphs of all kinds, and are sharp where they should be."""

import networkx as nx
import numpy as np
import pytest
from repetition import times
from subgraph_reference import random_graph, seeded

import gmtoolbox as gm
from gmtoolbox.core.graph import Graph
from gmtoolbox.subgraphs.filters import GraphCollection, filter_of


def as_graph(G):
    """A Graph of a networkx one, compared by its labels."""
    edges = list(G.edges)
    labelled = lambda data: {"label": data.get("label")}
    return Graph(
        list(G),
        [edge[:2] for edge in edges],
        [labelled(G.nodes[u]) for u in G],
        [labelled(G.edges[edge]) for edge in edges],
        G.is_directed(),
        node_label=("label",),
        edge_label=("label",),
    )


def drawn(seed, count, most):
    rng = seeded(seed)
    how = dict(
        p=float(rng.choice([0.3, 0.6])),
        directed=bool(rng.integers(2)),
        loops=bool(rng.integers(2)),
        multi=bool(rng.random() < 0.3),
        labels=int(rng.choice([0, 2, 3])),
        kinds=int(rng.choice([0, 2])),
    )
    graphs = [random_graph(rng, int(rng.integers(most + 1)), **how) for _ in range(count)]
    return [as_graph(G) for G in graphs], rng


def asked(query, graphs):
    collection = GraphCollection(graphs)
    return filter_of(GraphCollection([query]).graphs[0], collection)


@pytest.mark.parametrize("seed", range(times(25)))
def test_edit_bounds_hold(seed):
    (query, *graphs), rng = drawn(seed, 7, 5)
    scale = [(1, 1, 1, 1), (1, 0, 1, 0), (4, 2, 1, 1), (0.3, 0.9, 0.7, 0.1)][seed % 4]
    bounds = asked(query, graphs).edit_bounds(scale)
    for graph, bound in zip(graphs, bounds, strict=True):
        distance = gm.graph_edit_distance(query, graph, costs=scale).distance
        assert bound <= distance + 1e-9
    early = asked(query, graphs).edit_bounds(scale, limit=float(np.median(bounds)))
    assert np.array_equal(early[early <= np.median(bounds)], bounds[bounds <= np.median(bounds)])
    assert asked(query, [query]).edit_bounds(scale) == [0.0]


def test_branches_see_more_than_labels():
    star, path = as_graph(nx.star_graph(4)), as_graph(nx.path_graph(5))
    assert asked(star, [path]).edit_bounds((1, 1, 1, 1)) == [2.0]  # degrees 4 1 1 1 1, 2 2 2 1 1
    inf = float("inf")
    one, other = (Graph("a", [], [{"label": k}], node_label=("label",)) for k in (0, 1))
    assert asked(one, [other]).edit_bounds((1, inf, 1, 1)) == [2.0]
    assert asked(one, [other]).edit_bounds((0, 0, 0, 0)) == [0.0]


@pytest.mark.parametrize("seed", range(times(25)))
def test_common_and_contained_bounds_hold(seed):
    (query, *graphs), _ = drawn(100 + seed, 7, 4)
    known = asked(query, graphs)
    most, may = known.most_common(), known.may_contain()
    for k, graph in enumerate(graphs):
        assert gm.maximum_common_subgraph(query, graph).value <= most[k]
        assert may[k] or not gm.count_subgraphs(query, graph, limit=1)
    assert asked(query, [query]).most_common() == [len(query.edges)]
    assert asked(query, [query]).may_contain().all()


def test_contained_filter_compares_degrees_by_label():
    star, cycle = as_graph(nx.star_graph(3)), as_graph(nx.cycle_graph(6))
    assert asked(star, [cycle, star]).may_contain().tolist() == [False, True]


def test_many_graphs_are_asked_in_portions():
    graphs = [as_graph(nx.path_graph(n % 7)) for n in range(1203)]
    bounds = asked(graphs[3], graphs).edit_bounds((1, 1, 1, 1))
    assert bounds.tolist() == [2.0 * abs(3 - n % 7) - (n % 7 == 0) for n in range(1203)]
