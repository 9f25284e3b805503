"""Budgets: iterations, Ctrl-C; the best matching and its cost go together, and none is lost."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.engine import registry
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.engine.pipeline import best_labels
from gmtoolbox.engine.progress import Budget, Incumbent, Trace


def test_iterations_stop_at_the_limit_the_clock_and_the_proof():
    budget = Budget()
    assert list(budget.iterations(3)) == [0, 1, 2] and budget.stopped == "iteration_limit"
    budget = Budget(time_limit=0.02)
    for _ in budget.iterations():
        time.sleep(0.001)
    assert budget.stopped == "time_limit"
    budget = Budget(proves=lambda cost, bound: cost == bound)
    for _ in budget.iterations(100):
        budget.record(cost=-2.0, bound=-2.0, labels=[0])
    assert budget.stopped == "converged" and len(budget.trace.rows) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"time_limit": 0},
        {"time_limit": "1"},
        {"time_limit": float("nan")},
        {"seed": -1},
        {"seed": 1.5},
    ],
)
def test_budget_refuses(arguments):
    with pytest.raises(InputError, match=next(iter(arguments))):
        Budget(**arguments)


@pytest.fixture
def heeding_ctrl_c():
    """As in a terminal: a suite started in the background ignores Ctrl-C, and so would the solver,
    rightly.
    """
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


def test_ctrl_c_returns_the_best_so_far(method, heeding_ctrl_c):
    def forever(problem, budget):
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        deadline = time.monotonic() + 20
        for _ in budget.iterations():
            time.sleep(0.001)
            assert time.monotonic() < deadline, "Ctrl-C did not arrive"
        return registry.Outcome(labels=np.arange(4))

    r = gm.gm_solve(np.eye(16), method(forever))
    assert r.status == "interrupted" and r.labels.tolist() == [0, 1, 2, 3]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_trace_keeps_improvements_only():
    trace = Trace()
    assert trace.add(0.1, 5.0, None) and not trace.add(0.2, 5.0, -math.inf)
    assert trace.add(0.3, 4.0, 1.0) and not trace.add(0.4, None, math.inf)
    assert trace.rows == [(0.1, 5.0, -math.inf), (0.3, 4.0, 1.0)]
    trace.lower_bounds(0.5)
    assert trace.bound == 0.5 and trace.rows[0][2] == -math.inf
    problem = random_problem(np.random.default_rng(0), 2, 2, sense="max", offset=10.0)
    told = trace.as_array(problem, 4.5)  # no value is better than that of the answer
    assert told["value"].tolist() == [-15.0, -14.5] and told["bound"].tolist() == [math.inf, -10.5]
    trace.forget_better_than(4.5)
    assert trace.cost == 5.0 and len(trace.rows) == 1


# ---- the best matching


def test_labels_and_cost_are_replaced_together():
    incumbent, given = Incumbent(), np.array([1, 0])
    assert incumbent.labels is None and incumbent.cost == math.inf
    assert incumbent.offer(given, 3.0) and not incumbent.offer([0, 1], 3.0)
    assert not incumbent.offer(None, 1.0) and incumbent.cost == 3.0
    given[:] = 7  # a copy is kept
    assert incumbent.labels.tolist() == [1, 0]


def test_no_search_ends_on_a_cost_without_labels():
    budget = Budget(proves=lambda cost, bound: cost <= bound)
    budget.record(cost=-2.0, bound=-2.0)
    assert len(budget.trace.rows) == 1 and budget.incumbent.labels is None
    assert not budget.expired()
    budget.record(cost=-2.0, labels=[0, 1])
    assert len(budget.trace.rows) == 1 and budget.expired() and budget.stopped == "converged"


def test_a_complete_matching_comes_before_a_cheaper_partial_one():
    problem = random_problem(np.random.default_rng(0), 3, 3, signs="positive", complete=True)
    whole, part = np.arange(3), np.array([0, -1, -1])
    assert problem.total_cost(part) < problem.total_cost(whole)
    for labels, other in ((whole, part), (part, whole)):
        found = best_labels(problem, labels, Incumbent(other, problem.total_cost(other)))
        assert found.tolist() == whole.tolist()


@pytest.mark.parametrize("ending", ["worse labels", "scores", "nothing", "no time"])
def test_recorded_labels_are_the_answer_where_less_is_returned(method, ending):
    problem = random_problem(np.random.default_rng(3), 4, 4, signs="nonpositive", complete=True)
    best = gm.gm_solve(problem, "aj").labels
    worse = np.roll(best, 1)
    assert problem.total_cost(best) < problem.total_cost(worse)

    def forgetful(problem, budget):
        budget.record(cost=problem.total_cost(best), labels=best)
        if ending == "no time":
            raise OutOfTime
        scores = (worse[problem.left] == problem.right).astype(float)
        return {
            "worse labels": Outcome(labels=worse),
            "scores": Outcome(scores=scores),
            "nothing": Outcome(),
        }[ending]

    r = gm.gm_solve(problem, method(forgetful))
    assert r.labels.tolist() == best.tolist() and r.value == problem.energy(best)
    assert r.trace["value"][-1] == r.value


def test_previews_are_not_kept(method):
    problem = random_problem(np.random.default_rng(3), 4, 4, signs="nonpositive", complete=True)

    def shows(problem, budget):
        budget._next_preview, budget.started = 0.0, budget.started - 1.0  # a preview is due
        budget.preview(lambda: Outcome(labels=np.arange(4)))
        assert budget.trace.rows and budget.incumbent.labels is None
        return Outcome(labels=np.arange(4)[::-1])

    r = gm.gm_solve(problem, method(shows))
    assert r.labels.tolist() == [3, 2, 1, 0]


def test_methods_return_the_best_that_they_record(monkeypatch):
    """Whatever a method records is reached by labels that it keeps."""
    kept = {}

    def record(budget, cost=None, labels=None, **rest):
        note(budget, cost=cost, labels=labels, **rest)
        if labels is not None:
            kept[budget] = min(cost, kept.get(budget, math.inf))

    note = Budget.record
    monkeypatch.setattr(Budget, "record", record)
    problems = [random_problem(np.random.default_rng(k), 5, 6, complete=k == 1) for k in range(2)]
    for known in gm.gm_methods():
        for problem in problems:
            kept.clear()
            options = {"maxiter": 20} if any(o.name == "maxiter" for o in known.options) else {}
            try:
                r = gm.gm_solve(problem, known.name, **options)
            except InputError:
                continue
            if kept:
                assert r.value <= min(kept.values()) + 1e-9, known.name
