"""The largest common subgraph of two graphs by a partitioning search (McCreesh, Prosser and
Trimble, A partitioning algorithm for maximum common subgraph problems, IJCAI 2017).

The kernel is cext/src/subgraphs/common.c. A state of its search is a partial mapping and classes of
nodes that touch the mapped nodes in the same way; the smaller side of each class bounds how much
can be added.
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
from gmtoolbox.models.edit_costs import LARGEST
from gmtoolbox.subgraphs.chemistry import cycle_edges
from gmtoolbox.subgraphs.labelled import is_one_to_one, pair_by_edges, pair_by_nodes

PARTITION = "partition"  # the method's name
WHOLE = 1e-9  # sizes that are numbers of nodes or edges differ by at least 1
MEMORY = 2**30  # bytes that the search may take


def solve_by_partition(
    model,
    budget,
    kind,
    *,
    connected=False,
    node_weight=None,
    whole_rings=False,
    n_jobs=1,
    maxiter=None,
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
    asked = pair.swap_sides() if swap else pair
    error = quantise(asked) if weight else 0.0
    # one thread if a number of nodes ends the search: its answer is then the same for any n_jobs
    n_jobs = 1 if maxiter is not None else check_jobs(n_jobs)
    if maxiter is not None:
        check_count("maxiter", maxiter)
    options, kept = kernel_options(asked, kind == "edge", connected, n_jobs)
    if whole_rings:
        options["ring"] = mark_rings(asked.first)
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
    """Return the Outcome of the kernel, or None if the time is over before it begins."""
    with Crew(options["n_jobs"], lib.gm_common_n_pieces, lib.gm_common_piece, budget) as crew:
        try:
            return drive("common", borrowing, options, budget, maxiter, between=crew.run_pieces)
        except OutOfTime:
            return None


def nothing_found(pair, kind, budget):
    """Return the Outcome of the empty subgraph: the smaller graph is the bound."""
    counted = "tail" if kind == "edge" else "type"
    most = min(len(getattr(graph, counted)) for graph in (pair.first, pair.second))
    if pair.weight is not None:
        most *= float(pair.weight.max(initial=0.0))
    labels = np.full(len(pair.first.type), -1, np.int32)
    return Outcome(labels=labels, bound=-float(most), status=budget.stopped)


def has_parallel_edges(model):
    """Return True if two nodes of a graph have several edges in one direction."""
    return any(
        len(members) > 1 for g in (model.first, model.second) for members in g.members.values()
    )


def weight_function(node_weight):
    """Return node_weight as a function of two attribute dicts, or None."""
    if node_weight is None:
        return None
    if isinstance(node_weight, str):
        name = node_weight

        def compute_weight(data1, data2):
            if name not in data1 or name not in data2:
                raise InputError(f"node_weight: a node has no attribute {name!r}")
            return min(data1[name], data2[name])

    elif callable(node_weight):
        compute_weight = node_weight
    else:
        raise InputError(f"node_weight must be a function or an attribute, got {node_weight!r}")

    def check_answer(data1, data2):
        given = compute_weight(data1, data2)
        try:
            number = float(given)
        except (TypeError, ValueError):
            number = math.nan
        if not 0 <= number < math.inf:
            raise InputError(f"node_weight must be a finite number >= 0, got {given!r}")
        if number > LARGEST:
            raise InputError(f"node_weight must be at most {LARGEST:g}, got {given!r}")
        return number

    return check_answer


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


def mark_rings(graph):
    """Return a pointer to the marks of the edges of a LabelledGraph that lie on a cycle."""
    ends = (np.asarray(side).tolist() for side in (graph.tail, graph.head))
    return pointer(np.array(cycle_edges(len(graph.type), *ends), np.int32))


def check_size(struct, options):
    """Raise InputError if the search would take too much memory."""
    if is_too_large(struct, options):
        nodes = max(struct.first.n_nodes, struct.second.n_nodes)
        edges = max(struct.first.n_edges, struct.second.n_edges)
        raise InputError(
            f"the graphs are too large for method {PARTITION!r}: {nodes} nodes and {edges} edges"
        )


def is_too_large(struct, options):
    """Return True if the search would take too much memory."""
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
    """Return the Answer of a common subgraph of this size; outcome.extra names the method, None:
    partition.
    """
    budget.trace.lower_bounds(error)
    budget.end(-value, outcome.bound - error, at=budget.started + budget.elapsed())
    return conclude(
        Size(error),
        budget.trace,
        labels,
        -value,
        outcome.status,
        n_iter=int(outcome.n_iter),
        method=outcome.extra or PARTITION,
        options=options,
        seed=budget.seed,
    )
