"""fm: fusion moves over randomised greedy matchings."""

from typing import Annotated

from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.kernels import cannot_be_written_out, run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver
from gmtoolbox.solvers._swaps import swap_search

PAPER = (
    "Hutschenreiter, Haller, Feineis, Rother, Kainmueller, Savchynskyy: Fusion Moves for Graph"
    " Matching, ICCV 2021"
)


def kernel(seed, *, maxiter, patience, improve):
    """Return the kernel for gm_solve_many; see solver()."""
    return "fm", maxiter, {"seed": seed, "patience": patience, "improve": improve}


@solver(
    "fm",
    family="fusion",
    paper=PAPER,
    needs=(LEFT_COMPLETE,),
    has_bound=True,
    dual_based=False,
    kernel=kernel,
    restart={},
)
def fm(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "greedy matchings to fuse"] = 99999,
    patience: Annotated[
        int, Range(1), "stop after this many proposals without a better value"
    ] = 20000,
    improve: Annotated[int, Range(0), "stop QPBO-I after this many rounds without improvement"] = 5,
):
    r"""Fusion moves: fuse randomised greedy matchings into the best one found so far.

    For the best matching x and a proposal y, each node keeps its label (:math:`z_i = 0`) or takes
    that of y (:math:`z_i = 1`):

    .. math::

        \underset{z \in \{0,1\}^V}{\min} \; E\left( (1 - z) \circ x + z \circ y \right)
        \quad \text{over matchings.}

    This is a quadratic problem in binary variables, solved by QPBO and QPBO-I.

    Departures from libmpopt: alternating cycles are one variable; most proposals change only a
    region of x; a local optimum is passed to tabu search (moves and swaps of labels) and, if that
    is stuck, too, restarted. If the products of two matrices are too many to be listed, swaps alone
    search (see auto).
    """
    if cannot_be_written_out(problem):
        return swap_search(problem, budget, maxiter)
    name, limit, fields = kernel(budget.seed, maxiter=maxiter, patience=patience, improve=improve)
    return run_kernel(name, problem, budget, limit, **fields)
