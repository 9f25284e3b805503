"""Runs: only improvements count, events never overflow."""

import math

import numpy as np
from c_internals import Indexed
from small import random_problem

PROBLEM = random_problem(np.random.default_rng(0), 3, 3)


def new_run():
    setup = Indexed(PROBLEM, "base/run.h")
    run = setup.ffi.new("gm_run *")
    assert setup.lib.gm_run_init(run, setup.model) == 0
    return setup, setup.ffi.gc(run, setup.lib.gm_run_clear)


def test_the_tolerance_is_that_of_the_model():
    setup, _ = new_run()
    setup.model.tolerance = 0.25
    run = setup.ffi.new("gm_run *")
    assert setup.lib.gm_run_init(run, setup.model) == 0
    setup.lib.gm_run_offer(run, 1.0, setup.ffi.new("int32_t[]", [2, 1, 0]))
    for bound, finished in ((0.74, 0), (0.75, 1)):
        setup.lib.gm_run_raise(run, bound)
        setup.lib.gm_run_stop_when_closed(run)
        assert run.finished == finished
    setup.lib.gm_run_clear(run)


def test_only_strict_improvements_are_taken():
    setup, run = new_run()
    labels = setup.ffi.new("int32_t[]", [2, 1, 0])
    assert run.value == math.inf and run.bound == -math.inf
    assert [run.labels[i] for i in range(3)] == [-1, -1, -1]
    assert setup.lib.gm_run_offer(run, 4.0, labels) == 1
    assert setup.lib.gm_run_offer(run, 4.0, setup.ffi.new("int32_t[]", [0, 1, 2])) == 0
    assert [run.labels[i] for i in range(3)] == [2, 1, 0]
    assert setup.lib.gm_run_raise(run, 1.0) == 1 and setup.lib.gm_run_raise(run, 0.5) == 0
    assert (run.value, run.bound, run.n_events) == (4.0, 1.0, 2)
    assert run.events[1].value == 4.0 and run.events[1].bound == 1.0
    assert run.events[0].time <= run.events[1].time


def test_a_bound_never_passes_the_value_and_no_number_is_no_bound():
    setup, run = new_run()
    for bound in (math.nan, math.inf, -math.inf):
        assert setup.lib.gm_run_raise(run, bound) == 0 and run.bound == -math.inf
    setup.lib.gm_run_offer(run, -2.0, setup.ffi.new("int32_t[]", [0, 1, 2]))
    assert setup.lib.gm_run_raise(run, math.nan) == 0 and run.bound == -math.inf
    assert setup.lib.gm_run_raise(run, -1.9) == 1 and run.bound == -2.0


def test_events_never_overflow_and_the_last_one_is_kept():
    setup, run = new_run()
    labels = setup.ffi.new("int32_t[]", [0, 1, 2])
    capacity = len(run.events)
    for k in range(3 * capacity):
        setup.lib.gm_run_offer(run, -float(k), labels)
    assert run.n_events <= capacity
    assert run.events[run.n_events - 1].value == run.value == -(3.0 * capacity - 1)


def test_a_closed_gap_ends_the_run():
    setup, run = new_run()
    labels = setup.ffi.new("int32_t[]", [0, 1, 2])
    setup.lib.gm_run_offer(run, -2.0, labels)
    setup.lib.gm_run_raise(run, -2.1)
    setup.lib.gm_run_stop_when_closed(run)
    assert not run.finished
    setup.lib.gm_run_raise(run, -2.0)
    setup.lib.gm_run_stop_when_closed(run)
    assert run.finished
