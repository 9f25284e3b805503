"""Pairs that are known to be correct from the start.

A seeded node keeps that one candidate, and no other node may use its label. In a complete problem
this alone makes the pair part of every matching. In a partial one its unary cost is lowered until
adding the pair to any matching pays, and the offset raised by the same, so that values stay true
for every matching that has the seeds; those of others, which gm_solve(n_best=) may list, lack the
reward. To take pairs out of a problem instead, see Problem.fix.
"""

from collections.abc import Mapping
from dataclasses import replace

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_array

MOST_LISTED = 10**6  # edges that are written out to find the largest


def check_seeds(seeds, shape, name="seeds"):
    """(left, right) of one-to-one pairs; name: of the argument, for messages."""
    pairs = as_array(name, list(seeds.items()) if isinstance(seeds, Mapping) else seeds)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise InputError(f"{name} must be (m, 2) pairs of indices, got shape {pairs.shape}")
    for side, column, n in zip(("left", "right"), pairs.T, shape, strict=True):
        if len(column) and not 0 <= column.min() <= column.max() < n:
            raise InputError(f"{name} must have {side} nodes in 0..{n - 1}")
        if len(np.unique(column)) != len(column):
            raise InputError(f"{name} must be one-to-one, but a {side} node is in two of them")
    return pairs.astype(np.int64).T


def mask_beside(seeds, allowed):
    """allowed, an (n1, n2) mask, with nothing but the seeds for their nodes and labels."""
    nodes, labels = check_seeds(seeds, allowed.shape)
    if not np.all(allowed[nodes, labels]):
        raise InputError("seeds must be pairs that node_match and similarity allow")
    allowed[nodes], allowed[:, labels] = False, False
    allowed[nodes, labels] = True
    return allowed


def allow_with(seeds, left, right, shape):
    """The candidates (sorted by left node) that go with the seeds, the seeds among them."""
    if seeds is None:
        return left, right
    nodes, labels = check_seeds(seeds, shape)
    kept = ~np.isin(left, nodes) & ~np.isin(right, labels)
    left, right = np.concatenate([left[kept], nodes]), np.concatenate([right[kept], labels])
    order = np.lexsort((right, left))
    return left[order], right[order]


def seed_problem(problem, seeds):
    """The problem in which the seeds are part of every best matching; see the head of this file."""
    nodes, labels = check_seeds(seeds, problem.shape)
    if problem.complete or not len(nodes):
        return problem
    wanted = np.full(problem.shape[0], -1)
    wanted[nodes] = labels
    chosen = problem.candidates_of(wanted)
    dear = np.zeros(problem.n_candidates)
    if not problem.edges.nonpositive:
        listed = problem.explicit()
        for ends, costs in ((listed.a, listed.edge_cost), (listed.b, listed.edge_cost)):
            np.add.at(dear, ends, np.maximum(costs, 0.0))
    loss = np.maximum(problem.cost[chosen] + dear[chosen], 0.0)  # at most, whatever else is matched
    shift = loss + (largest_cost(problem) or 1.0)
    cost = problem.cost.copy()
    cost[chosen] -= shift
    return replace(problem, cost=cost, offset=problem.offset + float(shift.sum()))


def largest_cost(problem):
    """Return a number that is not below any cost of a pair or of two pairs. If edges can be listed
    in little time, it is the largest cost: values lose digits to rewards that are larger.
    """
    pairs = problem.edges.largest
    if problem.n_edges <= MOST_LISTED:
        pairs = np.abs(problem.explicit().edge_cost).max(initial=0.0)
    return np.abs(problem.cost).max(initial=0.0) + pairs
