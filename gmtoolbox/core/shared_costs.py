"""Problems without the costs that all matchings share, if these hide the others.

A constant in all costs of a node, or of a label, is paid by every complete matching. With a
constant of 1e9 a cost of 1 has half of its digits left in every sum. So the constants go to the
offset, if that takes no digit of any cost: all differences must be exact. A reward on every match
is such a constant, too: if every match pays for itself, whatever else is matched, some optimal
matching is complete.
"""

from math import fsum, inf, nextafter

from gmtoolbox.core.edges import Listed
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import frozen

HIDING = 1e4  # constants of this many times what matchings differ in


def without_shared_costs(problem):
    """Return the problem with shared costs in its offset, if they are large; else the problem."""
    scale = 1e9 * problem.tolerance
    cost = problem.cost
    if not scale > 0.0 or max(-cost.min(), cost.max()) <= HIDING * scale:
        return problem
    if not (problem.complete or every_match_pays(problem)):
        return problem
    n1, n2 = problem.shape
    sides = [  # of which all nodes are matched
        (node, n, axis)
        for node, n, others, axis in ((problem.left, n1, n2, 0), (problem.right, n2, n1, 1))
        if n <= others
    ]
    # The second side has its least costs after the first, which changes them by that much at most
    found = [np.abs(least_costs(problem, cost, *side)).max() for side in sides]
    if sum(found) <= HIDING * scale:
        return problem
    shared = []
    for node, n, axis in sides:
        least = least_costs(problem, cost, node, n, axis)
        rest = cost - least[node]
        exact = np.ones(n, dtype=bool)
        np.logical_and.at(exact, node, is_difference(cost, least[node], rest))
        least[~exact] = 0.0
        cost = cost - least[node]
        shared += least.tolist()
    if not np.abs(shared).max(initial=0.0) > HIDING * scale:
        return problem
    offset = rounded_down([problem.offset, *shared])
    made = problem.changed(cost=frozen(cost), offset=offset, complete=True)
    # what counts as closed does not depend on how it is solved
    made.__dict__["tolerance"] = min(problem.tolerance, made.tolerance)
    return made


def least_costs(problem, cost, node, n, axis):
    """Return the least cost of each of the n nodes of a side, 0 without candidates."""
    n1, n2 = problem.shape
    if problem.n_candidates == n1 * n2:  # column by column
        return cost.reshape(n2, n1).min(axis=axis)
    least = np.full(n, np.inf)
    np.minimum.at(least, node, cost)
    least[np.isinf(least)] = 0.0
    return least


def rounded_down(terms):
    """Return the sum of some numbers, or the next double below: bounds stay bounds."""
    total = fsum(terms)
    return nextafter(total, -inf) if fsum([*terms, -total]) < 0.0 else total


def every_match_pays(problem):
    """Return whether adding a pair to a matching never makes it dearer, and can always be done."""
    n1, n2 = problem.shape
    if problem.n_candidates < n1 * n2 or not isinstance(problem.edges, Listed):
        return False
    most = problem.cost.copy()
    paid = np.maximum(problem.edge_cost, 0.0)
    np.add.at(most, problem.a, paid)
    np.add.at(most, problem.b, paid)
    return bool(most.max() < 0.0)


def is_difference(x, y, z):
    """Return whether z is x - y without rounding, for each entry (Knuth's TwoSum)."""
    part = z - x
    return (x - (z - part)) + (-y - part) == 0.0
