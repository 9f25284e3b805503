"""Problems with some pairs fixed or forbidden: the remaining problem, and its lift.

A fixed pair leaves the problem together with its two nodes. Its cost goes to the offset; its cost
together with another candidate goes to that candidate. So every matching of the new problem costs
as much as the lifted one in the old problem.
"""

from gmtoolbox.core.candidates import sort_candidates
from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import Lifted, as_array, check_index, freeze


def fix(problem, pairs):
    """See Problem.fix."""
    problem = problem.materialise()
    left, right = check_pairs(problem, pairs, least=-1)
    if np.any((left < 0) & (right < 0)):
        raise InputError("pairs must name a node on one side at least, got (-1, -1)")
    gone1, gone2 = left[left >= 0], right[right >= 0]
    for side, gone in (("left", gone1), ("right", gone2)):
        if len(np.unique(gone)) != len(gone):
            raise InputError(f"pairs must be one-to-one, but a {side} node is fixed twice")
    matched = (left >= 0) & (right >= 0)
    check_free(problem, np.count_nonzero(right < 0), np.count_nonzero(left < 0))
    labels = np.full(problem.shape[0], -1, dtype=np.int64)
    labels[left[matched]] = right[matched]
    offset = problem.total_cost(labels)
    nodes1 = np.setdiff1d(np.arange(problem.shape[0]), gone1)
    nodes2 = np.setdiff1d(np.arange(problem.shape[1]), gone2)
    if len(nodes1) and len(nodes2) and can_shrink(problem.candidates, left, right):
        candidates = problem.candidates.without(gone1, gone2)
        cost = np.zeros(len(candidates))
        if np.any(problem.cost):
            old = nodes1[candidates.left], nodes2[candidates.right]
            cost = problem.cost[problem.candidates.index(*old)]
    else:
        kept = np.isin(problem.left, nodes1) & np.isin(problem.right, nodes2)
        candidates, cost = restrict(problem, nodes1, nodes2, kept)
    if candidates is not None:
        *pairs, paid = problem.edges.list_partners(labels)
        place1, place2 = places(problem, nodes1, nodes2)
        i, s = place1[pairs[0]], place2[pairs[1]]
        stay = np.flatnonzero((i >= 0) & (s >= 0))
        cost[candidates.index(i[stay], s[stay])] += paid[stay]
    return take_remaining(problem, nodes1, nodes2, candidates, cost, offset, labels)


def forbid(problem, pairs):
    """See Problem.forbid."""
    problem = problem.materialise()
    left, right = check_pairs(problem, pairs)
    found = problem.candidates.index(left, right)
    kept = np.ones(problem.n_candidates, dtype=bool)
    kept[found[found >= 0]] = False
    nodes1, nodes2 = map(np.arange, problem.shape)
    labels = np.full(problem.shape[0], -1, dtype=np.int64)
    candidates, cost = restrict(problem, nodes1, nodes2, kept)
    return take_remaining(problem, nodes1, nodes2, candidates, cost, problem.offset, labels)


def check_free(problem, free1, free2):
    """InfeasibleError if a complete problem cannot have that many of its nodes free."""
    n1, n2 = problem.shape
    of_smaller, of_larger = (free1, free2) if n1 <= n2 else (free2, free1)
    if problem.complete and (of_smaller or (of_larger > abs(n1 - n2))):
        raise InfeasibleError(
            f"complete=True asks for {min(n1, n2)} matched pairs: at most {abs(n1 - n2)} nodes of"
            f" the larger side can stay free, got {free1} left and {free2} right ones"
        )


def can_shrink(candidates, left, right):
    """Return whether the candidates without these nodes are all pairs of free nodes again: the
    label of a seed that stays free itself must not become anybody's.
    """
    if not isinstance(candidates, FreePairs):
        return False
    free1, free2 = left[right < 0], right[left < 0]
    return np.all(np.isin(free1, candidates.nodes)) and np.all(np.isin(free2, candidates.labels))


