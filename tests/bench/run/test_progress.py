"""Progress: a bar on a terminal, plain lines elsewhere; failures are told at once."""

import io

from gmtoolbox.bench.run.progress import Bar, Lines, clock, progress_for
from gmtoolbox.bench.store.store import Run

OK, LOST = Run("d", "i", "m", 1), Run("d", "[i]", "m", 2, "crash", "killed by SIGSEGV")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def played(show):
    show.start(2, 4)
    show.done(OK)
    show.done(LOST)
    show.stop()
    return show.stream.getvalue()


def test_plain_lines():
    first, failure, last = played(progress_for(4, io.StringIO())).splitlines()
    assert first == "bench: 4 runs, 2 of them done before, 4 at a time"
    assert failure == "bench: d/[i] m trial 2: crash: killed by SIGSEGV"
    assert last == "bench: 4/4 runs done, 1 failed, 0:00:00 left"


def test_bar():
    show = progress_for(4, Terminal())
    text = played(show)
    assert (
        isinstance(show, Bar)
        and "4/4" in text
        and "1 failed" in text
        and "d/[i] m: crash: killed by SIGSEGV" in text
    )


def test_time_left_comes_from_the_runs_of_this_session():
    show = Lines(100, io.StringIO())
    show.start(50, 1)
    assert show.remaining() is None and clock(None) == "?"
    show.began -= 10  # ten seconds ago
    show.n_done, show.fresh = 60, 10
    assert 39 <= show.remaining() <= 41 and clock(3725.4) == "1:02:05"
