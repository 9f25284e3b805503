"""Edit distance of two graphs: the cost of turning one into the other, with proof.

Each function here writes its question as a matching problem (models/edits.py), lets the pipeline
answer it, and says the answer in the words of the user's own graphs.
"""

import math
import time
from dataclasses import dataclass, field, replace

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import BaseResult, gap_closed
from gmtoolbox.core.saved import Later, revive_name
from gmtoolbox.core.text import number, number_below, seconds_text
from gmtoolbox.driver import gm_solve
from gmtoolbox.editing.late import plain_labels
from gmtoolbox.editing.patterns import start_pattern
from gmtoolbox.editing.small import (
    by_common_edges,
    count_twins,
    degree,
    is_short,
    is_unlabelled,
    search_distance,
)
from gmtoolbox.editing.strict import CONTAINED, find_isomorphism
from gmtoolbox.engine.limits import accept_rng, check_seed, check_time_limit
from gmtoolbox.engine.pipeline import Answer, solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import (
    DEFAULT_METHOD,
    EXACT_METHOD,
    GREEDY_METHOD,
    get_solver,
)
from gmtoolbox.models.edit_costs import AskedLate, EditCosts, cost_functions
from gmtoolbox.models.edit_scales import (
    cap_steps,
    is_wide,
    largest_step,
    make_substituting,
    raise_to_grid,
)
from gmtoolbox.models.edits import EditModel, MatrixModel

ROUNDS = 4  # models to solve, of which each has smaller costs than the one before
ROUNDED = 4.0  # units of the last digit of a distance by which its bound may be below it
MOST_PAIRS = 10**6  # of nodes, for a bound without search
MOST_TWINS = 0.25  # of the nodes of graphs that are solved on their matrices
DENSE = 3.0  # mean degree of graphs with labels that are solved on their matrices
MOST_CELLS = 1200  # candidates up to which aj computes a semidefinite bound if it stalls
FIRST_ITERATIONS = 20  # of the method that finds the path that costs are compared with


@dataclass(kw_only=True, eq=False, repr=False)
class EditResult(BaseResult):
    """An edit path and its cost.

    In addition to the fields of BaseResult:

    Attributes
    ----------
    node_path : list
        (u, v): u becomes v; (u, None): u is deleted; (None, v): v is inserted.
    edge_path : list
        The same for edges, (u, v) or (u, v, key) as the graphs list them.
    upper_bound : float or None
        The limit that the caller gave.
    method, options, n_iter
        Of the solver; with the seed they run the same again.
    """

    node_path: list
    edge_path: list
    upper_bound: float = None
    method: str = DEFAULT_METHOD
    options: dict = field(default_factory=dict)
    n_iter: int = 0

    @property
    def proven(self):
        """Whether value is the edit distance."""
        return self.status == "optimal"

    @property
    def exceeds(self):
        """Whether the edit distance is proven to be more than upper_bound."""
        least = self.value if self.proven else self.bound
        return self.upper_bound is not None and least > self.upper_bound

    @property
    def distance(self):
        """The edit distance; None if it is not proven, or more than upper_bound."""
        return self.value if self.proven and not self.exceeds else None

    @property
    def mapping(self):
        """{u: v} of the substituted nodes."""
        return {u: v for u, v in self.node_path if u is not None and v is not None}

    @classmethod
    def from_dict(cls, record):
        made = super().from_dict(record)
        made.node_path, made.edge_path = (
            [tuple(map(revive_name, pair)) for pair in path]
            for path in (made.node_path, made.edge_path)
        )
        return made

    def summary_rows(self):
        paths = [("nodes", edit_counts(self.node_path)), ("edges", edit_counts(self.edge_path))]
        return [("method", f"{self.method} (seed {self.seed})"), *super().summary_rows(), *paths]

    def __repr__(self):
        if self.proven:
            said = f"distance {number(self.value)}"
        elif self.exceeds:
            said = f"more than {number(self.upper_bound)}"
        else:
            said = f"distance in [{number_below(self.bound, 6)}, {number(self.value)}]"
        return f"<EditResult {said}, {self.status}, {seconds_text(self.time)}>"


def edit_counts(path):
    """How many nodes or edges a path substitutes, deletes and inserts, in words."""
    return (
        f"{sum(None not in pair for pair in path)} substituted,"
        f" {sum(pair[1] is None for pair in path)} deleted,"
        f" {sum(pair[0] is None for pair in path)} inserted"
    )


