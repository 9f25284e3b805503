"""sm: spectral matching."""

from typing import Annotated

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine import kernels
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.solvers._matrices import Affinity, make_affinity


@solver(
    "sm",
    family="spectral",
    paper="Leordeanu and Hebert, ICCV 2005",
    needs=(BIJECTIVE, NONPOSITIVE),
    matrix_free=True,
)
def sm(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "power iterations; a fixed count, as in the study"] = 30,
    sweeps: Annotated[int, Range(0), "Sinkhorn sweeps after the power iterations"] = 20,
):
    r"""Spectral matching: leading eigenvector of the affinity, made doubly stochastic, rounded.

    With affinities :math:`W = -K` over the candidates,

    .. math::

        x^{*} = \underset{\lVert x \rVert = 1}{\text{argmax}} \; x^\top W x, \qquad
        x \leftarrow \frac{W x}{\lVert W x \rVert} .

    The power method runs for `maxiter` steps from the constant vector; `sweeps` Sinkhorn sweeps
    follow (see bistochastic), and a linear assignment rounds the result. Implicit dummies have no
    affinity, so they are exactly 0 after one iteration.

    Departure: if :math:`W x = 0`, the original returns NaN and no labels; here the status is
    "breakdown".
    """
    v, n_iter, status = leading_vector(make_affinity(problem), maxiter, budget)
    # the study's departure: Sinkhorn sweeps make v bistochastic before it is rounded
    v = bistochastic(problem, v, sweeps)
    return Outcome(scores=v / np.linalg.norm(v), n_iter=n_iter, status=status)


def leading_vector(W, maxiter, budget):
    """(vector, iterations done, status) of the power iteration from the constant vector;
    "breakdown" if W v = 0.
    """
    if not isinstance(W, Affinity):
        return leading_vector_by_products(W, maxiter, budget)
    N = W.shape[0]
    v, scratch = np.full(N, 1 / np.sqrt(N)), np.empty(N)
    n_iter = 0
    while n_iter < maxiter and not budget.expired():
        done = lib.gm_power(
            W.struct,
            pointer(v),
            pointer(scratch),
            maxiter - n_iter,
            min(kernels.SLICE, budget.remaining()),
        )
        if done < 0:
            return v, n_iter - 1 - done, "breakdown"
        n_iter += done
    return v, n_iter, "converged" if n_iter == maxiter else budget.stopped


def leading_vector_by_products(W, maxiter, budget):
    """The same for a W that only multiplies (see core.edges)."""
    v = np.full(W.shape[0], 1 / np.sqrt(W.shape[0]))
    for k in range(maxiter):
        if budget.expired():
            return v, k, budget.stopped
        # Leordeanu and Hebert, section 2: v <- W v / |W v|, the leading eigenvector of W
        image = W @ v
        norm = np.linalg.norm(image)
        if not norm > 0:
            return v, k, "breakdown"
        v = image / norm
    return v, maxiter, "converged"


def bistochastic(problem, v, sweeps):
    """The mean of the two buffers of a Sinkhorn scaling whose divisions are guarded by eps."""
    v, scratch = v.copy(), np.empty(problem.n_candidates + max(problem.shape))
    lib.gm_bistochastic(
        *problem.shape,
        len(v),
        pointer(problem.left),
        pointer(problem.right),
        pointer(v),
        sweeps,
        pointer(scratch),
    )
    return v
