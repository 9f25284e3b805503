"""Edit distances of many pairs of small graphs by filters and depth-first search in C.

The labels of all graphs are numbered once, if the costs are four numbers: a node deleted or
inserted, a node relabelled, an edge deleted or inserted, an edge relabelled. A pair then costs
microseconds. Pairs that C does not decide are left to the caller.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

from gmtoolbox.core.lazy import np
from gmtoolbox.editing.small import (
    MOST_ALIKE,
    SHORT_WORK,
    WORK,
    is_small,
    is_sure,
    number_labels,
)
from gmtoolbox.models.attributed import own_names, shared_labels
from gmtoolbox.subgraphs.filters import Filter, GraphArrays

MOST_LABELS = 100  # different labels of nodes or edges; all pairs of them are compared


@dataclass
class SmallPairs:
    """The four costs of a collection, and numbers of its labels that cost the same if they differ.

    scale           the four costs
    types, kinds    ({number of a node (edge): number of its label}, the same of the second graph)
    """

    scale: tuple
    types: tuple
    kinds: tuple
    arrays: dict = field(default_factory=dict)  # (side, index): GraphArrays of one graph

    @classmethod
    def of(cls, functions, rows, columns):
        """Return the SmallPairs of NumberedGraphs, or None if the costs are of another form."""
        graphs = [*rows, *columns]
        labelled = common_labels([graph.graph for graph in graphs])
        several = any(len(edges) > 1 for graph in graphs for edges in graph.members.values())
        names = [names_of(graphs, kind) for kind in ("node", "edge")]
        if labelled is None or several or max(map(len, names)) > MOST_LABELS:
            return None
        node = {c for g in rows for c in g.node_costs(functions, "del")}
        node.update(c for g in columns for c in g.node_costs(functions, "ins"))
        edge = {c for g in rows for c in g.edge_costs(functions, "del")}
        edge.update(c for g in columns for c in g.edge_costs(functions, "ins"))
        if len(node) != 1 or len(edge) > 1:
            return None
        single, edge = node.pop(), edge.pop() if edge else 0.0
        found = []
        for kind, known, most in (("node", names[0], math.inf), ("edge", names[1], 2.0 * edge)):
            ask = lambda a, kind=kind, known=known: [
                functions.substitute(kind, a, b, labelled, (known[a], known[b])) for b in known
            ]
            found.append(number_labels(known, known, ask, most))
        if None in found:
            return None
        types, kinds = found
        return cls((single, types[2], edge, kinds[2]), types[:2], kinds[:2])

    @cached_property
    def counts(self):
        """Return the numbers of different labels of nodes and of edges."""
        listed = ([*one.values(), *other.values()] for one, other in (self.types, self.kinds))
        return [1 + max(numbers, default=0) for numbers in listed]

    def of_graph(self, graph, side, index):
        """Return the GraphArrays of a row (side 0) or column (side 1)."""
        if (side, index) not in self.arrays:
            ends = list(graph.members)
            edges = [graph.edge[first] for first, *_ in graph.members.values()]
            self.arrays[side, index] = GraphArrays(
                node_start=np.array([0, len(graph)], np.int64),
                edge_start=np.array([0, len(ends)], np.int64),
                type=np.array([self.types[side][number] for number in graph.node], np.int32),
                tail=np.array([i for i, _ in ends], np.int32),
                head=np.array([j for _, j in ends], np.int32),
                kind=np.array([self.kinds[side][number] for number in edges], np.int32),
            )
        return self.arrays[side, index]

    def decide(self, rows, columns, pairs, upper_bound, time_limit, is_over):
        """Return {pair: (distance or inf, lower bound)} of the pairs (i, j) that C decides; inf is
        a distance above upper_bound. is_over() ends the search.
        """
        chosen, found = {}, {}
        for i, j in pairs:
            work = self.work(len(rows[i]), len(columns[j]), upper_bound)
            if work != 0:
                chosen.setdefault((i, work), []).append(j)
        for (i, work), partners in chosen.items():
            if is_over():
                break
            asked = self.of_graph(rows[i], 0, i)
            others = join_arrays([self.of_graph(columns[j], 1, j) for j in partners])
            known = Filter(asked, others, rows[i].directed, *self.counts)
            answers = self.ask(known, len(partners), upper_bound, time_limit, work, is_over)
            for j, value, bound in zip(partners, *answers, strict=True):
                if not math.isnan(value):
                    found[i, j] = value, bound
        return found

    def work(self, n1, n2, upper_bound):
        """Return how much work a search of graphs of these sizes may do; None: the default."""
        if n1 * n2 == 0:
            return 0
        if upper_bound is not None:
            return None
        if self.counts == [1, 1] and max(n1, n2) > MOST_ALIKE or not is_small(n1, n2):
            return 0
        return WORK if is_sure(n1, n2) else SHORT_WORK

    def ask(self, known, n, upper_bound, time_limit, work, is_over):
        """Return (distances, lower bounds) of a Filter's graphs; inf: more than upper_bound, nan:
        not decided.
        """
        limit = math.inf if upper_bound is None else upper_bound
        bounds = np.zeros(n) if upper_bound is None else known.edit_bounds(self.scale, limit)
        near = np.flatnonzero(bounds <= limit)
        values = np.full(n, math.inf)
        how = dict(time_limit=time_limit, work=work, is_over=is_over)
        values[near] = known.edit_distances(self.scale, near, limit, **how)
        above = math.inf if upper_bound is None else math.nextafter(upper_bound, math.inf)
        bounds = np.where(np.isfinite(values), values, np.maximum(bounds, above))
        return values.tolist(), bounds.tolist()


def common_labels(graphs):
    """Return how all pairs of the graphs are compared by default; None if pairs differ."""
    known = {(bool(g.labelled), g.label_names) for g in graphs}
    if len(known) != 1 or any(g.is_pattern for g in graphs):
        return None
    named = graphs[0].labelled and graphs[0].label_names is not None
    if named and len({tuple(own_names(g, kind) for kind in ("node", "edge")) for g in graphs}) > 1:
        return None
    return shared_labels(graphs[0], graphs[0])


def names_of(graphs, kind):
    """Return {number of a node (edge): its name in one of the graphs}."""
    found = {}
    for graph in graphs:
        found.update(zip(getattr(graph, kind), getattr(graph, f"{kind}s"), strict=True))
    return found


def join_arrays(parts):
    """Return the GraphArrays of several graphs, one behind the other."""
    listed = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("type", "tail", "head", "kind")
    }
    starts = {
        name: np.concatenate([[0], np.cumsum([getattr(part, name)[1] for part in parts])])
        for name in ("node_start", "edge_start")
    }
    return GraphArrays(**{name: a.astype(np.int64) for name, a in starts.items()}, **listed)
