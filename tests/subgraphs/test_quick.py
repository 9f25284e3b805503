"""Numbers of large graphs are those of NumberedGraph."""

import copy
import pickle

import networkx as nx
import numpy as np
import pytest
from named_case import named_case
from subgraph_reference import by_label, random_graph, seeded

import gmtoolbox as gm
from gmtoolbox.core._ffi import write_keys
from gmtoolbox.models.attribute_numbers import Numbering, number_plain
from gmtoolbox.models.edit_costs import NumberedGraph, as_one_kind
from gmtoolbox.subgraphs.labelled import match_costs, pair_by_nodes
from gmtoolbox.subgraphs.quick import (
    CACHE_KEY,
    Ends,
    NumberedPair,
    QuickGraph,
    number_pair,
)

same = by_label(lambda a, b: a == b)


def slow_pair(G, H, node_match, edge_match):
    costs = match_costs(node_match, edge_match)
    graphs = as_one_kind((G, H), ("G1", "G2").__getitem__)
    return NumberedPair(costs, *(NumberedGraph(g, costs) for g in graphs))


def described(pair):
    """What fits what, by position: the same for any numbering."""
    first, second = pair.first, pair.second
    edges = [
        {(u, v) if pair.directed else (min(u, v), max(u, v)): k for u, v, k in
         zip(g.tail.tolist(), g.head.tolist(), g.kind.tolist(), strict=True)}
        for g in (first, second)
    ]  # fmt: skip
    nodes = pair.types_fit[first.type][:, second.type].tolist()
    kinds = {
        (e, f): bool(pair.kinds_fit[k, m]) for e, k in edges[0].items() for f, m in edges[1].items()
    }
    return nodes, kinds


