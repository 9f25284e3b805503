"""gm_solve_multi: three or four graphs of at most three nodes, all tracks tried."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

import gmtoolbox as gm
from campaigns import PROVEN, UNPROVEN, Wrong
from campaigns.matchings import ROUNDING, Drawn

SIZES = ((2, 2, 2), (1, 2, 3), (3, 2, 2), (3, 3, 2), (2, 1, 2, 2), (1, 1, 1, 1))


@cache
def all_tracks(sizes):
    """Return every partition of the nodes into tracks: a row has the track of each node."""
    nodes = [g for g, n in enumerate(sizes) for _ in range(n)]
    rows = []

    def place(row, graphs):
        if len(row) == len(nodes):
            rows.append(row)
            return
        g = nodes[len(row)]
        for k, members in enumerate(graphs):
            if g not in members:
                place([*row, k], [*graphs[:k], {*members, g}, *graphs[k + 1 :]])
        place([*row, len(graphs)], [*graphs, {g}])

    place([], [])
    return np.array(rows)


class Pair(Drawn):
    """A random problem of two graphs of given sizes, partial and of one sense."""

    def __init__(self, rng, n1, n2, sense):
        while True:  # sizes are drawn, too
            super().__init__(rng, largest=3)
            if (self.n1, self.n2) == (n1, n2):
                break
        self.complete, self.sense, self.offset = False, sense, 0.0


def check_multi(rng):
    """gm_solve_multi."""
    sizes = SIZES[rng.integers(len(SIZES))]
    sense = ("min", "max")[rng.integers(2)]
    pairs = {
        (g, h): Pair(rng, sizes[g], sizes[h], sense) for g, h in combinations(range(len(sizes)), 2)
    }
    tracks = all_tracks(sizes)
    start = np.concatenate([[0], np.cumsum(sizes)])
    cost, size = np.zeros(len(tracks)), np.zeros(len(tracks))
    together = {}
    for (g, h), drawn in pairs.items():
        for i in range(sizes[g]):
            for s in range(sizes[h]):
                both = tracks[:, start[g] + i] == tracks[:, start[h] + s]
                together[g, i, h, s] = both
                cost[both] += drawn.C[i, s]
                size[both] += abs(drawn.C[i, s])
        for (i, s, j, t), x in drawn.Q.items():
            both = together[g, i, h, s] & together[g, j, h, t]
            cost[both] += x
            size[both] += abs(x)

    def exact(k):
        terms = []
        for (g, h), drawn in pairs.items():
            on = lambda i, s, g=g, h=h: together[g, i, h, s][k]
            terms += [
                Fraction(drawn.C[i, s])
                for i in range(sizes[g])
                for s in range(sizes[h])
                if on(i, s)
            ]
            terms += [Fraction(x) for (i, s, j, t), x in drawn.Q.items() if on(i, s) and on(j, t)]
        return sum(terms), sum(map(abs, terms))

    possible = np.isfinite(cost)
    cost, error = np.where(possible, cost, 0.0), ROUNDING * np.where(possible, size, 0.0)
    near = np.flatnonzero(possible & (cost - error <= (cost + error)[possible].min()))
    best = min(exact(k)[0] for k in near)
    result = gm.gm_solve_multi(
        gm.MultiProblem({key: drawn.problem() for key, drawn in pairs.items()}), maxiter=400
    )
    own = np.concatenate(result.tracks)
    _, own = np.unique(own, return_inverse=True)
    first = {}
    row = [first.setdefault(t, len(first)) for t in own.tolist()]
    found = np.flatnonzero((tracks == row).all(1))
    if len(found) == 0 or not possible[found[0]]:
        raise Wrong(f"{row} are not tracks")
    value, total = exact(found[0])
    sign, allowed = (1 if sense == "min" else -1), Fraction(ROUNDING) * (total + abs(best))
    if abs(sign * Fraction(result.value) - value) > allowed:
        raise Wrong(f"value {result.value!r}, the tracks are worth {float(value)!r}")
    if np.isfinite(result.bound) and sign * Fraction(result.bound) > best + allowed:
        raise Wrong(f"bound {result.bound!r} above the optimum {float(best)!r}")
    if result.status != "optimal":
        return UNPROVEN
    if value - best > allowed:
        raise Wrong(f"'optimal' {float(value)!r}, the optimum is {float(best)!r}")
    return PROVEN


DOORS = {"gm_solve_multi": check_multi}
