"""Search a collection of graphs for those that are like a query.

Filters in C exclude most graphs before any model is built (gmtoolbox/subgraphs/filters.py). The
others are decided by the exact searches. Answers do not depend on n_jobs.
"""

import time
from dataclasses import dataclass

from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError, TimeLimitError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import seconds_text
from gmtoolbox.core.values import check_count, check_flag, check_jobs
from gmtoolbox.editing.distance import check_upper_bound
from gmtoolbox.editing.matrix import edit_distances
from gmtoolbox.editing.subgraphs import maximum_common_subgraph
from gmtoolbox.engine.limits import check_time_limit
from gmtoolbox.models.attributed import as_attributed
from gmtoolbox.models.cost_presets import PRESETS
from gmtoolbox.models.edit_costs import EditCosts, as_one_kind, check_scale
from gmtoolbox.subgraphs.chemistry import is_molecule
from gmtoolbox.subgraphs.contained import Question
from gmtoolbox.subgraphs.filters import GraphCollection, as_collection, filter_of

MEASURES = ("edit", "common", "contained")
PORTION = 50  # graphs that are decided before the k-th distance is looked at again
SAME = 1e-12  # relative: distances that differ by less are equal but for the order of their sums


@dataclass(frozen=True)
class Hit:
    """A graph of a collection: its index, and its distance to the query; proven is False if the
    distance may be smaller.
    """

    index: int
    distance: float
    proven: bool = True


@dataclass
class SearchResult:
    """Graphs of a collection that are like a query; iterating yields the hits.

    Attributes
    ----------
    hits : list of Hit
        By distance, equal ones by index.
    undecided : list of int
        Indices of the graphs for which the time limit ended before it was clear whether they are
        hits.
    n_filtered : int
        How many graphs the filters have excluded.
    time : float
        Seconds that the caller waited.
    """

    hits: list
    undecided: list
    n_filtered: int
    time: float

    def __iter__(self):
        return iter(self.hits)

    def __len__(self):
        return len(self.hits)

    def __repr__(self):
        open_ones = f", {len(self.undecided)} undecided" if self.undecided else ""
        return f"<SearchResult {len(self.hits)} hits{open_ones}, {seconds_text(self.time)}>"


def search(
    query,
    collection,
    *,
    max_distance=None,
    k=None,
    measure="edit",
    n_jobs=1,
    time_limit=None,
    store=None,
    resume=True,
    **given,
):
    """Find the graphs of a collection that are like a query.

    Parameters
    ----------
    query : graph as graph_edit_distance takes it
    collection : sequence of graphs, or GraphCollection
        A GraphCollection is read once for many searches.
    max_distance : number, optional
        Find all graphs up to this distance.
    k : int, optional
        Find the k nearest graphs; of equal distances those of smaller index. One of max_distance
        and k is needed, and for measure="contained" none.
    measure : "edit", "common" or "contained"
        The edit distance; the number of edges of both graphs that are not in their largest common
        subgraph; or whether the graph contains the query (then the distance is 0).
    n_jobs : int
        Processes; -1: one for each processor. Never changes an answer.
    time_limit : seconds for each pair, optional
    store, resume
        For measure="edit": as in edit_distances.
    given
        As in graph_edit_distance, maximum_common_subgraph (for molecules, too, common subgraphs
        need not be connected unless connected=True) or find_subgraphs.

    Returns
    -------
    SearchResult

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> rings = [nx.cycle_graph(n) for n in range(3, 12)]
    >>> found = gm.search(nx.path_graph(6), rings, max_distance=3)
    >>> [(hit.index, hit.distance) for hit in found]
    [(3, 1.0), (2, 3.0), (4, 3.0)]
    >>> [hit.index for hit in gm.search(nx.path_graph(6), rings, k=2)]
    [3, 2]
    >>> [hit.index for hit in gm.search(nx.path_graph(8), rings, measure="contained")]
    [5, 6, 7, 8]
    """
    started = time.perf_counter()
    if measure not in MEASURES:
        raise InputError(f"measure must be one of {', '.join(MEASURES)}, got {measure!r}")
    resume = check_flag("resume", resume)
    refuse_unused(
        "goes with measure='edit'",
        store=measure != "edit" and store is not None,
        resume=measure != "edit" and not resume,
    )
    refuse_unused("goes with a store", resume=store is None and not resume)
    limits = dict(max_distance=max_distance is not None, k=k is not None)
    if measure == "contained":
        refuse_unused("does not go with measure='contained'", **limits)
    elif sum(limits.values()) != 1:
        raise InputError("search needs either max_distance or k")
    check_time_limit(time_limit)
    limit = check_upper_bound(max_distance)
    k = None if k is None else check_count("k", k)
    how = dict(n_jobs=check_jobs(n_jobs), time_limit=time_limit)
    if measure == "edit":
        how.update(store=store, resume=resume)
    kept = (query, as_collection(collection))
    decider = DECIDERS[measure](*kept, how, given)
    bounds = decider.bounds(np.inf if limit is None else limit)
    if k is None:
        chosen = np.flatnonzero(bounds <= (0.0 if limit is None else limit))
        found, undecided = decider.decide(chosen.tolist(), limit)
        seen = len(chosen)
    else:
        found, undecided, seen = nearest(decider, bounds, k)
    hits = sorted(found, key=place_of)
    hits = hits if k is None else hits[:k]
    return SearchResult(
        hits=hits,
        undecided=sorted(undecided),
        n_filtered=len(bounds) - seen,
        time=time.perf_counter() - started,
    )


