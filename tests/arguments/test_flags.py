"""Every flag of the command line changes something, and is refused where it would not be used. A
new command, or a new flag, needs a line in FLAGS.
"""

import argparse
import json
import os
import re
import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import numpy as np
import pytest
import scipy.io
from arguments_of_models import coloured
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.cli import main, make_parser
from gmtoolbox.engine import registry

pytestmark = pytest.mark.usefixtures("without_pdf", "without_processes")

TESTS = Path(__file__).parents[1]
TIMES = re.compile(r"\b\d+(\.\d+)?(e-?\d+)? ?(s|ms)\b|\b\d+:\d\d\b")
CLOCK = ("time", "trace", "solver_time")
CAR, HARD, MANY = ["car.dd", "-m", "fm"], ["hard.dd", "-m", "fm"], ["many.dd"]
EXACT = ["car.dd", "-m", "aj"]
STORE = ["store.db", "-o", "p.svg"]
GRAPHS = ["one.gml", "two.gml"]
LIMIT = ["-t", "1", "--format", "runs"]
SVG = ["-o", "p.svg"]
BENCH = ["car.dd", "-m", "fm", *LIMIT]
SUBMIT = ["car.dd", "-m", "fm", "-t", "3600", "--trials", "3", "--submit", "slurm"]


class Refused(NamedTuple):
    """Words with a value that is refused, of a flag that never changes an answer."""

    words: list


