"""Common subgraphs, error-tolerant search for a pattern, and similarity.

All of them can be said as an edit distance:

maximum common edge subgraph   a common edge saves 1, and only matching nodes may be matched
maximum common induced one     a common node saves 1, a pair of them that differs costs 2: it never
                               pays, since leaving out one of the two saves 1 of them
pattern in a graph             every pattern node is matched; missing parts are paid for

Connected common subgraphs cannot be said by costs of pairs. They, and most induced ones, are left
to the search of gmtoolbox/subgraphs.
"""

import math
import time
from dataclasses import dataclass, field

from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InfeasibleError, InputError, warn
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import BaseResult
from gmtoolbox.core.saved import revive_name
from gmtoolbox.core.text import number, number_above, number_below, seconds_text
from gmtoolbox.core.values import check_flag, check_jobs
from gmtoolbox.editing.distance import (
    answer_map,
    graph_edit_distance,
    make_result,
    solve_distance,
    solve_model,
    time_remaining,
)
from gmtoolbox.editing.induced import InducedModel, without_conflicts
from gmtoolbox.editing.strict import find_pattern
from gmtoolbox.engine.limits import accept_rng, check_seed, check_time_limit
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import DEFAULT_METHOD, Outcome
from gmtoolbox.models.edit_costs import AskedLate, EditCosts, cost_functions, pair_of_graphs
from gmtoolbox.models.edits import EditModel
from gmtoolbox.subgraphs.chemistry import compare_by_rules, smarts_of
from gmtoolbox.subgraphs.common import (
    PARTITION,
    WHOLE,
    answer_size,
    solve_by_partition,
    total_weight,
)
from gmtoolbox.subgraphs.common_edges import ASSIGNMENT, solve_by_assignment, solve_if_quick
from gmtoolbox.subgraphs.labelled import match_costs

KINDS = ("edge", "induced")


@dataclass(kw_only=True, eq=False, repr=False)
class CommonSubgraph(BaseResult):
    """A subgraph that both graphs have.

    In addition to the fields of BaseResult:

    Attributes
    ----------
    nodes : list
        (u, v): node u of G1 is node v of G2.
    edges : list
        (e, f): edge e of G1 is edge f of G2, as the graphs list them.
    value, bound : float
        Its size, in edges or, if induced, in nodes; and an upper bound for all common subgraphs.
    induced : bool
        Whether it was the largest induced one that was asked for.
    smarts : str or None
        Of molecules, the common substructure as a SMARTS pattern.
    """

    nodes: list
    edges: list
    induced: bool = False
    smarts: str = None
    method: str = DEFAULT_METHOD
    options: dict = field(default_factory=dict)
    n_iter: int = 0
    sense: str = "max"

    @classmethod
    def from_dict(cls, record):
        made = super().from_dict(record)
        made.nodes, made.edges = (
            [tuple(map(revive_name, pair)) for pair in pairs] for pairs in (made.nodes, made.edges)
        )
        return made

    @property
    def proven(self):
        """Whether no common subgraph is larger."""
        return self.status == "optimal"

    @property
    def mapping(self):
        """{u: v} of the common nodes."""
        return dict(self.nodes)

    def __repr__(self):
        most = "" if self.proven else f", at most {number(self.bound)}"
        what = "nodes" if self.induced else "edges"
        ending = f"{self.status}, {seconds_text(self.time)}"
        return f"<CommonSubgraph {number(self.value)} {what}{most}, {ending}>"


