"""The common core of many graphs: a connected subgraph that all of them contain.

The core is a set of edges of the smallest graph, the reference. Branch and bound over the edges A
that may be in it: S_k is the largest common subgraph of A and graph k, found pair by pair. No core
in A has more edges than the smallest S_k. If all graphs contain that one, it is the best core in A.
If not, no core holds all of it: one branch for each of its edges leaves this edge out. S_k without
the edge stays as it is. The largest part of S_k that all graphs contain is a core on the way.
"""

import heapq
import math
import time
from dataclasses import dataclass, replace

from gmtoolbox.core.checks import suggest_arguments
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import number
from gmtoolbox.core.values import as_list
from gmtoolbox.editing.distance import time_remaining
from gmtoolbox.editing.subgraphs import solve_common
from gmtoolbox.engine.limits import check_time_limit
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.models.edit_costs import as_one_kind
from gmtoolbox.models.edits import EditModel
from gmtoolbox.subgraphs.chemistry import compare_by_rules, smarts_of
from gmtoolbox.subgraphs.labelled import match_costs

MOST_BRANCHES = 100  # before the search is given up


@dataclass
class CommonCore:
    """A connected subgraph of many graphs.

    Attributes
    ----------
    value, bound : float
        Its edges; and the number that no core exceeds.
    proven : bool
        Whether no core is larger.
    reference : int
        Index of the smallest graph, which the others are compared with.
    maps : list of dict
        For each graph: {node of the reference: its node}.
    edges : list
        Edges of the core, as the reference lists them.
    smarts : str or None
        Of molecules, the core as a SMARTS pattern.
    time : float
        Seconds that the caller waited.
    """

    value: float
    bound: float
    reference: int
    maps: list
    edges: list
    smarts: str
    time: float

    @property
    def proven(self):
        """Whether no core is larger."""
        return self.value >= self.bound

    def __repr__(self):
        most = "" if self.proven else f", at most {number(self.bound)}"
        return f"<CommonCore of {len(self.maps)} graphs, {number(self.value)} edges{most}>"


@suggest_arguments
def common_core(
    graphs,
    *,
    node_match=None,
    edge_match=None,
    atoms=None,
    bonds=None,
    ring_matches_ring=None,
    time_limit=None,
):
    """Find a large connected subgraph that all graphs contain.

    Branch and bound over the edges of the smallest graph, with largest common subgraphs of two
    graphs as bounds. It is given up after some hundred branches; then the core is not proven.

    Parameters
    ----------
    graphs : sequence of graphs as graph_edit_distance takes them
    node_match, edge_match, atoms, bonds, ring_matches_ring
        As in maximum_common_subgraph.
    time_limit : seconds, optional
        The best core so far is returned, with a bound.

    Returns
    -------
    CommonCore

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> ladder, grid = nx.ladder_graph(4), nx.grid_2d_graph(3, 3)
    >>> gm.common_core([ladder, grid, nx.hypercube_graph(3)])
    <CommonCore of 3 graphs, 9 edges>
    """
    started = time.perf_counter()
    check_time_limit(time_limit)
    graphs = as_list("graphs", graphs)
    if len(graphs) < 2:
        raise InputError(f"graphs must hold at least two graphs, got {len(graphs)}")
    names = [f"graphs[{k}]" for k in range(len(graphs))]
    given = dict(atoms=atoms, bonds=bonds, ring_matches_ring=ring_matches_ring)
    rules, graphs, node_match, edge_match = compare_by_rules(
        graphs, names, node_match, edge_match, **given
    )
    graphs = as_one_kind(graphs, names.__getitem__)
    reference = min(range(len(graphs)), key=lambda k: (len(graphs[k].edges), len(graphs[k])))
    search = CoreSearch(graphs, reference, (node_match, edge_match), started, time_limit)
    search.run()
    edges, maps = search.best
    first = graphs[reference]
    smarts = None if rules is None else core_smarts(graphs, reference, edges, maps, rules)
    return CommonCore(
        value=float(len(edges)),
        bound=max(search.bound, float(len(edges))),
        reference=reference,
        maps=maps,
        edges=[first.edges[k] for k in edges],
        smarts=smarts,
        time=time.perf_counter() - started,
    )


