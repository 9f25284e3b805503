"""Ctrl-C that comes inside the call that it is meant for, however slow the machine is."""

import signal
import threading
from contextlib import contextmanager
from unittest import mock


@contextmanager
def interrupted_inside(owner, name, seconds=0.1):
    """Have SIGINT raised this long after owner.name is called for the first time. It is heeded as
    in a terminal: a suite started in the background ignores it.
    """
    original = getattr(owner, name)
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])

    def entered(*given, **named):
        if timer.ident is None:
            timer.start()
        return original(*given, **named)

    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with mock.patch.object(owner, name, entered):
            yield
        timer.join(60)  # it has been started, or this raises
    finally:
        signal.signal(signal.SIGINT, previous)
