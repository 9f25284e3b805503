"""Estimated cost of a benchmark before it is run: number of runs, time at most and probably."""

import statistics
from dataclasses import dataclass

from gmtoolbox.bench.run.pool import Pool
from gmtoolbox.bench.run.progress import clock
from gmtoolbox.bench.store.lookup import look_up, warn_unverified

OVERHEAD = 0.1  # seconds to fork, load and warm up, of a small instance


@dataclass(frozen=True)
class Estimate:
    """How many runs a plan has, and how long those take that are not done."""

    total: int
    to_run: int
    n_jobs: int
    at_most: float  # seconds, None without a limit
    probably: float  # seconds, None if the store has no run like it
    known: int  # runs whose like the store has


def estimate(plan, store, settings):
    """Return the Estimate of a plan; store: earlier runs, or None."""
    tasks, settings = plan.tasks, settings.at_most(len(plan.tasks))
    if store is not None:
        with Pool(settings.n_jobs, settings.threads) as pool:
            found = look_up(plan, store, settings, pool)
        warn_unverified(found, store.path)
        tasks = found.tasks
    limit = max(plan.time_limits, default=None)
    at_most = None if limit is None else len(tasks) * (limit + OVERHEAD) / settings.n_jobs
    seen = {}
    for run in () if store is None else store.done():
        if run.wall is not None:
            seen.setdefault((run.dataset, run.method), []).append(run.wall)
            seen.setdefault(run.method, []).append(run.wall)
    seconds, known = 0.0, 0
    for key, _ in tasks:
        like = seen.get((key[0], key[2])) or seen.get(key[2])
        known += like is not None
        seconds += statistics.fmean(like) if like else (limit or 0.0) + OVERHEAD
    probably = seconds / settings.n_jobs if known else None
    return Estimate(len(plan.tasks), len(tasks), settings.n_jobs, at_most, probably, known)


def describe_estimate(plan, found):
    """The Estimate in words."""
    parts = [
        f"{len(plan.methods)} methods",
        f"{len(plan.entries)} instances",
        f"{len(plan.seeds)} seeds",
        f"{plan.trials} trials",
    ]
    lines = [
        f"{' x '.join(parts)} = {found.total} runs, {found.total - found.to_run} of them done",
        f"to run: {found.to_run}, {found.n_jobs} at a time",
        f"at most: {clock(found.at_most)}" if found.at_most is not None else "no time limit",
    ]
    if found.probably is not None:
        lines.append(
            f"probably: {clock(found.probably)}, as the store's runs of the same methods took"
            f" ({found.known} of {found.to_run} have such)"
        )
    return "\n".join(lines)
