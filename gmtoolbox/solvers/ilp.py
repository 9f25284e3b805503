"""ilp: the integer linear program of the study, solved exactly by HiGHS."""

from typing import Annotated

from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver


@solver(
    "ilp",
    family="exact",
    paper="Haller et al. 2022, equations (4)-(6); Huangfu and Hall 2018, HiGHS",
    needs=(LEFT_COMPLETE,),
    has_bound=True,
)
def ilp(
    problem,
    budget,
    *,
    relax: Annotated[
        bool,
        None,
        "solve only the linear relaxation, every label pair written out: the bound is its value",
    ] = False,
    maxiter: Annotated[
        int, Range(1), "branch and bound nodes (simplex iterations if relax)"
    ] = 1_000_000,
):
    """Exact yardstick for small problems: the ILP of equations (4)-(6) through scipy's HiGHS.

    See linear_program for the model. With relax=True the linear relaxation over all label pairs is
    solved and its solution rounded; the bound then is computed from the duals by arithmetic that
    holds whatever they are. Ctrl-C is noticed when HiGHS returns.
    """
    from gmtoolbox.models.linear_program import to_ilp

    program = to_ilp(problem, full=relax)
    scale = float(np.abs(program.cost).max(initial=0.0)) or 1.0
    solve = solve_relaxation if relax else solve_integers
    return solve(problem, program, budget, scale / 1e3, maxiter)


def seconds_left(budget):
    """HiGHS looks at its clock now and then only, so it gets a little less."""
    return max(0.97 * budget.remaining() - 0.005, 1e-3)


def solve_integers(problem, program, budget, unit, maxiter):
    """unit: what HiGHS sees as a cost of 1."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    options = {"mip_rel_gap": 1e-8, "node_limit": maxiter}
    if np.isfinite(budget.time_limit):
        options["time_limit"] = seconds_left(budget)
    constraints = LinearConstraint(program.A, program.lower, program.upper)
    found = milp(
        program.cost / unit,
        integrality=program.integral,
        bounds=Bounds(0, 1),
        constraints=constraints,
        options=options,
    )
    labels = None if found.x is None else program.labels(found.x, problem)
    bound = (
        -np.inf if found.mip_dual_bound is None else found.mip_dual_bound * unit + program.offset
    )
    if labels is not None:
        cost = problem.total_cost(labels)
        tolerance = 1e-7 * np.abs(program.cost).max(initial=0.0)  # what HiGHS lets pass as feasible
        bound = (
            cost
            if found.status == 0 and cost - bound <= 10 * tolerance
            else min(bound - tolerance, cost)
        )
    status = {0: "converged", 1: "time_limit"}.get(found.status, "breakdown")
    if found.status == 1 and not np.isfinite(budget.time_limit):
        status = "iteration_limit"
    return Outcome(labels=labels, bound=bound, n_iter=int(found.mip_node_count or 0), status=status)


def solve_relaxation(problem, program, budget, unit, maxiter):
    from scipy.optimize import linprog

    from gmtoolbox.models.linear_program import safe_lower_bound

    options = {"maxiter": maxiter}
    if np.isfinite(budget.time_limit):
        options["time_limit"] = seconds_left(budget)
    equal = program.lower == program.upper
    A, upper = program.A[~equal], program.upper[~equal]
    found = linprog(
        program.cost / unit,
        A,
        upper,
        program.A[equal],
        program.upper[equal],
        (0, 1),
        method="highs",
        options=options,
    )
    bound, scores = -np.inf, None
    if found.ineqlin.marginals is not None:
        duals = np.empty(len(equal))
        duals[~equal], duals[equal] = found.ineqlin.marginals * unit, found.eqlin.marginals * unit
        bound = safe_lower_bound(program, duals)
    if found.x is not None:
        scores = found.x[: program.n_candidates]
    status = {
        0: "converged",
        1: "time_limit" if np.isfinite(budget.time_limit) else "iteration_limit",
    }.get(found.status, "breakdown")
    return Outcome(
        scores=scores,
        bound=bound,
        n_iter=int(found.nit),
        status=status,
    )
