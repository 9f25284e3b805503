"""bench, run --shard and bench --merge from the command line."""

import json
import os
import re
import shlex
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inline_server import InlineServer
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.fingerprint import fingerprint

pytestmark = pytest.mark.usefixtures("without_pdf")


@pytest.fixture
def dataset(tmp_path):
    """Two small instances with optimum and ground truth, as a folder."""
    folder = tmp_path / "data" / "tiny"
    folder.mkdir(parents=True)
    for k in (1, 2):
        gm.save(random_problem(np.random.default_rng(k), 4, 4), folder / f"tiny{k}.dd")
        (folder / f"tiny{k}.json").write_text(
            json.dumps({"optimum": -1.0, "ground_truth": [0, 1, None, 3]})
        )
    (folder / "dataset.json").write_text(
        json.dumps({"dataset": "tiny", "complete": True, "instances": ["tiny1", "tiny2"]})
    )
    return folder


def answers(path):
    with Store(path) as store:
        return [(run.key, run.value, run.labels.tolist()) for run in store.runs()]


def test_a_changed_instance_is_run_again_and_told_apart(dataset, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)
    store = str(tmp_path / "s.db")
    command = ["bench", str(dataset), "-m", "sm", "fw", "-t", "5", "-s", store]
    assert cli.main(command) == 0
    first = answers(store)
    changed = random_problem(np.random.default_rng(7), 4, 5)
    gm.save(changed, dataset / "tiny1.dd")
    capsys.readouterr()
    assert cli.main([*command, "--dry-run"]) == 0
    assert "4 runs, 2 of them done" in capsys.readouterr().out
    assert cli.main(command) == 0
    said = capsys.readouterr()
    assert (
        "tiny/tiny1: the store has another problem" in said.err
        and "problems of this name" not in said.err
    )
    with Store(store) as opened:
        runs = opened.runs()
        loaded = opened.loaded()
    assert len(runs) == 6 and all(one in answers(store) for one in first)
    new = replace(changed, complete=True)
    (names,) = loaded.shared.values()
    assert f"tiny1 [{fingerprint(new)[:6]}]" in names and len(names) == 2
    assert cli.main(["bench", "--merge", store, "-s", str(tmp_path / "all.db")]) == 0
    said = capsys.readouterr()
    assert "tiny/tiny1: 2 problems of this name" in said.err
    (row,) = [row for row in loaded.instances() if row.problem == fingerprint(new)]
    assert (row.n2, row.optimum) == (5, -1.0)
    site, exported = tmp_path / "site", tmp_path / "all.csv"
    assert cli.main(["report", store, "-o", str(site), "--export", str(exported)]) == 0
    assert exported.read_text("utf-8").count("tiny1 [") == 4


def test_an_interrupted_look_at_files_leaves_the_store_alone(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)
    command = ["bench", str(dataset), "-m", "sm", "-t", "5", "-s", str(tmp_path / "s.db")]
    assert cli.main(command) == 0
    before = answers(tmp_path / "s.db")
    plain = InlineServer.run

    def interrupted(self, task, *rest):
        os.kill(os.getpid(), signal.SIGINT)
        return plain(self, task, *rest)

    monkeypatch.setattr(InlineServer, "run", interrupted)
    assert cli.main(command) == 130
    assert answers(tmp_path / "s.db") == before


