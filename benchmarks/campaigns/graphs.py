"""gm_solve_multi: three or four graphs of at most three nodes, all tracks tried."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

import gmtoolbox as gm
from campaigns import Wrong, judge
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


class Several:
    """A random problem of many graphs, and the costs of all its tracks.

    pairs: the Pair of each two graphs; change them before anything is asked
    """

    def __init__(self, rng):
        self.sizes = SIZES[rng.integers(len(SIZES))]
        self.sense = ("min", "max")[rng.integers(2)]
        self.pairs = {
            (g, h): Pair(rng, self.sizes[g], self.sizes[h], self.sense)
            for g, h in combinations(range(len(self.sizes)), 2)
        }

    def problem(self):
        """Return the gm.MultiProblem."""
        return gm.MultiProblem({key: drawn.problem() for key, drawn in self.pairs.items()})

    def check(self, result):
        """Return the word for an answer with tracks, value, bound and status."""
        costs = TrackCosts(self)
        best = costs.least()
        own = np.concatenate(result.tracks)
        _, own = np.unique(own, return_inverse=True)
        first = {}
        row = [first.setdefault(t, len(first)) for t in own.tolist()]
        found = np.flatnonzero((costs.tracks == row).all(1))
        if len(found) == 0 or not costs.possible[found[0]]:
            raise Wrong(f"{row} are not tracks")
        value, total = costs.exact(found[0])
        sign, allowed = (1 if self.sense == "min" else -1), Fraction(ROUNDING) * (total + abs(best))
        return judge(result, sign, value, best, allowed)


class TrackCosts:
    """The costs of all tracks of Several: in doubles, exactly where needed."""

    def __init__(self, several):
        self.pairs, sizes = several.pairs, several.sizes
        tracks = self.tracks = all_tracks(sizes)
        start = np.concatenate([[0], np.cumsum(sizes)])
        cost, size = np.zeros(len(tracks)), np.zeros(len(tracks))
        self.together = {}
        for (g, h), drawn in self.pairs.items():
            for i in range(sizes[g]):
                for s in range(sizes[h]):
                    both = tracks[:, start[g] + i] == tracks[:, start[h] + s]
                    self.together[g, i, h, s] = both
                    cost[both] += drawn.C[i, s]
                    size[both] += abs(drawn.C[i, s])
            for (i, s, j, t), x in drawn.Q.items():
                both = self.together[g, i, h, s] & self.together[g, j, h, t]
                cost[both] += x
                size[both] += abs(x)
        self.possible = np.isfinite(cost)
        self.cost = np.where(self.possible, cost, 0.0)
        self.error = ROUNDING * np.where(self.possible, size, 0.0)

    def exact(self, k):
        """Return (cost, sum of absolute costs) of the k-th tracks as fractions."""
        terms = []
        for (g, h), drawn in self.pairs.items():
            on = lambda i, s, g=g, h=h: self.together[g, i, h, s][k]
            n1, n2 = drawn.C.shape
            terms += [Fraction(drawn.C[i, s]) for i in range(n1) for s in range(n2) if on(i, s)]
            terms += [Fraction(x) for (i, s, j, t), x in drawn.Q.items() if on(i, s) and on(j, t)]
        return sum(terms), sum(map(abs, terms))

    def least(self):
        """Return the cost of the cheapest tracks."""
        limit = (self.cost + self.error)[self.possible].min()
        near = np.flatnonzero(self.possible & (self.cost - self.error <= limit))
        return min(self.exact(k)[0] for k in near)


def check_multi(rng):
    """gm_solve_multi."""
    several = Several(rng)
    return several.check(gm.gm_solve_multi(several.problem(), maxiter=400))


DOORS = {"gm_solve_multi": check_multi}
