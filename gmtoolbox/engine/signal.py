"""How far a matching stands out from the noise of a dense problem: which methods suit it depends on
it.

Let Z be the cost of a random matching. If the costs were independent random numbers, the least cost
of M matchings would be about sqrt(2 ln M) standard deviations of Z below its mean (the minimum of M
normal variables; correlations between matchings only make it less). So

    signal = (mean(Z) - c) / (sd(Z) sqrt(2 ln M)),

where c is the cost of a matching that a few steps of Frank-Wolfe find, is at most about 1 if the
problem has no structure, and larger if many of its costs agree on one matching.
"""

import math

from gmtoolbox.core.edges import Listed
from gmtoolbox.core.lazy import np, optimize

STEPS = 12  # of Frank-Wolfe
LEAST = 0.1  # signals are compared by their ratio
MOST_EDGES = 4_000_000  # milliseconds per million


def signal_of(problem):
    """Return the signal of a problem, None if it is too large, or has not all pairs as candidates
    and a list of edges.
    """
    n1, n2 = problem.shape
    is_full = problem.complete and problem.n_candidates == n1 * n2 and min(n1, n2) > 1
    is_listed = isinstance(problem.edges, Listed) and 0 < problem.n_edges <= MOST_EDGES
    if not (is_full and is_listed):
        return None
    mean, deviation = random_cost(problem)
    if not 0 < deviation < math.inf:
        return None
    small, large = sorted(problem.shape)
    matchings = math.lgamma(large + 1) - math.lgamma(large - small + 1)  # ln of their number
    found = (mean - quick_cost(problem)) / (deviation * math.sqrt(2 * matchings))
    return max(found, LEAST)


def random_cost(problem):
    """Return the mean of the cost of a random matching, and its standard deviation as if the costs
    in it were independent.
    """
    n1, n2 = problem.shape
    small = min(n1, n2)
    pairs, drawn = n1 * (n1 - 1) * n2 * (n2 - 1) / 2, small * (small - 1) / 2
    edges, left, right = problem.edges, problem.left, problem.right
    is_free = (left[edges.a] != left[edges.b]) & (right[edges.a] != right[edges.b])
    pairwise, unary = edges.cost[is_free], problem.cost
    mean = float(pairwise.sum()) / pairs
    variance = drawn * (float(pairwise @ pairwise) / pairs - mean**2) + small * unary.var()
    return drawn * mean + small * float(unary.mean()), math.sqrt(max(variance, 0.0))


def quick_cost(problem):
    """Return the least cost, without the offset, of the matchings that some steps of Frank-Wolfe
    with step lengths 1/2, 1/3, ... find.
    """
    m, best = problem.n_candidates, math.inf
    x = np.full(m, 1.0 / max(problem.shape))
    for step in range(STEPS):
        table = np.empty(problem.shape)
        table[problem.left, problem.right] = problem.cost + problem.edges.product(x)
        rows, columns = optimize.linear_sum_assignment(table)
        labels = np.full(problem.shape[0], -1, dtype=np.int32)
        labels[rows] = columns
        best = min(best, problem.total_cost(labels) - problem.offset)
        vertex = (labels[problem.left] == problem.right).astype(float)
        x += (vertex - x) / (step + 2)
    return best
