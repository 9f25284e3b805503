"""gmtoolbox distance and distances, the graph files they read, and the picture of an edit path."""

import doctest
import json
import warnings
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.io import graphs as graph_files

GXL = """<?xml version="1.0"?><gxl><graph id="m" edgeids="false" edgemode="undirected">
<node id="_1"><attr name="symbol"><string>C  </string></attr>
<attr name="charge"><int>0</int></attr></node>
<node id="_2"><attr name="symbol"><string>{}</string></attr>
<attr name="x"><float>1.5</float></attr></node>
<edge from="_1" to="_2"><attr name="valence"><int>{}</int></attr></edge></graph></gxl>"""


@pytest.fixture
def folder(tmp_path):
    G, H = nx.cycle_graph(5), nx.path_graph(6)
    nx.write_gml(G, tmp_path / "a.gml")
    nx.write_graphml(H, tmp_path / "b.graphml")
    (tmp_path / "c.edges").write_text("# triangle\n0 1\n1 2 double\n2,0\n7\n")
    return tmp_path


def run(capsys, *arguments):
    status = cli.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_distance_of_two_files(folder, capsys):
    status, out, _ = run(capsys, "distance", folder / "a.gml", folder / "b.graphml", "--path")
    assert status == 0 and out.startswith("distance 3 (proven")
    assert out.count("match node") == 5 and out.count("insert node") == 1
    status, out, _ = run(capsys, "distance", folder / "a.gml", folder / "b.graphml", "--json")
    record = json.loads(out)
    assert record["kind"] == "EditResult" and record["value"] == 3.0 and record["base"] == 0
    status, out, _ = run(
        capsys, "distance", folder / "a.gml", folder / "b.graphml", "--upper-bound", "2"
    )
    assert status == 0 and out.startswith(("distance more than 2 (proven", "distance 3 (proven"))


def test_edge_list(folder):
    [G] = gm.load_graphs(folder / "c.edges")
    assert G.name == "c" and set(G.nodes) == {"0", "1", "2", "7"} and len(G.edges) == 3
    assert G.edge_data[G.edges.index(("1", "2"))] == {"label": "double"}
    (folder / "bad.edges").write_text("0 1\n1 2 3 4\n")
    with pytest.raises(gm.FileFormatError, match=r"bad.edges:2: .*at most three"):
        gm.load_graphs(folder / "bad.edges")


def test_gxl_of_the_iam_collections(tmp_path, capsys):
    (tmp_path / "a.gxl").write_text(GXL.format("O", 1))
    (tmp_path / "b.gxl").write_text(GXL.format("N", 2))
    [G] = gm.load_graphs(tmp_path / "a.gxl")
    assert G.node_data[0] == {"symbol": "C", "charge": 0} and G.node_data[1]["x"] == 1.5
    assert G.edges == [("_1", "_2")] and G.edge_data == [{"valence": 1}] and not G.directed
    for costs, expected in (("unit", 2), ("chem1", 3), ("1,0.25,1,0.5", 0.75)):
        _, out, _ = run(
            capsys, "distance", tmp_path / "a.gxl", tmp_path / "b.gxl", "--costs", costs
        )
        assert out.startswith(f"distance {expected} (proven")


def test_a_label_that_no_node_has_is_refused(tmp_path, capsys):
    """It was compared with nothing: every two nodes were the same."""
    (tmp_path / "a.gxl").write_text(GXL.format("O", 1))
    pair = ("distance", tmp_path / "a.gxl", tmp_path / "a.gxl")
    status, _, err = run(capsys, *pair, "--node-label", "chem")
    assert status == 2 and "must be an attribute of nodes (symbol charge x), got 'chem'" in err
    status, _, err = run(capsys, *pair, "--edge-label", "type")
    assert status == 2 and "must be an attribute of edges (valence), got 'type'" in err
    assert run(capsys, *pair, "--node-label", "charge")[0] == 0


def test_distances_of_files_of_many_graphs(tmp_path, capsys):
    lines = [f'{{"id": "g{k}", "n": {k}, "labels": null, "edges": []}}\n' for k in (1, 2, 4)]
    (tmp_path / "x.jsonl").write_text("".join(lines))
    status, out, err = run(capsys, "distances", tmp_path / "x.jsonl")
    assert status == 0 and "3 graphs, 9 of 9" in out and "g1" in out and "warning" not in err


