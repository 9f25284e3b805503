"""Problems with fixed and forbidden pairs, the confidence of matches, and stores: problems of one
to five nodes a side, all matchings tried.
"""

import os
import tempfile
from collections import Counter
from fractions import Fraction

import numpy as np

import gmtoolbox as gm
from campaigns import PROVEN, REFUSED, UNPROVEN, Wrong
from campaigns.matchings import ROUNDING, Drawn, Table, check_answer

BATCH = 100  # problems of a store
CALLS = 5  # of gm_batch with a store: answers are BATCH * CALLS


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


def check_store(rng):
    """gm_batch(store=): BATCH problems; the names stay, but stand for others in the next call, and
    half of them are files that are written again.
    """
    words, drawn = Counter(), [Drawn(rng, largest=4) for _ in range(BATCH)]
    tables = [Table(one) for one in drawn]
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "runs.db")
        for _ in range(CALLS):
            chosen = rng.integers(0, BATCH, BATCH).tolist()
            asked = {f"problem {i}": drawn[k].problem() for i, k in enumerate(chosen)}
            for name in list(asked)[::2]:
                path = os.path.join(folder, f"{name}.h5")
                gm.save(asked[name], path)
                asked[name] = path
            runs = gm.gm_batch(asked, "aj", store=store)
            for run, k in zip(runs, chosen, strict=True):
                words[check_run(run, drawn[k], tables[k])] += 1
    return words


def check_run(run, drawn, table):
    """Return the word for a run; Wrong unless it answers for its problem."""
    if run.outcome == "ok":
        return check_answer(table, run, drawn.offset)
    if len(table.labels):
        raise Wrong(f"outcome {run.outcome!r}: {run.reason}")
    return REFUSED


DOORS = {
    "p.fix": check_fixed,
    "p.forbid": check_forbidden,
    "r.confidence": check_confidence,
    "gm_batch(store=)": check_store,
}
