"""Where time is short: the answer is a greedy matching, and says so."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.driver import solve_on_solver_clock
from gmtoolbox.engine import patience, shortage
from gmtoolbox.engine.budget import Budget
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.engine.registry import get_solver

PROBLEM = random_problem(np.random.default_rng(1), 6, 6, signs="nonpositive")


@pytest.fixture
def slow_rounding(monkeypatch):
    monkeypatch.setattr(shortage, "rounding_seconds", lambda problem, n=None: 1e6)


@pytest.mark.parametrize("complete", [False, True])
def test_no_time_for_the_transforms(monkeypatch, complete):
    monkeypatch.setattr(shortage, "transform_seconds", lambda problem, needs: 1e6)
    r = gm.gm_solve(PROBLEM, "rrwm", time_limit=10, complete=complete)
    assert r.status == "time_limit" and r.value < 0 and r.value == PROBLEM.energy(r.labels)
    assert r.extra["left_out"] == "no time for the transforms; the answer is a greedy matching"
    assert not complete or PROBLEM.is_complete_matching(r.labels) or np.all(r.labels >= 0)


def test_no_time_to_round(slow_rounding):
    r = gm.gm_solve(PROBLEM, "lsm", time_limit=10)
    assert r.status == "time_limit" and "greedy" in r.extra["left_out"] and r.value < 0


def test_where_methods_are_compared_none_answers_for_another(slow_rounding):
    r = solve_on_solver_clock(PROBLEM, "lsm", time_limit=10)
    assert r.status == "time_limit" and np.all(r.labels == -1)


def test_a_breakdown_stays_one():
    assert shortage.greedy(PROBLEM, Outcome(status="breakdown"), seed=0) is None


@pytest.mark.parametrize("method", ["sm", "smac", "rrwm", "ga", "mpm", "fgmd", "dd-ls3"])
def test_threads_change_no_answer(monkeypatch, method):
    expected = gm.gm_solve(PROBLEM, method)
    for module, name in ((shortage, "SHORT"), (patience, "SHORT"), (patience, "AT_ONCE")):
        monkeypatch.setattr(module, name, -1.0)  # every long call in a thread
    r = gm.gm_solve(PROBLEM, method)
    assert r.value == expected.value and np.array_equal(r.labels, expected.labels)


def test_the_time_that_was_kept_back_is_there_for_the_rounding():
    budget = Budget(time_limit=1e4)
    budget.keep_back(1e9)
    assert budget.reserve == 2500
    budget.stopped = "time_limit"
    scores = np.ones(PROBLEM.n_candidates)
    assert shortage.rounded_in_time(PROBLEM, scores, budget) is not None
    assert budget.stopped == "time_limit" and budget.reserve == 2500


def test_estimates():
    larger = random_problem(np.random.default_rng(1), 9, 9)
    assert shortage.greedy_seconds(larger) > shortage.greedy_seconds(PROBLEM) > 0
    assert shortage.without_answer(Budget(), "x").extra == {"left_out": "x"}
    prepared, in_time = shortage.transformed(Budget(), PROBLEM, get_solver("rrwm"), False)
    assert in_time and prepared.problem.shape == (12, 12)
