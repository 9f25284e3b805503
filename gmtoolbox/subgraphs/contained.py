"""Subgraphs that a graph contains: find, list and count them; isomorphic graphs.

The kernel is cext/src/subgraphs/contained.c, a constraint search in the manner of LAD (Solnon, AIJ
2010) and the Glasgow solver (McCreesh and Prosser, CP 2015).
"""

import math
import time

from gmtoolbox.core._ffi import check, ffi, lib, pointer, view
from gmtoolbox.core.checks import suggest_arguments
from gmtoolbox.core.errors import InputError, TimeLimitError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_count, check_flag
from gmtoolbox.engine.limits import check_time_limit
from gmtoolbox.subgraphs.labelled import is_one_to_one, match_costs, pair_by_nodes
from gmtoolbox.subgraphs.quick import number_pair

SLICE = 0.05  # seconds of C between two looks at Ctrl-C
ALL = 2**62
MEMORY = 2**31  # bytes that the candidates may take


@suggest_arguments
def find_subgraphs(
    pattern, G, *, induced=False, limit=None, node_match=None, edge_match=None, time_limit=None
):
    """Find every place of a pattern in a graph.

    Parameters
    ----------
    pattern, G : graphs as graph_edit_distance takes them
    induced : bool
        Whether nodes without an edge in the pattern have none in G either.
    limit : int, optional
        Stop after this many.
    node_match, edge_match : callable, optional
        Whether a node (edge) of the pattern may become one of G, decided by their attribute dicts.
        Labels of matrices and molecules are compared by default.
    time_limit : seconds, optional
        TimeLimitError is raised if the search has not ended by then.

    Returns
    -------
    generator of dict
        {node of the pattern: node of G}. Symmetric patterns are found once for every symmetry.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> next(gm.find_subgraphs(nx.cycle_graph(4), nx.grid_2d_graph(3, 3)))
    {0: (1, 1), 1: (0, 1), 2: (0, 0), 3: (1, 0)}
    >>> len(list(gm.find_subgraphs(nx.cycle_graph(4), nx.grid_2d_graph(3, 3))))
    32
    """
    names = ("pattern", "G")
    asked = Question.of(pattern, G, node_match, edge_match, names, induced=induced, limit=limit)
    return asked.maps(time_limit)


@suggest_arguments
def count_subgraphs(
    pattern, G, *, induced=False, limit=None, node_match=None, edge_match=None, time_limit=None
):
    """Count the places of a pattern in a graph, as find_subgraphs yields them.

    Parameters
    ----------
    pattern, G, induced, node_match, edge_match, time_limit
        As in find_subgraphs.
    limit : int, optional
        Stop counting at this number.

    Returns
    -------
    int

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> triangle = nx.complete_graph(3)
    >>> gm.count_subgraphs(triangle, nx.complete_graph(5)) // 6       # 6 symmetries
    10
    """
    names = ("pattern", "G")
    asked = Question.of(pattern, G, node_match, edge_match, names, induced=induced, limit=limit)
    return asked.count(time_limit)


@suggest_arguments
def is_isomorphic(G1, G2, *, node_match=None, edge_match=None, time_limit=None):
    """Return True if two graphs are the same but for the names of their nodes.

    Parameters
    ----------
    G1, G2 : graphs as graph_edit_distance takes them
    node_match, edge_match, time_limit
        As in find_subgraphs.

    Returns
    -------
    bool

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> square, bipartite = nx.cycle_graph(4), nx.complete_bipartite_graph(2, 2)
    >>> [gm.is_isomorphic(square, other) for other in (bipartite, nx.star_graph(3))]
    [True, False]
    """
    asked = Question.of(G1, G2, node_match, edge_match, isomorphic=True, limit=1)
    return asked.count(time_limit) == 1


@suggest_arguments
def isomorphisms(G1, G2, *, limit=None, node_match=None, edge_match=None, time_limit=None):
    """Find the one-to-one maps of the nodes of G1 to those of G2 that keep edges and non-edges.

    Parameters
    ----------
    G1, G2 : graphs as graph_edit_distance takes them
    limit, node_match, edge_match, time_limit
        As in find_subgraphs.

    Returns
    -------
    generator of dict
        {node of G1: node of G2}

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> list(gm.isomorphisms(nx.path_graph(3), nx.Graph(["ab", "bc"])))
    [{0: 'a', 1: 'b', 2: 'c'}, {0: 'c', 1: 'b', 2: 'a'}]
    """
    asked = Question.of(G1, G2, node_match, edge_match, isomorphic=True, limit=limit)
    return asked.maps(time_limit)


