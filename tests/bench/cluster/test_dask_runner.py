"""A real scheduler with three workers on loopback, and a SIGKILL in the middle."""

import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
from dask_cluster import AVAILABLE, dask_cluster
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.cluster.dask_runner import Gate, cut, losses
from gmtoolbox.bench.run.worker import Task
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.fingerprint import fingerprint

wants_dask = pytest.mark.skipif(not AVAILABLE, reason="wants dask.distributed")


def problems(n=4):
    return {f"p{k}": random_problem(np.random.default_rng(k), 4, 5) for k in range(n)}


def answers(runs):
    """What must not depend on where a run was made."""
    return [
        (run.key, run.outcome, run.status, run.value, run.labels.tolist(), run.options)
        for run in runs
    ]


def nap(problem, budget):
    """Takes a second and answers the same as always."""
    time.sleep(1)
    return gm.Outcome(labels=np.full(problem.shape[0], -1), n_iter=1)


def kill_the_worker(problem, budget):
    """Kills the process that started its parent."""
    with open(f"/proc/{os.getppid()}/stat") as file:
        os.kill(int(file.read().rpartition(")")[2].split()[1]), signal.SIGKILL)
    time.sleep(600)


def kill_the_parent(problem, budget):
    """Kills the server that forked it."""
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


@pytest.fixture
def own_methods(own_registry):
    """The functions above as methods test-<name>."""
    for function in (nap, kill_the_worker, kill_the_parent):
        gm.solver(f"test-{function.__name__}", family="test", paper="none")(function)


# ---- pieces


def test_chunks():
    tasks = [(k, Task(None, "m", time_limit=10.0)) for k in range(100)]
    sizes = [len(chunk) for chunk in cut(tasks, 3)]
    assert sum(sizes) == 100 and max(sizes) == 6  # a minute at most
    assert [len(chunk) for chunk in cut(tasks[:5], 3)] == [1] * 5
    assert len(cut([(0, Task(None, "m", time_limit=300.0))] * 7, 1)) == 7


def test_losses_are_what_began_and_never_ended():
    event = lambda attempt, place, what: {"attempt": attempt, "place": place, "what": what}
    events = [event("a", 0, "begins"), event("a", 0, "ends"), event("a", 1, "begins")]
    assert losses(events) == {1: 1} and losses([]) == {}
    events += [event("b", 0, "begins"), event("b", 0, "ends"), event("b", 1, "begins")]
    assert losses(events) == {1: 2}
    assert losses([*events, event("c", 2, "begins"), event("c", 2, "ends")]) == {1: 2}


def test_gate_lets_one_in_alone():
    gate, seen, most = Gate(), [], []

    def enter(alone):
        with gate.through(alone):
            seen.append(alone)
            most.append((alone, len(seen)))
            time.sleep(0.02)
            seen.remove(alone)

    threads = [threading.Thread(target=enter, args=(k % 5 == 0,)) for k in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert len(most) == 20 and all(count == 1 for alone, count in most if alone)
    assert max(count for alone, count in most if not alone) > 1


def test_no_scheduler_is_one_line(tmp_path, capsys, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("gmtoolbox.engine.dask_client.CONNECT", 1.0)
    gm.save(problems(1)["p0"], tmp_path / "a.dd")
    store = str(tmp_path / "s.db")
    given = ["bench", str(tmp_path / "a.dd"), "-m", "fw", "-t", "1", "-s", store]
    assert cli.main([*given, "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "no Dask scheduler answers" in capsys.readouterr().err


# ---- a real cluster


@pytest.mark.long
@wants_dask
def test_a_killed_worker_loses_nothing(own_methods, tmp_path):
    """Every row once, equal to the serial run."""
    methods, store = ["fw", "test-nap"], tmp_path / "s.db"
    arguments = dict(time_limit=10, seed=[0, 1])
    serial = gm.gm_batch(problems(), methods, n_jobs=8, **arguments)
    with dask_cluster(tmp_path, workers=3) as (address, pids):
        killer = threading.Timer(2.0, os.kill, (pids[0], signal.SIGKILL))
        killer.start()
        runs = gm.gm_batch(problems(), methods, cluster=address, store=store, **arguments)
        killer.cancel()
        assert not os.path.exists(f"/proc/{pids[0]}/cmdline") or alive_state(pids[0]) == "Z"
        with Store(store) as opened:
            assert len(opened.runs()) == len(runs) == 16
        assert answers(runs) == answers(serial)
        again = gm.gm_batch(problems(), methods, cluster=address, store=store, **arguments)
        changed = {"p0": problems()["p1"], "p1": random_problem(np.random.default_rng(9), 4, 5)}
        other = gm.gm_batch(changed, ["fw"], cluster=address, store=store, **arguments)
    assert [run.started for run in again] == [run.started for run in runs]
    started = {run.started for run in runs}  # p0 is p1 now, which is known; p1 is new
    assert [(run.instance, run.started in started) for run in other] == [
        ("p0", True), ("p0", True), ("p1", False), ("p1", False)
    ]  # fmt: skip
    assert {run.problem for run in other if run.instance == "p1"} == {fingerprint(changed["p1"])}
    assert all(run.host and run.cpu for run in runs)


def alive_state(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


@wants_dask
@pytest.mark.slow
def test_who_kills_is_recorded_and_neighbours_are_not_blamed(own_methods, tmp_path):
    """Workers with two threads each, so that the innocent run beside the guilty ones."""
    methods = ["test-nap", "test-kill_the_worker", "test-kill_the_parent", "fw"]
    with dask_cluster(tmp_path, workers=2, threads=2, nanny=True) as (address, _):
        runs = gm.gm_batch(problems(2), methods, cluster=address, time_limit=5)
    outcomes = {(run.method, run.outcome) for run in runs}
    assert outcomes == {
        ("test-nap", "ok"),
        ("fw", "ok"),
        ("test-kill_the_worker", "crash"),
        ("test-kill_the_parent", "crash"),
    }
    reasons = {run.method: run.reason for run in runs if run.outcome == "crash"}
    assert reasons["test-kill_the_worker"] == "its worker was lost 2 times while it ran"
    assert reasons["test-kill_the_parent"] == "its process was killed 2 times"


@wants_dask
def test_from_the_command_line_with_files(tmp_path, capsys):
    folder = tmp_path / "problems"
    folder.mkdir()
    for name, problem in problems(3).items():
        gm.save(problem, folder / f"{name}.dd")
    store = str(tmp_path / "s.db")
    with dask_cluster(tmp_path, workers=1) as (address, _):
        given = ["bench", str(folder), "-m", "fw", "sm", "-t", "5", "-s", store, "--dask", address]
        assert cli.main(given) == 0
    said = capsys.readouterr()
    assert "problems (5 s)" in said.out and "6 runs, 0 of them done before, 1 at a time" in said.err
    with Store(store) as opened:
        assert {run.outcome for run in opened.runs()} == {"ok"} and len(opened.runs()) == 6
        assert all(row.n1 == 4 for row in opened.instances())


def test_without_dask_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install distributed"):
        gm.gm_batch(problems(1), "fw", cluster="tcp://127.0.0.1:1")
