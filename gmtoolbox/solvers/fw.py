"""fw: Frank-Wolfe over partial matchings in Lawler form."""

from typing import Annotated

from gmtoolbox.core._ffi import ffi, pointer
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.kernels import cannot_be_written_out, run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver
from gmtoolbox.solvers.faq import faq


def kernel(seed, *, maxiter, tol, restarts):
    """What gm_solve_many runs in C; see solver()."""
    return "fw", maxiter, {"seed": seed, "tol": tol, "restarts": restarts}


@solver(
    "fw",
    family="frank-wolfe",
    paper=(
        "Vogelstein et al. 2015, Fast approximate quadratic programming for graph matching; Swoboda"
        " et al. 2017 (Lawler form)"
    ),
    needs=(LEFT_COMPLETE,),
    kernel=kernel,
    restart={},
)
def fw(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "Frank-Wolfe steps in all"] = 100_000,
    tol: Annotated[float, Range(0, 1), "relative duality gap at which a descent ends"] = 1e-8,
    restarts: Annotated[
        int,
        Range(0),
        "end after this many starts without improvement; 0: the first descent only",
    ] = 200,
    init=None,
):
    """Frank-Wolfe descent with exact line search, restarted; the best rounded iterate is kept.

    f(x) = c'x + x'Qx over the partial matching polytope (complete matchings if the problem says
    so). Step: s = argmin_s <c + 2Qx, s> (linear assignment), t = argmin_{0<=t<=1} f(x + t(s - x)),
    which is min(1, -<grad, d> / 2 d'Qd) if d'Qd > 0, else 1, x <- x + t(s - x). Offered
    as matchings: every vertex s (its value comes with the gradient) and the assignment nearest to
    x.

    Departures: the reference makes one descent, from x = 0, with the unary cost as gradient
    alone: with all-zero unaries it ends there with value 0. Here that descent is the first of
    several; later ones start at the uniform point and at blends of it, or of the best matching,
    with random matchings. The gap that ends a descent is relative, not 1e-4.
    """
    if cannot_be_written_out(problem):
        return faq(problem, budget, init=init, start="barycenter", restarts=restarts, tol=tol)
    start = ffi.NULL if init is None else pointer(np.ascontiguousarray(init, np.int32))
    name, limit, fields = kernel(budget.seed, maxiter=maxiter, tol=tol, restarts=restarts)
    return run_kernel(name, problem, budget, limit, init=start, **fields)
