"""Ctrl-C that comes inside the call that it is meant for, however slow the machine is."""

import gc
import os
import signal
import threading
from contextlib import contextmanager
from unittest import mock

from gmtoolbox.engine.limits import Stop


@contextmanager
def interrupted_inside(owner, name, seconds=0.1, returned=False):
    """Have SIGINT raised this long after owner.name is called for the first time, or has returned.
    It is heeded as in a terminal: a suite started in the background ignores it. The garbage
    collector rests: an exception in one of its callbacks (hypothesis has one) is lost.
    """
    original = getattr(owner, name)
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))

    def entered(*given, **named):
        if timer.ident is None and not returned:
            timer.start()
        result = original(*given, **named)
        if timer.ident is None:
            timer.start()
        return result

    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()
    try:
        with mock.patch.object(owner, name, entered):
            yield
        timer.join(60)  # it has been started, or this raises
    finally:
        timer.cancel()  # a call that failed or ended early: the signal would hit what comes next
        gc.enable()
        signal.signal(signal.SIGINT, previous)


def interrupted_solve(seconds):
    """Have SIGINT raised this long after the next solve has begun to listen for it."""
    return interrupted_inside(Stop, "__enter__", seconds, returned=True)
