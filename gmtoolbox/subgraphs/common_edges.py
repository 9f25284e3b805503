"""The most common edges of two graphs, by two searches in turns (cext/src/subgraphs/common_edges.c)
and, if these take long, by a matching problem.

partition     classes of edges, as in common.py
assignment    pairs of nodes. Every node u that has no partner yet may become any v at the cost of
              the edges that are lost at once; the cheapest assignment bounds the rest.
"""

from dataclasses import dataclass

from gmtoolbox.core._ffi import lib
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_count
from gmtoolbox.engine.kernels import drive
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.subgraphs.common import (
    has_parallel_edges,
    inverse,
    is_too_large,
    kernel_options,
    nothing_found,
)
from gmtoolbox.subgraphs.labelled import GraphPair, LabelledGraph, is_one_to_one, pair_by_edges

ASSIGNMENT = "assignment"  # the method's name
MOST_NODES = 128  # of the search by assignments

# A matching problem is solved instead if the searches are expected to take longer. If labels leave
# few pairs of edges and the graphs are nearly trees, as molecules are, that takes milliseconds:
# then the search by partitioning is tried for a short time only.
FIRST_NODES, SECOND_NODES = 5_000, 300_000  # of the search trees, before the first guess
MOST_FIRST = 30_000  # nodes if a matching problem takes milliseconds
FIRST_PATIENCE, PATIENCE = 0.01, 20.0  # seconds
EDGES_OF_NODES = 1.25  # edges of a graph that is nearly a tree, for each node
FEW_PAIRS = 0.6  # fraction of the pairs of edges
SECONDS_PER_PAIR = 5e-7  # of the matching problem that has them, to be built


@dataclass
class EdgeQuestion:
    """A pair of graphs, the smaller one first, and the searches that may answer it.

    swap     whether the smaller one is the second graph of the model
    equal    the pair with numbers of labels that fit if they are equal; None if labels are not so
    """

    pair: GraphPair
    swap: bool
    equal: GraphPair
    parallel: bool

    @classmethod
    def of(cls, model):
        """Return the question about the two graphs of a model."""
        pair = pair_by_edges(model)
        swap = len(pair.first.type) > len(pair.second.type)
        asked = pair.swap_sides() if swap else pair
        return cls(asked, swap, with_equal_numbers(asked), has_parallel_edges(model))

    @property
    def is_by_partition(self):
        """Whether the search by partitioning takes it."""
        return not self.parallel or is_one_to_one(self.pair.kinds_fit)

    @property
    def is_by_assignment(self):
        """Whether the search by assignments takes it."""
        is_small = len(self.pair.second.type) <= MOST_NODES
        return self.equal is not None and not self.parallel and is_small

    def searches(self, quick_matching=False):
        """Return the options of a run of both searches, or of the one that takes the question; only
        the search by partitioning if a matching problem takes milliseconds.
        """
        return dict(partition=1, assignment=int(self.is_by_assignment and not quick_matching))

    def has_quick_matching(self):
        """Return whether the matching problem of the pair is expected to take milliseconds."""
        graphs = (self.pair.first, self.pair.second)
        is_sparse = all(len(g.tail) <= EDGES_OF_NODES * len(g.type) for g in graphs)
        return is_sparse and share_of_pairs(self.pair) < FEW_PAIRS

    def search(self, options, budget, maxiter=None, more=None):
        """Return the Outcome of the searches, with the name of the one that has ended as `extra`;
        None if the time is over before they begin.
        """
        pair = self.equal if options["assignment"] else self.pair
        borrowing = pair.borrowing()
        try:
            return drive(
                "common_edges", (borrowing[0], borrowing), options, budget, maxiter,
                finish=name_of_search, more=more,
            )  # fmt: skip
        except OutOfTime:
            return None

    def labels(self, outcome):
        """Return the labels of the model's first graph."""
        labels = np.asarray(outcome.labels)
        return inverse(labels, len(self.pair.second.type)) if self.swap else labels


def with_equal_numbers(pair):
    """Return the pair with types and kinds that fit if and only if they are equal, or None."""
    if not (is_one_to_one(pair.types_fit) and is_one_to_one(pair.kinds_fit)):
        return None
    types, types_fit = equal_numbers(pair.types_fit)
    kinds, kinds_fit = equal_numbers(pair.kinds_fit)
    second = pair.second
    turned = LabelledGraph(types[second.type], second.tail, second.head, kinds[second.kind])
    return GraphPair(pair.first, turned, pair.directed, types_fit, kinds_fit)


