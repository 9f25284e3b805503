"""A start for a small graph in a large one: partial maps grow along the edges of the small graph.

A beam of partial maps is kept. One node of the small graph after the other gets an image, next to
the images of its neighbours, or none; the maps of least cost stay. With the costs c of an EditModel
(models/edits.py), a map costs

    sum c_is + sum c_is,jt    over its pairs (i, s) and (j, t)
"""

import math
import time
from dataclasses import dataclass

from gmtoolbox.core.lazy import np
from gmtoolbox.editing.strict import first_map
from gmtoolbox.subgraphs.contained import Question

MOST_NODES = 100  # of the small graph
TIMES_LARGER = 20  # is the large one
MOST_PAIRS = 10**7  # of nodes of both
WORK = 3e7  # of the search for subgraphs, as in strict.py
WIDTH = 1000  # maps of a beam
MOST_STEPS = 10**5  # maps that are looked at before WIDTH of them stay
N_ROOTS = 3  # nodes of the small graph that beams begin with


def start_pattern(model, seconds=math.inf):
    """Return labels of an EditModel of a small and a large graph, or None of any other.

    If the large graph contains the small one, a search for subgraphs finds it (find_subgraph has
    looked for it before). After this many seconds, nodes stay without an image.
    """
    end = time.perf_counter() + seconds
    sizes = len(model.first), len(model.second)
    few, many = sorted(sizes)
    if model.root_pair is not None or not 0 < few <= MOST_NODES or many < TIMES_LARGER * few:
        return None
    if few * many > MOST_PAIRS or not (len(model.first.tail) and len(model.second.tail)):
        return None
    if sizes[0] < sizes[1] and not model.complete:
        found, _ = first_map(Question(model), model, WORK, seconds / 2)
        if found is not None:
            return found.astype(int)
    gains = model.gains
    unary, tables = (
        model.unary + model.loops,
        [EdgeTable.of(g) for g in (model.first, model.second)],
    )
    if sizes[0] <= sizes[1]:
        labels = Beams(*tables, unary, gains, model.first.directed).best(end)
        return fill_labels(labels, unary) if model.complete else labels
    if model.complete:
        return None
    found = Beams(*tables[::-1], unary.T, gains.T, model.first.directed).best(end)
    labels = np.full(sizes[0], -1)
    labels[found[found >= 0]] = np.flatnonzero(found >= 0)
    return labels


def fill_labels(labels, unary):
    """Return labels of all nodes, None if there are none: a node without one takes the cheapest
    that is free.
    """
    for i in np.flatnonzero(labels < 0).tolist():
        costs = unary[i].copy()
        costs[labels[labels >= 0]] = np.inf
        labels[i] = int(np.argmin(costs))
        if not np.isfinite(costs[labels[i]]):
            return None
    return labels


@dataclass
class EdgeTable:
    """The edges of a graph, found by their ends.

    n       number of nodes
    keys    tail * n + head of each edge, ascending; of an undirected one both ways
    kinds   the number of its bundle
    start, near     neighbours of each node, in any direction
    """

    n: int
    keys: object
    kinds: object
    start: object
    near: object

    @classmethod
    def of(cls, graph):
        """Return the table of a NumberedGraph."""
        n, kinds = len(graph), graph.distinct["bundle"][1]
        tail, head = graph.tail, graph.head
        ends = np.concatenate([tail * n + head, head * n + tail])
        both = np.unique(ends)
        keys, kinds = (tail * n + head, kinds) if graph.directed else (ends, np.tile(kinds, 2))
        order = np.argsort(keys, kind="stable")
        start = np.searchsorted(both, np.arange(n + 1) * n)
        return cls(n, keys[order], kinds[order], start, both % n)

    def neighbours(self, i):
        """Return the neighbours of a node."""
        return self.near[self.start[i] : self.start[i + 1]]

    def kinds_between(self, tails, heads):
        """Return the kind of the edge of each pair of nodes, -1 for none."""
        keys = tails * self.n + heads
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.kinds[place], -1)

    def expand(self, nodes):
        """Return (index, neighbour) for each neighbour of each node, -1 has none."""
        counts = np.where(nodes >= 0, self.start[nodes + 1] - self.start[nodes], 0)
        index = np.repeat(np.arange(len(nodes)), counts)
        within = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
        return index, self.near[self.start[nodes[index]] + within]


