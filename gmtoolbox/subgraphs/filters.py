"""Filters: bounds on how alike a query and each graph of a collection are, and edit distances of
small graphs, in C, before any model is built (cext/src/subgraphs/filters.c, near_graphs.c).
"""

import math
from dataclasses import dataclass

from gmtoolbox.core._ffi import check, ffi, lib, pointer
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_list
from gmtoolbox.models.attribute_numbers import attribute_key
from gmtoolbox.models.attributed import equal_key
from gmtoolbox.models.edit_costs import as_one_kind

MORE, OPEN = -1, -2  # answers of gm_edit_distances that are not a distance
PORTION = 500  # graphs of one call in C
BITS = 30  # of the largest cost; the others are rounded down
WORK = 8_000_000  # of the search for one distance, about 40 ms
WORK_PER_SECOND = 5e7  # on a slow machine
SLICE = 0.05  # seconds of C between two looks at Ctrl-C
FAR = 2**44  # a cost that stands for inf: no sum of costs overflows
ORDERS = dict.fromkeys(("SINGLE", "DOUBLE", "AROMATIC"), "ORDER")  # bonds that may be the same


@dataclass
class GraphArrays:
    """Graphs one behind the other, as gm_graph_list has them."""

    node_start: object
    edge_start: object
    type: object
    tail: object
    head: object
    kind: object


class GraphCollection:
    """Graphs that are searched more than once: they are read and numbered only once.

    Parameters
    ----------
    graphs : sequence of graphs as graph_edit_distance takes them
        All directed or all undirected.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> kept = gm.GraphCollection([nx.cycle_graph(n) for n in range(3, 9)])
    >>> kept
    <GraphCollection of 6 graphs, 33 nodes, 33 edges>
    >>> [hit.index for hit in gm.search(nx.path_graph(5), kept, max_distance=1)]
    [2]
    """

    def __init__(self, graphs):
        self.graphs = as_one_kind(as_list("graphs", graphs), lambda k: f"collection[{k}]")
        self.numbered = {}

    def __len__(self):
        return len(self.graphs)

    def __repr__(self):
        nodes, edges = (sum(len(getattr(g, x)) for g in self.graphs) for x in ("nodes", "edges"))
        return f"<GraphCollection of {len(self)} graphs, {nodes} nodes, {edges} edges>"

    @property
    def directed(self):
        """Whether the graphs are directed; None of an empty collection."""
        return self.graphs[0].directed if self.graphs else None

    def label_names(self):
        """Return (labelled, names of labels) if all graphs have the same, else None."""
        found = {(bool(graph.labelled), graph.label_names) for graph in self.graphs}
        return found.pop() if len(found) == 1 else None

    def arrays(self, rule):
        """Return (GraphArrays, numbers of node labels, of edge labels) by a LabelRule; None if a
        label cannot be hashed.
        """
        if rule not in self.numbered:
            try:
                self.numbered[rule] = number_graphs(self.graphs, rule)
            except TypeError:
                self.numbered[rule] = None
        return self.numbered[rule]


@dataclass(frozen=True)
class LabelRule:
    """How labels are numbered: equal labels get equal numbers.

    labelled, names : as of an AttributedGraph
    loose : of molecules, bonds that an aromatic one may be the same as get one number, and charges
        none
    """

    labelled: bool
    names: tuple = None
    loose: bool = False

    def node_key(self, data):
        """Return the label of a node."""
        if not self.labelled:
            return ()
        if self.loose:
            return data["symbol"]
        return self.key(data, 0)

    def edge_key(self, data):
        """Return the label of an edge."""
        if not self.labelled:
            return ()
        if self.loose:
            return ORDERS.get(data["bond"], data["bond"])
        return self.key(data, 1)

    def key(self, data, which):
        """Return an object that is equal if the labels are."""
        if self.names is None:
            return attribute_key(data)
        return tuple(equal_key(data.get(name)) for name in self.names[which])


def number_graphs(graphs, rule, known=None):
    """Return (GraphArrays, {node label: number}, {edge label: number}); `known` holds numbers that
    are taken over.
    """
    types, kinds = (dict(numbers) for numbers in known) if known else ({}, {})
    type_of = [types.setdefault(rule.node_key(d), len(types)) for g in graphs for d in g.node_data]
    kind_of = [kinds.setdefault(rule.edge_key(d), len(kinds)) for g in graphs for d in g.edge_data]
    start = lambda sizes: np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    arrays = GraphArrays(
        node_start=start([len(g.nodes) for g in graphs]),
        edge_start=start([len(g.edges) for g in graphs]),
        type=np.array(type_of, np.int32),
        tail=np.array([u for g in graphs for u in g.tail], np.int32),
        head=np.array([v for g in graphs for v in g.head], np.int32),
        kind=np.array(kind_of, np.int32),
    )
    return arrays, types, kinds


