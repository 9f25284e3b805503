"""lsm: local sparse model."""

from typing import Annotated

from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.solvers._matrices import make_affinity


@solver(
    "lsm",
    family="sparse model",
    paper="Jiang, Tang, Luo and Lin, AAAI 2015",
    needs=(BIJECTIVE, NONPOSITIVE),
    matrix_free=True,
)
def lsm(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "multiplicative updates"] = 10000,
    tol: Annotated[
        float, Range(0), "stops when lambda = x'Kx changes less than this (absolute)"
    ] = 1e-6,
):
    r"""Local sparse model: multiplicative updates under a norm that makes each label sparse.

    With affinities :math:`W = -K`,

    .. math::

        \underset{x \ge 0}{\max} \; x^\top W x \quad \text{with} \quad
        \sum_s \Big( \sum_i x_{is} \Big)^2 = 1

    is increased by the update

    .. math::

        x_{is} \leftarrow x_{is} \sqrt{\frac{(W x)_{is}}{\lambda \sum_j x_{js}}}, \qquad
        \lambda = x^\top W x ,

    from :math:`x = 1/n`. Departure: if the sum of a label becomes 0, the original divides by it and
    matches nothing (its published value on caltech is exactly 0). Here the last finite iterate is
    rounded, and the status is "breakdown".
    """
    W = make_affinity(problem)
    right, (n, n2), (row, col) = problem.right, problem.shape, problem.dummies.corner
    x, implicit = np.full(problem.n_candidates, 1.0 / n), 1.0 / n
    lam, n_iter, status = -1e20, 0, None

    def outcome():
        return Outcome(scores=x, n_iter=n_iter, status=status)

    for k in budget.iterations(maxiter):
        # gradient y = W x and multiplier lambda = x'Wx of the constraint
        y = W @ x
        lam, last = x @ y, lam
        # the l1 norm of x over each label
        label_sum = np.bincount(right, x, n2)
        label_sum[col:] += (n - row) * implicit
        if not (lam > 0 and label_sum.min() > 0):
            status = "breakdown"
            break
        # multiplicative update, which keeps x >= 0 and does not decrease x'Wx
        x = x * np.sqrt(y / label_sum[right] / lam)
        implicit = 0.0  # implicit dummies have no affinity
        n_iter = k + 1
        if abs(last - lam) < tol:
            status = "converged"
            break
        budget.preview(outcome)
    return outcome()
