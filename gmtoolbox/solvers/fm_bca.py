"""fm-bca: fusion moves guided by dual block-coordinate ascent."""

from typing import Annotated

from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.kernels import cannot_be_written_out, run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver
from gmtoolbox.solvers._swaps import swap_search
from gmtoolbox.solvers.fm import PAPER


def kernel(seed, *, maxiter, **options):
    """Return the kernel for gm_solve_many; see solver()."""
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
    r"""Fusion moves on costs reparametrised by block-coordinate ascent, with a lower bound.

    The proposals of `fm` are made for reparametrised costs, too. With messages :math:`\varphi` the
    dual is the local polytope over linked nodes and one factor u for each label,

    .. math::

        \underset{\varphi}{\max} \; \sum_{i} \underset{s}{\min} \; c^{\varphi}_i(s)
        + \sum_{ij} \underset{s,t}{\min} \; d^{\varphi}_{ij}(s, t)
        + \sum_{s} \underset{i}{\min} \; u^{\varphi}_s(i) ,

    which is the bound. An edge ij takes both unaries a and b and returns (MPLP++)

    .. math::

        a'(s) = \tfrac{1}{2}\, \underset{t}{\min} \left( a(s) + d(s,t) + b(t) \right)

    and the rest to the other end; unaries and the factors of labels exchange costs by an exact
    linear assignment.

    Departures from libmpopt: sequential sweeps, exact and centred assignment duals, restarts of a
    stalled dual on another schedule, and the proposals of `fm` in addition to reparametrised ones.
    """
    if cannot_be_written_out(problem):
        return swap_search(problem, budget, maxiter)
    options = {"primal_share": primal_share, "improve": improve, "patience": patience}
    name, limit, fields = kernel(budget.seed, maxiter=maxiter, **options)
    return run_kernel(name, problem, budget, limit, **fields)
