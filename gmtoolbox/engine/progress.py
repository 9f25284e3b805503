"""Reports of a running solve: the trace, the best matching, previews, callbacks, a live line.

Every solver gets a Budget: the limits of engine/limits.py, and the methods that report.
"""

import math
import sys
import threading
import time
from contextlib import contextmanager

from gmtoolbox.core._ffi import lib
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.core.text import gap_text, number, seconds_text
from gmtoolbox.engine.limits import Limits, OutOfTime

PREVIEWS = 0.02  # of the time so far may go into previews
# Seconds that the first preview is thought to take, at least: runs below 50 ms have none
FIRST_PREVIEW = 1e-3
EVERY = 1.0  # seconds between two lines if no line can be replaced
REFRESH = 0.125  # seconds between two looks of a notebook's line


class Trace:
    """The improvements of a solve: rows (seconds, cost, bound), and the last cost and bound.

    Costs are minimised and go without the problem's offset; as_array returns the caller's numbers.
    """

    __slots__ = ("bound", "cost", "rows")

    def __init__(self):
        self.rows, self.cost, self.bound = [], math.inf, -math.inf

    def add(self, seconds, cost, bound):
        """Add a row if the cost or the bound (None: none) is better than before; return whether it
        is.
        """
        better = cost is not None and cost < self.cost
        tighter = bound is not None and self.bound < bound < math.inf
        if better:
            self.cost = float(cost)
        if tighter:
            self.bound = float(bound)
        if better or tighter:
            self.rows.append((seconds, self.cost, self.bound))
        return better or tighter

    def forget_better_than(self, cost):
        """Remove the rows of a lower cost, which previews had and the answer has not."""
        if self.cost < cost:
            self.rows = [row for row in self.rows if row[1] > cost]
            self.cost = self.rows[-1][1] if self.rows else math.inf

    def withdraw_bounds(self):
        """Forget all bounds: one of them was false."""
        self.bound = -math.inf
        self.rows = [(at, cost, self.bound) for at, cost, _ in self.rows]

    def lower_bounds(self, error):
        """Lower all bounds by an error that the solver could not know of."""
        self.bound -= error
        self.rows = [(at, cost, bound - error) for at, cost, bound in self.rows]

    def as_array(self, problem, cost):
        """Return the rows as a structured array in the caller's sense, with the problem's offset;
        no value is better than that of the answer, whose cost was computed afresh.
        """
        offset, is_max = problem.offset, problem.sense == "max"
        value, known = lib.gm_report_value, lib.gm_report_bound
        rows = [
            (at, value(max(own, cost), offset, is_max), known(min(bound, cost), offset, is_max))
            for at, own, bound in self.rows
        ]
        return np.array(rows, dtype=trace_dtype())


class Incumbent:
    """The best matching of a solve and its cost, which are replaced together or not at all: no
    labels and an infinite cost before the first.

    A cost without its labels proves nothing: a search that ends on it has no answer to return. So
    every part of a portfolio reads cost and labels from the Budget's one Incumbent, and the answer
    is the Incumbent if a method returns less.
    """

    __slots__ = ("cost", "labels")

    def __init__(self, labels=None, cost=math.inf):
        self.labels, self.cost = labels, cost

    def offer(self, labels, cost):
        """Keep a copy of cheaper labels; return whether they are."""
        if labels is None or not cost < self.cost:
            return False
        self.labels, self.cost = np.array(labels, dtype=np.int32), float(cost)
        return True


