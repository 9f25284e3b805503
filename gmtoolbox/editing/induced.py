"""The model of maximum common induced subgraphs: -1 for each common node, +2 for two whose edges
differ. Such a pair never pays, since leaving out one of the two costs 1.
"""

from functools import cached_property

from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.models.edits import EditModel


class InducedModel(EditModel):
    """An EditModel whose problem counts common nodes instead of edges."""

    @cached_property
    def whole(self):
        """See induced_problem."""
        return induced_problem(self)


def induced_problem(model):
    """-1 for each common node, +2 for two whose edges differ; None without candidates."""
    first, second = model.first, model.second
    n1, n2 = len(first), len(second)
    if n1 == 0 or n2 == 0:
        return None
    between = [bundles_between(graph) for graph in (first, second)]
    numbers = [np.unique(table) for table in between]
    ours, theirs = (found.tolist() for found in numbers)
    table = np.array([[same_bundle(model, A, B) for B in theirs] for A in ours])
    place = [np.searchsorted(known, found) for known, found in zip(numbers, between, strict=True)]
    loops_agree = table[np.diag(place[0])][:, np.diag(place[1])]
    right, left = np.nonzero((np.isfinite(model.unary) & loops_agree).T)
    if len(left) == 0:
        return None
    differ = ~table[place[0][left][:, left], place[1][right][:, right]]
    differ |= differ.T  # directed: either way
    differ &= (left[:, None] != left) & (right[:, None] != right)
    a, b = np.nonzero(np.triu(differ, 1))
    return Problem((n1, n2), left, right, np.full(len(left), -1.0), a, b, np.full(len(a), 2.0))


def bundles_between(graph):
    """(n, n): the bundle of edges from each node to each."""
    table = np.zeros((len(graph), len(graph)), np.int64)
    table[np.arange(len(graph)), np.arange(len(graph))] = graph.loops
    table[graph.tail, graph.head] = graph.bundle
    if not graph.directed:
        table[graph.head, graph.tail] = graph.bundle
    return table


def same_bundle(model, A, B):
    """Whether the edges of two bundles can be the same, one by one."""
    size = [len(model.costs.bundles.content[bundle]) for bundle in (A, B)]
    return size[0] == size[1] and (size[0] == 0 or model.gain(A, B) == -size[0])


def without_conflicts(problem, labels):
    """Labels of which no two disagree: the one with most conflicts goes first. An optimum has none,
    a matching found in little time may.
    """
    while True:
        chosen = problem.candidates_of(labels)
        taken = np.isin(np.arange(problem.n_candidates), chosen)
        paid = taken[problem.a] & taken[problem.b]
        if not paid.any():
            return labels
        ends = np.concatenate([problem.a[paid], problem.b[paid]])
        worst = np.bincount(ends).argmax()
        labels[problem.left[worst]] = -1
