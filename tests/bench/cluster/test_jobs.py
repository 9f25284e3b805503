"""Arrays of jobs: on a real SLURM of one node, where it is installed."""

import os
import subprocess

import numpy as np
import pytest
import slurm_node
from processes import wait_until
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.cluster import jobs as cluster
from gmtoolbox.bench.run.plan import make_plan
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError

QUEUE = 120  # seconds that jobs may take
METHODS = """
import time
import gmtoolbox as gm
from gmtoolbox.core.lazy import np

@gm.solver("slow-one", family="test", paper="none")
def slow_one(problem, budget):
    '''Takes two seconds and answers the same as always.'''
    time.sleep(2)
    return gm.Outcome(labels=np.full(problem.shape[0], -1), n_iter=1)
"""


def plan(count=10, limit=(10.0,)):
    problem = random_problem(np.random.default_rng(0), 3, 3)
    return make_plan({f"p{k}": problem for k in range(count)}, "fw", time_limit=list(limit))


def test_parts_are_sized_by_the_time_limit():
    assert cluster.parts_for(plan(10, [36.0]), 1, 0.1) == 2  # 361 s in jobs of 300 s
    assert cluster.parts_for(plan(10, [36.0]), 2, 0.1) == 1
    assert cluster.parts_for(plan(3, [3600.0]), 1, 0.5) == 3  # no part without a run
    assert cluster.parts_for(plan(3), 1, 1e-6) == 1  # a job has a minute at least
    unlimited = make_plan({"p": random_problem(np.random.default_rng(0), 3, 3)}, "fw")
    with pytest.raises(InputError, match="time-limits"):
        cluster.parts_for(unlimited, 1, 1.0)


def test_script_and_refusals(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(cluster, "ask", lambda command: asked.append(command) or "77;cluster\n")
    store = tmp_path / "bench.db"
    jobs = cluster.submit(store, plan(), ["some folder"], "slurm", 4, 2, ["--mem=1G"])
    assert jobs.runs == [3, 3, 2, 2] and jobs.submitted == [{"id": "77", "parts": [1, 2, 3, 4]}]
    assert asked[0][:4] == ["sbatch", "--parsable", "--array=1,2,3,4", "--mem=1G"]
    script = (tmp_path / "bench.db.jobs" / "job.sh").read_text("utf-8")
    assert "--signal=B:TERM@60" in script and "\nexec " in script and "'some folder'" in script
    assert cluster.read_jobs(store) == jobs
    with pytest.raises(InputError, match="submitted before"):
        cluster.submit(store, plan(), [], "slurm", 4)
    with pytest.raises(InputError, match="--shards must be 1 to 10"):
        cluster.submit(tmp_path / "other.db", plan(), [], "slurm", 11)
    with pytest.raises(InputError, match="nothing was submitted"):
        cluster.read_jobs(tmp_path / "none.db")
    (tmp_path / "bench.db.jobs" / "jobs.json").write_text('{"kind": "x"}')
    with pytest.raises(InputError, match="no list of jobs"):
        cluster.read_jobs(store)


def test_no_slurm_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="sbatch: not found"):
        cluster.ask(["sbatch"])


@pytest.fixture
def problems(tmp_path, own_registry):
    folder = tmp_path / "problems"
    folder.mkdir()
    for k in range(4):
        gm.save(random_problem(np.random.default_rng(k), 4, 4), folder / f"p{k}.dd")
    (tmp_path / "mine.py").write_text(METHODS)
    return folder


def values(path):
    with Store(path) as store:
        return {run.key: (run.outcome, run.value, run.labels.tolist()) for run in store.runs()}


def some(path):
    """Whether a part has a run already."""
    return path.exists() and len(values(path)) >= 1