class Question:
    """Two numbered graphs and which maps of the first into the second count.

    model is a NumberedPair or an EditModel; labels fit if they become each other at no cost.
    """

    def __init__(self, model, *, induced=False, isomorphic=False, limit=None):
        self.started = time.perf_counter()
        induced = check_flag("induced", induced) or isomorphic
        self.limit = 0 if limit is None else check_count("limit", limit)
        self.nodes = [model.first.nodes, model.second.nodes]
        self.pair = pair_by_nodes(model, contained=not induced)
        self.options = dict(induced=induced, isomorphic=isomorphic, limit=self.limit)

    @classmethod
    def of(cls, G1, G2, node_match=None, edge_match=None, names=("G1", "G2"), **options):
        """Return the Question about two graphs in any form."""
        started = time.perf_counter()
        asked = cls(number_pair(match_costs(node_match, edge_match), G1, G2, names), **options)
        asked.started = started
        return asked

    def run(self, time_limit, **options):
        """Yield the gm_run after every slice of its work; it is freed in the end."""
        check_time_limit(time_limit)
        run, kept = self.begin(**options)
        end = math.inf if time_limit is None else self.started + time_limit
        try:
            while True:
                seconds = min(SLICE, max(end - time.perf_counter(), 0.0))
                check(lib.gm_contained_step(run, ALL, seconds))
                yield run
                if run.finished:
                    return
                if time.perf_counter() >= end:
                    raise TimeLimitError(
                        f"time_limit of {time_limit:g} s is over: {lib.gm_contained_count(run)}"
                        " found so far"
                    )
        finally:
            lib.gm_contained_free(run)
            del kept

    def first(self, max_nodes, seconds=math.inf, fixed=None):
        """Return (the first map as positions in the second graph or None, whether the search has
        ended), for at most this many nodes and seconds. fixed: the position of each image, -1: any.
        """
        options = {} if fixed is None else {"fixed": pointer(fixed)}
        run, kept = self.begin(limit=1, **options)
        end = time.perf_counter() + seconds
        try:
            while not run.finished and run.iteration < max_nodes and time.perf_counter() < end:
                allowed = min(SLICE, max(end - time.perf_counter(), 0.0))
                check(lib.gm_contained_step(run, max_nodes - run.iteration, allowed))
            found = lib.gm_contained_count(run)
            return (view(run.labels, run.n1, np.int32) if found else None), bool(run.finished)
        finally:
            lib.gm_contained_free(run)
            del kept

    def begin(self, **options):
        """Return (a new gm_run, objects that must outlive it)."""
        struct, kept = self.pair.borrowing()
        chosen = ffi.new("gm_contained_options *", {**self.options, **options})
        if lib.gm_contained_memory(struct, chosen) > MEMORY:
            sizes = [len(nodes) for nodes in self.nodes]
            raise InputError(f"the graphs are too large: {sizes[0]} and {sizes[1]} nodes")
        run = lib.gm_contained_new(struct, chosen)
        if run == ffi.NULL:
            raise MemoryError("the search for subgraphs could not get its memory")
        return run, (struct, kept, chosen)

    def count(self, time_limit=None):
        """Return how many maps there are."""
        for run in self.run(time_limit, count_only=True):
            found = lib.gm_contained_count(run)
        return int(found)

    def has_equal_labels(self):
        """Return whether each label fits at most one of the other graph."""
        return is_one_to_one(self.pair.types_fit) and is_one_to_one(self.pair.kinds_fit)

    def arrays(self, time_limit=None, **options):
        """Yield the maps as lists of positions in the second graph."""
        n, remaining = len(self.nodes[0]), self.limit or ALL
        buffer = np.empty((max(2**16 // max(n, 1), 1), n), np.int32)
        for run in self.run(time_limit, **options):
            found = lib.gm_contained_take(run, pointer(buffer.reshape(-1)), len(buffer))
            maps = buffer[: min(found, remaining)].tolist()
            remaining -= len(maps)
            yield from maps

    def maps(self, time_limit=None):
        """Yield the maps as dicts of the graphs' own nodes."""
        first, second = self.nodes
        for found in self.arrays(time_limit):
            yield dict(zip(first, (second[k] for k in found), strict=True))