def test_pairs_are_those_of_numbered_graphs():
    for seed in range(40):
        rng = seeded(seed)
        kind = dict(directed=bool(seed % 2), loops=bool(seed // 2 % 2), labels=2, kinds=2)
        G, H = (random_graph(rng, int(rng.integers(0, 6)), 0.4, **kind) for _ in range(2))
        for given in ((None, None), (same, None), (None, same), (same, same)):
            quick = number_pair(match_costs(*given), G, H)
            is_plain = given == (None, None) and not any(map(nx.number_of_selfloops, (G, H)))
            assert type(quick.first) is type(quick.second) is (Ends if is_plain else QuickGraph)
            assert described(pair_by_nodes(quick)) == described(
                pair_by_nodes(slow_pair(G, H, *given))
            )


def test_multigraphs_and_matrices_take_the_other_way():
    M = nx.MultiGraph([(0, 1), (0, 1)])
    pair = number_pair(match_costs(None, None), M, np.array([[0, 1], [1, 0]]))
    assert isinstance(pair.first, NumberedGraph) and not pair.labelled and not pair.has_pattern


def test_values_that_are_equal_but_of_another_type_have_other_numbers():
    numbering = Numbering()
    data = [{"a": 1}, {"a": 1.0}, {"a": True}, {"a": 1}]
    assert number_plain(data, numbering) == [0, 1, 2, 0]
    assert number_plain([{"a": 1}, {"a": 2}, {"a": 1}], numbering) == [0, 3, 0]
    assert numbering.content == [{"a": 1}, {"a": 1.0}, {"a": True}, {"a": 2}]


def test_subgraph_views():
    G = nx.complete_graph(6)
    view = G.subgraph([1, 3, 5])
    pair = number_pair(match_costs(None, None), view, G)
    assert pair.first.nodes == [1, 3, 5] and len(pair.first.tail) == 3


def test_names_that_are_positions_and_others():
    costs = match_costs(None, None)
    edges = [(0, 1), (1, 2), (2, 0), (2, 3)]
    names = ([0, 1, 2, 3], [3, 2, 1, 0], [0.0, 1, 2, 3], [False, True, 2, 3], list("abcd"), "abdc")
    for new in names:
        G = nx.Graph([(new[u], new[v]) for u, v in edges])
        graph = QuickGraph(G, costs)
        ends = zip(graph.tail.tolist(), graph.head.tolist(), strict=True)
        found = {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in ends}
        assert found == {frozenset(edge) for edge in G.edges} and graph.nodes == list(G)


LABELS = [1, np.int64(1), True, 1.0, "1", np.str_("1"), None, np.nan, 0.1, (1, 2), [1, 2],
          np.array([1, 2]), {"a": 1}]  # fmt: skip


@pytest.mark.parametrize("one", LABELS, ids=repr)
def test_all_functions_agree_on_which_labels_are_equal(one):
    """Labels of other types, and those without a hash: what edits take for equal is contained."""
    named = dict(node_label=("label",), edge_label=())
    for other in LABELS:
        with named_case(other):
            G, H = (
                gm.Graph([0, 1], [(0, 1)], [{"label": x}] * 2, [{}], **named) for x in (one, other)
            )
            is_equal = gm.graph_edit_distance(G, H).value == 0
            assert gm.is_isomorphic(G, H) == is_equal
            assert gm.count_subgraphs(G, H) == 2 * is_equal
            assert len(gm.search(G, [H], measure="contained")) == is_equal
            assert gm.search(G, [H], k=1).hits[0].distance == 2 * (not is_equal)
            assert gm.maximum_common_subgraph(G, H).value == is_equal


def test_labels_of_other_names_are_refused_by_all():
    graphs = [
        gm.Graph([0, 1], [(0, 1)], [{name: 1}] * 2, [{}], node_label=(name,), edge_label=())
        for name in "xy"
    ]
    for compare in (gm.graph_edit_distance, gm.is_isomorphic, gm.count_subgraphs):
        with pytest.raises(gm.InputError, match="must label their nodes by the same attribute"):
            compare(*graphs)


def test_changes_of_a_graph_are_seen():
    """Ends are stored in the cache of networkx until nodes or edges change."""
    G, path = nx.path_graph(4), nx.path_graph(3)
    assert gm.count_subgraphs(path, G) == 4 and CACHE_KEY in G.__networkx_cache__
    assert gm.count_subgraphs(path, G) == 4
    G.add_edge(3, 0)
    assert gm.count_subgraphs(path, G) == 8
    G.remove_node(0)
    assert gm.count_subgraphs(path, G) == 2
    nx.set_node_attributes(G, {1: 0, 2: 1, 3: 0}, "label")
    nx.set_node_attributes(path, 0, "label")
    assert gm.count_subgraphs(path, G, node_match=same) == 0
    G.nodes[2]["label"] = 0
    assert gm.count_subgraphs(path, G, node_match=same) == 2


def test_graphs_that_were_asked_can_be_copied():
    """The cache of networkx is copied with the graph; C pointers of it are not."""
    G, path = nx.path_graph(4), nx.path_graph(3)
    assert gm.count_subgraphs(path, G) == 4
    for made in (copy.deepcopy(G), pickle.loads(pickle.dumps(G)), G.copy()):
        assert gm.count_subgraphs(path, made) == 4
        made.add_edge(3, 0)
        assert gm.count_subgraphs(path, made) == 8 and gm.count_subgraphs(path, G) == 4


def test_views_and_graphs_without_cache_are_read_each_time():
    G, path = nx.path_graph(5), nx.path_graph(3)
    view = nx.subgraph_view(G, filter_node=lambda u: u != 0)
    assert gm.count_subgraphs(path, view) == 4
    G.remove_edge(3, 4)
    assert gm.count_subgraphs(path, view) == 2
    with nx.config(cache_converted_graphs=False):
        assert gm.count_subgraphs(path, G) == 4 and CACHE_KEY not in G.__networkx_cache__


def test_keys_are_those_of_dicts_or_left_to_the_slow_way():
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(1, 40))
        dicts = [dict.fromkeys(rng.integers(0, n, rng.integers(0, 9)).tolist()) for _ in range(n)]
        keys = [key for one in dicts for key in one]
        made = np.full(len(keys), -1, np.int32)
        assert write_keys(dicts, made) and made.tolist() == keys
        assert not write_keys(dicts, np.empty(len(keys) + 1, np.int32))
        if keys:
            assert not write_keys(dicts, np.empty(len(keys) - 1, np.int32))
    for key in (-1, 1, 2**31, 2**70, -(2**70), True, 0.0, "0", np.int64(0)):
        assert not write_keys([{key: None}], np.empty(1, np.int32))
    for dicts in ([[0]], [nx.Graph([(0, 1)])[0]], [None]):
        assert not write_keys(dicts, np.empty(1, np.int32))
    for wrong in (((), np.empty(1, np.int32)), ([{}],), ([{}], 3), ([{}], b"abcd")):
        with pytest.raises((TypeError, BufferError)):
            write_keys(*wrong)


def test_neighbours_that_are_equal_to_their_names_but_of_another_type():
    G = nx.Graph()
    G.add_nodes_from(range(4))
    G.add_edges_from([(0, True), (True, 2.0), (2, 3)])  # edges keep these keys
    assert set(map(type, G)) == {int} and {type(v) for u in G for v in G[u]} == {bool, float, int}
    ends = Ends.read(G)
    edges = zip(ends.tail.tolist(), ends.head.tolist(), strict=True)
    assert {tuple(sorted(edge)) for edge in edges} == {(0, 1), (1, 2), (2, 3)}
