"""Problems without pair costs: one linear assignment, proven by its duals (C kernel linear)."""

from gmtoolbox.core._ffi import lib
from gmtoolbox.core.edges import Listed
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import freeze
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.registry import Outcome


def is_linear(problem):
    """Return whether no matching pays anything for pairs: there are no edges, all cost 0, or all
    join candidates of one node or one label.
    """
    edges = problem.edges
    if problem.dummies:
        return False
    if not isinstance(edges, Listed):
        return len(edges) == 0
    if len(edges) == 0 or not edges.cost.any():
        return True
    return lib.gm_count_conflicts(problem.c_model[0]) == len(edges)


def solve_linear(problem, budget):
    """Return the Outcome of the cheapest assignment; see cext/src/assignment/linear.c."""
    if isinstance(problem.candidates, FreePairs) and not problem.cost.any():
        return any_matching(problem, budget)
    nothing = [freeze(np.empty(0, kind)) for kind in (np.int32, np.int32, np.float64)]
    bare = problem.changed(edges=Listed(problem.candidates, *nothing))
    return run_kernel("linear", bare, budget)


def any_matching(problem, budget):
    """Return the Outcome of a matching of all nodes that can be matched, if none costs
    anything.
    """
    pairs = problem.candidates
    labels, k = pairs.label_of.copy(), min(len(pairs.nodes), len(pairs.labels))
    labels[pairs.nodes[:k]] = pairs.labels[:k]
    budget.record(cost=problem.offset, bound=problem.offset, labels=labels)
    return Outcome(labels=labels, bound=problem.offset, n_iter=1)
