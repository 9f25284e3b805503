"""gm_solve(p, "aj", checkpoint=): cut, killed and resumed with the same answer."""

import json
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from aj_pieces import Matchings
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.crew import Crew
from gmtoolbox.io.checkpoints import read_checkpoint, write_checkpoint
from gmtoolbox.solvers import _checkpoint

TREE = {"sdp": "off", "lift": 0, "fix": False}  # options of a large tree


def hard(n=8, seed=0, **rest):
    """Random flows and distances, as a listed problem."""
    rng = np.random.default_rng(seed)
    flow, distance = (np.triu(rng.integers(0, 99, (n, n)), 1) for _ in range(2))
    left, right = (x.ravel() for x in np.indices((n, n)))
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    cost = (flow + flow.T)[left[a], left[b]] * (distance + distance.T)[right[a], right[b]]
    return gm.Problem(
        (n, n), left, right, np.zeros(n * n), a, b, cost.astype(float), complete=True, **rest
    )


def solve_in_pieces(problem, path, first=50, **options):
    """The Result of the last of some runs, each longer than the one before, and how many."""
    for n in range(1, 60):
        r = gm.gm_solve(problem, "aj", checkpoint=path, maxiter=int(first * 1.3**n), **options)
        if r.status != "iteration_limit":
            return r, n
    raise AssertionError("it does not end")


@pytest.mark.parametrize("kind", ["plain", "maximised", "offset", "partial", "exchanged", "linear"])
def test_pieces_come_to_the_same_answer(kind, tmp_path):
    rng = np.random.default_rng(5)
    problem, options = {
        "plain": (hard(), TREE),
        "maximised": (hard(sense="max"), TREE),
        "offset": (hard(offset=-1e5), TREE),
        "partial": (random_problem(rng, 6, 7, density=0.8, edges=1.0), TREE),
        "exchanged": (random_problem(rng, 7, 5, density=0.9, edges=1.0, complete=True), TREE),
        "linear": (random_problem(rng, 4, 4, edges=0.0), {}),
    }[kind]
    whole = gm.gm_solve(problem, "aj", **options)
    r, n = solve_in_pieces(problem, tmp_path / "x.ck", **options)
    assert whole.status == r.status == "optimal"
    assert (r.value, r.bound) == pytest.approx((whole.value, whole.bound))
    assert problem.energy(r.labels) == pytest.approx(r.value)
    progress = r.extra["checkpoint"]
    assert progress["closed"] == 1 and progress["open"] == 0 and progress["runs"] == n
    again = gm.gm_solve(problem, "aj", checkpoint=tmp_path / "x.ck", **options)  # finished: at once
    assert (again.value, again.bound, again.status) == (r.value, r.bound, "optimal")
    assert again.n_iter == 0 and again.labels.tolist() == r.labels.tolist()


def test_a_checkpoint_changes_nothing_of_a_run(tmp_path):
    problem = hard(9)
    plain = gm.gm_solve(problem, "aj", **TREE)
    kept = gm.gm_solve(problem, "aj", checkpoint=str(tmp_path / "x.ck"), **TREE)
    for name in ("value", "bound", "status", "n_iter"):
        assert getattr(plain, name) == getattr(kept, name)
    assert plain.labels.tolist() == kept.labels.tolist()


def test_the_share_that_is_closed_rises(tmp_path):
    problem, path = hard(8, 1), tmp_path / "x.ck"
    shares, deep = [], 0
    for n in range(1, 60):
        r = gm.gm_solve(problem, "aj", checkpoint=path, maxiter=int(3000 * 1.05**n), **TREE)
        shares.append(r.extra["checkpoint"]["closed"])
        deep += 0 < shares[-1] < 1
        if r.status == "optimal":
            break
    assert shares == sorted(shares) and shares[-1] == 1 and deep > 0


def test_open_subproblems_hold_the_optimum(tmp_path):
    problem, path = hard(8, 1), tmp_path / "x.ck"
    every = Matchings(problem)
    for maxiter in range(3500, 8000, 100):
        path.unlink(missing_ok=True)
        gm.gm_solve(problem, "aj", checkpoint=path, maxiter=maxiter, **TREE)
        state = json.loads(path.read_text("utf-8"))["state"]
        if len(state["open"]) > 1:
            break
    assert len(state["open"]) > 1
    inside = [every.costs[every.inside(part["pairs"])].min() for part in state["open"]]
    assert min([state["value"], *inside]) == pytest.approx(every.best)
    assert state["bound"] <= every.best + 1e-6


