"""dd-ls0, dd-ls3, dd-ls4: dual decomposition of the symmetrised graph matching relaxation."""

from typing import Annotated

from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver

PAPER = (
    "Torresani, Kolmogorov, Rother: A Dual Decomposition Approach to Feature Correspondence, PAMI"
    " 2013"
)
PRESETS = {"dd-ls3": {"local": 3}, "dd-ls4": {"local": 4}}


# Seconds per edge and per candidate to find the subproblems, by the nodes of the local ones
SET_UP = {0: (3e-7, 5e-6), 3: (3.5e-7, 1.5e-5), 4: (4e-7, 3.5e-5)}


@solver(
    "dd-ls0", family="dual", paper=PAPER, needs=(LEFT_COMPLETE,), has_bound=True, presets=PRESETS
)
def dd_ls(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "supergradient steps"] = 1000000,
    local: Annotated[int, Range(0, 4), "nodes of a local subproblem, fewer than 3 = none"] = 0,
    step: Annotated[float, Range(1e-3, 1.99), "first factor rho of the Polyak step"] = 1.0,
    deflection: Annotated[
        float, Range(0, 1.99), "gamma: how strongly a direction is turned away from zigzagging"
    ] = 1.9,
    patience: Annotated[int, Range(1), "steps without a rise of the bound before rho shrinks"] = 50,
    tol: Annotated[float, Range(0, 1), "converged when rho gets below"] = 1e-3,
):
    r"""Dual decomposition: assignment, left and right spanning forests, and local subproblems agree
    by supergradient ascent.

    With copies :math:`x^k` of the variables of candidates and of pairs in every subproblem k,

    .. math::

        D(\theta^1, \theta^2, \dots) = \sum_k \underset{x^k}{\min} \; \langle \theta^k, x^k \rangle,
        \qquad \sum_k \theta^k = \theta,

    is a lower bound for every split of the costs :math:`\theta`. The subproblems are the linear
    assignment over all candidates; spanning forests of the graphical model on the left nodes and of
    the one on the right nodes (each pair cost is split between the two, which couples their
    pairwise variables: supplement, 'Symmetry of the Formulations'); and, for dd-ls3 and dd-ls4,
    sets of 3 or 4 connected nodes of either side, with every label used at most once inside. D is
    concave. The costs move along deflected supergradients

    .. math::

        d \leftarrow g + \beta d, \qquad g = x^k - \text{mean of the copies}, \qquad
        \text{step} = \rho\, \frac{\text{value} - D}{\lVert d \rVert^2} .

    Departures from the reference program: this one is written from the mathematics only. Forests
    hold every edge once and are found greedily. The sets of dd-ls4 are those of dd-ls3 with one
    more node, and replace them later. Matchings come from the assignment and from a vote of all
    subproblems, and are fused with the best one so far.
    """
    extra, local = None, local if local >= 3 else 0
    if local and budget.remaining() < set_up_seconds(problem, local):
        local, extra = 0, {"left_out": "local subproblems: no time to find them"}
    options = {
        "local": local,
        "step": step,
        "deflection": deflection,
        "patience": patience,
        "tol": tol,
    }
    set_up = set_up_seconds(problem, local)
    outcome = run_kernel(
        "ddls", problem, budget, maxiter=maxiter, seed=budget.seed, set_up=set_up, **options
    )
    outcome.extra = outcome.extra or extra
    return outcome


def set_up_seconds(problem, local):
    """About how long the kernel takes to find its subproblems."""
    per_edge, per_candidate = SET_UP[local]
    return per_edge * problem.n_edges + per_candidate * problem.n_candidates
