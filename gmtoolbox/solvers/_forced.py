"""Pairs that every complete matching contains, such as seeds: fixed before anything else."""

from gmtoolbox.core.lazy import np
from gmtoolbox.engine.incumbent import Incumbent
from gmtoolbox.solvers._factors import has_factors


def forced_pairs(problem):
    """(left, right) of the candidates that are the only one of their node, in a problem that
    matches every left node.
    """
    n1, n2 = problem.shape
    if not problem.complete or n1 > n2 or problem.n_candidates == n1 * n2:
        return np.empty((0, 2), dtype=np.int64)
    return np.column_stack(problem.candidates.alone()).astype(np.int64)


def without_forced(problem, budget, init):
    """The Rest to solve, or None where nothing is forced."""
    pairs = forced_pairs(problem) if has_factors(problem) else ()
    if len(pairs) == 0 or len(np.unique(pairs[:, 1])) != len(pairs):
        return None
    return Rest(problem.fix(pairs), budget, init)


class Rest:
    """The problem beside the forced pairs, with a budget that is told labels of the whole one."""

    def __init__(self, lifted, budget, init):
        self.lifted, self.budget = lifted, budget
        self.init = None if init is None else lifted.lower(init)

    def solve(self, method, **options):
        """The outcome of a method on the rest, as one of the whole problem."""
        outcome = method(self.lifted.problem, self, init=self.init, **options)
        if outcome.labels is not None:
            outcome.labels = self.lifted.lift(outcome.labels)
        outcome.scores = None
        return outcome

    # ---- a Budget

    def record(self, cost=None, bound=None, at=None, labels=None, iteration=None):
        """As of a Budget, with labels of the whole problem."""
        labels = None if labels is None else self.lifted.lift(labels)
        self.budget.record(cost=cost, bound=bound, at=at, labels=labels, iteration=iteration)

    @property
    def incumbent(self):
        """The Incumbent of the whole problem, with labels of the rest: its matchings are those of
        the whole problem without the pairs that all of them have.
        """
        whole = self.budget.incumbent
        if whole.labels is None:
            return whole
        return Incumbent(self.lifted.lower(whole.labels), whole.cost)

    def __getattr__(self, name):
        return getattr(self.budget, name)
