"""Budget: the clock, the seed, the trace and the request to stop, handed to every solver."""

import math
import threading
import time
from numbers import Integral, Real

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.engine.blas import one_thread
from gmtoolbox.engine.incumbent import Incumbent
from gmtoolbox.engine.limits import Stop
from gmtoolbox.engine.patience import OutOfTime

PREVIEWS = 0.02  # of the time so far may go into previews
# Seconds that the first preview is thought to take, at least: runs below 50 ms have none
FIRST_PREVIEW = 1e-3
MOST_RESERVE = 0.25  # of the time limit


def check_time_limit(seconds):
    """InputError unless a limit is None or a positive number."""
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise InputError(f"time_limit must be a positive number of seconds, got {seconds!r}")


class Budget:
    """What a solver may spend, and where it reports improvements.

    A solver loops `for k in budget.iterations(maxiter)` and calls `budget.record(cost=, labels=,
    bound=)` when it has something better, or `budget.preview(outcome)` where only its last iterate
    is rounded. `incumbent` holds the best labels that were recorded: they are the answer unless the
    solver returns better ones. `stopped` says afterwards why the loop ended early, or is None.
    Used as a context manager it turns Ctrl-C into `stopped = "interrupted"` (see Stop),
    and BLAS has one thread (see engine.blas).
    """

    def __init__(
        self,
        time_limit=None,
        seed=0,
        on_improve=None,
        judge=None,
        judging=0.0,
        proves=None,
        stop=None,
    ):
        """judge: Outcome -> (labels, cost) as the driver makes of the last one; judging: the
        seconds it may take; proves: (cost, bound) -> whether the gap is closed; stop: the Stop of
        the call that this budget is part of.
        """
        check_time_limit(time_limit)
        if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 2**63:
            raise InputError(f"seed must be an integer in 0 .. 2**63-1, got {seed!r}")
        self.time_limit = math.inf if time_limit is None else float(time_limit)
        self.seed = int(seed)
        self.called = self.started = time.perf_counter()
        self.solver_started = self.called
        self.reserve = 0.0  # seconds for what comes after the solver
        self.stopped = None
        self.incumbent = Incumbent()
        self.cost, self.bound = math.inf, -math.inf  # the last row of the trace
        self.events = []
        self.iteration = 0  # of the loop in iterations(); kernels tell theirs to record()
        self.offset = 0.0  # of the original problem, for options that speak of values
        self.tolerance = None  # of the original problem; None: of the one that a kernel sees
        self.latest = None  # what preview() was told last
        self._lost = None  # the thread of a solver that was given up
        self.stop = Stop() if stop is None else stop
        self.attend(on_improve, judge, judging, proves)

    def attend(self, on_improve=None, judge=None, judging=0.0, proves=None):
        """Who wants to know of improvements, and who judges them; see __init__."""
        self.on_improve, self._judge, self._proves = on_improve, judge, proves
        self._previews, self._previewed = 0, 0.0  # how many, seconds spent
        self._next_preview = max(judging, FIRST_PREVIEW)  # seconds expected

    def begin_solver(self, restart=False):
        """The transforms are over. restart: the limit and the trace count from here."""
        self.solver_started = time.perf_counter()
        if restart:
            self.started = self.solver_started

    def generator(self):
        """A fresh numpy generator of the seed."""
        return np.random.default_rng(self.seed)

    # ---- time

    def elapsed(self):
        """Seconds since the clock of the limit began."""
        return time.perf_counter() - self.started

    def waited(self):
        """Seconds since the caller called."""
        return time.perf_counter() - self.called

    def solver_time(self):
        """Seconds since the transforms ended."""
        return time.perf_counter() - self.solver_started

    def remaining(self):
        """Seconds that the solver still has."""
        return self.time_limit - self.reserve - self.elapsed()

    def keep_back(self, seconds):
        """Reserve time for what comes after the solver, which ends earlier by that."""
        self.reserve = min(seconds, MOST_RESERVE * self.time_limit)

    def shorten(self, seconds):
        """End earlier by that, for what comes after any solver."""
        if math.isfinite(self.time_limit):
            self.time_limit -= min(seconds, MOST_RESERVE * self.time_limit)

    def affords(self, seconds):
        """Whether something that cannot be interrupted, and may take so long, is still worth
        beginning; `stopped` tells otherwise.
        """
        if self.cut():
            return False
        if seconds > self.remaining():
            self.stopped = "time_limit"
        return self.stopped is None

    def cut(self):
        """True once the time is over or the user interrupted; sets stopped. Kernels stop by
        themselves when the gap is closed, at an iteration that no clock decides.
        """
        if self.stop.is_set:
            self.stopped = "interrupted"
        elif self.remaining() <= 0:
            self.stopped = "time_limit"
        return self.stopped is not None

    def expired(self):
        """True once the time is over, the user interrupted, or the gap is closed; sets stopped."""
        proven = self._proves is not None and self._proves(self.incumbent.cost, self.bound)
        if not self.cut() and proven:
            self.stopped = "converged"  # whether the answer is optimal, the driver tells
        return self.stopped is not None

    def iterations(self, maxiter=None):
        """0, 1, 2, ... until maxiter or until expired; none is begun for which there is no time,
        if it takes as long as the longer one of the last two.
        """
        k, last, before = 0, 0.0, 0.0
        while not self.expired():
            if maxiter is not None and k >= maxiter:
                self.stopped = "iteration_limit"
                return
            if not self.affords(max(last, before)):
                return
            self.iteration = k
            begin = self.elapsed()
            yield k
            last, before = self.elapsed() - begin, last
            k += 1

    # ---- improvements

    def record(self, cost=None, bound=None, at=None, labels=None, iteration=None):
        """Note a better cost or bound of the problem that the solver sees; `at` is a perf_counter
        stamp. Worse ones are ignored. A cost without labels appears in the trace only: no search
        ends on it.
        """
        if threading.get_ident() == self._lost:
            return
        self.incumbent.offer(labels, math.inf if cost is None else cost)
        self._trace(cost, bound, at, labels, iteration)

    def _trace(self, cost, bound, at, labels, iteration):
        """Add a row to the trace, if it is an improvement, and report it."""
        better = cost is not None and cost < self.cost
        tighter = bound is not None and self.bound < bound < math.inf
        if better:
            self.cost = float(cost)
        if tighter:
            self.bound = float(bound)
        if better or tighter:
            now = time.perf_counter() if at is None else at
            self.events.append((now - self.started, self.cost, self.bound))
            if self.on_improve is not None:
                iteration = self.iteration if iteration is None else iteration
                self.on_improve(self.events[-1], labels, iteration)

    def preview(self, outcome):
        """Tell trace and progress what the answer would be, were this iterate the last: outcome()
        is rounded and scored as that will be.

        Now and then, so that it costs 2 % of the time. The clock may choose the moments, as nothing
        of it enters the answer.
        """
        if threading.get_ident() == self._lost:
            return
        self.latest = outcome
        begin = self.elapsed()
        if (
            self._judge is None
            or self._previewed + self._next_preview > PREVIEWS * begin
            or begin + self._next_preview > self.time_limit
        ):
            return
        try:
            made = outcome()
            labels, cost = self._judge(made)
        except OutOfTime:
            return
        self._trace(cost, None, None, labels, made.n_iter)
        self._next_preview = self.elapsed() - begin
        self._previewed += self._next_preview
        self._previews += 1

    def lose(self, thread):
        """Listen no more to a solver that is given up, and make it end: its time is over."""
        self._lost, self.on_improve = thread, None

    def answer(self, cost, bound, at):
        """Note what the method returns: where a preview was better, the way there goes without it
        and ends with the answer.
        """
        if self._previews and self.cost < cost:
            self.events = [event for event in self.events if event[1] > cost]
            self.cost = self.events[-1][1] if self.events else math.inf
        self._trace(cost, bound, at, None, None)

    def withdraw_bounds(self):
        """Forget all bounds: one of them was false."""
        self.bound = -math.inf
        self.events = [(at, cost, self.bound) for at, cost, _ in self.events]

    def trace(self):
        """The improvements as a structured array."""
        return np.array(self.events, dtype=trace_dtype())

    # ---- Ctrl-C

    def __enter__(self):
        self._own_stop = self.stop
        one_thread.__enter__()
        self.stop = self._own_stop.__enter__()
        return self

    def __exit__(self, *error):
        self._own_stop.__exit__(*error)
        one_thread.__exit__(*error)
