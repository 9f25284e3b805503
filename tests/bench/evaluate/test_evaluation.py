"""Evaluation: values at a time limit, the fastest trial, failures and anomalies."""

import math

import numpy as np
import pytest

from gmtoolbox.bench.evaluate import tables
from gmtoolbox.bench.evaluate.evaluation import Cell, anomalies, evaluate_runs
from gmtoolbox.bench.evaluate.profiles import times_of
from gmtoolbox.bench.store.store import Command, InstanceRow, Run, Store
from gmtoolbox.core.result import trace_dtype


def run(trace, trial=1, method="m", **rest):
    trace = np.array(trace, dtype=trace_dtype())
    last = trace[-1]
    values = dict(
        status="converged",
        value=last["value"],
        bound=last["bound"],
        time=last["time"],
        time_limit=10.0,
        load=0.0,
    )
    return Run("d", "i", method, trial, trace=trace, labels=np.array([0, 1]), **{**values, **rest})


@pytest.fixture
def store():
    with Store() as store:
        yield store


def test_values_are_read_off_the_trace(store):
    store.add_instance(InstanceRow("d", "i", n1=2, n2=2, optimum=-10.0, ground_truth=[[0], [0]]))
    snapshots = [(0.5, np.array([1, 0]))]
    store.add(
        run(
            [(0.5, -5.0, -20.0), (2.0, -10.0, -20.0), (20.0, -10.0, -15.0)],
            snapshots=snapshots,
            status="time_limit",
        )
    )
    evaluation = evaluate_runs(store, [0.1, 1.0, 10.0])
    (problem,) = evaluation.problems["d"]
    assert evaluation.cell(0.1, "d", problem, "m") == Cell()
    # labels 1 0 against truth 0 0
    assert evaluation.cell(1.0, "d", problem, "m") == Cell(-5.0, -20.0, 0.5)
    # the end counts at the run's own limit
    assert evaluation.cell(10.0, "d", problem, "m") == Cell(-10.0, -15.0, 0.5)
    assert evaluation.time("d", "i", "m") == 2.0


def test_fastest_trial_counts_and_unknown_optimum_is_the_best_seen(store):
    store.add_instance(InstanceRow("d", "i", n1=2, n2=2))
    store.add(run([(3.0, -10.0, -np.inf)]))
    store.add(run([(2.0, -9.995, -np.inf), (4.0, -10.0, -np.inf)], trial=2))
    store.add(run([(1.0, -9.0, -np.inf)], method="poor"))
    evaluation = evaluate_runs(store)
    assert evaluation.seed_times == {("d", "i", "m"): [2.0], ("d", "i", "poor"): [math.inf]}
    assert tables.summary(evaluation, "d", 10.0, "m").opt == 0  # the tables count known optima only


def test_failed_runs_have_no_solution(store):
    store.add_instance(InstanceRow("d", "i", n1=2, n2=2, optimum=-10.0))
    store.add(run([(1.0, -10.0, -np.inf)], outcome="timeout", reason="killed"))
    evaluation = evaluate_runs(store)
    assert tables.summary(evaluation, "d", 10.0, "m") == tables.Summary(0, None, None, None)


def test_anomalies(store):
    store.add(run([(1.0, -10.0, -np.inf)]))
    store.add(run([(1.1, -10.0, -np.inf)], trial=2))
    assert anomalies(store) == []
    store.add(run([(1.0, -9.0, -np.inf)], trial=3))
    store.add(run([(5.0, -10.0, -np.inf)], trial=4))
    store.add(run([(9.0, -8.0, -np.inf)], trial=5, status="time_limit"))
    store.add(run([(9.0, -8.0, -np.inf)], trial=6, outcome="crash", reason="killed by SIGSEGV"))
    assert [anomaly.kind for anomaly in anomalies(store)] == [
        "failed",
        "non-deterministic",
        "outlier",
    ]


def test_different_values_are_printed_differently(store):
    """-10.0000000001 and -10 were both -10."""
    store.add(run([(1.0, -10.0, -np.inf)]))
    store.add(run([(1.0, -10.0000000001, -np.inf)], trial=2))
    assert [anomaly.text for anomaly in anomalies(store)] == ["values -10.0000000001, -10.0"]


def test_every_seed_counts_by_itself(store):
    """A failed seed is a failure; a method with one seed stands with it for all."""
    store.add_instance(InstanceRow("d", "i", n1=2, n2=2, optimum=-10.0))
    store.add(run([(1.0, -10.0, -np.inf)], seed=0))
    store.add(run([(2.0, -8.0, -np.inf)], seed=1))
    store.add(run([(2.0, -10.0, -np.inf)], seed=2, outcome="crash", reason="killed"))
    store.add(run([(4.0, -10.0, -np.inf)], method="one", seed=7))
    evaluation = evaluate_runs(store, [10.0])
    assert evaluation.seeds == {"m": [0, 1, 2], "one": [7]} and evaluation.several_seeds
    (problem,) = evaluation.problems["d"]
    cells = evaluation.cells_of(10.0, "d", problem, "m")
    assert [cell.value for cell in cells] == [-10.0, -8.0, math.inf]
    assert evaluation.seed_times["d", "i", "m"] == [1.0, math.inf, math.inf]
    assert evaluation.time("d", "i", "m") == math.inf  # the median
    times = times_of(evaluation)
    assert list(times["m"].values()) == [1.0, math.inf, math.inf]
    assert list(times["one"].values()) == [4.0, 4.0, 4.0]
    summary = tables.summary(evaluation, "d", 10.0, "m")
    assert summary.opt == pytest.approx(100 / 3) and summary.E is None


def test_limits_are_those_that_were_asked_for(store):
    store.add_instance(InstanceRow("d", "i", n1=2, n2=2))
    store.add(run([(1.0, -10.0, -np.inf)], time_limit=20.0))
    assert evaluate_runs(store).limits == [1.0, 10.0, 20.0]  # the study's, where nobody asked
    store.add_command(Command("a", "h", "c", [0.5, 20.0]))
    store.add_command(Command("b", "h", "c", [2.0, 300.0]))  # not reached: nothing ran as long
    assert evaluate_runs(store).limits == [0.5, 2.0, 20.0]


def test_variants_stand_where_their_method_does(store):
    store.add(run([(1.0, -10.0, -np.inf)], method="zz", solver="sm"))
    store.add(run([(1.0, -10.0, -np.inf)], method="aa", solver="fm-bca"))
    evaluation = evaluate_runs(store)
    assert evaluation.methods == ["zz", "aa"]  # purely primal first
    assert evaluation.dual_based("aa") and not evaluation.dual_based("zz")