def test_distances_of_a_folder(folder, capsys):
    out = folder / "d.csv"
    with warnings.catch_warnings():
        warnings.simplefilter("always")  # only c has a label
        status, told, err = run(capsys, "distances", folder, "-o", out, "-j", "2")
    assert status == 0 and "warning: edges are not compared" in err
    assert status == 0 and told.startswith("3 graphs, 9 of 9 distances proven")
    lines = out.read_text("utf-8").splitlines()
    assert lines[1] == "graph,a,b,c"
    values = np.array([line.split(",")[1:] for line in lines[2:]], float)
    assert np.array_equal(values, [[0, 3, 5], [3, 0, 6], [5, 6, 0]])
    (folder / "c.edges").write_text("0 1\n1 2\n2,0\n7\n")
    status, told, _ = run(capsys, "distances", folder, "--upper-bound", "3")
    assert "more" in told and status == 0


def test_smiles(tmp_path, capsys):
    pytest.importorskip("rdkit")
    _, out, _ = run(capsys, "distance", "CCO", "CCN", "--smiles", "--costs", "chem1")
    assert out.startswith("distance 2 (proven")
    (tmp_path / "m.smi").write_text("CCO ethanol\n# none\nCCN\n")
    assert [g.name for g in gm.load_graphs(tmp_path / "m.smi")] == ["ethanol", "m-3"]
    status, _, err = run(capsys, "distance", "CC(", "CCN", "--smiles")
    assert status == 2 and "'CC(' is no SMILES" in err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("distance", "{}/a.gml", "{}/none.gml"), "none.gml"),
        (("distance", "{}/a.gml", "{}/a.dat"), "unknown file type of a graph"),
        (("distance", "CCO", "CCN"), "--smiles"),
        (("distance", "{}/a.gml", "{}/a.gml", "--costs", "1,2"), "costs must be four"),
        (("distance", "{}/a.gml", "{}/a.gml", "--costs", "a,b"), "costs must be a name or four"),
        (("distance", "{}/a.gml", "{}/a.gml", "--plot", "x.bmp"), "x.bmp"),
        (("distances", "{}/none"), "no such file or folder"),
        (("distances", "{}", "-o", "m.txt"), "known are .csv .npz"),
    ],
)
def test_refusals_are_one_line(folder, capsys, arguments, message):
    status, _, err = run(capsys, *(text.format(folder) for text in arguments))
    assert status == 2 and message in err and err.count("\n") == 1


def test_picture_of_an_edit_path(folder, capsys):
    G, H = nx.path_graph(4), nx.cycle_graph(5)
    nx.set_node_attributes(G, {0: "a", 1: "<b>", 2: "a", 3: "a"}, "label")
    nx.set_node_attributes(H, "a", "label")
    G.add_edge(0, 0)
    r = gm.graph_edit_distance(G, H, node_match=lambda a, b: a == b)
    svg = ElementTree.fromstring(gm.plot.edit_path(G, H, r, node_label="label"))
    drawn = [part.get("class") for part in svg.iter() if part.get("class")]
    nodes = [kind.split()[1] for kind in drawn if kind.startswith("node")]
    edges = [kind.split()[1] for kind in drawn if kind.startswith("edge")]
    assert nodes.count("relabelled") == 2 and nodes.count("inserted") == 1
    assert edges.count("deleted") == 1 and edges.count("inserted") == 2
    assert len(nodes) == 9 and len(edges) == 4 + 5
    empty = nx.Graph()
    assert "<svg" in gm.plot.edit_path(empty, G, gm.graph_edit_distance(empty, G))
    picture = folder / "p.svg"
    run(capsys, "distance", folder / "a.gml", folder / "b.graphml", "--plot", picture)
    ElementTree.parse(picture)


def test_layout_keeps_a_path_straight():
    from gmtoolbox.plot.edits import layout

    linked = np.diag(np.ones(5, bool), 1)
    X = layout(linked | linked.T)
    apart = np.linalg.norm(X[0] - X[5])
    assert 4.5 < apart < 5.5


def test_examples_in_docstrings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    from gmtoolbox.plot import edits

    for module in (graph_files, edits):
        failed, tried = doctest.testmod(module)
        assert tried and not failed
