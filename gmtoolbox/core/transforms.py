"""The needs of methods, and how the driver provides them.

Each transform returns a Lifted: the new problem with the ways of a matching back and forth. The
order is fixed: bijective, zero unaries, non-positive. The energy of a complete matching of the
transformed problem is the energy of the lifted matching.
"""

from dataclasses import replace
from math import fsum, inf, nextafter

from gmtoolbox.core.candidates import Dummies
from gmtoolbox.core.edges import MAX_EDGES, Listed, canonical_edges
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.values import Lifted, freeze

BIJECTIVE = "bijective"  # as many left as right nodes, every one matched
ZERO_UNARIES = "zero-unaries"  # unary costs moved into edges
NONPOSITIVE = "nonpositive"  # no positive cost
LEFT_COMPLETE = "left-complete"  # if complete, then n1 <= n2: every left node is matched

SECONDS_PER_EDGE = 3e-7  # of NONPOSITIVE, about
MOST_SECONDS_PER_EDGE = 1e-6  # of the same, at most
SECONDS_PER_IMPLICIT_EDGE = 1e-6  # of the same, if edges are not listed yet
SECONDS_PER_PARTNER = 4e-9  # of ZERO_UNARIES: for each candidate and node that may be its partner
HIDING = 1e4  # shared costs of this many times the scale of costs are moved to the offset
TINY = 1e-8  # the reference converter drops edges whose cost is at most this, after it changed any


# ---- bijective


def materialise(problem):
    """The problem with every candidate stored."""
    return problem.materialise()


def bijective(problem):
    """As many left as right nodes, every one matched.

    Not complete: left nodes n1+s (a copy of each label) and right nodes n2+i (a copy of each node)
    are added; leaving i or s free is matching it to its copy, and copies match each other freely.
    Complete: the smaller side gets as many free nodes as it lacks.
    """
    n1, n2 = problem.shape
    if problem.complete and n1 == n2:
        return recognise(problem)
    left, right, cost = problem.left, problem.right, problem.cost
    if problem.complete:
        n = max(n1, n2)
        corner = (n1, 0) if n1 < n2 else (0, n2)
    else:
        n = n1 + n2
        corner = (n1, n2)
        nodes, labels = np.arange(n1), np.arange(n2)
        left, right = (
            np.concatenate([left, nodes, n1 + labels]),
            np.concatenate([right, n2 + nodes, labels]),
        )
        cost = np.concatenate([cost, np.zeros(n)])
    view = Problem(
        (n, n), left, right, cost, edges=problem.edges.widen((n, n)),
        dummies=Dummies((n, n), *corner), sense=problem.sense, complete=True,
        offset=problem.offset, name=problem.name,
    )  # fmt: skip

    def lift(labels):
        labels = np.asarray(labels)[:n1]
        return np.where(labels < n2, labels, -1)

    def lower(labels):
        if not problem.complete:
            return match_copies(labels, n1, n2)
        forward = np.full(n, -1, dtype=np.int32)
        forward[:n1] = labels
        free = np.flatnonzero(forward < 0)
        forward[free] = np.setdiff1d(np.arange(n), forward)[: len(free)]
        return forward

    return Lifted(view, lift, lower)


def match_copies(labels, n1, n2):
    """A partial matching as a complete one of the n1+n2 extension."""
    forward = np.empty(n1 + n2, dtype=np.int32)
    forward[:n1] = labels
    forward[n1:] = np.arange(n2)
    matched, free = np.flatnonzero(forward[:n1] >= 0), np.flatnonzero(forward[:n1] < 0)
    forward[n1 + forward[matched]] = n2 + matched  # the copies of a matched pair match each other
    forward[free] = n2 + free
    return forward


def recognise(problem):
    """A square, complete problem. One that is the n1+n2 extension of a partial problem, as a file
    that was extended before it came to us, is solved like that problem: a pair that a method drops
    means two unmatched nodes.
    """
    sides = find_extended_sides(problem)
    if sides is None:
        return Lifted(problem)
    n1, n2 = sides
    real = (problem.left < n1) & (problem.right < n2)
    index = np.cumsum(real) - 1
    touched = np.concatenate([np.flatnonzero(problem.cost), problem.a, problem.b])
    view = problem  # if further transforms gave copies costs, these stay as they are
    if np.all(real[touched]):
        core = Problem(
            sides,
            problem.left[real],
            problem.right[real],
            problem.cost[real],
            index[problem.a],
            index[problem.b],
            problem.edge_cost,
            sense=problem.sense,
            offset=problem.offset,
            name=problem.name,
        )
        view = bijective(core).problem

    def lift(labels):
        if problem.is_complete_matching(labels):
            return labels
        labels = np.asarray(labels)[:n1]
        return match_copies(np.where(labels < n2, labels, -1), n1, n2)

    return Lifted(view, lift)


