"""mp, mp-mcf, mp-fw: message passing with an exact assignment part, tightened by triplets."""

from typing import Annotated

from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver


@solver(
    "mp",
    family="dual",
    paper=(
        "Swoboda et al. 2017, A study of Lagrangean decompositions and dual ascent solvers for"
        " graph matching"
    ),
    needs=(LEFT_COMPLETE,),
    has_bound=True,
    presets={"mp-mcf": {"tighten": True}, "mp-fw": {"tighten": True, "frank_wolfe": True}},
)
def mp(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "iterations (a forward and a backward sweep each)"] = 20_000,
    kept: Annotated[
        float, Range(0), "share of its costs a node keeps for the assignment; a link gets 1"
    ] = 2.0,
    tighten: Annotated[bool, "add triplets of nodes to the relaxation"] = False,
    frank_wolfe: Annotated[
        bool, "Frank-Wolfe from every rounded matching, instead of the matching alone"
    ] = False,
):
    r"""Dual ascent on a graphical model coupled with a linear assignment; matchings by assignment
    over the marginals.

    With messages :math:`\varphi` from links uv to nodes,

    .. math::

        D(\varphi) = \mathrm{LAP}(\theta)
        + \sum_{uv} \underset{a,b}{\min} \left( C_{uv}(a,b) - \varphi_{uv}(a) - \varphi_{vu}(b)
        \right), \qquad \theta_u = c_u + \sum_v \varphi_{uv} .

    The assignment part (LAP) is solved exactly, from its last solution, after every sweep. A sweep
    visits the nodes in order. A node collects the min-marginals of all its links and gives each
    link ahead the share :math:`1 / (\max(\text{ahead}, \text{behind}) + \text{kept})` of them
    (TRW-S, SRMP). Triplets hold :math:`A(a,b) + B(a,c) + C(b,c)`, taken from the tables of their
    links and returned by min-marginals.

    Departures from the reference program:

    1. The price of a label is moved to the middle of the interval in which it is optimal.
    2. Sweeps end at points that are not optimal. From there the same dual is raised with every
       minimum replaced by :math:`-\varepsilon \log \sum e^{-\cdot/\varepsilon}` and a falling
       temperature :math:`\varepsilon`, which ends near the optimum of the relaxation.
    3. Tables stay sparse (background 0); they are dense only if a triplet or many entries need it.
    4. Triplets are added when a round of smoothing ends, the most promising triangles first,
       instead of every 50 iterations.
    5. Frank-Wolfe uses the given costs: reparametrisation changes the quadratic form only by terms
       that vanish on the matching polytope, so the iterates are the same.
    6. Matchings over marginals are improved by local moves and fused with the best one so far.
    """
    return run_kernel(
        "mp", problem, budget, maxiter, kept=kept, tighten=tighten, frank_wolfe=frank_wolfe
    )
