"""Small multi-graph problems and their optima by enumeration."""

from itertools import combinations

import numpy as np

import gmtoolbox as gm


def random_pair(rng, n1, n2, density, edge_density, **rest):
    """A random partial problem; some edges join candidates that share a node."""
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
    rng = np.random.default_rng(seed)
    pairs = {
        (g, h): random_pair(rng, sizes[g], sizes[h], density, edge_density, **rest)
        for g, h in combinations(range(len(sizes)), 2)
    }
    return gm.MultiProblem(pairs, sizes=sizes)


def brute_force(m):
    """The least cost over all tracks, offsets included."""
    known = {}

    def pair_cost(g, h, labels):
        key = (g, h, labels)
        if key not in known:
            problem = m[g, h]
            known[key] = 0.0 if problem is None else problem.total_cost(np.array(labels))
        return known[key]

    allowed = {
        pair: set() if p is None else set(zip(p.left.tolist(), p.right.tolist(), strict=True))
        for pair, p in m.pairs.items()
    }

    def placements(g, tracks):
        """Every way to give the nodes of g a track or none: lists of track numbers, -1 = none."""
        fits = [
            [t for t, track in enumerate(tracks) if all((s, i) in allowed[h, g] for h, s in track)]
            for i in range(m.sizes[g])
        ]

        def place(i, taken):
            if i == m.sizes[g]:
                yield ()
                return
            for t in (-1, *fits[i]):
                if t < 0 or t not in taken:
                    for rest in place(i + 1, taken | {t}):
                        yield (t, *rest)

        return place(0, frozenset())

    def best(g, tracks):
        if g == m.d:
            return 0.0
        least = np.inf
        for choice in placements(g, tracks):
            cost = 0.0
            for h in range(g):
                node_of = {s: i for i, t in enumerate(choice) if t >= 0
                           for graph, s in tracks[t] if graph == h}  # fmt: skip
                cost += pair_cost(h, g, tuple(node_of.get(s, -1) for s in range(m.sizes[h])))
            grown = list(tracks)
            for i, t in enumerate(choice):
                if t >= 0:
                    grown[t] = (*grown[t], (g, i))
                else:
                    grown.append(((g, i),))
            least = min(least, cost + best(g + 1, tuple(grown)))
        return least

    return best(0, ())
