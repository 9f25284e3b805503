"""rrwm from a model to its labels in C: labels, scores and iterations of the method itself."""

import math

import numpy as np
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core._ffi import ffi, lib, pointer

OPTIONS = {"c": 0.2, "amp_max": 30.0, "tol": 1e-25, "tol_sinkhorn": 1e-6, "sweeps": 1000}


def solved(problem, maxiter=300, seconds=math.inf, stop=0):
    labels, scores = np.empty(problem.shape[0], np.int32), np.zeros(problem.shape)
    n_iter, ending = ffi.new("int64_t *"), ffi.new("int32_t *")
    options, flag = ffi.new("gm_rrwm_options *", OPTIONS), ffi.new("int32_t *", stop)
    status = lib.gm_rrwm_solve(
        problem.c_model[0], options, maxiter, seconds, flag,
        pointer(labels), pointer(scores.reshape(-1)), n_iter, ending,
    )  # fmt: skip
    assert status == 0
    return labels, scores, n_iter[0], ending[0]


def test_the_same_as_the_method():
    rng = np.random.default_rng(0)
    for k in range(40):
        n1, n2 = rng.integers(2, 7, 2)
        problem = random_problem(rng, n1, n2, complete=bool(k % 2))
        labels, scores, n_iter, ending = solved(problem)
        r = gm.gm_solve(problem, "rrwm")
        assert n_iter == r.n_iter and np.array_equal(scores, r.scores)
        assert np.array_equal(labels, r.labels) and problem.total_cost(labels) == r.value
        assert ending in (lib.GM_ENDED, lib.GM_OUT_OF_ITERATIONS)


def test_limits_and_the_request_to_stop():
    problem = random_problem(np.random.default_rng(1), 5, 5, complete=True)
    assert solved(problem, maxiter=2)[2:] == (2, lib.GM_OUT_OF_ITERATIONS)
    assert solved(problem, seconds=0.0)[2:] == (0, lib.GM_OUT_OF_TIME)
    assert solved(problem, stop=1)[2:] == (0, lib.GM_STOPPED)


def test_a_walk_that_dies():
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], np.zeros(4), complete=True)
    labels, _, _, ending = solved(problem)
    assert ending == lib.GM_BROKEN_DOWN and gm.gm_solve(problem, "rrwm").status == "breakdown"
