"""Methods that round only their last iterate show roundings on the way; the answer does not depend
on it.
"""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine import kernels, limits, progress

METHODS = ("rrwm", "ga", "fgmd", "mpm", "lsm", "pm")
PROBLEMS = {
    "partial, forbidden pairs": random_problem(np.random.default_rng(0), 12, 15, density=0.6),
    "complete, rectangular": random_problem(np.random.default_rng(1), 9, 12, complete=True),
    "maximised": random_problem(np.random.default_rng(2), 10, 10, complete=True, sense="max"),
}


def solve(monkeypatch, share, problem, method, **options):
    """With as many previews as there are occasions (share = inf), or none (0): no clock decides."""
    monkeypatch.setattr(progress, "PREVIEWS", share)
    monkeypatch.setattr(kernels, "SLICE", 1e-5)  # rrwm's occasions
    return gm.gm_solve(problem, method, **options)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("method", METHODS)
def test_previews_change_nothing_but_the_trace(method, name, monkeypatch):
    problem, told = PROBLEMS[name], []
    plain = solve(monkeypatch, 0.0, problem, method)
    shown = solve(
        monkeypatch,
        np.inf,
        problem,
        method,
        progress=lambda event, labels, iteration: told.append((event[1], labels, iteration)),
    )
    assert np.array_equal(shown.labels, plain.labels)
    assert (shown.value, shown.n_iter, shown.status) == (plain.value, plain.n_iter, plain.status)
    assert np.array_equal(shown.scores, plain.scores)

    assert (
        len(plain.trace) == 1
        and plain.trace["value"][-1] == shown.trace["value"][-1] == shown.value
    )
    cost = problem.signed(shown.trace["value"])
    assert (
        np.all(np.diff(cost) < 0)
        and np.all(np.diff(shown.trace["time"]) >= 0)
        and shown.trace["time"][-1] <= shown.time
    )
    for value, labels, iteration in told:
        assert labels is None or problem.energy(labels) == value
        assert not problem.complete or labels is None or problem.is_complete_matching(labels)
        assert iteration <= shown.n_iter
    assert told[-1][0] == shown.value


@pytest.mark.parametrize("method", ["rrwm", "ga", "fgmd"])
def test_previews_show_progress(method, monkeypatch):
    rows = [len(solve(monkeypatch, np.inf, problem, method).trace) for problem in PROBLEMS.values()]
    assert max(rows) > 1


class Clock:
    now = 0.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for module in (limits, progress):
        monkeypatch.setattr(module, "time", clock)
    return clock


def test_previews_cost_two_percent_of_the_time(clock):
    calls = []

    def judge(outcome):
        clock.now += 0.1
        calls.append(clock.now)
        return None, -float(len(calls))

    spending = progress.Budget(judge=judge, judging=0.1)
    while clock.now < 100.0:
        clock.now += 0.01
        spending.preview(gm.registry.Outcome)
    assert 15 <= len(calls) <= 20 and calls[0] > 5.0


def test_no_preview_beyond_the_time_limit(clock):
    spending = progress.Budget(time_limit=10.0, judge=lambda outcome: (None, 0.0), judging=0.1)
    clock.now = 9.95
    spending.preview(gm.registry.Outcome)
    assert not spending.trace.rows
    clock.now = 9.85
    spending.preview(gm.registry.Outcome)
    assert len(spending.trace.rows) == 1


def test_a_preview_better_than_the_answer_leaves_the_trace(clock):
    costs, told = iter([5.0, 1.0]), []
    spending = progress.Budget(
        judge=lambda outcome: (None, next(costs)),
        on_improve=lambda event, *_: told.append(event[1]),
    )
    for clock.now in (100.0, 200.0):
        spending.preview(gm.registry.Outcome)
        clock.now += 1.0
    spending.end(2.0, -np.inf, at=300.0)
    assert spending.trace.rows == [(100.0, 5.0, -np.inf), (300.0, 2.0, -np.inf)]
    assert told == [5.0, 1.0, 2.0]
