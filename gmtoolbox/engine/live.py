"""One live line while a method runs: value, bound, gap and time."""

import sys
import time
from contextlib import contextmanager

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import number

EVERY = 1.0  # seconds between two lines where no line can be replaced


@contextmanager
def watched(progress, method):
    """What to call at every improvement, or None: progress itself, or a live line for True.

    "verbose" prints a line for every improvement.
    """
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
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
        self.in_place = not verbose and (self.console.is_terminal or self.console.is_jupyter)
        self.begin, self.told, self.event, self.live = time.perf_counter(), 0.0, None, None

    def __enter__(self):
        if self.in_place:
            from rich.live import Live

            self.live = Live(self, console=self.console, transient=True, refresh_per_second=8)
            self.live.start()
        return self

    def __exit__(self, *_):
        if self.live is not None:
            self.live.stop()

    def __call__(self, event, labels, iteration):
        self.event = event
        if self.in_place:
            return
        now = time.perf_counter()
        if self.verbose or now - self.told >= EVERY:
            self.told = now
            print(self.text(event[0]), file=sys.stderr, flush=True)

    def text(self, seconds):
        if self.event is None:
            return f"{self.method}: {seconds:.1f} s"
        _, value, bound = self.event
        gap = abs(value - bound) / max(abs(value), 1e-300)
        return (
            f"{self.method}: value {number(value, 8)}, bound {number(bound, 8)},"
            f" gap {number(100 * gap, 3)}{'%' if gap < float('inf') else ''}, {seconds:.2f} s"
        )

    def __rich__(self):
        from rich.text import Text

        return Text(self.text(time.perf_counter() - self.begin), no_wrap=True)