@accept_rng
def maximum_common_subgraph(
    G1,
    G2,
    kind="edge",
    *,
    connected=None,
    node_match=None,
    edge_match=None,
    node_weight=None,
    atoms=None,
    bonds=None,
    ring_matches_ring=None,
    complete_rings=None,
    time_limit=None,
    method=DEFAULT_METHOD,
    seed=0,
    n_jobs=1,
    **options,
):
    """Find the largest subgraph that two graphs have in common.

    Parameters
    ----------
    G1, G2 : graphs as graph_edit_distance takes them
    kind : "edge" or "induced"
        The most common edges; or the most common nodes, between which the edges of both graphs are
        the same.
    connected : bool, optional
        Whether only connected subgraphs count; of directed graphs, weakly connected ones. Default:
        for molecules only.
    node_match, edge_match : callable, optional
        Whether two attribute dicts may be the same node (edge). Labels of matrices are compared by
        default, molecules by the rules below.
    node_weight : callable or str, optional
        For kind="induced": the value of a common node, a number >= 0 computed from its two
        attribute dicts; or the name of an attribute, of which the smaller value counts.
    atoms : "element", "strict" or "any", optional
        Which atoms of molecules may be the same: those of one element (the default), of one element
        and charge, or all.
    bonds : "order", "strict" or "any", optional
        Which bonds of molecules may be the same: an aromatic bond also with a single or double one
        (the default), those of one type, or all.
    ring_matches_ring : bool, optional
        Whether atoms and bonds in a ring are the same only as such in a ring. Default: no.
    complete_rings : bool, optional
        Whether a bond in a ring is common only on a ring of common bonds; for connected subgraphs
        of kind="edge". Implies ring_matches_ring. Default: no.
    time_limit : seconds, optional
        The best subgraph so far is returned, with a bound.
    method : str
        "partition" searches by partitioning the nodes or edges. "assignment", for kind="edge",
        searches over pairs of nodes with tighter bounds, which pays if graphs are dense. The
        methods of gm_solve solve a matching problem. Only "partition" takes `connected` and
        `node_weight`. The default takes the one that is expected to be faster, or two in turns.
    seed, rng, options
        As in gm_solve; "partition" and "assignment" take maxiter, a limit on the nodes of their
        search trees.
    n_jobs : int
        Threads of "partition" and of gm_solve; they do not change the answer.

    Returns
    -------
    CommonSubgraph

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> r = gm.maximum_common_subgraph(nx.cycle_graph(6), nx.complete_bipartite_graph(2, 4))
    >>> r.value, r.status
    (4.0, 'optimal')
    >>> gm.maximum_common_subgraph(nx.cycle_graph(6), nx.path_graph(9), "induced").value
    5.0
    >>> two = nx.disjoint_union(nx.path_graph(3), nx.path_graph(4))
    >>> gm.maximum_common_subgraph(two, nx.path_graph(9), "induced").value
    7.0
    >>> gm.maximum_common_subgraph(two, nx.path_graph(9), "induced", connected=True).value
    4.0
    """
    started = time.perf_counter()
    if kind not in KINDS:
        raise InputError(f"kind must be 'edge' or 'induced', got {kind!r}")
    check_jobs(n_jobs)
    given = dict(
        atoms=atoms, bonds=bonds,
        ring_matches_ring=ring_matches_ring, complete_rings=complete_rings,
    )  # fmt: skip
    rules, (G1, G2), node_match, edge_match = compare_by_rules(
        (G1, G2), ("G1", "G2"), node_match, edge_match, **given
    )
    connected = rules is not None if connected is None else check_flag("connected", connected)
    whole_rings = rules is not None and rules.complete_rings
    if whole_rings and not (kind == "edge" and connected):
        raise InputError("complete_rings needs kind='edge' and connected=True")
    asked = {"connected": connected, "node_weight": node_weight, "whole_rings": whole_rings}
    model_class = InducedModel if kind == "induced" else EditModel
    model = model_class.of(match_costs(node_match, edge_match, node_weight), G1, G2)
    limits = dict(time_limit=time_limit, seed=seed, n_jobs=n_jobs)
    found = solve_common_in_time(model, kind, started, asked, method, **limits, **options)
    if rules is not None:
        found.smarts = smarts_of_pair(found, G1, G2, rules)
    return found


