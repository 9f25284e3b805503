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
    """Return the kernel for gm_solve_many; see solver()."""
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
    r"""Frank-Wolfe descent with exact line search, restarted; the best rounded iterate is kept.

    Over the polytope of partial matchings, of complete ones if the problem asks for them,

    .. math::

        \underset{x}{\min} \; f(x) = c^\top x + x^\top Q\, x .

    A step solves a linear assignment problem for the gradient and a line search for t:

    .. math::

        y = \underset{y}{\text{argmin}} \; \langle c + 2 Q x, y \rangle, \qquad
        x \leftarrow x + t\, (y - x), \qquad
        t = \min\left( 1, \; -\frac{\langle \nabla f(x), d \rangle}{2\, d^\top Q\, d} \right)

    with :math:`d = y - x`; :math:`t = 1` if :math:`d^\top Q\, d \le 0`. Every vertex y is a
    matching whose value comes with the gradient; the last one is the assignment nearest to x.

    Departures: the reference program makes one descent, from :math:`x = 0`, with the unary cost as
    gradient alone. Without unary costs it ends there with value 0. Here that descent is the first
    of several; later ones start at the uniform point and at blends of it, or of the best matching,
    with random matchings. The gap that ends a descent is relative, not 1e-4.
    """
    if cannot_be_written_out(problem):
        return faq(problem, budget, init=init, start="barycenter", restarts=restarts, tol=tol)
    start = ffi.NULL if init is None else pointer(np.ascontiguousarray(init, np.int32))
    name, limit, fields = kernel(budget.seed, maxiter=maxiter, tol=tol, restarts=restarts)
    return run_kernel(name, problem, budget, limit, init=start, **fields)
