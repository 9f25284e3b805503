"""Runs in processes of their own: what crashes, hangs or eats memory loses itself only; kill and
resume lose nothing.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from inline_server import InlineServer
from processes import wait_until
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError

METHODS = ["fw", "sm"]


TIMING = {"time", "wall", "load", "started", "memory", "trace", "snapshots", "labels"}


def problems(n=3):
    return {f"p{k}": random_problem(np.random.default_rng(k), 4, 5) for k in range(n)}


def rows(runs):
    """What must not depend on time, load or the number of jobs."""
    for run in runs:
        assert run.labels is None or run.labels.dtype == np.int32
    plain = lambda run: {
        name: getattr(run, name) for name in run.__dataclass_fields__ if name not in TIMING
    }
    return [
        (
            plain(run),
            None if run.labels is None else run.labels.tolist(),
            run.trace["value"].tolist(),
        )
        for run in runs
    ]


def test_batch_equals_single_solves():
    runs = gm.gm_batch(problems(), METHODS, time_limit=10, trials=2, n_jobs=2)
    assert [(run.instance, run.method, run.trial) for run in runs] == [
        (f"p{k}", m, t) for k in range(3) for m in METHODS for t in (1, 2)
    ]
    for run in runs:
        alone = gm.gm_solve(problems()[run.instance], run.method, time_limit=10)
        assert (
            run.outcome == "ok"
            and run.value == alone.value
            and np.array_equal(run.labels, alone.labels)
        )
        assert run.options == alone.options and run.status == alone.status
        assert (
            run.host
            and run.cpu
            and run.versions["gmtoolbox"] == gm.__version__
            and run.wall >= run.time > 0
        )


@pytest.mark.long
def test_results_do_not_depend_on_jobs():
    one, two = (gm.gm_batch(problems(), METHODS, n_jobs=n) for n in (1, 2))
    assert rows(one) == rows(two)


def test_more_jobs_than_runs_start_no_more_processes(monkeypatch):
    started = []

    class Counted(InlineServer):
        def run(self, *task):
            started.append(self)
            return super().run(*task)

    monkeypatch.setattr("gmtoolbox.bench.run.pool.ForkServer", Counted)
    assert len(gm.gm_batch(problems(1), ["fw"], n_jobs=2**40)) == len(started) == 1


@pytest.mark.long
def test_misbehaving_methods_lose_only_their_own_runs(misbehaving):
    names = ["fw", "test-segfault", "test-leave", "test-fail", "test-hang", "test-eat", "sm"]
    runs = {
        run.method: run
        for run in gm.gm_batch(problems(1), names, time_limit=0.5, wall=4, memory=1500, n_jobs=2)
    }
    assert {name: run.outcome for name, run in runs.items()} == {
        "fw": "ok", "sm": "ok", "test-segfault": "crash", "test-leave": "crash",
        "test-fail": "error", "test-hang": "timeout", "test-eat": "memory",
    }  # fmt: skip
    assert runs["test-segfault"].reason == "killed by SIGSEGV"
    assert runs["test-leave"].reason == "ended with exit status 3"
    assert runs["test-fail"].reason == "ZeroDivisionError: by hand"
    assert runs["test-hang"].reason == "killed 4 s after its start"
    assert runs["test-hang"].trace["bound"][-1] == -1e9  # improvements told before the end are kept
    assert "1500 MB" in runs["test-eat"].reason
    assert runs["test-segfault"].labels is None and runs["test-segfault"].value is None


@pytest.mark.slow
def test_failures_are_not_repeated_unless_asked(misbehaving, tmp_path):
    arguments = dict(store=tmp_path / "s.db", time_limit=1)
    (first,) = gm.gm_batch(problems(1), "test-leave", **arguments)
    (again,) = gm.gm_batch(problems(1), "test-leave", **arguments)
    (retried,) = gm.gm_batch(problems(1), "test-leave", retry_failed=True, **arguments)
    assert first.started == again.started != retried.started


def test_nothing_is_left_behind_by_a_run(misbehaving):
    """A run that forks and forgets: its process group ends with it."""
    (run,) = gm.gm_batch(problems(1), "test-orphan", time_limit=5, wall=20)
    assert run.outcome == "ok"
    assert not descendants_sleeping(marker="misbehaving")


def descendants_sleeping(marker):
    """Processes whose parent is 1 and whose command line holds our server's marker."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_text("utf-8")
                parent = (entry / "stat").read_text("utf-8").rsplit(")", 1)[1].split()[1]
            except OSError:
                continue
            if "fork_server import serve" in command and marker in command and parent == "1":
                found.append(int(entry.name))
    return found


