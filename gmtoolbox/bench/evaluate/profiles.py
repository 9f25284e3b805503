"""Fixed-target evaluation, times to a solution: performance profiles (Dolan and More 2002), cactus
plots, shifted geometric means, and which method to use.

t_s(p) is the time until method s has solved problem p. The performance ratio is r_s(p) = t_s(p) /
min_s t_s(p) and rho_s(tau) = |{p : r_s(p) <= tau}| / |P|: the fraction of problems on which s is at
most tau times slower than the fastest. Times below 10 ms count as 10 ms: differences there are
noise. Shifted geometric means, as in Mittelmann's tables of solvers, are

    mean = (prod_p (t_p + s))^(1/n) - s

over the problems p, where t_p is the time to a solution, or the time limit if there is none. The
shift s keeps problems that are solved at once from deciding (Achterberg 2007, section A.3).
"""

import math
from dataclasses import dataclass

from gmtoolbox.core.text import percent

FLOOR = 0.01  # seconds
TAU_MAX = 1000.0
SHIFT = 1.0  # seconds
EQUAL = 1.5  # times whose ratio is below this are equal on a shared machine


@dataclass
class StepFunction:
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
    """A StepFunction rho(tau), tau in 1 .. tau_max, for every method; the best at tau_max first."""
    curves = []
    for method, ratios in performance_ratios(times, floor).items():
        x, y = steps([r for r in ratios.values() if r <= tau_max], len(ratios))
        curves.append(StepFunction(method, x, y))
    return sorted(
        curves, key=lambda curve: (-curve.at(tau_max), -curve.area(tau_max), curve.method)
    )


def cactus(times, n_seeds=1):
    """Return a StepFunction for every method, the most successful first: the number of problems
    solved within a time, averaged over the seeds. times: of times_of, n_seeds for each problem.
    """
    curves = []
    for method, row in times.items():
        x, y = steps([t for t in row.values() if math.isfinite(t)], n_seeds)
        curves.append(StepFunction(method, x, y))
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


# ---- shifted geometric means


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
            mean_ratio(mean[method], best),
            places[method],
        )
        for method, row in times.items()
    ]


def mean_ratio(one, other):
    """Return the ratio of two mean times; those below the clock's floor are equal."""
    return max(one, FLOOR) / max(other, FLOOR)


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


# ---- which method to use


@dataclass(frozen=True)
class Standing:
    """One method on some instances."""

    method: str
    solved: float  # fraction of the instances and seeds
    time: float  # geometric mean of the times to a solution, those below 10 ms count as 10 ms
    proven: int  # instances whose answer it proved


def standings(evaluation, dataset=None, proofs=()):
    """Return every method, the best first: by solved instances, then by time.

    proofs  (dataset, instance, method) of the runs that ended with a proof
    """
    proven = {}
    for name, _, method in set(proofs):
        if dataset in (None, name):
            proven[method] = proven.get(method, 0) + 1
    found = []
    for method, times in times_of(evaluation, dataset).items():
        solved = [max(time, FLOOR) for time in times.values() if math.isfinite(time)]
        mean = math.exp(math.fsum(map(math.log, solved)) / len(solved)) if solved else math.inf
        share = len(solved) / len(times) if times else 0.0
        found.append(Standing(method, share, mean, proven.get(method, 0)))
    return sorted(found, key=lambda one: (-one.solved, one.time, one.method))


def leaders(found):
    """The methods that solve most: those that tie, the fastest first."""
    return [one for one in found if one.solved == found[0].solved and one.solved > 0]


def fastest(best):
    """Return in words the fastest of methods that tie, by name if they are few."""
    names = [one.method for one in best if one.time <= EQUAL * best[0].time]
    if len(names) == 1:
        return f"{names[0]} is the fastest"
    if len(names) <= 3:
        return f"{', '.join(names[:-1])} and {names[-1]} are the fastest"
    share = "all" if len(names) == len(best) else len(names)
    return f"{share} of them are equally fast"


def name_fastest(times):
    """Return the fastest of {method: seconds}, or how many are equally fast: times below the floor
    of the clock, and times within a factor of 1.5, count as equal.
    """
    limit = EQUAL * max(min(times.values()), FLOOR)
    names = [method for method, time in times.items() if max(time, FLOOR) <= limit]
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} methods"


def most_solved(found):
    """Return in words the methods that solve most, with ties."""
    best = leaders(found)
    if not best:
        return "none solved any"
    share = percent(best[0].solved)
    if len(best) == 1:
        return f"{best[0].method} ({share})"
    if len(best) == 2:
        return f"{best[0].method} and {best[1].method} tie ({share})"
    return f"{len(best)} methods tie ({share}), {fastest(best)}"


def advice(found, total):
    """Return sentences about which method to use; total: the number of instances."""
    best = leaders(found)
    if not best:
        return ["No method solved an instance: give them more time."]
    first, many = best[0], len(best)
    count = f"all {total} instances" if first.solved == 1 else percent(first.solved)
    said = []
    if first.solved < 1:
        said.append("No method solves all instances.")
    if many == 1:
        said.append(f"{first.method} solves {count}, no other as many.")
    else:
        said.append(f"{many} methods tie: they solve {count}; {fastest(best)}.")
    prover = max(found, key=lambda one: (one.proven, one.solved, -one.time))
    if prover.proven:
        also = [one for one in found if one.proven == prover.proven]
        others = "does one other" if len(also) == 2 else f"do {len(also) - 1} others"
        more = f" (as {others})" if len(also) > 1 else ""
        said.append(f"{prover.method} proves {prover.proven} of {total} answers{more}.")
    quick = min(found, key=lambda one: (one.time, -one.solved))
    if quick.time < 0.5 * first.time and quick.method != first.method:
        said.append(
            f"In a hurry: {quick.method}, which solves {percent(quick.solved)} in"
            f" {percent(quick.time / first.time)} of the time."
        )
    return said
