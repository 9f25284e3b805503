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

    @cached_property
    def free(self):
        """The whole problem as if nothing were forced; None unless `search` serves the rest."""
        whole = self.problem
        if not self.can_search:
            return None
        edges = whole.edges.among(FreePairs(whole.shape), *map(np.arange, whole.shape))
        return type(whole)(whole.shape, None, None, None, edges=edges, complete=whole.complete)

    @cached_property
    def free_factors(self):
        """Factors of `free`, which keep its spectra."""
        return QapFactors(self.free)

    def impose(self, labels):
        """Return labels of the rest from those of a complete matching of `free`: a forced label
        changes places with the one that its node has.
        """
        forced = self.lifted.lift(np.full(self.lifted.problem.shape[0], -1))
        labels, owner = np.array(labels), np.full(self.problem.shape[1], -1)
        owner[labels[labels >= 0]] = np.flatnonzero(labels >= 0)
        for i in np.flatnonzero(forced >= 0):
            j, old, new = owner[forced[i]], labels[i], forced[i]
            labels[i], owner[new] = new, i
            if j >= 0 and j != i:
                labels[j] = old
                if old >= 0:
                    owner[old] = j
        return self.lifted.lower(labels)

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