@pytest.mark.usefixtures("without_processes")
def test_bench_then_shards_then_merge_agree(dataset, tmp_path, capsys):
    common = ["--methods", "sm", "fw", "--time-limits", "1", "5"]
    assert (
        cli.main(["bench", str(dataset.parent), *common, "--store", str(tmp_path / "whole.db")])
        == 0
    )
    for k in (1, 2):
        command = f"run {dataset} --shard {k}/2 --store {tmp_path}/part.db"
        assert cli.main([*command.split(), *common]) == 0
    parts = [str(tmp_path / f"part.{k}-of-2.db") for k in (1, 2)]
    assert cli.main(["bench", "--merge", *parts, "--store", str(tmp_path / "merged.db")]) == 0
    printed = capsys.readouterr().out
    assert "tiny (1 s)" in printed and "tiny (5 s)" in printed and "acc" in printed
    assert len(answers(tmp_path / "whole.db")) == 4
    assert answers(tmp_path / "merged.db") == answers(tmp_path / "whole.db")
    with Store(tmp_path / "merged.db") as store:
        rows = store.instances()
    assert [
        (row.instance, row.optimum, row.complete, row.n1, row.ground_truth) for row in rows
    ] == [(f"tiny{k}", -1.0, True, 4, [[0], [1], [], [3]]) for k in (1, 2)]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--shard", "3/2"],
        ["run", "--shard", "x"],
        ["bench", "no/such/folder"],
        ["bench", "--methods", "no"],
    ],
)
def test_errors_are_one_line(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GMTOOLBOX_DATA", raising=False)
    try:
        status = cli.main(arguments)
    except SystemExit as stop:
        status = stop.code
    assert status == 2 and capsys.readouterr().err.count("\n") == 1


@pytest.mark.usefixtures("without_processes")
def test_report_writes_site_and_exports(dataset, tmp_path, capsys):
    store = tmp_path / "s.db"
    command = f"bench {dataset} --methods sm --time-limits 1 --store {store} --format runs"
    assert cli.main(command.split()) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["tiny1", "sm"],
        ["tiny2", "sm"],
    ]
    exports = [str(tmp_path / name) for name in ("runs.csv", "runs.h5", "runs.mat", "benchmark")]
    assert cli.main(["report", str(store), "-o", str(tmp_path / "site"), "--export", *exports]) == 0
    assert Path(capsys.readouterr().out.strip()) == tmp_path / "site" / "index.html"
    assert (
        all(Path(path).exists() for path in exports)
        and (tmp_path / "site" / "dataset-tiny.html").exists()
    )

    merged = tmp_path / "merged.db"  # the study's layout, read back, gives the same tables
    command = f"bench --merge {exports[-1]} --store {merged} {dataset} --format csv"
    assert cli.main(command.split()) == 0
    again = capsys.readouterr().out.replace(",inf,", ",1,")
    assert cli.main(f"bench --merge {store} --store {tmp_path}/other.db --format csv".split()) == 0
    assert capsys.readouterr().out == again


@pytest.mark.long
def test_bench_shows_what_was_asked_for(dataset, tmp_path, capsys):
    """A bigger store prints the asked part only; several limits, seeds and variants are shown; the
    report afterwards has the same limits; no lock stays.
    """
    store = str(tmp_path / "s.db")
    assert cli.main(["bench", str(dataset), "-m", "sm", "fw", "-t", "2", "-s", store]) == 0
    capsys.readouterr()
    variants = ["fm:maxiter=2", "long=fm:maxiter=20"]
    given = ["bench", str(dataset), "--method", *variants, "-t", "0.5", "2", "--seeds", "0-1"]
    assert cli.main([*given, "-s", store]) == 0
    said = capsys.readouterr().out
    assert "tiny (0.5 s)" in said and "tiny (2 s)" in said and "sd" in said.splitlines()[1]
    assert [line.split()[0] for line in said.splitlines()[3:5]] == variants[:1] + ["long"]
    assert "sm " not in said and "fw " not in said
    assert cli.main(["report", store, "-o", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "dataset-tiny.html").read_text("utf-8")
    assert "value='0.5'" in page and "value='2' checked" in page and "value='1'" not in page
    assert not list(tmp_path.glob("*.lock"))
    with Store(store) as opened:
        first, second = opened.commands()
    assert first.time_limits == [2.0] and second.time_limits == [0.5, 2.0]
    assert second.command.startswith("gmtoolbox bench ") and "'--seeds'" not in second.command


@pytest.mark.parametrize("page", ["bench.md", "clusters.md", "data.md", "matlab.md"])
def test_lines_of_the_docs_are_commands(page):
    """What the pages tell to type is understood."""
    text = (Path(__file__).parents[2] / "docs" / page).read_text("utf-8")
    examples = re.findall(r"```sh\n(.*?)```", text, re.S)
    lines = [line for text in examples for line in text.replace("\\\n", " ").splitlines()]
    typed = [shlex.split(line, comments=True) for line in lines if line.startswith("gmtoolbox ")]
    assert typed
    for words in typed:
        cli.make_parser().parse_args(words[1:])
