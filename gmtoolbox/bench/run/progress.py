"""How far a benchmark is: a live bar on a terminal, plain lines elsewhere."""

import sys
import threading
import time
from abc import ABC, abstractmethod

from gmtoolbox.core.text import printable

PLAIN_EVERY = 10.0  # seconds between two plain lines


class Silent:
    """Shows nothing; the others do at the same occasions."""

    def start(self, before, n_jobs):
        """Begin, with this many runs done before and this many at a time."""

    def done(self, run):
        """Count a run that has ended."""

    def stop(self):
        """End."""

    def note(self, text):
        """Print a line before the beginning."""


class Counter(Silent, ABC):
    """Counts runs and guesses the time that remains from the mean of the runs of this session."""

    def __init__(self, total, stream=None):
        self.total, self.stream = total, stream or sys.stderr
        self.n_done = self.fresh = self.failures = 0
        self.guard = threading.Lock()

    def start(self, before, n_jobs):
        self.n_done = before
        self.began = self.spoke = time.monotonic()

    def done(self, run):
        with self.guard:
            self.n_done += 1
            self.fresh += 1
            self.failures += run.outcome != "ok"
            self.show(run)

    def remaining(self):
        """Seconds until the end; None before the first run has ended."""
        if not self.fresh:
            return None
        return (time.monotonic() - self.began) / self.fresh * (self.total - self.n_done)

    def note(self, text):
        print(f"bench: {printable(text)}", file=self.stream, flush=True)

    @abstractmethod
    def show(self, run):
        """Report one more finished run."""


class Lines(Counter):
    """A line now and then, and one for every failure."""

    def show(self, run):
        if run.outcome != "ok":
            failure = f"{run.outcome}: {run.reason}"
            self.note(f"{run.dataset}/{run.instance} {run.method} trial {run.trial}: {failure}")
        now = time.monotonic()
        if now - self.spoke >= PLAIN_EVERY or self.n_done == self.total:
            self.spoke = now
            self.note(
                f"{self.n_done}/{self.total} runs done, {self.failures} failed,"
                f" {clock(self.remaining())} left"
            )

    def start(self, before, n_jobs):
        super().start(before, n_jobs)
        self.note(f"{self.total} runs, {before} of them done before, {n_jobs} at a time")


class Bar(Counter):
    """rich's progress bar, with failures printed above it."""

    bar = None

    def start(self, before, n_jobs):
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        super().start(before, n_jobs)
        columns = (
            TextColumn("bench"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
        )
        self.bar = Progress(*columns, console=Console(file=self.stream))
        self.task = self.bar.add_task("", total=self.total, completed=before)
        self.bar.start()

    def show(self, run):
        if run.outcome != "ok":
            text = f"{run.dataset}/{run.instance} {run.method}: {run.outcome}: {run.reason}"
            self.bar.console.print(printable(text), style="red", markup=False, highlight=False)
        failed = f", {self.failures} failed" if self.failures else ""
        self.bar.update(
            self.task, completed=self.n_done, description=f"{clock(self.remaining())} left{failed}"
        )

    def stop(self):
        if self.bar is not None:  # it never started: the cluster did not answer
            self.bar.stop()


def clock(seconds):
    """'1:02:03' of seconds, '?' for None."""
    if seconds is None:
        return "?"
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def progress_for(total, stream=None):
    """A Bar on a terminal, else Lines."""
    stream = stream or sys.stderr
    return (Bar if stream.isatty() else Lines)(total, stream)
