"""Edit distances of small graphs by two searches in C, before a matching problem is built.

search_distance     depth-first search over maps of nodes (cext/src/subgraphs/edit_search.c). It
                    takes costs of four numbers: a node deleted or inserted, a node relabelled, an
                    edge deleted or inserted, an edge relabelled. Whether the costs of an EditModel
                    are of this form is read from its tables, so that match functions, labels and
                    cost functions are all served.
by_common_edges     the largest common subgraph by its edges (subgraphs/common_edges.py), if neither
                    nodes nor edges have labels that cost anything:

                        distance = offset + min(n1, n2) c + g * number of common edges

                    where c <= 0 is the cost of any pair of nodes and g that of any pair of edges.
"""

import math
from functools import lru_cache

from gmtoolbox.core._ffi import check, ffi, lib
from gmtoolbox.core.lazy import np
from gmtoolbox.core.once import once
from gmtoolbox.engine.progress import Budget
from gmtoolbox.models.edits import EditModel
from gmtoolbox.subgraphs.common_edges import solve_if_quick
from gmtoolbox.subgraphs.filters import (
    MORE,
    OPEN,
    WORK_PER_SECOND,
    halve_costs,
    whole_costs,
)
from gmtoolbox.subgraphs.labelled import pair_by_edges

MOST_NODES = 24  # of the larger graph: beyond this, the matching problem is solved sooner
MOST_CELLS = 440  # pairs of nodes; beyond this, too
SURE_NODES = 16  # of graphs that are searched for long
MOST_ALIKE = 12  # of graphs without labels: beyond this, common edges are found sooner
WORK = 4_000_000  # entries of matrices; about 0.1 s
SHORT_WORK = 500_000  # of graphs of more than SURE_NODES
DENSE_WORK = 10_000_000  # of graphs whose matching problems take long
DENSE = 3.0  # mean degree of these
MOST_UNLABELLED = 40  # nodes of unlabelled graphs
FARTHEST = 2.0**60  # a limit in units
SHORT = 2.0**20  # costs up to this, and multiples of its inverse, have sums without rounding


def search_distance(model, upper_bound=None, seconds=math.inf):
    """Return (distance, lower bound, cost of the labels, labels) of an EditModel by depth-first
    search.

    None if the search does not apply or takes long, or more than these seconds. If the distance is
    above upper_bound, it is given as inf, and the labels are those of some path; they are None if
    counts of labels decide.
    """
    asked = SmallPair.of(model)
    if asked is None:
        return None
    if upper_bound is not None and (bound := asked.count_bound()) > upper_bound:
        return math.inf, bound, None, None
    units = asked.units
    if units is None:
        return None
    if upper_bound is None and asked.is_by_edges():
        return None
    unit, whole = units
    limit = FARTHEST if upper_bound is None else min(max(upper_bound, -unit) / unit, FARTHEST)
    found, bound, cost, labels = asked.search(whole, math.floor(limit), seconds)
    if found == OPEN or found != MORE and found != cost:  # another sum of the same costs
        return None
    return math.inf if found == MORE else found * unit, bound * unit, cost * unit, labels


@lru_cache
def exact_units(scale):
    """Return (unit, the four costs in units) if the search takes these costs, else None."""
    unit, whole = whole_costs(scale)
    is_exact = all(x * unit == y for x, y in zip(whole, halve_costs(scale), strict=True))
    return (unit, whole) if unit > 0.0 and is_exact and whole[1] <= 2 * whole[0] else None


def by_common_edges(model, time_limit, seed):
    """Return (labels, bound, status) of an EditModel of unlabelled graphs; None if it is not one,
    or if the search takes long.
    """
    if not is_unlabelled(model):
        return None
    with Budget(time_limit, seed) as budget:
        found = solve_if_quick(model, budget)
    if found is None:
        return None
    labels, outcome, _ = found
    n = min(len(model.first), len(model.second))
    bound = model.offset + n * float(model.unary[0, 0]) - model.common_gain * outcome.bound
    return match_all(labels, len(model.second)), bound, outcome.status


def is_unlabelled(model):
    """Return whether the number of common edges decides the distance of an EditModel."""
    graphs = (model.first, model.second)
    if type(model) is not EditModel or model.root_pair is not None or model.complete:
        return False
    if not all(0 < len(g) <= MOST_UNLABELLED and len(g.tail) for g in graphs):
        return False
    if any(any(g.loops) or len(g.tail) < len(g.edge) for g in graphs) or model.common_gain is None:
        return False
    free = model.substitution(0, 0) == 0.0 and model.edge_substitution(0, 0) == 0.0
    unary = model.unary
    is_constant = bool(np.all(unary == unary[0, 0])) and unary[0, 0] <= 0.0
    return free and is_constant and model.sums_are_exact and fit_all(model)


