"""Tracks: the nodes of many graphs, grouped so that a group has at most one node of each graph.

A list of d integer arrays holds the track number of every node of every graph. Numbers are names
only; `canonical` numbers them by first appearance, so that equal partitions are equal arrays.
"""

from itertools import combinations, permutations

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import csgraph, np, sparse
from gmtoolbox.core.values import as_array, as_list


def check_tracks(tracks, sizes):
    """tracks as d int arrays of the given sizes; a node without a track (-1) gets its own."""
    tracks = [as_array(f"tracks[{g}]", own) for g, own in enumerate(as_list("tracks", tracks))]
    if len(tracks) != len(sizes):
        raise InputError(f"tracks must have one array per graph, {len(sizes)}, got {len(tracks)}")
    for g, (own, size) in enumerate(zip(tracks, sizes, strict=True)):
        if own.shape != (size,) or not (own.size == 0 or np.issubdtype(own.dtype, np.integer)):
            raise InputError(
                f"tracks[{g}] must be {size} integers, got shape {own.shape} of {own.dtype}"
            )
        known = own[own >= 0]
        if own.min(initial=0) < -1:
            raise InputError(f"tracks[{g}] must be -1 or more, got {own.min()}")
        if own.max(initial=0) >= 2**31:
            raise InputError(f"tracks[{g}] must be below 2**31, got {own.max()}")
        if len(np.unique(known)) != len(known):
            values, counts = np.unique(known, return_counts=True)
            raise InputError(
                f"a track has at most one node of each graph, track {values[counts > 1][0]} has"
                f" {counts.max()} of graph {g}"
            )
    flat = np.concatenate(tracks).astype(np.int64)
    alone = np.flatnonzero(flat < 0)
    flat[alone] = flat.max(initial=-1) + 1 + np.arange(len(alone))
    return split_by_graph(canonical(flat), sizes)


def canonical(flat):
    """The same groups, numbered 0, 1, ... by first appearance."""
    _, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first), dtype=np.int32)
    return rank[inverse.ravel()]


def split_by_graph(flat, sizes):
    """One array per graph."""
    return np.split(np.asarray(flat, dtype=np.int32), np.cumsum(sizes)[:-1])


def labels_between(tracks, g, h):
    """Return the node of graph h in the track of each node of graph g, -1 if there is none."""
    first, second = np.asarray(tracks[g]), np.asarray(tracks[h])
    top = max(first.max(initial=-1), second.max(initial=-1)) + 1
    node = np.full(top, -1, dtype=np.int32)
    node[second[second >= 0]] = np.flatnonzero(second >= 0)
    return np.where(first >= 0, node[first], -1).astype(np.int32)


def labels_of_pairs(tracks, pairs):
    """Yield labels_between(tracks, g, h) of many pairs (g, h), for tracks as check_tracks returns
    them.
    """
    n_tracks = max((int(own.max(initial=-1)) for own in tracks), default=-1) + 1
    node = np.full((len(tracks), n_tracks), -1, dtype=np.int32)  # of each graph, in each track
    for g, own in enumerate(tracks):
        node[g, own] = np.arange(len(own))
    for g, h in pairs:
        yield node[h, tracks[g]]


def cliques_of(tracks):
    """[{graph: node, ...}, ...]: the members of every track, in the order of their numbers."""
    cliques = [{} for _ in range(max((int(own.max(initial=-1)) for own in tracks), default=-1) + 1)]
    for g, own in enumerate(tracks):
        for i, track in enumerate(own.tolist()):
            cliques[track][g] = i
    return cliques


def links(answer, truth):
    """Return (labels, true labels) of the nodes of every two graphs g < h, one after the other.

    answer: a MultiResult; truth: d int arrays, or a MultiProblem that has them.
    """
    truth = getattr(truth, "truth", truth)
    if truth is None:
        raise InputError("the problem has no truth")
    tracks = answer.tracks
    if len(truth) != len(tracks) or [len(own) for own in truth] != [len(own) for own in tracks]:
        raise InputError(
            f"truth must have the sizes of the graphs, {[len(own) for own in tracks]}, got"
            f" {[len(own) for own in truth]}"
        )
    pairs = list(combinations(range(len(tracks)), 2))
    found, true = (
        np.concatenate([labels_between(groups, g, h) for g, h in pairs])
        for groups in (tracks, check_tracks(truth, [len(own) for own in truth]))
    )
    return found.tolist(), true.tolist()


def track_f1(tracks, truth):
    """F1 of the matched pairs of nodes: 2 hits / (matched + true pairs), over all pairs of graphs.

    Parameters
    ----------
    tracks : d int arrays
        The track of every node.
    truth : d int arrays
        Its true track, -1 for a node that belongs to none (clutter).

    Returns
    -------
    float
        1 for the truth itself; nan if nothing is matched and nothing should be.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.track_f1([[0, 1], [0, 2], [0, 1]], [[0, 1], [0, 1], [0, 1]])
    0.8
    """
    tracks = as_list("tracks", tracks)
    tracks = check_tracks(tracks, [np.size(own) for own in tracks])
    truth = check_tracks(truth, [len(own) for own in tracks])
    flat, right = np.concatenate(tracks), np.concatenate(truth)
    both = canonical(flat.astype(np.int64) * (int(right.max(initial=0)) + 1) + right)
    hits, matched, true = (pairs_within(groups) for groups in (both, flat, right))
    return 2.0 * hits / (matched + true) if matched + true else float("nan")


def pairs_within(groups):
    """How many pairs of nodes are in one group."""
    counts = np.bincount(groups)
    return int((counts * (counts - 1) // 2).sum())


def flat_matches(matchings, sizes):
    """(first, second): both ends of every match of {(g, h): labels}, nodes numbered through all
    graphs.
    """
    base = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for (g, h), labels in matchings.items():
        nodes = np.flatnonzero(labels >= 0)
        first.append(base[g] + nodes)
        second.append(base[h] + labels[nodes])
    return np.concatenate(first), np.concatenate(second)


def connect_groups(first, second, n):
    """Return the group of each of n nodes; first[k] and second[k] are in one group."""
    joined = (np.ones(len(first), dtype=np.int8), (first, second))
    graph = sparse.coo_array(joined, shape=(n, n))
    return csgraph.connected_components(graph, directed=False)[1]


def cycle_consistency(matchings, sizes):
    """Share of the chains i -> s -> t of given pairwise matchings that agree with i -> t.

    matchings: {(g, h): labels} for all g < h. 1 for tracks; nan without a chain.
    """
    d = len(sizes)
    lead = {}
    for (g, h), labels in matchings.items():
        labels = np.asarray(labels)
        back = np.full(sizes[h], -1)
        back[labels[labels >= 0]] = np.flatnonzero(labels >= 0)
        lead[g, h], lead[h, g] = labels, back
    chains = agree = 0
    for g, h, k in permutations(range(d), 3):
        if g > k:
            continue  # the same chain backwards
        start = np.flatnonzero(lead[g, h] >= 0)
        end = lead[h, k][lead[g, h][start]]
        start, end = start[end >= 0], end[end >= 0]
        chains += len(start)
        agree += int(np.count_nonzero(lead[g, k][start] == end))
    return agree / chains if chains else float("nan")