class CoreSearch:
    """Branch and bound for the core; best is (places of its edges in the reference, the map into
    each graph).
    """

    def __init__(self, graphs, reference, match, started, time_limit):
        self.graphs, self.reference, self.match = graphs, reference, match
        self.started, self.time_limit = started, time_limit
        self.others = [k for k in range(len(graphs)) if k != reference]
        self.bound = float(len(graphs[reference].edges))
        self.best = ([], [{} for _ in graphs])

    def run(self):
        """Search; `bound` is the bound of the branches that are left."""
        whole = frozenset(range(len(self.graphs[self.reference].edges)))
        pairs = {k: self.reduce(whole, k) for k in self.others}
        left, seen = [(-least_bound(pairs), 0, whole, pairs)], {whole}
        while left and len(seen) <= MOST_BRANCHES and not self.is_over():
            bound, _, allowed, pairs = heapq.heappop(left)
            self.bound = float(-bound)
            if self.bound <= len(self.best[0]):
                return
            chosen = self.try_all(pairs)
            for edge in chosen if len(self.best[0]) < self.bound else ():
                rest = allowed - {edge}
                if rest in seen:
                    continue
                seen.add(rest)
                own = {k: self.reduce(rest, k) if edge in p[0] else p for k, p in pairs.items()}
                if least_bound(own) > len(self.best[0]):
                    heapq.heappush(left, (-least_bound(own), len(seen), rest, own))
        self.bound = max([float(len(self.best[0])), *(float(-bound) for bound, *_ in left)])

    def is_over(self):
        """Return True if the time is over."""
        spent = time.perf_counter() - self.started
        return self.time_limit is not None and spent >= self.time_limit

    def try_all(self, pairs):
        """Reduce every S_k by the other graphs; return the edges of the smallest one."""
        order = sorted(self.others, key=lambda k: (pairs[k][2], k))
        for first in order:
            if len(self.best[0]) < len(pairs[first][0]):
                self.try_from(first, pairs[first], [k for k in order if k != first])
        return pairs[order[0]][0]

    def try_from(self, first, pair, rest):
        """Reduce the common subgraph with one graph by the rest; keep the core if it is larger."""
        edges, found = pair[0], {first: pair[1]}
        for k in rest:
            edges, found[k], _ = self.reduce(edges, k)
            if len(edges) <= len(self.best[0]):
                return
        reference = self.graphs[self.reference]
        ends = [*(reference.tail[e] for e in edges), *(reference.head[e] for e in edges)]
        nodes = {reference.nodes[u] for u in ends}
        found[self.reference] = {u: u for u in nodes}
        maps = [{u: v for u, v in found[k].items() if u in nodes} for k in range(len(self.graphs))]
        self.best = (sorted(edges), maps)

    def reduce(self, edges, k):
        """Return (edges, map, bound) of the largest connected part of these edges of the reference
        that graph k contains.
        """
        part = part_of(self.graphs[self.reference], edges)
        model = EditModel.of(match_costs(*self.match), part, self.graphs[k])
        asked = {"connected": True, "node_weight": None}
        limits = dict(time_limit=self.remaining(), seed=0, n_jobs=1)
        r = solve_common(model, "edge", time.perf_counter(), asked, DEFAULT_METHOD, **limits)
        place = {edge: k for k, edge in enumerate(self.graphs[self.reference].edges)}
        return [place[e] for e, _ in r.edges], r.mapping, math.floor(r.bound)

    def remaining(self):
        """Return the seconds that one reduction may take."""
        left = time_remaining(self.time_limit, self.started)
        return left if left is None else max(left / 2, 1e-3)


def least_bound(pairs):
    """Return the number of edges that no core exceeds."""
    return min(bound for _, _, bound in pairs.values())


def part_of(graph, edges):
    """Return a graph with all its nodes and some of its edges."""
    edges = sorted(edges)
    chosen = lambda values: [values[k] for k in edges]
    return replace(
        graph,
        edges=chosen(graph.edges),
        tail=chosen(graph.tail),
        head=chosen(graph.head),
        edge_data=chosen(graph.edge_data),
    )


def core_smarts(graphs, reference, edges, maps, rules):
    """Return the SMARTS of a core of molecules."""
    order = [reference, *(k for k in range(len(graphs)) if k != reference)]
    first, bonds = graphs[reference], []
    place = [
        {frozenset(ends): j for j, ends in enumerate(zip(g.tail, g.head, strict=True))}
        for g in graphs
    ]
    for e in edges:
        ends = [first.nodes[first.tail[e]], first.nodes[first.head[e]]]
        bonds.append(
            [place[k][frozenset(graphs[k].position[maps[k][u]] for u in ends)] for k in order]
        )
    return smarts_of([graphs[k] for k in order], [maps[k] for k in order], bonds, rules)