def solve_common_in_time(model, kind, started, asked, method, **limits):
    """Return solve_common; an empty subgraph if the limit ends while labels are compared."""
    time_limit, seed = limits["time_limit"], limits["seed"]
    check_time_limit(time_limit)
    if time_limit is None:
        return solve_common(model, kind, started, asked, method, **limits)
    try:
        with model.costs.asked_in(started, time_limit):
            return solve_common(model, kind, started, asked, method, **limits)
    except AskedLate:
        parts = "edges" if kind == "edge" else "nodes"
        most = min(len(getattr(graph, parts)) for graph in (model.first, model.second))
        known = dict(labels=np.full(len(model.first), -1), bound=-float(most), status="time_limit")
        if asked["node_weight"] is not None:
            known["bound"] = -math.inf
        with Budget(None, seed) as budget:
            outcome = Outcome(**known)
            return settle_subgraph(model, kind, budget, outcome.labels, outcome, 0.0, started)


def solve_common(model, kind, started, asked, method, *, time_limit, seed, n_jobs, **options):
    """Return the CommonSubgraph of a model, by the engine that the method names."""
    if is_by_partition(kind, asked, method, options):
        limits = dict(time_limit=time_remaining(time_limit, started), seed=seed, n_jobs=n_jobs)
        return common_by_partition(model, kind, started, **asked, **limits, **options)
    if method == ASSIGNMENT:
        limits = dict(time_limit=time_remaining(time_limit, started), seed=seed)
        return common_by_assignment(model, kind, started, **limits, **options)
    if method == DEFAULT_METHOD and not options:
        quick = common_if_quick(model, started, time_limit, seed)
        if quick is not None:
            return quick
    if n_jobs != 1:
        options["n_jobs"] = n_jobs
    return common_by_matching(model, kind, started, method, time_limit, seed, options)


def smarts_of_pair(found, first, second, rules):
    """Return the SMARTS of a CommonSubgraph of two molecules."""
    place = [{edge: k for k, edge in enumerate(graph.edges)} for graph in (first, second)]
    bonds = [(place[0][e], place[1][f]) for e, f in found.edges]
    maps = [{u: u for u, _ in found.nodes}, found.mapping]
    return smarts_of((first, second), maps, bonds, rules)


def is_by_partition(kind, asked, method, options):
    """Return whether the partitioning search answers; InputError for arguments that the engine of
    this method does not have.
    """
    if method == PARTITION or (
        method == DEFAULT_METHOD and (kind == "induced" or any(asked.values()))
    ):
        for name in options.keys() - {"maxiter"}:
            raise InputError(f"method {PARTITION!r} has no option {name!r}; it takes maxiter")
        return True
    for name, given in asked.items():
        if given:
            name = {"whole_rings": "complete_rings"}.get(name, name)
            raise InputError(f"{name} needs method {PARTITION!r}, got {method!r}")
    return False


def common_by_matching(model, kind, started, method, time_limit, seed, options):
    """Return the CommonSubgraph that a matching problem gives."""
    answer = solve_model(model, time_remaining(time_limit, started), method, seed, options)
    labels, is_edge = answer.labels, kind == "edge"
    offset = model.offset if is_edge and model.lifted is not None else 0.0
    if not is_edge and model.whole is not None:
        labels = without_conflicts(model.whole, labels)
    nodes, edges = common_parts(model, kind, labels)
    value = float(len(edges if kind == "edge" else nodes))
    bound = max(whole_number(offset - answer.bound), value)
    answer = answer.restate(value, bound, WHOLE, sense="max", trace=None)
    return make_common(answer, kind, nodes, edges, started)


def make_common(answer, kind, nodes, edges, started):
    """Return the CommonSubgraph of an Answer."""
    own = dict(nodes=nodes, edges=edges, induced=kind == "induced")
    return answer.result(CommonSubgraph, time=time.perf_counter() - started, **own)


def common_by_partition(model, kind, started, *, time_limit, seed, **asked):
    """Return the CommonSubgraph that the partitioning search gives."""
    with Budget(time_limit, seed) as budget:
        found = solve_by_partition(model, budget, kind, **asked)
    return settle_subgraph(model, kind, budget, *found, started, **asked)


