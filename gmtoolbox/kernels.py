"""One loop drives every anytime C kernel: gm_x_new -> gm_x_step -> ... -> gm_x_free.

Python keeps the outer loop so that time limit, Ctrl-C and progress work the same for all; C works
in short slices (cffi releases the GIL) and stamps its own improvements.
"""

import math
import time

from gmtoolbox._ffi import check, ffi, lib, model, view
from gmtoolbox.lazy import np
from gmtoolbox.registry import Outcome

SLICE = 0.05  # seconds of C between two looks at the clock
LISTENING = 5e-4  # the same while somebody listens, who wants labels: C keeps only those of the last improvement


def run_kernel(name, problem, budget, maxiter=None, finish=None, **options):
    """Run kernel `name` on a Problem until it finishes or the budget ends; the Outcome of its gm_run.

    options fill the fields of struct gm_<name>_options. finish(state), called before the state is
    freed, may return a dict for Outcome.extra.
    """
    struct, borrowed = model(problem)
    chosen = ffi.new(f"gm_{name}_options *", options)
    new, step, free = (getattr(lib, f"gm_{name}_{verb}") for verb in ("new", "step", "free"))
    run = new(struct, chosen)
    if run == ffi.NULL:
        raise MemoryError(f"kernel {name!r} could not get its memory")
    try:
        status, stride = None, 1
        while status is None:
            left = np.iinfo(np.int64).max if maxiter is None else maxiter - run.iteration
            if left <= 0:
                status = "iteration_limit"
                break
            if budget.on_improve is not None:
                left = min(left, stride)
            begin = time.perf_counter()
            check(step(run, left, max(min(SLICE, budget.remaining()), 0.0)))
            stride = 2 * stride if time.perf_counter() - begin < LISTENING else max(stride // 2, 1)
            drain(run, problem, budget)
            if run.finished:
                status = {lib.GM_OPTIMAL: "optimal", lib.GM_CONVERGED: "converged"}[run.finished]
            elif budget.expired():
                status = budget.stopped
        labels = view(run.labels, run.n1, np.int32)
        return Outcome(
            labels=labels if math.isfinite(run.value) else None,
            bound=run.bound + problem.offset,
            n_iter=run.iteration,
            status=status,
            extra=finish(run) if finish else None,
        )
    finally:
        free(run)
        del borrowed


def drain(run, problem, budget):
    """Move the improvements that C stamped into the budget's trace. The run keeps only the labels of the last one."""
    for k in range(run.n_events):
        event = run.events[k]
        cost, bound = event.value + problem.offset, event.bound + problem.offset
        labels = None
        if budget.on_improve is not None and k == run.n_events - 1 and math.isfinite(run.value):
            labels = view(run.labels, run.n1, np.int32)
        budget.record(cost=cost, bound=bound, at=event.time, labels=labels, iteration=event.iteration)
    run.n_events = 0
