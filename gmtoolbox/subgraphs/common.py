"""The largest common subgraph of two graphs by a partitioning search (McCreesh, Prosser and
Trimble, A partitioning algorithm for maximum common subgraph problems, IJCAI 2017).

The kernel is cext/src/subgraphs/common.c. A state of its search is a partial mapping and classes of
nodes that touch the mapped nodes in the same way; the smaller side of each class bounds what can be
added.
"""

import math
from dataclasses import dataclass

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_count, check_jobs
from gmtoolbox.engine.crew import Crew
from gmtoolbox.engine.kernels import drive
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.pipeline import conclude
from gmtoolbox.engine.registry import Outcome
from gmtoolbox.subgraphs.labelled import is_one_to_one, pair_by_edges, pair_by_nodes

PARTITION = "partition"  # the method's name
WHOLE = 1e-9  # sizes that are numbers of nodes or edges differ by at least 1
MEMORY = 2**30  # bytes that the search may take

# (nodes of the search tree, fraction of the tree that they must have searched) before another
# engine is taken. Matching takes milliseconds if labels leave few pairs of edges.
STAGES = ((30_000, 1e-3), (120_000, 5e-3), (4_000_000, 1.0))
FEW_PAIRS = 0.5  # fraction of the pairs of edges
SECONDS_PER_PAIR = 5e-7  # of the matching problem that has them, to be built


def solve_by_partition(
    model, budget, kind, *, connected=False, node_weight=None, n_jobs=1, maxiter=None
):
    """Return (labels, Outcome, error of sizes) of the largest common subgraph of a model's two
    graphs.
    """
    weight = weight_function(node_weight)
    if weight is not None and kind == "edge":
        raise InputError("node_weight needs kind='induced': kind='edge' counts edges")
    pair = pair_by_edges(model) if kind == "edge" else pair_by_nodes(model, weight)
    if kind == "edge" and has_parallel_edges(model) and not is_one_to_one(pair.kinds_fit):
        raise InputError(
            f"method {PARTITION!r} takes parallel edges only if edge_match compares by equality"
        )
    swap = len(pair.first.type) > len(pair.second.type)
    asked = pair.swapped() if swap else pair
    error = quantise(asked) if weight else 0.0
    # one thread if a number of nodes ends the search: its answer is then the same for any n_jobs
    n_jobs = 1 if maxiter is not None else check_jobs(n_jobs)
    if maxiter is not None:
        check_count("maxiter", maxiter)
    options, kept = kernel_options(asked, kind == "edge", connected, n_jobs)
    borrowing = asked.borrowing()
    check_size(borrowing[0], options)
    outcome = search_tree((borrowing[0], (borrowing, kept)), options, budget, maxiter)
    if outcome is None:
        outcome = nothing_found(asked, kind, budget)
    labels = np.asarray(outcome.labels)
    if swap:
        labels = inverse(labels, len(pair.first.type))
    return labels, outcome, error


def search_tree(borrowing, options, budget, maxiter):
    """Return the Outcome of the kernel, or None if the time is over before it begins; its `extra`
    is the fraction of the tree that has been searched, a rough guess.
    """
    how = dict(finish=lib.gm_common_progress)
    with Crew(options["n_jobs"], lib.gm_common_n_pieces, lib.gm_common_piece, budget) as crew:
        try:
            return drive(
                "common", borrowing, options, budget, maxiter, between=crew.run_pieces, **how
            )
        except OutOfTime:
            return None


def solve_if_quick(model, budget, time_limit=None):
    """Return what solve_by_partition returns for kind="edge" if the search ends soon or is
    interrupted, else None; also if the time limit is too short for building a matching problem.

    The search is tried with few nodes of its tree, then with more if it comes forward. It gets half
    of the time.
    """
    pair = pair_by_edges(model)
    if has_parallel_edges(model) and not is_one_to_one(pair.kinds_fit):
        return None
    swap = len(pair.first.type) > len(pair.second.type)
    asked = pair.swapped() if swap else pair
    options, kept = kernel_options(asked, True, False, 1)
    borrowing = asked.borrowing()
    if is_too_large(borrowing[0], options):
        return None
    is_short = time_limit is not None and takes_long_to_build(asked, time_limit / 2)
    if not is_short:
        budget.time_limit /= 2
    for max_nodes, least in ((None, 0.0),) if is_short else STAGES:
        outcome = search_tree((borrowing[0], (borrowing, kept)), options, budget, max_nodes)
        if is_short and outcome is None:
            outcome = nothing_found(asked, "edge", budget)
        if outcome is None or (outcome.status == "time_limit" and not is_short):
            return None
        if outcome.status != "iteration_limit":
            labels = np.asarray(outcome.labels)
            labels = inverse(labels, len(pair.first.type)) if swap else labels
            return labels, outcome, 0.0
        if outcome.extra < least or share_of_pairs(asked) < FEW_PAIRS:
            return None
    return None


def takes_long_to_build(pair, seconds):
    """Return whether the matching problem of a pair takes longer to build than this."""
    most = len(pair.first.tail) * len(pair.second.tail) * SECONDS_PER_PAIR
    return most > seconds and most * share_of_pairs(pair) > seconds


