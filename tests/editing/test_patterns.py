"""Starts for a small graph in a large one: images, costs, time."""

import math

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.editing import patterns
from gmtoolbox.editing.patterns import Beams, EdgeTable, fill_labels, start_pattern
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

same = lambda a, b: a["label"] == b["label"]


def planted(seed, n=300, n_small=10, errors=0, directed=False):
    """Return a pattern and a sparse labelled graph that holds it, but for errors of labels."""
    rng = np.random.default_rng(seed)
    large = nx.barabasi_albert_graph(n, 2, seed=seed)
    if directed:
        arcs = [e if rng.random() < 0.5 else e[::-1] for e in large.edges]
        large = nx.DiGraph(arcs)
    nx.set_node_attributes(large, {u: int(rng.integers(6)) for u in large}, "label")
    around = list(nx.bfs_tree(large.to_undirected(), n // 2))[:n_small]
    small = nx.convert_node_labels_to_integers(large.subgraph(around).copy())
    for u in range(errors):
        small.nodes[n_small - 1 - u]["label"] = 7
    return small, large


@pytest.mark.parametrize("seed, directed", [(0, False), (1, False), (2, True), (3, True)])
def test_planted_patterns(seed, directed, monkeypatch):
    """The distance inserts the rest: no path costs less. Beams find it, too."""
    monkeypatch.setattr(patterns, "first_map", lambda *given: (None, False))
    small, large = planted(seed, directed=directed)
    rest = len(large) - len(small) + large.number_of_edges() - small.number_of_edges()
    for pair in ((small, large), (large, small)):
        model = EditModel.of(EditCosts(node_match=same), *pair)
        labels = start_pattern(model)
        assert model.path(labels)[2] == rest
    monkeypatch.undo()
    r = gm.graph_edit_distance(small, large, node_match=same)
    assert r.distance == rest and r.bound == rest


@pytest.mark.parametrize("seed", range(2))
def test_patterns_with_errors(seed):
    """Two labels that the graph does not have: each costs a relabelling."""
    small, large = planted(seed, errors=2)
    model = EditModel.of(EditCosts(node_match=same), small, large)
    rest = len(large) - len(small) + large.number_of_edges() - small.number_of_edges()
    assert model.path(start_pattern(model))[2] == rest + 2
    free = dict.fromkeys(("node_del_cost", "node_ins_cost", "edge_ins_cost"), lambda data: 0.0)
    model = EditModel.of(EditCosts(node_match=same, **free), small, large, complete=True)
    assert model.path(start_pattern(model))[2] == 2.0  # as find_subgraph asks


def test_which_models_get_a_start():
    small, large = planted(0)
    model = lambda *pair, **rest: EditModel.of(EditCosts(node_match=same), *pair, **rest)
    assert start_pattern(model(large, large)) is None
    assert start_pattern(model(small, large, roots=(0, 0))) is None
    assert start_pattern(model(nx.empty_graph(0), large)) is None
    complete = start_pattern(model(small, large, complete=True))
    assert (complete >= 0).all() and len(set(complete.tolist())) == len(small)
    assert start_pattern(model(large, small, complete=True)) is None


def test_costs_of_beams_are_those_of_the_problem():
    small, large = planted(5)
    nx.set_edge_attributes(large, {e: k % 2 for k, e in enumerate(large.edges)}, "label")
    nx.set_edge_attributes(small, 1, "label")
    model = EditModel.of(EditCosts(node_match=same, edge_match=same), small, large)
    kinds = [graph.distinct["bundle"][0] for graph in (model.first, model.second)]
    gains = np.array([[model.gain(a, b) for b in kinds[1]] for a in kinds[0]])
    tables = [EdgeTable.of(graph) for graph in (model.first, model.second)]
    beams = Beams(*tables, model.unary + model.loops, gains, False)
    for root in range(3):
        cost, labels = beams.grow(root, math.inf)
        assert model.offset + cost == model.path(labels)[2]
        unfinished = beams.grow(root, 0.0)
        assert (unfinished[1] >= 0).sum() <= 1


def test_labels_are_filled():
    unary = np.array([[0.0, 1.0, math.inf], [0.0, 2.0, 1.0], [math.inf, 0.0, 3.0]])
    assert fill_labels(np.array([0, -1, -1]), unary).tolist() == [0, 2, 1]
    unary[1] = math.inf
    assert fill_labels(np.array([0, -1, -1]), unary) is None


def test_costs_that_no_path_pays_do_not_widen_the_tolerance():
    """A deletion costs 1e9 and no node is deleted: the distance is proven in its own digits."""
    rng = np.random.default_rng(5)
    small, large = nx.gnp_random_graph(5, 0.6, seed=5), nx.gnp_random_graph(130, 0.05, seed=5)
    for graph in (small, large):
        nx.set_node_attributes(graph, {u: int(rng.integers(3)) for u in graph}, "label")
    r = gm.graph_edit_distance(
        small, large, time_limit=20,
        node_del_cost=lambda a: 1e9, node_ins_cost=lambda a: 0.5,
        node_subst_cost=lambda a, b: 1.3 * (a["label"] != b["label"]),
        edge_del_cost=lambda a: 1.0, edge_ins_cost=lambda a: 0.1,
    )  # fmt: skip
    assert r.status == "optimal" and r.distance - r.bound < 1e-6