@pytest.mark.parametrize(
    "changed, said",
    [({"sdp": "stalled"}, "sdp 'off', got 'stalled'"), ({"fix": True}, "fix False, got True"),
     ({"cutoff": 5.0}, "cutoff None, got 5.0"), ({"seed": 1}, "seed 0, got 1")],
)  # fmt: skip
def test_a_run_with_other_options_is_refused(changed, said, tmp_path):
    path = tmp_path / "x.ck"
    gm.gm_solve(hard(), "aj", checkpoint=path, maxiter=50, **TREE)
    kept = path.read_bytes()
    with pytest.raises(gm.InputError, match=said):
        gm.gm_solve(hard(), "aj", checkpoint=path, **{**TREE, **changed})
    assert path.read_bytes() == kept


def test_another_problem_is_refused(tmp_path):
    path = tmp_path / "x.ck"
    gm.gm_solve(hard(), "aj", checkpoint=path, maxiter=50)
    for other in (hard(8, 1), hard(sense="max"), hard(offset=1.0)):
        with pytest.raises(gm.InputError, match="another problem"):
            gm.gm_solve(other, "aj", checkpoint=path)


def test_a_damaged_or_foreign_file_is_refused(tmp_path):
    path = tmp_path / "x.ck"
    path.write_text("something else")
    with pytest.raises(gm.FileFormatError, match="damaged"):
        gm.gm_solve(hard(), "aj", checkpoint=path)
    assert path.read_text("utf-8") == "something else"
    with pytest.raises(gm.InputError, match="no folder"):
        gm.gm_solve(hard(), "aj", checkpoint=tmp_path / "none" / "x.ck")


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path):
    path = tmp_path / "x.ck"
    write_checkpoint(path, {"seed": 0}, {"open": []})
    whole = path.read_bytes()
    assert read_checkpoint(path, {"seed": 0}) == {"open": []}
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(gm.FileFormatError, match="damaged"):
            read_checkpoint(path, {"seed": 0})


@pytest.mark.parametrize(
    "change",
    [{"labels": [0] * 8}, {"labels": ["x"] * 8}, {"open": 7}, {"open": [{"pairs": []}]},
     {"open": [{"lower": 0.0, "weight": 0.5, "pairs": [[0, 99]]}]},
     {"open": [{"lower": 0.0, "weight": 0.5, "pairs": [[9, -1]]}]}],
)  # fmt: skip
def test_a_state_of_no_such_problem_is_refused(change, tmp_path):
    """Whole, but made by something else."""
    path = tmp_path / "x.ck"
    gm.gm_solve(hard(), "aj", checkpoint=path, maxiter=50)
    content = json.loads(path.read_text("utf-8"))
    state = {**content["state"], **change}
    _checkpoint.write_checkpoint(path, content["identity"], state)
    with pytest.raises(gm.FileFormatError, match="not a checkpoint"):
        gm.gm_solve(hard(), "aj", checkpoint=path)


def test_certificates_do_not_go_with_it(tmp_path):
    with pytest.raises(gm.OptionError, match="certify"):
        gm.gm_solve(hard(), "aj", checkpoint=tmp_path / "x.ck", certify=True)


def test_a_better_start_is_used(tmp_path):
    problem, path = hard(), tmp_path / "x.ck"
    best = gm.gm_solve(problem, "aj")
    gm.gm_solve(problem, "aj", checkpoint=path, maxiter=1, **TREE)
    r = gm.gm_solve(problem, "aj", checkpoint=path, init=best.labels, maxiter=1, **TREE)
    assert r.value == best.value


def test_the_cutoff_holds_for_all_pieces(tmp_path):
    problem = hard()
    best = gm.gm_solve(problem, "aj").value
    r, _ = solve_in_pieces(problem, tmp_path / "x.ck", cutoff=best - 10.0, **TREE)
    assert r.bound > best - 10.0 and r.bound <= best + 1e-6


def test_threads_are_cut_and_go_on(tmp_path):
    problem, path = hard(9, 2), tmp_path / "x.ck"
    whole = gm.gm_solve(problem, "aj", sdp="at once")
    r, _ = solve_in_pieces(problem, path, sdp="at once", n_jobs=2)
    assert (r.value, r.bound, r.status) == (whole.value, whole.bound, "optimal")


def test_threads_that_are_stopped_end_the_run(monkeypatch):
    """Ctrl-C once ended a search for matchings with 'the run was over before the end'."""
    run_pieces = Crew.run_pieces

    def stop_before(crew, run):
        if crew.n_pieces(run) > 0:
            crew.budget.stop.set()
        run_pieces(crew, run)

    monkeypatch.setattr(Crew, "run_pieces", stop_before)
    r = gm.gm_solve(hard(14, 1), "aj", sdp="at once", n_jobs=2)
    assert r.status == "interrupted" and r.bound <= r.value < np.inf


