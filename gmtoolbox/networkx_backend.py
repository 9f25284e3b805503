"""gmtoolbox as a backend of networkx: `nx.graph_edit_distance(G, H, backend="gmtoolbox")`.

networkx finds this module through the entry points `networkx.backends` and
`networkx.backend_info`, the latter whenever networkx is imported. Imports wait until a function
is called: users of networkx that never call one should not pay for them.
"""

import contextlib
import math
import time
import warnings

FUNCTIONS = (
    "graph_edit_distance",
    "optimize_graph_edit_distance",
    "optimal_edit_paths",
    "optimize_edit_paths",
    "is_isomorphic",
    "vf2pp_is_isomorphic",
    "vf2pp_isomorphism",
    "vf2pp_all_isomorphisms",
)


def backend_info():
    """Return the facts that networkx reads before anything is called."""
    note = "Exact; edit distances have a proof, or a warning that time ended before the proof."
    return {
        "backend_name": "gmtoolbox",
        "project": "gmtoolbox",
        "package": "gmtoolbox",
        "short_summary": "Exact graph edit distances and isomorphisms in milliseconds.",
        "functions": {name: {"additional_docs": note} for name in FUNCTIONS},
    }


class GraphView:
    """The graph that networkx passes to the functions below: the user's own graph.

    networkx keeps converted graphs in a cache that does not see every change of an attribute. A
    view cannot go stale.
    """

    __networkx_backend__ = "gmtoolbox"

    def __init__(self, graph):
        self.graph = graph

    def is_directed(self):
        """As of the graph; networkx asks."""
        return self.graph.is_directed()

    def is_multigraph(self):
        """As of the graph; networkx asks."""
        return self.graph.is_multigraph()


def plain_graphs(G1, G2):
    """Return the users' own graphs."""
    return [G.graph if isinstance(G, GraphView) else G for G in (G1, G2)]


def model_of(G1, G2, functions, roots=None, timeout=None):
    """The EditModel of two views; complaints that networkx has words for are made in them."""
    import networkx as nx

    from gmtoolbox.models.edit_costs import EditCosts
    from gmtoolbox.models.edits import EditModel

    if timeout is not None and timeout <= 0:
        raise nx.NetworkXError("Timeout value must be greater than 0")
    G1, G2 = plain_graphs(G1, G2)
    if roots is not None:
        u, v = roots
        if u not in G1 or v not in G2:
            raise nx.NodeNotFound("Root node not in graph.")
    for kind in ("node", "edge"):  # networkx lets a cost function override a match function
        if functions.get(f"{kind}_subst_cost") is not None:
            functions = {**functions, f"{kind}_match": None}
    return EditModel.of(EditCosts(**functions), G1, G2, roots)


def warn_unproven(r):
    """A warning if time ended before the proof."""
    from gmtoolbox.core.text import number, number_below

    if r is not None and not (r.proven or r.exceeds):
        warnings.warn(
            "gmtoolbox: time ended before the proof: the edit distance is between"
            f" {number_below(r.bound, 6)} and {number(r.value)}",
            stacklevel=3,
        )


class Backend:
    """The functions that networkx calls, and the ways of a graph in and out."""

    @staticmethod
    def convert_from_nx(graph, **_):
        """The view of a graph."""
        return GraphView(graph)

    @staticmethod
    def convert_to_nx(result, **_):
        """The graph of a view; other results as they are."""
        return result.graph if isinstance(result, GraphView) else result

    @staticmethod
    def graph_edit_distance(
        G1, G2, *by_position, roots=None, upper_bound=None, timeout=None, **named
    ):
        """The edit distance, or None if it is more than upper_bound."""
        from gmtoolbox.editing.distance import solve_edit_model

        functions, roots, upper_bound, timeout = split_costs(
            by_position, named, roots=roots, upper_bound=upper_bound, timeout=timeout
        )
        model = model_of(G1, G2, functions, roots, timeout)
        r = solve_edit_model(model, time.perf_counter(), upper_bound, timeout)
        warn_unproven(r)
        if r.exceeds:
            return None
        return r.value if upper_bound is None or r.value <= upper_bound else None

    @staticmethod
    def optimize_graph_edit_distance(G1, G2, *by_position, upper_bound=None, **named):
        """Better and better values; the last one is the edit distance."""
        functions, upper_bound = split_costs(by_position, named, upper_bound=upper_bound)
        model = model_of(G1, G2, functions)
        return (r.value for r in improve(model, upper_bound, None))

    @staticmethod
    def optimal_edit_paths(G1, G2, *by_position, upper_bound=None, **named):
        """(all cheapest edit paths, their cost)"""
        from gmtoolbox.editing.distance import solve_edit_model
        from gmtoolbox.editing.paths import optimal_matchings

        functions, upper_bound = split_costs(by_position, named, upper_bound=upper_bound)
        model = model_of(G1, G2, functions)
        r = solve_edit_model(model, time.perf_counter(), upper_bound)
        if upper_bound is not None and r.value > upper_bound:
            return [], None
        warn_unproven(r)
        paths = (model.path(labels) for labels in optimal_matchings(model, r.value))
        return [(nodes, edges) for nodes, edges, _ in paths], r.value

    @staticmethod
    def optimize_edit_paths(
        G1,
        G2,
        *by_position,
        upper_bound=None,
        strictly_decreasing=True,
        roots=None,
        timeout=None,
        **named,
    ):
        """(node path, edge path, cost) again and again, cheaper and cheaper; with
        strictly_decreasing=False all of the cheapest in the end.
        """
        functions, upper_bound, strictly_decreasing, roots, timeout = split_costs(
            by_position,
            named,
            upper_bound=upper_bound,
            strictly_decreasing=strictly_decreasing,
            roots=roots,
            timeout=timeout,
        )
        model = model_of(G1, G2, functions, roots, timeout)
        return edit_paths(model, upper_bound, strictly_decreasing, timeout)

    @staticmethod
    def is_isomorphic(G1, G2, node_match=None, edge_match=None):
        """Whether two graphs are isomorphic."""
        return isomorphism_question(G1, G2, node_match, edge_match).count() == 1

    @staticmethod
    def vf2pp_is_isomorphic(G1, G2, node_label=None, default_label=None):
        """Whether two graphs are isomorphic; as in networkx, empty ones are not."""
        return Backend.vf2pp_isomorphism(G1, G2, node_label, default_label) is not None

    @staticmethod
    def vf2pp_isomorphism(G1, G2, node_label=None, default_label=None):
        """An isomorphism {node of G1: node of G2}, or None."""
        return next(labelled_isomorphisms(G1, G2, node_label, default_label, limit=1), None)

    @staticmethod
    def vf2pp_all_isomorphisms(G1, G2, node_label=None, default_label=None):
        """All isomorphisms."""
        return labelled_isomorphisms(G1, G2, node_label, default_label)


