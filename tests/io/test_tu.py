"""TU data sets: classes, labels, attributes, and what is said about damaged ones."""

import pytest

import gmtoolbox as gm

FILES = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "0\n1\n0\n2\n0\n",
    "edge_labels": "7\n7\n8\n8\n7\n7\n",
    "node_attributes": "0.5, 1\n1, 1\n2, 1\n3, 1\n4, 1\n",
}


def data_set(folder, **changed):
    for name, text in {**FILES, **changed}.items():
        if text is not None:
            (folder / f"DS_{name}.txt").write_text(text)
    return folder


def test_graphs_with_everything(tmp_path):
    for path in (data_set(tmp_path), tmp_path / "DS_A.txt"):
        G, H = gm.load_graphs(path)
        assert (G.name, G.graph_class, H.name, H.graph_class) == ("DS-1", 1, "DS-2", -1)
        assert G.nodes == [0, 1, 2] and G.edges == [(0, 1), (1, 2)] and not G.directed
        assert G.node_data[1] == {"label": 1, "attributes": (1.0, 1.0)}
        assert G.edge_data == [{"label": 7}, {"label": 8}]
        assert H.node_label == H.edge_label == ("label",)
    assert gm.graph_edit_distance(G, H).distance == 3.0


def test_every_edge_once_and_arcs(tmp_path):
    gone = dict(edge_labels=None, node_labels=None, node_attributes=None, graph_labels=None)
    G, _ = gm.load_graphs(data_set(tmp_path, A="1 2\n2 3\n4 5\n", **gone))
    assert not G.directed and G.edges == [(0, 1), (1, 2)]


def test_arcs(tmp_path):
    G, H = gm.load_graphs(data_set(tmp_path, edge_labels="7\n7\n8\n8\n7\n9\n"))
    assert G.directed and H.directed and len(G.edges) == 4


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"A": "1, 2\n2, 4\n"}, "DS_A.txt:2: .*two nodes of one graph, got 2 4"),
        ({"A": "1, 9\n"}, "two nodes of one graph, got 1 9"),
        ({"A": "1\n"}, "must hold 2 numbers"),
        ({"A": "1 x\n"}, "must hold numbers, got '1 x'"),
        ({"graph_indicator": "0\n0\n0\n0\n0\n"}, "numbered 1, 2"),
        ({"graph_indicator": "1\n1\n1\n99999999999\n2\n"}, "numbered 1, 2"),
        ({"node_labels": "0\n"}, "must have 5 lines, got 1"),
        ({"graph_labels": "1\n2\n3\n"}, "must have 2 lines, got 3"),
    ],
)
def test_damaged_data_sets(tmp_path, changed, message):
    if "A" in changed:
        changed = {**changed, "edge_labels": None}
    with pytest.raises(gm.FileFormatError, match=message):
        gm.load_graphs(data_set(tmp_path, **changed))
