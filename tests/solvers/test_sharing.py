"""gm_solve(p, "aj", checkpoint=FOLDER): several processes, also killed ones, come to one answer."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest
import slurm_node
from aj_pieces import Matchings
from processes import wait_until
from solvers.test_checkpoint import TREE, hard

import gmtoolbox as gm
from gmtoolbox.solvers import _checkpoint, _sharing

CODE = (
    "import gmtoolbox as gm, sys; r = gm.gm_solve(gm.load(sys.argv[1]), 'aj',"
    " checkpoint=sys.argv[2]); print(r.status, r.value, r.bound)"
)


@pytest.fixture
def at_once(monkeypatch):
    """Busy processes look at the others after every slice, and divide whatever they can if they are
    not alone, as if every free piece were taken at once.
    """
    wanted = _sharing.Piece.n_wanted
    monkeypatch.setattr(_sharing.Piece, "n_wanted", lambda piece: 1000 * wanted(piece))
    monkeypatch.setattr(_sharing, "LOOK", 0.0)
    monkeypatch.setattr(_checkpoint, "NOTED", 0.0)
    monkeypatch.setattr(_checkpoint, "SHARE", np.inf)
    monkeypatch.setattr(_sharing, "WORTH", -1.0)  # also before any time was spent


def start(problem, folder):
    """A process that works in the folder."""
    command = [sys.executable, "-c", CODE, str(problem), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def states_of(folder):
    return {
        file.stem: json.loads(file.read_text("utf-8"))["state"] for file in folder.glob("*.piece")
    }


def test_one_process_alone(tmp_path):
    problem = hard()
    whole = gm.gm_solve(problem, "aj", **TREE)
    r = gm.gm_solve(problem, "aj", checkpoint=f"{tmp_path}/new/", **TREE)
    assert (r.value, r.bound, r.status) == (whole.value, whole.bound, "optimal")
    progress = r.extra["checkpoint"]
    assert (progress["pieces"], progress["open"], progress["closed"]) == (1, 0, 1)
    again = gm.gm_solve(problem, "aj", checkpoint=tmp_path / "new", **TREE)  # finished: at once
    assert (again.value, again.bound, again.status, again.n_iter) == (
        r.value,
        r.bound,
        "optimal",
        0,
    )


@pytest.mark.parametrize(
    "options", [TREE, pytest.param({"sdp": "at once", "fix": False}, marks=pytest.mark.long)]
)
def test_pieces_for_idle_processes_hold_what_their_giver_lacks(options, tmp_path, at_once):
    """An idle process that never takes anything: after every run all pieces hold the optimum."""
    problem = hard(8, 1)
    every = Matchings(problem)
    folder = _sharing.Folder(tmp_path, {})
    n = 0
    with folder.waiting():
        for k in range(60):
            r = gm.gm_solve(
                problem, "aj", checkpoint=tmp_path, maxiter=int(300 * 1.1**k), **options
            )
            states = states_of(tmp_path)
            n = max(n, len(states))
            parts = [part["pairs"] for state in states.values() for part in state["open"]]
            costs = [every.costs[every.inside(part)].min(initial=np.inf) for part in parts]
            assert min([r.value, *costs]) == pytest.approx(every.best)
            assert r.bound <= every.best + 1e-6
            if r.status == "optimal":
                break
    assert r.status == "optimal" and r.value == pytest.approx(every.best)
    assert n > 1 or options is not TREE


@pytest.mark.long
@pytest.mark.timeout(300)
def test_children_of_the_semidefinite_root_are_given_away(tmp_path, at_once):
    problem = hard(15, 3)
    whole = gm.gm_solve(problem, "aj")
    with _sharing.Folder(tmp_path, {}).waiting():
        r = gm.gm_solve(problem, "aj", checkpoint=tmp_path)
    assert (r.value, r.bound, r.status) == (whole.value, whole.bound, "optimal")
    assert r.extra["checkpoint"]["pieces"] > 2


def test_a_held_piece_is_left_alone(tmp_path):
    """While another process has the only piece there is nothing to do but to wait."""
    problem = hard(8, 1)
    gm.gm_solve(problem, "aj", checkpoint=tmp_path, maxiter=100, **TREE)
    before = states_of(tmp_path)
    with _sharing.Folder(tmp_path, {}).hold("first.lock") as mine:
        assert mine
        r = gm.gm_solve(problem, "aj", checkpoint=tmp_path, time_limit=0.5, **TREE)
    assert r.status == "time_limit" and r.n_iter == 0 and states_of(tmp_path) == before
    assert not list(tmp_path.glob("*.idle"))


def test_a_search_without_a_file_yet_is_waited_for(tmp_path):
    """The first process has begun, and not written its piece."""
    with _sharing.Folder(tmp_path, {}).hold("first.lock"):
        r = gm.gm_solve(hard(), "aj", checkpoint=tmp_path, time_limit=0.5, **TREE)
    assert r.status == "time_limit" and r.n_iter == 0 and not states_of(tmp_path)


def test_files_of_idle_processes_that_ended_are_removed(tmp_path):
    folder = _sharing.Folder(tmp_path, {})
    (tmp_path / "x.idle").touch()
    assert folder.count_idle() == 0 and not list(tmp_path.glob("*.idle"))
    with folder.waiting(), folder.waiting():
        assert folder.count_idle() == 2
    assert folder.count_idle() == 0


def test_a_piece_waits_for_the_first_that_is_done(tmp_path, at_once):
    """While another process works, a free piece is kept; without one, nothing is divided."""
    problem = hard(8, 1)
    gm.gm_solve(problem, "aj", checkpoint=tmp_path, maxiter=1, **TREE)
    identity = json.loads((tmp_path / "first.piece").read_text("utf-8"))["identity"]
    state = states_of(tmp_path)["first"]
    worst = [{"lower": None, "weight": 0.01, "pairs": [[0, 0]]}]
    _sharing.write_checkpoint(tmp_path / "other.piece", identity, {**state, "open": worst})
    with _sharing.Folder(tmp_path, {}).hold("other.lock"):
        for k in range(60):
            gm.gm_solve(
                problem, "aj", checkpoint=tmp_path, maxiter=int(300 * 1.1**k), time_limit=5, **TREE
            )
            if len(states_of(tmp_path)) > 2:
                break
    assert len(states_of(tmp_path)) > 2 and not list(tmp_path.glob("*.idle"))


def test_a_matching_of_another_piece_is_used(tmp_path, at_once):
    problem = hard(8, 1)
    best = gm.gm_solve(problem, "aj")
    gm.gm_solve(problem, "aj", checkpoint=tmp_path, maxiter=1, **TREE)
    state = states_of(tmp_path)["first"]
    identity = json.loads((tmp_path / "first.piece").read_text("utf-8"))["identity"]
    known = {**state, "value": best.value, "labels": best.labels.tolist(), "bound": best.value}
    _sharing.write_checkpoint(tmp_path / "other.piece", identity, {**known, "open": []})
    r = gm.gm_solve(problem, "aj", checkpoint=tmp_path, maxiter=1, **TREE)
    assert r.value == best.value


def test_another_search_is_refused(tmp_path):
    gm.gm_solve(hard(), "aj", checkpoint=tmp_path, maxiter=50, **TREE)
    with pytest.raises(gm.InputError, match="another problem"):
        gm.gm_solve(hard(8, 1), "aj", checkpoint=tmp_path, **TREE)
    with pytest.raises(gm.InputError, match="seed 0, got 1"):
        gm.gm_solve(hard(), "aj", checkpoint=tmp_path, seed=1, **TREE)
    (tmp_path / "first.piece").write_text("something else")
    with pytest.raises(gm.FileFormatError, match="damaged"):
        gm.gm_solve(hard(), "aj", checkpoint=tmp_path, **TREE)
    with pytest.raises(gm.InputError, match="no folder"):
        gm.gm_solve(hard(), "aj", checkpoint=f"{tmp_path}/none/none/")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_killed_process_loses_its_subproblem_only(tmp_path):
    """Two processes; SIGKILL for one that works; a third one joins: the answer of one alone."""
    problem, file, folder = hard(15, 3), tmp_path / "p.h5", tmp_path / "folder"
    folder.mkdir()
    gm.save(problem, file)
    whole = gm.gm_solve(problem, "aj")
    first, second = start(file, folder), start(file, folder)
    try:
        begin = time.monotonic()
        while time.monotonic() - begin < 100 and len(states_of(folder)) < 2:
            time.sleep(0.05)
        assert len(states_of(folder)) > 1
        first.kill()  # SIGKILL
        first.communicate(timeout=60)
        third = start(file, folder)
        try:
            answers = [process.communicate(timeout=200)[0] for process in (second, third)]
        finally:
            third.kill()
    finally:
        first.kill()
        second.kill()
    for answer in answers:
        status, value, bound = answer.split()
        assert status == "optimal"
        assert (float(value), float(bound)) == pytest.approx((whole.value, whole.bound))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_an_array_of_slurm_jobs_one_of_which_is_killed(tmp_path):
    """Two jobs of an array share the folder; SIGKILL for one that works; the other one ends the
    search, and a later call has the answer of one process alone.
    """
    if not slurm_node.AVAILABLE:
        pytest.skip("wants root, slurmctld, slurmd and munge")
    problem, file, folder = hard(15, 3), tmp_path / "p.h5", tmp_path / "folder"
    folder.mkdir()
    gm.save(problem, file)
    whole = gm.gm_solve(problem, "aj")
    solve = f"{sys.executable} -m gmtoolbox solve {file} --checkpoint {folder}/"
    try:
        with slurm_node.slurm(tmp_path / "slurm") as environment:

            def ask(*command):
                settings = {"env": environment, "text": True, "timeout": 60, "cwd": tmp_path}
                return subprocess.run(command, capture_output=True, check=True, **settings).stdout

            number = ask("sbatch", "--parsable", "--array=1-2", "--wrap", solve).strip()
            wait_until(lambda: len(states_of(folder)) > 1, seconds=300)
            ask("scancel", "--signal=KILL", "--full", f"{number}_1")
            wait_until(lambda: not ask("squeue", "--noheader", "--job", number), seconds=400)
    except slurm_node.NoSlurm as reason:
        pytest.skip(str(reason)[:200])
    logs = [log.read_text("utf-8") for log in sorted(tmp_path.glob("slurm-*.out"))]
    assert sum("optimal" in log for log in logs) == 1, logs
    r = gm.gm_solve(problem, "aj", checkpoint=folder)
    assert (r.value, r.bound, r.status, r.n_iter) == (whole.value, whole.bound, "optimal", 0)
