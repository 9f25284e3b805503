"""What a benchmark will cost: counted, at most, and by what the store tells."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.run.estimate import OVERHEAD, describe_estimate, estimate
from gmtoolbox.bench.run.plan import make_plan
from gmtoolbox.bench.run.runner import Settings
from gmtoolbox.bench.store.store import Store

PROBLEMS = {f"p{k}": random_problem(np.random.default_rng(k), 3, 3) for k in range(3)}


@pytest.mark.usefixtures("without_processes")
def test_counts_and_bounds(tmp_path):
    plan = make_plan(PROBLEMS, ["fw", "sm"], time_limit=[1, 10], seed=(0, 1), trials=2)
    found = estimate(plan, None, Settings(n_jobs=4))
    assert (found.total, found.to_run) == (24, 24) and found.probably is None
    assert found.at_most == 24 * (10 + OVERHEAD) / 4
    assert "2 methods x 3 instances x 2 seeds x 2 trials = 24 runs" in describe_estimate(
        plan, found
    )
    gm.gm_batch(PROBLEMS, "fw", time_limit=10, store=tmp_path / "s.db")
    with Store(tmp_path / "s.db") as store:
        found = estimate(plan, store, Settings())
        walls = [run.wall for run in store.runs()]
    assert (found.to_run, found.known) == (21, 9)
    assert abs(found.probably - (9 * np.mean(walls) + 12 * (10 + OVERHEAD))) < 1e-9
    unlimited = make_plan(PROBLEMS, "fw")
    assert "no time limit" in describe_estimate(unlimited, estimate(unlimited, None, Settings()))


def test_dry_run_writes_nothing(tmp_path, capsys):
    gm.save(PROBLEMS["p0"], tmp_path / "a.dd")
    store = tmp_path / "s.db"
    given = ["bench", str(tmp_path / "a.dd"), "-m", "fw", "-t", "2", "-s", str(store), "--dry-run"]
    assert cli.main(given) == 0
    said = capsys.readouterr().out
    assert "= 1 runs, 0 of them done" in said and "at most: 0:00:02" in said
    assert not store.exists()
