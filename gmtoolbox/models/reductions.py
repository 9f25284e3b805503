"""The reductions of the study's supplement, each as the new problem with a lift of its matchings.

graph matching -> QAP       matching_to_qap: dummies on both sides make every matching complete
QAP -> graph matching       qap_to_matching: costs so low that leaving a node free never pays
incomplete LAP -> LAP       the same as matching_to_qap, on a problem without edges
swap                        the two sides exchanged

`reduced.problem` is the new problem, `reduced.lift(labels)` the matching it stands for in the old
one, `reduced.lower(labels)` the way there. All values below are costs.
"""

from dataclasses import replace

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import bijective, swap
from gmtoolbox.core.values import Lifted

__all__ = ["matching_to_qap", "qap_to_matching", "incomplete_lap_to_lap", "swap"]


def matching_to_qap(problem):
    """A partial problem as a complete one of n1 + n2 nodes on either side: the value of each
    matching stays the same.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    Lifted
        With `problem`, `lift(labels)` and `lower(labels)`; see the head of this module.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.Problem((1, 2), [0, 0], [0, 1], [2.0, -3.0])
    >>> qap = gm.reductions.matching_to_qap(p)
    >>> r = gm.gm_solve(qap.problem)
    >>> qap.problem.shape, r.value, qap.lift(r.labels).tolist()
    ((3, 3), -3.0, [1])
    """
    if problem.complete:
        raise InputError("a complete problem is a QAP already")
    reduced = bijective(problem)
    return Lifted(reduced.problem.materialise(), reduced.lift, reduced.lower)


def incomplete_lap_to_lap(problem):
    """matching_to_qap for a problem that has no edges: the result has none either.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    Lifted

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.Problem((1, 2), [0, 0], [0, 1], [2.0, -3.0])
    >>> gm.reductions.incomplete_lap_to_lap(p).problem.n_edges
    0
    """
    if problem.n_edges:
        raise InputError(
            f"a linear assignment problem has no edges, this one has {problem.n_edges}"
        )
    return matching_to_qap(problem)


def qap_to_matching(problem, shift="diagonal"):
    """A complete square problem as a partial one whose optimal matchings are complete, with the
    same optimal value.

    shift="all" (the theorem): every pair of assignments, also those that have no edge, costs max(w)
    + 1 less. shift="diagonal" (the remark): every assignment costs D less, D above all that an
    assignment can cost or save through its edges; the edges stay as they are. Both put the
    difference in the offset.

    Parameters
    ----------
    problem : Problem
    shift : "diagonal" or "all"

    Returns
    -------
    Lifted

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> left, right, cost = [0, 1, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 3.0, 3.0]
    >>> p = gm.Problem((2, 2), left, right, cost, complete=True)
    >>> r = gm.gm_solve(gm.reductions.qap_to_matching(p).problem)
    >>> r.value, r.labels.tolist()
    (4.0, [0, 1])
    """
    n1, n2 = problem.shape
    if not problem.complete or n1 != n2:
        raise InputError(
            f"a QAP is complete and square, got {n1} x {n2}, complete={problem.complete}"
        )
    if shift not in ("all", "diagonal"):
        raise InputError(f"shift must be 'all' or 'diagonal', got {shift!r}")
    problem = problem.as_costs().explicit()
    return Lifted(shifted_everywhere(problem) if shift == "all" else shifted_diagonal(problem))


def shifted_diagonal(problem):
    """The gain of one more assignment p is D - c_p - (its edges) > 0 whatever else is chosen, if
    it fits at all.

    With forbidden pairs a free node and a free label need not fit, and a complete matching may be
    many changes away; D also exceeds the difference of any two matchings, so that more assignments
    always win.
    """
    spread = np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum()
    D = 2.0 * spread + 1.0
    return replace(
        problem, cost=problem.cost - D, complete=False, offset=problem.offset + D * problem.shape[0]
    )


def shifted_everywhere(problem):
    """c = w - max(w) - 1 for all pairs (i,s), (j,l) but conflicting ones, which no matching has."""
    n, N = problem.shape[0], problem.n_candidates
    if N != n * n:
        raise InputError(
            f"shift='all' needs every pair allowed, {n * n - N} are forbidden; use shift='diagonal'"
        )
    # w is read as the symmetric matrix with half of each edge on either side of the diagonal
    M = max(problem.cost.max(), 0.5 * problem.edge_cost.max(initial=0.0), 0.0) + 1.0
    a, b = np.nonzero(
        np.triu(
            (problem.left[:, None] != problem.left) & (problem.right[:, None] != problem.right), 1
        )
    )
    return Problem(
        problem.shape, problem.left, problem.right, problem.cost - M,
        np.concatenate([problem.a, a]), np.concatenate([problem.b, b]),
        np.concatenate([problem.edge_cost, np.full(len(a), -2.0 * M)]),
        offset=problem.offset + M * n * n, name=problem.name,
    )  # fmt: skip
