"""r.confidence: how close it is to the truth in a given time, next to one solve for each match.

    python benchmarks/keep.py docs/results/confidence.md benchmarks/bench_confidence.py

The truth of a match is the extra cost of the best matching without it, proven by gm_solve within
TRUTH seconds; matches without such a proof do not count. *Share* is the mean of confidence / truth
(1 if both are 0), *exact* the part of the matches whose confidence is the truth (to the precision
of a closed gap). *One by one*: each match gets its share of the time for a solve without it. *All
at once*: from the duals alone. Time is CPU time of one thread.
"""

import argparse
import math
import time
from types import SimpleNamespace

import cpu_clock
import numpy as np
import study

import gmtoolbox as gm
from gmtoolbox import changes

INSTANCES = ("house-sparse1", "house-dense1", "hotel1", "car1", "motor1", "caltech-small3")
LIMITS = (0.1, 0.5, 2.0, 10.0)
TRUTH = 5.0


def without(costs, labels, i, seconds):
    """Bound of the problem without the match of node i, and whether it is proven."""
    try:
        rest = costs.forbid([(i, labels[i])]).problem
        found = gm.gm_solve(rest, time_limit=max(seconds, 1e-3))
    except gm.InfeasibleError:
        return math.inf, True
    return found.bound, found.status == "optimal"


def one_by_one(costs, labels, seconds):
    """Confidence from a solve without each match, the time divided among them."""
    sure = np.zeros(len(labels))
    nodes, end = np.flatnonzero(labels >= 0), time.process_time() + seconds
    for k, i in enumerate(nodes):
        share = max((end - time.process_time()) / (len(nodes) - k), 1e-3)
        sure[i] = max(without(costs, labels, i, share)[0] - costs.total_cost(labels), 0.0)
    return sure


def all_at_once(costs, labels):
    """Confidence from the duals alone."""
    _, least = changes.bound_changes(costs, labels, 60.0)
    return np.maximum(least - costs.total_cost(labels), 0.0)


def timed(function, *given):
    """Return (result of the function, CPU seconds)."""
    begin = time.process_time()
    found = function(*given)
    return found, time.process_time() - begin


def judged(sure, truth, scale):
    """Return share and exact as a text."""
    known = np.isfinite(truth)
    sure, truth = sure[known], truth[known]
    exact = sure >= truth - 3e-6 * scale
    share = np.where(exact, 1.0, np.minimum(sure / np.maximum(truth, 1e-300), 1.0))
    return f"{share.mean():.2f}, {100 * exact.mean():.0f} %" if len(truth) else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("instances", nargs="*", default=INSTANCES)
    names = parser.parse_args().instances
    cpu_clock.use()
    changes.time = SimpleNamespace(perf_counter=time.process_time)
    print("| instance | matches | truth known | limit, s | one by one: share, exact, s"
          " | r.confidence | all at once | its s |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    problem = gm.synth.car(seed=0, size=5)
    changes.confidence(problem, gm.gm_solve(problem))  # so that imports are not measured
    for name in names:
        problem, _ = study.instance(name)
        costs = problem.as_costs().without_offset()
        result = gm.gm_solve(problem, time_limit=30.0)
        labels = result.labels
        nodes, cost = np.flatnonzero(labels >= 0), costs.total_cost(labels)
        truth = np.full(len(labels), np.nan)
        for i in nodes:
            bound, proven = without(costs, labels, i, TRUTH)
            truth[i] = max(bound - cost, 0.0) if proven else np.nan
        scale = max(abs(cost), costs.largest_cost)
        known = f"{np.count_nonzero(np.isfinite(truth))}"
        root, spent = timed(all_at_once, costs, labels)
        for limit in LIMITS:
            row = []
            for way, *given in ((one_by_one, costs, labels), (changes.confidence, problem, result)):
                sure, used = timed(way, *given, limit)
                row.append(f"{judged(sure, truth, scale)}, {used:.2f}")
            singly, both = row
            first = limit == LIMITS[0]
            print(f"| {name if first else ''} | {len(nodes) if first else ''}"
                  f" | {known if first else ''} | {limit} | {singly} | {both}"
                  f" | {judged(root, truth, scale) if first else ''}"
                  f" | {f'{spent:.2f}' if first else ''} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
