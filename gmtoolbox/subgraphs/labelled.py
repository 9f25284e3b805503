"""Two graphs as the subgraph kernels see them: types of nodes, kinds of edges, and which of them
fit.
"""

import math
from dataclasses import dataclass

from gmtoolbox.core._ffi import ffi, pointer
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, optimize
from gmtoolbox.core.once import once
from gmtoolbox.models.edit_costs import EditCosts


@dataclass
class LabelledGraph:
    """Types of nodes; tail, head and kind of edges: int32 arrays."""

    type: object
    tail: object
    head: object
    kind: object

    @once
    def lent(self):
        """Return C pointers to the four arrays; they keep these alive."""
        return tuple(map(lend, (self.type, self.tail, self.head, self.kind)))

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "lent"}


def lend(array):
    """Return a C pointer to an array as int32 numbers; it keeps them alive."""
    return pointer(np.ascontiguousarray(array, np.int32).reshape(-1))


@dataclass
class GraphPair:
    """Two labelled graphs and the tables of types and kinds that fit, as booleans.

    weight : array or None
        (types of the first, types of the second) the weight of a pair of nodes.
    """

    first: LabelledGraph
    second: LabelledGraph
    directed: bool
    types_fit: object
    kinds_fit: object
    weight: object = None

    def swap_sides(self):
        """Return the same pair with the second graph first."""
        weight = None if self.weight is None else self.weight.T
        return GraphPair(
            self.second, self.first, self.directed, self.types_fit.T, self.kinds_fit.T, weight
        )

    def borrowing(self):
        """Return (gm_graph_pair *, objects that must outlive it)."""
        struct = ffi.new("gm_graph_pair *")
        for into, graph in ((struct.first, self.first), (struct.second, self.second)):
            into.n_nodes, into.n_edges = len(graph.type), len(graph.tail)
            into.type, into.tail, into.head, into.kind = graph.lent
        struct.directed = self.directed
        struct.n_types1, struct.n_types2 = self.types_fit.shape
        struct.n_kinds1, struct.n_kinds2 = self.kinds_fit.shape
        fits = struct.types_fit, struct.kinds_fit = lend(self.types_fit), lend(self.kinds_fit)
        return struct, (self.first.lent, self.second.lent, fits)


# ---- from the graphs of an EditModel


def match_costs(node_match, edge_match, node_weight=None):
    """Return EditCosts under which an edit path pays 1 for every edge that is not common, half on
    either side. Pairs that must not be the same cost inf. If node_weight is given, nodes of
    different attributes have different numbers.
    """
    for name, match in (("node_match", node_match), ("edge_match", edge_match)):
        if not (match is None or callable(match)):
            raise InputError(f"{name} must be a function, got {match!r}")
    strict = lambda match: match and (lambda a, b: 0.0 if match(a, b) else math.inf)
    costs = EditCosts(
        node_subst_cost=strict(node_match),
        edge_subst_cost=strict(edge_match),
        costs=(0.0, math.inf, 0.5, math.inf),
    )
    costs.has_function["node"] |= node_weight is not None
    return costs


def pair_by_nodes(model, weight=None, contained=False):
    """Return the GraphPair for induced subgraphs: loops belong to the type of their node, parallel
    edges are one edge of a kind of their own. `weight(data1, data2)` is the weight of a pair
    of nodes. contained: the second graph may have more loops and parallel edges.
    """
    graphs = (model.first, model.second)
    if weight is None and all(hasattr(graph, "listed") for graph in graphs):
        return plain_pair(*graphs)
    types = [distinct_pairs(graph.node, graph.loops) for graph in graphs]
    names = [keys for keys, _ in types]
    types_fit = labels_fit(model, "node", names[0][0], names[1][0])
    types_fit &= bundles_fit(model, names[0][1], names[1][1], contained)
    kinds = [distinct(graph.bundle) for graph in graphs]
    kinds_fit = bundles_fit(model, kinds[0][0], kinds[1][0], contained)
    listed = [
        LabelledGraph(type_of, graph.tail, graph.head, kind_of)
        for graph, (_, type_of), (_, kind_of) in zip(graphs, types, kinds, strict=True)
    ]
    pair = GraphPair(*listed, model.first.directed, types_fit, kinds_fit)
    if weight is None:
        return merge_numbers(pair)
    content = model.costs.numbers["node"].content
    pair.weight = np.array(
        [[weight(content[a], content[b]) for b in names[1][0]] for a in names[0][0]], float
    ).reshape(types_fit.shape)
    return pair


def plain_pair(first, second):
    """Return the GraphPair of two Ends: all nodes have one type, and all edges one kind."""
    graphs = (first.listed, second.listed)
    sizes = [(min(len(graph.type), 1), min(len(graph.kind), 1)) for graph in graphs]
    fits = [np.ones(both, bool) for both in zip(*sizes, strict=True)]
    return GraphPair(*graphs, first.directed, *fits)


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
    return merge_numbers(GraphPair(*listed, model.first.directed, types_fit, kinds_fit))


