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
    where every candidate of a node weighs the same. O(candidates + edges) and one assignment.
    """
    n1 = problem.shape[0]
    x = 1.0 / np.bincount(problem.left, minlength=n1)[problem.left]
    gradient = problem.cost + 2.0 * problem.edges.product(x)
    lap, order = candidate_lap(problem)
    labels = lap.solve(gradient[order], complete=problem.complete)
    if not problem.complete and problem.total_cost(labels) > problem.offset:
        labels[:] = -1  # nothing matched costs less
    return np.array(labels, dtype=np.int32)
