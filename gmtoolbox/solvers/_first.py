"""First matchings of a problem with listed edges, before any table is made."""

from gmtoolbox.core.candidates import ranges
from gmtoolbox.core.lazy import np
from gmtoolbox.engine.rounding import candidate_lap, most_pairs
from gmtoolbox.solvers._matrices import Affinity

# Candidates and edges together from which the set-up of the methods takes longer than this does;
# below, their own first answers come as soon.
LARGE = 100_000


def is_large(problem):
    """Whether first_matchings is worth its time."""
    return problem.n_candidates + problem.n_edges > LARGE


def first_matchings(problem):
    """Labels from the cheapest assignment on the unary costs alone, and from one step of
    Frank-Wolfe: the assignment on the gradient at the centre, with equal weights for
    the candidates of a node. Partial: without pairs that do not pay. O(candidates + edges) and two
    assignments. A complete problem has any complete matching before, as assignments are slow if
    every node must be matched.
    """
    n1 = problem.shape[0]
    lap, order = candidate_lap(problem)
    if problem.complete:
        yield most_pairs(lap)
    affinity = Affinity(problem)

    def cheapest(costs):
        found = np.array(lap.solve(costs[order], complete=problem.complete), dtype=np.int32)
        return found if problem.complete else prune_labels(problem, found, affinity.start)

    yield cheapest(problem.cost)
    x = 1.0 / np.bincount(problem.left, minlength=n1)[problem.left]
    # the gradient of cost'x + x'Ex, where E holds the edges and affinity = -(E + diag(cost))
    yield cheapest(problem.cost * (1.0 - 2.0 * x) - 2.0 * (affinity @ x))


def prune_labels(problem, labels, start):
    """Labels without the pairs that cost more than they save, half of them at a time, the dearest
    first: the remaining ones may save again. start: the first edge of each candidate, which is its
    a.
    """
    chosen = np.sort(problem.candidates_of(labels))
    place = np.full(problem.n_candidates, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    behind = ranges(start[chosen], start[chosen + 1])
    behind = behind[place[problem.b[behind]] >= 0]
    a, b, w = place[problem.a[behind]], place[problem.b[behind]], problem.edge_cost[behind]
    stays = np.ones(len(chosen), dtype=bool)
    while True:
        live = np.where(stays[a] & stays[b], w, 0.0)
        linked = np.bincount(a, live, len(chosen)) + np.bincount(b, live, len(chosen))
        saves = np.where(stays, problem.cost[chosen] + linked, 0.0)
        dear = np.flatnonzero(saves > 0)
        if not len(dear):
            break
        stays[dear[np.argsort(-saves[dear], kind="stable")[: (len(dear) + 1) // 2]]] = False
    labels[problem.left[chosen[~stays]]] = -1
    if problem.total_cost(labels) > problem.offset:
        labels[:] = -1
    return labels