class Budget(Limits):
    """The limits of a solver, and the place to report improvements.

    A solver loops `for k in budget.iterations(maxiter)` and calls `budget.record(cost=, labels=,
    bound=)` when it has a better cost or bound, or `budget.preview(outcome)` if only its last
    iterate is rounded. `incumbent` holds the best labels that were recorded: they are the answer
    unless the solver returns better ones. `stopped` says afterwards why the loop ended early, or is
    None.
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
        """judge: Outcome -> (labels, cost) as the pipeline makes of the last one; judging: the
        seconds it may take; proves: (cost, bound) -> whether the gap is closed; stop: the Stop of
        the call that this budget is part of.
        """
        super().__init__(time_limit, seed, stop)
        self.incumbent, self.trace = Incumbent(), Trace()
        self.iteration = 0  # of the loop in iterations(); kernels give theirs to record()
        self.given = None  # the problem of the caller, which the solver's was made from
        self.remark = ""  # on the live line: how far a search is
        self.extra = {}  # for Result.extra, if the solver is given up
        self.hears_bounds = True  # False while a solver has bounds of parts of the problem only
        self.offset = 0.0  # of the original problem, for options that speak of values
        self.tolerance = None  # of the original problem; None: of the one that a kernel sees
        self.latest = None  # the argument of the last preview()
        self._lost = None  # the thread of a solver that was given up
        self.attend(on_improve, judge, judging, proves)

    def attend(self, on_improve=None, judge=None, judging=0.0, proves=None):
        """Set the listener of improvements, and the judge of them; see __init__."""
        self.on_improve, self._judge, self._proves = on_improve, judge, proves
        self.n_previews, self._previewed = 0, 0.0  # how many, seconds spent
        self._next_preview = max(judging, FIRST_PREVIEW)  # seconds expected

    @property
    def cost(self):
        """The cost in the last row of the trace."""
        return self.trace.cost

    @property
    def bound(self):
        """The bound in the last row of the trace."""
        return self.trace.bound

    def expired(self):
        """Return True once the time is over, the user interrupted, or the gap is closed; set
        stopped.
        """
        proven = self._proves is not None and self._proves(self.incumbent.cost, self.trace.bound)
        if not self.cut() and proven:
            self.stopped = "converged"  # whether the answer is optimal, the pipeline decides
        return self.stopped is not None

    def iterations(self, maxiter=None):
        """Yield 0, 1, 2, ... until maxiter or until expired; none is begun if the time would not
        suffice, assuming that it takes as long as the longer one of the last two.
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

    def record(self, cost=None, bound=None, at=None, labels=None, iteration=None):
        """Note a better cost or bound of the problem that the solver sees; `at` is a perf_counter
        stamp. Worse ones are ignored. A cost without labels appears in the trace only: no search
        ends on it.
        """
        if threading.get_ident() == self._lost:
            return
        self.incumbent.offer(labels, math.inf if cost is None else cost)
        bound = bound if self.hears_bounds else None
        self._report(cost, bound, at, labels, iteration)

    def _report(self, cost, bound, at, labels, iteration):
        """Add a row to the trace, if it is an improvement, and pass it on."""
        now = time.perf_counter() if at is None else at
        if self.trace.add(now - self.started, cost, bound) and self.on_improve is not None:
            iteration = self.iteration if iteration is None else iteration
            self.on_improve(self.trace.rows[-1], labels, iteration)

    def preview(self, outcome):
        """Show trace and progress the answer if this iterate were the last: outcome() is rounded
        and scored as the last one will be.

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
        self._report(cost, None, None, labels, made.n_iter)
        self._next_preview = self.elapsed() - begin
        self._previewed += self._next_preview
        self.n_previews += 1

    def lose(self, thread):
        """Listen no more to a solver that is given up: its time is over."""
        self._lost, self.on_improve = thread, None

    def end(self, cost, bound, at):
        """Note the answer of the method: if a preview was better, the trace goes without it and
        ends with the answer.
        """
        if self.n_previews:
            self.trace.forget_better_than(cost)
        self._report(cost, bound, at, None, None)


@contextmanager
def watch_progress(progress, method):
    """Yield the function to call with (event, labels, iteration, gap) at every improvement, or
    None: progress itself, which does not get the gap, or a live line for True.

    "verbose" prints a line for every improvement.
    """
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield lambda event, labels, iteration, gap: progress(event, labels, iteration)
    elif progress is True or progress == "verbose":
        with Line(method, progress == "verbose") as line:
            yield line
    else:
        raise InputError(f"progress must be True, 'verbose' or a function, got {progress!r}")


class Line:
    """A live line with the latest improvement: in place on a terminal or in a notebook, else every
    second.
    """

    def __init__(self, method, verbose):
        from rich.console import Console

        self.method, self.verbose = method, verbose
        self.console = Console(stderr=True, highlight=False, soft_wrap=True)
        # notebooks show stderr in red
        self.stream = sys.stdout if self.console.is_jupyter else sys.stderr
        self.in_place = not verbose and (self.console.is_terminal or self.console.is_jupyter)
        self.begin, self.printed, self.live = time.perf_counter(), 0.0, None
        self.event, self.gap = None, float("inf")
        self.remark = lambda: ""  # the solver's own note on its progress

    def __enter__(self):
        if self.in_place and self.console.is_jupyter:
            self.live = NotebookLine(self.text_now)
        elif self.in_place:
            from rich.live import Live

            self.live = Live(self, console=self.console, transient=True, refresh_per_second=8)
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(self, *_):
        if self.live is not None:
            self.live.stop()

    def __call__(self, event, labels, iteration, gap):
        self.event, self.gap = event, gap
        if self.in_place:
            return
        now = time.perf_counter()
        if self.verbose or now - self.printed >= EVERY:
            self.printed = now
            print(self.text(event[0]), file=self.stream, flush=True)

    def text_now(self):
        """Return the line at this moment."""
        return self.text(time.perf_counter() - self.begin)

    def text(self, seconds):
        """Return the line after this many seconds."""
        if self.event is None:
            return f"{self.method}: {seconds:.1f} s"
        _, value, bound = self.event
        return (
            f"{self.method}: value {number(value, 8)}, bound {number(bound, 8)},"
            f" gap {gap_text(self.gap)},"
            f" {seconds_text(seconds)}" + (f", {self.remark()}" if self.remark() else "")
        )

    def __rich__(self):
        from rich.text import Text

        return Text(self.text_now(), no_wrap=True)


class NotebookLine:
    """A line in the output of a notebook's cell, written again until it ends; the last one stays.

    IPython itself does it: rich's way needs ipywidgets, which notebooks may lack.
    """

    def __init__(self, text):
        self.text, self.over = text, threading.Event()
        self.thread = threading.Thread(target=self.go_on, daemon=True)

    def start(self):
        """Show the first line, and renew it from now on."""
        from IPython.display import display

        self.handle = display(self.as_display(), display_id=True, raw=True)
        self.thread.start()

    def stop(self):
        """Show the last line."""
        self.over.set()
        self.thread.join()
        self.handle.update(self.as_display(), raw=True)

    def go_on(self):
        """Renew the line, in a thread, until stop()."""
        while not self.over.wait(REFRESH):
            self.handle.update(self.as_display(), raw=True)

    def as_display(self):
        """Return the line as IPython takes it."""
        return {"text/plain": self.text()}
