"""many.c: jobs one after the other, limits, stops, and what a job without an answer says."""

import math

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core._ffi import ffi, lib, pointer

FM = {"seed": 0, "patience": 50, "improve": 5}


class Jobs:
    def __init__(self, problems, maxiter=10**6, seconds=math.inf):
        n = len(problems)
        self.jobs, self.options = ffi.new("gm_job[]", n), ffi.new("gm_fm_options *", FM)
        self.events = ffi.new("gm_event[]", lib.GM_JOB_EVENTS * n)
        self.labels = [np.empty(problem.shape[0], np.int32) for problem in problems]
        for k, problem in enumerate(problems):
            job = self.jobs[k]
            job.model = problem.c_model[0][0]
            job.options = ffi.cast("void *", self.options)
            job.max_iterations, job.seconds = maxiter, seconds
            job.labels = pointer(self.labels[k])
            job.events = self.events + lib.GM_JOB_EVENTS * k

    def run(self, first=0, stop=0):
        flag = ffi.new("int32_t *", stop)
        n = len(self.labels)
        return lib.gm_many(lib.gm_find_kernel(b"fm"), self.jobs, first, n, ffi.NULL, flag)


@pytest.fixture
def problems():
    rng = np.random.default_rng(0)
    return [random_problem(rng, 4, 5, complete=bool(k % 2)) for k in range(6)]


def test_labels_bounds_and_events(problems):
    jobs = Jobs(problems)
    assert jobs.run() == len(problems)
    for job, labels, problem in zip(jobs.jobs, jobs.labels, problems, strict=True):
        assert job.status == 0 and job.ending == lib.GM_ENDED and job.run == ffi.NULL
        values = [event.value for event in job.events[0 : job.n_events]]
        assert values[-1] == pytest.approx(problem.total_cost(labels))
        assert np.all(np.diff(values) <= 0) and job.bound <= values[-1] + 1e-9
        assert job.ended >= job.begun


def test_kernels_have_names():
    assert lib.gm_find_kernel(b"fm") != ffi.NULL  # all: tests/test_kernel_jobs.py
    assert lib.gm_find_kernel(b"no such kernel") == ffi.NULL


def test_limits(problems):
    jobs = Jobs(problems, maxiter=3)
    jobs.run()
    assert {job.ending for job in jobs.jobs} <= {lib.GM_OUT_OF_ITERATIONS, lib.GM_ENDED}
    assert max(job.iteration for job in jobs.jobs) == 3
    jobs = Jobs(problems, seconds=0.0)
    jobs.run()
    assert {job.ending for job in jobs.jobs} == {lib.GM_OUT_OF_TIME}


def test_a_stop_leaves_jobs_out(problems):
    jobs = Jobs(problems)
    assert jobs.run(stop=1) == len(problems)
    assert {job.ending for job in jobs.jobs} == {lib.GM_STOPPED}
    assert {job.iteration for job in jobs.jobs} == {0}


def test_what_is_under_way_can_be_dropped(problems):
    jobs = Jobs(problems)
    jobs.jobs[2].run = lib.gm_fm_new(problems[2].c_model[0], jobs.options)
    lib.gm_many_drop(lib.gm_find_kernel(b"fm"), jobs.jobs, len(problems))
    assert jobs.jobs[2].run == ffi.NULL
