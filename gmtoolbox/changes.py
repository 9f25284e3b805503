"""The least cost of changing each match: Result.confidence.

One match after the other the problem is solved again without it; the cheapest known alternative
shows which are decided anyway and which are the least sure. If that takes long, all
matches at once come first: the duals of the root of the exact method show by how much its bound
rises if a candidate is forced, and a node without its match takes another candidate, or
none. So the least of these bounds holds for every matching without it. They also make the problems
smaller that are solved then: if U is the cost of an alternative, candidates whose bound reaches U
are dropped, and the rest gives the bound, or U.
"""

import time
from functools import partial

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.edges import MAX_EDGES, Listed
from gmtoolbox.core.errors import InfeasibleError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import gap_closed, rounding_error
from gmtoolbox.core.transforms import LEFT_COMPLETE, inverse, prepare
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.limits import Stop
from gmtoolbox.engine.pipeline import run_unless_late
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers.auto import EXACT_CELLS, table_cells

SECONDS = 10.0  # that r.confidence may take altogether
ROOT_SHARE = 0.5  # of them, for all matches at once
ROOT_PART = 0.25  # of the time that solving without each match takes, for all matches at once
LEAST_SECONDS = 2e-3  # of a solve: in less time it finds nothing
SECONDS_PER_CELL = 5e-7  # of building the root and the steps until its bound is useful
TABLES = 250_000  # entries: up to this the relaxation is lifted to full tables
MOST_CANDIDATES = 4_000_000  # beyond, the result's own bound is all that is said
MOST_EXACT = 2.0**52  # sums of integers up to this have no rounding error


def confidence(problem, result, seconds=SECONDS):
    """Return (n1,) for each matched node a lower bound on the extra cost of any matching without
    that pair; nan for unmatched nodes, inf if every matching has the pair.

    Some may be below zero, never by more than the result's gap: as far as is known, another
    matching may cost this much less.
    """
    end = time.perf_counter() + seconds
    labels = np.asarray(result.labels, np.int32)
    if problem.n_candidates > MOST_CANDIDATES:
        return np.where(labels >= 0, least_change(problem, result), np.nan)
    costs = problem.as_costs().without_offset().materialise()
    known = Known(costs, labels)
    with Stop() as stop:
        look_at_each(known, end, stop)
    sure = known.without - known.cost - cost_error(costs, labels)
    if are_exact(np.concatenate([costs.cost, costs.edge_cost])):
        sure = np.ceil(sure)  # every change is a difference of integers
    return np.where(labels >= 0, np.maximum(sure, least_change(problem, result)), np.nan)


def look_at_each(known, end, stop):
    """Solve the problem without each match, the least sure first, until the time `end`."""
    waiting = known.by_doubt()
    if waiting:  # the first one shows how long each takes
        begin = time.perf_counter()
        known.solve_without(waiting.pop(0), (end - begin) / (len(waiting) + 1))
        each, remaining = time.perf_counter() - begin, end - time.perf_counter()
        known.look_at_all(seconds_for_all(known.costs, each * len(waiting), remaining))
        waiting = [i for i in known.by_doubt() if i in waiting]
    while waiting and not stop.is_set and (remaining := end - time.perf_counter()) > 0:
        i = waiting.pop(0)
        if not known.is_decided(i):
            known.solve_without(i, remaining / (len(waiting) + 1))


class Known:
    """Bounds on the matchings without each match of a problem of costs: on all of
    them (without), the cost of one of them (upper), and bounds on the matchings that take each
    candidate (taken).
    """

    def __init__(self, costs, labels):
        self.costs, self.labels, self.cost = costs, labels, costs.total_cost(labels)
        self.without = np.full(len(labels), -np.inf)
        self.taken = np.full(costs.n_candidates, -np.inf)
        self.upper = alternative_costs(costs, labels)

    def by_doubt(self):
        """The matched nodes, those whose match is the least sure first."""
        nodes = np.flatnonzero(self.labels >= 0)
        order = np.lexsort((self.upper[nodes], self.without[nodes]))
        return nodes[order].tolist()

    def is_decided(self, i):
        """Whether the bound for the match of node i meets the cost of an alternative."""
        upper, without = self.upper[i], self.without[i]
        return without >= upper or gap_closed(upper, without, self.costs.tolerance)

    def look_at_all(self, seconds):
        """Raise the bounds of all matches at once, by the duals of the exact method's root."""
        if seconds > 0:
            self.taken, least = bound_changes(self.costs, self.labels, seconds)
            self.without = np.maximum(self.without, least)

    def solve_without(self, i, seconds):
        """Solve the problem without the match of node i."""
        costs, upper = self.costs, self.upper[i]
        own = (costs.left == i) & (costs.right == self.labels[i])
        gone = own | (self.taken >= upper)
        try:
            rest = costs.forbid(np.column_stack([costs.left[gone], costs.right[gone]]))
            found = gm_solve(rest.problem, time_limit=max(seconds, LEAST_SECONDS))
        except InfeasibleError:
            self.without[i] = upper  # inf without an alternative
            return
        self.without[i] = max(self.without[i], min(found.bound, upper))
        labels = rest.lift(found.labels)
        changed = labels != self.labels
        self.upper[changed] = np.minimum(self.upper[changed], costs.total_cost(labels))


def least_change(problem, result):
    """Return the least cost of any change by the result's own bound: 0, or less by its gap."""
    value, bound = problem.signed(result.value), problem.signed(result.bound)
    if result.gap == 0:
        return 0.0
    # both have been rounded when the offset was added, and so is their difference
    return bound - value - rounding_error(4, abs(bound) + abs(value))