@accept_rng
def graph_edit_distance(
    G1,
    G2,
    node_match=None,
    edge_match=None,
    node_subst_cost=None,
    node_del_cost=None,
    node_ins_cost=None,
    edge_subst_cost=None,
    edge_del_cost=None,
    edge_ins_cost=None,
    roots=None,
    upper_bound=None,
    *,
    costs="unit",
    time_limit=None,
    method=DEFAULT_METHOD,
    seed=0,
    **options,
):
    """Compute the edit distance of two graphs and a cheapest edit path, proven if time allows.

    Parameters
    ----------
    G1, G2 : networkx graphs of one kind, RDKit molecules, adjacency matrices, or (matrix, labels)
        Also graphs of igraph, rustworkx, NetworKit and PyTorch Geometric, and lists of edges.
    node_match, edge_match, node_subst_cost, ..., edge_ins_cost, roots, costs
        As in models.from_edit_costs; the first ones as in networkx.
    upper_bound : number, optional
        Only decide whether the distance is at most this: a proof that it is more ends the run
        (`exceeds` is True). Bounds by labels and degrees are tried before any search.
    time_limit : seconds, optional
        The best path so far is returned, with a bound.
    method, seed, rng, options
        As in gm_solve.

    Returns
    -------
    EditResult

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> r = gm.graph_edit_distance(nx.cycle_graph(6), nx.wheel_graph(7))
    >>> r.distance
    7.0
    >>> r.status, r.bound
    ('optimal', 7.0)
    """
    functions = EditCosts(costs=costs, **cost_functions(locals()))
    started = time.perf_counter()
    model = EditModel.of(functions, G1, G2, roots)
    return solve_edit_model(model, started, upper_bound, time_limit, method, seed, options)


def check_upper_bound(upper_bound):
    """A float, or None as given."""
    if upper_bound is None:
        return None
    try:
        number = float(upper_bound)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise InputError(f"upper_bound must be a number, got {upper_bound!r}")
    return number


def time_remaining(time_limit, started):
    """Seconds of the limit that remain once the problem is built."""
    check_time_limit(time_limit)
    if time_limit is None:
        return None
    return max(time_limit - (time.perf_counter() - started), 1e-3)


def takes_cutoff(method):
    """Whether a method stops once it has proven a bound above `cutoff`."""
    return any(option.name == "cutoff" for option in get_solver(method).options)


def solve_edit_model(
    model, started, upper_bound=None, time_limit=None, method=DEFAULT_METHOD, seed=0, options=None
):
    """Return the EditResult of a model."""
    upper_bound = check_upper_bound(upper_bound)
    options = dict(options or {})
    check_seed(seed)
    check_time_limit(time_limit)
    if time_limit is None:
        return solve_in_time(model, started, upper_bound, None, method, seed, options)
    try:
        with model.costs.asked_in(started, time_limit):
            return solve_in_time(model, started, upper_bound, time_limit, method, seed, options)
    except AskedLate:
        return make_result(*answer_late(model, method, seed), started, upper_bound)


def solve_in_time(model, started, upper_bound, time_limit, method, seed, options):
    """Return the EditResult of a model; AskedLate if the limit ends while it asks for costs."""
    if method == DEFAULT_METHOD and not options:
        found = answer_at_once(model, upper_bound, share_of(time_limit, started), seed)
        if found is not None:
            return make_result(*found, started, upper_bound)
    limits = started, time_limit, method, seed
    if upper_bound is None or "cutoff" in options or not takes_cutoff(method):
        return make_result(*solve_distance(model, *limits, options), started, upper_bound)
    cutoff = {"cutoff": upper_bound} if math.isfinite(upper_bound) else {}
    answer, paths = solve_distance(model, *limits, {**options, **cutoff})
    if answer.status == "converged" and answer.bound <= upper_bound < answer.value:
        answer, paths = solve_distance(model, *limits, options)  # they differ by rounding only
    return make_result(answer, paths, started, upper_bound)


def make_result(answer, paths, started, upper_bound=None):
    """Return the EditResult of an Answer and its paths of nodes and edges, or a Later of them."""
    is_later = isinstance(paths, Later)
    node_path, edge_path = (None, None) if is_later else paths
    own = dict(node_path=node_path, edge_path=edge_path, upper_bound=upper_bound)
    made = answer.result(EditResult, time=time.perf_counter() - started, **own)
    if is_later:
        made.put_off(paths)
    return made


