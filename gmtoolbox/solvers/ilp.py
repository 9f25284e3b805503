"""ilp: the integer linear program of the study, solved exactly by HiGHS."""

import time
from dataclasses import dataclass
from typing import Annotated

from gmtoolbox.core.lazy import np, optimize
from gmtoolbox.core.result import rounding_error
from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.models.linear_program import safe_lower_bound, to_ilp

LARGEST = 11  # bits of the largest cost that HiGHS sees: its tolerances are absolute
DUAL_TOLERANCE = 1e-7  # of HiGHS, on the reduced cost of a column
ENDING = 0.01  # seconds to end the helper
LAST_GAP = 1e-7  # relative: no further round; the driver alone says whether a gap is closed
MOST_EXACT = 2.0**52  # sums of integers up to this have no rounding error
ROUNDS = 3  # programs to solve, each with the large costs cut off at the limit of the last one


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
    r"""Reference method for small problems: the integer linear program, solved by SciPy's HiGHS.

    With dummies for nodes that may stay unmatched (the study's equations 4 to 6; linear_program
    builds the model),

    .. math::

        \underset{x \in \{0, 1\}}{\min} \; \sum_{i,s} c_{is}\, x_{is}
        + \sum_{is,jl} d_{is,jl}\, x_{is,jl}

    .. math::

        \sum_{l} x_{is,jl} = x_{is}, \qquad \sum_{s} x_{is,jl} = x_{jl} .

    With relax=True the linear relaxation over all label pairs is solved and its solution rounded;
    the bound is then computed from the duals by arithmetic that is valid for any duals. HiGHS runs
    in a process of its own, which a time limit or Ctrl-C ends.

    The tolerances of HiGHS are absolute, so costs that span many magnitudes hide each other. A cost
    above the value of a known matching minus a bound on everything else is in no better matching,
    and is cut off there. The bound subtracts the reduced cost that HiGHS may have ignored for each
    variable that can be 1 at the same time as the others: one per node and one per pair of joined
    nodes. If that leaves a gap, the program is solved again without the best matching: if all
    others cost more, the gap is 0.
    """
    from gmtoolbox.engine.helper import call_elsewhere  # subprocess costs time

    problem.edges.written_out()  # too many are refused before another process begins with them
    budget.keep_back(budget.reserve + ENDING)
    deadline = time.perf_counter() + budget.remaining()
    solve = solve_relaxation if relax else solve_integers
    outcome = call_elsewhere(budget, solve, problem, deadline, maxiter)
    return Outcome(status=budget.stopped) if outcome is None else outcome


def seconds_for_highs(deadline):
    """Time limit for HiGHS, which looks at its clock now and then only: a little less than remains
    until the deadline. perf_counter is the same in all processes.
    """
    return min(max(0.95 * (deadline - time.perf_counter()) - 0.01, 1e-3), 1e9)


def solve_integers(problem, deadline, maxiter):
    """The Outcome of the integer program, in a helper."""
    program = to_ilp(problem)
    labels, cost, bound, n_iter, status = None, np.inf, -np.inf, 0, "converged"
    if not problem.complete:
        labels, cost = np.full(problem.shape[0], -1, dtype=np.int32), 0.0
    for _ in range(ROUNDS):
        found = call_highs(problem, program, cost, deadline, maxiter)
        n_iter, status = n_iter + found.n_iter, found.status
        bound, before = max(bound, found.bound), cost
        if found.cost < cost:
            labels, cost = found.labels, found.cost
        if status != "converged" or cost - bound <= LAST_GAP * abs(cost) or not cost < before:
            break
    if status == "converged" and bound < cost < np.inf:
        # HiGHS lets some of the cost pass; all other matchings may cost more than that
        others = call_highs(problem, program, cost, deadline, maxiter, without=labels)
        n_iter += others.n_iter
        known = cost - 0.5 * problem.cost_error(labels)  # this sum is rounded, too
        bound = max(bound, min(others.bound, known))
        if others.cost < cost:
            labels, cost = others.labels, others.cost
    if is_integral(program.cost):
        bound = np.ceil(bound)
    bound = min(bound, cost) + program.offset
    return Outcome(labels=labels, bound=bound, n_iter=n_iter, status=status)


@dataclass
class HighsAnswer:
    """Labels and cost found by a call of HiGHS, and a bound, both without the offset."""

    labels: object
    cost: float
    bound: float
    n_iter: int
    status: str


