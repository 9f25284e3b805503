"""One live line while a method runs: value, bound, gap and time."""

import sys
import threading
import time
from contextlib import contextmanager

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import gap_text, number

EVERY = 1.0  # seconds between two lines where no line can be replaced
REFRESH = 0.125  # seconds between two looks of a notebook's line


@contextmanager
def watched(progress, method):
    """What to call with (event, labels, iteration, gap) at every improvement, or None: progress
    itself, which is not told the gap, or a live line for True.

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
    """Shows the latest improvement: in place on a terminal or in a notebook, else now and then."""

    def __init__(self, method, verbose):
        from rich.console import Console

        self.method, self.verbose = method, verbose
        self.console = Console(stderr=True, highlight=False, soft_wrap=True)
        # what notebooks show of stderr is red
        self.stream = sys.stdout if self.console.is_jupyter else sys.stderr
        self.in_place = not verbose and (self.console.is_terminal or self.console.is_jupyter)
        self.begin, self.told, self.live = time.perf_counter(), 0.0, None
        self.event, self.gap = None, float("inf")

    def __enter__(self):
        if self.in_place and self.console.is_jupyter:
            self.live = Cell(self.now)
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
        if self.verbose or now - self.told >= EVERY:
            self.told = now
            print(self.text(event[0]), file=self.stream, flush=True)

    def now(self):
        """The line at this moment."""
        return self.text(time.perf_counter() - self.begin)

    def text(self, seconds):
        """The line after so many seconds."""
        if self.event is None:
            return f"{self.method}: {seconds:.1f} s"
        _, value, bound = self.event
        return (
            f"{self.method}: value {number(value, 8)}, bound {number(bound, 8)},"
            f" gap {gap_text(self.gap)},"
            f" {seconds:.3g} s"
        )

    def __rich__(self):
        from rich.text import Text

        return Text(self.now(), no_wrap=True)


class Cell:
    """A line in the output of a notebook's cell, written anew until it ends; the last one stays.

    IPython itself does it: rich's way needs ipywidgets, which notebooks may lack.
    """

    def __init__(self, text):
        self.text, self.over = text, threading.Event()
        self.thread = threading.Thread(target=self.go_on, daemon=True)

    def start(self):
        """Show the first line, and renew it from now on."""
        from IPython.display import display

        self.handle = display(self.shown(), display_id=True, raw=True)
        self.thread.start()

    def stop(self):
        """Show the last line."""
        self.over.set()
        self.thread.join()
        self.handle.update(self.shown(), raw=True)

    def go_on(self):
        """Renew the line, in a thread, until stop()."""
        while not self.over.wait(REFRESH):
            self.handle.update(self.shown(), raw=True)

    def shown(self):
        """The line as IPython takes it."""
        return {"text/plain": self.text()}
