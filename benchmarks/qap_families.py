"""QAPs of families beyond QAPLIB, generated after the recipes of their papers.

A name is a family, its size, and `_SEED` if it is not 0:

dre8x9       flows of 1 to 10 between the neighbours of a grid; distances are 1 between neighbours
             and 2 to 10 elsewhere. The sum of all flows is the optimum, to which swaps of two nodes
             hardly ever lead (Drezner, Hahn and Taillard, Annals of OR 2005).
tree5x5x5    the structure of Taillard's tai125e01 (tai75e01 is a tree5x3x5): groups of groups of
             nodes on two sides, large entries within a side of one matrix and between the sides of
             the other, and small ones elsewhere, the fewer the less two nodes have in common.
border12     probes on a 12 x 12 microarray; neighbours pay for synthesis steps that one of them
             takes and the other does not (de Carvalho and Rahmann 2006).
conflict11   the same with costs up to three places away, which fall with the distance.
cycle80      random flows along a cycle, random distances.
tour80       equal flows along a cycle, distances of random points: a travelling salesman problem.
ring80       places around a cycle, all nodes exchange something: flows from 1 to 10,000, evenly
             distributed on a logarithmic scale.
"""

import re

import numpy as np

import gmtoolbox as gm


def make(name):
    """(Problem, optimum or None) of a name."""
    family, size, seed = re.fullmatch(r"([a-z]+)([\dx]+)(?:_(\d+))?", name).groups()
    sides, rng = [int(side) for side in size.split("x")], np.random.default_rng(int(seed or 0))
    A, B, best = FAMILIES[family](rng, *sides)
    return gm.models.from_koopmans_beckmann(A, B), best


def is_generated(name):
    """Whether a name is one of a family here, not that of a file."""
    found = re.fullmatch(r"([a-z]+)([\dx]+)(?:_\d+)?", name)
    return found is not None and found[1] in FAMILIES and (found[1] != "dre" or "x" in found[2])


def symmetric(rng, low, high, n):
    """A symmetric matrix of random integers, zero on the diagonal."""
    upper = np.triu(rng.integers(low, high, (n, n)).astype(float), 1)
    return upper + upper.T


def shuffled(rng, M):
    """The same matrix with its nodes in another order."""
    order = rng.permutation(len(M))
    return M[np.ix_(order, order)]


def grid(rng, rows, columns):
    n = rows * columns
    row, column = np.divmod(np.arange(n), columns)
    near = np.abs(row[:, None] - row) + np.abs(column[:, None] - column) == 1
    flow = np.where(near, symmetric(rng, 1, 11, n), 0.0)
    distance = np.where(near, 1.0, symmetric(rng, 2, 11, n))
    return shuffled(rng, flow), distance, float(flow.sum())


def tree(rng, tops, middles, leaves):
    n = tops * middles * leaves
    nodes = np.arange(n)
    top, group = nodes // (middles * leaves), nodes // leaves
    side = (nodes + group) % 2
    far, close = symmetric(rng, 20, 36, tops), symmetric(rng, 11, 26, tops * middles)
    within = np.where(top[:, None] != top, far[np.ix_(top, top)], close[np.ix_(group, group)])
    is_leaf, is_across = group[:, None] == group, side[:, None] != side

    def noise():  # shares and sizes of tai27e01 to tai75e01
        near = symmetric(rng, 1, 5, n) * (symmetric(rng, 0, 100, n) < 15)
        apart = symmetric(rng, 1, 3, n) * (symmetric(rng, 0, 1000, n) < 25)
        return np.where(top[:, None] == top, near, apart)

    A = np.where(is_leaf, symmetric(rng, 1, 11, n), np.where(is_across, within, noise()))
    B = np.where(is_leaf, symmetric(rng, 1, 11, n), np.where(is_across, noise(), within))
    return shuffled(rng, A), shuffled(rng, B), None


def probes(rng, side):
    """(rows apart, columns apart, synthesis steps of the probes) of a square chip."""
    row, column = np.divmod(np.arange(side**2), side)
    steps = np.argsort(rng.random((side**2, 74)), axis=1) < 25
    return np.abs(row[:, None] - row), np.abs(column[:, None] - column), steps.astype(float)


def border(rng, side):
    rows, columns, steps = probes(rng, side)
    differing = steps @ (1.0 - steps).T
    return (rows + columns == 1).astype(float), differing + differing.T, None


def conflict(rng, side):
    rows, columns, steps = probes(rng, side)
    weight = 1.0 / (1.0 + np.abs(np.arange(74) - 37) / 10)
    squared = np.maximum(rows**2 + columns**2, 1)
    is_near = (rows <= 3) & (columns <= 3) & (rows + columns > 0)
    conflicts = np.round(100 * ((1.0 - steps) * weight) @ steps.T)
    return np.where(is_near, np.round(100 / squared), 0.0), conflicts, None


def cycle(rng, n):
    flow, at = np.zeros((n, n)), np.arange(n)
    flow[at, (at + 1) % n] = rng.integers(1, 100, n)
    return flow + flow.T, symmetric(rng, 1, 1000, n), None


def tour(rng, n):
    at, points = np.arange(n), rng.integers(0, 1000, (n, 2))
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    steps = (at[:, None] - at) % n
    return ((steps == 1) | (steps == n - 1)).astype(float), np.round(apart), None


def ring(rng, n):
    at = np.arange(n)
    steps = (at[:, None] - at) % n
    upper = np.triu(np.floor(10.0 ** (4 * rng.random((n, n)))), 1)
    return upper + upper.T, np.minimum(steps, n - steps).astype(float), None


FAMILIES = {
    "dre": grid,
    "tree": tree,
    "border": border,
    "conflict": conflict,
    "cycle": cycle,
    "tour": tour,
    "ring": ring,
}
