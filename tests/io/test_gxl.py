"""GXL in the dialects of the IAM and GREYC collections, and lists of files with classes."""

import os
from pathlib import Path

import pytest

import gmtoolbox as gm

HEAD = '<?xml version="1.0"?><!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">'


def attribute(name, kind, value):
    return f'<attr name="{name}"><{kind}>{value}</{kind}>  </attr>'


def gxl(folder, name, nodes, edges, mode="undirected", more=""):
    """Write a file; nodes: lists of attributes; edges: (from, to, attributes)."""
    text = f'{HEAD}<gxl><graph id="g" {more} edgemode="{mode}">'
    for k, own in enumerate(nodes):
        text += f'<node id="_{k}">{"".join(attribute(*a) for a in own)}</node>\n'
    for i, j, own in edges:
        text += f'<edge from="_{i}" to="_{j}">{"".join(attribute(*a) for a in own)}</edge>\n'
    (folder / name).write_text(text + "</graph></gxl>")
    return folder / name


def molecule(folder, name, atoms, bonds):
    """A file as acyclic, alkane, mao and pah have them: numbers under chem and valence."""
    nodes = [[("chem", "int", atom)] for atom in atoms]
    return gxl(folder, name, nodes, [(i, j, [("valence", "int", v)]) for i, j, v in bonds])


def test_labels_under_chem_and_valence_are_compared(tmp_path):
    """They were ignored: the distance was 0 here, without a word."""
    first = molecule(tmp_path, "a.gxl", [6, 6, 8], [(0, 1, 1), (1, 2, 2)])
    second = molecule(tmp_path, "b.gxl", [6, 6, 16], [(0, 1, 1), (1, 2, 1)])
    [G], [H] = gm.load_graphs(first), gm.load_graphs(second)
    assert (G.node_label, G.edge_label) == (("chem",), ("valence",))
    assert gm.graph_edit_distance(G, H).distance == 2.0
    assert gm.edit_distances([G, H]).values[0, 1] == 2.0
    assert gm.edit_distances([G, H]).names == ["a", "b"]


def test_protein_writes_int_around_text(tmp_path):
    nodes = [[("type", "int", 0), ("aaLength", "int", 5), ("sequence", "int", "TPEEA")]]
    [G] = gm.load_graphs(gxl(tmp_path, "p.gxl", nodes, [], more='label="6"'))
    assert G.node_data == [{"type": 0, "aaLength": 5, "sequence": "TPEEA"}]
    assert G.graph_class == "6" and G.node_label == ("type",)


def test_grec_writes_capitals_and_several_types(tmp_path):
    nodes = [[("x", "Integer", 17), ("type", "String", "corner")], [("type", "String", "circle")]]
    edge = [("frequency", "Integer", 1), ("type0", "String", "line"), ("angle0", "String", "-.20")]
    [G] = gm.load_graphs(gxl(tmp_path, "g.gxl", nodes, [(0, 1, edge)]))
    assert G.node_data[0] == {"x": 17, "type": "corner"}
    assert G.edge_data == [{"frequency": 1, "type0": "line", "angle0": "-.20"}]
    assert G.edge_label == ("type0", "type1")


def test_attributes_that_are_not_compared_are_said(tmp_path):
    nodes = [[("x", "float", 0.5), ("y", "float", 1)], [("x", "float", 2), ("y", "float", 1)]]
    path = gxl(tmp_path, "letter.gxl", nodes, [(0, 1, [])])
    [G] = gm.load_graphs(path)
    with pytest.warns(gm.GraphWarning, match="nodes are not compared.* x, y and no label"):
        assert gm.graph_edit_distance(G, G).distance == 0.0
    match = lambda a, b: a == b
    assert gm.graph_edit_distance(G, G, node_match=match).distance == 0.0  # no warning: an error


def test_labels_of_two_collections_do_not_mix(tmp_path):
    [G] = gm.load_graphs(gxl(tmp_path, "a.gxl", [[("symbol", "string", "C")]], []))
    [H] = gm.load_graphs(gxl(tmp_path, "b.gxl", [[("chem", "int", 6)]], []))
    with pytest.raises(gm.InputError, match="label their nodes by the same attribute, got symbol"):
        gm.graph_edit_distance(G, H)
    assert gm.graph_edit_distance(G, H, node_match=lambda a, b: True).distance == 0.0


