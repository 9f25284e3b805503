"""The dual of mp: sweeps and assignments give bounds, whatever a node keeps for itself."""

import numpy as np
import pytest
from c_internals import Indexed
from small import brute_force, random_problem


def bounds(problem, kept, sweeps=12):
    setup = Indexed(problem, "mp/dual.h")
    ffi, lib = setup.ffi, setup.lib
    dual, bound = ffi.new("mp_dual *"), ffi.new("double *")
    assert lib.mp_dual_init(dual, setup.index, kept) == 0
    dual = ffi.gc(dual, lib.mp_dual_clear)
    found = []
    for k in range(sweeps):
        lib.mp_dual_sweep(dual, k % 2 == 0)
        assert lib.mp_dual_assign(dual, bound) == 0
        found.append(bound[0])
    assert lib.mp_dual_evaluate(dual, bound) == 0
    return found, bound[0]


@pytest.mark.parametrize("kept", [0.0, 1.0, 2.0])
def test_bounds_are_valid_and_rise(kept):
    for seed in range(8):
        problem = random_problem(
            np.random.default_rng(seed), 4, 5, density=0.8, edges=0.5, complete=seed % 2 == 0
        )
        optimum = brute_force(problem)
        found, evaluated = bounds(problem, kept)
        slack = 1e-9 * (1 + np.abs(problem.edge_cost).sum())
        assert max(*found, evaluated) <= optimum + slack
        assert found[-1] >= found[0] - slack


def test_without_edges_the_bound_is_the_assignment():
    problem = random_problem(np.random.default_rng(1), 4, 6, edges=0.0)
    found, evaluated = bounds(problem, 2.0, sweeps=2)
    assert found[-1] == pytest.approx(brute_force(problem)) == pytest.approx(evaluated)
