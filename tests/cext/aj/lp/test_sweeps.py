"""aj/sweeps: a valid bound that rises, and an end."""

import math

import numpy as np
import pytest
from c_internals import Indexed
from small import brute_force, random_problem


@pytest.mark.parametrize("early", [0, 1])
def test_the_bound_rises_stays_valid_and_the_sweeps_end(early):
    for seed in range(4):
        problem = random_problem(np.random.default_rng(seed), 4, 5, complete=seed % 2 == 0)
        setup = Indexed(problem, "aj/lp/sweeps.h")
        sweeps = setup.ffi.new("aj_sweeps *")
        setup.lib.aj_sweeps_init(sweeps)
        assert sweeps.bound == -math.inf
        assert setup.lib.aj_sweeps_begin(sweeps, setup.index) == 0
        assert setup.lib.aj_sweeps_guide(sweeps) == setup.ffi.NULL
        optimum, last = brute_force(problem), -math.inf
        while sweeps.going_on:
            assert setup.lib.aj_sweeps_step(sweeps, 2.0, 2.0 * optimum, early) == 0
            assert last <= sweeps.bound <= 2.0 * optimum + 1e-9
            last = sweeps.bound
            assert setup.lib.aj_sweeps_guide(sweeps) == sweeps.bca
        assert 1 <= sweeps.n <= 150
        setup.lib.aj_sweeps_end(sweeps)
        assert setup.lib.aj_sweeps_guide(sweeps) == setup.ffi.NULL


def test_they_end_when_the_cutoff_is_reached():
    problem = random_problem(np.random.default_rng(9), 4, 4)
    setup = Indexed(problem, "aj/lp/sweeps.h")
    sweeps = setup.ffi.new("aj_sweeps *")
    setup.lib.aj_sweeps_init(sweeps)
    assert setup.lib.aj_sweeps_begin(sweeps, setup.index) == 0
    assert setup.lib.aj_sweeps_step(sweeps, 1.0, -1e9, 0) == 0
    assert not sweeps.going_on
    setup.lib.aj_sweeps_end(sweeps)


def test_beside_other_work_they_go_on_for_less_and_stay_valid():
    gained = 0
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 5, 5, edges=0.8)
        setup = Indexed(problem, "aj/lp/sweeps.h")
        sweeps = setup.ffi.new("aj_sweeps *")
        setup.lib.aj_sweeps_init(sweeps)
        assert setup.lib.aj_sweeps_begin(sweeps, setup.index) == 0
        optimum = brute_force(problem)
        while sweeps.going_on:
            assert setup.lib.aj_sweeps_step(sweeps, 1.0, optimum, 1) == 0
        last = ended = sweeps.bound
        while sweeps.gains and sweeps.n < 1000:
            assert setup.lib.aj_sweeps_step_beside(sweeps, 1.0, optimum) == 0
            assert last <= sweeps.bound <= optimum + 1e-9
            last = sweeps.bound
        assert not sweeps.gains and not sweeps.going_on
        gained += sweeps.bound > ended
        setup.lib.aj_sweeps_end(sweeps)
    assert gained