def share_of_pairs(pair):
    """Return which fraction of the pairs of edges may be the same."""
    counts = []
    for graph in (pair.first, pair.second):
        ends = np.sort(np.stack([graph.type[graph.tail], graph.type[graph.head]]), axis=0)
        counts.append(np.unique(np.stack([*ends, graph.kind]), axis=1, return_counts=True))
    (one, n_one), (other, n_other) = counts
    fit = pair.types_fit
    straight = fit[one[0]][:, other[0]] & fit[one[1]][:, other[1]]
    turned = fit[one[0]][:, other[1]] & fit[one[1]][:, other[0]]
    same = (straight | turned) & pair.kinds_fit[one[2]][:, other[2]]
    return float(n_one @ same @ n_other) / max(int(n_one.sum()) * int(n_other.sum()), 1)


def nothing_found(pair, kind, budget):
    """Return the Outcome of the empty subgraph: the smaller graph is the bound."""
    counted = "tail" if kind == "edge" else "type"
    most = min(len(getattr(graph, counted)) for graph in (pair.first, pair.second))
    if pair.weight is not None:
        most *= float(pair.weight.max(initial=0.0))
    labels = np.full(len(pair.first.type), -1, np.int32)
    return Outcome(labels=labels, bound=-float(most), status=budget.stopped)


def has_parallel_edges(model):
    """Return whether two nodes of a graph have several edges in one direction."""
    return any(
        len(members) > 1 for g in (model.first, model.second) for members in g.members.values()
    )


def weight_function(node_weight):
    """Return node_weight as a function of two attribute dicts, or None."""
    if node_weight is None:
        return None
    if isinstance(node_weight, str):
        name = node_weight

        def asked(data1, data2):
            if name not in data1 or name not in data2:
                raise InputError(f"node_weight: a node has no attribute {name!r}")
            return min(data1[name], data2[name])

    elif callable(node_weight):
        asked = node_weight
    else:
        raise InputError(f"node_weight must be a function or an attribute, got {node_weight!r}")

    def checked(data1, data2):
        given = asked(data1, data2)
        try:
            number = float(given)
        except (TypeError, ValueError):
            number = math.nan
        if not 0 <= number < math.inf:
            raise InputError(f"node_weight must be a finite number >= 0, got {given!r}")
        return number

    return checked


def total_weight(model, labels, node_weight):
    """Return the sum of the weights of the nodes of a common subgraph."""
    weight, content = weight_function(node_weight), model.costs.numbers["node"].content
    first, second = model.first.node, model.second.node
    pairs = [(i, s) for i, s in enumerate(labels.tolist()) if s >= 0]
    return math.fsum(weight(content[first[i]], content[second[s]]) for i, s in pairs)


def quantise(pair):
    """Round the weights of a pair so that all sums of them are exact; return the most that this can
    change a sum by.
    """
    n = min(len(pair.first.type), len(pair.second.type))
    total = float(pair.weight.max(initial=0.0)) * max(n, 1)
    if total == 0.0:
        return 0.0
    # multiples of the unit, up to 2^51 of them in a sum
    unit = math.ldexp(1.0, max(math.frexp(total)[1] - 51, -1074))
    rounded = np.round(pair.weight / unit) * unit
    change = float(np.abs(rounded - pair.weight).max()) * n
    pair.weight = rounded
    return change


def kernel_options(pair, by_edges, connected, n_jobs):
    """Return (fields of gm_common_options, objects that they borrow)."""
    weight = None if pair.weight is None else np.ascontiguousarray(pair.weight).reshape(-1)
    kept = ffi.NULL if weight is None else pointer(weight)
    options = {
        "by_edges": by_edges,
        "connected": connected,
        "twins": True,
        "n_jobs": n_jobs,
        "weight": kept,
    }
    return options, kept


def check_size(struct, options):
    """Raise InputError if the search would take too much memory."""
    if is_too_large(struct, options):
        nodes = max(struct.first.n_nodes, struct.second.n_nodes)
        edges = max(struct.first.n_edges, struct.second.n_edges)
        raise InputError(
            f"the graphs are too large for method {PARTITION!r}: {nodes} nodes and {edges} edges"
        )


def is_too_large(struct, options):
    """Return whether the search would take too much memory."""
    return lib.gm_common_memory(struct, ffi.new("gm_common_options *", options)) > MEMORY


def inverse(labels, n):
    """Return the labels of the n nodes that `labels` points to."""
    back = np.full(n, -1, np.int32)
    matched = np.flatnonzero(labels >= 0)
    back[labels[matched]] = matched
    return back


@dataclass(frozen=True)
class Size:
    """Sizes as a model of costs: numbers of nodes or edges are exact, weights but for their
    rounding, which is in the bound and in the value.
    """

    error: float
    sense = "max"
    offset = largest_cost = 0.0

    @property
    def tolerance(self):
        """A gap of at most this is closed."""
        return 4.0 * self.error if self.error else WHOLE

    def cost_error(self, labels):
        """Return the possible error of the cost of labels, beyond the tolerance."""
        return 0.0


def answer_size(budget, labels, outcome, value, error, options):
    """Return the Answer of a common subgraph of this size."""
    budget.trace.lower_bounds(error)
    budget.end(-value, outcome.bound - error, at=budget.started + budget.elapsed())
    return conclude(
        Size(error),
        budget.trace,
        labels,
        -value,
        outcome.status,
        n_iter=int(outcome.n_iter),
        method=PARTITION,
        options=options,
        seed=budget.seed,
    )
