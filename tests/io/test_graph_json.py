"""Graphs in JSON: pairs of the neural papers, lines, PyTorch Geometric, networkx."""

import json

import pytest

import gmtoolbox as gm


def loaded(folder, content, name="x.json"):
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return gm.load_graphs(folder / name)


def test_a_pair_with_its_distance(tmp_path):
    record = {
        "graph_1": [[0, 1], [1, 2]], "labels_1": ["C", "C", "O"],
        "graph_2": [[0, 1]], "labels_2": ["C", "N"], "ged": 3,
    }  # fmt: skip
    G, H = loaded(tmp_path, record)
    assert (G.name, H.name, G.info) == ("x-1", "x-2", {"ged": 3})
    assert gm.graph_edit_distance(G, H).distance == 3.0 == G.info["ged"]


def test_lines_with_and_without_labels(tmp_path):
    lines = (
        '{"id": 21, "n": 3, "labels": ["C", "S", "C"], "edges": [[2, 1]]}\n\n'
        '{"id": 22, "n": 2, "labels": null, "edges": [], "class": "a"}\n'
    )
    G, H = loaded(tmp_path, lines, "x.jsonl")
    assert (G.name, len(G), G.edges, G.node_label) == ("21", 3, [(2, 1)], ("label",))
    assert (H.name, len(H), H.node_label, H.graph_class) == ("22", 2, (), "a")


def test_dictionaries_of_pytorch_geometric(tmp_path):
    record = {
        "edge_index": [[0, 1, 1, 2], [1, 0, 2, 1]], "x": [[1, 0], [0, 1], [1, 0]], "y": [1],
        "edge_attr": [[0.5], [0.5], [1.5], [1.5]],
    }  # fmt: skip
    [G] = loaded(tmp_path, [record])
    assert G.edges == [(0, 1), (1, 2)] and not G.directed and G.graph_class == 1
    assert (G.node_label, G.edge_label) == (("x",), ()) and G.edge_data[1] == {"x": (1.5,)}
    record["edge_attr"][0] = [0.25]
    [G] = loaded(tmp_path, {"graphs": [record]})
    assert G.directed and len(G.edges) == 4
    [G] = loaded(tmp_path, {"edge_index": [], "num_nodes": 4})
    assert len(G) == 4 and G.edges == []


def test_what_networkx_writes(tmp_path):
    nx = pytest.importorskip("networkx")
    graph = nx.path_graph(["a", "b", "c"])
    nx.set_node_attributes(graph, "C", "symbol")
    for edges in ("links", "edges"):
        [G] = loaded(tmp_path, nx.node_link_data(graph, edges=edges))
        assert G.nodes == ["a", "b", "c"] and G.edges == [("a", "b"), ("b", "c")]
        assert G.node_label == ("symbol",)


@pytest.mark.parametrize(
    "content, message",
    [
        ("{", "is not JSON"),
        ('{"n": 1, "edges": []}\n{', "x.json:2: is not JSON"),
        ("3", "it must be an object, got int"),
        ({"a": 1}, "must have edges, edge_index, nodes or graph_1 and graph_2, got 'a'"),
        ({"graph_1": []}, "a graph has no 'graph_2'"),
        ({"edges": [[0]]}, "cannot be read"),
        ({"edges": [[0, -1]]}, "a node must be a number"),
        ({"edges": [[0, 5]], "labels": ["C"]}, "must join two nodes"),
        ({"edges": [], "n": 10**12}, "expands to more than the limit"),
        ({"edges": [[0, 10**12]]}, "expands to more than the limit"),
        ({"edge_index": [[0, 10**15], [1, 0]]}, "expands to more than the limit"),
        ({"edge_index": [[0], [1]], "x": [[0.5]]}, "must join two nodes"),
        ({"nodes": [{}], "links": []}, "a graph has no 'id'"),
        ("[" * 10**5, "x.json: "),
    ],
)
def test_damaged_files(tmp_path, content, message):
    with pytest.raises(gm.FileFormatError, match=message) as caught:
        loaded(tmp_path, content)
    assert "\n" not in str(caught.value)
