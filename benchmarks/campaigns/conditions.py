"""Problems with fixed and forbidden pairs, and the confidence of matches: problems of one to five
nodes a side, all matchings tried.
"""

from fractions import Fraction

import numpy as np

import gmtoolbox as gm
from campaigns import PROVEN, REFUSED, UNPROVEN, Wrong
from campaigns.matchings import ROUNDING, Drawn, Table, check_answer


class Lifted:
    """A Result with the labels of the whole problem."""

    def __init__(self, result, lift):
        self.labels = np.asarray(lift(result.labels))
        self.value, self.bound, self.status = result.value, result.bound, result.status


def restrict(table, keeps):
    """Keep the matchings of a Table for which keeps(labels) holds."""
    kept = np.array([keeps(row) for row in table.labels.tolist()], bool)
    table.labels, table.near, table.size = table.labels[kept], table.near[kept], table.size[kept]


def check_fixed(rng):
    """p.fix(pairs): pairs of a matching, nodes that stay free among them."""
    drawn = Drawn(rng)
    table = Table(drawn)
    if not len(table.labels):
        return REFUSED
    row = table.labels[rng.integers(len(table.labels))].tolist()
    some = [(i, s) for i, s in enumerate(row) if rng.random() < 0.5]
    return check_condition(drawn, table, lambda p: p.fix(some), lambda labels: has(labels, some))


def has(labels, pairs):
    """Return whether labels have all the pairs."""
    return all(labels[i] == s for i, s in pairs)


def check_forbidden(rng):
    """p.forbid(pairs)."""
    drawn = Drawn(rng)
    table = Table(drawn)
    share = rng.choice([0.2, 0.5])
    pairs = [(i, s) for i in range(drawn.n1) for s in range(drawn.n2) if rng.random() < share]
    keeps = lambda labels: not any(labels[i] == s for i, s in pairs)
    return check_condition(drawn, table, lambda p: p.forbid(pairs), keeps)


def check_condition(drawn, table, condition, keeps):
    """Return the word for a conditioned problem."""
    restrict(table, keeps)
    try:
        rest = condition(drawn.problem())
        result = gm.gm_solve(rest.problem)
    except gm.InfeasibleError:
        if len(table.labels):
            raise Wrong("called infeasible") from None
        return REFUSED
    return check_answer(table, Lifted(result, rest.lift), drawn.offset)


def check_confidence(rng):
    """r.confidence: at most the extra cost of a matching without the pair. Proven: the same."""
    drawn = Drawn(rng, largest=4)
    table, sign = Table(drawn), 1 if drawn.sense == "min" else -1
    if not len(table.labels):
        return REFUSED
    problem = drawn.problem()
    result = gm.gm_solve(problem)
    check_answer(table, result, drawn.offset)
    labels, sharp = result.labels.tolist(), True
    cost, size = table.exact(labels)
    cost_given = sign * Fraction(result.value) - Fraction(drawn.offset)
    for i, (s, sure) in enumerate(zip(labels, result.confidence.tolist(), strict=True)):
        if s < 0:
            if not np.isnan(sure):
                raise Wrong(f"node {i} is free, with the confidence {sure!r}")
            continue
        others = [row for row in table.labels.tolist() if row[i] != s]
        if not others:
            if sure != np.inf:
                raise Wrong(f"every matching has ({i}, {s}), the confidence is {sure!r}")
            continue
        least = min(table.exact(row)[0] for row in others) - cost
        slack = Fraction(ROUNDING) * (size + abs(cost) + abs(least) + Fraction(abs(drawn.offset)))
        slack += abs(cost_given - cost)
        if not np.isfinite(sure) or Fraction(sure) > least + slack:
            raise Wrong(f"({i}, {s}): {sure!r}, a change costs {float(least)!r}")
        sharp = sharp and Fraction(sure) >= least - 1000 * slack - abs(least) / 10**6
    return PROVEN if sharp else UNPROVEN


DOORS = {
    "p.fix": check_fixed,
    "p.forbid": check_forbidden,
    "r.confidence": check_confidence,
}