def answer_at_once(model, upper_bound, seconds, seed):
    """Return (Answer, paths) if the graphs are the same, a bound without search is above
    upper_bound, or the graphs are small; else None.
    """
    if upper_bound is not None and (bound := size_bound(model)) > upper_bound:
        return answer_sizes(model, bound, upper_bound, seed)
    found = search_distance(model, upper_bound, seconds)
    if found is None:
        labels = find_isomorphism(model, seconds)
        if labels is not None:
            return answer_map(model, labels, 0.0, seed)
        is_more = upper_bound is not None and is_beyond(model, upper_bound)
        if is_more:
            bound, labels = model.branch_bound
            *paths, cost = model.path(labels)
            return answer_excess(labels, cost, bound, upper_bound, seed, model.cost_error), paths
        return answer_common(model, seconds, seed)
    distance, bound, cost, labels = found
    if labels is None:
        return answer_sizes(model, bound, upper_bound, seed)
    if distance == math.inf:
        answer = answer_excess(labels, cost, bound, upper_bound, seed)
    else:  # sums of such costs are not rounded
        proof = dict(value=distance, bound=distance, gap=0.0, status="optimal")
        answer = Answer(labels=labels, method=DEFAULT_METHOD, seed=seed, **proof)
    return answer, Later(("node_path", "edge_path"), lambda: model.path(labels)[:2])


def size_bound(model):
    """Return a lower bound by the numbers of nodes and edges; 0 if it takes longer, or if its sum
    may be rounded.
    """
    if model.root_pair is not None or model.complete:
        return 0.0
    first, second, bound = model.first, model.second, 0.0
    for kind, n1, n2 in (
        ("node", len(first), len(second)),
        ("edge", len(first.edges), len(second.edges)),
    ):
        cost = model.costs.constant(kind, "del" if n1 > n2 else "ins") if n1 != n2 else 0.0
        if cost is None or not is_short(cost):
            return 0.0
        bound += abs(n1 - n2) * cost
    return bound if len(first) * len(second) <= MOST_PAIRS else 0.0


def answer_sizes(model, bound, upper_bound, seed):
    """Return (Answer, Later) if sizes or counts of labels decide: a path and its cost are found
    when they are asked for, with the attributes of the call.
    """
    model.costs.keep_attributes()
    for graph in (model.first, model.second):
        graph.keep_attributes(model.costs)

    def make():
        labels = model.branch_bound[1]
        *paths, cost = model.path(labels)
        gap = answer_excess(labels, cost, bound, upper_bound, seed, model.cost_error).gap
        return *paths, cost, gap

    return answer_unsolved(None, bound, seed), Later(
        ("node_path", "edge_path", "value", "gap"), make
    )


def answer_late(model, method, seed):
    """Return (Answer, paths) of the cheaper one of two paths that need no tables: one deletes and
    inserts everything, the other substitutes nodes in the order of their degrees.
    """
    paths = [(labels, *model.path(labels)) for labels in plain_labels(model)]
    labels, *paths, cost = min(paths, key=lambda path: path[-1])
    answer = replace(answer_unsolved(labels, 0.0, seed, method), status="time_limit")
    return answer.restate(cost, min(size_bound(model), cost), ROUNDED * math.ulp(cost)), paths


def answer_common(model, seconds, seed):
    """Return (Answer, paths) by the common edges of unlabelled graphs, or None."""
    found = by_common_edges(model, None if seconds == math.inf else seconds, seed)
    if found is None:
        return None
    labels, bound, status = found
    *paths, cost = model.path(labels)
    answer = replace(answer_unsolved(labels, bound, seed), status=status)
    return answer.restate(cost, min(bound, cost), ROUNDED * math.ulp(cost)), paths


def answer_excess(labels, cost, bound, upper_bound, seed, error=lambda cost: 0.0):
    """Return the Answer of labels of this cost if the distance is proven to be above upper_bound
    and not below `bound`; error(cost) is the possible error of sums.
    """
    bound = min(max(bound, math.nextafter(upper_bound, math.inf)), cost)
    tolerance = max(error(cost), ROUNDED * math.ulp(cost))
    return answer_unsolved(labels, bound, seed).settle(cost, bound, tolerance)


def is_beyond(model, upper_bound):
    """Return True if a bound without search is above upper_bound."""
    if model.root_pair is not None or model.complete:  # the labels of the bound would not do
        return False
    pairs = len(model.first) * len(model.second)
    return pairs <= MOST_PAIRS and model.branch_bound[0] > upper_bound


def share_of(time_limit, started):
    """Return the seconds for a search before the matching problem is solved."""
    remaining = time_remaining(time_limit, started)
    return math.inf if remaining is None else remaining / 4


def answer_map(model, labels, bound, seed):
    """Return (Answer, paths) of labels that a search for subgraphs has found; `bound` is their cost
    and proven.
    """
    *paths, cost = model.path(labels)
    proof = dict(value=cost, bound=min(bound, cost), gap=0.0, status="optimal")
    return Answer(labels=labels, method=CONTAINED, seed=seed, **proof), paths