# command -> flag -> words with it and, if they differ by more than the flag, words without it; or
# the file of the tests that show what it does
FLAGS = {
    "match": {
        "--method": "commands/test_pairs.py -m",
        "--time-limit": "commands/test_pairs.py -t",
        "--seed": "commands/test_pairs.py seed",
        "--labels": [*GRAPHS, "--labels"],
        "--confidence": [*GRAPHS, "--confidence"],
        "--json": [*GRAPHS, "--json"],
        "--output": [*GRAPHS, "--output", "kept.json"],
        "--plot": [*GRAPHS, "--plot", "m.svg"],
    },
    "common": {
        "--smiles": "commands/test_pairs.py --smiles",
        "--induced": [*GRAPHS, "--induced"],
        "--connected": "commands/test_pairs.py --connected",
        "--time-limit": "commands/test_pairs.py -t",
        "--json": [*GRAPHS, "--json"],
    },
    "solve": {
        "--method": (["hard.dd", "-m", "sm"], ["hard.dd", "-m", "fm"]),
        "--time-limit": ["plane.dd", "-m", "ga", "--time-limit", "0.0001"],
        "--seed": [*HARD, "--set", "maxiter=1", "--seed", "7"],
        "--complete": ["dear.dd", "-m", "fm", "--complete"],
        "--sense": ["bare.mat", "-m", "fm", "--sense", "min"],
        "--shape": ["bare.mat", "-m", "fm", "--shape", "1", "4"],
        "--set": [*HARD, "--set", "maxiter=1"],
        "--json": [*CAR, "--json"],
        "--output": [*CAR, "--output", "kept.json"],
        "--checkpoint": ([*EXACT, "--checkpoint", "car.ck"], EXACT),
        "--proof": "proofs/test_tree.py --proof",
        "--labels": [*CAR, "--labels"],
        "--confidence": [*CAR, "--confidence"],
        "--verbose": [*CAR, "--verbose"],
        "--import": (["car.dd", "-m", "mine-flag", "--import", "own.py"], CAR),
    },
    "info": {
        "--json": ["car.dd", "--json"],
        "--sense": ["bare.mat", "--sense", "min"],
        "--shape": ["bare.mat", "--shape", "1", "4"],
    },
    "methods": {"--long": ["--long"], "--for": ["--for", "car.dd"]},
    "completion": {},
    "matlab-path": {},
    "convert": {
        "--bijective": ["part.dd", "out.dd", "--bijective"],
        "--zero-unary": ["part.dd", "out.dd", "--zero-unary"],
        "--nonpositive": ["hard.dd", "out.dd", "--nonpositive"],
        "--complete": ["part.dd", "out.dd", "--complete"],
        "--sense": ["bare.mat", "out.dd", "--sense", "min"],
        "--shape": ["bare.mat", "out.dd", "--shape", "1", "4"],
    },
    "verify": {
        "--complete": ["result.json", "car.dd", "--no-complete"],
        "--sense": ["bare.json", "bare.mat", "--sense", "min"],
        "--shape": ["bare.json", "bare.mat", "--shape", "1", "4"],
    },
    "bench": {
        "--methods": (["car.dd", "-m", "fw", *LIMIT], BENCH),
        "--import": (["car.dd", "-m", "mine-flag", "--import", "own.py", *LIMIT], BENCH),
        "--time-limits": (
            ["car.dd", "-m", "fm", "-t", "1", "2"],
            ["car.dd", "-m", "fm", "-t", "1"],
        ),
        "--store": [*BENCH, "--store", "other.db"],
        "--trials": [*BENCH, "--trials", "2"],
        "--jobs": [*BENCH, "--trials", "2", "--jobs", "2"],
        "--seed": [*BENCH, "--seed", "0-1"],
        "--threads": Refused([*BENCH, "--threads", "0"]),
        "--memory": ["car.dd", "-m", "ilp", *LIMIT, "--memory", "20"],  # it loads more than others
        "--wall": (["hard.dd", "-m", "fw:restarts=100000000", "-t", "30", "--wall", "0.5"], BENCH),
        "--fresh": [*BENCH, "--store", "store.db", "--fresh"],
        "--retry-failed": [
            "wrong.dd",
            "-m",
            "fm",
            *LIMIT,
            "--store",
            "failed.db",
            "--retry-failed",
        ],
        "--merge": (["--merge", "store.db", "--format", "runs"], BENCH),
        "--format": (["car.dd", "-m", "fm", "-t", "1", "--format", "csv"], BENCH),
        "--dry-run": ["car.dd", "-m", "fm", "-t", "1", "--dry-run"],
        "--dask": "bench/cluster/test_dask_runner.py --dask",
        "--submit": ["car.dd", "-m", "fm", "-t", "1", "--submit", "slurm"],
        "--status": "bench/cluster/test_job_commands.py --status",
        "--resubmit": "bench/cluster/test_jobs.py --resubmit",
        "--shards": [*SUBMIT, "--shards", "3"],
        "--job-hours": [*SUBMIT, "--job-hours", "0.5"],
        "--sbatch": ([*SUBMIT, "--sbatch=--mem=1G"], SUBMIT),
    },
    "batch": {},
    "run": {},
    "report": {
        "--output": ["store.db", "--output", "pages"],
        "--time-limits": Refused(["store.db", "--time-limits", "0"]),
        "--published": "bench/evaluate/test_interchange.py read_published",
        "--against": ["store.db", "--against", "failed.db"],
        "--export": ["store.db", "--export", "runs.csv"],
    },
    "fetch": {"--output": "bench/test_fetch.py -o", "--page": "bench/test_fetch.py --page"},
    "plot": {
        "--method": (["plane.dd", "-m", "sm", *SVG], ["plane.dd", "-m", "fm", *SVG]),
        "--time-limit": (
            ["plane.dd", "-m", "ga", *SVG, "-t", "0.0001"],
            ["plane.dd", "-m", "ga", *SVG],
        ),
        "--seed": Refused(["car.dd", *SVG, "--seed", "x"]),
        "--kind": ["car.dd", "-m", "fm", *SVG, "--kind", "trace"],
        "--dataset": [*STORE, "--dataset", "files"],
        "--output": (["car.dd", "-m", "fm", "-o", "q.svg"], ["car.dd", "-m", "fm", *SVG]),
        "--sense": ["costs.mat", "-m", "fm", *SVG, "--sense", "min"],
        "--shape": ["six.mat", "-m", "fm", *SVG, "--shape", "2", "3"],
    },
    "distance": {
        "--smiles": (["--smiles", "CCO", "CCN"], GRAPHS),
        "--costs": ["far.gml", "away.gml", "--costs", "1,1,2,1"],
        "--node-label": [*GRAPHS, "--node-label", "colour"],
        "--edge-label": [*GRAPHS, "--edge-label", "colour"],
        "--upper-bound": ["far.gml", "away.gml", "--upper-bound", "1"],
        "--seed": Refused([*GRAPHS, "--seed", "x"]),
        "--time-limit": Refused([*GRAPHS, "--time-limit", "-1"]),
        "--path": [*GRAPHS, "--path"],
        "--json": [*GRAPHS, "--json"],
        "--plot": [*GRAPHS, "--plot", "p.svg"],
    },
    "distances": {
        "--costs": ["large", "--costs", "1,1,2,1"],
        "--node-label": ["graphs", "--node-label", "colour"],
        "--edge-label": ["graphs", "--edge-label", "colour"],
        "--upper-bound": ["large", "--upper-bound", "1"],
        "--seed": Refused(["graphs", "--seed", "x"]),
        "--time-limit": Refused(["graphs", "--time-limit", "-1"]),
        "--jobs": "commands/test_edits.py -j",
        "--output": ["graphs", "--output", "m.csv"],
        "--store": ["graphs", "--store", "pairs.jsonl"],
    },
}
# words that are refused, and the flag that the message names
REFUSED = [
    ("solve", [*MANY, "--complete"], "--complete"),
    ("solve", [*MANY, "--confidence"], "--confidence"),
    ("solve", [*MANY, "--verbose"], "--verbose"),
    ("solve", [*MANY, "--checkpoint", "x.ck"], "--checkpoint"),
    ("solve", [*CAR, "--checkpoint", "x.ck"], "checkpoint"),
    ("solve", ["car.dd", "part.dd", "--checkpoint", "x.ck"], "--checkpoint"),
    ("solve", [*MANY, "--shape", "2", "2"], "shape"),
    ("solve", [*MANY, "-m", "mgm", "sync"], "one method"),
    ("solve", [*CAR, "--json", "--verbose"], "--verbose"),
    ("solve", [*CAR, "--set", "nonsense=1"], "nonsense"),
    ("solve", [*CAR, "--sense", "max"], "sense"),
    ("solve", ["car.dd", "part.dd", "-m", "fm", "-o", "r.json"], "--output"),
    ("convert", [*MANY, "out.dd", "--bijective"], "transforms"),
    ("convert", ["car.dd", "out.dd", "--shape", "5", "5"], "shape"),
    *[
        ("plot", [*STORE, *words], words[0])
        for words in (["--method", "fm"], ["--time-limit", "1"], ["--seed", "3"])
        + (["--sense", "min"], ["--shape", "2", "2"])
    ],
    ("plot", ["car.dd", "-m", "fm", "-o", "p.svg", "--dataset", "files"], "--dataset"),
    ("plot", ["car.dd", "-m", "fm", "fw", "-o", "p.svg", "--kind", "matching"], "one method"),
    ("distance", [*GRAPHS, "--node-label", "size"], "--node-label"),
    ("distance", [*GRAPHS, "--edge-label", "size"], "--edge-label"),
    ("distance", ["--smiles", "CCO", "CCN", "--node-label", "size"], "--node-label"),
    ("distances", ["graphs", "--node-label", "size"], "--node-label"),
    *[
        ("bench", [mode, *value, *words], words[0])
        for mode, *value in (["--merge", "store.db"], ["--status"], ["--resubmit"])
        for words in (["--methods", "fm"], ["--time-limits", "1"], ["--jobs", "2"], ["--fresh"])
        + (["--dask", "tcp://x:1"], ["--shards", "2"])
    ],
    ("bench", ["car.dd", "--status"], "DATASET"),
    ("bench", ["--merge", "store.db", "--submit", "local"], "--submit"),
    ("bench", ["car.dd", "--dry-run", "--format", "csv"], "--format"),
    ("bench", ["car.dd", "--submit", "local", "--fresh"], "--fresh"),
    ("bench", ["car.dd", "--submit", "local", "--sbatch=--mem=1G"], "--sbatch"),
    ("bench", ["car.dd", "--submit", "local", "--job-hours", "1"], "--job-hours"),
    ("bench", ["car.dd", "--shards", "2"], "--shards"),
    ("bench", ["car.dd", "--job-hours", "1"], "--job-hours"),
    ("bench", ["car.dd", "--sbatch=--mem=1G"], "--sbatch"),
    ("bench", ["car.dd", "--dask", "tcp://x:1", "--jobs", "2"], "--jobs"),
]


