"""pm: probabilistic matching of hypergraphs, for pairwise costs."""

import math
from typing import Annotated

from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE, ZERO_UNARIES
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.engine.rounding import round_anywhere


@solver(
    "pm",
    family="probabilistic",
    paper="Zass and Shashua, CVPR 2008",
    needs=(BIJECTIVE, ZERO_UNARIES, NONPOSITIVE),
)
def pm(
    problem,
    budget,
    *,
    precision: Annotated[
        float,
        Range(0, 1),
        "how far sums may miss their target, and the three projections each other",
    ] = 0.01,
    maxiter: Annotated[int, Range(1), "rounds of the three projections"] = 1000,
    bisections: Annotated[int, Range(1), "trials for the multiplier of one sum"] = 50,
):
    r"""Probabilistic matching: the soft assignment nearest in relative entropy to the marginals of
    the affinity.

    :math:`Y_{is}` is the sum of the affinities of all edges at the candidate (i, s).

    .. math::

        \underset{F}{\min} \; \sum_{i,s} F_{is} \log \frac{F_{is}}{Y_{is}} \quad \text{with} \quad
        \sum_s F_{is} \le 1, \quad \sum_i F_{is} \le 1, \quad \sum_{i,s} F_{is} = n

    is solved by successive projections on the three constraints, each with its own correction l.
    A projection is :math:`Y / (h + \alpha)` with :math:`h = Y / F - l`, where :math:`\alpha` is the
    multiplier that meets the sum. The scores are the mean of the three projections. They are
    rounded without regard to forbidden pairs, which are then dropped.

    As in the original, pairs with :math:`Y = 0` stay 0, and a row or column with such a pair has no
    limit on its sum: it computes 0/0 there, and NaN is not above 1.
    """
    n, eps = problem.shape[0], np.finfo(float).eps
    support, Y = edge_marginals(problem)
    if len(Y) == 0:
        return Outcome(scores=np.zeros(problem.n_candidates), status="breakdown")
    full_rows, full_cols = (full_lines(side[support], n) for side in (problem.left, problem.right))
    elsewhere = 0.0 if len(Y) < n * n else np.inf  # h of the pairs with Y = 0, if there are any
    search = precision, bisections
    l1 = l2 = l3 = np.zeros(len(Y))
    F1 = F2 = F3 = n * Y / Y.sum()
    n_iter, status = 0, None

    def outcome():
        scores = np.zeros(problem.n_candidates)
        scores[support] = (F1 + F2 + F3) / 3
        return Outcome(
            labels=round_anywhere(problem, scores), scores=scores, n_iter=n_iter, status=status
        )

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for k in budget.iterations(maxiter):
            # projection onto row sums <= 1
            h = Y / (F3 + eps) - l1
            F1 = clean(cap_sums(Y, h, full_rows, search))
            l1 = Y / (F1 + eps) - h
            if budget.cut():
                break
            # projection onto column sums <= 1
            h = Y / (F1 + eps) - l2
            F2 = clean(cap_sums(Y, h, full_cols, search))
            l2 = Y / (F2 + eps) - h
            if budget.cut():
                break
            # projection onto the total n
            h = Y / (F2 + eps) - l3
            F3 = clean(meet(Y, h, n, *search, elsewhere))
            l3 = Y / (F3 + eps) - h
            n_iter = k + 1
            # stop if the three projections agree
            if np.abs(F1 - F2).max() < precision and np.abs(F1 - F3).max() < precision:
                status = "converged"
                break
            budget.preview(outcome)
    return outcome()


def meet(y, h, target, precision, bisections, least=math.inf):
    """y / (h + alpha) with alpha searched so that each line's sum is in target - precision ..
    target; least: the least h of pairs that are not listed.
    """
    eps = np.finfo(float).eps
    alpha = eps - np.minimum(h.min(axis=-1, keepdims=True), least)
    step = np.maximum(10.0, np.abs(alpha) / 10)
    z = y
    done = np.zeros_like(alpha, dtype=bool)
    for _ in range(bisections):
        trial = y / (h + alpha + step + eps)
        z = np.where(done, z, trial)
        total = z.sum(axis=-1, keepdims=True)
        above, below = total > target, total < target - precision
        alpha = np.where(above & ~done, alpha + step, alpha)
        step = np.where(below & ~done, step / 2, step)
        done |= ~above & ~below
        if done.all():
            break
    return z


def cap_sums(Y, h, lines, search):
    """Y / h with the sums of the given lines at most 1; search: precision and bisections of
    meet.
    """
    eps = np.finfo(float).eps
    z = Y / h
    z[z < eps] = eps
    if len(lines):
        over = lines[z[lines].sum(axis=1) > 1]
        z[over] = meet(Y[over], h[over], 1, *search)
    return z


def clean(z):
    """0 in place of NaN."""
    return np.where(np.isnan(z), 0.0, z)


def edge_marginals(problem):
    """(candidates with Y > 0, their Y): half of every edge's affinity goes to each of its two
    candidates.
    """
    half = -0.5 * problem.edge_cost
    Y = np.bincount(problem.a, half, problem.n_candidates) + np.bincount(
        problem.b, half, problem.n_candidates
    )
    support = np.flatnonzero(Y)
    return support, Y[support]


def full_lines(line, n):
    """(k, n) positions of the support in each line that has all n pairs in it."""
    order = np.argsort(line, kind="stable")
    full = np.bincount(line, minlength=n)[line[order]] == n
    return order[full].reshape(-1, n)
