"""Graphs of other packages: the same answers as for networkx, everywhere."""

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.models.foreign import as_networkx, read_foreign


class Data:
    """What PyTorch Geometric's Data has, with arrays instead of tensors."""

    def __init__(self, edge_index, num_nodes, x=None, edge_attr=None):
        self.edge_index, self.num_nodes = np.array(edge_index), num_nodes
        self.x, self.edge_attr = x, edge_attr


def to_igraph(G):
    igraph = pytest.importorskip("igraph")
    made = igraph.Graph(len(G), list(G.edges), directed=G.is_directed())
    made.vs["colour"] = [G.nodes[u]["colour"] for u in G]
    made.es["weight"] = [G.edges[edge]["weight"] for edge in G.edges]
    return made


def to_rustworkx(G):
    rustworkx = pytest.importorskip("rustworkx")
    made = (rustworkx.PyDiGraph if G.is_directed() else rustworkx.PyGraph)()
    made.add_nodes_from([dict(G.nodes[u]) for u in G])
    made.add_edges_from([(u, v, data["weight"]) for u, v, data in G.edges(data=True)])
    return made


def to_networkit(G):
    networkit = pytest.importorskip("networkit")
    made = networkit.Graph(len(G), weighted=True, directed=G.is_directed())
    for u, v, data in G.edges(data=True):
        made.addEdge(u, v, data["weight"])
    return made


def to_geometric(G):
    both = G.to_directed()
    weight = np.array([data["weight"] for _, _, data in both.edges(data=True)])
    colours = np.array([[G.nodes[u]["colour"]] for u in G])
    return Data(np.array(list(both.edges)).T.reshape(2, -1), len(G), colours, weight)


def to_edges(G):
    return [(u, v, data["weight"]) for u, v, data in G.edges(data=True)]


WAYS = [to_igraph, to_rustworkx, to_networkit, to_geometric, to_edges]


def drawn(seed, directed=False, n=6):
    G = nx.gnp_random_graph(n, 0.6, seed=seed, directed=directed)
    rng = np.random.default_rng(seed)
    nx.set_node_attributes(G, {u: int(rng.integers(2)) for u in G}, "colour")
    nx.set_edge_attributes(G, {e: float(rng.integers(1, 3)) for e in G.edges}, "weight")
    return G


@pytest.mark.parametrize("convert", WAYS)
@pytest.mark.parametrize("directed", [False, True])
def test_structure_comes_over(convert, directed):
    if directed and convert is to_edges:
        pytest.skip("lists of edges are undirected")
    G = drawn(1, directed)
    made = as_networkx("G", convert(G))
    assert made.is_directed() == directed and sorted(made) == sorted(G)
    weight = "edge_attr" if convert is to_geometric else "weight"
    same = lambda a, b: a[weight] == b["weight"]
    assert nx.is_isomorphic(made, G, edge_match=same)
    assert set(map(frozenset, made.edges)) == set(map(frozenset, G.edges))


@pytest.mark.parametrize("convert", WAYS)
def test_answers_are_those_of_networkx(convert):
    plain = [drawn(seed) for seed in (1, 2)]
    given = [convert(G) for G in plain]
    assert gm.graph_edit_distance(*given).distance == gm.graph_edit_distance(*plain).distance
    common = [gm.maximum_common_subgraph(*pair).value for pair in (given, plain)]
    assert common[0] == common[1]
    path = nx.path_graph(4)
    assert gm.count_subgraphs(path, given[0]) == gm.count_subgraphs(path, plain[0])
    assert gm.is_isomorphic(given[0], plain[0]) and not gm.is_isomorphic(given[0], plain[1])
    if convert is not to_geometric:  # its weights have another name
        values = [gm.gm_solve(gm.models.from_graphs(*pair)).value for pair in (given, plain)]
        assert values[0] == pytest.approx(values[1])


def test_attributes_are_compared_by_functions():
    G = drawn(3)
    same = lambda a, b: a["colour"] == b["colour"]
    other = G.copy()
    other.nodes[0]["colour"] = 9
    for convert in (to_igraph, to_rustworkx):
        assert gm.is_isomorphic(convert(G), G, node_match=same)
        assert not gm.is_isomorphic(convert(G), other, node_match=same)
        assert gm.is_isomorphic(convert(G), other)  # attributes are not compared by default


def test_names_of_igraph():
    igraph = pytest.importorskip("igraph")
    named = igraph.Graph([(0, 1), (1, 2)])
    named.vs["name"] = ["a", "b", "c"]
    assert read_foreign("G", named).edges == [("a", "b"), ("b", "c")]
    named.vs["name"] = ["a", "a", "c"]  # not names
    assert read_foreign("G", named).edges == [(0, 1), (1, 2)]


def test_removed_nodes_of_rustworkx():
    rustworkx = pytest.importorskip("rustworkx")
    G = rustworkx.PyGraph()
    G.extend_from_edge_list([(0, 1), (1, 2), (2, 3)])
    G.remove_node(1)
    found = read_foreign("G", G)
    assert found.nodes == [0, 2, 3] and found.edges == [(2, 3)]


def test_edges_of_geometric_with_other_attributes_back_are_directed():
    same, other = ([[1.0], [1.0]], [[1.0], [2.0]])
    assert not read_foreign("G", Data([[0, 1], [1, 0]], 2, edge_attr=same)).directed
    assert read_foreign("G", Data([[0, 1], [1, 0]], 2, edge_attr=other)).directed
    assert read_foreign("G", Data([[0], [1]], 2)).directed
    loop = read_foreign("G", Data([[0, 0, 1], [0, 1, 0]], 2))
    assert not loop.directed and loop.edges == [(0, 0), (0, 1)]


def test_lists_of_edges_and_of_rows():
    assert gm.graph_edit_distance([("a", "b"), ("b", "c")], nx.path_graph(3)).distance == 0
    assert read_foreign("G", [[0, 1], [1, 0]]) is None  # a matrix
    assert gm.graph_edit_distance([[0, 1], [1, 0]], np.array([[0, 1], [1, 0]])).distance == 0
    weighted = [("a", "b", {"kind": 2}), ("b", "c", 3.0)]
    assert read_foreign("G", weighted).edge_data == [{"kind": 2}, {"weight": 3.0}]


def test_what_is_wrong_is_said():
    with pytest.raises(gm.InputError, match="G1: an edge must be"):
        gm.graph_edit_distance([(1, 2, 3, 4)], nx.path_graph(2))
    with pytest.raises(gm.InputError, match="G1: nodes must be hashable"):
        gm.graph_edit_distance([([], 1)], nx.path_graph(2))
    with pytest.raises(gm.InputError, match="edge_index must have shape"):
        gm.graph_edit_distance(Data([[0, 1, 2]], 3), nx.path_graph(2))
    with pytest.raises(gm.InputError, match="x must have 3 rows, got 1"):
        gm.graph_edit_distance(Data([[0], [1]], 3, x=[[1]]), nx.path_graph(2))
    rustworkx = pytest.importorskip("rustworkx")
    with pytest.raises(gm.InputError, match="must be a graph of rustworkx, got NodeIndices"):
        gm.is_isomorphic(rustworkx.generators.path_graph(3).node_indices(), nx.path_graph(3))
    with pytest.raises(gm.InputError, match="G1 must be a networkx graph, a graph of igraph"):
        gm.is_isomorphic(object(), nx.path_graph(3))
