"""gmtoolbox match and common: graphs, points and pictures from the shell."""

import json
import re
import sys

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.commands.pairs import kind_of_file


@pytest.fixture
def folder(tmp_path):
    G = nx.Graph(list(nx.karate_club_graph().edges))
    nx.write_edgelist(G, tmp_path / "a.edges", data=False)
    nx.write_graphml(nx.relabel_nodes(G, {v: 33 - v for v in G}), tmp_path / "b.graphml")
    P = np.random.default_rng(0).random((9, 2))
    np.savetxt(tmp_path / "p.csv", P, delimiter=",")
    np.save(tmp_path / "q.npy", P[::-1])
    return tmp_path


def run(capsys, *arguments):
    status = cli.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_two_networks(folder, capsys):
    files = folder / "a.edges", folder / "b.graphml"
    status, out, _ = run(
        capsys, "match", *files, "--plot", folder / "m.svg", "-o", folder / "r.csv"
    )
    assert status == 0 and "status:      optimal" in out and "value:       156" in out
    assert max(map(len, out.splitlines())) <= 80
    assert (folder / "m.svg").read_text("utf-8").startswith("<svg")
    assert gm.load_result(folder / "r.csv").value == 156.0
    status, out, _ = run(capsys, "match", *files, "--json")
    assert status == 0 and json.loads(out)["status"] == "optimal"


@pytest.mark.parametrize(
    "name, text, kind",
    [
        ("e.csv", "source,target\n0,1\n1,2\n", "a graph"),
        ("n.csv", "ann,bob,2\nbob,cy,1\n", "a graph"),
        ("g.txt", "0 1\n1 2\n", "a graph"),
        ("w.txt", "0 1\n2\n", "a graph"),
        ("t.txt", "t # 0\nv 0 a\nv 1 b\ne 0 1 x\n", "a graph"),
        ("p.txt", "0.5 1\n1 2\n", "points"),
        ("i.csv", "x,y\n0,1\n1,2\n", "points"),
        ("h.csv", "name,x,y\na,0,1\nb,1,2\n", "points"),
        ("f.csv", "0.5,1\n3\n", "points"),
    ],
)
def test_a_table_holds_edges_or_points(tmp_path, name, text, kind):
    (tmp_path / name).write_text(text)
    assert kind_of_file(tmp_path / name) == kind


@pytest.mark.parametrize("text", ["0,1\n1,2\n", "person,friend\n0,1\n1,2\n", "0,1,5\n1,2,5\n"])
def test_whole_numbers_that_may_be_edges_are_said_to_be_points(tmp_path, text):
    (tmp_path / "i.csv").write_text(text)
    with pytest.warns(gm.GuessWarning, match="'source,target' in the first line"):
        assert kind_of_file(tmp_path / "i.csv") == "points"


def test_a_table_of_edges_is_a_network(folder, capsys):
    rows = [line.replace(" ", ",") for line in (folder / "a.edges").read_text().splitlines()]
    (folder / "c.csv").write_text("\n".join(["Source,Target", *rows]))
    status, out, _ = run(capsys, "match", folder / "c.csv", folder / "b.graphml")
    assert status == 0 and "value:       156" in out


def test_confidence_has_the_names_of_the_nodes(folder, capsys):
    for name, nodes in (("one", "abcde"), ("two", "vwxyz")):
        graph = nx.relabel_nodes(nx.path_graph(5), dict(enumerate(nodes)))
        graph.add_edge(nodes[0], nodes[2])
        nx.write_graphml(graph, folder / f"{name}.graphml")
    files = folder / "one.graphml", folder / "two.graphml"
    status, out, _ = run(capsys, "match", *files, "--confidence")
    assert status == 0 and re.search("  d -> y +changing it costs >= ", out), out


def test_long_names_fit_the_terminal(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"a very long name of a node that has the number {k}" for k in range(5)]
    graph = nx.relabel_nodes(nx.path_graph(5), dict(enumerate(names)))
    nx.write_graphml(graph, folder / "long.graphml")
    for flags in ((), ("--confidence",)):
        status, out, _ = run(
            capsys, "match", folder / "long.graphml", folder / "long.graphml", *flags
        )
        assert status == 0 and max(map(len, out.splitlines())) <= 80, out
    for command, flags in (("common", ()), ("distance", ("--path",))):
        files = folder / "long.graphml", folder / "long.graphml"
        status, out, _ = run(capsys, command, *files, *flags)
        assert status == 0 and "a very" in out and max(map(len, out.splitlines())) <= 80, out


def test_two_point_sets(folder, capsys):
    status, out, _ = run(capsys, "match", folder / "p.csv", folder / "q.npy", "--labels")
    assert status == 0 and "labels (0-based): 8 7 6 5 4 3 2 1 0" in " ".join(out.split())


def find_tiles(grey):
    """Return the places of the light tiles of a picture, with the tiles around them."""
    places = np.argwhere(grey[3::6, 3::6] > 0.8)[:, ::-1] * 6.0
    padded = np.pad(grey, ((0, 18), (0, 18)))
    near = [padded[int(y) : int(y) + 18, int(x) : int(x) + 18] for x, y in places]
    return places, np.stack(near).reshape(len(places), -1)