def nearest(decider, bounds, k):
    """Return (hits, undecided, number of graphs looked at) of the k nearest graphs: in the order of
    their bounds, until these exceed the k-th distance.
    """
    found, undecided, limit = [], [], None
    order = np.argsort(bounds, kind="stable").tolist()
    seen = 0
    while seen < len(order):
        portion = order[seen : seen + max(PORTION, k)]
        if limit is not None:
            portion = [g for g in portion if bounds[g] <= limit]
        if not portion:
            break
        hits, unsure = decider.decide(portion, limit)
        found += hits
        undecided += unsure
        seen += len(portion)
        if len(found) >= k:
            limit = sorted(hit.distance for hit in found)[k - 1] * (1.0 + SAME)
            found = [hit for hit in found if hit.distance <= limit]
    return found, undecided, seen


def place_of(hit):
    """Return the key by which hits are sorted: the distance without its rounding error, then the
    index.
    """
    return float(f"{hit.distance:.12g}"), hit.index


class Decider:
    """A query, a collection, and the rules that decide which graphs are hits."""

    def __init__(self, query, collection, how, given):
        self.how, self.given = how, given
        query = as_attributed("query", query)
        if not query.is_pattern and collection.directed not in (None, query.directed):
            name = lambda g: "query" if g == 0 else f"collection[{g - 1}]"
            query, *graphs = as_one_kind([query, *collection.graphs], name)
            collection = GraphCollection(graphs)
        self.query, self.collection = query, collection

    def no_bounds(self):
        """Return bounds that exclude nothing."""
        return np.zeros(len(self.collection))

    def is_given(self, *names):
        """Return whether one of these is given."""
        return any(self.given.get(name) is not None for name in names)

    def decide_all(self, function, chosen):
        """Return function(query, graph, options) of the chosen graphs, in their order."""
        graphs = [self.collection.graphs[g] for g in chosen]
        given = dict(self.given, time_limit=self.how["time_limit"])
        # queries of patterns cannot be handed to another process
        n_jobs = 1 if self.query.is_pattern else min(self.how["n_jobs"], max(len(chosen), 1))
        if n_jobs == 1:
            return [function(self.query, graph, given) for graph in graphs]
        from joblib import Parallel, delayed  # takes long to import

        return Parallel(n_jobs=n_jobs)(
            delayed(function)(self.query, graph, given) for graph in graphs
        )


