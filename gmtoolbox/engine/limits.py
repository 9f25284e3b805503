"""The limits of a call: the clock, the seed, the request to stop, calls that can be given up,
the threads of BLAS.

LAPACK, scipy, a transform of a million edges and the set-up of a kernel look at no clock and at
no signal. While one of them works in a thread, the caller looks at both. A call that is given up
ends by itself, as nothing can stop it, and its answer is thrown away. So does a whole method on a
large problem: its answer is then the best that it has reported.

The matrices of a solve are small or are multiplied thousands of times: the threads of BLAS wait by
spinning, which on a busy machine costs more CPU time than they save, and the last digits of a
product may depend on their number. So every solve, and every model that multiplies matrices, runs
under `one_thread`. The environment variable GMTOOLBOX_BLAS_THREADS asks for another number.
"""

import contextvars
import inspect
import math
import mmap
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import wraps
from numbers import Integral, Real

from gmtoolbox.core import lazy
from gmtoolbox.core._ffi import ffi
from gmtoolbox.core.checks import refuse_unknown
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.engine.blas import thread_counts

VARIABLE = "GMTOOLBOX_BLAS_THREADS"
# Modules that bring a library with them when they are imported
BRINGING = ("numpy", "scipy.linalg", "scipy.sparse.linalg", "scipy.optimize", "scipy.spatial")
SHORT = 0.05  # seconds up to which a call is made at once: Ctrl-C waits no longer than that
AT_ONCE = 1e-3  # seconds up to which it is so whatever time remains
DOUBT = 5.0  # how many times longer than thought a call may take
LOOK = 0.01  # seconds between two looks at the limits
GIVE_UP = 0.06  # seconds after the end of the time in which a method has to answer
MOST_RESERVE = 0.25  # of the time limit
_outermost = threading.local()  # .stop: the Stop of the call that this thread is in


def check_time_limit(seconds):
    """Check that a limit is None or a positive number."""
    if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
        raise InputError(f"time_limit must be a positive number of seconds, got {seconds!r}")


