"""The pipeline: answers of every kind, and where time is short a greedy matching that says so."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.driver import solve_on_solver_clock
from gmtoolbox.engine import limits, pipeline
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.engine.progress import Budget, Trace
from gmtoolbox.engine.registry import get_solver

PROBLEM = random_problem(np.random.default_rng(1), 6, 6, signs="nonpositive")


def test_an_answer_becomes_a_result_of_any_kind():
    answer = pipeline.Answer(
        labels=np.array([1, 0]), value=3.0, bound=2.0, gap=0.5, status="converged", seed=4
    )
    r = answer.result(gm.Result, shape=(2, 2), method="fm", time=0.25)
    assert (r.labels.tolist(), r.value, r.bound, r.status, r.seed) == ([1, 0], 3, 2, "converged", 4)
    assert r.time == 0.25 and r.method == "fm" and len(r.trace) == 0
    other = answer.result(gm.EditResult, node_path=[], edge_path=[])
    assert (other.value, other.bound, other.gap, other.upper_bound) == (3.0, 2.0, 0.5, None)


@pytest.mark.parametrize("sense", ["min", "max"])
def test_another_number_is_decided_anew(sense):
    sign = 1.0 if sense == "min" else -1.0
    answer = pipeline.Answer(labels=None, value=0.0, bound=0.0, gap=0.0, status="optimal")
    apart = answer.restate(sign * 5.0, sign * 4.0, 1e-9, sense=sense)
    assert apart.status == "converged" and apart.gap == 0.2 and apart.bound == sign * 4.0
    beyond = apart.restate(sign * 5.0, sign * 6.0, 1e-9)  # a bound never passes the value
    assert beyond.status == "optimal" and beyond.gap == 0.0 and beyond.bound == sign * 5.0
    cut = pipeline.replace(answer, status="time_limit")
    assert cut.restate(sign * 5.0, sign * 4.0, 1e-9, sense=sense).status == "time_limit"
    assert cut.restate(sign * 5.0, sign * 5.0, 0.0, sense=sense).status == "optimal"


def test_the_value_is_computed_afresh_and_bounds_that_it_refutes_are_dropped():
    trace, labels = Trace(), np.arange(6)
    cost = PROBLEM.total_cost(labels)
    trace.add(0.5, cost - 1.0, cost - 2.0)  # a cost that no labels reach
    answer = pipeline.conclude(PROBLEM, trace, labels, cost, "time_limit", method="mine")
    assert answer.value == PROBLEM.energy(labels) and answer.bound == cost - 2.0
    assert answer.status == "time_limit" and answer.trace["value"].tolist() == [cost]
    trace.add(0.7, None, cost + 3.0)
    with pytest.warns(RuntimeWarning, match="'mine' reports the lower bound"):
        answer = pipeline.conclude(PROBLEM, trace, labels, cost, "optimal", method="mine")
    assert answer.bound == -np.inf and answer.status == "converged"
    assert np.all(answer.trace["bound"] == -np.inf)


@pytest.fixture
def slow_rounding(monkeypatch):
    monkeypatch.setattr(pipeline, "rounding_seconds", lambda problem, n=None: 1e6)


@pytest.mark.parametrize("complete", [False, True])
def test_no_time_for_the_transforms(monkeypatch, complete):
    monkeypatch.setattr(pipeline, "transform_seconds", lambda problem, needs: 1e6)
    r = gm.gm_solve(PROBLEM, "rrwm", time_limit=10, complete=complete)
    assert r.status == "time_limit" and r.value < 0 and r.value == PROBLEM.energy(r.labels)
    assert r.extra["left_out"] == "no time for the transforms; the answer is a greedy matching"
    assert not complete or PROBLEM.is_complete_matching(r.labels) or np.all(r.labels >= 0)


def test_without_time_seeds_are_matched(monkeypatch):
    """Nothing was matched, at a value that lacked the rewards of the seeds: -8 for nothing."""
    monkeypatch.setattr(pipeline, "transform_seconds", lambda problem, needs: 1e6)
    A = np.triu(np.random.default_rng(0).random((30, 30)) < 0.3, 1).astype(float)
    seeds = [(3, 5), (7, 1), (9, 9)]
    p = gm.models.from_graphs(A + A.T, A + A.T, complete=False, seeds=seeds)
    r = gm.gm_solve(p, "auto", time_limit=10)
    assert r.status == "time_limit" and "greedy" in r.extra["left_out"]
    assert [int(r.labels[i]) for i, _ in seeds] == [s for _, s in seeds]
    kept = sum(2 * A[min(i, j), max(i, j)] * A[min(s, t), max(s, t)]
               for k, (i, s) in enumerate(seeds) for j, t in seeds[:k])  # fmt: skip
    assert r.value == kept


@pytest.mark.parametrize("most", [3, 100])
def test_single_pairs_are_matched_by_their_costs(monkeypatch, most):
    monkeypatch.setattr(pipeline, "MOST_PAIRS", most)
    S = np.array([[5.0, 4.0, 0.0], [4.5, 0.0, 0.0], [0.0, 3.0, -1.0]])
    p = gm.models.from_graphs(np.zeros((3, 3)), np.zeros((3, 3)), similarity=S, complete=False)
    assert pipeline.match_single_pairs(p.as_costs()).tolist() == [0, -1, 1 if most > 3 else -1]


def test_no_time_to_round(slow_rounding):
    r = gm.gm_solve(PROBLEM, "lsm", time_limit=10)
    assert r.status == "time_limit" and "greedy" in r.extra["left_out"] and r.value < 0


def test_where_methods_are_compared_none_answers_for_another(slow_rounding):
    r = solve_on_solver_clock(PROBLEM, "lsm", time_limit=10)
    assert r.status == "time_limit" and np.all(r.labels == -1)


def test_a_breakdown_stays_one():
    assert pipeline.match_greedily(PROBLEM, Outcome(status="breakdown"), seed=0) is None


@pytest.mark.parametrize("method", ["sm", "smac", "rrwm", "ga", "mpm", "fgmd", "dd-ls3"])
def test_threads_change_no_answer(monkeypatch, method):
    expected = gm.gm_solve(PROBLEM, method)
    for module, name in ((pipeline, "SHORT"), (limits, "SHORT"), (limits, "AT_ONCE")):
        monkeypatch.setattr(module, name, -1.0)  # every long call in a thread
    r = gm.gm_solve(PROBLEM, method)
    assert r.value == expected.value and np.array_equal(r.labels, expected.labels)


def test_the_time_that_was_kept_back_is_there_for_the_rounding():
    budget = Budget(time_limit=1e4)
    budget.keep_back(1e9)
    assert budget.reserve == 2500
    budget.stopped = "time_limit"
    scores = np.ones(PROBLEM.n_candidates)
    assert pipeline.round_in_time(PROBLEM, scores, budget) is not None
    assert budget.stopped == "time_limit" and budget.reserve == 2500


def test_estimates():
    larger = random_problem(np.random.default_rng(1), 9, 9)
    assert pipeline.greedy_seconds(larger) > pipeline.greedy_seconds(PROBLEM) > 0
    assert pipeline.omit(Budget(), "x").extra == {"left_out": "x"}
    prepared, in_time = pipeline.transform_in_time(Budget(), PROBLEM, get_solver("rrwm"), False)
    assert in_time and prepared.problem.shape == (12, 12)
