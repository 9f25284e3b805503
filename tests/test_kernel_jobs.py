"""Blocks of problems in C: what they take, and Results that equal the driver's."""

import numpy as np
import pytest
from small import FORMS, gallery, problem_with, random_problem

import gmtoolbox as gm
from gmtoolbox.core._ffi import ffi, lib
from gmtoolbox.engine.limits import Stop
from gmtoolbox.engine.registry import get_solver, gm_methods
from gmtoolbox.kernel_jobs import KernelJobs

METHODS = [method.name for method in gm_methods() if method.kernel is not None]
OPTIONS = {"fm": {"patience": 100}, "fm-bca": {"patience": 50}, "fw": {"restarts": 3}}


def test_c_knows_their_kernels():
    assert {"aj", "fm"} < set(METHODS)
    for method in METHODS:
        solver = get_solver(method)
        name, *_ = solver.kernel(0, **solver.check({}))
        known = lib.gm_find_kernel(name.encode()) != ffi.NULL
        assert known, f"add {name} to KERNELS of cext/src/many/many.c"


def test_a_kernel_that_c_does_not_know_is_refused(method):
    name = method(lambda problem, budget: None, kernel=lambda seed, maxiter: ("mp", maxiter, {}))
    problems = [random_problem(np.random.default_rng(k), 3, 3) for k in range(3)]
    with pytest.raises(gm.InputError, match="gm_solve_many has no kernel 'mp'"):
        gm.gm_solve_many(problems, name)


@pytest.mark.parametrize("method", METHODS)
def test_equal_to_gm_solve_on_every_small_problem(method):
    solver, taken = get_solver(method), 0
    options = solver.check(OPTIONS.get(method, {}))
    jobs = KernelJobs(solver, None, Stop())
    rng = np.random.default_rng(0)
    problems = [problem for problem, _ in gallery().values()]
    problems += [problem_with(form, rng) for form in FORMS]
    problems += [
        random_problem(rng, 4, 6, density=0.7, complete=True, offset=1 / 3, sense="max")
        for _ in range(10)
    ]
    taken = [problem for problem in problems if jobs.takes(problem)]
    assert len(taken) >= 20
    made = jobs.solve([(problem, 3, options) for problem in taken])
    for problem, found in zip(taken, made, strict=True):
        alone = gm.gm_solve(problem, method, seed=3, **OPTIONS.get(method, {}))
        assert found == alone, problem
        assert np.array_equal(found.trace["value"][-1:], alone.trace["value"][-1:])
        assert found.options == alone.options and found.problem() is problem


def test_options_that_need_more_than_numbers_are_not_taken():
    solver = get_solver("aj")
    jobs = KernelJobs(solver, None, Stop())
    assert jobs.takes_options(0, solver.check({}))
    assert not jobs.takes_options(0, solver.check({"certify": True}))
    assert not jobs.takes_options(0, solver.check({"cutoff": 1.0}))
    assert not KernelJobs(get_solver("sm"), None, Stop()).takes_options(0, {})


def test_sides_that_are_exchanged_and_large_roundings_are_left_to_the_driver():
    rng = np.random.default_rng(0)
    tall = random_problem(rng, 5, 3, complete=True)
    assert not KernelJobs(get_solver("fm"), None, Stop()).takes(tall)
    assert KernelJobs(get_solver("rrwm"), None, Stop()).takes(tall)
    nodes = np.arange(300)
    large = gm.Problem((300, 300), nodes, nodes, -np.ones(300))
    assert not KernelJobs(get_solver("rrwm"), None, Stop()).takes(large)


def test_linear_algebra_is_lent_to_each_job():
    """The semidefinite phase asks for it; every job counts the same iterations as alone."""
    rng = np.random.default_rng(5)
    problems = [random_problem(rng, 6, 6, complete=True) for _ in range(4)]
    solver = get_solver("aj")
    options = solver.check({"sdp": "at once", "maxiter": 400})
    made = KernelJobs(solver, None, Stop()).solve([(problem, 0, options) for problem in problems])
    alone = [gm.gm_solve(p, "aj", sdp="at once", maxiter=400) for p in problems]
    assert made == alone