def labelled_isomorphisms(G1, G2, node_label, default_label, limit=None):
    """Yield the isomorphisms under which labels of nodes are equal, none for empty graphs."""
    if not all(len(G) for G in plain_graphs(G1, G2)):
        return
    match = None
    if node_label is not None:
        label = lambda data: data.get(node_label, default_label)
        match = lambda one, other: label(one) == label(other)
    yield from isomorphism_question(G1, G2, match, None, limit).maps()


def isomorphism_question(G1, G2, node_match, edge_match, limit=1):
    """Return the Question of two views; networkx hands all parallel edges to edge_match at once."""
    import networkx as nx

    from gmtoolbox.subgraphs.contained import Question

    graphs = plain_graphs(G1, G2)
    if graphs[0].is_directed() != graphs[1].is_directed():
        raise nx.NetworkXError("Graphs G1 and G2 are not of the same type.")
    match = edge_match
    if edge_match is not None and any(G.is_multigraph() for G in graphs):
        graphs = [bundle(G) for G in graphs]
        match = lambda one, other: (
            one["count"] == other["count"] and edge_match(one["edges"], other["edges"])
        )
    return Question.of(*graphs, node_match, match, isomorphic=True, limit=limit)


def bundle(graph):
    """Return a graph with one edge for all parallel ones, whose attributes are their number and
    the attributes of networkx for them.
    """
    import networkx as nx

    made = (nx.DiGraph if graph.is_directed() else nx.Graph)()
    made.add_nodes_from(graph.nodes(data=True))
    for u, v in graph.edges():
        edges = graph.get_edge_data(u, v)
        made.add_edge(u, v, count=graph.number_of_edges(u, v), edges=edges)
    return made


def edit_paths(model, upper_bound, strictly_decreasing, timeout):
    """(node path, edge path, cost) of improving paths, then of the other optimal ones."""
    from gmtoolbox.core.errors import TimeLimitError
    from gmtoolbox.editing.paths import optimal_matchings

    r = None
    end = math.inf if timeout is None else time.perf_counter() + timeout
    for r in improve(model, upper_bound, timeout):
        yield r.node_path, r.edge_path, r.value
    if r is None or strictly_decreasing or not r.proven:
        return
    with contextlib.suppress(TimeLimitError):
        for labels in optimal_matchings(model, r.value, end):
            nodes, edges, cost = model.path(labels)
            if nodes != r.node_path:  # that one came first
                yield nodes, edges, cost


def improve(model, upper_bound, timeout):
    """Yield better and better EditResults; warn at the end if the last one is not proven."""
    from gmtoolbox.editing.paths import improve_paths

    r = None
    for r in improve_paths(model, upper_bound, timeout):
        yield r
    warn_unproven(r)


def split_costs(by_position, named, **rest):
    """Return (cost functions by name, then the values of `rest`): networkx passes the arguments of
    its user by name or by position in networkx's own order, with `rest` after the functions.
    """
    from gmtoolbox.models.edit_costs import COST_FUNCTIONS

    functions = dict(zip(COST_FUNCTIONS, by_position, strict=False))
    behind = by_position[len(COST_FUNCTIONS) :]
    return ({**functions, **named}, *behind, *list(rest.values())[len(behind) :])
