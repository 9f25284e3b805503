"""Searches for small graphs: the distances of exhaustive search and of matching, and their maps."""

import math

import networkx as nx
import numpy as np
import pytest
from edit_reference import KINDS, brute_force, cost_of_path, random_costs, random_graph

import gmtoolbox as gm
from gmtoolbox.editing import small
from gmtoolbox.editing.small import (
    SmallPair,
    by_common_edges,
    count_apart,
    is_unlabelled,
    match_all,
    number_labels,
    search_distance,
)
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

same = lambda a, b: a["label"] == b["label"]
SCALES = [(1, 1, 1, 1), (1, 0, 1, 0), (4, 2, 1, 1), (0.5, 1, 0.25, 2), (0, 0, 1, 1), (2, 1, 0, 0)]


def random_model(seed, most):
    """Two graphs, the functions of a scale or other costs, and their EditModel, from a seed."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % 4]
    G, H = (random_graph(rng, kind, most) for _ in range(2))
    given = random_costs(rng)
    if seed % 3:
        node, relabel, edge, edge_relabel = SCALES[seed % len(SCALES)]
        given = dict(
            node_subst_cost=lambda a, b: 0.0 if same(a, b) else relabel,
            edge_subst_cost=lambda a, b: 0.0 if same(a, b) else edge_relabel,
            **{f"node_{verb}_cost": lambda a: node for verb in ("del", "ins")},
            **{f"edge_{verb}_cost": lambda a: edge for verb in ("del", "ins")},
        )
    return G, H, given, EditModel.of(EditCosts(**given), G, H)


def check(seeds, most):
    """Return how many distances the searches decide."""
    decided = [0, 0]
    for seed in seeds:
        G, H, given, model = random_model(seed, most)
        distance = brute_force(G, H, **given)
        found = search_distance(model)
        if found is not None:
            decided[0] += 1
            assert found[0] == distance, seed
            nodes, edges, cost = model.path(found[3])
            assert cost == cost_of_path(G, H, nodes, edges, **given) == distance, seed
            excess, bound, cost, labels = search_distance(model, 0.5 * distance)
            assert excess == math.inf or distance == 0.0, seed
            assert bound <= distance, seed
            assert labels is None or distance <= cost == model.path(labels)[2], seed
            assert search_distance(model, distance)[0] == distance, seed
        found = by_common_edges(model, None, 0)
        if found is not None:
            decided[1] += 1
            labels, bound, _ = found
            assert bound == model.path(labels)[2] == distance, seed
    return decided


def test_distances_are_those_of_exhaustive_search():
    by_search, by_edges = check(range(300), 4)
    assert by_search > 60 and by_edges > 3


@pytest.mark.slow
@pytest.mark.parametrize("portion", range(10))
def test_many_distances_are_those_of_exhaustive_search(portion):
    check(range(10_000 + portion * 300, 10_000 + portion * 300 + 300), 5)


@pytest.mark.parametrize("seed", range(8))
def test_distances_are_those_of_matching(seed):
    """Graphs of different sizes, of which either may be the smaller one."""
    G = nx.gnm_random_graph(8 + seed % 3, 11, seed=seed, directed=seed % 2 == 1)
    H = nx.gnm_random_graph(9, 12, seed=seed + 50, directed=seed % 2 == 1)
    for graph in (G, H):
        nx.set_node_attributes(graph, {u: u % 3 for u in graph}, "label")
    given = dict(node_match=same) if seed < 4 else {}
    by_matching = gm.graph_edit_distance(G, H, method="aj", **given)
    model = EditModel.of(EditCosts(**given), G, H)
    assert search_distance(model)[0] == by_matching.distance
    if seed >= 4:
        labels, bound, _ = by_common_edges(model, None, 0)
        assert bound == model.path(labels)[2] == by_matching.distance


@pytest.mark.parametrize("sizes", [(24, 18), (20, 22), (17, 17)])
def test_larger_graphs_are_searched_for_a_short_time(sizes, monkeypatch):
    """Trees with a ring, of which some take too long."""
    graphs = []
    for k, n in enumerate((*sizes, *sizes)):
        G = nx.random_labeled_tree(n, seed=k)
        G.add_edge(0, n - 1)
        nx.set_node_attributes(G, {u: u % 5 for u in G}, "label")
        graphs.append(G)
    found = gm.edit_distances(graphs, node_match=same, symmetric=False)
    for i, G in enumerate(graphs):
        for j, H in enumerate(graphs):
            right = gm.graph_edit_distance(G, H, node_match=same, method="aj").distance
            model = EditModel.of(EditCosts(node_match=same), G, H)
            searched = search_distance(model)
            assert found.values[i, j] == right and found.proven[i, j]
            assert searched is None or searched[0] == model.path(searched[3])[2] == right
    monkeypatch.setattr(small, "SHORT_WORK", 0)
    assert not is_searched(graphs[0], graphs[1], node_match=same)
    assert small.is_small(22, 20) and not small.is_small(22, 21)


def test_graphs_that_take_the_search_to_its_limit(monkeypatch):
    G, H = (nx.gnm_random_graph(10, 16, seed=k) for k in (1, 2))
    model = EditModel.of(EditCosts(), G, H)
    distance = search_distance(model)[0]
    for work in (3000, 1000, 100, 0):
        monkeypatch.setattr(small, "DENSE_WORK", work)
        found = search_distance(model)
        assert found is None or found[0] == distance
    assert search_distance(model) is None
    monkeypatch.undo()
    assert search_distance(model, seconds=0.0) is None
    monkeypatch.setattr(small, "DENSE_WORK", 0)
    assert gm.graph_edit_distance(G, H).distance == distance


def test_larger_graphs_without_labels_are_compared_by_their_edges(monkeypatch):
    G, H = (nx.gnm_random_graph(13, 16, seed=k) for k in (1, 2))
    G.nodes[0]["label"] = "C"
    assert not is_searched(G, H) and is_searched(G, H, node_match=lambda a, b: a == b)
    distance = gm.graph_edit_distance(G, H).distance
    assert gm.edit_distances([G], [H]).values[0, 0] == distance
    monkeypatch.setattr(small, "MOST_ALIKE", 13)
    assert search_distance(EditModel.of(EditCosts(), G, H))[0] == distance


def is_searched(G, H, **given):
    return search_distance(EditModel.of(EditCosts(**given), G, H)) is not None


def test_what_the_search_does_not_take():
    path = nx.path_graph(3)
    assert is_searched(path, path) and is_searched(path, nx.cycle_graph(4), costs="chem1")
    assert not is_searched(path, nx.path_graph(small.MOST_NODES + 1))
    assert not is_searched(path, nx.Graph())
    assert not is_searched(nx.MultiGraph(path), nx.MultiGraph([(0, 1), (0, 1)]))
    assert not is_searched(path, path, costs=(0.3, 0.5, 0.2, 0.7))  # sums are rounded
    assert not is_searched(path, path, costs=(0, 0, 0, 0))
    nx.set_node_attributes(path, {0: 0, 1: 1, 2: 2}, "x")
    far = lambda a, b: float(abs(a["x"] - b["x"]))
    assert not is_searched(path, path, node_subst_cost=far)  # three different costs
    near = lambda a, b: abs(a["x"] - b["x"]) <= 1  # 0 and 1, 1 and 2, but not 0 and 2
    assert not is_searched(path, path, node_match=near)
    assert not is_searched(path, path, node_del_cost=lambda a: 2.0)  # insertions cost 1
    never = lambda a, b: 0.0 if a == b else math.inf
    assert not is_searched(path, path, node_subst_cost=never)
    assert not is_searched(path, path, costs=(1, 3, 1, 1), node_match=lambda a, b: a == b)
    rooted = EditModel.of(EditCosts(), path, path, roots=(0, 1))
    assert search_distance(rooted) is None and not is_unlabelled(rooted)


def test_which_graphs_are_unlabelled():
    path, ring = nx.path_graph(4), nx.cycle_graph(5)
    asked = lambda G, H, **given: is_unlabelled(EditModel.of(EditCosts(**given), G, H))
    assert asked(path, ring) and asked(path, ring, costs=(4, 2, 1, 1))
    assert asked(path, ring, node_match=lambda a, b: True)
    assert not asked(path, ring, node_match=lambda a, b: False)
    assert not asked(path, ring, edge_subst_cost=lambda a, b: 0.5)
    assert not asked(path, nx.Graph([(0, 0), (0, 1)]))
    assert not asked(path, nx.empty_graph(3))
    assert not asked(path, ring, costs=(0.1, 0.1, 0.1, 0.1))  # sums are rounded
    nx.set_node_attributes(path, {0: "C", 1: "N", 2: "C", 3: "C"}, "label")
    nx.set_node_attributes(ring, "C", "label")
    assert asked(path, ring) and not asked(path, ring, node_match=same)


def test_counts_of_labels_are_a_bound():
    assert count_apart([0, 0, 1, 2, 0, 3, 2], 4) == (2, 1)  # one 0 and the 1; the 3
    assert count_apart([0, 0, 0], 1) == (0, 1)
    path, ring = nx.path_graph(4), nx.cycle_graph(6)
    nx.set_node_attributes(path, dict(enumerate("CNOF")), "label")
    nx.set_node_attributes(ring, "C", "label")

    def bound(costs):
        model = EditModel.of(EditCosts(node_match=same, costs=costs), path, ring)
        return SmallPair.of(model).count_bound()

    assert bound("unit") == 3 + 2 + 3  # three other labels, two nodes and three edges more
    assert bound((1, 9, 2, 1)) == 3 * 2 + 2 + 6  # to delete and insert costs less than to relabel
    assert bound((0.1, 0.1, 1, 1)) == 0.0  # its sum is rounded
    for costs in ("unit", (1, 9, 2, 1)):
        least = gm.graph_edit_distance(path, ring, node_match=same, costs=costs).distance
        assert bound(costs) <= least
        far = gm.graph_edit_distance(path, ring, node_match=same, costs=costs, upper_bound=7)
        assert far.exceeds and far.bound <= least <= far.value


def test_a_later_path_has_the_attributes_of_the_call():
    for n, label in ((12, "C"), (4, "N")):  # sizes decide; counts of labels do
        path, other = nx.path_graph(3), nx.path_graph(n)
        nx.set_node_attributes(path, "C", "label")
        nx.set_node_attributes(other, label, "label")
        nx.set_edge_attributes(path, "-", "label")
        nx.set_edge_attributes(other, "-", "label")
        given = path, other, same, same
        first, second = (gm.graph_edit_distance(*given, upper_bound=2) for _ in range(2))
        assert "value" not in vars(second)
        expected = first.value, first.node_path, first.edge_path
        nx.set_node_attributes(path, "X", "label")
        nx.set_edge_attributes(path, "=", "label")
        assert (second.value, second.node_path, second.edge_path) == expected


def test_labels_by_numbers():
    def numbered(ours, theirs, cost, most=math.inf):
        return number_labels(ours, theirs, lambda a: [cost(a, b) for b in theirs], most)

    equal = lambda a, b: 0.0 if a % 3 == b % 3 else 2.0
    ours, theirs, cost = numbered([0, 1, 3], [6, 4, 8], equal)
    assert ours[0] == ours[3] == theirs[6] and ours[1] == theirs[4] and cost == 2.0
    assert theirs[8] not in ours.values()
    assert numbered([0, 1], [0, 1], lambda a, b: 0.0)[2] == 0.0
    assert numbered([0], [1, 2], lambda a, b: float(b)) is None
    assert numbered([0], [1, 2], lambda a, b: float(b), 1.0)[2] == 1.0
    assert numbered([0, 1], [0, 1], lambda a, b: 0.0 if a * b == 0 else 1.0) is None
    assert numbered([0], [], equal) == ({0: 0}, {}, 0.0)


def test_maps_that_are_completed():
    assert match_all([2, -1, -1], 4).tolist() == [2, 0, 1]
    assert match_all([-1, 0, -1], 2).tolist() == [1, 0, -1]
