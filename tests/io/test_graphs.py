"""Graphs from files: folders, text and what networkx reads; what is said about damaged ones."""

import lzma

import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import FileFormatError, InputError

networkx = pytest.importorskip("networkx")

DATABASE = "t # 624379\nv 0 C\nv 1 O\nv 2 C\ne 0 1 1\ne 1 2 2\nt # 7\nv 0 N\n"


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("suffix", ["gml", "graphml"])
def test_what_networkx_writes_is_read(tmp_path, suffix):
    graph = networkx.cycle_graph(4)
    networkx.set_node_attributes(graph, "C", "symbol")
    path = tmp_path / f"ring.{suffix}"
    getattr(networkx, f"write_{suffix}")(graph, path)
    [read] = gm.load_graphs(path)
    assert read.name == "ring" and networkx.is_isomorphic(graph, read.to_networkx())
    assert {data["symbol"] for data in read.node_data} == {"C"} and read.node_label == ("symbol",)


def test_graphml_with_entities_is_refused(tmp_path):
    text = '<!DOCTYPE g [<!ENTITY a "aaaa">]><graphml><graph/></graphml>'
    with pytest.raises(FileFormatError, match="declares an entity"):
        gm.load_graphs(written(tmp_path, "x.graphml", text))


def test_graphml_in_another_encoding(tmp_path):
    graph = networkx.Graph([("Müller", "Möller"), ("Möller", "Mäller")])
    networkx.write_graphml_xml(graph, tmp_path / "g.graphml", encoding="iso-8859-1")
    [read] = gm.load_graphs(tmp_path / "g.graphml")
    assert read.nodes == ["Müller", "Möller", "Mäller"]


def test_edge_lists(tmp_path):
    text = "# a comment\na b 2\nb,c % another\n\nlonely\nc b\n"
    [graph] = gm.load_graphs(written(tmp_path, "g.edges", text))
    assert graph.edges == [("a", "b"), ("b", "c")] and graph.nodes == ["a", "b", "c", "lonely"]
    assert graph.edge_data == [{"label": "2"}, {}]
    [graph] = gm.load_graphs(written(tmp_path, "g.edges", "a#1 b#2\n50%x b#2 # said\n"))
    assert graph.edges == [("a#1", "b#2"), ("50%x", "b#2")]
    with pytest.warns(gm.GraphWarning, match="the edge b a is listed twice"):
        gm.load_graphs(written(tmp_path, "g.edges", "a b 2\nb a 3\n"))
    with pytest.raises(FileFormatError, match="2.*at most three words"):
        gm.load_graphs(written(tmp_path, "bad.txt", "a b\na b c d\n"))


def test_graph_databases(tmp_path):
    first, second = gm.load_graphs(written(tmp_path, "d.txt", DATABASE))
    assert (first.name, second.name) == ("624379", "7")
    assert first.node_data[1] == {"label": "O"} and first.edge_data[1] == {"label": "2"}
    assert gm.graph_edit_distance(first, second).distance == 5.0
    with pytest.raises(FileFormatError, match="3: a line is t, v or e"):
        gm.load_graphs(written(tmp_path, "x.txt", "t # 1\nv 0 C\nw 0\n"))
    with pytest.raises(FileFormatError, match="must join two nodes"):
        gm.load_graphs(written(tmp_path, "x.txt", "t # 1\nv 0 C\ne 0 1 1\n"))


def test_compressed_files(tmp_path):
    (tmp_path / "d.txt.xz").write_bytes(lzma.compress(DATABASE.encode()))
    assert [graph.name for graph in gm.load_graphs(tmp_path / "d.txt.xz")] == ["624379", "7"]
    (tmp_path / "d.txt.xz").write_bytes(lzma.compress(b"\n" * 10**8, preset=0))
    with pytest.raises(FileFormatError, match="expands to more than the limit"):
        gm.load_graphs(tmp_path / "d.txt.xz")


def test_folders(tmp_path):
    written(tmp_path, "b10.edges", "0 1\n")
    written(tmp_path, "b9.edges", "0 1\n")
    written(tmp_path, "notes.doc", "x")
    assert [graph.name for graph in gm.load_graphs(tmp_path)] == ["b9", "b10"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no graph files in this folder; known are"):
        gm.load_graphs(tmp_path / "empty")


def test_unknown_and_missing(tmp_path):
    with pytest.raises(InputError, match=r"unknown file type of a graph; known are .*\.gml"):
        gm.load_graphs(tmp_path / "g.doc")
    with pytest.raises(OSError):
        gm.load_graphs(tmp_path / "missing.edges")
    with pytest.raises(InputError, match="folder= goes with collections"):
        gm.load_graphs(written(tmp_path, "g.edges", "a b\n"), folder=tmp_path)