def test_two_pictures(folder, capsys, monkeypatch):
    """Only the reader of pictures and the detector, which other packages have, are replaced."""
    picture = np.random.default_rng(0).random((20, 20)).repeat(6, 0).repeat(6, 1)
    monkeypatch.setattr("gmtoolbox.keypoints.read_image", lambda name, path: picture)
    monkeypatch.setattr("gmtoolbox.keypoints.as_detector", lambda detector: find_tiles)
    n = len(find_tiles(picture)[0])
    files = "a.png", "b.jpg"
    kept = folder / "r.json", folder / "m.svg"
    status, out, err = run(
        capsys, "match", *files, "-t", "3", "--seed", "5", "-o", kept[0], "--plot", kept[1]
    )
    assert status == 0, err
    assert f"{n} of {n} and {n} keypoints" in out and f"and {n - 10} more" in out
    assert gm.load_result(kept[0]).seed == 5 and kept[1].read_text("utf-8").startswith("<svg")
    status, out, _ = run(capsys, "match", *files, "--json")
    assert status == 0 and json.loads(out)["matches"] == [[k, k] for k in range(n)]
    status, _, err = run(capsys, "match", *files, "-m", "fm")
    assert status == 2 and "--method does not go with pictures" in err


def test_different_kinds_are_refused(folder, capsys):
    status, _, err = run(capsys, "match", folder / "p.csv", folder / "a.edges")
    assert status == 2 and "holds points" in err and "a graph" in err


def test_common_subgraph(folder, capsys):
    files = folder / "a.edges", folder / "b.graphml"
    status, out, _ = run(capsys, "common", *files)
    assert status == 0 and "78 (maximised)" in out and "and 24 more" in out
    status, out, _ = run(capsys, "common", *files, "--induced", "--connected", "--json")
    record = json.loads(out)
    assert status == 0 and record["value"] == 34.0 and record["induced"]


def test_common_part_of_two_molecules(capsys):
    pytest.importorskip("rdkit")
    status, out, _ = run(capsys, "common", "CCO", "CCN", "--smiles", "-t", "10")
    assert status == 0 and "1 (maximised)" in out


def test_functions_take_paths_of_graphs(folder):
    """One graph in the file; names of its nodes and labels are kept."""
    files = folder / "a.edges", str(folder / "b.graphml")
    assert gm.gm_solve(gm.models.from_graphs(*files)).value == 156.0
    assert gm.graph_edit_distance(*files).distance == 0.0
    (folder / "two.jsonl").write_text('{"n": 1, "edges": []}\n' * 2)
    with pytest.raises(gm.InputError, match="G1 must be one graph; .* holds 2"):
        gm.models.from_graphs(folder / "two.jsonl", files[0])


def test_seeds_are_pairs_or_a_dict():
    G = nx.path_graph(4)
    as_pairs = gm.models.from_graphs(G, G, seeds=[(0, 3)])
    assert gm.models.from_graphs(G, G, seeds={0: 3}) == as_pairs
    P = [[0, 0], [1, 0], [0, 2.0]]
    given = [gm.models.from_points(P, P, seeds=seeds) for seeds in ([(0, 1)], {0: 1})]
    assert given[0] == given[1]


@pytest.mark.parametrize(
    "name, meant",
    [("timelimit", "time_limit"), ("timeout", "time_limit"), ("verbose", "progress"),
     ("max_iter", "maxiter"), ("random_state", "seed")],
)  # fmt: skip
def test_names_of_other_packages_get_a_hint(name, meant):
    with pytest.raises(gm.OptionError, match=f"did you mean '{meant}'"):
        gm.gm_solve([[1.0]], **{name: 1})


def test_one_method_by_name():
    assert [method.name for method in gm.gm_methods("fm")] == ["fm"]
    with pytest.raises(gm.UnknownMethodError, match="did you mean 'rrwm'"):
        gm.gm_methods("rrwn")


def test_no_negative_zero():
    r = gm.gm_solve(np.zeros((4, 4)), shape=(2, 2))
    assert str(r.value) == "0.0" and str(r.bound) == "0.0"


def test_results_draw_themselves_and_become_tables(folder):
    p = gm.data.load("car-1")
    r = gm.gm_solve(p)
    r.plot(title="cars").save(folder / "cars.svg")
    assert ">cars<" in (folder / "cars.svg").read_text("utf-8")
    pandas = pytest.importorskip("pandas")
    frame = r.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["left", "right"]
    r.confidence  # noqa: B018
    assert list(r.to_dataframe().columns) == ["left", "right", "confidence"]
    loaded = gm.Result.from_dict(r.to_dict())
    with pytest.raises(gm.InputError, match="needs the Problem"):
        loaded.plot()


def test_pandas_is_asked_for_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gm.InputError, match="to_dataframe needs the package pandas"):
        gm.gm_solve([[1.0]]).to_dataframe()
