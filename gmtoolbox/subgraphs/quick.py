"""Large networkx graphs numbered quickly, like models.edit_costs.NumberedGraph for edits, with
few steps of Python for each edge.
"""

from dataclasses import dataclass
from itertools import chain, repeat
from operator import is_

from gmtoolbox.core.lazy import np
from gmtoolbox.models.attributed import shared_labels
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph, as_one_kind, attribute_key

# values of these types are equal only if no function can distinguish them
PLAIN = ({str, int, type(None)}, {str, float, type(None)}, {str, bool, type(None)})


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
        self.nodes = list(graph)
        lists = [neighbours for _, neighbours in graph.adjacency()]
        count = np.fromiter(map(len, lists), np.int64, len(lists))
        head = np.fromiter(self.positions(chain.from_iterable(lists)), np.int64, int(count.sum()))
        tail = np.repeat(np.arange(len(lists)), count)
        kept = slice(None) if self.directed else np.flatnonzero(tail <= head)
        tail, head = tail[kept], head[kept]
        bundle = self.number_edges(lists, kept, len(head), costs)
        loop = tail == head
        self.loops = np.zeros(len(lists), np.int64)
        self.loops[tail[loop]] = bundle[loop]
        self.tail, self.head, self.bundle = tail[~loop], head[~loop], bundle[~loop]
        self.node = self.number_nodes(graph, costs)

    def __len__(self):
        return len(self.nodes)

    def positions(self, names):
        """Return an iterable of the positions of these nodes."""
        places = range(len(self.nodes))
        if all(map(is_, map(type, self.nodes), repeat(int))) and self.nodes == list(places):
            return names  # 0, 1, 2, ... by themselves
        return map(dict(zip(self.nodes, places, strict=True)).__getitem__, names)

    def number_nodes(self, graph, costs):
        """Return the number of each node's attributes."""
        if not is_compared(costs, "node"):
            return np.full(len(self.nodes), costs.numbers["node"].of((), {}))
        data = [own for _, own in graph.nodes(data=True)]
        return number_all(data, costs.numbers["node"].of)

    def number_edges(self, lists, kept, n, costs):
        """Return the bundle of each edge; the bundle of an edge holds one number."""
        if not is_compared(costs, "edge"):
            return np.full(n, costs.bundle((costs.numbers["edge"].of((), {}),)))
        data = list(chain.from_iterable(neighbours.values() for neighbours in lists))
        data = data if self.directed else [data[k] for k in kept.tolist()]
        number = number_all(data, costs.numbers["edge"].of)
        distinct, inverse = np.unique(number, return_inverse=True)
        return np.array([costs.bundle((k,)) for k in distinct.tolist()], np.int64)[inverse]


def is_compared(costs, what):
    """Return whether a function compares the attributes of nodes or edges."""
    cost, match, _ = costs.compares[what]
    return cost is not None or match is not None


def number_all(data, number_of):
    """Return the number of each attribute dict; number_of(key, content) is asked once for each
    content.
    """
    types = set(map(type, chain.from_iterable(one.values() for one in data)))
    if not any(types <= plain for plain in PLAIN):
        return np.array([number_of(attribute_key(one), one) for one in data], np.int64)
    keys = [tuple(one.items()) for one in data]
    examples = dict(zip(keys, data, strict=True))
    known = {key: number_of(attribute_key(one), one) for key, one in examples.items()}
    return np.fromiter(map(known.__getitem__, keys), np.int64, len(keys))


def is_quick(graph):
    """Return whether QuickGraph takes it."""
    return hasattr(graph, "adjacency") and hasattr(graph, "nodes") and not graph.is_multigraph()


def numbered_pair(costs, G1, G2, names=("G1", "G2")):
    """Return the NumberedPair of two graphs in any form; InputError unless both are directed or
    both are not.
    """
    if is_quick(G1) and is_quick(G2) and G1.is_directed() == G2.is_directed():
        return NumberedPair(costs, QuickGraph(G1, costs), QuickGraph(G2, costs))
    graphs = [NumberedGraph(g, costs) for g in as_one_kind((G1, G2), names.__getitem__)]
    return NumberedPair(costs, *graphs)