def equal_numbers(table):
    """Return a number for each column of a one-to-one table, that of the row that fits or one that
    no row has; and the table of these numbers.
    """
    new = len(table) + np.arange(table.shape[1])
    rows, columns = np.nonzero(table)
    new[columns] = rows
    return new, np.eye(len(table), sum(table.shape), dtype=bool)


def name_of_search(run):
    """Return the name of the search that has ended, or of the first one."""
    is_over = [lib.gm_common_edges_progress(run, k) >= 1.0 for k in (0, 1)]
    return ASSIGNMENT if is_over == [False, True] else "partition"


def solve_by_assignment(model, budget, maxiter=None):
    """Return (labels, Outcome, 0.0) of the most common edges of a model's two graphs by the search
    over pairs of nodes.
    """
    asked = EdgeQuestion.of(model)
    if not asked.is_by_assignment:
        raise InputError(
            f"method {ASSIGNMENT!r} takes graphs of at most {MOST_NODES} nodes without parallel"
            " edges, whose labels are compared by equality"
        )
    if maxiter is not None:
        check_count("maxiter", maxiter)
    outcome = asked.search(dict(partition=0, assignment=1), budget, maxiter)
    if outcome is None:
        outcome = nothing_found(asked.pair, "edge", budget)
    outcome.extra = ASSIGNMENT
    return asked.labels(outcome), outcome, 0.0


def solve_if_quick(model, budget, time_limit=None):
    """Return (labels, Outcome, 0.0) of the most common edges of a model's two graphs, or None if
    the searches do not end soon.

    They get half of the time; all of it if that is too short for building a matching problem.
    """
    asked = EdgeQuestion.of(model)
    options, _ = kernel_options(asked.pair, True, False, 1)
    if not asked.is_by_partition or is_too_large(asked.pair.borrowing()[0], options):
        return None
    is_short = time_limit is not None and takes_long_to_build(asked.pair, time_limit / 2)
    if is_short:
        outcome = asked.search(asked.searches(), budget)
        outcome = outcome or nothing_found(asked.pair, "edge", budget)
        return asked.labels(outcome), outcome, 0.0
    budget.time_limit /= 2
    quick = asked.has_quick_matching()
    first = FIRST_NODES if quick else SECOND_NODES
    more = lambda run: more_nodes(run, quick)
    outcome = asked.search(asked.searches(quick), budget, first, more)
    if outcome is None or outcome.status in ("time_limit", "iteration_limit"):
        return None
    return asked.labels(outcome), outcome, 0.0


def more_nodes(run, quick_matching):
    """Return a larger limit on the nodes of the searches, None if a matching problem is expected to
    be solved sooner.
    """
    left = lib.gm_common_edges_left(run)
    if not quick_matching:
        return np.iinfo(np.int64).max if left < PATIENCE else None
    is_soon = left < FIRST_PATIENCE and run.iteration < MOST_FIRST
    return run.iteration + FIRST_NODES if is_soon else None


def takes_long_to_build(pair, seconds):
    """Return True if the matching problem of a pair takes longer to build."""
    most = len(pair.first.tail) * len(pair.second.tail) * SECONDS_PER_PAIR
    return most > seconds and most * share_of_pairs(pair) > seconds


def share_of_pairs(pair):
    """Return which fraction of the pairs of edges may be the same."""
    if pair.types_fit.size == pair.kinds_fit.size == 1:  # without labels
        return float(pair.types_fit.all() and pair.kinds_fit.all())
    counts = [count_sorts(graph) for graph in (pair.first, pair.second)]
    (one, n_one), (other, n_other) = counts
    fit = pair.types_fit
    straight = fit[one[0]][:, other[0]] & fit[one[1]][:, other[1]]
    turned = fit[one[0]][:, other[1]] & fit[one[1]][:, other[0]]
    same = (straight | turned) & pair.kinds_fit[one[2]][:, other[2]]
    return float(n_one @ same @ n_other) / max(int(n_one.sum()) * int(n_other.sum()), 1)


def count_sorts(graph):
    """Return ((types of the ends and kind of each sort of edges), how many edges of each)."""
    ends = np.sort(np.stack([graph.type[graph.tail], graph.type[graph.head]]), axis=0)
    sizes = (int(ends.max(initial=0)) + 1,) * 2 + (int(graph.kind.max(initial=0)) + 1,)
    found, n = np.unique(np.ravel_multi_index((*ends, graph.kind), sizes), return_counts=True)
    return np.unravel_index(found, sizes), n