def distinct(numbers):
    """Return (the different numbers >= 0, the place of each among them)."""
    numbers = np.asarray(numbers, np.int64)
    most = int(numbers.max(initial=0))
    if most > 4 * len(numbers) + 1000:
        found, inverse = np.unique(numbers, return_inverse=True)
        return found.tolist(), inverse
    found = np.flatnonzero(np.bincount(numbers, minlength=1))
    place = np.empty(most + 1, np.int64)
    place[found] = np.arange(len(found))
    return found.tolist(), place[numbers]


def distinct_pairs(one, other):
    """Return ((first numbers, second numbers) of the different pairs, the place of each)."""
    one, other = np.asarray(one, np.int64), np.asarray(other, np.int64)
    width = int(other.max(initial=0)) + 1
    found, inverse = distinct(one * width + other)
    return [[pair // width for pair in found], [pair % width for pair in found]], inverse


def distinct_rows(table):
    """Return (how many different rows there are, the number of each row)."""
    place = {}
    inverse = [place.setdefault(row.tobytes(), len(place)) for row in np.ascontiguousarray(table)]
    return len(place), np.array(inverse, np.int64)


def labels_fit(model, what, numbers1, numbers2):
    """Return the table of the numbered nodes (what = "node") or edges that become each other at no
    cost.
    """
    cost, match, relabel = model.costs.compares[what]
    if cost is None and match is None:
        if not model.labelled or relabel == 0:
            return np.ones((len(numbers1), len(numbers2)), bool)
        if model.labelled is True and not model.has_pattern:
            return np.equal.outer(np.array(numbers1, np.int64), np.array(numbers2, np.int64))

    theirs = {b: b for b in numbers2}

    def ask(a):
        try:
            return model.costs.substitute_each(what, a, theirs, model.labelled, a)
        except InputError:  # once more, with names in the message
            names = [example_names(graph, what) for graph in (model.first, model.second)]
            named = {b: names[1].get(b, b) for b in theirs}
            return model.costs.substitute_each(what, a, named, model.labelled, names[0].get(a, a))

    rows = {a: ask(a) for a in dict.fromkeys(numbers1)}
    table = np.array([rows[a] for a in numbers1], float).reshape(len(numbers1), len(theirs)) == 0.0
    place = {b: k for k, b in enumerate(theirs)}
    return table[:, [place[b] for b in numbers2]]


def example_names(graph, what):
    """Return {number: name of a node or edge with this number}, for messages; names of edges only
    if the graph lists them.
    """
    if what == "edge" and not hasattr(graph, "edge"):
        return {}
    numbers, names = (graph.node, graph.nodes) if what == "node" else (graph.edge, graph.edges)
    return dict(zip(reversed(list(numbers)), reversed(names), strict=True))


def bundles_fit(model, bundles1, bundles2, contained=False):
    """Return the table of the bundles of edges that can be the same, edge by edge; contained: the
    second may have more edges.
    """
    content = model.costs.bundles.content
    (distinct1, place1), (distinct2, place2) = distinct(bundles1), distinct(bundles2)
    members1, members2 = ([content[b] for b in bundles] for bundles in (distinct1, distinct2))
    edges1, edges2 = (sorted({e for edges in side for e in edges}) for side in (members1, members2))
    fit = labels_fit(model, "edge", edges1, edges2)
    row, column = ({e: k for k, e in enumerate(edges)} for edges in (edges1, edges2))
    if all(len(edges) == 1 for edges in (*members1, *members2)):
        rows, columns = [row[e] for (e,) in members1], [column[f] for (f,) in members2]
        return fit[rows][:, columns][place1][:, place2]
    table = np.zeros((len(distinct1), len(distinct2)), bool)
    for k, one in enumerate(members1):
        rows = [row[e] for e in one]
        for m, other in enumerate(members2):
            enough = len(one) <= len(other) if contained else len(one) == len(other)
            table[k, m] = enough and all_fit(fit[np.ix_(rows, [column[f] for f in other])])
    return table[place1][:, place2]


def all_fit(fit):
    """Return True if every row of a table can have a fitting column of its own."""
    if len(fit) <= 1:
        return bool(fit.any()) or len(fit) == 0
    rows, columns = optimize.linear_sum_assignment(fit, maximize=True)
    return bool(fit[rows, columns].all())


def merge_numbers(pair):
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
    (n_rows, row_of), (n_columns, column_of) = distinct_rows(table), distinct_rows(table.T)
    smaller = np.zeros((n_rows, n_columns), bool)
    smaller[np.ix_(row_of, column_of)] = table
    return smaller, row_of, column_of


def is_one_to_one(table):
    """Return True if no row and no column of a table of booleans has two."""
    return bool((table.sum(0) <= 1).all() and (table.sum(1) <= 1).all())
