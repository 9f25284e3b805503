"""Connected parts of a problem: no edge and no label joins two of them, so each is solved by itself
and the matchings, costs and bounds add up.
"""

import math

from gmtoolbox.core.conditions import restrict, take_remaining
from gmtoolbox.core.lazy import csgraph, np, sparse
from gmtoolbox.engine.kernels import tolerance_of
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import Outcome

MOST_PARTS = 32  # the smallest ones beyond are solved together: each part costs a pass over all
ENDS = ("interrupted", "time_limit", "iteration_limit")  # of a part, the one that counts first


def parts_of(problem):
    """Lifted problems of the connected parts, smallest first; [] if there is only one part.

    Nodes without candidates belong to none and stay unmatched.
    """
    part = part_of_candidates(problem)
    sizes = np.bincount(part)
    if len(sizes) < 2:
        return []
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    part = np.minimum(rank, MOST_PARTS - 1)[part]
    nothing = np.full(problem.shape[0], -1, dtype=np.int64)
    found = []
    for k in range(part.max() + 1):
        kept = part == k
        nodes1, nodes2 = np.unique(problem.left[kept]), np.unique(problem.right[kept])
        candidates, cost = restrict(problem, nodes1, nodes2, kept)
        found.append(take_remaining(problem, nodes1, nodes2, candidates, cost, 0.0, nothing))
    return sorted(found, key=lambda lifted: lifted.problem.n_candidates)


def part_of_candidates(problem):
    """Number of the part of every candidate."""
    n1, n2 = problem.shape
    N = problem.n_candidates
    k = np.arange(N)
    # candidates, left nodes, labels: joined by belonging together and by edges
    one = np.concatenate([k, k, problem.a])
    other = np.concatenate([N + problem.left, N + n1 + problem.right, problem.b])
    size = N + n1 + n2
    joined = sparse.coo_array((np.ones(len(one), bool), (one, other)), shape=(size, size))
    _, part = csgraph.connected_components(joined, directed=False)
    return np.unique(part[:N], return_inverse=True)[1]


class PartBudget(Budget):
    """A share of a budget: the matchings of a part are reported as matchings of the whole."""

    def __init__(self, whole, share, on_improve):
        limit = None if math.isinf(whole.time_limit) else max(share * whole.remaining(), 1e-3)
        super().__init__(limit, whole.seed, on_improve, stop=whole.stop)
        self.offset = whole.offset


class Sum:
    """The best matchings and bounds of all parts, and of the whole."""

    def __init__(self, problem, parts, labels, budget):
        self.problem, self.parts, self.budget = problem, parts, budget
        self.nodes = [p.lift(np.zeros(p.problem.shape[0], np.int64)) >= 0 for p in parts]
        self.labels = np.array(labels, dtype=np.int64)
        self.cost = [p.problem.total_cost(p.lower(labels)) for p in parts]
        self.bound = [-math.inf] * len(parts)
        self.report()

    def report(self, at=None):
        """Report the best matching and the bound of the whole."""
        total, bound = self.problem.offset + math.fsum(self.cost), self.total_bound()
        self.budget.record(cost=total, bound=bound, at=at, labels=self.labels.astype(np.int32))

    def total_bound(self):
        """The bound on the whole, -inf while a part has none."""
        if not all(map(math.isfinite, self.bound)):
            return -math.inf
        total = math.fsum([self.problem.offset, *self.bound])
        return math.nextafter(total, -math.inf)  # fsum rounds to nearest

    def take(self, k, cost, bound, labels, at=None):
        """A better matching or bound of part k."""
        if labels is not None and cost < self.cost[k]:
            self.cost[k] = cost
            self.labels = np.where(self.nodes[k], self.parts[k].lift(labels), self.labels)
        self.bound[k] = max(self.bound[k], bound)
        self.report(at)


def solve_parts(problem, parts, budget, labels, solve):
    """The outcome of solve(part, budget, labels of the part, whether again) on all parts; each gets
    time by its number of candidates, and time that it does not need goes to the larger ones. Time
    that remains then goes to the parts whose share was too short: they are solved again.
    """
    whole = Sum(problem, parts, labels, budget)
    tolerance = tolerance_of(problem, budget) / len(parts)  # gaps add up
    waiting, ends, n_iter, made_by, is_again = list(range(len(parts))), {}, 0, [], False
    while waiting and not budget.cut():
        for at, k in enumerate(waiting):
            if budget.cut():
                break
            sizes = [parts[j].problem.n_candidates for j in waiting[at:]]
            clock = PartBudget(budget, sizes[0] / sum(sizes), None)
            clock.tolerance = tolerance
            outcome = solve_part(whole, k, clock, solve, is_again)
            n_iter, ends[k] = n_iter + outcome.n_iter, outcome.status
            made_by.append([sizes[0], round(clock.elapsed(), 3), outcome.status])
        waiting, is_again = [k for k in waiting if ends.get(k) == "time_limit"], True
    ends = {*ends.values(), budget.stopped if len(ends) < len(parts) else None}
    status = next((end for end in ENDS if end in ends), "converged")
    return Outcome(
        labels=whole.labels.astype(np.int32), bound=whole.total_bound(), n_iter=n_iter,
        status=status, extra={"parts": made_by},
    )  # fmt: skip


def solve_part(whole, k, clock, solve, is_again):
    """The outcome of part k, which the Sum of all parts takes over on the way."""
    lifted = whole.parts[k]

    def pass_on(event, found, _):
        whole.take(k, event[1], event[2], found, clock.started + event[0])

    clock.attend(pass_on)
    outcome = solve(lifted.problem, clock, lifted.lower(whole.labels), is_again)
    if outcome.labels is not None:
        cost = lifted.problem.total_cost(outcome.labels)
        whole.take(k, cost, outcome.bound, outcome.labels)
    return outcome