def check_seed(seed):
    """Return the seed as an int."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 2**63:
        raise InputError(f"seed must be an integer in 0 .. 2**63-1, got {seed!r}")
    return int(seed)


def draw_seed(rng):
    """Return the seed that a number is, or that a generator draws."""
    if isinstance(rng, Integral):
        return check_seed(rng)
    try:
        return int(np.random.default_rng(rng).integers(2**63 - 1))
    except (TypeError, ValueError) as error:
        raise InputError(f"rng must be an integer or a numpy Generator, got {rng!r}") from error


def accept_rng(function):
    """Let a function that takes `seed` take `rng` instead, as numpy and scipy do (SPEC 7); an
    argument that it lacks is refused with the name that is meant.
    """
    signature = inspect.signature(function)
    known = list(signature.parameters.values())
    takes_any = known[-1].kind is inspect.Parameter.VAR_KEYWORD

    @wraps(function)
    def call(*given, rng=None, **named):
        if not takes_any:
            refuse_unknown(function, named, call.__signature__.parameters)
        if rng is not None:
            if "seed" in signature.bind_partial(*given, **named).arguments:
                raise InputError("rng is given, and seed as well: only one of them can be used")
            named["seed"] = draw_seed(rng)
        return function(*given, **named)

    known.insert(
        len(known) - takes_any,
        inspect.Parameter("rng", inspect.Parameter.KEYWORD_ONLY, default=None),
    )
    call.__signature__ = signature.replace(parameters=known)
    return call


class Limits:
    """The limits of a solve. `stopped` is the reason to end, or None.

    As a context manager it turns Ctrl-C into `stopped = "interrupted"` (see Stop), and BLAS has one
    thread (see `one_thread`).
    """

    def __init__(self, time_limit=None, seed=0, stop=None):
        """stop: the Stop of the call that these limits are part of."""
        check_time_limit(time_limit)
        self.time_limit = math.inf if time_limit is None else float(time_limit)
        self.seed = check_seed(seed)
        self.called = self.started = self.solver_started = time.perf_counter()
        self.reserve = 0.0  # seconds for the steps after the solver
        self.patience = 0.0  # seconds after the end for an answer that must not be lost
        self.stopped = None
        self.stop = Stop() if stop is None else stop

    def begin_solver(self, restart=False):
        """Note that the transforms are over. restart: the limit and the trace count from here."""
        self.solver_started = time.perf_counter()
        if restart:
            self.started = self.solver_started

    def generator(self):
        """Return a fresh numpy generator of the seed."""
        return np.random.default_rng(self.seed)

    # ---- time

    def elapsed(self):
        """Return the seconds since the clock of the limit began."""
        return time.perf_counter() - self.started

    def waited(self):
        """Return the seconds since the caller called."""
        return time.perf_counter() - self.called

    def solver_time(self):
        """Return the seconds since the transforms ended."""
        return time.perf_counter() - self.solver_started

    def remaining(self):
        """Return the seconds that the solver still has."""
        return self.time_limit - self.reserve - self.elapsed()

    def keep_back(self, seconds):
        """Reserve time for the steps after the solver, which ends earlier by that."""
        self.reserve = min(seconds, MOST_RESERVE * self.time_limit)

    def shorten(self, seconds):
        """End earlier by that, for the steps after any solver."""
        if math.isfinite(self.time_limit):
            self.time_limit -= min(seconds, MOST_RESERVE * self.time_limit)

    def affords(self, seconds):
        """Return whether a call that cannot be interrupted, and may take this long, is still worth
        beginning; `stopped` says why not.
        """
        if self.cut():
            return False
        if seconds > self.remaining():
            self.stopped = "time_limit"
        return self.stopped is None

    def cut(self):
        """Return True once the time is over or the user interrupted; set stopped. Kernels stop by
        themselves when the gap is closed, at an iteration that no clock decides.
        """
        if self.stop.is_set:
            self.stopped = "interrupted"
        elif self.remaining() <= 0:
            self.stopped = "time_limit"
        return self.stopped is not None

    def __enter__(self):
        self._own_stop = self.stop
        one_thread.__enter__()
        self.stop = self._own_stop.__enter__()
        return self

    def __exit__(self, *error):
        self._own_stop.__exit__(*error)
        one_thread.__exit__(*error)


# ---- the request to stop


class Stop:
    """The request to stop of one call, read by its loops in Python and by its kernels in C.

    As a context manager it turns Ctrl-C into the request; a second Ctrl-C of the same call raises
    KeyboardInterrupt. A call inside another one, such as gm_solve in edit_distances, gets the Stop
    of the outer call: `with Stop() as stop`. Nothing is left when the call ends.
    """

    def __init__(self, flag=None, hears_ctrl_c=True):
        self.flag = ffi.new("int32_t *") if flag is None else flag  # not 0: stop
        self._hears_ctrl_c = hears_ctrl_c
        self._is_pressed = False  # by a first Ctrl-C
        self._previous = None

    @property
    def is_set(self):
        """Whether the call must end."""
        return self.flag[0] != 0

    def set(self):
        """Ask the call to end, from any thread, any number of times."""
        self.flag[0] = 1

    def __enter__(self):
        outer = getattr(_outermost, "stop", None)
        if outer is not None:
            return outer
        _outermost.stop = self
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):  # leave an ignored SIGINT ignored
                self._previous = handler
                signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_):
        if _outermost.stop is self:
            _outermost.stop = None
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            self._previous = None

    def _press(self, *_):
        """Handle Ctrl-C: ask the call to end; the second one ends it at once."""
        if not self._hears_ctrl_c:
            return
        if self._is_pressed:
            raise KeyboardInterrupt
        self._is_pressed = True
        self.set()

    @contextmanager
    def join(self):
        """Make this thread part of the call: calls inside it share the request."""
        before = getattr(_outermost, "stop", None)
        _outermost.stop = self
        try:
            yield
        finally:
            _outermost.stop = before

    @contextmanager
    def share(self):
        """Yield the path of a file through which other processes see the request: see heed."""
        descriptor, path = tempfile.mkstemp(prefix="gmtoolbox-stop-")
        own = self.flag
        try:
            os.write(descriptor, bytes(ffi.buffer(own, 4)))
            self.flag = map_flag(descriptor)
            os.close(descriptor)
            yield path
        finally:
            own[0], self.flag = self.flag[0], own
            try:
                os.unlink(path)
            except OSError:  # Windows, while another process still has it
                pass


def map_flag(descriptor):
    """Return a pointer to the first int32 of an open file."""
    return ffi.from_buffer("int32_t[]", mmap.mmap(descriptor, 4))


def heed(path):
    """Return the Stop that another process made and sets (Stop.share). Ctrl-C, which reaches all
    processes of a terminal, is left to that process. None: a Stop of this process.
    """
    if path is None:
        return Stop()
    with open(path, "r+b") as file:
        return Stop(map_flag(file.fileno()), hears_ctrl_c=False)


# ---- calls that can be given up


class OutOfTime(Exception):
    """The next step has no time; the budget's `stopped` is the reason."""


def call_within(budget, seconds, function, *arguments, at_most=None, discard=None):
    """Return function(*arguments), which takes about this many seconds, or at most at_most.

    The function must change nothing that the caller reads after an OutOfTime. discard(answer) is
    called if the answer comes too late, with None if the function failed.

    Raises
    ------
    OutOfTime
        If the budget has fewer seconds, or is over before the answer is there.
    """
    if not budget.affords(seconds):
        raise OutOfTime
    worst = max(seconds, at_most or 0.0)
    if worst <= AT_ONCE or worst <= min(SHORT, budget.remaining() / DOUBT):
        return function(*arguments)
    with Worker() as worker:
        return worker.make(budget, function, *arguments, discard=discard)