def call_highs(problem, program, cost, deadline, maxiter, without=None):
    """Solve the program, given a matching of this cost; if asked for all matchings but
    the labels `without`.
    """
    costs, least = np.array(program.cost), least_cost(problem, program)
    if np.isfinite(cost):
        costs = np.minimum(costs, max(cost - least, 0.0))
    # a power of two, so that costs keep their digits even at the ends of the range of doubles
    exponent = int(np.frexp(np.abs(costs).max(initial=0.0))[1]) - LARGEST
    rules = [optimize.LinearConstraint(program.A, program.lower, program.upper)]
    if without is not None:
        rules.append(optimize.LinearConstraint(*another(problem, program, without)))
    made = optimize.milp(
        np.ldexp(costs, -exponent),
        integrality=program.integral,
        bounds=optimize.Bounds(0, 1),
        constraints=rules,
        options={
            "mip_rel_gap": 1e-9,
            "node_limit": maxiter,
            "time_limit": seconds_for_highs(deadline),
        },
    )
    status = {0: "converged", 1: "time_limit"}.get(made.status, "breakdown")
    if made.status == 1 and not np.isfinite(deadline):
        status = "iteration_limit"
    found = HighsAnswer(None, np.inf, -np.inf, int(made.mip_node_count or 0), status)
    if made.status == 2 and without is not None:
        found.bound = np.inf  # no other matching exists
    elif made.mip_dual_bound is not None:
        links = len(np.unique(problem.left[program.pairs] @ np.array([problem.shape[0], 1])))
        passed = DUAL_TOLERANCE * (problem.shape[0] + links) if costs.any() else 0.0
        found.bound = scale_down(made.mip_dual_bound - passed, exponent)
    if made.x is not None:
        given = program.labels(made.x, problem)
        if is_matching(problem, given):
            found.labels, found.cost = given, problem.total_cost(given) - problem.offset
    return found


def another(problem, program, labels):
    """(row, least, most) of the rule that a matching differs from labels at one node at least:
    sum of x over its pairs - sum of x over all pairs of its free nodes <= number of its pairs - 1.
    """
    row = np.zeros(program.A.shape[1])
    labels = np.asarray(labels)
    own = labels[problem.left] == problem.right
    row[: program.n_candidates] = np.where(labels[problem.left] < 0, -1.0, own)
    return row[None, :], -np.inf, np.count_nonzero(labels >= 0) - 1.0


def is_integral(costs):
    """Return True if all costs are integers whose sums are exact."""
    return bool(np.all(costs == np.floor(costs))) and np.abs(costs).sum() < MOST_EXACT


def scale_down(bound, exponent):
    """Return bound * 2^exponent, or the next double below if that is not one."""
    result = float(np.ldexp(bound, exponent))
    return result if np.ldexp(result, -exponent) == bound else float(np.nextafter(result, -np.inf))


def is_matching(problem, labels):
    """HiGHS calls a solution integral and feasible within a tolerance."""
    used = labels[labels >= 0]
    return len(np.unique(used)) == len(used) and (
        not problem.complete or len(used) == min(problem.shape)
    )


def least_cost(problem, program):
    """Return a lower bound of the costs of the other nodes and pairs of a matching: each at
    its cheapest, or 0.
    """
    n1 = problem.shape[0]
    nodes = np.zeros(n1)
    np.minimum.at(nodes, problem.left, problem.cost)
    pair = problem.left[program.pairs].astype(np.int64) @ np.array([n1, 1])
    _, which = np.unique(pair, return_inverse=True)
    links = np.zeros(which.max(initial=-1) + 1)
    np.minimum.at(links, which, program.cost[program.n_candidates :])
    total = float(nodes.sum() + links.sum())
    size = np.abs(nodes).sum() + np.abs(links).sum()
    return total - rounding_error(len(nodes) + len(links), size)


def solve_relaxation(problem, deadline, maxiter):
    """The Outcome of the linear relaxation, in a helper."""
    program = to_ilp(problem, full=True)
    unit = float(np.abs(program.cost).max(initial=0.0)) / 2**LARGEST or 1.0
    equal = program.lower == program.upper
    found = optimize.linprog(
        program.cost / unit,
        program.A[~equal],
        program.upper[~equal],
        program.A[equal],
        program.upper[equal],
        (0, 1),
        method="highs",
        options={"maxiter": maxiter, "time_limit": seconds_for_highs(deadline)},
    )
    bound, scores = -np.inf, None
    if found.ineqlin.marginals is not None:
        duals = np.empty(len(equal))
        duals[~equal], duals[equal] = found.ineqlin.marginals * unit, found.eqlin.marginals * unit
        bound = safe_lower_bound(program, duals)
    if found.x is not None:
        scores = found.x[: program.n_candidates]
    limit = "time_limit" if np.isfinite(deadline) else "iteration_limit"
    status = {0: "converged", 1: limit}.get(found.status, "breakdown")
    return Outcome(scores=scores, bound=bound, n_iter=int(found.nit), status=status)
