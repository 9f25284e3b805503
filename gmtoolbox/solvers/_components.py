"""Connected parts of a problem: no edge and no label joins two of them, so each is solved by itself
and the matchings, costs and bounds add up.
"""

import math

from gmtoolbox.core.conditions import remaining, restrict
from gmtoolbox.core.lazy import csgraph, np, sparse
from gmtoolbox.engine.budget import Budget
from gmtoolbox.engine.kernels import tolerance_of
from gmtoolbox.engine.registry import Outcome

MOST_PARTS = 32  # the smallest ones beyond are solved together: each part costs a pass over all
ENDS = ("interrupted", "time_limit", "iteration_limit")  # of a part, the one that counts first


def parts_of(problem):
    """Lifted problems of the connected parts, smallest first; [] where all is one part.

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
        found.append(remaining(problem, nodes1, nodes2, candidates, cost, 0.0, nothing))
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
    """A share of a budget: what a part finds is reported as a matching of the whole."""

    def __init__(self, whole, share, on_improve):
        limit = None if math.isinf(whole.time_limit) else max(share * whole.remaining(), 1e-3)
        super().__init__(limit, whole.seed, on_improve, stop=whole.stop)
        self.offset = whole.offset


class Sum:
    """What is known of all parts, and together."""

    def __init__(self, problem, parts, labels, budget):
        self.problem, self.parts, self.budget = problem, parts, budget
        self.nodes = [p.lift(np.zeros(p.problem.shape[0], np.int64)) >= 0 for p in parts]
        self.labels = np.array(labels, dtype=np.int64)
        self.cost = [p.problem.total_cost(p.lower(labels)) for p in parts]
        self.bound = [-math.inf] * len(parts)
        self.tell()

    def tell(self, at=None):
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
        self.tell(at)


def solve_parts(problem, parts, budget, labels, solve):
    """The outcome of solve(part, budget, labels of the part, iterations so far) on all parts; each
    gets time by its number of candidates, and what it does not need goes to the larger ones.
    """
    whole = Sum(problem, parts, labels, budget)
    waiting, n_iter, ends, made_by = sum(p.problem.n_candidates for p in parts), 0, set(), []
    for k, lifted in enumerate(parts):
        if budget.cut():
            ends.add(budget.stopped)
            break
        share = lifted.problem.n_candidates / waiting
        waiting -= lifted.problem.n_candidates
        clock = PartBudget(budget, share, None)
        clock.tolerance = tolerance_of(problem, budget) / len(parts)  # gaps add up

        def told(event, found, _, k=k, clock=clock):
            whole.take(k, event[1], event[2], found, clock.started + event[0])

        clock.attend(told)
        start = lifted.lower(whole.labels)
        outcome = solve(lifted.problem, clock, start, n_iter)
        n_iter += outcome.n_iter
        ends.add(outcome.status)
        if outcome.labels is not None:
            cost = lifted.problem.total_cost(outcome.labels)
            whole.take(k, cost, outcome.bound, outcome.labels)
        made_by.append([lifted.problem.n_candidates, round(clock.elapsed(), 3), outcome.status])
    status = next((end for end in ENDS if end in ends), "converged")
    return Outcome(
        labels=whole.labels.astype(np.int32), bound=whole.total_bound(), n_iter=n_iter,
        status=status, extra={"parts": made_by},
    )  # fmt: skip
