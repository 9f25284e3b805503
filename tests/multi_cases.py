"""Small multi-graph problems and their optima by enumeration."""

from functools import cache
from itertools import combinations

import numpy as np

import gmtoolbox as gm


def random_pair(rng, n1, n2, density, edge_density, **rest):
    """A random partial problem; some edges join candidates of one node."""
    chosen = np.flatnonzero(rng.random(n1 * n2) < density)
    if len(chosen) == 0:
        return None
    left, right = chosen % n1, chosen // n1
    a, b = np.triu_indices(len(chosen), 1)
    kept = rng.random(len(a)) < edge_density
    a, b = a[kept], b[kept]
    cost, edge_cost = rng.normal(-0.3, 1, len(left)).round(3), rng.normal(0, 1, len(a)).round(3)
    return gm.Problem((n1, n2), left, right, cost, a, b, edge_cost, **rest)


def random_multi(seed, sizes, density=0.9, edge_density=0.5, **rest):
    """A random MultiProblem of graphs of these sizes."""
    rng = np.random.default_rng(seed)
    pairs = {
        (g, h): random_pair(rng, sizes[g], sizes[h], density, edge_density, **rest)
        for g, h in combinations(range(len(sizes)), 2)
    }
    return gm.MultiProblem(pairs, sizes=sizes)


def check_kept(multi, folder, name):
    """Assert that a file or folder of this name gives back every field of problems of many graphs:
    this one, and one without points where some pairs are missing.
    """
    gm.save(multi, folder / name)
    again = gm.load(folder / name)
    assert again == multi and again.truth is not None and again.points is not None
    sparse = random_multi(0, (2, 3, 2), density=0.2)
    gm.save(sparse, folder / f"other-{name}")
    assert gm.load(folder / f"other-{name}") == sparse


# ---- every partition into tracks


@cache
def partitions(sizes):
    """All partitions of the nodes into tracks: int8 array (partitions, nodes) of track numbers."""
    found = [()]
    for size in sizes:
        found = [tracks + new for tracks in found for new in placements(tracks, size)]
    return np.array(found, dtype=np.int8)


def placements(tracks, size):
    """Every way to give the nodes of one more graph a track of their own or one of those there."""
    n_tracks = max(tracks, default=-1) + 1

    def place(i, taken, top):
        if i == size:
            yield ()
            return
        for track in (*range(n_tracks), top):
            if track not in taken:
                for rest in place(i + 1, taken | {track}, top + (track == top)):
                    yield (track, *rest)

    return place(0, frozenset(), n_tracks)


@cache
def matchings(n1, n2):
    """All partial matchings: (k, n1) labels, and {labels: k}."""
    rows = [()]
    for _ in range(n1):
        rows = [row + (s,) for row in rows for s in range(-1, n2) if s < 0 or s not in row]
    return np.array(rows).reshape(len(rows), n1), {row: k for k, row in enumerate(rows)}


@cache
def matching_numbers(sizes):
    """{(g, h): the number of each partition's matching of g and h}."""
    tracks, numbers = partitions(sizes), {}
    first = np.cumsum([0, *sizes])
    for g, h in combinations(range(len(sizes)), 2):
        known = matchings(sizes[g], sizes[h])[1]
        left, right = (tracks[:, first[x] : first[x + 1]] for x in (g, h))
        same = left[:, :, None] == right[:, None, :]
        labels = np.where(same.any(2), same.argmax(2), -1)
        code = (labels + 1) @ (sizes[h] + 1) ** np.arange(sizes[g])
        place = {
            int((np.array(row) + 1) @ (sizes[h] + 1) ** np.arange(sizes[g])): k
            for row, k in known.items()
        }
        table = np.full(max(place) + 1, -1)
        table[list(place)] = list(place.values())
        numbers[g, h] = table[code].astype(np.uint16)
    return numbers


def matching_costs(problem, n1, n2):
    """The cost of every partial matching of a pair, without offset; inf where one is forbidden."""
    rows = matchings(n1, n2)[0]
    cost = np.full((n1, n2 + 1), np.inf)
    cost[:, n2] = 0.0  # label -1
    if problem is None:
        return cost[np.arange(n1), rows].sum(1)
    cost[problem.left, problem.right] = problem.cost
    total = cost[np.arange(n1), rows].sum(1)
    chosen = rows[:, problem.left] == problem.right
    edges = problem.edges.written_out()
    return total + (chosen[:, edges.a] & chosen[:, edges.b]) @ np.asarray(edges.cost)


def brute_force(m):
    """The least cost over all tracks, offsets included."""
    total = 0.0
    for (g, h), number in matching_numbers(m.sizes).items():
        total = total + matching_costs(m[g, h], m.sizes[g], m.sizes[h])[number]
    return float(total.min()) + m.offset
