"""ga: graduated assignment."""

from typing import Annotated

from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine.limits import OutOfTime, call_within
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.pipeline import rounding_seconds
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.solvers._matrices import Parts, make_affinity


@solver(
    "ga",
    family="annealing",
    paper="Gold and Rangarajan, PAMI 1996",
    needs=(BIJECTIVE, NONPOSITIVE),
    matrix_free=True,
)
def ga(
    problem,
    budget,
    *,
    b0: Annotated[float, Range(1e-6), "first inverse temperature"] = 0.5,
    bStep: Annotated[
        float, Range(1.0001), "factor from one inverse temperature to the next"
    ] = 1.075,
    bMax: Annotated[float, Range(0), "inverse temperatures stay below this"] = 200.0,
    tolB: Annotated[
        float, Range(0), "an inverse temperature ends when X changes less than this (entrywise sum)"
    ] = 1e-3,
    tolC: Annotated[
        float, Range(0), "Sinkhorn stops when a sweep changes less than this (Frobenius)"
    ] = 1e-3,
    maxiter: Annotated[int, Range(1), "softassign steps in all"] = 83 * 1001,
    inner: Annotated[
        int, Range(1), "most softassign steps an inverse temperature (maxBIters 1000 makes 1001)"
    ] = 1001,
    sweeps: Annotated[int, Range(1), "most Sinkhorn sweeps a step"] = 1000,
):
    r"""Graduated assignment: softassign at rising inverse temperature b.

    With affinities :math:`W = -K`, scaled so that their sum is the number of allowed pairs,

    .. math::

        X \leftarrow \mathrm{Sinkhorn}\left( e^{b\, W x} \right)

    is repeated until X repeats one of its last two states; then b is multiplied by `bStep`. At a
    low b the assignment is soft; as b grows, it becomes a permutation.

    As in the original, forbidden pairs start at 1 and are never set again: scaling alone makes them
    vanish, and on some instances (caltech) the answer depends on it. They and the implicit dummies
    (always 1 before scaling) are stored as products of row and column factors. If the exponential
    overflows, X returns to its last finite value. If little time is left, the rounding ignores the
    implicit dummies, which is much faster.
    """
    X, older, spare = (Parts(problem, 1.0 + np.finfo(float).eps) for _ in range(3))
    W = make_affinity(problem)
    total = W.sum()
    W *= X.n_feasible / (total if total != 0 else np.finfo(float).eps)
    b, n_iter, steps, stopped = b0, 0, budget.iterations(maxiter), False

    def without_dummies():  # of which the rounding would take a hundred times longer
        return Outcome(scores=X.x, n_iter=n_iter)

    # A: deterministic annealing, b is the inverse temperature (Gold and Rangarajan, figure 3)
    while b < bMax and not stopped:
        # B: relaxation at a fixed b
        for step in range(inner):
            if next(steps, None) is None:
                stopped = True
                break
            # Q = dE/dX = W x, then softassign: X = exp(b Q)
            spare.update(X, b, W @ X.x)
            # C: Sinkhorn's row and column normalisation until X is doubly stochastic
            try:
                scaled = call_within(
                    budget, 0.0, spare.sinkhorn, tolC**2, sweeps,
                    at_most=spare.sinkhorn_seconds(sweeps),
                )  # fmt: skip
            except OutOfTime:
                if n_iter == 0:
                    raise
                stopped = True
                break
            n_iter += 1
            if not scaled:
                break
            # older, the X before, counts only if it was made at this b
            settled = spare.is_near(X, tolB) or (step > 0 and spare.is_near(older, tolB))
            X, older, spare = spare, X, older
            if settled:  # B ends: X has converged at this b
                break
            budget.preview(without_dummies)
        b *= bStep  # lower the temperature
    in_time = budget.remaining() > rounding_seconds(problem, X.n_feasible)
    return Outcome(
        scores=X.matrix() if X.has_block and in_time else X.x,
        n_iter=n_iter,
        status=None if stopped else "converged",
    )