def flags():
    """{command: its flags}."""
    choices = next(
        a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)
    ).choices
    named = lambda action: next((word for word in action.option_strings if word[:2] == "--"), None)
    return {
        command: {named(a) for a in sub._actions if a.dest != "help" and named(a)}
        for command, sub in choices.items()
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with all files of the table."""
    folder = tmp_path_factory.mktemp("flags")
    rng = np.random.default_rng(2)
    gm.save(gm.synth.car(seed=0, size=5), folder / "car.dd")
    gm.save(random_problem(rng, 9, 9, complete=True), folder / "hard.dd")
    gm.save(random_problem(rng, 3, 4, density=0.9), folder / "part.dd")
    gm.save(gm.synth.worms_multi(d=3, m=8), folder / "many.dd")
    hard = random_problem(rng, 9, 9, complete=True)
    gm.save(
        replace(hard, points1=rng.random((9, 2)), points2=rng.random((9, 2))), folder / "plane.dd"
    )
    gm.save(random_problem(rng, 3, 3, signs="positive"), folder / "dear.dd")
    gm.save(gm.Problem((2, 2), [0], [0], [1.0], complete=True), folder / "wrong.dd")
    K = np.diag([1.0, 5.0, 5.0, 2.0])
    for name, matrix in (("bare", K), ("costs", -K), ("six", np.eye(6))):
        scipy.io.savemat(folder / f"{name}.mat", {"K": matrix})
    gm.gm_solve(gm.load(folder / "car.dd"), "fm").save(folder / "result.json")
    gm.gm_solve(K, "fm").save(folder / "bare.json")
    write_graphs(folder)
    (folder / "own.py").write_text(
        "import gmtoolbox as gm\nimport numpy as np\n\n\n@gm.solver('mine-flag')\n"
        "def mine(problem):\n    '''Match in order.'''\n    return np.arange(problem.shape[0])\n"
    )
    for store, given in (("store.db", ["car.dd", "hard.dd"]), ("failed.db", ["wrong.dd"])):
        gm.gm_batch([folder / file for file in given], ["fm"], time_limit=1.0, store=folder / store)
    (folder / "sbatch").write_text('#!/bin/sh\necho "$@" > asked\necho 7\n')
    (folder / "sbatch").chmod(0o755)
    return folder


def write_graphs(folder):
    """Graphs that differ in attributes only, and graphs that differ in many edges."""
    one, two = coloured(nx.path_graph(4)), coloured(nx.path_graph(4))
    for table in (two.nodes, two.edges):
        for name in table:
            table[name]["colour"] = 1
    far = [nx.gnp_random_graph(12, 0.4, seed=seed) for seed in (1, 2)]
    for pair, names, place in (
        ((one, two), ("one.gml", "two.gml"), "graphs"),
        (far, ("far.gml", "away.gml"), "large"),
    ):
        (folder / place).mkdir()
        for graph, name in zip(pair, names, strict=True):
            nx.write_gml(graph, folder / name)
            nx.write_gml(graph, folder / place / name)


@pytest.fixture
def run(files, tmp_path, monkeypatch, capsys):
    """A function that runs a command in a copy of the folder: what it prints and writes."""

    def call(command, words, number):
        here = tmp_path / str(number)
        shutil.copytree(files, here)
        monkeypatch.chdir(here)
        monkeypatch.setenv("PATH", f"{here}:{os.environ['PATH']}")
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            try:
                status = main([command, *words])
            except SystemExit as stop:
                status = stop.code
        registry._registered.pop("mine-flag", None)
        printed = capsys.readouterr()
        known = {path.relative_to(files) for path in files.rglob("*")}
        made = {
            str(path.relative_to(here)): plain(content_of(path).replace(str(here), "HERE"))
            for path in sorted(here.rglob("*"))
            if path.is_file() and path.relative_to(here) not in known
        }
        out, err = (text.replace(str(here), "HERE") for text in printed)
        return status, plain(out), plain(err), made

    return call


@pytest.fixture(scope="module")
def known():
    """What commands without a flag say, each run once, but for a second look."""
    return {}


def content_of(path):
    """What a file says without times: of a store, a site and a picture of them that it is there."""
    text = path.read_bytes().decode(errors="replace")
    if path.suffix == ".svg" and "'pair " not in text:
        return re.search(r"<title>[^<]*", text)[0]
    return "" if path.suffix in (".db", ".html") else text


def plain(text):
    """A text without times."""
    lines = []
    for line in text.splitlines():
        try:
            found = json.loads(line)
            line = json.dumps({k: v for k, v in found.items() if k not in CLOCK})
        except (ValueError, AttributeError):
            line = TIMES.sub("TIME", line)
        lines.append(re.sub(r" +|--+", " ", line))  # columns are as wide as their times
    return lines


def test_every_flag_has_a_case():
    found = flags()
    assert found.keys() == FLAGS.keys()
    shared = {*FLAGS["bench"], *FLAGS["solve"]}
    for command, known in found.items():
        missing = known - FLAGS[command].keys()
        if command in ("batch", "run"):  # those of bench and of solve, which are shown there
            missing -= {*shared, "--shard"}
        assert not missing, f"{command} {missing}: say in FLAGS what it does"
        assert FLAGS[command].keys() <= known


def marks(command, case):
    """Benchmarks start processes, several for each case."""
    return [pytest.mark.long] if command == "bench" and not isinstance(case, (str, Refused)) else []


CHANGES = [
    pytest.param(command, flag, case, id=f"{command} {flag}", marks=marks(command, case))
    for command, table in FLAGS.items()
    for flag, case in table.items()
]


@pytest.mark.parametrize("command, flag, case", CHANGES)
def test_a_flag_changes_something(run, known, command, flag, case):
    if isinstance(case, Refused):
        assert run(command, case.words, 0)[0] == 2
        return
    if isinstance(case, str):
        case, flag = case.split()
        assert re.search(rf"[\"' ]{flag}\b", (TESTS / case).read_text("utf-8")), (
            f"{flag} is not in {case}"
        )
        return
    given, without = case if isinstance(case, tuple) else (case, without_flag(case, flag))
    place = command, *without
    if place not in known:
        known[place] = run(command, without, 0)
        assert known[place] == run(command, without, 1), "no function of its arguments"
    assert known[place] != run(command, given, 2)


def without_flag(words, flag):
    """The words before a flag; it stands last, maybe negated."""
    place = next(k for k, word in enumerate(words) if word in (flag, f"--no-{flag[2:]}"))
    return words[:place]


@pytest.mark.parametrize("command, words, named", REFUSED, ids=[f"{c} {w}" for c, w, _ in REFUSED])
def test_a_flag_that_would_not_be_used_is_refused(run, command, words, named):
    status, _, err, made = run(command, words, 0)
    assert status == 2 and len(err) == 1 and re.sub(r"--+", " ", named) in err[0]
    assert not made
