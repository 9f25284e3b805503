"""Matrices of small graphs, decided in C: the distances of exhaustive search."""

import math

import networkx as nx
import numpy as np
import pytest
from edit_reference import KINDS, brute_force, random_graph

import gmtoolbox as gm
from gmtoolbox.editing.small_pairs import SmallPairs
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph, as_one_kind

same = lambda a, b: a["label"] == b["label"]
SCALES = [(1, 1, 1, 1), (1, 0, 1, 0), (4, 2, 1, 1), (0.5, 1, 0.25, 2), (0, 0, 1, 1), (2, 1, 0, 0)]
SCALES += [(1, 5, 1, 1), (0.1, 0.1, 0.3, 0.2), (1, math.inf, 1, 1)]


def costs_of(scale):
    """Return the cost functions of a scale; labels of nodes and edges are compared."""
    node, relabel, edge, edge_relabel = scale
    return dict(
        node_subst_cost=lambda a, b: 0.0 if same(a, b) else relabel,
        edge_subst_cost=lambda a, b: 0.0 if same(a, b) else edge_relabel,
        **{f"node_{verb}_cost": lambda a: node for verb in ("del", "ins")},
        **{f"edge_{verb}_cost": lambda a: edge for verb in ("del", "ins")},
    )


def small_pairs(rows, columns, **given):
    """Return the SmallPairs of networkx graphs, and the numbered graphs."""
    functions = EditCosts(**given)
    numbered = [NumberedGraph(g, functions) for g in as_one_kind([*rows, *columns], str)]
    rows, columns = numbered[: len(rows)], numbered[len(rows) :]
    return SmallPairs.of(functions, rows, columns), rows, columns


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS[:2])
def test_distances_are_those_of_exhaustive_search(scale, kind):
    rng = np.random.default_rng(SCALES.index(scale))
    rows, columns = ([random_graph(rng, kind, 4) for _ in range(4)] for _ in range(2))
    given = costs_of(scale)
    truth = np.array([[brute_force(G, H, **given) for H in columns] for G in rows])
    D = gm.edit_distances(rows, columns, **given)
    assert D.proven.all() and np.allclose(D.values, truth, rtol=1e-12, atol=1e-12)
    for limit in (0.0, float(np.median(truth)), 2.0):
        D = gm.edit_distances(rows, columns, upper_bound=limit, **given)
        near = truth <= limit + 1e-9
        assert D.proven.all() and np.array_equal(np.isfinite(D.values), near)
        assert np.allclose(D.values[near], truth[near])
        assert np.all(D.bounds <= truth + 1e-9) and np.all(D.bounds[~near] > limit)


def test_costs_of_four_numbers_are_decided_in_c():
    graphs = [nx.gnm_random_graph(n, n, seed=n) for n in range(4, 9)]
    for graph in graphs:
        nx.set_node_attributes(graph, {u: u % 2 for u in graph}, "label")
    pairs = [(i, j) for i in range(5) for j in range(5)]
    small, rows, columns = small_pairs(graphs, graphs, node_match=same)
    found = small.decide(rows, columns, pairs, None, None, lambda: False)
    assert set(found) == set(pairs) and small.scale == (1.0, 1.0, 1.0, 0.0)
    assert small.decide(rows, columns, pairs, None, None, lambda: True) == {}
    for pair, (value, bound) in found.items():
        i, j = pair
        alone = gm.graph_edit_distance(graphs[i], graphs[j], node_match=same)
        assert value == bound == alone.distance


def test_matches_that_are_not_equality():
    """A node that does not match itself; a node that matches everything is left to matching."""
    graphs = [nx.path_graph(n) for n in (2, 3, 4)]
    never = lambda a, b: False
    small, _, _ = small_pairs(graphs, graphs, node_match=never)
    assert small is not None and small.types[0] != small.types[1]
    assert gm.edit_distances(graphs, graphs, node_match=never).values[0, 0] == 2.0
    for graph in graphs:
        nx.set_node_attributes(graph, {u: min(u, 2) for u in graph}, "label")
    near = lambda a, b: abs(a["label"] - b["label"]) < 2
    assert small_pairs(graphs, graphs, node_match=near)[0] is None


def test_what_is_left_to_matching():
    graphs = [nx.path_graph(n) for n in (2, 3, 4)]
    assert small_pairs(graphs, graphs)[0] is not None
    assert small_pairs(graphs, graphs, node_del_cost=lambda a: 2.0)[0] is None
    assert small_pairs([nx.MultiGraph([(0, 1), (0, 1)])], graphs)[0] is None
    for graph in graphs:
        nx.set_node_attributes(graph, {u: u * len(graph) for u in graph}, "place")
    apart = lambda a, b: abs(a["place"] - b["place"])
    assert small_pairs(graphs, graphs, node_subst_cost=apart)[0] is None
    many = [nx.empty_graph(101)]
    nx.set_node_attributes(many[0], {u: u for u in many[0]}, "label")
    assert small_pairs(many, many, node_match=same)[0] is None


def test_empty_and_larger_graphs():
    graphs = [nx.empty_graph(0), nx.path_graph(3), nx.path_graph(17), nx.cycle_graph(17)]
    small, rows, columns = small_pairs(graphs, graphs)
    pairs = [(i, j) for i in range(4) for j in range(4)]
    assert set(small.decide(rows, columns, pairs, None, None, lambda: False)) == {(1, 1)}
    found = small.decide(rows, columns, pairs, 1.0, None, lambda: False)
    assert found[2, 3] == (1.0, 1.0) and found[1, 2][0] == math.inf
    assert not any(0 in pair for pair in found)
    D = gm.edit_distances(graphs, upper_bound=1)
    assert D.proven.all() and D.values[0, 1] == math.inf and D.values[2, 3] == 1.0


def test_processes_do_not_change_the_answer():
    graphs = [nx.gnm_random_graph(6, 7, seed=k) for k in range(16)]
    alone = gm.edit_distances(graphs, upper_bound=4)
    both = gm.edit_distances(graphs, upper_bound=4, n_jobs=2)
    assert np.array_equal(alone.values, both.values) and np.array_equal(alone.bounds, both.bounds)
