"""Portions of problems that one C kernel solves in one call, and their Results."""

import math
import struct

from gmtoolbox.core._ffi import ffi, lib, matching_cost, pointer
from gmtoolbox.core.edges import MAX_EDGES, Listed
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import (
    BIJECTIVE,
    LEFT_COMPLETE,
    find_extended_sides,
    without_shared_costs,
)
from gmtoolbox.driver import make_result
from gmtoolbox.engine.lapack import BorrowedLapack
from gmtoolbox.engine.pipeline import complete_matching, conclude
from gmtoolbox.engine.progress import Trace
from gmtoolbox.engine.rounding import MUNKRES_LIMIT

EVENT = struct.Struct("dddq")  # gm_event: time, value, bound, iteration
STATUS = {
    lib.GM_ENDED: "converged",
    lib.GM_OUT_OF_ITERATIONS: "iteration_limit",
    lib.GM_OUT_OF_TIME: "time_limit",
    lib.GM_BROKEN_DOWN: "breakdown",
}


class KernelJobs:
    """Solves portions of problems by the kernel of a method."""

    def __init__(self, solver, time_limit, stop):
        self.solver, self.stop = solver, stop
        self.seconds = math.inf if time_limit is None else float(time_limit)

    def takes_options(self, seed, options):
        """Return whether the kernel alone is the method with these options."""
        return self.solver.kernel is not None and self.solver.kernel(seed, **options) is not None

    def takes(self, problem):
        """Return whether the kernel alone replaces pipeline and method for a problem."""
        apart = self.solver.without_kernel
        if without_shared_costs(problem) is not problem or (apart is not None and apart(problem)):
            return False
        (n1, n2), complete = problem.shape, problem.complete
        listed = isinstance(problem.edges, Listed)
        if BIJECTIVE in self.solver.needs:
            if complete and n1 == n2 and problem.n_candidates < n1 * n2:
                return listed and n1 <= MUNKRES_LIMIT and find_extended_sides(problem) is None
            return listed and (max(n1, n2) if complete else n1 + n2) <= MUNKRES_LIMIT
        exchanged = LEFT_COMPLETE in self.solver.needs and complete and n1 > n2
        return not exchanged and (listed or problem.n_edges <= MAX_EDGES)

    def solve(self, runs):
        """Return the Result of each (problem, seed, options), None if it has to be solved alone (an
        error will say why) or was stopped.
        """
        portion = Portion(self, runs)
        with BorrowedLapack() as lapack:
            portion.solve(lapack)
        return [portion.result(k) for k in range(len(runs))]


class Portion:
    """The C structs of a portion, and the arrays that they point to."""

    def __init__(self, jobs, runs):
        self.owner, self.runs, n = jobs, runs, len(runs)
        self.jobs = ffi.new("gm_job[]", n)
        self.events = ffi.new("gm_event[]", lib.GM_JOB_EVENTS * n)
        self.labels, self.scores = [None] * n, [None] * n
        self.kept, self.kernel = {}, None
        for k, (problem, seed, options) in enumerate(runs):
            job = self.jobs[k]
            job.model = problem.c_model[0][0]
            job.model.tolerance = problem.tolerance
            job.options, job.max_iterations = self.options(seed, options)
            job.seconds = jobs.seconds
            self.labels[k] = labels = np.empty(problem.shape[0], np.int32)
            job.labels = ffi.from_buffer("int32_t[]", labels)
            job.events = self.events + lib.GM_JOB_EVENTS * k
            if BIJECTIVE in jobs.solver.needs:  # it has scores
                self.scores[k] = np.zeros(problem.shape)
                job.scores = pointer(self.scores[k].reshape(-1))

    def options(self, seed, options):
        """Return (void * of the kernel's options, iteration limit); one struct for equal ones."""
        key = (seed, id(options))
        if key not in self.kept:
            name, maxiter, fields = self.owner.solver.kernel(seed, **options)
            self.kernel = lib.gm_find_kernel(name.encode())
            if self.kernel == ffi.NULL:
                method = self.owner.solver.name
                raise InputError(f"{method}: gm_solve_many has no kernel {name!r}")
            chosen = ffi.new(f"gm_{name}_options *", fields)
            self.kept[key] = chosen, ffi.cast("void *", chosen), maxiter
        return self.kept[key][1:]

    def solve(self, lapack):
        """Solve all jobs; a kernel that asks for LAPACK gets it and goes on."""
        structs = [chosen for chosen, _, _ in self.kept.values()]
        lent = ffi.NULL
        if hasattr(structs[0], "lapack"):
            lent = lapack.struct
            for chosen in structs:
                chosen.lapack, chosen.seconds = lent, self.owner.seconds
        done, n = 0, len(self.runs)
        try:
            while done < n:
                done = lib.gm_many(self.kernel, self.jobs, done, n, lent, self.owner.stop.flag)
                lapack.lend()
        finally:
            lib.gm_many_drop(self.kernel, self.jobs, n)

    def result(self, k):
        """Return the Result of run k, or None; see KernelJobs.solve."""
        job, (problem, seed, options) = self.jobs[k], self.runs[k]
        ending = STATUS.get(job.ending)
        if job.status < 0 or ending is None:
            return None
        labels, cost = complete(problem, self.labels[k])
        seconds, trace = job.ended - job.begun, Trace()
        events = ffi.buffer(job.events, EVENT.size * job.n_events)
        for stamp, value, bound, _ in EVENT.iter_unpack(events):
            trace.add(stamp - job.begun, value, bound)
        trace.add(seconds, cost, job.bound)
        answer = conclude(
            problem,
            trace,
            labels,
            cost,
            ending,
            time=seconds,
            solver_time=seconds,
            n_iter=job.iteration,
            method=self.owner.solver.name,
            options=dict(options),
            seed=seed,
            scores=self.scores[k],
        )
        return make_result(problem, answer)


def complete(problem, labels):
    """Return (labels, their cost without the offset), as a complete matching if it must be one."""
    cost = matching_cost(problem.c_model, labels) if isinstance(problem.edges, Listed) else None
    if problem.complete and not problem.is_complete_matching(labels):
        labels = np.asarray(complete_matching(problem.as_costs(), labels), dtype=np.int32)
        cost = None
    return labels, problem.without_offset().total_cost(labels) if cost is None else cost
