"""Rows of a store: what goes in comes out, and what a stranger wrote is held against its kind."""

from dataclasses import replace

import numpy as np
import pytest

from gmtoolbox.bench.store import rows
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.io.files import Allowance

RUN = {"dataset": "car", "instance": "car1", "method": "fm", "trial": 0}


def allowance():
    return Allowance("a store", size=10**6)


def answered(**rest):
    trace = np.array([(0.1, 3.0, 1.0), (0.2, 2.0, 1.5)], trace_dtype())
    values = {
        "status": "converged", "value": 2.0, "bound": 1.5, "gap": 0.25, "time": 0.2,
        "labels": np.array([1, -1]), "trace": trace, "snapshots": [(0.1, [0, 1]), (0.2, [1, -1])],
        "options": {"maxiter": 5}, "seed": 3, "time_limit": 1.0,
    }  # fmt: skip
    return rows.Run(**{**RUN, **values, **rest})


def test_runs_there_and_back():
    run = answered()
    back = rows.unpack_run(rows.pack_run(run), allowance(), (2, 2))
    assert back.key == run.key and back.options == run.options and back.solver == "fm"
    assert back.labels.tolist() == [1, -1] and np.array_equal(back.trace, run.trace)
    assert [(t, list(labels)) for t, labels in back.snapshots] == run.snapshots


def test_instances_there_and_back():
    row = rows.InstanceRow(
        "car", "car1", n1=2, n2=3, complete=True, ground_truth=[[0], [1, 2]],
        points1=np.arange(4.0).reshape(2, 2),
    )  # fmt: skip
    back = rows.unpack_instance(rows.pack_instance(row), allowance())
    assert back.complete is True and back.ground_truth == row.ground_truth
    assert np.array_equal(back.points1, row.points1) and back.points2 is None


def test_commands_there_and_back():
    command = rows.Command("2026-01-01", "host", "bench car", [1, 10])
    assert rows.unpack_command(rows.pack_command(command)) == command


def test_which_runs_serve_a_time_limit():
    cut = answered(status="time_limit", time=1.0, time_limit=1.0)
    assert cut.serves(1) and not cut.serves(0.5) and not cut.serves(2.0) and not cut.serves(None)
    assert cut.serves(0.5, reads_off=True) and not cut.serves(2.0, reads_off=True)
    done = answered(status="optimal", time=0.5, time_limit=1.0)
    assert done.serves(2.0) and done.serves(None) and done.serves(0.5) and not done.serves(0.4)
    free = answered(status="iteration_limit", time=0.5, time_limit=None)
    assert free.serves(None) and not free.serves(9.0) and free.serves(9.0, reads_off=True)


def test_what_the_identity_of_a_run_depends_on():
    run = answered(problem="p", options={"a": 1, "b": [2.5]}, time_limit=1)
    same = answered(problem="p", options={"b": [2.5], "a": 1}, time_limit=1.0)
    named = replace(run, dataset="other", instance="x", method="called", solver=run.solver, trial=2)
    assert run.identity == same.identity == named.identity and run.place != named.place
    assert answered(value=7.0, problem="p").identity == answered(problem="p").identity
    others = [
        replace(run, problem="q"), replace(run, solver="other"), replace(run, code="c"),
        replace(run, options={"a": 1}), replace(run, options={"a": 1, "b": [2.6]}),
        replace(run, seed=1), replace(run, time_limit=2.0), replace(run, time_limit=None),
    ]  # fmt: skip
    assert len({one.identity for one in (run, *others)}) == 9


@pytest.mark.parametrize(
    "change, said",
    [
        ({"value": "2"}, "column value must hold a number, got str"),
        ({"value": float("nan")}, "column value holds NaN"),
        ({"trial": 1.5}, "column trial must hold a whole number"),
        ({"method": None}, "column method is missing"),
        ({"outcome": "fine"}, "outcome must be one of"),
        ({"status": None}, "an answered run must have status"),
        ({"labels": rows.pack(np.array([5, 0], np.int32))}, "labels must lie below n2 = 2, got 5"),
        ({"labels": rows.pack(np.array([0], np.int32))}, "labels must hold n1 = 2 numbers"),
        ({"options": "[1]"}, "options must be a JSON object"),
        ({"trace": rows.pack(np.array([np.nan] * 3))}, "trace holds NaN"),
    ],
)
def test_every_column_of_a_run_is_checked(change, said):
    with pytest.raises(InputError, match=said):
        rows.unpack_run({**rows.pack_run(answered()), **change}, allowance(), (2, 2))


def test_snapshots_that_claim_more_than_they_hold():
    packed = {**rows.pack_run(answered()), "snapshots": rows.pack(np.array([10**6], np.int64))}
    with pytest.raises(InputError, match="claims 1000000 times"):
        rows.unpack_run(packed, allowance(), (2, 2))


@pytest.mark.parametrize(
    "change, said",
    [
        ({"sense": "up"}, "sense must be"),
        ({"n1": -1}, "n1 is -1"),
        ({"ground_truth": "[[0]]"}, "a list of labels for each left node"),
        ({"points1": rows.pack(np.array([2.0, 1.0, 1.0]))}, "points1 must hold 2 points, got 1"),
    ],
)
def test_every_column_of_an_instance_is_checked(change, said):
    packed = rows.pack_instance(rows.InstanceRow("car", "car1", n1=2, n2=3))
    with pytest.raises(InputError, match=said):
        rows.unpack_instance({**packed, **change}, allowance())


def test_limits_of_commands_are_positive():
    packed = rows.pack_command(rows.Command("now", "host", "bench", [1]))
    with pytest.raises(InputError, match="positive numbers"):
        rows.unpack_command({**packed, "time_limits": "[0]"})
