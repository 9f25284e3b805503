"""Large networkx graphs numbered quickly, like models.edit_costs.NumberedGraph for edits, with
few steps of Python for each edge.
"""

from dataclasses import dataclass
from itertools import chain, compress

from gmtoolbox.core._ffi import write_keys
from gmtoolbox.core.lazy import np
from gmtoolbox.core.once import once
from gmtoolbox.models.attribute_numbers import number_plain
from gmtoolbox.models.attributed import cache_of, shared_labels
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph, as_one_kind
from gmtoolbox.subgraphs.labelled import LabelledGraph

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

    directed     whether edges have a direction
    nodes        names
    kept         of an undirected graph, whether an entry of the lists of neighbours is taken: each
                 edge once; else None
    tail, head   positions of the ends of each edge
    loop         whether both are the same
    """

    directed: bool
    nodes: list
    kept: object
    tail: object
    head: object
    loop: object

    labelled = False

    def __len__(self):
        return len(self.nodes)

    @once
    def has_loops(self):
        """Return whether an edge is a self loop."""
        return bool(self.loop.any())

    @once
    def listed(self):
        """Return the LabelledGraph with one type of nodes and one kind of edges, without loops."""
        types, kinds = np.zeros(len(self), np.int32), np.zeros(len(self.tail), np.int32)
        return LabelledGraph(types, self.tail, self.head, kinds)

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
        head = positions(nodes, lists, int(count.sum()))
        tail = np.repeat(np.arange(len(lists), dtype=np.int32), count)
        kept = None if graph.is_directed() else tail <= head
        if kept is not None:
            tail, head = tail[kept], head[kept]
        return cls(graph.is_directed(), nodes, kept, tail, head, tail == head)


def positions(nodes, lists, total):
    """Return the positions among the nodes of all names in these lists."""
    places, names = range(len(nodes)), chain.from_iterable(lists)
    if set(map(type, nodes)) <= {int} and nodes == list(places):  # 0, 1, 2, ... by themselves
        head = np.empty(total, np.int32)
        return head if write_keys(lists, head) else np.fromiter(names, np.int32, total)
    place = dict(zip(nodes, places, strict=True)).__getitem__
    return np.fromiter(map(place, names), np.int32, total)


class QuickGraph:
    """A networkx graph without parallel edges, numbered as NumberedGraph does; attributes are
    numbered only if a function compares them.

    nodes      names
    node       number of each node
    loops      bundle of each node's self loop
    tail, head, bundle   of the edges between two different nodes; undirected: tail < head
    """

    labelled = False

    def __init__(self, graph, costs):
        self.directed = graph.is_directed()
        ends = Ends.of(graph)
        self.nodes = ends.nodes
        bundle = self.number_edges(graph, ends, costs)
        self.loops = np.zeros(len(self.nodes), np.int64)
        if ends.has_loops:
            self.loops[ends.tail[ends.loop]] = bundle[ends.loop]
            between = ~ends.loop
            self.tail, self.head = ends.tail[between], ends.head[between]
            self.bundle = bundle[between]
        else:
            self.tail, self.head, self.bundle = ends.tail, ends.head, bundle
        self.node = self.number_nodes(graph, costs)

    def __len__(self):
        return len(self.nodes)

    def number_nodes(self, graph, costs):
        """Return the number of each node's attributes."""
        if not is_compared(costs, "node"):
            return np.broadcast_to(np.int64(costs.numbers["node"].of((), {})), len(self.nodes))
        data = list(dict(graph.nodes(data=True)).values())
        return np.array(number_plain(data, costs.numbers["node"]), np.int64)

    def number_edges(self, graph, ends, costs):
        """Return the bundle of each edge; the bundle of an edge holds one number."""
        if not is_compared(costs, "edge"):
            alone = costs.bundle((costs.numbers["edge"].of((), {}),))
            return np.broadcast_to(np.int64(alone), len(ends.head))
        data = list(chain.from_iterable(near.values() for _, near in graph.adjacency()))
        data = data if ends.kept is None else list(compress(data, ends.kept.tolist()))
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
    """Return the NumberedPair of two graphs in any form, of two Ends if neither labels are compared
    nor loops are there; InputError unless both are directed or both are not.
    """
    if is_quick(G1) and is_quick(G2) and G1.is_directed() == G2.is_directed():
        ends = Ends.of(G1), Ends.of(G2)
        is_labelled = is_compared(costs, "node") or is_compared(costs, "edge")
        if is_labelled or ends[0].has_loops or ends[1].has_loops:
            return NumberedPair(costs, QuickGraph(G1, costs), QuickGraph(G2, costs))
        return NumberedPair(costs, *ends)
    graphs = [NumberedGraph(g, costs) for g in as_one_kind((G1, G2), names.__getitem__)]
    return NumberedPair(costs, *graphs)
