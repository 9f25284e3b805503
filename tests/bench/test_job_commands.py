"""The arguments that jobs get make the same runs as the command that submitted them."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.bench.commands import plan_of
from gmtoolbox.bench.job_commands import run_arguments
from gmtoolbox.cli import parser


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
    given = parser().parse_args(["bench", "a.dd", *options])
    words, one = run_arguments(given, 3), plan_of(given)
    monkeypatch.chdir("/")
    again = parser().parse_args(["run", *words, "--shard", "1/1"])
    two = plan_of(again)
    assert one.time_limits == two.time_limits and one.methods == two.methods
    assert [key for key, _ in one.tasks] == [key for key, _ in two.tasks] and again.jobs == 3
    for name in ("threads", "memory", "wall", "retry_failed", "trials"):
        assert getattr(given, name) == getattr(again, name)
