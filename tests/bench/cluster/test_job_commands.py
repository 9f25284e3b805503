"""The arguments that jobs get make the same runs as the command that submitted them."""

import numpy as np
import pytest
from inline_server import InlineServer
from sample_store import fill
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.cluster import jobs as cluster
from gmtoolbox.bench.cluster.job_commands import run_arguments
from gmtoolbox.bench.commands import plan_of
from gmtoolbox.bench.evaluate.evaluation import evaluate_runs
from gmtoolbox.bench.store.store import Store
from gmtoolbox.cli import make_parser


@pytest.mark.parametrize(
    "options",
    [
        ["-m", "fw", "quick=fm:maxiter=3", "-t", "0.1", "1e3"],
        ["-m", "fw", "--seeds", "0-3", "7", "--trials", "2", "--memory", "500", "--retry-failed"],
        ["--wall", "7.5", "--threads", "2"],
    ],
)
def test_same_tasks(tmp_path, monkeypatch, options):
    gm.save(random_problem(np.random.default_rng(0), 3, 3), tmp_path / "a.dd")
    monkeypatch.chdir(tmp_path)
    given = make_parser().parse_args(["bench", "a.dd", *options])
    words, one = run_arguments(given, 3), plan_of(given)
    monkeypatch.chdir("/")
    again = make_parser().parse_args(["run", *words, "--shard", "1/1"])
    two = plan_of(again)
    assert one.time_limits == two.time_limits and one.methods == two.methods
    assert [key for key, _ in one.tasks] == [key for key, _ in two.tasks] and again.jobs == 3
    for name in ("threads", "memory", "wall", "retry_failed", "trials"):
        assert getattr(given, name) == getattr(again, name)


def test_status_names_files_that_changed_while_the_jobs_ran(tmp_path, capsys, monkeypatch):
    """Each part solves what it reads; what two of them solved under one name is told apart."""
    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)
    monkeypatch.setattr(cluster, "start_here", lambda folder, number: 2**22 + 1)  # nobody
    store, path = str(tmp_path / "bench.db"), tmp_path / "a.mat"
    gm.save(gm.Problem.from_matrix(np.eye(4)), path)
    given = ["bench", str(path), "-m", "fw", "sm", "-t", "5", "-s", store]
    assert cli.main([*given, "--submit", "local", "--shards", "2"]) == 0
    part = ["-t", "5", "-s", str(cluster.jobs_folder(store) / "part.db")]
    for k, factor in ((1, 1), (2, 3)):
        gm.save(gm.Problem.from_matrix(factor * np.eye(4)), path)
        assert cli.main(["run", str(path), "-m", "fw", "sm", *part, "--shard", f"{k}/2"]) == 0
    capsys.readouterr()
    assert cli.main(["bench", "--status", "-s", store]) == 0
    said = capsys.readouterr()
    assert "2 of 2 runs done" in said.out and "files/a: 2 problems of this name" in said.err
    with Store(store) as merged:
        assert sorted((run.method, run.value) for run in merged.runs()) == [("fw", 2), ("sm", 6)]
        evaluation = evaluate_runs(merged.loaded())
    assert len(evaluation.problems["files"]) == 2  # no table has both in one line
    # a part that is started again runs on what the file holds now
    assert cli.main(["run", str(path), "-m", "fw", "sm", *part, "--shard", "1/2"]) == 0
    assert cli.main(["bench", "--status", "-s", store]) == 0
    with Store(store) as merged:
        values = sorted((run.method, run.value) for run in merged.runs())
    assert values == [("fw", 2), ("fw", 6), ("sm", 6)]


def test_status_of_a_store_without_jobs_prints_its_tables(tmp_path, capsys):
    store = str(tmp_path / "bench.db")
    with Store(store, write=True) as opened:
        fill(opened)
    assert cli.main(["bench", "--status", "-s", store, "--format", "gaps-csv"]) == 0
    assert capsys.readouterr().out.startswith("dataset,instance,method")
    assert cli.main(["bench", "--resubmit", "-s", store]) == 2
    assert "nothing was submitted" in capsys.readouterr().err
