"""Incumbent: the best matching of a solve and its cost, which are replaced together or not at all.

A cost without its labels proves nothing: who ends a search on it has no answer to return. So a
Budget takes a matching for found only with its labels, every part of a portfolio reads cost and
labels from the Budget's one Incumbent, and the answer is the Incumbent where a method returns less.
"""

import math

from gmtoolbox.core.lazy import np


class Incumbent:
    """Labels and the cost that they reach; no labels and an infinite cost before the first."""

    __slots__ = ("cost", "labels")

    def __init__(self, labels=None, cost=math.inf):
        self.labels, self.cost = labels, cost

    def offer(self, labels, cost):
        """Keep a copy of cheaper labels; return whether they are."""
        if labels is None or not cost < self.cost:
            return False
        self.labels, self.cost = np.array(labels, dtype=np.int32), float(cost)
        return True


def best_labels(problem, labels, incumbent):
    """Return the cheaper matching of the labels (None: none) and the incumbent's; in a complete
    problem a complete matching comes before any other.
    """
    if incumbent.labels is None or labels is None:
        return incumbent.labels if labels is None else labels
    if np.array_equal(labels, incumbent.labels):
        return labels

    def rank(matching):
        is_partial = problem.complete and not problem.is_complete_matching(matching)
        return is_partial, problem.total_cost(matching)

    return min(labels, incumbent.labels, key=rank)  # the labels themselves where both are equal