def fit_all(model):
    """Return True if all nodes and all edges become each other at no cost."""
    pair = pair_by_edges(model)
    return bool(np.all(pair.types_fit)) and bool(np.all(pair.kinds_fit))


def degree(graph):
    """Return the mean number of neighbours of the nodes of a NumberedGraph."""
    return 2.0 * len(graph.tail) / max(len(graph), 1)


def count_twins(graph):
    """Return how many nodes of a NumberedGraph have the neighbours of an earlier one."""
    near = [set() for _ in range(len(graph))]
    for i, j in zip(graph.tail.tolist(), graph.head.tolist(), strict=True):
        near[i].add(j)
        near[j].add(i)
    apart, joined = (
        len({frozenset(around) for around in sides})
        for sides in (near, [{k, *around} for k, around in enumerate(near)])
    )
    return 2 * len(graph) - apart - joined


def match_all(labels, n2):
    """Return labels that match every node of the smaller graph: pairs are added in any way."""
    labels = np.array(labels, int)
    rows = np.flatnonzero(labels < 0)
    columns = np.setdiff1d(np.arange(n2), labels)
    n = min(len(rows), len(columns))
    labels[rows[:n]] = columns[:n]
    return labels


class SmallPair:
    """Two graphs with numbers of labels that cost the same if they differ.

    sides           the NumberedGraphs
    node, relabel   costs of a node
    edge            cost of an edge
    types           {number of a node: number of its label}, of each graph
    """

    def __init__(self, model, node, relabel, edge, types):
        self.model, self.sides = model, (model.first, model.second)
        self.node, self.relabel, self.edge, self.types = node, relabel, edge, types

    @classmethod
    def of(cls, model):
        """Return the pair of an EditModel, or None if the costs of its nodes are of another form or
        its graphs are too large.
        """
        first, second = model.first, model.second
        if type(model) is not EditModel or model.root_pair is not None or model.complete:
            return None
        if not is_small(len(first), len(second)):
            return None
        node, edge = single_cost(model, "node"), single_cost(model, "edge")
        if node is None or edge is None:
            return None
        nodes = number_model(model, "node", math.inf)
        return None if nodes is None else cls(model, node, nodes[2], edge, nodes[:2])

    @once
    def numbered_edges(self):
        """Return ({number of an edge: number of its label}, the same of the second graph, cost of a
        relabelled edge); None if the costs are of another form.
        """
        return number_model(self.model, "edge", 2.0 * self.edge)

    @once
    def units(self):
        """Return exact_units of the four costs; None if the edges have others."""
        edges = self.numbered_edges
        if edges is None:
            return None
        return exact_units((self.node, self.relabel, self.edge, edges[2]))

    @once
    def type_of(self):
        """Return the number of the label of each node, those of both graphs in a row."""
        first, second = self.sides
        return renumber(self.types, first.node, second.node)

    def count_bound(self):
        """Return a lower bound by the numbers of edges, and of nodes with each label; 0 if its sum
        may be rounded.
        """
        node, relabel, (first, second) = self.node, min(self.relabel, 2 * self.node), self.sides
        if not are_short(node, relabel, self.edge):
            return 0.0
        surplus, lack = count_apart(self.type_of, len(first.nodes))
        nodes = min(surplus, lack) * relabel + abs(surplus - lack) * node
        return nodes + abs(len(first.edges) - len(second.edges)) * self.edge

    def is_by_edges(self):
        """Return whether by_common_edges finds the distance sooner."""
        is_large = max(map(len, self.sides)) > MOST_ALIKE
        return is_large and max(self.type_of) == 0 and is_unlabelled(self.model)

    def work(self, seconds):
        """Return how much work the search may do."""
        first, second = self.sides
        ends = 2 * (len(first.edges) + len(second.edges))
        most = DENSE_WORK if ends >= DENSE * (len(first) + len(second)) else WORK
        if not is_sure(len(first), len(second)):
            most = SHORT_WORK
        return int(min(most, WORK_PER_SECOND * seconds))

    def search(self, costs, limit, seconds=math.inf):
        """Return (distance in units, MORE or OPEN; lower bound, cost of the labels, labels) for
        costs in units. Parallel edges: OPEN.
        """
        (first, second), type_of = self.sides, self.type_of
        kind_of = renumber(self.numbered_edges, first.edge, second.edge)
        one, two = first.graph, second.graph
        n1, n, m = len(first.node), len(type_of), len(kind_of)
        at = ffi.new("int32_t[]", [*type_of, *one.tail, *two.tail, *one.head, *two.head, *kind_of])
        whole = ffi.new("int64_t[13]", (0, n1, n, 0, len(first.edge), m, *costs))
        sizes = 2, first.directed, 1 + max(type_of), 1 + max(kind_of, default=0)
        listed = (*sizes, whole, whole + 3, at, at + n, at + (n + m), at + (n + 2 * m))
        pair = ffi.new("gm_graph_list *", listed)
        how = ffi.new("gm_near_options *", (limit, self.work(seconds), 0.0))
        labels = ffi.new("int32_t[]", n1)
        check(lib.gm_edit_map(pair, whole + 6, how, labels, whole + 10))
        return *whole[10:13], ffi.unpack(labels, n1)


