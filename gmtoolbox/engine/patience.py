"""Long calls for a caller who cannot wait for them: they run in a thread of their own.

LAPACK, scipy, a transform of a million edges and the set-up of a kernel look at no clock and at
no signal. While one of them works in a thread, the caller looks at both. One that is given up
ends by itself, as nothing can stop it, and its answer is thrown away. So does a whole method on a
large problem: its answer is then the best that it has reported.
"""

import contextvars
import queue
import threading

SHORT = 0.05  # seconds up to which a call is made at once: Ctrl-C waits no longer than that
AT_ONCE = 1e-3  # seconds up to which it is so whatever time remains
DOUBT = 5.0  # how many times longer than thought a call may take
LOOK = 0.01  # seconds between two looks at the budget
GIVE_UP = 0.06  # seconds after the end of the budget in which a method has to answer


class OutOfTime(Exception):
    """There is no time for what must come next; the budget's `stopped` tells why."""


def call_within(budget, seconds, function, *arguments, at_most=None, discard=None):
    """function(*arguments), which takes about so many seconds, or at most at_most.

    The function must change nothing that the caller reads after an OutOfTime. discard(answer) is
    called where the answer comes too late, with None if the function failed.

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
        If it goes on for GIVE_UP seconds after the budget is over; what it reports from then on is
        ignored.
    """
    told, tell = queue.SimpleQueue(), budget.on_improve
    if tell is not None:
        budget.on_improve = lambda *event: told.put(event)

    def pass_on():
        while not told.empty():
            tell(*told.get())

    with Worker() as worker:
        try:
            made = worker.make(
                budget, contextvars.copy_context().run, part_of, budget.stop, function, *arguments,
                grace=GIVE_UP, meanwhile=pass_on,
            )  # fmt: skip
            pass_on()
            return made
        finally:
            budget.on_improve = tell
            if worker.has_given_up:
                budget.lose(worker.thread.ident)


def part_of(stop, function, *arguments):
    """Return function(*arguments), made in another thread than the call that `stop` belongs to."""
    with stop.joined():
        return function(*arguments)


class Worker:
    """A thread that makes calls, one after the other, for a caller who looks at a budget."""

    def __init__(self):
        self.calls, self.thread, self.has_given_up = queue.SimpleQueue(), None, False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.calls.put(None)

    def make(self, budget, function, *arguments, grace=0.0, discard=None, meanwhile=None):
        """Return function(*arguments). Once the budget is over it has `grace` seconds to end, then
        it is given up: OutOfTime, and discard(answer) in the thread when it comes. meanwhile() is
        called again and again.
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
                if budget.cut() and not call.done.wait(grace):
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
        except BaseException as error:  # raised again where the caller waits for the answer
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
        """What the function returned; what it raised is raised here."""
        if self.error is not None:
            raise self.error
        return self.value
