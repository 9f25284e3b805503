"""The exact method within the portfolio for two matrices: whether its tables fit, how long it runs.

It runs twice. The first attempt, right after a quick matching, has a fixed amount of work and
proves easy problems before anything slower begins: tiny ones, and sparse graphs with little noise.
The last attempt, with the best matching that the other methods found, has the rest of the time.
"""

import math
from functools import cached_property

from gmtoolbox.core import edges
from gmtoolbox.solvers._components import PartBudget

EXACT_SIDE = 40  # nodes up to which it may run for as long as it takes, whatever the matrices
WIDE_CELLS = 1_000_000  # beyond: products to write out, and table cells; chosen on sparse graphs
# Work is steps times table cells, 1 to 3 ns each. The first attempt takes a tenth of a second, or
# half a second on graphs, of which it proves many more. Without a time limit, the last one beyond
# EXACT_SIDE takes about half a minute. Chosen on QAPLIB and on sparse graphs of 45 to 300 nodes.
FIRST_WORK, GRAPH_WORK, LAST_WORK = 6e7, 3e8, 2e10
FIRST_SHARE = 0.2  # of the remaining time for the first attempt, at most
FIRST_STEPS = 1000  # fewer prove little
FIRST_CANDIDATES = 25_000  # more, and its own first matchings take a good part of a second
FEW_SHARE = 0.1  # of all pairs; of these few, most are true or without an edge, and it is quick
SEARCH_SHARE = 0.5  # of the time limit goes into local search before the last attempt


class Exact:
    """The exact method on a problem.

    Parameters
    ----------
    problem : Problem
    run : function
        run(budget, init, maxiter) -> Outcome
    count_cells : function
        count_cells(problem): the number of table cells, which writes out the products.
    most_cells : int
        It does not run if there are more.
    maxiter : int
        Largest number of steps of an attempt.
    """

    def __init__(self, problem, run, count_cells, most_cells, maxiter):
        self.problem, self.run, self.count_cells = problem, run, count_cells
        self.is_small = max(problem.shape) <= EXACT_SIDE
        self.most_cells = most_cells if self.is_small else min(most_cells, WIDE_CELLS)
        self.maxiter = maxiter

    @cached_property
    def cells(self):
        """Number of table cells; infinite if the products are too many to be written out."""
        most_edges = edges.MAX_EDGES if self.is_small else WIDE_CELLS
        if self.problem.n_edges > most_edges:
            return math.inf
        return max(self.count_cells(self.problem), 1)

    @property
    def fits(self):
        """Whether the tables are small enough."""
        return self.cells <= self.most_cells

    def attempt_first(self, state):
        """Run a fixed number of steps on an easy problem; return whether it ended by itself."""
        n1, n2 = self.problem.shape
        is_quick = self.problem.n_candidates <= max(FIRST_CANDIDATES, FEW_SHARE * n1 * n2)
        if not is_quick or not self.fits:
            return False
        is_graph = self.problem.edges.nonpositive
        steps = int((GRAPH_WORK if is_graph else FIRST_WORK) / self.cells)
        if steps < FIRST_STEPS or state.budget.expired():
            return False
        clock = share_of(state.budget, FIRST_SHARE)
        outcome = self.run(clock, state.labels, min(steps, self.maxiter))
        state.take(outcome, "aj, first attempt")
        return outcome.status == "converged"

    def attempt_last(self, state):
        """Run for the rest of the time; return the status of the end."""
        steps = self.maxiter
        if not self.is_small and math.isinf(state.budget.time_limit):
            steps = min(steps, int(LAST_WORK / self.cells))
        outcome = self.run(state.budget, state.labels, steps)
        state.take(outcome, "aj")
        ended = outcome.status == "iteration_limit" and steps < self.maxiter
        return "converged" if ended else outcome.status


def share_of(budget, share):
    """A budget with a share of the remaining time for the same problem, which passes everything on
    that is recorded.
    """

    def pass_on(event, labels, iteration):
        seconds, cost, bound = event
        labels = None if labels is None else labels.copy()
        cost = None if labels is None else cost
        budget.record(cost=cost, bound=bound, at=part.started + seconds, labels=labels,
                      iteration=iteration)  # fmt: skip

    part = PartBudget(budget, share, pass_on)
    part.tolerance = budget.tolerance
    return part