def test_edges_that_are_listed_twice(tmp_path):
    value = lambda x: [("valence", "int", x)]
    twice = gxl(tmp_path, "a.gxl", [[], []], [(0, 1, value(1)), (1, 0, value(1))])
    assert gm.load_graphs(twice)[0].edges == [("_0", "_1")]
    arcs = gxl(tmp_path, "b.gxl", [[], []], [(0, 1, value(1)), (1, 0, value(2))], mode="directed")
    assert len(gm.load_graphs(arcs)[0].edges) == 2
    odd = gxl(tmp_path, "c.gxl", [[], []], [(0, 1, value(1)), (1, 0, value(2))])
    with pytest.warns(gm.GraphWarning, match="listed twice with different"):
        assert gm.load_graphs(odd)[0].edge_data == [{"valence": 1}]


@pytest.mark.parametrize(
    "kind, text, value",
    [
        ("int", "1.0", 1), ("int", "NAN", "NAN"), ("int", "INF", "INF"), ("int", "1.5", "1.5"),
        ("integer", "-3", -3), ("TYPENAME", "6", 6), ("TYPENAME", "0.25", 0.25),
        ("TYPENAME", "C", "C"), ("TYPENAME", "NaN", "NaN"), ("string", "6", "6"),
        ("String", " C ", "C"),
        ("float", "1,5", "1,5"), ("double", "2", 2.0), ("bool", "TRUE", True), ("enum", "1", "1"),
    ],
)  # fmt: skip
def test_values(tmp_path, kind, text, value):
    """Text stays text: the amino acids NAN and INF are not numbers."""
    [G] = gm.load_graphs(gxl(tmp_path, "v.gxl", [[("a", kind, text)]], []))
    [found] = G.node_data
    assert found == {"a": value} and type(found["a"]) is type(value)


@pytest.mark.parametrize(
    "mode, arcs, directed",
    [
        ("directed", ["", ""], True), (" Directed ", ["", ""], True),
        (" undirected", ["", ""], False),
        ("defaultundirected", ["true", "true"], True),
        ("defaultdirected", ["false", " false"], False),
    ],
)  # fmt: skip
def test_modes_of_edges(tmp_path, mode, arcs, directed):
    """IAM writes blanks into edgemode; an edge may say isdirected."""
    one, other = (f'isdirected="{own}"' if own else "" for own in arcs)
    (tmp_path / "m.gxl").write_text(
        f'<gxl><graph edgemode="{mode}"><node id=" a"/><node id="b"/><node id="c"/>'
        f'<edge from="a " to="b" {one}/><edge id="e" from="b" to="c" {other}/></graph></gxl>'
    )
    [G] = gm.load_graphs(tmp_path / "m.gxl")
    assert (G.directed, G.nodes, G.edges) == (directed, ["a", "b", "c"], [("a", "b"), ("b", "c")])


def test_undirected_edges_next_to_arcs(tmp_path):
    (tmp_path / "m.gxl").write_text(
        '<gxl><graph edgemode="defaultdirected"><attr name="class"><string>x</string></attr>'
        '<node id="a"/><node id="b"/><edge from="a" to="b" isdirected="false"/>'
        '<edge from="b" to="b"/></graph></gxl>'
    )
    with pytest.warns(gm.GraphWarning, match="read as two arcs"):
        [G] = gm.load_graphs(tmp_path / "m.gxl")
    assert G.directed and G.edges == [("a", "b"), ("b", "a"), ("b", "b")] and G.graph_class == "x"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings(tmp_path, encoding):
    head = "" if encoding == "utf-8-sig" else f'<?xml version="1.0" encoding="{encoding}"?>'
    text = (
        f'{head}<gxl><graph><node id="é">{attribute("label", "string", "ü")}</node></graph></gxl>'
    )
    (tmp_path / "e.gxl").write_bytes(text.encode(encoding))
    [G] = gm.load_graphs(tmp_path / "e.gxl")
    assert G.nodes == ["é"] and G.node_data == [{"label": "ü"}]


def test_damaged_files(tmp_path):
    for text, message in (
        ("<gxl/>", "no graph element"),
        ("<gxl><graph><node/></graph></gxl>", "a node has no id"),
        ("<gxl><graph><node id='a'/><node id='a'/></graph></gxl>", "different names"),
        ("<gxl><graph><edge from='1' to='2'/></graph></gxl>", "ends at '1', which is not a node"),
        ("<gxl><graph><node id='a'><attr><int>1</int></attr></node></graph></gxl>", "has no name"),
        ("<gxl><graph>", "cannot be read"),
    ):
        (tmp_path / "d.gxl").write_text(text)
        with pytest.raises(gm.FileFormatError, match=message) as caught:
            gm.load_graphs(tmp_path / "d.gxl")
        assert str(caught.value).startswith(str(tmp_path / "d.gxl"))


