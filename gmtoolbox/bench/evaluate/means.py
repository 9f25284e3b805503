"""Shifted geometric means of solution times, ranks and pairwise ratios, as in Mittelmann's tables
of solvers.

    mean = (prod_p (t_p + s))^(1/n) - s

over the problems p, where t_p is the time to a solution, or the time limit if there is none. The
shift s keeps problems that are solved at once from deciding (Achterberg 2007, section A.3).
"""

import math
from dataclasses import dataclass

from gmtoolbox.bench.evaluate.profiles import FLOOR

SHIFT = 1.0  # seconds


@dataclass(frozen=True)
class Mean:
    """One method on some problems."""

    method: str
    solved: float  # problems, averaged over the seeds
    mean: float  # seconds, shifted geometric mean
    ratio: float  # of the mean to the best one
    rank: float  # mean over the problems of the place among all methods; equal times share places


def shifted_mean(times, shift=SHIFT):
    """Return the shifted geometric mean of some times."""
    if not times:
        return math.inf
    return math.exp(math.fsum(math.log(t + shift) for t in times) / len(times)) - shift


def means_of(times, limit, n_seeds=1):
    """Return the Mean of each method, in the order given.

    times    method -> problem and seed -> seconds to a solution, inf if there is none
    limit    seconds that an unsolved problem counts; inf: as many as the slowest solution took
    n_seeds  number of times of each problem
    """
    known = [t for row in times.values() for t in row.values() if math.isfinite(t)]
    if not math.isfinite(limit):
        limit = max(known, default=1.0)
    cut = {
        method: {p: min(t, limit) if math.isfinite(t) else limit for p, t in row.items()}
        for method, row in times.items()
    }
    mean = {method: shifted_mean(list(row.values())) for method, row in cut.items()}
    best = min(mean.values(), default=1.0)
    places = mean_places(times)
    return [
        Mean(
            method,
            sum(map(math.isfinite, row.values())) / n_seeds,
            mean[method],
            mean[method] / best if best > 0 else 1.0,
            places[method],
        )
        for method, row in times.items()
    ]


def mean_places(times):
    """Return the mean place of each method; times below the clock's floor are equal, and all
    methods that do not solve a problem share the last places.
    """
    total = dict.fromkeys(times, 0.0)
    problems = list(dict.fromkeys(p for row in times.values() for p in row))
    for problem in problems:
        here = {m: max(row.get(problem, math.inf), FLOOR) for m, row in times.items()}
        ordered = sorted(here.values())
        first, count = {}, {}
        for k, t in enumerate(ordered, 1):
            first.setdefault(t, k)
            count[t] = count.get(t, 0) + 1
        for method, t in here.items():
            total[method] += first[t] + (count[t] - 1) / 2
    return {method: whole / max(len(problems), 1) for method, whole in total.items()}
