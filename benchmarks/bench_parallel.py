"""n_jobs of aj: the same answer for any number of threads, and their speed-up.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_parallel.py [--jobs 2]
    [NAME ...]

CPU seconds of the run with one thread; of the run with several, what remains on the longest path:
the CPU seconds outside of the rounds, and in each round those of the busiest of the threads, if
each takes a turn of the next piece when it is free. On an idle machine that is the wall time; on a
busy one the clock says nothing.
"""

import argparse
import os
import time
from collections import Counter
from pathlib import Path

from bench_semidefinite import load

import gmtoolbox as gm
from gmtoolbox.engine import crew

DEFAULT = ("nug17", "nug20")


class Rounds:
    """CPU seconds of every piece, round by round."""

    def __init__(self, n_jobs):
        self.n_jobs, self.in_pieces, self.longest = n_jobs, 0.0, 0.0
        self.run_pieces = crew.Crew.run_pieces

    def __enter__(self):
        def measured(own, run):
            piece, seconds = own.piece, Counter()

            def timed(given, k, limit):
                started = time.thread_time()
                status = piece(given, k, limit)
                seconds[k] += time.thread_time() - started  # one thread at a time has piece k
                return status

            own.piece = timed
            try:
                self.run_pieces(own, run)
            finally:
                own.piece = piece
            self.count([seconds[k] for k in sorted(seconds)], own.turn)

        crew.Crew.run_pieces = measured
        return self

    def count(self, seconds, turn):
        """Add a round of pieces that take these seconds, in turns."""
        busy, left, ready = (
            [0.0] * self.n_jobs,
            list(seconds),
            dict.fromkeys(range(len(seconds)), 0.0),
        )
        while ready:  # {piece: when its last turn ended}
            free = busy.index(min(busy))
            now = max(busy[free], min(ready.values()))
            k = max(
                (k for k in ready if ready[k] <= now), key=lambda k: left[k] / (seconds[k] or 1)
            )
            busy[free] = now + min(turn, left[k])
            left[k] -= turn
            ready[k] = busy[free]
            if left[k] <= 0:
                del ready[k]
        self.in_pieces += sum(seconds)
        self.longest += max(busy)

    def __exit__(self, *error):
        crew.Crew.run_pieces = self.run_pieces


def measured(problem, limit, n_jobs):
    """Return (result, CPU seconds) of aj with a number of threads."""
    started = time.process_time()
    result = gm.gm_solve(problem, "aj", time_limit=limit, n_jobs=n_jobs)
    return result, time.process_time() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=1200.0, help="wall seconds of a run")
    given = parser.parse_args()
    data = Path(os.environ["GMTOOLBOX_DATA"])
    print(
        "| instance | value, bound, units | 1 thread, CPU s | in rounds |"
        f" {given.jobs} threads, CPU s | longest path | gain |\n|{' --- |' * 7}"
    )
    for name in given.names or DEFAULT:
        problem, _ = load(data, name)
        alone, seconds = measured(problem, given.limit, 1)
        with Rounds(given.jobs) as rounds:
            many, together = measured(problem, given.limit, given.jobs)
        answers = [(r.value, r.bound, r.n_iter, r.labels.tolist()) for r in (alone, many)]
        if answers[0] != answers[1] and alone.status == many.status == "optimal":
            raise SystemExit(f"{name}: {given.jobs} threads gave another answer")
        path = together - rounds.in_pieces + rounds.longest
        print(
            f"| {name} | {many.value:.10g}, {many.bound:.10g}, {many.n_iter} | {seconds:.1f} |"
            f" {100 * rounds.in_pieces / together:.0f} % | {together:.1f} | {path:.1f} |"
            f" {seconds / path:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
