"""The request to stop one call: Ctrl-C or another thread sets it, all parts of the call see it."""

import mmap
import os
import signal
import tempfile
import threading
from contextlib import contextmanager

from gmtoolbox.core._ffi import ffi

_outermost = threading.local()  # .stop: the Stop of the call that this thread is in


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
    def joined(self):
        """Make this thread part of the call: calls inside it share the request."""
        before = getattr(_outermost, "stop", None)
        _outermost.stop = self
        try:
            yield
        finally:
            _outermost.stop = before

    @contextmanager
    def shared(self):
        """Yield the path of a file through which other processes see the request: see heed."""
        descriptor, path = tempfile.mkstemp(prefix="gmtoolbox-stop-")
        own = self.flag
        try:
            os.write(descriptor, bytes(ffi.buffer(own, 4)))
            self.flag = mapped(descriptor)
            os.close(descriptor)
            yield path
        finally:
            own[0], self.flag = self.flag[0], own
            try:
                os.unlink(path)
            except OSError:  # Windows, while another process still has it
                pass


def mapped(descriptor):
    """Return a pointer to the first int32 of an open file."""
    return ffi.from_buffer("int32_t[]", mmap.mmap(descriptor, 4))


def heed(path):
    """Return the Stop that another process made and sets (Stop.shared). Ctrl-C, which reaches all
    processes of a terminal, is left to that process. None: a Stop of this process.
    """
    if path is None:
        return Stop()
    with open(path, "r+b") as file:
        return Stop(mapped(file.fileno()), hears_ctrl_c=False)