@pytest.mark.usefixtures("without_processes")
def test_resume_takes_what_is_there(tmp_path):
    store = tmp_path / "s.db"
    first = gm.gm_batch(problems(2), ["fw"], time_limit=5, store=store)
    both = gm.gm_batch(problems(2), METHODS, time_limit=5, store=store)
    assert [run.started for run in both if run.method == "fw"] == [run.started for run in first]
    fresh = gm.gm_batch(problems(2), ["fw"], time_limit=5, store=store, resume=False)
    assert all(new.started != old.started for new, old in zip(fresh, first, strict=True))
    other = gm.gm_batch(problems(2), {"fw": {"maxiter": 7}}, seed=3, time_limit=5, store=store)
    assert {(run.seed, run.options["maxiter"]) for run in other} == {(3, 7)}
    with Store(store) as opened:
        assert len(opened.runs()) == 6


@pytest.mark.long
def test_a_method_that_decides_is_resumed(tmp_path):
    """auto: what was asked for is compared, not what it decided."""
    arguments = dict(time_limit=5, store=tmp_path / "s.db")
    first = gm.gm_batch(problems(2), "auto", **arguments)
    assert all(run.options["run"] == "choose" and run.decided == {"run": "aj"} for run in first)
    again = gm.gm_batch(problems(2), "auto", **arguments)
    assert [run.started for run in again] == [run.started for run in first]
    other = gm.gm_batch(problems(2), {"auto": {"run": "fm-bca"}}, **arguments)
    assert {run.options["run"] for run in other} == {"fm-bca"}


@pytest.mark.usefixtures("without_processes")
def test_seeds_and_variants_are_runs_of_their_own():
    methods = ["fm:maxiter=3", "long=fm:maxiter=30", "fw"]
    runs = gm.gm_batch(problems(1), methods, seed=[0, 5], time_limit=10)
    assert [(run.method, run.solver, run.seed) for run in runs] == [
        (name, solver, seed)
        for name, solver in (("fm:maxiter=3", "fm"), ("long", "fm"), ("fw", "fw"))
        for seed in (0, 5)
    ]
    assert [run.options["maxiter"] for run in runs[:4]] == [3, 3, 30, 30]
    alone = gm.gm_solve(problems(1)["p0"], "fm", maxiter=3, seed=5)
    assert runs[1].value == alone.value and np.array_equal(runs[1].labels, alone.labels)


@pytest.mark.slow
def test_longer_limit_repeats_only_what_ran_out_of_time(misbehaving, tmp_path):
    store = tmp_path / "s.db"
    short = gm.gm_batch(problems(1), ["fw", "test-nap"], time_limit=0.5, store=store)
    long = gm.gm_batch(problems(1), ["fw", "test-nap"], time_limit=5, store=store)
    assert [a.started == b.started for a, b in zip(short, long, strict=True)] == [
        a.status == "converged" for a in short
    ]


SCRIPT = """
import sys, numpy as np
sys.path[:0] = {path!r}
import gmtoolbox as gm
from small import random_problem
problems = {{f"p{{k}}": random_problem(np.random.default_rng(k), 4, 5) for k in range(4)}}
gm.gm_batch(problems, ["fw", "sm", "test-nap"], time_limit=20, trials=2, n_jobs=2, store={store!r},
            retry_failed=True)
"""


def start(extra_methods, store):
    path = [str(extra_methods), str(Path(__file__).parent.parent), *(p for p in sys.path if p)]
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(path=path, store=str(store))], start_new_session=True
    )


def children_of(pid):
    return (
        [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()]
        if Path(f"/proc/{pid}").exists()
        else []
    )


