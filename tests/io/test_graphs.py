"""Graphs from files: every format, and what is said about damaged ones."""

import pytest

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.io.graphs import read_graphs

networkx = pytest.importorskip("networkx")

GXL = """<gxl><graph edgemode="{mode}">
<node id="n1"><attr name="symbol"><string> C </string></attr></node>
<node id="n2"><attr name="x"><float>1.5</float></attr></node>
<edge from="n1" to="{to}"><attr name="valence"><int>2</int></attr></edge>
</graph></gxl>"""


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
    [(name, read)] = read_graphs(path)
    assert name == "ring" and networkx.is_isomorphic(graph, read)
    assert set(networkx.get_node_attributes(read, "symbol").values()) == {"C"}


def test_edge_lists(tmp_path):
    text = "# a comment\na b 2\nb,c % another\n\nlonely\n"
    [(_, graph)] = read_graphs(written(tmp_path, "g.edges", text))
    assert sorted(graph.edges) == [("a", "b"), ("b", "c")] and "lonely" in graph
    assert graph.edges["a", "b"] == {"label": "2"} and graph.edges["b", "c"] == {}
    with pytest.raises(FileFormatError, match="2.*at most three words"):
        read_graphs(written(tmp_path, "bad.txt", "a b\na b c d\n"))


@pytest.mark.parametrize("mode", ["undirected", "directed"])
def test_gxl(tmp_path, mode):
    [(_, graph)] = read_graphs(written(tmp_path, "m.gxl", GXL.format(mode=mode, to="n2")))
    assert graph.is_directed() == (mode == "directed")
    assert graph.nodes["n1"] == {"symbol": "C"} and graph.nodes["n2"] == {"x": 1.5}
    assert graph.edges["n1", "n2"] == {"valence": 2}


def test_damaged_gxl(tmp_path):
    with pytest.raises(FileFormatError, match="'n9', which is no node"):
        read_graphs(written(tmp_path, "m.gxl", GXL.format(mode="undirected", to="n9")))
    with pytest.raises(FileFormatError, match="no graph element"):
        read_graphs(written(tmp_path, "e.gxl", "<gxl/>"))
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_graphs(written(tmp_path, "d.gxl", "<gxl><graph>"))


def test_unknown_and_missing(tmp_path):
    with pytest.raises(InputError, match=r"unknown file type of a graph; known are .*\.gml"):
        read_graphs(tmp_path / "g.doc")
    with pytest.raises(OSError):
        read_graphs(tmp_path / "missing.edges")


def test_smiles(tmp_path):
    pytest.importorskip("rdkit")
    found = read_graphs(written(tmp_path, "two.smi", "# drugs\nCCO ethanol\nC\n"))
    assert [name for name, _ in found] == ["ethanol", "two-3"]
    assert [molecule.GetNumAtoms() for _, molecule in found] == [3, 1]
    with pytest.raises(InputError, match="1: 'C(' is no SMILES".replace("(", r"\(")):
        read_graphs(written(tmp_path, "bad.smi", "C("))