def common_by_assignment(model, kind, started, *, time_limit, seed, maxiter=None, **options):
    """Return the CommonSubgraph of most edges that the search over pairs of nodes gives."""
    if kind != "edge":
        raise InputError(f"method {ASSIGNMENT!r} needs kind='edge', got {kind!r}")
    for name in options:
        raise InputError(f"method {ASSIGNMENT!r} has no option {name!r}; it takes maxiter")
    with Budget(time_limit, seed) as budget:
        found = solve_by_assignment(model, budget, maxiter)
    return settle_subgraph(model, kind, budget, *found, started)


def common_if_quick(model, started, time_limit, seed):
    """Return the CommonSubgraph of most edges that the two searches give, or None if they take
    long.
    """
    with Budget(time_remaining(time_limit, started), seed) as budget:
        found = solve_if_quick(model, budget, time_limit)
    return None if found is None else settle_subgraph(model, "edge", budget, *found, started)


def settle_subgraph(
    model, kind, budget, labels, outcome, error, started, connected=False, node_weight=None, **_
):
    """Return the CommonSubgraph of the labels that the partitioning search has found."""
    nodes, edges = common_parts(model, kind, labels)
    value = float(len(edges if kind == "edge" else nodes))
    if node_weight is not None:
        value = total_weight(model, labels, node_weight)
    answer = answer_size(budget, labels, outcome, value, error, {"connected": connected})
    return make_common(answer, kind, nodes, edges, started)


def common_parts(model, kind, labels):
    """Return (common nodes, common edges) of a matching, as pairs of the graphs' own names."""
    node_path, edge_path, _ = model.path(labels)
    nodes = [(u, v) for u, v in node_path if u is not None and v is not None]
    edges = [(e, f) for e, f in edge_path if e is not None and f is not None]
    if kind == "edge":  # nodes without a common edge are matched at random
        held = {u for e, _ in edges for u in e[:2]}
        nodes = [(u, v) for u, v in nodes if u in held]
    return nodes, edges


def whole_number(bound):
    """The bound rounded down, for sizes are whole numbers."""
    # No size exceeds the bound, so none exceeds its floor. 1e-6 can only raise that: a bound that
    # adding the offset has rounded to just below a whole number still allows that number.
    return float(math.floor(bound + 1e-6)) if math.isfinite(bound) else bound


@accept_rng
def find_subgraph(
    pattern,
    G,
    *,
    node_match=None,
    edge_match=None,
    node_subst_cost=None,
    edge_subst_cost=None,
    edge_del_cost=None,
    roots=None,
    costs="unit",
    time_limit=None,
    method=DEFAULT_METHOD,
    seed=0,
    **options,
):
    """Find a pattern in a graph, with as few errors as possible.

    Every node of the pattern becomes a node of G. Edges of the pattern that are missing there cost
    a deletion, labels that differ a relabelling; further nodes and edges of G cost nothing. A value
    of 0 is a subgraph in the strict sense (a monomorphism); it is looked for first, as
    find_subgraphs does.

    Parameters
    ----------
    pattern, G : graphs as graph_edit_distance takes them
        The pattern has no more nodes than G.
    node_match, edge_match, node_subst_cost, edge_subst_cost, edge_del_cost, roots, costs
        As in models.from_edit_costs. inf forbids a substitution.
    time_limit, method, seed, rng, options
        As in gm_solve.

    Returns
    -------
    EditResult
        Of the pattern only: node_path and edge_path hold no insertions.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> r = gm.find_subgraph(nx.cycle_graph(5), nx.grid_2d_graph(3, 3))
    >>> r.distance  # a grid has no odd cycle: one edge is missing
    1.0
    """
    free = lambda data: 0.0
    unpaid = dict(node_del_cost=free, node_ins_cost=free, edge_ins_cost=free)
    functions = {**cost_functions(locals()), **unpaid}
    started = time.perf_counter()
    model = EditModel.of(EditCosts(costs=costs, **functions), pattern, G, roots, complete=True)
    n1, n2 = len(model.first), len(model.second)
    if n1 > n2:
        raise InputError(f"pattern must not have more nodes than G, got {n1} and {n2}")
    check_seed(seed)
    check_time_limit(time_limit)
    least, labels = 0.0, None
    if method == DEFAULT_METHOD and not options:
        seconds = math.inf if time_limit is None else time_remaining(time_limit, started) / 2
        labels, least = find_pattern(model, least_error(model.costs), seconds)
    if labels is not None:
        answer, paths = answer_map(model, labels, least, seed)
    else:
        answer, paths = best_place(model, least, started, time_limit, method, seed, options)
    paths = [[pair for pair in path if pair[0] is not None] for path in paths]  # no insertions
    return make_result(answer, paths, started)


