"""One loop drives every anytime C kernel: gm_x_new -> gm_x_step -> ... -> gm_x_free.

Python keeps the outer loop so that time limit, Ctrl-C and progress work the same for all; C works
in short slices (cffi releases the GIL) and stamps its own improvements. A kernel ends its slices
between two iterations; its time limit and a stop cut it in the middle of one (struct gm_watch).
"""

import math

from gmtoolbox.core import edges
from gmtoolbox.core._ffi import check, ffi, lib, pointer, view
from gmtoolbox.core.edges import Listed
from gmtoolbox.core.errors import OptionError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.products import Products
from gmtoolbox.engine.limits import OutOfTime, call_within
from gmtoolbox.engine.registry import Outcome

SLICE = 0.05  # seconds of C between two looks at the clock
# The same if a caller listens to improvements: they arrive soon, and the buffer of
# events does not overflow
LISTENING = 0.01
GRACE = 0.01  # seconds beyond its time after which a kernel is cut in the middle of an iteration
SECONDS_PER_ITEM = 2e-7  # candidates and edges: of the set-up of a kernel, at most


def run_kernel(
    name, problem, budget, maxiter=None, finish=None, between=None, set_up=0.0, size=None, **options
):
    """Run kernel `name` on a Problem until it finishes or the budget ends; the Outcome of its
    gm_run.

    options fill the fields of struct gm_<name>_options. finish(state), called before the state is
    freed, may return a dict for Outcome.extra; between(run) is called after every slice. set_up:
    seconds that gm_<name>_new may take; it is not started if the budget has fewer. size: items
    that it reads, by default candidates and edges.
    """
    size = problem.n_candidates + problem.n_edges if size is None else size
    try:
        borrowing = call_within(
            budget, 0.0, lambda: c_model(problem, budget), at_most=written_out_seconds(problem)
        )
        return drive(
            name, borrowing, options, budget, maxiter, finish, problem.offset,
            between=between, set_up=set_up, size=size,
        )  # fmt: skip
    except OutOfTime:
        return Outcome(status=budget.stopped, extra={"left_out": "everything: no time to set up"})


def tolerance_of(problem, budget):
    """Return the gap that counts as closed: that of the budget, if it has one."""
    return problem.tolerance if budget.tolerance is None else budget.tolerance


def c_model(problem, budget):
    """Return (gm_model *, objects it borrows from) with the tolerance of the budget."""
    struct, borrowed = problem.c_model
    struct = ffi.new("gm_model *", struct[0])  # the problem's own may be in use elsewhere
    struct.tolerance = tolerance_of(problem, budget)
    return struct, borrowed


def written_out_seconds(problem):
    """About how long it takes to list the edges of a problem."""
    return 0.0 if isinstance(problem.edges, Listed) else SECONDS_PER_ITEM * problem.n_edges


def drive(
    name,
    borrowing,
    options,
    budget,
    maxiter=None,
    finish=None,
    offset=0.0,
    until=math.inf,
    lift=None,
    between=None,
    set_up=0.0,
    size=0,
    more=None,
):
    """run_kernel for any model: borrowing is (C struct, objects that must outlive it).

    until is an earlier end than the budget's, in seconds of its clock; lift makes labels of the
    problem from those of the kernel; between(run) is called after every slice; size is about the
    number of items that the kernel reads in its set-up; more(run), asked after maxiter iterations,
    returns a larger limit with which the run goes on, or None. OutOfTime if the budget has fewer
    than set_up seconds.
    """
    struct, borrowed = borrowing
    try:
        chosen = ffi.new(f"gm_{name}_options *", options)
    except OverflowError as error:
        raise OptionError(f"an option of {name!r} is too large: {error}") from error
    new, step, free = (getattr(lib, f"gm_{name}_{verb}") for verb in ("new", "step", "free"))

    def make():  # keeps the objects that the kernel borrows, in case it is given up
        return new(struct, chosen), (borrowed, options)

    run, _ = call_within(
        budget, set_up, make, at_most=max(set_up, SECONDS_PER_ITEM * size),
        discard=lambda made: made and free(made[0]),
    )  # fmt: skip
    if run == ffi.NULL:
        raise MemoryError(f"kernel {name!r} could not get its memory")
    try:
        status = step_on(step, run, budget, maxiter, offset, until, lift, between)
        while status == "iteration_limit" and more and (maxiter := more(run)) is not None:
            status = step_on(step, run, budget, maxiter, offset, until, lift, between)
        return Outcome(
            labels=labels_of(run, lift),
            bound=run.bound + offset,
            n_iter=run.iteration,
            status=status,
            extra=finish(run) if finish else None,
        )
    finally:
        free(run)


