"""Every kind of bad input gets one clear error: class, file, line, field, rule, value. Nothing is
half done.

The formats' own tests (tests/io) go through their fields one by one; here is what a user meets at
the top: gm_solve, load, save and the command line.
"""

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.cli import main

DD = "p 2 2 3 1\na 0 0 0 1\na 1 0 1 2\na 2 1 1 3\ne 0 2 -1\n"
ROOM = "c room for one more line\n"

FILES = {  # name: (content, line, message)
    "truncated in a line": (DD[: DD.index("a 2") + 5] + 20 * " ", 4, "s is missing"),
    "truncated early": (
        DD[: DD.index("a 2")],
        1,
        "#a = 3, more than the file has room for; is it cut off?",
    ),
    "truncated between lines": (
        DD[: DD.index("e 0")] + 20 * "\n",
        1,
        "#e = 1 edges, the file has 0; is it cut off?",
    ),
    "truncated gzip": (gzip.compress(DD.encode())[:-12], None, "cannot be decompressed"),
    "binary": (bytes(range(256)) * 4, 1, "first line of content must be the prologue"),
    "binary inside": (
        DD.encode().replace(b"a 2 1 1 3", b"\xff\x00\x01\x02      "),
        4,
        "unknown line type",
    ),
    "fewer assignments than announced": (
        DD.replace("p 2 2 3", "p 2 2 4") + ROOM,
        1,
        "#a = 4 assignments, the file has 3",
    ),
    "more assignments than announced": (
        DD.replace("p 2 2 3", "p 2 2 2"),
        4,
        "id must be in 0..1, got 2|more than the 2",
    ),
    "fewer edges than announced": (
        DD.replace("3 1\na", "3 2\na", 1) + ROOM,
        1,
        "#e = 2 edges, the file has 1",
    ),
    "more edges than announced": (DD + "e 0 2 1\n", 6, "more than the 1 edges"),
    "id out of range": (DD.replace("a 2 1 1", "a 7 1 1"), 4, "id must be in 0..2, got 7"),
    "node out of range": (DD.replace("a 2 1 1", "a 2 9 1"), 4, "i must be in 0..1, got 9"),
    "negative label": (DD.replace("a 2 1 1", "a 2 1 -1"), 4, "s must be in 0..1, got -1"),
    "repeated id": (DD.replace("a 2 1 1", "a 1 1 1"), 4, "id 1 was given before"),
    "repeated assignment": (
        DD.replace("a 2 1 1", "a 2 0 1"),
        4,
        "(0, 1) was given in line 3 already",
    ),
    "edge to nowhere": (DD.replace("e 0 2", "e 0 3"), 5, "id2 must be in 0..2, got 3"),
    "NaN": (DD.replace("e 0 2 -1", "e 0 2 nan"), 5, "cost must be finite, got nan"),
    "inf on an edge": (DD.replace("e 0 2 -1", "e 0 2 inf"), 5, "cost must be finite, got inf"),
    "-inf on an assignment": (
        DD.replace("a 2 1 1 3", "a 2 1 1 -inf"),
        4,
        "cost must be finite, got -inf",
    ),
    "no assignments": ("p 2 2 0 0\n", None, "at least one candidate"),
    "no nodes": ("p 0 0 0 0\n", None, "shape must be two positive integers"),
    "empty file": ("", None, "must be the prologue"),
}