def least_error(costs):
    """Return the cost of leaving out an edge, if no other error costs less; else 0."""
    asked = [costs.compares["node"], costs.compares["edge"]]
    function, edge = costs.single["edge", "del"]
    if function is not None or any(cost is not None for cost, _, _ in asked):
        return 0.0
    return edge if all(edge <= relabel for _, _, relabel in asked) else 0.0


def best_place(model, least, started, time_limit, method, seed, options):
    """Return (Answer, paths) of a pattern whose errors cost at least `least`."""
    if len(model.first) and model.whole is None:
        raise InfeasibleError("no node of the pattern may become a node of G")
    answer, paths = solve_distance(model, started, time_limit, method, seed, options)
    if answer.bound < least:
        answer = answer.restate(answer.value, least, model.lifted.problem.tolerance)
    return answer, paths


def graph_similarity(G1, G2, kind="edit", **given):
    """How similar two graphs are, from 0 to 1 (the same).

    Parameters
    ----------
    G1, G2 : graphs as graph_edit_distance takes them
    kind : "edit" or "common"
        edit: 1 - distance / (cost of deleting G1 and inserting G2). common: (nodes and edges of the
        maximum common edge subgraph)^2 / (nodes and edges of G1 * those of G2), Johnson's
        coefficient of molecules; of all nodes, those without edges count as not common. Common
        subgraphs need not be connected.
    given : as in graph_edit_distance, or maximum_common_subgraph
        Except upper_bound, which would end the search before the distance is known.

    Returns
    -------
    float
        Of the best answer found. If a limit ends the search before it is proven, the similarity is
        at least this, and a warning says how large it may be.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> gm.graph_similarity(nx.cycle_graph(4), nx.path_graph(4))
    0.9333333333333333
    """
    refuse_unused("does not go with graph_similarity", upper_bound="upper_bound" in given)
    if kind == "edit":
        r = graph_edit_distance(G1, G2, **given)
        most = whole_cost(G1, G2, given)
        similar = lambda distance: 1.0 if most == 0 else max(1.0 - distance / most, 0.0)
        return warn_if_unproven(r, similar(r.value), similar(r.bound))
    if kind != "common":
        raise InputError(f"kind must be 'edit' or 'common', got {kind!r}")
    r = maximum_common_subgraph(G1, G2, **{"connected": False, **given})
    functions = match_costs(None, None)
    sizes = [len(g) + len(g.edge) for g in pair_of_graphs(functions, G1, G2)]
    most = sizes[0] * sizes[1]
    if most == 0:
        return float(sizes[0] == sizes[1])
    return warn_if_unproven(r, (len(r.nodes) + len(r.edges)) ** 2 / most, 1.0)


def warn_if_unproven(r, similarity, most):
    """Return the similarity of an answer; warn if that of the best one may be larger."""
    if r.status != "optimal":
        warn(
            f"the similarity is not proven, the search ended with {r.status!r}: it is at least"
            f" {number_below(similarity, 6)} and at most {number_above(most, 6)}",
            UserWarning,
        )
    return similarity


def whole_cost(G1, G2, given):
    """Cost of deleting G1 and inserting G2."""
    functions = EditCosts(costs=given.get("costs", "unit"), **cost_functions(given))
    return EditModel.of(functions, G1, G2).offset
