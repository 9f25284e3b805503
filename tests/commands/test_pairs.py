"""gmtoolbox match and common: graphs, points and pictures from the shell."""

import json
import sys
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import cli


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
    assert (folder / "m.svg").read_text().startswith("<svg")
    assert gm.load_result(folder / "r.csv").value == 156.0
    status, out, _ = run(capsys, "match", *files, "--json")
    assert status == 0 and json.loads(out)["status"] == "optimal"


def test_two_point_sets(folder, capsys):
    status, out, _ = run(capsys, "match", folder / "p.csv", folder / "q.npy", "--labels")
    assert status == 0 and "labels (0-based): 8 7 6 5 4 3 2 1 0" in " ".join(out.split())


def test_two_pictures(folder, capsys, monkeypatch):
    """By match_images, which has tests of its own; here a stand-in."""
    found = SimpleNamespace(
        matches=np.column_stack([np.arange(12)] * 2),
        confidence=np.full(12, 0.5),
        inliers=np.arange(12) > 1,
        keypoints1=np.zeros((20, 2)),
        keypoints2=np.zeros((30, 2)),
        result=SimpleNamespace(status="optimal", time=0.5),
    )
    FoundClass = type("Found", (SimpleNamespace,), {"__len__": lambda self: 12})
    found = FoundClass(**vars(found))
    asked = []
    stand_in = SimpleNamespace(match_images=lambda *a, **k: asked.append((a, k)) or found)
    monkeypatch.setitem(sys.modules, "gmtoolbox.keypoints", stand_in)
    status, out, _ = run(capsys, "match", "a.png", "b.jpg", "-t", "3")
    assert status == 0 and asked == [(("a.png", "b.jpg"), {"seed": 0, "time_limit": 3.0})]
    assert "12 of 20 and 30 keypoints" in out and "inliers:  10" in out and "and 2 more" in out
    status, out, _ = run(capsys, "match", "a.png", "b.jpg", "--json")
    assert status == 0 and json.loads(out)["inliers"].count(True) == 10
    status, _, err = run(capsys, "match", "a.png", "b.jpg", "-m", "fm")
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
    assert ">cars<" in (folder / "cars.svg").read_text()
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
