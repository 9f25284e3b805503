"""Which method to use: those that solve all, the fastest of them, those that prove; with ties."""

import math
from dataclasses import dataclass

from gmtoolbox.bench.evaluate.profiles import FLOOR, times_of

EQUAL = 1.5  # times whose ratio is below this are equal on a shared machine


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
    percent = f"{100 * best[0].solved:.0f} %"
    if len(best) == 1:
        return f"{best[0].method} ({percent})"
    if len(best) == 2:
        return f"{best[0].method} and {best[1].method} tie ({percent})"
    return f"{len(best)} methods tie ({percent}), {fastest(best)}"


def advice(found, total):
    """Return sentences about which method to use; total: the number of instances."""
    best = leaders(found)
    if not best:
        return ["No method solved an instance: give them more time."]
    first, many = best[0], len(best)
    count = f"all {total} instances" if first.solved == 1 else f"{100 * first.solved:.0f} %"
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
            f"In a hurry: {quick.method}, which solves {100 * quick.solved:.0f} % in"
            f" {100 * quick.time / first.time:.0f} % of the time."
        )
    return said