# ---- collections


@pytest.fixture
def collection(tmp_path):
    (tmp_path / "set").mkdir()
    for name, atom in (("a", 6), ("b", 8)):
        molecule(tmp_path / "set", f"{name}.gxl", [atom], [])
    listed = '<graph file="b.gxl" class="x"/><graph file="a.gxl" class="y"/>'
    (tmp_path / "set.xml").write_text(f"<GraphCollection>{listed}</GraphCollection>")
    return tmp_path


def test_collections_have_classes(collection):
    wanted = [("b", "x"), ("a", "y")]
    named = lambda graphs: [(graph.name, graph.graph_class) for graph in graphs]
    assert named(gm.load_graphs(collection / "set.xml")) == wanted
    (collection / "set.xml").rename(collection / "set" / "train.cxl")
    assert named(gm.load_graphs(collection / "set" / "train.cxl")) == wanted
    assert named(gm.load_graphs(collection / "set")) == wanted[::-1]
    (collection / "set" / "train.cxl").rename(collection / "other.cxl")
    with pytest.raises(gm.FileFormatError, match="2 are missing.*folder= says where"):
        gm.load_graphs(collection / "other.cxl")
    found = gm.load_graphs(collection / "other.cxl", folder=collection / "set")
    assert named(found) == wanted
    (collection / "windows.cxl").write_text('<c><g file="set\\a.gxl" class="z"/></c>')
    assert named(gm.load_graphs(collection / "windows.cxl")) == [("a", "z")]
    (collection / "set" / "a.gxl").unlink()
    with pytest.warns(gm.GraphWarning, match="1 are missing, e.g. a.gxl"):
        assert len(gm.load_graphs(collection / "other.cxl", folder=collection / "set")) == 1


@pytest.mark.parametrize(
    "name", ["../a.gxl", "..\\\\a.gxl", "/etc/a.gxl", "a.xml", "/dev/zero", ".gxl"]
)
def test_collections_stay_in_their_folder(tmp_path, name):
    (tmp_path / "c.xml").write_text(f'<c><g file="{name}"/></c>')
    with pytest.raises(gm.FileFormatError, match="inside its folder"):
        gm.load_graphs(tmp_path / "c.xml")
    (tmp_path / "d.xml").write_text("<c/>")
    with pytest.raises(gm.FileFormatError, match="lists no graph files"):
        gm.load_graphs(tmp_path / "d.xml")


# ---- the collections themselves


@pytest.mark.data
@pytest.mark.parametrize(
    "name, node_label, edge_label, attributes",
    [
        ("AIDS", "symbol", "valence", {"symbol", "chem", "charge", "x", "y"}),
        ("CMU", "", "", {"x", "y"}),
        ("Fingerprint", "", "", {"x", "y"}),
        ("GREC", "type", "type0 type1", {"x", "y", "type"}),
        ("Letter-HIGH", "", "", {"x", "y"}),
        ("Mutagenicity", "chem", "valence", {"chem"}),
        ("Protein", "type", "type0 type1", {"type", "aaLength", "sequence"}),
        ("acyclic", "chem", "valence", {"chem"}),
        ("alkane", "chem", "valence", {"chem"}),
        ("mao", "chem", "valence", {"chem"}),
        ("pah", "chem", "valence", {"chem"}),
    ],
)
def test_every_collection(name, node_label, edge_label, attributes):
    graphs = gm.load_graphs(Path(os.environ["GMTOOLBOX_DATA"]) / "gxl" / name)
    assert len(graphs) == 8 and any(graph.edges for graph in graphs)
    for graph in graphs:
        assert " ".join(graph.node_label) == node_label or not graph.nodes
        assert " ".join(graph.edge_label) == edge_label or not graph.edges
        assert all(set(data) == attributes for data in graph.node_data)


@pytest.mark.data
def test_two_acyclic_molecules():
    """The labels under chem were not seen: 4."""
    folder = Path(os.environ["GMTOOLBOX_DATA"]) / "gxl"
    with pytest.warns(gm.GraphWarning, match="181 are missing"):
        graphs = gm.load_graphs(folder / "acyclic.xml")
    assert [graph.graph_class for graph in graphs] == ["a", "a"]
    assert gm.graph_edit_distance(*graphs).distance == 6.0