def run_briefly(name, model, seconds=SLICE):
    """Return (labels, cost, bound) of a kernel that ends within some seconds, else None.

    model is a C struct. There is no Budget, which takes longer than a small kernel. Ctrl-C waits
    for the end of the call.
    """
    new, step, free = (getattr(lib, f"gm_{name}_{verb}") for verb in ("new", "step", "free"))
    run = new(model, ffi.new(f"gm_{name}_options *"))
    if run == ffi.NULL:
        raise MemoryError(f"kernel {name!r} could not get its memory")
    try:
        run.watch.deadline = lib.gm_clock() + seconds
        check(step(run, np.iinfo(np.int64).max, seconds))
        return (labels_of(run, None), run.value, run.bound) if run.finished else None
    finally:
        free(run)


def labels_of(run, lift):
    """A copy of the best labels as those of the problem, or None."""
    if not math.isfinite(run.value):
        return None
    labels = view(run.labels, run.n1, np.int32)
    return lift(labels) if lift else labels


def step_on(step, run, budget, maxiter, offset, until, lift, between):
    """Call step(run, iterations, seconds) slice by slice; the status of the end."""
    seconds, kept, best = SLICE, None, math.inf
    if budget.on_improve is not None:
        seconds = LISTENING
        kept = np.tile(view(run.labels, run.n1, np.int32), (len(run.events), 1))
        run.event_labels = pointer(kept.reshape(-1))
    run.watch.stop = budget.stop.flag
    each = 0.0  # seconds of an iteration
    while True:
        allowed = np.iinfo(np.int64).max if maxiter is None else maxiter - run.iteration
        if allowed <= 0:
            return "iteration_limit"
        begin, before = budget.elapsed(), run.iteration
        remaining, to_end = budget.remaining(), until - begin
        set_deadline(run, min(remaining, to_end))
        check(step(run, allowed, max(min(seconds, remaining - each, to_end), 0.0)))
        each = (budget.elapsed() - begin) / max(run.iteration - before, 1)
        drain(run, offset, budget, kept, lift)
        if math.isfinite(run.value):
            budget.keep_back(0.0)  # there are labels: nothing is rounded
        if between:
            between(run)
        if run.finished:
            return "converged"
        if budget.cut() or math.isfinite(run.value) and not budget.affords(each):
            return budget.stopped
        if run.watch.is_over or budget.elapsed() >= until:
            return "time_limit"
        if run.value < best:  # the budget holds them, should this not go on
            best = run.value
            budget.record(cost=best + offset, labels=labels_of(run, lift))


def set_deadline(run, seconds):
    """The time when the run is cut, whatever it does."""
    limited = math.isfinite(seconds)
    run.watch.deadline = lib.gm_clock() + max(seconds, 0.0) + GRACE if limited else 0.0


def drain(run, offset, budget, kept, lift):
    """Move the improvements that C stamped into the budget's trace, and the labels of the run into
    its incumbent; kept[k] are the labels of event k, if improvements are reported.
    """
    for k in range(run.n_events):
        event = run.events[k]
        cost, bound = event.value + offset, event.bound + offset
        labels = kept[k].copy() if kept is not None and cost < budget.cost else None
        if lift and labels is not None:
            labels = lift(labels)
        budget.record(
            cost=cost, bound=bound, at=event.time, labels=labels, iteration=event.iteration
        )
    run.n_events = 0
    cost = run.value + offset
    if cost < budget.incumbent.cost:
        labels = view(run.labels, run.n1, np.int32)
        budget.record(cost=cost, labels=lift(labels) if lift else labels)


def cannot_be_written_out(problem):
    """Return True if the edges are products of two matrices, too many to be listed."""
    is_product = isinstance(problem.edges, Products) and not problem.dummies
    return is_product and problem.n_edges > edges.MAX_EDGES
