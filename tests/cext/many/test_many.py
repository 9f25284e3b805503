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
        self.trace = [np.empty(3 * lib.GM_TRACE_ROWS) for _ in problems]
        self.labels = [np.empty(problem.shape[0], np.int32) for problem in problems]
        for k, problem in enumerate(problems):
            job = self.jobs[k]
            job.model = problem.c_model[0][0]
            job.options = ffi.cast("void *", self.options)
            job.max_iterations, job.seconds = maxiter, seconds
            job.labels, job.trace = pointer(self.labels[k]), pointer(self.trace[k])

    def run(self, first=0, stop=0):
        flag = ffi.new("int32_t *", stop)
        n = len(self.labels)
        return lib.gm_many(lib.GM_KERNEL_FM, self.jobs, first, n, ffi.NULL, flag)


@pytest.fixture
def problems():
    rng = np.random.default_rng(0)
    return [random_problem(rng, 4, 5, complete=bool(k % 2)) for k in range(6)]


def test_answers_costs_and_traces(problems):
    jobs = Jobs(problems)
    assert jobs.run() == len(problems)
    for job, labels, trace, problem in zip(
        jobs.jobs, jobs.labels, jobs.trace, problems, strict=True
    ):
        assert job.status == 0 and job.ending == lib.GM_ENDED and job.run == ffi.NULL
        assert job.cost == problem.total_cost(labels) == job.told.value
        assert job.n_matched == np.count_nonzero(labels >= 0)
        rows = trace[: 3 * job.n_trace].reshape(-1, 3)
        assert rows[-1, 1] == job.cost and np.all(np.diff(rows[:, 1]) <= 0)
        assert job.ended >= job.begun


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


def test_a_complete_problem_without_a_complete_matching():
    problem = random_problem(np.random.default_rng(1), 3, 3, density=1.0)
    blocked = problem.forbid([(0, 1), (1, 1), (2, 1)]).problem.changed(complete=True)
    jobs = Jobs([blocked])
    jobs.run()
    assert jobs.jobs[0].status == lib.GM_EINFEASIBLE


def test_what_is_under_way_can_be_dropped(problems):
    jobs = Jobs(problems)
    jobs.jobs[2].run = lib.gm_fm_new(problems[2].c_model[0], jobs.options)
    lib.gm_many_drop(lib.GM_KERNEL_FM, jobs.jobs, len(problems))
    assert jobs.jobs[2].run == ffi.NULL