class Filter:
    """A query numbered like a collection; each method asks C about all graphs.

    asked, arrays       GraphArrays of the query and of the collection
    n_types, n_kinds    how many numbers of labels there are
    compares_all        whether graphs have no attributes that labels do not show
    """

    def __init__(self, asked, arrays, directed, n_types, n_kinds, compares_all=True):
        self.arrays, self.compares_all = arrays, compares_all
        self.query, self.kept = ffi.new("gm_labelled_graph *"), []
        self.query.n_nodes, self.query.n_edges = len(asked.type), len(asked.tail)
        for name in ("type", "tail", "head", "kind"):
            setattr(self.query, name, self.lend(getattr(asked, name)))
        self.size = dict(directed=directed, n_types=max(n_types, 1), n_kinds=max(n_kinds, 1))

    @classmethod
    def of(cls, query, collection, numbered, rule):
        """Return the Filter of a query; `numbered` are the collection's arrays and labels."""
        arrays, *known = numbered
        asked, types, kinds = number_graphs([query], rule, known)
        shows_all = compares_all([query, *collection.graphs], rule)
        return cls(asked, arrays, query.directed, len(types), len(kinds), shows_all)

    def lend(self, array):
        """Return a pointer to an array that lives as long as this object."""
        self.kept.append(pointer(array))
        return self.kept[-1]

    def ask(self, function, dtype, *given):
        """Return the numbers that a C function of all graphs fills in, a portion at a time."""
        n = len(self.arrays.node_start) - 1
        answers = np.zeros(n, dtype)
        held = {name: pointer(array) for name, array in vars(self.arrays).items()}
        for first in range(0, n, PORTION):
            here = min(PORTION, n - first)
            starts = {name: held[name] + first for name in ("node_start", "edge_start")}
            part = ffi.new("gm_graph_list *", {**held, **starts, **self.size, "n_graphs": here})
            into = answers[first : first + here]
            check(function(part, self.query, *given, pointer(into)))
        return answers

    def edit_bounds(self, scale, limit=math.inf):
        """Return lower bounds on the edit distances to the query, for costs (node, node relabelled,
        edge, edge relabelled); those above the limit need not be the best ones.
        """
        unit, whole = whole_costs(scale)
        if unit == 0.0:
            return np.zeros(len(self.arrays.node_start) - 1)
        most = int(min(limit / unit, 2.0**62))
        asked = self.lend(np.array(whole, np.int64))
        return self.ask(lib.gm_edit_bounds, np.int64, asked, most) * unit

    def edit_distances(
        self, scale, chosen, limit=math.inf, time_limit=None, work=None, is_over=lambda: False
    ):
        """Return the edit distances of the chosen graphs to the query; inf: more than the limit,
        nan: not decided with this much work for each, or before is_over().
        """
        unit, whole = whole_costs(scale)
        halves = halve_costs(scale)
        exact = [x * unit == y or y == math.inf for x, y in zip(whole, halves, strict=True)]
        if unit == 0.0 or not all(exact) or whole[1] > 2 * whole[0]:
            return np.full(len(chosen), math.nan)
        work = WORK if work is None else work
        work = work if time_limit is None else min(work, time_limit * WORK_PER_SECOND)
        most = math.floor(min(max(limit, -unit) / unit, 2.0**60))
        how = dict(limit=most, max_work=int(work), seconds=SLICE)
        options = ffi.new("gm_near_options *", how)
        fields = {name: pointer(array) for name, array in vars(self.arrays).items()}
        n = len(self.arrays.node_start) - 1
        graphs = ffi.new("gm_graph_list *", {**fields, **self.size, "n_graphs": n})
        chosen, costs = np.array(chosen, np.int32), pointer(np.array(whole, np.int64))
        found, done = np.full(len(chosen), OPEN, np.int64), 0
        while done < len(chosen) and not is_over():
            rest = (pointer(chosen[done:]), len(chosen) - done, pointer(found[done:]))
            done += check(lib.gm_edit_distances(graphs, self.query, costs, options, *rest))
        return np.select([found == MORE, found == OPEN], [math.inf, math.nan], found * unit)

    def most_common(self):
        """Return upper bounds on the numbers of common edges."""
        return self.ask(lib.gm_common_bounds, np.int32)

    def may_contain(self):
        """Return an array that is True if a graph may contain the query."""
        return self.ask(lib.gm_contained_filter, np.int32) != 0


def compares_all(graphs, rule):
    """Return True if all attributes are labels, or if no labels are compared."""
    unnamed = [k for k in (0, 1) if rule.labelled and rule.names is not None and not rule.names[k]]
    return not any(data for k in unnamed for g in graphs for data in (g.node_data, g.edge_data)[k])


def halve_costs(scale):
    """Return the costs of a node, a relabelled one, half an edge, half a relabelled one."""
    node, relabel, edge, edge_relabel = scale
    return [node, relabel, edge / 2, edge_relabel / 2]


def whole_costs(scale):
    """Return (unit, costs in units, rounded down) of a scale; the unit is 0 if all costs are."""
    costs = halve_costs(scale)
    largest = max([x for x in costs if math.isfinite(x)], default=0.0)
    if largest == 0.0:
        return 0.0, [0] * 4
    unit = math.ldexp(1.0, math.frexp(largest)[1] - BITS)
    return unit, [int(x / unit) if math.isfinite(x) else FAR for x in costs]


def filter_of(query, collection, loose=False):
    """Return the Filter of a query, or None if labels cannot be compared by numbers."""
    kind = collection.label_names()
    if kind is None or query.is_pattern or (bool(query.labelled) and kind[0]) != kind[0]:
        return None
    if kind[0] and query.label_names != kind[1]:
        return None
    rule = LabelRule(*kind, loose)
    numbered = collection.arrays(rule)
    try:
        return None if numbered is None else Filter.of(query, collection, numbered, rule)
    except TypeError:  # a label of the query cannot be hashed
        return None


def as_collection(collection):
    """Return a GraphCollection."""
    if isinstance(collection, GraphCollection):
        return collection
    if isinstance(collection, (str, bytes)) or not hasattr(collection, "__iter__"):
        raise InputError(
            f"collection must be a sequence of graphs, got {type(collection).__name__}"
        )
    return GraphCollection(collection)
