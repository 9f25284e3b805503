"""edit_distances: the same as one by one, whatever n_jobs, store and upper_bound."""

import csv
import doctest
import json
import math
import os
import signal
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.editing import matrix
from gmtoolbox.models.attributed import as_attributed
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph
from gmtoolbox.subgraphs.filters import Filter

same = lambda a, b: a["label"] == b["label"]


@pytest.fixture(scope="module")
def graphs():
    rng = np.random.default_rng(5)
    made = []
    for k in range(18):
        G = nx.gnp_random_graph(int(rng.integers(0, 7)), 0.5, seed=k)
        nx.set_node_attributes(G, {v: "CCNO"[int(rng.integers(4))] for v in G}, "label")
        made.append(G)
    return made


@pytest.fixture(scope="module")
def expected(graphs):
    one = lambda G, H: gm.graph_edit_distance(G, H, node_match=same).distance
    return np.array([[one(G, H) for H in graphs] for G in graphs])


def test_all_pairs_equal_single_ones(graphs, expected):
    D = gm.edit_distances(graphs, node_match=same)
    assert D.proven.all() and np.array_equal(D.values, expected)
    assert np.all(D.bounds <= D.values) and np.allclose(D.bounds, D.values, atol=1e-4)


def test_two_sets(graphs, expected):
    D = gm.edit_distances(graphs[:3], graphs[3:8], node_match=same)
    assert np.array_equal(D.values, expected[:3, 3:8]) and D.values.shape == (3, 5)


def test_n_jobs_changes_nothing(graphs, expected):
    D = gm.edit_distances(graphs, node_match=same, n_jobs=2)
    E = gm.edit_distances(graphs, node_match=same, n_jobs=1)
    for name in ("values", "bounds", "proven"):
        assert np.array_equal(getattr(D, name), getattr(E, name))
    assert np.array_equal(D.values, expected)


def test_rounding_proves_nothing():
    """The label histograms of a graph and itself differ by rounding errors only."""
    graphs = [nx.cycle_graph(n) for n in range(3, 12)]
    D = gm.edit_distances(graphs, costs=(0.1, 0.1, 0.1, 0.1), upper_bound=0.0)
    assert np.array_equal(D.values, np.where(np.eye(len(graphs)) == 1, 0.0, math.inf))
    assert D.proven.all()


def test_upper_bound(graphs, expected):
    for limit in (0, 3, 6.5):
        D = gm.edit_distances(graphs, node_match=same, upper_bound=limit)
        assert D.proven.all()
        assert np.array_equal(D.values, np.where(expected <= limit, expected, math.inf))
        assert np.all(D.bounds <= expected) and np.all(D.bounds[expected > limit] > limit)


def test_median(graphs, expected):
    D = gm.edit_distances(graphs, node_match=same)
    sums = expected.sum(axis=1).tolist()
    assert D.median() == sums.index(min(sums))
    with pytest.raises(gm.InputError, match="of all graphs to all, got 2 x 3"):
        gm.edit_distances(graphs[:2], graphs[:3], node_match=same).median()
    with pytest.raises(gm.InputError, match="some are inf or nan"):
        gm.edit_distances(graphs, node_match=same, upper_bound=1).median()
    with pytest.raises(gm.InputError, match="got 0 x 0"):
        gm.edit_distances([]).median()


def test_costs_that_are_not_symmetric(graphs):
    dear = dict(node_match=same, node_ins_cost=lambda a: 3.0)
    D = gm.edit_distances(graphs[:6], **dear)
    one = lambda G, H: gm.graph_edit_distance(G, H, **dear).distance
    assert np.array_equal(D.values, [[one(G, H) for H in graphs[:6]] for G in graphs[:6]])
    assert not np.array_equal(D.values, D.values.T)


def test_store_is_resumed(graphs, expected, tmp_path, monkeypatch):
    store = tmp_path / "d.jsonl"
    gm.edit_distances(graphs, node_match=same, store=store)
    lines = store.read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + 18 * 19 // 2
    store.write_text("".join(lines[:101]) + lines[101][:4])  # killed in the middle of a line
    solved, told = [], []
    plain = matrix.solve_chunk
    monkeypatch.setattr(
        matrix, "solve_chunk", lambda *given: solved.extend(given[4]) or plain(*given)
    )
    D = gm.edit_distances(
        graphs, node_match=same, store=store, progress=lambda *given: told.append(given)
    )
    # 100 are there, and some more are the same pair of graphs as one of them
    assert len(solved) == 171 - told[0][0] <= 71 and told[-1] == (171, 171)
    assert np.array_equal(D.values, expected)
    assert set(store.read_text("utf-8").splitlines()) <= set("".join(lines).splitlines())
    D = gm.edit_distances(graphs[:4], node_match=same, store=store, resume=False)
    assert len(store.read_text("utf-8").splitlines()) == 11 and D.proven.all()
    store.write_text(json.dumps({"format": "diary"}) + "\n")
    with pytest.raises(gm.FileFormatError, match="holds no edit distances"):
        gm.edit_distances(graphs, store=store)


def test_time_left(graphs, capsys):
    """Of 4 graphs of one size, 10 pairs: after 4 of them in 8 s, the other 6 take 12 s."""
    numbered = [NumberedGraph(as_attributed("G", nx.cycle_graph(5)), EditCosts()) for _ in range(4)]
    pairs = [(i, j) for i in range(4) for j in range(i, 4)]
    watched = matrix.Progress(True, numbered, numbered, pairs)
    assert watched.line(1.0) == "distances: 0/10 pairs"
    watched.add([(*pair, 0.0, 0.0, True) for pair in pairs[:4]])
    assert watched.line(8.0) == "distances: 4/10 pairs, about 12 s left"
    watched = matrix.Progress(True, numbered, numbered, pairs)
    watched.skip(pairs[:6])
    assert watched.line(1.0) == "distances: 6/10 pairs"
    watched.add([(*pair, 0.0, 0.0, True) for pair in pairs[6:8]])
    assert watched.line(3.0) == "distances: 8/10 pairs, about 3 s left"
    gm.edit_distances(graphs[:4], node_match=same, progress=True)
    assert "distances: 10/10 pairs\n" in capsys.readouterr().err


