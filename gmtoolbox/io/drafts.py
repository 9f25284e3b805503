"""Drafts: files that are written next to the ones that they will replace.

A thread whose call was given up (Ctrl-C a second time) may still be writing when the interpreter
ends, which stops it wherever it is. So the end of the process waits a moment for the drafts that
are open, deletes those that remain, and no thread begins another one.
"""

import atexit
import os
import threading
import time
from contextlib import contextmanager

PATIENCE = 1.0  # seconds that the end of the process waits for drafts
LOOK = 0.01  # seconds between two looks at them


class Drafts:
    """The drafts of a process."""

    def __init__(self):
        self.open, self.guard, self.is_over = set(), threading.Lock(), False

    @contextmanager
    def new(self, draft):
        """Make the empty file `draft`, which is deleted at the end if it is still there."""
        own = os.getpid(), draft  # a process made by fork leaves those of its parent alone
        with self.guard:
            if self.is_over and threading.current_thread() is not threading.main_thread():
                raise OSError(f"{draft}: the process ends")
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            self.open.add(own)
        try:
            yield
        finally:
            draft.unlink(missing_ok=True)
            self.open.discard(own)

    def left(self):
        """Return the drafts that this process has open."""
        return [draft for pid, draft in list(self.open) if pid == os.getpid()]

    def end(self):
        """Wait for drafts of other threads, and delete those that are not done."""
        with self.guard:
            self.is_over = True
        until = time.monotonic() + PATIENCE
        while self.left() and time.monotonic() < until:
            time.sleep(LOOK)
        for draft in self.left():
            draft.unlink(missing_ok=True)


DRAFTS = Drafts()
atexit.register(DRAFTS.end)