def all_children(pid):
    """Servers may hang on any of the parent's threads."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text("utf-8").split()]
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def stored(path):
    try:
        with Store(path) as store:
            return len(store.done())
    except InputError:
        return 0


@pytest.fixture(scope="module")
def uninterrupted(extra_methods, tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "plain.db"
    assert start(extra_methods, path).wait(timeout=120) == 0
    with Store(path) as store:
        return rows(store.runs())


SLOW = pytest.mark.slow


@pytest.mark.long
@pytest.mark.parametrize(
    "victim", ["parent", pytest.param("server", marks=SLOW), pytest.param("child", marks=SLOW)]
)
def test_kill_and_resume_equals_an_uninterrupted_run(
    extra_methods, uninterrupted, tmp_path, victim
):
    killed = tmp_path / "killed.db"
    process = start(extra_methods, killed)
    try:
        wait_until(lambda: stored(killed) >= 4)
        servers = all_children(process.pid)
        wait_until(lambda: any(children_of(server) for server in servers))
        runs = [child for server in servers for child in children_of(server)]
        target = {"parent": [process.pid], "server": servers[:1], "child": runs[:1]}[victim][0]
        os.kill(target, signal.SIGKILL)
        if victim == "parent":
            process.wait(timeout=20)
            # all of them die with their parent
            wait_until(lambda: not any(map(alive, [*servers, *runs])), seconds=20)
            assert 4 <= stored(killed) < 24
            process = start(extra_methods, killed)
        assert process.wait(timeout=120) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with Store(killed) as store:
        assert len(uninterrupted) == 24 and rows(store.runs()) == uninterrupted


def victims(process, kind):
    """The processes of a batch that are parent, server or child now."""
    try:
        servers = all_children(process.pid)
        runs = [child for server in servers for child in children_of(server)]
        at_work = [process.pid] if runs else []
        return {"parent": at_work, "server": servers, "child": runs}[kind]
    except OSError:  # gone while we looked
        return []


def disturb(process, rng):
    """SIGKILL, or SIGSTOP for a while, to one of them; whether there was one."""
    kind = ("parent", "server", "child")[rng.integers(3)]
    targets = victims(process, kind)
    if not targets:
        return False
    target = int(targets[rng.integers(len(targets))])
    try:
        if rng.random() < 0.5:
            os.kill(target, signal.SIGKILL)
        else:
            os.kill(target, signal.SIGSTOP)
            time.sleep(float(rng.uniform(0.02, 0.3)))
            os.kill(target, signal.SIGCONT)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_signals_at_random_moments_lose_nothing(
    extra_methods, uninterrupted, tmp_path, pytestconfig
):
    """Parent, servers and runs are killed and stopped again and again; batches still end, what was
    stored stays as it was, and the rows are those of a batch that nobody disturbed.
    """
    wanted = 200 if pytestconfig.getoption("--slow") else 20
    rng, signals, batches, seen = np.random.default_rng(16), 0, 0, {}
    end = time.monotonic() + 10 * wanted + 200
    while signals < wanted or seen or not batches:
        path = tmp_path / f"{batches}.db"
        process = start(extra_methods, path)
        try:
            while process.poll() is None and signals < wanted:
                assert time.monotonic() < end, f"{signals} signals only"
                time.sleep(float(rng.uniform(0.0, 0.6)))
                signals += disturb(process, rng)
            status = process.wait(timeout=300)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if path.exists() and stored(path):
            with Store(path) as store:
                now = {run.key: run.started for run in store.runs() if run.outcome == "ok"}
                assert seen.items() <= now.items()
                seen = now
                if status == 0 and len(seen) == len(uninterrupted):
                    assert rows(store.runs()) == uninterrupted
                    batches, seen = batches + 1, {}
    assert signals == wanted and batches > 0


@pytest.mark.slow
def test_interrupt_keeps_what_was_done(extra_methods, tmp_path):
    process = start(extra_methods, tmp_path / "s.db")
    try:
        wait_until(lambda: stored(tmp_path / "s.db") >= 3)
        servers = all_children(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) != 0
        wait_until(lambda: not any(map(alive, servers)), seconds=20)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    assert 3 <= stored(tmp_path / "s.db") < 24
