"""fm-bca: fusion moves guided by dual block-coordinate ascent."""

from typing import Annotated

from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.kernels import cannot_be_written_out, run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver
from gmtoolbox.solvers._swaps import swap_search
from gmtoolbox.solvers.fm import PAPER


def kernel(seed, *, maxiter, **options):
    """What gm_solve_many runs in C; see solver()."""
    return "fm_bca", maxiter, {"seed": seed, **options}


@solver(
    "fm-bca", family="fusion", paper=PAPER, needs=(LEFT_COMPLETE,), has_bound=True, kernel=kernel
)
def fm_bca(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "sweeps of the dual"] = 1000000,
    primal_share: Annotated[
        float, Range(0, 1000), "work on fusion moves per unit of work on the dual, at first"
    ] = 1.8,
    improve: Annotated[int, Range(0), "stop QPBO-I after this many rounds without improvement"] = 5,
    patience: Annotated[int, Range(1), "stop after this many sweeps without progress"] = 10000,
):
    """Fusion moves on costs reparametrised by block-coordinate ascent, with a lower bound.

    The dual is the local polytope over linked nodes plus one uniqueness factor per label. A link uv
    takes both unaries A, B and gives back (MPLP++)

        U1(s) = 1/2 min_t (A(s) + theta(s,t) + B(t)),  V(t) = min_s (... - U1(s)),  U(s) = min_t
        (... - V(t));

    unaries and uniqueness factors exchange costs by an exact linear assignment. The bound is the
    sum of all factor minima. Departures from libmpopt: sequential sweeps, exact and centred
    assignment duals, restarts of a stalled dual on another schedule, and the proposals of `fm`
    in addition to reparametrised ones.
    """
    if cannot_be_written_out(problem):
        return swap_search(problem, budget, maxiter)
    options = {"primal_share": primal_share, "improve": improve, "patience": patience}
    name, limit, fields = kernel(budget.seed, maxiter=maxiter, **options)
    return run_kernel(name, problem, budget, limit, **fields)