@pytest.fixture
def ctrl_c_after(monkeypatch):
    """A function: Ctrl-C comes while the pairs of these numbers are solved, and ends them."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    plain, calls = matrix.solve_edit_model, []

    def use(*numbers, status="interrupted"):
        def solved(*given, **named):
            r = plain(*given, **named)
            calls.append(r)
            if len(calls) in numbers:
                signal.raise_signal(signal.SIGINT)
                r.status = status
            return r

        monkeypatch.setattr(matrix, "solve_edit_model", solved)

    yield use
    signal.signal(signal.SIGINT, previous)


def test_ctrl_c_keeps_what_is_done(graphs, ctrl_c_after):
    ctrl_c_after(8)
    D = gm.edit_distances(graphs, node_match=same, symmetric=False, method="aj")
    assert np.isfinite(D.values).sum() == 7 and D.proven.sum() == 7


def test_ctrl_c_between_small_graphs(graphs, expected, monkeypatch):
    """Rows of the matrix that are decided in C; graphs without nodes are not."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    plain, calls = Filter.edit_distances, []

    def interrupted(*given, **named):
        calls.append(given)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return plain(*given, **named)

    monkeypatch.setattr(Filter, "edit_distances", interrupted)
    D = gm.edit_distances(graphs, node_match=same, symmetric=False)
    signal.signal(signal.SIGINT, previous)
    full = [k for k, graph in enumerate(graphs) if len(graph)]
    assert D.proven[:2][:, full].all() and not D.proven[2:].any()
    assert np.array_equal(D.values[:2][:, full], expected[:2][:, full])


def test_ctrl_c_is_not_lost_in_a_pair_that_is_proven(graphs, ctrl_c_after, monkeypatch):
    """Nor in the last pair of a chunk."""
    monkeypatch.setattr(matrix, "CHUNK", 8)
    ctrl_c_after(8, status="optimal")
    D = gm.edit_distances(graphs, node_match=same, symmetric=False, method="aj")
    assert np.isfinite(D.values).sum() == 8 and D.proven.sum() == 8


def test_two_stops_in_a_row(graphs, ctrl_c_after):
    """Each ends its own call, with what is done."""
    ctrl_c_after(3, 5)
    for n_done in (2, 1):
        D = gm.edit_distances(graphs, node_match=same, symmetric=False, method="aj")
        assert np.isfinite(D.values).sum() == n_done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


ENDLESS = """
import json, os, signal, sys, threading, time
import networkx as nx
import gmtoolbox as gm
from gmtoolbox.editing import matrix
from gmtoolbox.models.attributed import as_attributed
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph
matrix.CHUNK = 2
hard = [nx.gnp_random_graph(30, 0.5, seed=k) for k in range(4)]
graphs = [nx.path_graph(4), nx.cycle_graph(4), *hard]
seen = []
def progress(done, total):
    seen.append(done)
    if len(seen) == 1:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
D = gm.edit_distances(graphs, n_jobs=2, progress=progress)
print(json.dumps([int(D.proven.sum()), seen[-1], os.listdir(sys.argv[1])]))
"""


@pytest.mark.long
def test_a_stop_reaches_all_processes(tmp_path):
    """Ctrl-C that only this process gets ends the pairs of its processes, too."""
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS, str(tmp_path)], capture_output=True, text=True, timeout=120,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    proven, last, left = json.loads(done.stdout)
    assert 3 <= proven < 36 and last < 21, done.stderr
    assert not [name for name in left if "stop" in name]


def test_save(graphs, tmp_path):
    D = gm.edit_distances(graphs[:5], node_match=same, upper_bound=4)
    D.save(tmp_path / "d.csv")
    assert np.array_equal(np.loadtxt(tmp_path / "d.csv", delimiter=","), D.values)
    D.save(tmp_path / "d.npz")
    with np.load(tmp_path / "d.npz") as read:
        assert np.array_equal(read["values"], D.values) and read["proven"].all()
    with pytest.raises(gm.InputError, match=".csv .npz"):
        D.save(tmp_path / "d.txt")


def test_names_are_no_formulas_in_csv(tmp_path):
    names = ["=1+1", "+1", "-2", "@A1", "\t=1"]
    D = gm.edit_distances([nx.path_graph(2)] * 5, names=names)
    D.save(tmp_path / "d.csv")
    lines = (tmp_path / "d.csv").read_text("utf-8").splitlines()[1:]
    header, *rows = csv.reader(lines)
    assert header == ["graph", "'=1+1", "'+1", "'-2", "'@A1", "\\t=1"]
    assert [row[0] for row in rows] == header[1:] and D.names == names


def test_no_graphs_and_bad_graphs():
    assert gm.edit_distances([]).values.shape == (0, 0)
    with pytest.raises(gm.InputError, match=r"graphs\[0\] and others\[0\] must both"):
        gm.edit_distances([nx.Graph()], [nx.DiGraph([(0, 1)])])
    with pytest.raises(gm.InputError, match=r"graphs\[1\] must be a networkx graph"):
        gm.edit_distances([nx.Graph(), 5])


def test_examples_in_docstrings():
    failed, tried = doctest.testmod(matrix)
    assert tried and not failed
