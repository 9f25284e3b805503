"""What a method needs of its input, and how the driver provides it.

Each transform returns the new problem, a lift (labels back to the original) and a lower (labels
forward, for warm starts). The order is fixed: bijective, zero unaries, non-positive.
"""

from dataclasses import dataclass

from gmtoolbox.lazy import np
from gmtoolbox.problem import Problem

BIJECTIVE = "bijective"  # as many left as right nodes, every one matched
ZERO_UNARIES = "zero-unaries"  # unary costs moved into edges
NONPOSITIVE = "nonpositive"  # no positive cost
LEFT_COMPLETE = "left-complete"  # if complete, then n1 <= n2: every left node is matched


@dataclass(frozen=True)
class Prepared:
    """A transformed problem with the two label maps between it and the original."""

    problem: object
    lift: object = staticmethod(lambda labels: labels)
    lower: object = staticmethod(lambda labels: labels)


def swap(problem):
    """The same problem with left and right exchanged."""
    n1, n2 = problem.shape
    swapped = Problem(
        (n2, n1), problem.right, problem.left, problem.cost, problem.a, problem.b, problem.edge_cost,
        sense=problem.sense, complete=problem.complete, offset=problem.offset,
        points1=problem.points2, points2=problem.points1,
        neighbours1=problem.neighbours2, neighbours2=problem.neighbours1, name=problem.name,
    )  # fmt: skip
    return Prepared(swapped, lambda labels: inverse(labels, n1), lambda labels: inverse(labels, n2))


def inverse(labels, n):
    """The matching read from the other side, which has n nodes."""
    back = np.full(n, -1, dtype=np.int32)
    nodes = np.flatnonzero(np.asarray(labels) >= 0)
    back[np.asarray(labels)[nodes]] = nodes
    return back


def left_complete(problem):
    n1, n2 = problem.shape
    return swap(problem) if problem.complete and n1 > n2 else Prepared(problem)


TRANSFORMS = {LEFT_COMPLETE: left_complete}  # in the order of application


def prepare(problem, needs):
    """Apply what a method declares to need, in the fixed order."""
    prepared = Prepared(problem)
    for need, transform in TRANSFORMS.items():
        if need in needs:
            prepared = compose(prepared, transform(prepared.problem))
    return prepared


def compose(first, second):
    return Prepared(second.problem, lambda labels: first.lift(second.lift(labels)), lambda labels: second.lower(first.lower(labels)))