def find_extended_sides(problem):
    """Return (n1, n2) of the partial problem whose n1+n2 extension has these candidates, None if
    there is none.
    """
    n = problem.shape[0]
    if not isinstance(problem.edges, Listed) or problem.n_candidates == n * n:
        return None  # before left and right are looked at, which may be implicit and many
    left, right = problem.left, problem.right
    # the last left node, the copy of a label, goes with that label and all n1 copies of nodes
    n1 = int(np.count_nonzero(left == n - 1)) - 1
    n2 = n - n1
    if min(n1, n2) < 1 or not n1 + n2 + n1 * n2 < problem.n_candidates:
        return None
    of_node, of_label = (left < n1) & (right >= n2), (left >= n1) & (right < n2)
    counts = tuple(
        np.count_nonzero(copies) for copies in (of_node, of_label, (left >= n1) & (right >= n2))
    )
    own = np.all((right - left)[of_node] == n2) and np.all((left - right)[of_label] == n1)
    return (n1, n2) if own and counts == (n1, n2, n1 * n2) else None


# ---- zero unaries


def zero_unaries(problem):
    """Unary costs become edge costs: c(i,s) goes onto the edges between (i,s) and every label t !=
    s of one other node j, one of which is always chosen. j is the node that needs the fewest new
    edges, the first on ties.
    """
    if not np.any(problem.cost):
        return Lifted(problem)
    problem = problem.explicit()
    if problem.shape == (1, 1):  # no other node; the only pair is always chosen
        return Lifted(replace(problem, cost=[0.0], offset=problem.offset + problem.cost[0]))
    if is_padded_right(problem):
        return on_the_other_side(zero_unaries, problem)
    moved = np.flatnonzero(problem.cost)
    partner = cheapest_partner(problem, moved)
    if np.any(partner >= problem.dummies.row):
        # the partner is the copy of a label, whose candidates must be stored to have edges
        return zero_unaries(problem.materialise())
    position, second = problem.candidates_at(partner)
    first = moved[position]
    kept = problem.right[first] != problem.right[second]
    first, second = first[kept], second[kept]
    return Lifted(
        with_more_edges(problem, np.zeros(problem.n_candidates), first, second, problem.cost[first])
    )


def cheapest_partner(problem, moved, chunk=1000):
    """For each moved candidate (i,s) the node j != i with the fewest labels t != s that no edge
    joins to it yet.
    """
    n, N = problem.shape[0], problem.n_candidates
    row, col = problem.dummies.corner
    of_label = sparse.csr_array(
        (np.ones(N), (problem.right, problem.left)), shape=(problem.shape[1], n)
    )
    ends = np.concatenate([problem.a, problem.b]), np.concatenate([problem.b, problem.a])
    joined = sparse.csr_array(
        (np.ones(len(ends[0])), (ends[0], problem.left[ends[1]])), shape=(N, n)
    )
    degree = np.bincount(problem.left, minlength=n).astype(float)
    degree[row:] += problem.shape[1] - col
    partner = np.empty(len(moved), dtype=np.int64)
    for begin in range(0, len(moved), chunk):  # a dense (chunk, n) table at a time
        part = moved[begin : begin + chunk]
        new = degree - of_label[problem.right[part]].toarray() - joined[part].toarray()
        new[np.arange(len(part)), problem.left[part]] = np.inf
        if col == 0:  # every label is a label of the free rows
            new[:, row:] -= 1
        partner[begin : begin + chunk] = new.argmin(axis=1)
    return partner


# ---- non-positive


