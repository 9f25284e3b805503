"""Graph: its parts fit together, it knows its labels, networkx gets it whole."""

import pickle

import pytest

import gmtoolbox as gm
from gmtoolbox.core.graph import EDGE_LABELS, label_among


def test_parts_must_fit():
    for arguments, message in (
        ((["a", "a"], []), "different names"),
        ((["a"], [("a", "b")]), "must join two nodes, got \\('a', 'b'\\)"),
        ((["a"], [], []), "node_data must have one dict for each of 1 nodes, got 0"),
    ):
        with pytest.raises(gm.InputError, match=message):
            gm.Graph(*arguments)
    graph = gm.Graph([1, 2], [(1, 2)], graph_class="x", name="g")
    assert repr(graph) == "<Graph 'g', 2 nodes, 1 edges, class 'x'>" and len(graph) == 2
    assert repr(pickle.loads(pickle.dumps(graph))) == repr(graph)


def test_labels_are_the_first_known_attributes():
    assert label_among([{}, {"type0": 1, "valence": 2}], EDGE_LABELS) == ("valence",)
    assert label_among([{}, {"type1": 1}], EDGE_LABELS) == ("type0", "type1")
    assert label_among([{"x": 1}], EDGE_LABELS) == ()


def test_to_networkx():
    nx = pytest.importorskip("networkx")
    graph = gm.Graph([1, 2], [(1, 2), (2, 1)], [{"x": 1}, {}], [{"y": 1}, {}], name="g")
    both = graph.to_networkx()
    assert both.is_multigraph() and both.number_of_edges() == 2 and both.nodes[1] == {"x": 1}
    graph.directed = True
    arcs = graph.to_networkx()
    assert isinstance(arcs, nx.DiGraph) and not arcs.is_multigraph() and arcs.edges[1, 2]["y"] == 1