def call_apart(budget, function, *arguments):
    """Return function(*arguments), a whole method, made in another thread while this one looks at
    the budget, hears Ctrl-C and passes improvements on to the caller's own function.

    Raises
    ------
    OutOfTime
        If it goes on for GIVE_UP seconds after the budget is over; its later reports are
        ignored.
    """
    events, report = queue.SimpleQueue(), budget.on_improve
    if report is not None:
        budget.on_improve = lambda *event: events.put(event)

    def pass_on():
        while not events.empty():
            report(*events.get())

    with Worker() as worker:
        try:
            made = worker.make(
                budget, contextvars.copy_context().run, part_of, budget.stop, function, *arguments,
                grace=GIVE_UP, meanwhile=pass_on,
            )  # fmt: skip
            pass_on()
            return made
        finally:
            budget.on_improve = report
            if worker.has_given_up:
                budget.lose(worker.thread.ident)


def part_of(stop, function, *arguments):
    """Return function(*arguments), made in another thread than the call that `stop` belongs to."""
    with stop.join():
        return function(*arguments)


class Worker:
    """A thread that makes calls, one after the other, for a caller that checks a budget."""

    def __init__(self):
        self.calls, self.thread, self.has_given_up = queue.SimpleQueue(), None, False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.calls.put(None)

    def make(self, budget, function, *arguments, grace=0.0, discard=None, meanwhile=None):
        """Return function(*arguments). Once the budget is over it has `grace` seconds to end, or
        the budget's patience if that is more, then it is given up: OutOfTime, and discard(answer)
        in the thread when it comes. meanwhile() is called again and again.
        """
        if self.thread is None:
            self.thread = threading.Thread(target=self._go_on, daemon=True, name="gmtoolbox")
            self.thread.start()
        call = Call(function, arguments, discard)
        self.calls.put(call)
        try:
            while not call.done.wait(LOOK):
                if meanwhile is not None:
                    meanwhile()
                if budget.cut() and not call.done.wait(max(grace, budget.patience)):
                    raise OutOfTime
        except BaseException:  # Ctrl-C a second time, too
            self.has_given_up = True
            call.give_up()
            raise
        return call.answer()

    def _go_on(self):
        """Make calls, in the thread, until the caller has no more."""
        while (call := self.calls.get()) is not None:
            call.make()


class Call:
    """A function called in another thread, which may be given up."""

    def __init__(self, function, arguments, discard):
        self.function, self.arguments, self.discard = function, arguments, discard
        self.done, self.guard = threading.Event(), threading.Lock()
        self.given_up, self.error, self.value = False, None, None

    def make(self):
        """Call the function, in the thread."""
        try:
            self.value = self.function(*self.arguments)
        except BaseException as error:  # raised again in the waiting caller
            self.error = error
        with self.guard:
            self.done.set()
            late = self.given_up
        if late:
            self.throw_away()

    def give_up(self):
        """Let the answer be thrown away when it comes."""
        with self.guard:
            self.given_up = True
            late = self.done.is_set()
        if late:
            self.throw_away()

    def throw_away(self):
        """Discard an answer that came too late."""
        if self.discard is not None:
            self.discard(self.value)

    def answer(self):
        """Return the value of the function, or raise its exception."""
        if self.error is not None:
            raise self.error
        return self.value


# ---- the threads of BLAS


class OneThread:
    """A context manager in which BLAS has one thread; leaving the last one restores the rest.

    The number of threads is one of the process. Solves in several threads share it.
    """

    def __init__(self):
        self.lock, self.users = threading.Lock(), 0
        self.restored = {}  # path of a library -> (write, number of threads before)

    def __enter__(self):
        wanted = read_threads()
        with self.lock:
            self.users += 1
            self._limit(wanted)
        return self

    def __exit__(self, *_):
        with self.lock:
            self.users -= 1
            if self.users == 0:
                for write, count in self.restored.values():
                    write(count)
                self.restored.clear()

    def look_again(self):
        """Limit the libraries that an import has brought in the meantime."""
        with self.lock:
            if self.users:
                self._limit(read_threads())

    def _limit(self, wanted):
        """Give every loaded library that is not limited yet the wanted number of threads."""
        for path, (read, write) in thread_counts(list_loaded_modules()).items():
            if path not in self.restored:
                self.restored[path] = write, read()
                write(wanted)


one_thread = OneThread()
lazy.after_import.append(one_thread.look_again)


def with_one_thread(function):
    """Make a function run its BLAS calls on one thread."""

    @wraps(function)
    def call_limited(*arguments, **named):
        with one_thread:
            return function(*arguments, **named)

    return call_limited


def read_threads():
    """The number of threads that the environment asks for, 1 by default."""
    given = os.environ.get(VARIABLE, "1")
    if not given.isdecimal() or int(given) < 1:
        raise InputError(f"{VARIABLE} must be a positive number, got {given!r}")
    return int(given)


def list_loaded_modules():
    """Which of the modules that bring a library have been imported."""
    return tuple(name for name in BRINGING if name in sys.modules)
