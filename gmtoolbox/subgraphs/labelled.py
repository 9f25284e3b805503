"""Two graphs as the subgraph kernels see them: types of nodes, kinds of edges, and which of them
fit.
"""

from dataclasses import dataclass

from gmtoolbox.core._ffi import ffi, pointer
from gmtoolbox.core.lazy import np, optimize


@dataclass
class LabelledGraph:
    """Types of nodes; tail, head and kind of edges: int32 arrays."""

    type: object
    tail: object
    head: object
    kind: object


@dataclass
class GraphPair:
    """Two labelled graphs and the tables of types and kinds that fit, as booleans.

    weight : array or None
        (types of the first, types of the second) what a pair of nodes is worth.
    """

    first: LabelledGraph
    second: LabelledGraph
    directed: bool
    types_fit: object
    kinds_fit: object
    weight: object = None

    def swapped(self):
        """Return the same pair with the second graph first."""
        weight = None if self.weight is None else self.weight.T
        return GraphPair(
            self.second, self.first, self.directed, self.types_fit.T, self.kinds_fit.T, weight
        )

    def borrowing(self):
        """Return (gm_graph_pair *, objects that must outlive it)."""
        struct, kept = ffi.new("gm_graph_pair *"), []

        def lend(array):
            array = np.ascontiguousarray(array, np.int32).reshape(-1)
            kept.append(pointer(array))
            return kept[-1]

        for into, graph in ((struct.first, self.first), (struct.second, self.second)):
            into.n_nodes, into.n_edges = len(graph.type), len(graph.tail)
            into.type, into.tail = lend(graph.type), lend(graph.tail)
            into.head, into.kind = lend(graph.head), lend(graph.kind)
        struct.directed = self.directed
        struct.n_types1, struct.n_types2 = self.types_fit.shape
        struct.n_kinds1, struct.n_kinds2 = self.kinds_fit.shape
        struct.types_fit, struct.kinds_fit = lend(self.types_fit), lend(self.kinds_fit)
        return struct, kept


# ---- from the graphs of an EditModel


def pair_by_nodes(model, weight=None):
    """Return the GraphPair for induced subgraphs: loops belong to the type of their node, parallel
    edges are one edge of a kind of their own. `weight(data1, data2)` is what a pair of nodes is
    worth.
    """
    graphs = (model.first, model.second)
    types = [distinct(zip(graph.node, graph.loops, strict=True)) for graph in graphs]
    names = [[[key[k] for key in found] for k in (0, 1)] for found, _ in types]
    types_fit = labels_fit(model, "node", names[0][0], names[1][0])
    types_fit &= bundles_fit(model, names[0][1], names[1][1])
    kinds = [distinct(graph.bundle) for graph in graphs]
    kinds_fit = bundles_fit(model, kinds[0][0], kinds[1][0])
    listed = [
        LabelledGraph(type_of, graph.tail, graph.head, kind_of)
        for graph, (_, type_of), (_, kind_of) in zip(graphs, types, kinds, strict=True)
    ]
    pair = GraphPair(*listed, model.first.directed, types_fit, kinds_fit)
    if weight is None:
        return merged(pair)
    content = model.costs.numbers["node"].content
    pair.weight = np.array(
        [[weight(content[a], content[b]) for b in names[1][0]] for a in names[0][0]], float
    ).reshape(types_fit.shape)
    return pair


def pair_by_edges(model):
    """Return the GraphPair for subgraphs that are counted by edges: loops and parallel edges are
    edges like others.
    """
    graphs = (model.first, model.second)
    types = [distinct(graph.node) for graph in graphs]
    kinds = [distinct(graph.edge) for graph in graphs]
    listed = [
        LabelledGraph(type_of, graph.graph.tail, graph.graph.head, kind_of)
        for graph, (_, type_of), (_, kind_of) in zip(graphs, types, kinds, strict=True)
    ]
    types_fit = labels_fit(model, "node", types[0][0], types[1][0])
    kinds_fit = labels_fit(model, "edge", kinds[0][0], kinds[1][0])
    return merged(GraphPair(*listed, model.first.directed, types_fit, kinds_fit))


def distinct(keys):
    """Return (the different keys, the place of each among them)."""
    place = {}
    inverse = [place.setdefault(key, len(place)) for key in keys]
    return list(place), np.array(inverse, np.int64)


def labels_fit(model, what, numbers1, numbers2):
    """Return the table of the numbered nodes (what = "node") or edges that may be the same."""
    cost, match, _ = model.costs.compares[what]
    if cost is None and match is None:
        if not model.labelled:
            return np.ones((len(numbers1), len(numbers2)), bool)
        if model.labelled is True and not model.has_pattern:
            return np.equal.outer(np.array(numbers1, np.int64), np.array(numbers2, np.int64))
    ask = lambda a, b: np.isfinite(model.costs.substitute(what, a, b, model.labelled, (a, b)))
    known = {(a, b): ask(a, b) for a in set(numbers1) for b in set(numbers2)}
    table = [[known[a, b] for b in numbers2] for a in numbers1]
    return np.array(table, bool).reshape(len(numbers1), len(numbers2))


def bundles_fit(model, bundles1, bundles2):
    """Return the table of the bundles of edges that can be the same, edge by edge."""
    content = model.costs.bundles.content
    members1, members2 = ([content[b] for b in bundles] for bundles in (bundles1, bundles2))
    edges1, edges2 = (sorted({e for edges in side for e in edges}) for side in (members1, members2))
    fit = labels_fit(model, "edge", edges1, edges2)
    row, column = ({e: k for k, e in enumerate(edges)} for edges in (edges1, edges2))
    table = np.zeros((len(bundles1), len(bundles2)), bool)
    for k, one in enumerate(members1):
        rows = [row[e] for e in one]
        for m, other in enumerate(members2):
            table[k, m] = len(one) == len(other) and all_fit(
                fit[np.ix_(rows, [column[f] for f in other])]
            )
    return table


def all_fit(fit):
    """Return whether rows and columns of a square table can be paired so that all pairs fit."""
    if len(fit) <= 1:
        return bool(fit.all())
    rows, columns = optimize.linear_sum_assignment(fit, maximize=True)
    return bool(fit[rows, columns].all())


def merged(pair):
    """Return the pair with one number for all types, and kinds, that fit the same ones."""
    types_fit, *types = merge_table(pair.types_fit)
    kinds_fit, *kinds = merge_table(pair.kinds_fit)
    graphs = [
        LabelledGraph(type_of[graph.type], graph.tail, graph.head, kind_of[graph.kind])
        for graph, type_of, kind_of in zip((pair.first, pair.second), types, kinds, strict=True)
    ]
    return GraphPair(*graphs, pair.directed, types_fit, kinds_fit)


def merge_table(table):
    """Return (smaller table, new number of each row, of each column): equal ones are joined."""
    rows, row_of = distinct(row.tobytes() for row in table)
    columns, column_of = distinct(column.tobytes() for column in np.ascontiguousarray(table.T))
    smaller = np.zeros((len(rows), len(columns)), bool)
    smaller[np.ix_(row_of, column_of)] = table
    return smaller, row_of, column_of
