"""Pairs that every complete matching contains, such as seeds: fixed before anything else."""

from functools import cached_property

from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np
from gmtoolbox.engine.progress import Incumbent
from gmtoolbox.solvers._factors import QapFactors, has_factors
from gmtoolbox.solvers._swaps import search


def find_forced_pairs(problem):
    """(left, right) of the candidates that are the only one of their node, in a problem that
    matches every left node.
    """
    n1, n2 = problem.shape
    if not problem.complete or n1 > n2 or problem.n_candidates == n1 * n2:
        return np.empty((0, 2), dtype=np.int64)
    return np.column_stack(problem.candidates.alone()).astype(np.int64)


def without_forced(problem, budget, init):
    """Return the Rest to solve, or None if nothing is forced."""
    pairs = find_forced_pairs(problem) if has_factors(problem) else ()
    if len(pairs) == 0 or len(np.unique(pairs[:, 1])) != len(pairs):
        return None
    return Rest(problem, problem.fix(pairs), budget, init)


class Rest:
    """The problem without the forced pairs, with a budget that receives labels of the whole one."""

    def __init__(self, problem, lifted, budget, init):
        self.problem, self.lifted, self.budget = problem, lifted, budget
        self.init = None if init is None else lifted.lower(init)

    def solve(self, method, **options):
        """The outcome of a method on the rest, as one of the whole problem."""
        outcome = method(self.lifted.problem, self, init=self.init, **options)
        if outcome.labels is not None:
            outcome.labels = self.lifted.lift(outcome.labels)
        outcome.scores = None
        return outcome

    @property
    def can_search(self):
        """Whether the whole problem has no costs of pairs: then `search` serves the rest."""
        whole = self.problem
        return isinstance(whole.candidates, FreePairs) and not np.any(whole.cost)

    def search(self, labels, **options):
        """The local search of _swaps for two sparse graphs on the whole problem, with labels of the
        rest before and after. It looks at labels two links away: links of the fixed nodes lead to
        labels, too, which costs of pairs do not.
        """
        fixed = self.lifted.lift(np.full(len(labels), -1)) >= 0
        outcome = search(self.whole, self.budget, self.lifted.lift(labels), fixed=fixed, **options)
        if outcome.labels is not None:
            outcome.labels = self.lifted.lower(outcome.labels)
        return outcome

    @cached_property
    def whole(self):
        """Factors of the whole problem."""
        return QapFactors(self.problem)

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
