"""Bounds, proofs and known optima of a store that another run of the same problem refutes.

A store repeats what runs have reported. One matching that is better than a bound shows that the
bound was false, whatever the status says: such runs are listed, and do not count as proofs.
"""

import math

MARGIN = 1e-6  # of value and bound: less may be rounding, or the printed digits of an optimum


def refuted_claims(store):
    """Return [((dataset, instance, method or ''), text)]: claims that a value refutes."""
    runs = [run for run in store.runs() if run.outcome == "ok"]
    signs = {row.place: -1.0 if row.sense == "max" else 1.0 for row in store.instances()}
    best = {}
    for run in runs:
        place = (*run.key[:2], run.problem)
        cost = signs.get(place, 1.0) * run.value
        if place not in best or cost < best[place][0]:
            best[place] = cost, run
    found = []
    for run in runs:
        cost, better = best[*run.key[:2], run.problem]
        bound = signs.get((*run.key[:2], run.problem), 1.0) * run.bound
        if is_refuted(bound, cost):
            reached = f"the value {better.value:.10g} of {better.method}"
            found.append((run.key[:3], f"bound {run.bound:.10g} ({run.status}), but {reached}"))
    for row in store.instances():
        cost, better = best.get(row.place, (math.inf, None))
        if row.optimum is not None and is_refuted(signs[row.place] * row.optimum, cost):
            text = f"optimum {row.optimum:.10g} of the dataset, but the value {better.value:.10g}"
            found.append(((row.dataset, row.instance, better.method), text))
    return found


def is_refuted(bound, cost):
    """Return whether a matching of this cost is better than the bound, beyond rounding."""
    if not (math.isfinite(bound) and math.isfinite(cost)):
        return bound == math.inf and math.isfinite(cost)
    return bound > cost + MARGIN * max(abs(bound), abs(cost))