def check_pairs(problem, pairs, least=0):
    """(left, right) of a list of pairs of nodes, which are at least `least`."""
    pairs = as_array("pairs", pairs)
    if pairs.size == 0:
        pairs = np.empty((0, 2), dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InputError(f"pairs must be a list of (left, right), got shape {pairs.shape}")
    return [
        check_index(f"the {side} nodes of pairs", column, n, least).astype(np.int64)
        for side, column, n in zip(("left", "right"), pairs.T, problem.shape, strict=True)
    ]


def places(problem, nodes1, nodes2):
    """Return new numbers of the nodes that stay, -1 of the others; label -1 stays -1."""
    n1, n2 = problem.shape
    place1, place2 = np.full(n1, -1, dtype=np.int64), np.full(n2 + 1, -1, dtype=np.int64)
    place1[nodes1], place2[nodes2] = np.arange(len(nodes1)), np.arange(len(nodes2))
    return place1, place2


def restrict(problem, nodes1, nodes2, kept):
    """(candidates in the new numbers, their costs) of the kept ones; (None, None): none is."""
    if not np.any(kept):
        return None, None
    place1, place2 = places(problem, nodes1, nodes2)
    left, right = place1[problem.left[kept]], place2[problem.right[kept]]
    candidates, _ = sort_candidates((len(nodes1), len(nodes2)), left, right)
    return candidates, problem.cost[kept]


def take_remaining(problem, nodes1, nodes2, candidates, cost, offset, labels):
    """Return the problem of candidates of some of the nodes, in their new numbers (see restrict),
    with their costs; labels hold the fixed pairs.

    A Problem has at least one candidate. If none remains, one of cost 0 is added, which the
    lift drops.
    """
    place1, place2 = places(problem, nodes1, nodes2)
    nothing = candidates is None
    if nothing and problem.complete and len(nodes1) and len(nodes2):
        raise InfeasibleError("no allowed pair is left, but complete=True asks for more of them")
    if nothing:
        made = type(problem)(
            (max(len(nodes1), 1), max(len(nodes2), 1)), [0], [0], [0.0], sense=problem.sense,
            complete=problem.complete, offset=offset, name=problem.name,
        )  # fmt: skip
    else:
        made = type(problem)(
            candidates.shape, None, None, None,
            edges=problem.edges.among(candidates, nodes1, nodes2), sense=problem.sense,
            complete=problem.complete, offset=offset, name=problem.name, origin=problem.origin,
            **restrict_nodes(problem, nodes1, nodes2, place1, place2),
        ).changed(cost=freeze(cost))  # fmt: skip

    def lift(new):
        lifted = labels.copy()
        new = np.asarray(new)
        if not nothing:
            lifted[nodes1] = np.where(new >= 0, nodes2[new], -1)
        return lifted

    def lower(old):
        if nothing:
            return np.full(made.shape[0], -1, dtype=np.int64)
        new = place2[np.asarray(old)[nodes1]]
        allowed = made.candidates.allows(np.arange(len(new)), np.maximum(new, 0))
        return np.where((new >= 0) & allowed, new, -1)

    return Lifted(made, lift, lower)


def restrict_nodes(problem, nodes1, nodes2, place1, place2):
    """Return the fields of a problem that describe nodes, for the nodes that stay."""
    found = {}
    for side, nodes, place in ((1, nodes1, place1), (2, nodes2, place2)):
        points, neighbours, names = (
            getattr(problem, f"{field}{side}") for field in ("points", "neighbours", "nodes")
        )
        if points is not None:
            found[f"points{side}"] = points[nodes]
        if neighbours is not None:
            pairs = place[neighbours]
            found[f"neighbours{side}"] = pairs[np.all(pairs >= 0, axis=1)]
        if names is not None:
            found[f"nodes{side}"] = [names[node] for node in nodes]
    if problem.ground_truth is not None:
        found["ground_truth"] = place2[problem.ground_truth[nodes1]]
    return found
