"""Watches: a run is over at its deadline or by a stop, and takes nothing from then on."""

import math

import numpy as np
import pytest
from c_internals import Indexed, internals
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.registry import get_solver

ffi, lib = internals("base/watch.h")
PROBLEM = random_problem(np.random.default_rng(0), 4, 4, edges=0.8)


def test_a_deadline_and_a_stop_end_a_run():
    assert lib.gm_is_late(lib.gm_clock() - 1.0) and not lib.gm_is_late(lib.gm_clock() + 100.0)
    watch = ffi.new("gm_watch *")
    assert not lib.gm_watch_look(watch)  # neither: never
    watch.deadline = lib.gm_clock() + 100.0
    assert not lib.gm_watch_look(watch)
    watch.deadline = lib.gm_clock()
    assert lib.gm_watch_look(watch)
    watch.deadline = 0.0
    assert lib.gm_watch_look(watch)  # for good
    stop = ffi.new("int32_t *")
    watch = ffi.new("gm_watch *", {"stop": stop})
    assert not lib.gm_watch_look(watch)
    stop[0] = 1
    assert lib.gm_watch_look(watch) and watch.is_over


def test_a_run_that_is_over_takes_nothing_and_has_not_finished():
    setup = Indexed(PROBLEM, "base/run.h", "model/slots.h")
    run = setup.ffi.gc(setup.ffi.new("gm_run *"), setup.lib.gm_run_clear)
    setup.lib.gm_run_init(run, setup.model)
    labels = setup.ffi.new("int32_t[]", [0, 1, 2, 3])
    assert setup.lib.gm_run_offer(run, 2.0, labels) and setup.lib.gm_run_raise(run, 1.0)
    assert setup.lib.gm_run_leave(run, -3) == -3
    run.watch.is_over = run.finished = 1
    slots = setup.ffi.new("int32_t[]", [-1] * 4)
    assert not setup.lib.gm_run_offer(run, 0.0, setup.ffi.new("int32_t[]", [3, 2, 1, 0]))
    assert not setup.lib.gm_offer_slots(run, setup.index, slots, 0.0)
    assert not setup.lib.gm_run_raise(run, 1.5)
    assert (run.value, run.bound, run.labels[3]) == (2.0, 1.0, 3)
    assert setup.lib.gm_run_leave(run, -3) == 0 and not run.finished


def test_an_assignment_that_is_cut_matches_nothing():
    start, col = np.arange(0, 60, 10, dtype=np.int64), np.tile(np.arange(10, dtype=np.int32), 5)
    lap = lib.gm_lap_new(
        5, 10, ffi.from_buffer("int64_t[]", start), ffi.from_buffer("int32_t[]", col)
    )
    cost = ffi.from_buffer("double[]", np.random.default_rng(0).normal(size=50))
    watch = ffi.new("gm_watch *", {"is_over": 1})
    lib.gm_lap_heed(lap, watch)
    assert lib.gm_lap_solve(lap, cost, 1, 0) == lib.GM_ECUT
    assert all(lib.gm_lap_match(lap)[i] == -1 for i in range(5))
    watch.is_over = 0
    assert lib.gm_lap_solve(lap, cost, 1, 0) == lib.GM_OK
    assert math.isfinite(lib.gm_lap_value(lap))
    lib.gm_lap_free(lap)


@pytest.mark.parametrize("method", ["aj", "fm", "fm-bca", "fw", "mp", "mp-mcf", "dd-ls0", "hbp"])
def test_a_stop_before_the_first_step(method):
    """What a cut kernel leaves behind is a matching, and no bound above it."""

    def stopped(problem, budget, **options):
        budget.stop.set()
        budget.stopped = None
        return get_solver(method).function(problem, budget, **options)

    problem = gm.synth.car(seed=0, size=10)
    r = gm.gm_solve(problem, stopped)
    assert r.value == pytest.approx(problem.energy(r.labels)) and r.bound <= r.value
    assert r.status == "interrupted"
