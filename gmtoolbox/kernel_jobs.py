"""Portions of problems that one C kernel solves in one call, and their Results.

C decides cost, gap and status by the rules of the driver (many.c), so that little remains to do
here for each problem.
"""

import math
import weakref

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.edges import MAX_EDGES, Listed
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import Result, settled, trace_dtype
from gmtoolbox.core.shared_costs import without_shared_costs
from gmtoolbox.core.transforms import BIJECTIVE, LEFT_COMPLETE, extended_sides
from gmtoolbox.driver import completed
from gmtoolbox.engine.lapack import BorrowedLapack
from gmtoolbox.engine.rounding import MUNKRES_LIMIT

TRACE = trace_dtype()
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
        """Whether the kernel alone does what the method does with these options."""
        return self.solver.kernel is not None and self.solver.kernel(seed, **options) is not None

    def takes(self, problem):
        """Whether the kernel alone does what the driver and the method do with a problem."""
        if without_shared_costs(problem) is not problem:
            return False
        (n1, n2), complete = problem.shape, problem.complete
        listed = isinstance(problem.edges, Listed)
        if BIJECTIVE in self.solver.needs:
            if complete and n1 == n2 and problem.n_candidates < n1 * n2:
                return listed and n1 <= MUNKRES_LIMIT and extended_sides(problem) is None
            return listed and (max(n1, n2) if complete else n1 + n2) <= MUNKRES_LIMIT
        exchanged = LEFT_COMPLETE in self.solver.needs and complete and n1 > n2
        return not exchanged and (listed or problem.n_edges <= MAX_EDGES)

    def solve(self, runs):
        """The Result of each (problem, seed, options), None where it has to be solved alone (an
        error will tell why) or was stopped.
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
        self.trace = ffi.new("double[]", 3 * lib.GM_TRACE_ROWS * n)
        self.labels, self.scores = [None] * n, [None] * n
        self.kept, self.kernel = {}, None
        trace = self.trace + 0
        for k, (problem, seed, options) in enumerate(runs):
            job = self.jobs[k]
            job.model = problem.c_model[0][0]
            job.model.tolerance = problem.tolerance
            job.options, job.max_iterations = self.options(seed, options)
            job.seconds, job.offset = jobs.seconds, problem.offset
            job.maximised = problem.sense == "max"
            self.labels[k] = labels = np.empty(problem.shape[0], np.int32)
            job.labels = ffi.from_buffer("int32_t[]", labels)
            job.trace = trace + 3 * lib.GM_TRACE_ROWS * k
            if self.kernel == lib.GM_KERNEL_RRWM:
                self.scores[k] = np.zeros(problem.shape)
                job.scores = pointer(self.scores[k].reshape(-1))

    def options(self, seed, options):
        """(void * of the kernel's options, iteration limit); one struct where they are the same."""
        key = (seed, id(options))
        if key not in self.kept:
            name, maxiter, fields = self.owner.solver.kernel(seed, **options)
            self.kernel = getattr(lib, f"GM_KERNEL_{name.upper()}")
            struct = ffi.new(f"gm_{name}_options *", fields)
            self.kept[key] = struct, ffi.cast("void *", struct), maxiter
        return self.kept[key][1:]

    def solve(self, lapack):
        """Solve all jobs; a kernel that asks for LAPACK gets it and goes on."""
        structs = [struct for struct, _, _ in self.kept.values()]
        lent = ffi.NULL
        if hasattr(structs[0], "lapack"):
            lent = lapack.struct
            for struct in structs:
                struct.lapack, struct.seconds = lent, self.owner.seconds
        done, n = 0, len(self.runs)
        try:
            while done < n:
                done = lib.gm_many(self.kernel, self.jobs, done, n, lent, self.owner.stop.flag)
                lapack.lend()
        finally:
            lib.gm_many_drop(self.kernel, self.jobs, n)

    def result(self, k):
        """The Result of run k, or None; see KernelJobs.solve."""
        job, (problem, seed, options) = self.jobs[k], self.runs[k]
        status = STATUS.get(job.ending)
        if job.status < 0 or status is None:
            return None
        labels, told = self.labels[k], job.told
        if problem.complete and job.n_matched < min(problem.shape) or not listed(problem):
            labels, told = judged(problem, labels, job.bound)
        trace = ffi.buffer(job.trace, 24 * job.n_trace)
        seconds = job.ended - job.begun
        return Result(
            labels=labels,
            value=told.value,
            bound=told.bound,
            gap=told.gap,
            status="optimal" if told.closed else status,
            time=seconds,
            solver_time=seconds,
            n_iter=job.iteration,
            trace=np.frombuffer(bytearray(trace), TRACE),
            shape=problem.shape,
            method=self.owner.solver.name,
            options=dict(options),
            seed=seed,
            sense=problem.sense,
            scores=self.scores[k],
            nodes1=problem.nodes1,
            nodes2=problem.nodes2,
            problem=weakref.ref(problem),
        )


def listed(problem):
    """Whether the edges of a problem are written out."""
    return isinstance(problem.edges, Listed)


def judged(problem, labels, bound):
    """(labels, verdict) where the kernel could not tell: a matching that is made complete, edges
    that are not listed.
    """
    costs = problem.as_costs().without_offset()
    if problem.complete and not problem.is_complete_matching(labels):
        labels = np.asarray(completed(costs, labels), dtype=np.int32)
    return labels, settled(problem, costs.total_cost(labels), bound, labels)