def is_small(n1, n2):
    """Return whether graphs of these sizes are searched."""
    return n1 * n2 > 0 and max(n1, n2) <= MOST_NODES and n1 * n2 <= MOST_CELLS


def is_sure(n1, n2):
    """Return whether a search of graphs of these sizes mostly ends."""
    return max(n1, n2) <= SURE_NODES


def renumber(known, ours, theirs):
    """Return the numbers of both graphs in a row, as two dicts give them."""
    return [*map(known[0].__getitem__, ours), *map(known[1].__getitem__, theirs)]


def count_apart(numbers, n):
    """Return how many of the first n numbers have no equal one among the others, and vice versa."""
    more = [0] * (1 + max(numbers))
    for number in numbers[:n]:
        more[number] += 1
    for number in numbers[n:]:
        more[number] -= 1
    surplus = sum([count for count in more if count > 0])
    return surplus, surplus - 2 * n + len(numbers)


@lru_cache
def are_short(*costs):
    """Return whether sums of multiples of these costs are not rounded."""
    return all(map(is_short, costs))


def is_short(cost):
    """Return whether sums of multiples of this cost are not rounded."""
    return cost <= SHORT and (SHORT * cost).is_integer()


def single_cost(model, kind):
    """Return the cost to delete any node (edge) of the first graph and to insert any of the second
    graph, 0 if there are none; None if they differ.
    """
    costs, first, second = model.costs, model.first, model.second
    delete, insert = costs.constant(kind, "del"), costs.constant(kind, "ins")
    if delete is not None and delete == insert:
        has_any = first.nodes or second.nodes if kind == "node" else first.edges or second.edges
        return delete if has_any else 0.0
    found = set()
    for graph, verb in ((first, "del"), (second, "ins")):
        if graph.nodes if kind == "node" else graph.edges:
            constant = costs.constant(kind, verb)
            ask = graph.node_costs if kind == "node" else graph.edge_costs
            found.update(ask(costs, verb) if constant is None else (constant,))
    return None if len(found) > 1 else found.pop() if found else 0.0


def number_model(model, kind, most):
    """Return number_labels of the nodes or edges of an EditModel; none costs more than `most`."""
    graphs, costs, labelled = (model.first, model.second), model.costs, model.labelled
    if not labelled and not costs.has_function[kind]:
        return *(dict.fromkeys(g.node if kind == "node" else g.edge, 0) for g in graphs), 0.0
    named = costs.has_cost(kind)
    ours, theirs = [name_labels(graph, kind, named) for graph in graphs]
    ask = lambda a: costs.substitute_each(kind, a, theirs, labelled, ours[a])
    return number_labels(ours, theirs, ask, most)


def name_labels(graph, kind, named):
    """Return {number: the first node or edge of a NumberedGraph that has it}, None instead of it
    if not `named`.
    """
    numbers, names = (graph.node, graph.nodes) if kind == "node" else (graph.edge, graph.edges)
    if not named:
        return dict.fromkeys(numbers)
    return dict(zip(reversed(numbers), reversed(names), strict=True))


def number_labels(ours, theirs, ask, most):
    """Return ({label of ours: number}, the same for theirs, cost of two different numbers); equal
    numbers cost 0. ask(a): the costs of a and each of theirs; none counts more than `most`. None if
    the costs are not of this form.
    """
    different, groups = set(), {}  # labels of theirs that cost nothing: number
    first, second = {}, {}
    for a in ours:
        row = ask(a)
        if most < math.inf:
            row = [min(cost, most) for cost in row]
        different.update(row)
        if len(different) > 2:
            return None
        alike = ()
        if 0.0 in row:
            alike = tuple([b for b, value in zip(theirs, row, strict=True) if value == 0.0])
        first[a] = number = groups.setdefault(alike, len(groups))
        for b in alike:
            if second.setdefault(b, number) != number:
                return None
    different.discard(0.0)
    if len(different) > 1 or min(different, default=0.0) < 0.0:
        return None
    for b in theirs:
        second.setdefault(b, len(groups))
    return first, second, different.pop() if different else 0.0