@pytest.mark.long
def test_jobs_of_this_computer_a_kill_and_a_resubmission(problems, tmp_path, capsys):
    store = str(tmp_path / "bench.db")
    given = ["bench", str(problems), "-m", "fw", "slow-one", "--import", str(tmp_path / "mine.py")]
    assert cli.main([*given, "-t", "5", "-j", "2", "--submit", "local", "-s", store]) == 0
    jobs = cluster.read_jobs(store)
    assert jobs.runs == [4, 4]
    victim = next(int(one["id"].split()[0]) for one in jobs.submitted if one["parts"] == [2])
    part = cluster.part_store(store, 2, 2)  # the slow method's
    wait_until(lambda: some(part), seconds=QUEUE)
    os.killpg(victim, 9)
    wait_until(lambda: not cluster.ask_queue(jobs), seconds=QUEUE)
    capsys.readouterr()
    assert cli.main(["bench", "--status", "-s", store]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "2/2 missing" in said and "1/2 done 4/4" in said and "--resubmit" in said
    assert cli.main(["bench", "--resubmit", "-s", store]) == 0
    assert "1 parts started again: 2" in capsys.readouterr().out
    wait_until(lambda: not cluster.ask_queue(cluster.read_jobs(store)), seconds=QUEUE)
    assert cli.main(["bench", "--status", "-s", store]) == 0
    said = capsys.readouterr().out
    assert "8 of 8 runs done, 0 failed" in said and "problems (5 s)" in said
    serial = str(tmp_path / "serial.db")
    assert cli.main([*given, "-t", "5", "-j", "2", "-s", serial]) == 0
    assert values(store) == values(serial) and len(values(store)) == 8


@pytest.fixture
def node(tmp_path, monkeypatch):
    """A SLURM that this process and its children talk to."""
    if not slurm_node.AVAILABLE:
        pytest.skip("wants root, slurmctld, slurmd and munge")
    try:
        with slurm_node.slurm(tmp_path / "slurm") as environment:
            for name in ("PATH", "SLURM_CONF"):
                monkeypatch.setenv(name, environment[name])
            yield environment
    except slurm_node.NoSlurm as reason:
        pytest.skip(str(reason)[:200])


@pytest.mark.long
def test_a_real_slurm_a_killed_job_and_a_resubmission(node, problems, tmp_path, capsys):
    """Three parts; one is killed while it runs, one is told to stop and keeps what it has; both are
    submitted again; every run is there once, equal to the serial ones.
    """
    store, serial = (str(tmp_path / name) for name in ("bench.db", "serial.db"))
    given = ["bench", str(problems), "-m", "slow-one", "--import", str(tmp_path / "mine.py")]
    given += ["-t", "5", "--seeds", "0-2", "-j", "1", "--shards", "3", "-s"]
    assert cli.main([*given, store, "--submit", "slurm"]) == 0
    jobs = cluster.read_jobs(store)
    number = jobs.submitted[0]["id"]
    first, second = (cluster.part_store(store, k, 3) for k in (1, 2))
    wait_until(lambda: some(first), seconds=QUEUE)
    subprocess.run(["scancel", "--signal=KILL", "--full", f"{number}_1"], check=True, timeout=60)
    wait_until(lambda: some(second), seconds=QUEUE)
    # what --signal=B:TERM@60 sends a minute before the end
    subprocess.run(["scancel", "--signal=TERM", "--batch", f"{number}_2"], check=True, timeout=60)
    wait_until(lambda: not cluster.ask_queue(jobs), seconds=QUEUE)
    log = (tmp_path / "bench.db.jobs" / "logs" / "2.log").read_text("utf-8")
    assert "stopped;" in log  # our process got the signal, and said so
    capsys.readouterr()
    assert cli.main(["bench", "--status", "-s", store]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1/3 missing" in said and "2/3 missing" in said and "3/3 done 4/4" in said
    before = values(second)
    assert cli.main(["bench", "--resubmit", "-s", store]) == 0
    jobs = cluster.read_jobs(store)
    assert jobs.submitted[1]["parts"] == [1, 2]
    wait_until(lambda: not cluster.ask_queue(jobs), seconds=QUEUE)
    assert before.items() <= values(second).items()
    capsys.readouterr()
    assert cli.main(["bench", "--status", "-s", store]) == 0
    assert "12 of 12 runs done, 0 failed" in capsys.readouterr().out
    given[given.index("-j") + 1] = "4"
    at = given.index("--shards")
    assert cli.main([*given[:at], *given[at + 2 :], serial]) == 0
    assert values(store) == values(serial) and len(values(store)) == 12