def cost_error(costs, labels):
    """By how much the cost of a matching, added up in floating point, may be off."""
    others = np.ones(costs.n_candidates, dtype=bool)
    others[costs.candidates_of(labels)] = False
    chosen = costs.forbid(np.column_stack([costs.left[others], costs.right[others]])).problem
    terms = np.concatenate([chosen.cost, chosen.edge_cost])
    return 0.0 if are_exact(terms) else rounding_error(4 * len(terms), np.abs(terms).sum())


def are_exact(terms):
    """Return True if every sum of some terms is an integer without rounding error."""
    return bool(np.all(terms == np.floor(terms)) and np.abs(terms).sum() < MOST_EXACT)


# ---- all matches at once


def bound_changes(costs, labels, seconds):
    """(bounds on the matchings that take each candidate, bounds on those that lack each match)."""
    prepared = prepare(costs, (LEFT_COMPLETE,))
    p, chosen = prepared.problem, np.ascontiguousarray(prepared.lower(labels), np.int32)

    def read(run):
        found = np.empty(p.n_candidates + p.shape[0])
        lib.gm_forced_bounds(run, pointer(found))
        return {"bounds": found}

    given = dict(finish=read, labels=pointer(chosen), lift_limit=TABLES)
    with Budget(seconds) as budget:
        outcome = run_unless_late(p, budget, partial(run_kernel, "forced", p, budget, **given))
    bounds = (outcome.extra or {}).get("bounds")
    if bounds is None:
        bounds = np.full(p.n_candidates + p.shape[0], -np.inf)
    least = least_without(p, chosen, bounds)
    if p.shape == costs.shape:
        return bounds[: p.n_candidates], least
    taken = bounds[p.candidates.index(costs.right, costs.left)]  # the sides are exchanged
    without = np.full(costs.shape[0], -np.inf)
    matched = np.flatnonzero(labels >= 0)
    without[matched] = least[labels[matched]]
    return taken, without


def seconds_for_all(costs, solves, remaining):
    """How long to look at all matches at once, when solving without each takes `solves` seconds and
    this many remain. 0: not at all, since it would not help in time, or would take longer
    than it saves.
    """
    if not isinstance(costs.edges, Listed) and costs.n_edges > MAX_EDGES:
        return 0.0
    cells = table_cells(costs)
    quick = cells * SECONDS_PER_CELL
    wanted = max(quick, ROOT_PART * min(solves, remaining))
    hurried = solves > remaining  # not every match can be looked at
    saves = quick <= ROOT_PART * solves
    possible = cells <= EXACT_CELLS and quick <= ROOT_SHARE * remaining
    return min(wanted, ROOT_SHARE * remaining) if possible and (hurried or saves) else 0.0


def least_without(p, labels, bounds):
    """Return for each left node the least bound of the alternatives to its match."""
    n1, n2 = p.shape
    instead = bounds[: p.n_candidates].copy()
    instead[p.candidates_of(labels)] = np.inf
    least = np.full(n1, np.inf) if p.complete else bounds[p.n_candidates :].copy()
    np.minimum.at(least, p.left, instead)
    if p.complete and n1 == n2:  # the label, too, needs another node
        of_label = np.full(n2, np.inf)
        np.minimum.at(of_label, p.right, instead)
        least = np.maximum(least, of_label[labels])
    return least


# ---- one match after the other


def alternative_costs(costs, labels):
    """Return (n1,) the cost of a cheap matching without each node's match; inf if none is known.

    Each node takes another label, whose owner takes the one that is free now, or none; or it stays
    free, alone or for a free node that takes its label. The best of these changes is made, and its
    cost is added.
    """
    n1, n2 = costs.shape
    owner = inverse(labels, n2)
    chosen = costs.candidates.indicator(labels)
    price = costs.cost + 2.0 * costs.edges.product(chosen)  # product holds half of each edge
    own = np.zeros(n1 + 1)  # the last entry is that of "no node", -1
    own[costs.left[chosen > 0]] = price[chosen > 0]
    upper = np.full(n1, np.inf)
    best = np.full(n1, np.inf)
    moves = np.full((n1, 4), -1)  # (node, its new label, other node, its new label)

    def offer(node, gain, *move):
        """Keeps the best move of each node."""
        order = np.lexsort((gain, node))
        first = order[np.diff(node[order], prepend=-1) > 0]
        better = first[gain[first] < best[node[first]]]
        best[node[better]] = gain[better]
        moves[node[better]] = np.column_stack([part[better] for part in move])

    nodes = np.flatnonzero(labels >= 0)
    none = np.full(len(nodes), -1)
    if not costs.complete:
        offer(nodes, -own[nodes], nodes, none, none, none)
    other = np.flatnonzero((labels[costs.left] >= 0) & (chosen == 0))
    i, t = costs.left[other], costs.right[other]
    j, s = owner[t], labels[i]
    back = costs.candidates.index(np.maximum(j, 0), s)
    can = (j >= 0) & (back >= 0)
    gain = price[other] - own[i] - own[j] + np.where(can, price[back], 0.0)
    allowed = (j < 0) | can | (not costs.complete)
    offer(i[allowed], gain[allowed], *(part[allowed] for part in (i, t, j, np.where(can, s, -1))))
    taking = np.flatnonzero((labels[costs.left] < 0) & (owner[costs.right] >= 0))
    i = owner[costs.right[taking]]
    offer(
        i, price[taking] - own[i], i, np.full(len(i), -1), costs.left[taking], costs.right[taking]
    )
    for node in np.flatnonzero(moves[:, 0] >= 0):
        new = labels.copy()
        _, label, partner, taken_over = moves[node]
        new[node] = label
        if partner >= 0:
            new[partner] = taken_over
        upper[node] = costs.total_cost(new)
    return upper
