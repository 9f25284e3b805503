"""Fixed-target evaluation: performance profiles (Dolan and More 2002) and cactus plots.

t_s(p) is the time until method s has solved problem p. The performance ratio is r_s(p) = t_s(p) /
min_s t_s(p) and rho_s(tau) = |{p : r_s(p) <= tau}| / |P|: the fraction of problems on which s is at
most tau times slower than the fastest. Times below 10 ms count as 10 ms: differences there are
noise.
"""

import math
from dataclasses import dataclass

FLOOR = 0.01  # seconds
TAU_MAX = 1000.0


@dataclass
class Curve:
    """A step function: from x[k] on it has the value y[k]."""

    method: str
    x: list
    y: list

    def at(self, x):
        """The largest value up to x, 0 before the first step."""
        return max((y for start, y in zip(self.x, self.y, strict=True) if start <= x), default=0.0)

    def area(self, end):
        """Integral from the first step to `end`."""
        ends = [*self.x[1:], end][: len(self.x)]
        return sum(y * (stop - start) for start, stop, y in zip(self.x, ends, self.y, strict=True))


def performance_ratios(times, floor=FLOOR):
    """Return {method: {problem: ratio to the fastest method}}, inf if unsolved; times: method ->
    problem -> seconds or inf.
    """
    floored = {method: {p: max(t, floor) for p, t in row.items()} for method, row in times.items()}
    problems = {p for row in floored.values() for p in row}
    fastest = {p: min(row.get(p, math.inf) for row in floored.values()) for p in problems}
    ratio = lambda t, best: t / best if math.isfinite(t) else math.inf
    return {
        method: {p: ratio(row.get(p, math.inf), fastest[p]) for p in problems}
        for method, row in floored.items()
    }


def performance_profile(times, floor=FLOOR, tau_max=TAU_MAX):
    """A Curve of rho(tau), tau in 1 .. tau_max, for every method; the best at tau_max first."""
    curves = []
    for method, ratios in performance_ratios(times, floor).items():
        x, y = steps([r for r in ratios.values() if r <= tau_max], len(ratios))
        curves.append(Curve(method, x, y))
    return sorted(
        curves, key=lambda curve: (-curve.at(tau_max), -curve.area(tau_max), curve.method)
    )


def cactus(times, n_seeds=1):
    """Return a Curve for every method, the most successful first: the number of problems solved
    within a time, averaged over the seeds. times: those of times_of, n_seeds for each problem.
    """
    curves = []
    for method, row in times.items():
        x, y = steps([t for t in row.values() if math.isfinite(t)], n_seeds)
        curves.append(Curve(method, x, y))
    return sorted(curves, key=lambda curve: (-curve.at(math.inf), curve.x[-1:], curve.method))


def steps(values, total):
    """Step function that counts values up to x, divided by total; one step per distinct value."""
    x, y = [], []
    for count, value in enumerate(sorted(values), 1):
        if x and x[-1] == value:
            y[-1] = count / total
        else:
            x.append(value)
            y.append(count / total)
    return x, y


def times_of(evaluation, dataset=None):
    """method -> (dataset, problem, number of the seed) -> seconds to a solution. A method that was
    run with fewer seeds than others answers with its first for the rest.
    """
    table = {method: {} for method in evaluation.methods}
    for name, problem in evaluation.keys(dataset):
        for method, row in table.items():
            times = evaluation.seed_times.get((name, problem.name, method), [math.inf])
            for k in range(evaluation.n_seeds):
                row[name, problem.name, k] = times[k if k < len(times) else 0]
    return table
