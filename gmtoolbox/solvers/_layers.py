"""First matchings of problems with several layers: starts on the sums of the layers' matrices,
descents on all layers.
"""

from gmtoolbox.core.layers import Layers
from gmtoolbox.engine.registry import get_solver
from gmtoolbox.solvers._factors import QapFactors

STARTS = ("grampa", "convex")
CONVEX_SIDE = 2000  # nodes beyond which the convex start takes minutes


def merge_factors(problem):
    """Return the Factors of the problem with all layers of a side in one matrix; None if the edges
    are not Layers.
    """
    if not isinstance(problem.edges, Layers) or problem.dummies:
        return None
    return QapFactors(problem.changed(edges=problem.edges.merge()))


def first_of_layers(problem, budget, init, maxiter):
    """Return the best labels of descents from the starts of faq, and from init; they are recorded.
    If the edges are not Layers, return init.
    """
    if not isinstance(problem.edges, Layers) or problem.dummies:
        return init
    descend = get_solver("faq").function
    if init is not None:
        budget.record(cost=problem.total_cost(init), labels=init)
    for start in STARTS:
        if budget.expired() or start == "convex" and max(problem.shape) > CONVEX_SIDE:
            break
        descend(problem, budget, start=start, maxiter=min(maxiter, 50))
    best = budget.incumbent.labels
    return init if best is None else best
