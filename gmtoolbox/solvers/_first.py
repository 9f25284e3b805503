"""A first matching of a problem with listed edges, before any table is made."""

from gmtoolbox.core.lazy import np
from gmtoolbox.engine.linalg import candidate_lap

# Candidates and edges together from which the set-up of the methods takes longer than this does;
# below, their own first answers come as soon.
LARGE = 100_000


def is_large(problem):
    return problem.n_candidates + problem.n_edges > LARGE


def first_matching(problem):
    """Labels from one step of Frank-Wolfe: the cheapest assignment on the gradient at the centre,
    where every candidate of a node weighs the same; or on the unary costs alone, where that costs
    less; partial: without pairs that do not pay. O(candidates + edges) and two assignments.
    """
    n1 = problem.shape[0]
    x = 1.0 / np.bincount(problem.left, minlength=n1)[problem.left]
    lap, order = candidate_lap(problem)
    found = [
        np.array(lap.solve(costs[order], complete=problem.complete), dtype=np.int32)
        for costs in (problem.cost + 2.0 * problem.edges.product(x), problem.cost)
    ]
    if not problem.complete:
        found = [pruned(problem, labels) for labels in found]
    return min(found, key=problem.total_cost)


def pruned(problem, labels):
    """Labels without the pairs that cost more than they save, half of them at a time, the dearest
    first: what stays may save again.
    """
    chosen = problem.candidates_of(labels)
    place = np.full(problem.n_candidates, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    both = (place[problem.a] >= 0) & (place[problem.b] >= 0)
    a, b, w = place[problem.a[both]], place[problem.b[both]], problem.edge_cost[both]
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