class ByEdits(Decider):
    """Edit distances: of small graphs by a search in C, of the others by matching."""

    def __init__(self, query, collection, how, given):
        super().__init__(query, collection, how, given)
        costs = self.given.get("costs", "unit")
        EditCosts(**self.given)  # refuses unknown arguments
        functions = self.given.keys() - {"costs"}
        self.known = None
        if self.is_given(*functions) or (isinstance(costs, str) and costs.lower() in PRESETS):
            return
        self.scale = check_scale(costs.lower() if isinstance(costs, str) else costs)
        self.known = filter_of(self.query, self.collection)

    def bounds(self, limit):
        """Return lower bounds on all distances."""
        known = self.known
        return self.no_bounds() if known is None else known.edit_bounds(self.scale, limit)

    def decide(self, chosen, limit):
        """Return (hits, undecided) of the chosen graphs."""
        most = np.inf if limit is None else limit
        first = np.full(len(chosen), np.nan)
        # a store holds all pairs; graphs with attributes that are not compared are warned of
        if self.known is not None and self.how["store"] is None and self.known.compares_all:
            time_limit = self.how["time_limit"]
            first = self.known.edit_distances(self.scale, chosen, most, time_limit)
        answers = zip(chosen, first.tolist(), strict=True)
        hits = [Hit(g, value) for g, value in answers if value <= most]
        more, undecided = self.decide_by_matching(
            [g for g, value in zip(chosen, first, strict=True) if np.isnan(value)], limit
        )
        return hits + more, undecided

    def decide_by_matching(self, chosen, limit):
        """Return (hits, undecided) of the chosen graphs."""
        if not chosen:
            return [], []
        graphs = [self.collection.graphs[g] for g in chosen]
        table = edit_distances([self.query], graphs, upper_bound=limit, **self.how, **self.given)
        hits, undecided = [], []
        rows = (table.values[0].tolist(), table.proven[0].tolist())
        for g, value, proven in zip(chosen, *rows, strict=True):
            if np.isfinite(value) and (limit is None or value <= limit):
                hits.append(Hit(g, value, proven))
            elif not proven:
                undecided.append(g)
        return hits, undecided


class ByCommonEdges(Decider):
    """Edges that are not common."""

    def __init__(self, query, collection, how, given):
        super().__init__(query, collection, how, {"connected": False, **given})

    def bounds(self, limit):
        """Return lower bounds on all distances."""
        if self.is_given("node_match", "edge_match") or "any" in self.given.values():
            return self.no_bounds()
        known = filter_of(self.query, self.collection, is_molecule(self.query))
        if known is None:
            return self.no_bounds()
        sizes = np.diff(known.arrays.edge_start) + len(self.query.edges)
        return (sizes - 2.0 * known.most_common()).astype(float)

    def decide(self, chosen, limit):
        """Return (hits, undecided) of the chosen graphs."""
        hits, undecided = [], []
        answers = self.decide_all(uncommon_edges, chosen)
        for g, (least, distance) in zip(chosen, answers, strict=True):
            if limit is None or distance <= limit:
                hits.append(Hit(g, distance, least == distance))
            elif least <= limit:
                undecided.append(g)
        return hits, undecided


def uncommon_edges(query, graph, given):
    """Return (lower bound, value) of the number of edges that two graphs do not have in common."""
    r = maximum_common_subgraph(query, graph, **given)
    edges = len(query.edges) + len(graph.edges)
    return edges - 2.0 * r.bound, edges - 2.0 * r.value


class ByContent(Decider):
    """Whether a graph contains the query."""

    def bounds(self, limit):
        """Return 0, or inf for graphs that do not contain the query."""
        if self.is_given("node_match", "edge_match"):
            return self.no_bounds()
        known = filter_of(self.query, self.collection)
        return self.no_bounds() if known is None else np.where(known.may_contain(), 0.0, np.inf)

    def decide(self, chosen, limit):
        """Return (hits, undecided) of the chosen graphs."""
        answers = list(zip(chosen, self.decide_all(holds_query, chosen), strict=True))
        hits = [Hit(g, 0.0) for g, is_there in answers if is_there]
        return hits, [g for g, is_there in answers if is_there is None]


def holds_query(query, graph, given):
    """Return True if a graph contains the query, None if the time is over before."""
    options = dict(given)
    time_limit = options.pop("time_limit")
    known = {name: options.pop(name, None) for name in ("node_match", "edge_match")}
    induced = options.pop("induced", False)
    for name in options:
        raise InputError(f"measure='contained' has no option {name!r}")
    asked = Question.of(query, graph, **known, names=("query", "graph"), induced=induced, limit=1)
    try:
        return asked.count(time_limit) == 1
    except TimeLimitError:
        return None


DECIDERS = {"edit": ByEdits, "common": ByCommonEdges, "contained": ByContent}