def nonpositive(problem):
    """No positive cost: each left node's largest positive unary cost is taken off all its
    candidates, each pair of left nodes' largest positive edge cost off all its pairs of candidates
    with different labels; both go to the offset. Positive edges between conflicting candidates,
    which no matching pays, are dropped.
    """
    if is_nonpositive(problem):
        return Lifted(problem)
    problem = problem.explicit()
    positive = problem.edge_cost > 0
    if is_padded_right(problem):
        return on_the_other_side(nonpositive, problem)
    i, j = problem.left[problem.a], problem.left[problem.b]
    conflict = (i == j) | (problem.right[problem.a] == problem.right[problem.b])
    n = problem.shape[0]
    M1 = np.zeros(n)
    np.maximum.at(M1, problem.left, problem.cost)

    paid = np.flatnonzero(positive & ~conflict)
    key = np.minimum(i[paid], j[paid]).astype(np.int64) * n + np.maximum(i[paid], j[paid])
    pairs, pair_of = np.unique(key, return_inverse=True)
    M2 = np.zeros(len(pairs))
    np.maximum.at(M2, pair_of, problem.edge_cost[paid])

    pair, first = problem.candidates_at(pairs // n)
    position, second = problem.candidates_at(pairs[pair] % n)
    first, pair = first[position], pair[position]
    kept = problem.right[first] != problem.right[second]
    first, second, pair = first[kept], second[kept], pair[kept]
    dropped = positive & conflict
    if np.any(dropped):
        problem = replace(
            problem,
            a=problem.a[~dropped],
            b=problem.b[~dropped],
            edge_cost=problem.edge_cost[~dropped],
        )
    offset = problem.offset + M1.sum() + M2.sum()
    return Lifted(
        with_more_edges(problem, problem.cost - M1[problem.left], first, second, -M2[pair], offset)
    )


def is_nonpositive(problem):
    """Return True if surely no cost is positive."""
    return problem.edges.nonpositive and problem.cost.max(initial=0.0) <= 0


# ---- parts of both


def with_more_edges(problem, cost, first, second, edge_cost, offset=None):
    """The problem with these unary costs and further edges; equal pairs add up, tiny sums are
    dropped.
    """
    a, b, summed = canonical_edges(
        np.concatenate([problem.a, first.astype(np.int32)]),
        np.concatenate([problem.b, second.astype(np.int32)]),
        np.concatenate([problem.edge_cost, edge_cost]),
        problem.n_candidates,
    )
    kept = np.abs(summed) > TINY
    return replace(
        problem,
        cost=cost,
        a=a[kept],
        b=b[kept],
        edge_cost=summed[kept],
        offset=problem.offset if offset is None else offset,
    )


def is_padded_right(problem):
    """Whether free labels serve every left node: then a transform works from the right side, which
    has no free nodes.
    """
    return problem.dummies.row == 0


def on_the_other_side(transform, problem):
    """A transform applied with left and right exchanged, and exchanged back."""
    return Lifted(swap(transform(swap(problem).problem).problem).problem)


# ---- left-complete


def swap(problem):
    """The same problem with left and right exchanged.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    Lifted
        With `problem`, `lift(labels)` and `lower(labels)`.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> other = gm.reductions.swap(gm.Problem((1, 2), [0, 0], [0, 1], [2.0, -3.0]))
    >>> other.problem.shape, other.lift([-1, 0]).tolist(), other.lower([1]).tolist()
    ((2, 1), [1], [-1, 0])
    """
    n1, n2 = problem.shape
    exchanged = {
        "shape": (n2, n1), "left": problem.right, "right": problem.left,
        "edges": problem.edges.swap_sides(), "dummies": problem.dummies.swap_sides(),
        "points1": problem.points2, "points2": problem.points1,
        "neighbours1": problem.neighbours2, "neighbours2": problem.neighbours1,
        "nodes1": problem.nodes2, "nodes2": problem.nodes1, "ground_truth": None,
    }  # fmt: skip
    return Lifted(
        replace(problem, **exchanged),
        lambda labels: inverse(labels, n1),
        lambda labels: inverse(labels, n2),
    )


def inverse(labels, n):
    """The matching read from the other side, which has n nodes."""
    back = np.full(n, -1, dtype=np.int32)
    nodes = np.flatnonzero(np.asarray(labels) >= 0)
    back[np.asarray(labels)[nodes]] = nodes
    return back


def left_complete(problem):
    """Return a complete problem with n1 <= n2, sides exchanged if needed; others unchanged."""
    n1, n2 = problem.shape
    return swap(problem) if problem.complete and n1 > n2 else Lifted(problem)


# ---- all of them

TRANSFORMS = {  # in the order of application
    LEFT_COMPLETE: left_complete,
    BIJECTIVE: bijective,
    ZERO_UNARIES: zero_unaries,
    NONPOSITIVE: nonpositive,
}


def transform_seconds(problem, needs):
    """About how long prepare takes: NONPOSITIVE changes every listed edge if a cost is positive,
    ZERO_UNARIES looks at every candidate with every node.
    """
    if not isinstance(problem.edges, Listed):
        return 0.0
    nodes = sum(problem.shape) if not problem.complete else max(problem.shape)
    partners = problem.n_candidates * nodes if ZERO_UNARIES in needs else 0
    edges = problem.n_edges if NONPOSITIVE in needs and not is_nonpositive(problem) else 0
    return SECONDS_PER_EDGE * edges + SECONDS_PER_PARTNER * partners


def longest_transform_seconds(problem, needs):
    """At most how long prepare takes: ZERO_UNARIES may add an edge for each candidate and node,
    NONPOSITIVE lists edges that are not.
    """
    if NONPOSITIVE not in needs or problem.n_edges > MAX_EDGES:
        return transform_seconds(problem, needs)
    if not isinstance(problem.edges, Listed):
        return SECONDS_PER_IMPLICIT_EDGE * problem.n_edges
    partners = transform_seconds(problem, {ZERO_UNARIES} & set(needs)) / SECONDS_PER_PARTNER
    return MOST_SECONDS_PER_EDGE * (problem.n_edges + partners)


def prepare(problem, needs):
    """Apply the declared needs of a method, in the fixed order."""
    prepared = Lifted(problem)
    for need, transform in TRANSFORMS.items():
        if need in needs:
            prepared = prepared.then(transform(prepared.problem))
    return prepared


# ---- shared costs
#
# Costs that all matchings share, if these hide the others.
# A constant in all costs of a node, or of a label, is paid by every complete matching. With a
# constant of 1e9 a cost of 1 has half of its digits left in every sum. So the constants go to the
# offset, if that takes no digit of any cost: all differences must be exact. A reward on every match
# is such a constant, too: if every match pays for itself, whatever else is matched, some optimal
# matching is complete.


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
    offset = round_down([problem.offset, *shared])
    made = problem.changed(cost=freeze(cost), offset=offset, complete=True)
    # whether a gap is closed does not depend on how it is solved
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


def round_down(terms):
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