def test_a_time_limit_keeps_the_state(tmp_path):
    """At any speed: value and bound enclose the optimum, and it ends at last."""
    problem, path = hard(8, 1), tmp_path / "x.ck"
    best = Matchings(problem).best
    for n in range(30):
        r = gm.gm_solve(problem, "aj", checkpoint=path, time_limit=0.05 * 1.5**n, **TREE)
        assert r.bound <= best + 1e-6 <= r.value + 2e-6
        if r.status == "optimal":
            break
    assert r.status == "optimal" and r.value == pytest.approx(best)


def test_what_is_open_is_listed_now_and_then_only(tmp_path, monkeypatch):
    """On a busy machine slices are short, and trees may have many open subproblems."""
    monkeypatch.setattr("gmtoolbox.engine.kernels.SLICE", 0.002)
    listed, state_of = [], _checkpoint.Checkpoint.state_of

    def state_slowly_of(saved, run):
        listed.append(time.sleep(0.005))
        return state_of(saved, run)

    monkeypatch.setattr(_checkpoint.Checkpoint, "state_of", state_slowly_of)
    gm.gm_solve(hard(15), "aj", checkpoint=tmp_path / "x.ck", time_limit=0.2, **TREE)
    assert len(listed) == 2  # at the beginning and at the end


def test_a_run_that_is_given_up_says_how_far_it_is(tmp_path, monkeypatch):
    """On a busy machine the end of a run may come too late for the call that waits for it."""
    finish, may_end, ended = _checkpoint.Checkpoint.finish, threading.Event(), threading.Event()

    def finish_late(saved, run):
        may_end.wait(60)
        extra = finish(saved, run)
        ended.set()
        return extra

    monkeypatch.setattr(_checkpoint.Checkpoint, "finish", finish_late)
    r = gm.gm_solve(hard(15), "aj", checkpoint=tmp_path / "x.ck", time_limit=0.5, **TREE)
    assert r.status == "time_limit" and 0 <= r.extra["checkpoint"]["closed"] < 1
    may_end.set()
    assert ended.wait(60)


def test_the_live_line_says_what_is_left():
    progress = {"closed": 0.25, "seconds": 70.0, "root_seconds": 10.0, "open": 7}
    line = _checkpoint.describe(progress)
    assert line == "25 % of the tree closed, about 3 min left, 7 subproblems"
    assert "left" not in _checkpoint.describe({**progress, "closed": 0.0})
    shared = {**progress, "pieces": 4}
    assert "about 3 min left for one process," in _checkpoint.describe(shared)
    assert "about 60 s left for 3 processes," in _checkpoint.describe({**shared, "processes": 3})


def test_verbose_lines_have_it(capsys):
    """The line of every improvement shows what the solver says of its progress."""
    problem = hard(4)
    labels = np.arange(4, dtype=np.int32)

    def says(problem, budget):
        budget.remark = "half of the tree closed"
        budget.record(cost=problem.total_cost(labels), labels=labels)
        return labels

    gm.gm_solve(problem, says, progress="verbose")
    assert "half of the tree closed" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.timeout(300)
def test_it_goes_on_after_kill_9(tmp_path):
    """SIGKILL at random moments, then a whole run: the same value and bound as without."""
    rng, path = np.random.default_rng(0), tmp_path / "x.ck"
    gm.save(hard(13, 1), tmp_path / "p.h5")
    code = (
        "import gmtoolbox as gm, sys; r = gm.gm_solve(gm.load(sys.argv[1]), 'aj',"
        " checkpoint=sys.argv[2]); print(r.status, r.value, r.bound)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "p.h5"), str(path)]
    kept = []
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            begin, known = time.monotonic(), path.read_bytes() if path.exists() else None
            while time.monotonic() - begin < 60 and process.poll() is None:
                if path.exists() and path.read_bytes() != known:
                    break
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.5))
        finally:
            process.kill()  # SIGKILL
            process.communicate(timeout=60)
        kept.append(json.loads(path.read_text("utf-8"))["state"])  # whole
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    whole = gm.gm_solve(gm.load(tmp_path / "p.h5"), "aj")
    status, value, bound = done.stdout.split()
    assert status == whole.status == "optimal"
    assert float(value) == whole.value and float(bound) == pytest.approx(whole.bound)
    assert all(state["bound"] is None or state["bound"] <= whole.value + 1e-6 for state in kept)