def solve_distance(model, started, time_limit, method, seed, options):
    """Return (Answer, paths) about an edit distance, decided on the cost of the path.

    If the costs span many magnitudes, a model of the same distance is solved whose costs do not
    (models/edit_scales.py). Another one follows if the path is much cheaper than those costs.
    """
    seconds = share_of(time_limit, started)
    start = start_pattern(model, seconds) if method == DEFAULT_METHOD else None
    if start is not None and not is_wide(model):  # else rounding hides the digits of the distance
        *paths, cost = model.path(start)
        answer = settle_distance(answer_unsolved(start, 0.0, seed), model, cost)
        if answer.status == "optimal":
            return answer, paths
    used, labels = scale_model(model, seed)
    if method == DEFAULT_METHOD and used is model and is_solved_on_matrices(model):
        used = MatrixModel(model.costs, model.first, model.second)
        options = {"run": EXACT_METHOD, **options}
    for _ in range(ROUNDS):
        if labels is not None:
            answer = answer_unsolved(labels, 0.0, seed, method=method)
        else:
            limit = time_remaining(time_limit, started)
            answer = solve_model(used, limit, method, seed, options, start)
        *paths, cost = model.path(answer.labels)
        answer = settle_distance(answer, used, cost, model)
        if used is model or answer.status != "converged" or is_of_one_size(used, cost):
            break
        used = make_substituting(cap_steps(model, cost))
    return answer, paths


def scale_model(model, seed):
    """Return (model, None), or a model of the same distance if the costs span many magnitudes; or
    (model, labels) of a path that costs nothing.
    """
    if model.lifted is None or not is_wide(model):
        return model, None
    used, cost = model, math.inf
    for _ in range(ROUNDS):
        first = gm_solve(used.lifted.problem, GREEDY_METHOD, seed=seed, maxiter=FIRST_ITERATIONS)
        labels = used.lifted.lift(first.labels)
        before, cost = cost, min(cost, model.path(labels)[2])
        if cost == 0.0:
            return model, labels
        if is_of_one_size(used, cost) or cost > 0.5 * before:
            break
        used = cap_steps(model, cost)
    return make_substituting(used), None


def is_solved_on_matrices(model):
    """Return whether the semidefinite bound on two adjacency matrices is the better one: of graphs
    without labels, or with labels of nodes and many edges, if few nodes are symmetric (the linear
    bound knows these).
    """
    graphs = (model.first, model.second)
    n = max(map(len, graphs))
    if n * n > MOST_CELLS:
        return False
    if not (is_unlabelled(model) or (min(map(degree, graphs)) >= DENSE and saves_alike(model))):
        return False
    # the nodes that the smaller graph gets are symmetric, too
    return all(count_twins(graph) + n - len(graph) <= MOST_TWINS * n for graph in graphs)


def saves_alike(model):
    """Return whether all pairs of edges of an EditModel save the same, and no pair of nodes costs
    more than to delete and insert them.
    """
    if type(model) is not EditModel or model.root_pair is not None or model.complete:
        return False
    if model.common_gain is None or not model.sums_are_exact:
        return False
    return not np.any(model.unary + model.loops > 0.0)


def is_of_one_size(model, cost):
    """Return True if no step costs much more than a path."""
    return largest_step(model) <= 4.0 * cost


def settle_distance(answer, model, cost, asked=None):
    """Return the answer about a path of this cost, decided on that number; the rounding of the
    model's sums lowers the bound. asked: the model of the question, if another one was solved.
    """
    error = model.cost_error(cost)
    tolerance = 0.0 if model.lifted is None else model.lifted.problem.tolerance
    # the bound is lowered by the error, and so may be the cost that the solver has compared with it
    tolerance = max(tolerance + 2.0 * error, 4.0 * error, ROUNDED * math.ulp(cost))
    bound = answer.bound - error
    if not gap_closed(cost, bound, tolerance):
        bound = raise_to_grid(asked or model, max(bound, model.histogram_bound))
    return answer.restate(cost, min(bound, cost), tolerance)


def solve_model(model, time_limit, method, seed, options, start=None):
    """Return the Answer about the matching problem of a model, with labels of all its nodes; start:
    labels to begin with, if no pair is fixed.
    """
    if model.lifted is None:  # nothing can be matched: no path costs less than the only one
        return answer_unsolved(np.full(len(model.first), -1), math.inf, seed)
    if "cutoff" in options:  # the error lowers the bound afterwards
        cutoff = options["cutoff"]
        options = {**options, "cutoff": cutoff + 4.0 * model.cost_error(cutoff)}
    with Budget(time_limit, seed) as budget:
        problem = model.lifted.problem
        answer = solve_matching(budget, problem, method, init=start, options=options)
    return replace(answer, labels=model.lifted.lift(answer.labels))


def answer_unsolved(labels, bound, seed, method=DEFAULT_METHOD):
    """Return the Answer of labels that no method had to find; their cost is not known yet."""
    known = dict(value=math.nan, gap=math.inf, status="converged")
    return Answer(labels=labels, bound=bound, seed=seed, method=method, **known)
