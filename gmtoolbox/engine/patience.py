"""Long calls for a caller who cannot wait for them: they run in a thread of their own.

LAPACK, scipy, a transform of a million edges and the set-up of a kernel look at no clock and at
no signal. While one of them works in a thread, the caller looks at both. One that is given up
ends by itself, as nothing can stop it, and its answer is thrown away.
"""

import threading

SHORT = 0.05  # seconds up to which a call is made at once: Ctrl-C waits no longer than that
AT_ONCE = 1e-3  # seconds up to which it is so whatever time remains
DOUBT = 5.0  # how many times longer than thought a call may take
LOOK = 0.01  # seconds between two looks at the budget


class OutOfTime(Exception):
    """There is no time for what must come next; the budget's `stopped` tells why."""


def call_within(budget, seconds, function, *arguments, at_most=None, discard=None):
    """function(*arguments), which takes about so many seconds, or at most at_most.

    The function must change nothing that the caller reads after an OutOfTime. discard(answer) is
    called where the answer comes too late.

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
    call = Call(function, arguments, discard)
    try:
        while not call.done.wait(LOOK):
            if budget.cut():
                raise OutOfTime
    except BaseException:  # Ctrl-C a second time, too
        call.give_up()
        raise
    return call.answer()


class Call:
    """A function called in a thread, which may be given up."""

    def __init__(self, function, arguments, discard):
        self.function, self.arguments, self.discard = function, arguments, discard
        self.done, self.guard = threading.Event(), threading.Lock()
        self.given_up, self.error, self.value = False, None, None
        threading.Thread(target=self.make, daemon=True, name="gmtoolbox").start()

    def make(self):
        """Call the function, in the thread."""
        try:
            self.value = self.function(*self.arguments)
        except BaseException as error:  # raised again where somebody waits for the answer
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
        if self.error is None and self.discard is not None:
            self.discard(self.value)

    def answer(self):
        """What the function returned; what it raised is raised here."""
        if self.error is not None:
            raise self.error
        return self.value