class Beams:
    """Searches for cheap maps of a small graph into a large one.

    unary    (nodes of the small graph, of the large one): costs of pairs, inf is forbidden
    gains    (kinds of edges of the small graph, of the large one): costs of pairs of edges, <= 0
    """

    def __init__(self, small, large, unary, gains, directed):
        self.small, self.large, self.unary, self.directed = small, large, unary, directed
        # kind -1 is no edge, which saves nothing
        self.gains = np.zeros((gains.shape[0] + 1, gains.shape[1] + 1))
        self.gains[:-1, :-1] = gains

    def best(self, end=math.inf):
        """Return the labels of the cheapest map of all beams, -1: no image. `end` is a time of
        perf_counter.
        """
        degree = np.diff(self.small.start)
        roots = np.argsort(-degree, kind="stable")[:N_ROOTS].tolist()
        best = np.inf, np.full(self.small.n, -1)
        for root in roots:
            best = min(best, self.grow(root, end), key=lambda found: found[0])
            if best[0] <= self.least_cost():
                break
        return best[1]

    def least_cost(self):
        """Return a lower bound on the cost of any map: the cheapest image of each node, the
        cheapest edge for each edge.
        """
        nodes = np.minimum(self.unary.min(axis=1), 0.0).sum()
        edges = self.gains.min(axis=1)[self.small.kinds].sum()
        return float(nodes + edges * (1.0 if self.directed else 0.5))  # undirected: listed twice

    def grow(self, root, end):
        """Return (cost, labels) of the best map of the beam that begins with a node."""
        images = np.flatnonzero(np.isfinite(self.unary[root]))
        maps = np.full((len(images) + 1, self.small.n), -1)
        maps[1:, root] = images
        costs = np.concatenate([[0.0], self.unary[root, images]])
        # of equal costs those with enough neighbours first
        degree = np.diff(self.large.start)[images]
        enough = np.minimum(degree, len(self.small.neighbours(root)))
        order = np.lexsort([np.concatenate([[0], -enough]), costs])[:WIDTH]
        maps, costs, known = maps[order], costs[order], [root]
        while len(known) < self.small.n and time.perf_counter() < end:
            node = self.next_node(known)
            maps, costs = self.extend(maps, costs, node)
            known.append(node)
        return costs[0], maps[0]

    def next_node(self, known):
        """Return the node with the most neighbours among the known ones."""
        inside = np.bincount(
            np.concatenate([self.small.neighbours(i) for i in known]).astype(int),
            minlength=self.small.n,
        )
        inside[known] = -1
        return int(np.argmax(inside))

    def extend(self, maps, costs, node):
        """Return the best maps and their costs once a node has an image or stays without."""
        around = [w for w in self.small.neighbours(node).tolist() if np.any(maps[:, w] >= 0)]
        steps = sum(np.diff(self.large.start)[maps[:, w]] * (maps[:, w] >= 0) for w in around)
        kept = int(np.searchsorted(np.cumsum(steps + np.zeros(len(maps))), MOST_STEPS)) + 1
        maps, costs = maps[:kept], costs[:kept]
        pairs = [self.large.expand(maps[:, w]) for w in around]
        keys = [index * self.large.n + image for index, image in pairs]
        keys = np.unique(np.concatenate([np.empty(0, np.int64), *keys]))
        state, image = keys // self.large.n, keys % self.large.n
        allowed = np.isfinite(self.unary[node, image]) & ~np.any(
            maps[state] == image[:, None], axis=1
        )
        state, image = state[allowed], image[allowed]
        paid = costs[state] + self.unary[node, image]
        for w in around:
            paid += self.cost_of_edges(node, w, image, maps[state, w])
        total = np.concatenate([paid, costs])
        order = np.argsort(total, kind="stable")[:WIDTH]
        chosen = np.concatenate([state, np.arange(len(maps))])[order]
        grown = maps[chosen]
        grown[:, node] = np.concatenate([image, np.full(len(maps), -1)])[order]
        return grown, total[order]

    def cost_of_edges(self, i, j, s, t):
        """Return the costs of the edges between nodes i and j that become those between s and t."""
        total = np.zeros(len(s))
        for (a, b), (x, y) in (((i, j), (s, t)), ((j, i), (t, s)))[: 1 + self.directed]:
            kind = self.small.kinds_between(np.array([a]), np.array([b]))
            total += self.gains[kind, self.large.kinds_between(x, y)]
        return np.where(t >= 0, total, 0.0)
