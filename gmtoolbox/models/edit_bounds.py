"""Lower bounds on an edit distance that need no search: by labels, and by nodes with their edges.

With the offset and the costs c of an EditModel (models/edits.py), a matching x costs

    offset + sum c_is x_is + sum c_is,jt x_is x_jt

histogram_bound    nodes, edges and loops are assigned as cheaply as their labels allow, one
                   regardless of the other.
branch_bound       every pair of edges is paid by halves at its two ends. The edges at i and at s
                   are turned as cheaply as possible, regardless of the other ends:

                       offset + min_x sum (c_is + h_is / 2) x_is

                   where h_is <= 0 is the saving of the edges at i and s (Zheng, Zou, Lian, Wang
                   and Zhao, TKDE 2015; Blumenthal and Gamper, Information Systems 2020: BRANCH).
"""

from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import rounding_error
from gmtoolbox.engine.rounding import Lap


def histogram_bound(model):
    """Return a bound without any matching of nodes. It is lowered by the possible rounding errors,
    but not below 0: no cost is negative.
    """
    parts = ()
    if len(model.first) and len(model.second):
        parts = (model.unary, saved_by_edges(model), model.loops)
        parts = [np.minimum(part, 0.0) for part in parts]
    bound = model.offset + sum(least_assignment(part) for part in parts)
    return max(bound - bound_error(model, parts), 0.0)


def saved_by_edges(model):
    """Return `pairwise`, or a smaller table with the same least assignment."""
    if model.common_gain is None:
        return model.pairwise
    fewest = min(len(model.first.tail), len(model.second.tail))
    return np.array([[fewest * model.common_gain]])


def least_assignment(costs):
    """Return the least sum of entries with no two in one row or column; none is above 0."""
    if np.ndim(costs) == 0:
        return 0.0
    return sum_of(costs, best_labels(costs))


def best_labels(costs):
    """Return the column of each row in an assignment of least cost, -1 for none; no cost is above
    0.
    """
    n1, n2 = costs.shape
    rows, columns = np.nonzero(costs)
    if not len(rows):
        return np.full(n1, -1)
    start = np.searchsorted(rows, np.arange(n1 + 1))
    return Lap(n1, n2, start, columns).solve(costs[rows, columns]).astype(int)


def sum_of(costs, labels):
    """Return the cost of an assignment."""
    kept = np.flatnonzero(labels >= 0)
    return float(costs[kept, labels[kept]].sum())


def bound_error(model, parts):
    """Return how much rounding may have added to the least assignments of these tables and to the
    offset.
    """
    # The deletions and insertions in the entries of an assignment are all in the offset, and a
    # substitution that saves something costs less than they do. The duals of an assignment
    # are sums along paths of up to n rows and n columns, as in solvers/_bounds.py.
    if model.sums_are_exact:
        return 0.0
    terms = sum(len(graph.node) + len(graph.edge) for graph in (model.first, model.second))
    sizes = [min(part.shape) * -float(part.min(initial=0.0)) for part in parts if part.ndim]
    return rounding_error(3 * terms + 8, 2.0 * (model.offset + sum(sizes)))


def branch_bound(model):
    """Return (bound, labels of the assignment that gives it); the bound is lowered by the possible
    rounding errors, but not below 0.
    """
    if not (len(model.first) and len(model.second)):
        bound = model.offset - bound_error(model, ())
        return max(bound, 0.0), np.full(len(model.first), -1)
    costs = np.minimum(model.unary + model.loops + 0.5 * star_gains(model), 0.0)
    labels = best_labels(costs)
    bound = model.offset + sum_of(costs, labels)
    return max(bound - bound_error(model, (costs,)), 0.0), labels


def star_gains(model):
    """Return (n1, n2) lower bounds h_is on the savings of the edges at i and s that become each
    other.

    The edges at i and s that have equal labels are counted: no more than these save `least` each,
    the most that any edge saves, and the rest of the smaller side save `other`, the most that an
    edge with another label saves.
    """
    first, second = model.first, model.second
    kinds = [graph.distinct["bundle"][0] for graph in (first, second)]
    gains = model.gains
    least = float(gains.min(initial=0.0))
    differ = np.not_equal.outer(*kinds)
    other = float(gains[differ].min()) if np.any(differ) else least
    common = set(kinds[0]).intersection(kinds[1]) if least < other else ()
    total = 0.0
    for ends in ("tail", "head") if first.directed else ("both",):
        total = total + other * np.minimum.outer(*(count_edges(g, ends) for g in (first, second)))
        for kind in common:
            counts = (count_edges(graph, ends, kind) for graph in (first, second))
            total += (least - other) * np.minimum.outer(*counts)
    return total


def count_edges(graph, ends, kind=None):
    """Return how many edges (of this kind) each node is the tail, the head or any end of."""
    tail, head = graph.tail, graph.head
    if kind is not None:
        chosen = np.asarray(graph.bundle) == kind
        tail, head = tail[chosen], head[chosen]
    places = np.concatenate([tail, head]) if ends == "both" else tail if ends == "tail" else head
    return np.bincount(places, minlength=len(graph))
