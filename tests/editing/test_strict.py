"""Distances of 0 and 1 that a search for subgraphs finds, against the matching problem."""

import math

import networkx as nx
import numpy as np
import pytest
from repetition import times
from subgraph_reference import random_graph, seeded

import gmtoolbox as gm
from gmtoolbox.editing.strict import CONTAINED, find_isomorphism, find_pattern
from gmtoolbox.editing.subgraphs import least_error
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

same = lambda a, b: a.get("label") == b.get("label")


def model_of(G, H, roots=None, **costs):
    return EditModel.of(EditCosts(**costs), G, H, roots)


def r_labels(r, H):
    """Positions of the images."""
    return [list(H).index(v) for v in r.mapping.values()]


def test_large_graphs_that_are_the_same():
    G = nx.gnp_random_graph(300, 0.03, seed=1)
    place = np.random.default_rng(2).permutation(300).tolist()
    H = nx.relabel_nodes(G, dict(enumerate(place)))
    r = gm.graph_edit_distance(G, H)
    assert r.distance == 0.0 and r.method == CONTAINED and r.mapping == dict(enumerate(place))
    assert len(r.edge_path) == G.number_of_edges() and r.gap == 0.0
    assert find_isomorphism(model_of(G, H, roots=(0, place[0]))).tolist() == r_labels(r, H)
    assert find_isomorphism(model_of(G, H, roots=(0, place[1]))) is None


def test_graphs_that_only_look_the_same():
    G, H = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    assert find_isomorphism(model_of(G, H)) is None
    assert gm.graph_edit_distance(G, H).distance == 4.0
    assert find_isomorphism(model_of(G, nx.path_graph(6))) is None


def test_labels_count_if_they_cost():
    G, H = nx.path_graph(3), nx.path_graph(3)
    H.nodes[2]["label"] = "x"
    assert find_isomorphism(model_of(G, H)) is not None
    assert find_isomorphism(model_of(G, H, node_match=same)) is None
    assert find_isomorphism(model_of(G, H, node_match=same, costs=(1, 0, 1, 1))) is not None
    r = gm.graph_edit_distance(G, H, node_subst_cost=lambda a, b: 0.5)
    assert r.distance == 1.5


@pytest.mark.parametrize("seed", range(times(30)))
def test_patterns_equal_the_matching_problem(seed):
    rng = seeded(seed, 8)
    kind = dict(directed=bool(seed % 2), loops=bool(seed % 3 == 0), labels=int(rng.integers(3)))
    pattern, G = (random_graph(rng, n, 0.45, **kind) for n in (4, 6))
    roots = (0, 1) if seed % 5 == 0 else None
    given = dict(node_match=same, roots=roots)
    ours, theirs = (gm.find_subgraph(pattern, G, method=m, **given) for m in ("auto", "aj"))
    assert ours.distance == theirs.distance and ours.proven
    assert roots is None or ours.mapping[0] == 1


def test_one_edge_less():
    r = gm.find_subgraph(nx.cycle_graph(9), nx.grid_2d_graph(8, 8))
    assert r.distance == 1.0 and r.method == CONTAINED
    assert sum(f is None for _, f in r.edge_path) == 1
    assert r.bound == 1.0 and len(r.mapping) == 9


def test_costs_for_which_leaving_out_an_edge_is_not_the_cheapest_error():
    assert least_error(EditCosts()) == 1.0
    assert least_error(EditCosts(costs=(1, 0.5, 1, 1))) == 0.0
    assert least_error(EditCosts(edge_del_cost=lambda a: 2.0)) == 0.0
    assert least_error(EditCosts(node_subst_cost=lambda a, b: 2.0)) == 0.0
    assert least_error(EditCosts(costs=(1, math.inf, 2.0, 2.0))) == 2.0
    G = nx.Graph([(0, 1)])
    pattern = nx.Graph([(0, 1)])
    pattern.nodes[0]["label"] = "x"
    r = gm.find_subgraph(pattern, G, node_match=same, costs=(1, 0.5, 1, 1))
    assert r.distance == 0.5


def test_no_time_for_the_search_leaves_the_question_open():
    P, G = nx.gnp_random_graph(30, 0.5, seed=1), nx.gnp_random_graph(90, 0.5, seed=2)
    model = EditModel.of(EditCosts(), P, G, complete=True)
    assert find_pattern(model, 1.0, seconds=0.02) == (None, 0.0)
