"""Large networkx graphs numbered quickly, like models.edit_costs.NumberedGraph for edits, with
few steps of Python for each edge.
"""

from dataclasses import dataclass
from itertools import chain, repeat
from operator import is_

from gmtoolbox.core.lazy import np
from gmtoolbox.models.attributed import cache_of, shared_labels
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph, as_one_kind, number_plain

CACHE_KEY = "gmtoolbox.ends"


@dataclass
class NumberedPair:
    """Two numbered graphs of one kind and the costs that hold their numbers."""

    costs: EditCosts
    first: object
    second: object

    @property
    def labelled(self):
        """How nodes and edges are compared if no function is given; see shared_labels."""
        if not (self.first.labelled and self.second.labelled):
            return False
        return shared_labels(self.first.graph, self.second.graph)

    @property
    def has_pattern(self):
        """Whether labels are compared by the queries of a SMARTS pattern."""
        return any(
            isinstance(g, NumberedGraph) and g.graph.is_pattern for g in (self.first, self.second)
        )


@dataclass
class Ends:
    """Nodes and edges of a networkx graph without attributes.

    nodes        names
    kept         of an undirected graph, which entries of the lists of neighbours are taken: each
                 edge once; else None
    tail, head   positions of the ends of each edge
    loop         whether both are the same
    """

    nodes: list
    kept: object
    tail: object
    head: object
    loop: object

    @classmethod
    def of(cls, graph):
        """Return the ends of a graph. They are stored in the cache that networkx clears when nodes
        or edges change, so that many questions about one graph read it once.
        """
        cache = cache_of(graph)
        if CACHE_KEY not in cache:
            cache[CACHE_KEY] = cls.read(graph)
        return cache[CACHE_KEY]

    @classmethod
    def read(cls, graph):
        """Return the ends of a graph."""
        nodes = list(graph)
        lists = [near for _, near in graph.adjacency()]
        count = np.fromiter(map(len, lists), np.int64, len(lists))
        names = positions(nodes, chain.from_iterable(lists))
        head = np.fromiter(names, np.int32, int(count.sum()))
        tail = np.repeat(np.arange(len(lists), dtype=np.int32), count)
        kept = None if graph.is_directed() else np.flatnonzero(tail <= head)
        if kept is not None:
            tail, head = tail[kept], head[kept]
        return cls(nodes, kept, tail, head, tail == head)


def positions(nodes, names):
    """Return an iterable of the positions of these names among the nodes."""
    places = range(len(nodes))
    if all(map(is_, map(type, nodes), repeat(int))) and nodes == list(places):
        return names  # 0, 1, 2, ... by themselves
    return map(dict(zip(nodes, places, strict=True)).__getitem__, names)


class QuickGraph:
    """A networkx graph without parallel edges, numbered as NumberedGraph does; attributes are
    numbered only if a function compares them.

    nodes      names
    node       number of each node
    loops      bundle of each node's self loop
    tail, head, bundle   of the edges between two different nodes; undirected: tail < head
    is_plain   whether it has neither labels that are compared nor loops
    """

    labelled = False

    def __init__(self, graph, costs):
        self.directed = graph.is_directed()
        ends = Ends.of(graph)
        self.nodes = ends.nodes
        bundle = self.number_edges(graph, ends, costs)
        self.loops = np.zeros(len(self.nodes), np.int64)
        if ends.loop.any():
            self.loops[ends.tail[ends.loop]] = bundle[ends.loop]
            between = ~ends.loop
            self.tail, self.head = ends.tail[between], ends.head[between]
            self.bundle = bundle[between]
        else:
            self.tail, self.head, self.bundle = ends.tail, ends.head, bundle
        self.node = self.number_nodes(graph, costs)
        is_labelled = is_compared(costs, "node") or is_compared(costs, "edge")
        self.is_plain = not is_labelled and len(self.tail) == len(ends.tail)

    def __len__(self):
        return len(self.nodes)

    def number_nodes(self, graph, costs):
        """Return the number of each node's attributes."""
        if not is_compared(costs, "node"):
            return np.full(len(self.nodes), costs.numbers["node"].of((), {}))
        data = [own for _, own in graph.nodes(data=True)]
        return np.array(number_plain(data, costs.numbers["node"]), np.int64)

    def number_edges(self, graph, ends, costs):
        """Return the bundle of each edge; the bundle of an edge holds one number."""
        if not is_compared(costs, "edge"):
            return np.full(len(ends.head), costs.bundle((costs.numbers["edge"].of((), {}),)))
        data = list(chain.from_iterable(near.values() for _, near in graph.adjacency()))
        data = data if ends.kept is None else [data[k] for k in ends.kept.tolist()]
        number = number_plain(data, costs.numbers["edge"])
        distinct, inverse = np.unique(np.array(number, np.int64), return_inverse=True)
        return np.array([costs.bundle((k,)) for k in distinct.tolist()], np.int64)[inverse]


def is_compared(costs, what):
    """Return True if a function compares the attributes of nodes or edges."""
    cost, match, _ = costs.compares[what]
    return cost is not None or match is not None


def is_quick(graph):
    """Return True if QuickGraph takes the graph."""
    return hasattr(graph, "adjacency") and hasattr(graph, "nodes") and not graph.is_multigraph()


def number_pair(costs, G1, G2, names=("G1", "G2")):
    """Return the NumberedPair of two graphs in any form; InputError unless both are directed or
    both are not.
    """
    if is_quick(G1) and is_quick(G2) and G1.is_directed() == G2.is_directed():
        return NumberedPair(costs, QuickGraph(G1, costs), QuickGraph(G2, costs))
    graphs = [NumberedGraph(g, costs) for g in as_one_kind((G1, G2), names.__getitem__)]
    return NumberedPair(costs, *graphs)