@pytest.mark.parametrize("name", FILES)
def test_dd_files(tmp_path, capsys, name):
    content, line, message = FILES[name]
    path = tmp_path / "bad.dd"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(gm.FileFormatError) as caught:
        gm.gm_solve(path, "fw")
    text = str(caught.value)
    assert caught.value.line == line and text.startswith(
        f"{path}:{line}: " if line else f"{path}: "
    )
    assert any(part in text for part in message.split("|")) and "\n" not in text
    assert main(["solve", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err == f"gmtoolbox: error: {text}\n"


@pytest.mark.parametrize(
    "header", [f"p 2 2 {10**12} 1", f"p 2 2 3 {10**12}", f"p {10**12} 2 3 1", f"p 2 2 {10**20} 1"]
)
def test_huge_claims_are_refused_before_allocating(tmp_path, header):
    path = tmp_path / "huge.dd"
    path.write_text(DD.replace("p 2 2 3 1", header))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(gm.FileFormatError, match="huge.dd:1: "):
        gm.load(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kB


MATRICES = [
    (np.ones((3, 4)), {}, "K must be a square matrix, got shape (3, 4)"),
    (np.ones(4), {}, "K must be a square matrix, got shape (4,)"),
    (np.ones((6, 6)), {}, "6 rows, which is no perfect square: give shape=(n1, n2) or Ct"),
    (np.ones((6, 6)), {"shape": (2, 2)}, "shape = (2, 2) asks for n1*n2 = 4"),
    (np.ones((6, 6)), {"shape": (2, 3, 1)}, "shape must be two positive integers"),
    (np.ones((6, 6)), {"shape": (2.5, 3)}, "shape must be two positive integers"),
    (np.ones((6, 6)), {"shape": (-2, -3)}, "shape must be two positive integers"),
    (np.ones((6, 6)), {"Ct": np.ones((2, 2))}, "Ct of shape (2, 2) asks for n1*n2 = 4"),
    (
        np.ones((6, 6)),
        {"shape": (2, 3), "Ct": np.ones((3, 2))},
        "Ct must have shape (n1, n2) = (2, 3), got (3, 2)",
    ),
    (np.ones((4, 4)), {"Ct": np.full((2, 2), 0.5)}, "Ct must hold only 0 and 1"),
    (np.ones((4, 4)), {"Ct": np.zeros((2, 2))}, "at least one candidate"),
    (np.zeros((0, 0)), {}, "K must not be empty"),
    (sparse.csr_array((0, 0)), {}, "K must not be empty"),
    (1j * np.ones((4, 4)), {}, "K must be real, got complex128"),
    (sparse.csr_array(1j * np.eye(4)), {}, "K must be real, got complex128"),
    (np.full((4, 4), 2**60), {}, "must stay within 2**53"),
    (np.array([["a"]]), {}, "K must be a numeric matrix"),
    (np.array([[None]]), {}, "K must be a numeric matrix"),
    (np.full((4, 4), np.nan), {}, "K[0, 0] is NaN"),
    (np.where(np.eye(4), 0, -np.inf), {}, "only the diagonal may be infinite"),
    (np.diag([np.inf, 0, 0, 0]), {}, "K must not hold +inf"),
    (np.diag([-np.inf, 0, 0, 0]), {"sense": "min"}, "K must not hold -inf"),
    (np.diag([-np.inf] * 4), {}, "at least one candidate"),
    (np.ones((4, 4)), {"sense": "up"}, "sense must be 'min' or 'max', got 'up'"),
]


@pytest.mark.parametrize("K, options, message", MATRICES)
def test_matrices(K, options, message):
    with pytest.raises(gm.InputError) as caught:
        gm.gm_solve(K, "fw", **options)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_integer_matrices_are_welcome():
    K = np.arange(16).reshape(4, 4)
    for M in (K, K.astype(np.uint8), sparse.csr_array(K), K > 3):
        assert (
            gm.gm_solve(M, "fw").value
            == gm.gm_solve(np.asarray(M.toarray() if sparse.issparse(M) else M, float), "fw").value
        )


def test_nodes_without_candidates():
    lonely = gm.Problem((3, 3), [0, 1], [0, 1], [-1.0, -1.0])
    assert gm.gm_solve(lonely, "fw").labels.tolist() == [0, 1, -1]
    with pytest.raises(
        gm.InfeasibleError, match="asks for 3 matched pairs, but the allowed pairs admit only 2"
    ):
        gm.gm_solve(lonely, "fw", complete=True)


CALLS = [
    (
        lambda K: gm.gm_solve(K, "rwrm"),
        gm.UnknownMethodError,
        "unknown method 'rwrm' (did you mean 'rrwm'?)",
    ),
    (lambda K: gm.gm_solve(K, K), gm.InputError, "gm.models.from_graphs(G, H)"),
    (lambda K: gm.gm_solve(K, ["fm", "sm"]), gm.InputError, "takes one problem and one method"),
    (lambda K: gm.assign([[1, 2], [3]]), gm.InputError, "rows have one length, got [[1, 2], [3]]"),
    (
        lambda K: gm.assign([[np.inf] * 2] * 2),
        gm.InfeasibleError,
        "unmatched= lets nodes stay free",
    ),
    (lambda K: gm.gm_solve_multi([K, K]), gm.InputError, "a dict {(0, 1): Problem, ...}"),
    (
        lambda K: gm.gm_solve(K, "rrwm", time_limit=-1),
        gm.InputError,
        "time_limit must be a positive number of seconds, got -1",
    ),
    (
        lambda K: gm.gm_solve(K, "rrwm", maxitr=3),
        gm.OptionError,
        "no option 'maxitr' (did you mean 'maxiter'?)",
    ),
    (
        lambda K: gm.gm_solve(K, "rrwm", maxiter=0),
        gm.OptionError,
        "option 'maxiter' of 'rrwm' must be int at least 1, got 0",
    ),
    (
        lambda K: gm.gm_solve(K, "rrwm", maxiter="many"),
        gm.OptionError,
        "must be int at least 1, got 'many'",
    ),
    (lambda K: gm.gm_solve(K, "rrwm", seed=-1), gm.InputError, "seed must be an integer"),
    (
        lambda K: gm.gm_solve("missing.xyz", "rrwm"),
        gm.InputError,
        "missing.xyz: unknown file type of a problem; known are .dd",
    ),
    (lambda K: gm.gm_solve("missing.dd", "rrwm"), FileNotFoundError, "missing.dd"),
    (lambda K: gm.gm_solve("costs.csv"), gm.InputError, "gm.assign and models.from_costs read"),
    (lambda K: gm.load("."), gm.FileFormatError, ".: a folder without multi.json"),
    (lambda K: gm.gm_solve(None), gm.InputError, "gm_solve takes a Problem, the path of a file"),
    (lambda K: gm.gm_solve({}), gm.InputError, "square matrix K of numbers, got dict"),
    (
        lambda K: gm.gm_solve([gm.synth.car(size=5)]),
        gm.InputError,
        "got list; gm_solve_many takes a list of them",
    ),
    (lambda K: gm.gm_solve(K, seeds={0: 0}), gm.OptionError, "of gm.models.from_graphs and from_p"),
    (
        lambda K: gm.models.from_points([[0, 0]], [[1, 1]], descriptors1=[[1]]),
        TypeError,
        "(did you mean 'F1'?)",
    ),
    (lambda K: gm.gm_batch(K, "fm", seeds=[1]), TypeError, "no argument 'seeds' (did you mean 's"),
    (lambda K: gm.gm_batch(K, "fm", timeout=1), TypeError, "(did you mean 'time_limit'?)"),
    (lambda K: gm.gm_solve_multi(K, verbose=1), TypeError, "(did you mean 'progress'?)"),
    (lambda K: gm.edit_distances([], timelimit=1), gm.InputError, "(did you mean 'time_limit'?)"),
    (lambda K: gm.load("missing.mat"), FileNotFoundError, "missing.mat"),
    (lambda K: gm.load("missing.h5"), FileNotFoundError, "missing.h5"),
    (lambda K: gm.assign(K[0, 0]), gm.InputError, "with a row and a column, got 1.0"),
    (lambda K: gm.save("K.dd", K), gm.InputError, "the order is save(what, path)"),
    (lambda K: gm.accuracy(3, [0]), gm.InputError, "labels must be a list, got 3"),
    (
        lambda K: gm.accuracy([0], gm.Problem((1, 1), [0], [0], [1.0])),
        gm.InputError,
        "the problem has no ground_truth",
    ),
    (lambda K: gm.synchronise([[0]], (2, 2)), gm.InputError, "matchings must be a dict"),
    (lambda K: gm.synchronise({}, 2), gm.InputError, "sizes must be a list, got 2"),
    (lambda K: gm.synchronise({}, (2, "2")), gm.InputError, "sizes must be an array of whole"),
    (lambda K: gm.synchronise({}, (2, -1)), gm.InputError, "sizes must be the number of nodes"),
    (lambda K: gm.track_cells(None), gm.InputError, "sessions must be a list, got None"),
    (lambda K: gm.track_cells(K, verbose=1), TypeError, "no argument 'verbose'"),
    (lambda K: gm.common_core(K, timelimit=1), TypeError, "(did you mean 'time_limit'?)"),
    (lambda K: gm.is_isomorphic(K, K, timelimit=1), TypeError, "(did you mean 'time_limit'?)"),
    (lambda K: gm.automorphisms(K, timelimit=1), TypeError, "(did you mean 'time_limit'?)"),
    (lambda K: gm.models.from_costs(K, unmatched="x"), gm.InputError, "unmatched must be a number"),
    (lambda K: gm.accuracy([0], None), gm.InputError, "ground_truth must be a list, got None"),
    (lambda K: gm.track_f1(3, [[0]]), gm.InputError, "tracks must be a list, got 3"),
    (lambda K: gm.edit_distances(3), gm.InputError, "graphs must be a list, got 3"),
    (lambda K: gm.edit_distances([], names=3), gm.InputError, "names must be a list, got 3"),
    (lambda K: gm.GraphCollection(3), gm.InputError, "graphs must be a list, got 3"),
    (lambda K: gm.track_cells([K[:, :2]] * 2, areas=3), gm.InputError, "areas must be a list"),
    (lambda K: gm.gm_batch([K], ["fw"], memory="1 GB"), gm.InputError, "memory must be a positive"),
    (
        lambda K: gm.maximum_common_subgraph(K, K, time_limit="x"),
        gm.InputError,
        "time_limit must be a positive number of seconds, got 'x'",
    ),
    (lambda K: gm.models.knn_edges(K, 2.5), gm.InputError, "k must be a positive integer, got 2.5"),
    (lambda K: gm.models.gaussian("x"), gm.InputError, "sigma must be a number, got 'x'"),
    (
        lambda K: gm.models.from_distances([[0]], [[0, 0]], threshold=np.nan),
        gm.InputError,
        "threshold must be finite",
    ),
    (
        lambda K: gm.models.multi_from_points([K[:, :2]] * 2, unary="x"),
        gm.InputError,
        "unary must be a number",
    ),
    (
        lambda K: gm.models.multi_from_points([K[:, :2]] * 2, pair="from_points"),
        gm.InputError,
        "pair must be a function",
    ),
    (
        lambda K: gm.models.from_feature_sets([K, K], candidates=0),
        gm.InputError,
        "candidates must be a positive integer",
    ),
    (lambda K: gm.plot.trace(K[0, 0]), gm.InputError, "traces must be a list"),
    (lambda K: gm.plot.profile(None), gm.InputError, "curves must be a list"),
    (lambda K: gm.plot.tracks(3, K), gm.InputError, "points must be a list"),
    (lambda K: gm.plot.tracks([K[:, :2]], [[0]]), gm.InputError, "tracks must hold one number for"),
    (
        lambda K: gm.plot.tracks([K[:, :2]], [[0, 1, 2, 3]], truth=[[0], [1]]),
        gm.InputError,
        "truth must hold one number for each node of 1 graphs",
    ),
    (
        lambda K: gm.load("missing.dd", key="K"),
        gm.InputError,
        "key= goes with .mat and .h5 files only",
    ),
]


@pytest.mark.parametrize("call, error, message", CALLS)
def test_calls(call, error, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        call(np.ones((4, 4)))
    assert message in str(caught.value)


def test_a_wrong_name_has_a_suggestion():
    """Python makes it from the name and the object of the error."""
    with pytest.raises(AttributeError) as caught:
        _ = gm.solvee
    assert caught.value.name == "solvee" and caught.value.obj is gm


def flagged():
    """{flag: a call with another value of it}."""
    import networkx as nx

    from gmtoolbox.compat.graspologic import graph_match
    from gmtoolbox.compat.pygmtools import sinkhorn

    A, G, p = np.eye(3), nx.path_graph(3), gm.synth.car(size=4)
    scipy = gm.quadratic_assignment
    return {
        "assign maximize": lambda flag: gm.assign(A, maximize=flag),
        "from_costs maximize": lambda flag: gm.models.from_costs(A, maximize=flag),
        "quadratic_assignment maximize": lambda flag: scipy(A, A, options={"maximize": flag}),
        "quadratic_assignment shuffle_input": lambda flag: scipy(
            A, A, options={"shuffle_input": flag}
        ),
        "graph_match maximize": lambda flag: graph_match(A, A, maximize=flag),
        "graph_match shuffle_input": lambda flag: graph_match(A, A, shuffle_input=flag),
        "sinkhorn dummy_row": lambda flag: sinkhorn(A, dummy_row=flag),
        "evaluate outliers": lambda flag: gm.evaluate([0], [0], outliers=flag),
        "from_graphs directed": lambda flag: gm.models.from_graphs(G, G, directed=flag),
        "Graph directed": lambda flag: gm.Graph([0, 1], [(0, 1)], directed=flag),
        "matching outliers": lambda flag: gm.plot.matching(p, outliers=flag),
        "matching stacked": lambda flag: gm.plot.matching(p, stacked=flag),
        "matching edges": lambda flag: gm.plot.matching(p, edges=flag),
        "edit_distances resume": lambda flag: gm.edit_distances([G], resume=flag),
        "search resume": lambda flag: gm.search(G, [G], k=1, resume=flag),
        "gm_batch resume": lambda flag: gm.gm_batch([p], ["fw"], resume=flag),
        "gm_batch retry_failed": lambda flag: gm.gm_batch([p], ["fw"], retry_failed=flag),
        "gm_batch progress": lambda flag: gm.gm_batch([p], ["fw"], progress=flag),
        "sparse hard": lambda flag: gm.synth.sparse(size=5, candidates=4, hard=flag),
    }


@pytest.mark.parametrize("flag", flagged())
def test_a_flag_is_true_or_false(flag):
    """maximize="min" is a text, which is true; it must not maximise."""
    call, name = flagged()[flag], flag.split()[1]
    for value in ("min", 2):
        with pytest.raises(gm.InputError, match=f"^{name} must be True or False, got"):
            call(value)


@pytest.mark.long
def test_writing_is_atomic_when_the_process_dies(tmp_path):
    """Killed in the middle of a save, the old file is still the old file."""
    script = """
import os, sys
import gmtoolbox as gm
from gmtoolbox.io import files
real = os.replace
os.replace = lambda *_: os._exit(9)
gm.save(gm.synth.car(seed=0, size=6), sys.argv[1])
"""
    for name in ("x.dd", "x.h5"):
        path = tmp_path / name
        path.write_bytes(b"old")
        environment = {**os.environ, "PYTHONPATH": str(Path(gm.__file__).parent.parent)}
        done = subprocess.run(
            [sys.executable, "-c", script, str(path)], env=environment, timeout=120
        )
        assert done.returncode == 9 and path.read_bytes() == b"old"
