"""sm: spectral matching."""

from typing import Annotated

from gmtoolbox.lazy import np
from gmtoolbox.options import Range
from gmtoolbox.registry import Outcome, solver
from gmtoolbox.transforms import BIJECTIVE, NONPOSITIVE


@solver("sm", family="spectral", paper="Leordeanu and Hebert, ICCV 2005", needs=(BIJECTIVE, NONPOSITIVE))
def sm(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "power iterations; a fixed count, as in the study"] = 30,
    sweeps: Annotated[int, Range(0), "Sinkhorn sweeps after the power iterations"] = 20,
):
    """Spectral matching: leading eigenvector of the affinity, made doubly stochastic, rounded.

    W = -K over the candidates; v <- W v / |W v| from the constant vector, maxiter times, then `sweeps` Sinkhorn
    sweeps (see bistochastic). Implicit dummies have no affinity, so they are exactly 0 after one iteration.
    Departure: where W v = 0 the original returns NaN and no labels; here the status is "breakdown".
    """
    v, n_iter, status = leading_vector(-problem.reducedK, budget.iterations(maxiter))
    v = bistochastic(problem, v, sweeps)
    return Outcome(scores=v / np.linalg.norm(v), n_iter=n_iter, status="converged" if n_iter == maxiter else status)


def leading_vector(W, iterations):
    """(vector, iterations done, status) of the power iteration from the constant vector; "breakdown" where W v = 0."""
    v, n_iter = np.full(W.shape[0], 1 / np.sqrt(W.shape[0])), 0
    for k in iterations:
        image = W @ v
        norm = np.linalg.norm(image)
        if not norm > 0:
            return v, n_iter, "breakdown"
        v, n_iter = image / norm, k + 1
    return v, n_iter, None


def bistochastic(problem, v, sweeps):
    """The mean of the two buffers of a Sinkhorn scaling whose divisions are guarded by eps."""
    eps = np.finfo(float).eps
    n1, n2 = problem.shape
    by_label, by_node = v, v
    for _ in range(sweeps):
        by_node = by_label / (np.bincount(problem.left, by_label, n1) + eps)[problem.left]
        by_label = by_node / (np.bincount(problem.right, by_node, n2) + eps)[problem.right]
    return (by_label + by_node) / 2
