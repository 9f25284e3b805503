"""auto: the portfolio that gm_solve runs if no method is named."""

import math
from typing import Annotated

from gmtoolbox.core import edges
from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.options import Choice, Jobs, Range
from gmtoolbox.engine.registry import get_solver, solver
from gmtoolbox.solvers._components import parts_of, solve_parts
from gmtoolbox.solvers._exact import Exact
from gmtoolbox.solvers._factors import has_factors
from gmtoolbox.solvers._first import first_matchings, is_large
from gmtoolbox.solvers._forced import without_forced
from gmtoolbox.solvers._layers import first_of_layers
from gmtoolbox.solvers._linear import is_linear, solve_linear
from gmtoolbox.solvers._overlaps import has_overlaps, solve_overlaps
from gmtoolbox.solvers._portfolio import before_fixing, solve_products

# Cells of all full tables. Beyond this one step of the exact method's ascent takes most of a
# second.
EXACT_CELLS = 20_000_000
# Iterations of each method: without a time limit, a search on two matrices takes about half a
# minute for them; a time limit ends it by itself.
MAXITER, MOST_ITERATIONS = 10_000_000, 10**12


@solver(
    "auto",
    family="exact",
    paper="this package",
    needs=(LEFT_COMPLETE,),
    has_bound=True,
    chooses=True,
)
def auto(
    problem,
    budget,
    *,
    init=None,
    run: Annotated[
        str,
        Choice(("choose", "aj", "fm-bca", "faq")),
        "the method that does the work; choose: by the size of the problem",
    ] = "choose",
    cells: Annotated[
        int, Range(0), "largest number of table cells for the exact method"
    ] = EXACT_CELLS,
    cutoff: Annotated[
        float, "cost (offset included) above which matchings are of no interest: see aj"
    ] = None,
    memory: Annotated[
        float,
        Range(0.0),
        "gigabytes that tables may take if products of two matrices are solved",
    ] = 8.0,
    n_jobs: Annotated[int, Jobs(), "threads of aj, if it runs: see there"] = 1,
    maxiter: Annotated[
        int,
        Range(1),
        "iterations of each method that runs (default: 10,000,000 if there is no time limit, else"
        " as many as its time allows)",
    ] = None,
):
    r"""Portfolio: a first matching at once, then search and proof by the methods that suit it.

    If its tables are small enough, the exact method `aj` runs: it searches for matchings (fusion
    moves, tabu search, Frank-Wolfe descents), then divides its work between them and the proof. Its
    cost per step is the number of cells in the tables of the left edges that need full ones, at
    most

    .. math::

        \sum_{ij} \lvert L_i \rvert\, \lvert L_j \rvert

    for the candidates :math:`L_i` of the nodes of all left edges ij. If there are more than `cells`
    of them, the bound of `aj` would rise too slowly, and `fm-bca`, whose sweeps are cheaper, runs
    instead. Result.options["run"] is the chosen method, Result.extra["cells"] the number of cells
    (exact only if an estimate does not decide). A large problem has a first answer before any table
    is built, and its connected parts are solved one after the other; Result.extra["parts"] lists
    them. A problem without pair costs is one linear assignment.

    A Koopmans-Beckmann problem (two graphs, QAPLIB) of any size is solved on its two matrices:
    spectral starts, Frank-Wolfe, local search, bounds in :math:`O(n^3)`, and `aj` if its tables
    fit; Result.extra["ran"] lists the steps. Steps that would need more than `memory` are skipped.
    """
    refuse_unused("goes with run='choose'", **unused_of(run, cells=cells, memory=memory))
    if run in ("fm-bca", "faq"):
        refuse_unused(
            f"does not go with run={run!r}", **unused_of(run, cutoff=cutoff, n_jobs=n_jobs)
        )
    if run in ("choose", "aj") and is_linear(problem):
        return solve_linear(problem, budget)
    steps = {} if maxiter is None else {"maxiter": maxiter}
    if maxiter is None:
        maxiter = MAXITER if math.isinf(budget.time_limit) else MOST_ITERATIONS
    if has_factors(problem) and run == "choose":
        ran = before_fixing(problem, budget)
        rest = without_forced(problem, budget, init)
        options = {
            "cells": cells,
            "cutoff": cutoff,
            "n_jobs": n_jobs,
            "maxiter": maxiter,
            "memory": memory,
            "ran": ran,
        }
        if rest is not None and has_factors(rest.lifted.problem):
            return rest.solve(products, rest=rest, **options)
        return products(problem, budget, init=init, **options)
    if run == "choose":
        init = first_of_layers(problem, budget, init, maxiter)
    if has_overlaps(problem) and run == "choose":

        def exact(start):
            settings = {"cells": cells, "cutoff": cutoff, "n_jobs": n_jobs, "maxiter": maxiter}
            return solve_listed(problem, budget, init=start, run=run, **settings)

        return solve_overlaps(problem, budget, init, exact, maxiter, memory)
    listable = isinstance(problem.edges, edges.Listed) or problem.n_edges <= edges.MAX_EDGES
    if run == "faq" or (run == "choose" and not listable):  # it only multiplies
        outcome = get_solver("faq").function(problem, budget, init=init, **steps)
        outcome.options = {"run": "faq"}
        return outcome
    options = {"cells": cells, "cutoff": cutoff, "n_jobs": n_jobs, "maxiter": maxiter}
    if not is_large(problem):
        return solve_listed(problem, budget, init=init, run=run, **options)
    return large(problem, budget, init=init, run=run, **options)


def unused_of(run, **given):
    """Return {name: whether it has another value than its default} of options, once a method is
    named.
    """
    defaults = {option.name: option.default for option in get_solver("auto").options}
    return {name: run != "choose" and value != defaults[name] for name, value in given.items()}


def solve_listed(problem, budget, *, init, run, cells, cutoff, n_jobs, maxiter):
    """A problem with listed edges, by the method that its size allows."""
    needed = most_cells(problem)
    if needed > cells:
        needed = table_cells(problem)
    chosen = run
    if run == "choose":
        chosen = "aj" if needed <= cells else "fm-bca"
    warm = {"init": init, "cutoff": cutoff, "n_jobs": n_jobs} if chosen == "aj" else {}
    outcome = get_solver(chosen).function(problem, budget, **warm, maxiter=maxiter)
    outcome.options = {"run": chosen}
    outcome.extra = {**(outcome.extra or {}), "cells": needed}
    return outcome


def large(problem, budget, *, init, cutoff, maxiter, **options):
    """Solve a large problem: an answer before any table is built, then part by part if it has
    several.
    """
    for labels in first_matchings(problem):
        budget.record(cost=problem.total_cost(labels), labels=labels)
    parts = parts_of(problem) if cutoff is None else []
    if not parts:
        return solve_listed(problem, budget, init=init, cutoff=cutoff, maxiter=maxiter, **options)

    def solve(part, clock, start, is_again):
        warm = None if init is None and not is_again else start
        return solve_listed(part, clock, init=warm, cutoff=None, maxiter=maxiter, **options)

    start = budget.incumbent.labels if init is None else np.asarray(init)
    outcome = solve_parts(problem, parts, budget, start, solve)
    outcome.options = {"run": options["run"]}
    return outcome


def products(problem, budget, *, init, cells, cutoff, n_jobs, maxiter, memory, ran, rest=None):
    """A Koopmans-Beckmann problem: see _portfolio. rest: the problem is the part that this Rest
    leaves to solve.
    """

    def run(clock, start, steps):
        aj = get_solver("aj").function
        return aj(problem, clock, init=start, cutoff=cutoff, n_jobs=n_jobs, maxiter=steps)

    exact = Exact(problem, run, table_cells, cells, maxiter)
    outcome = solve_products(problem, budget, init, exact, maxiter, memory, ran, rest)
    outcome.options = {"run": "choose"}
    return outcome


def most_cells(problem):
    """At least table_cells, in no time: counting takes as long as an easy problem's proof."""
    n1 = problem.shape[0]
    size = int(np.bincount(problem.left, minlength=1).max()) + (0 if problem.complete else 1)
    return problem.n_edges + min(problem.n_edges, n1 * (n1 - 1) // 2) * size**2


def table_cells(problem):
    """Return the entries of the relaxation of aj: full tables if a pair cost is positive,
    else stored pairs.
    """
    n1 = problem.shape[0]
    size = np.bincount(problem.left, minlength=n1) + (0 if problem.complete else 1)
    i, j = problem.left[problem.a], problem.left[problem.b]
    ends = np.minimum(i, j), np.maximum(i, j)
    needs_table = (problem.edge_cost > 0) & (i != j)

    def by_link(counted):
        """Sums over the edges of each link, as a matrix of left nodes."""
        links = sparse.coo_array((counted.astype(np.int64), ends), shape=(n1, n1))
        return links.tocsr()

    stored, positive = by_link(np.ones(len(i))), by_link(needs_table)
    full = positive.data > 0  # both matrices have the same pattern
    u, v = positive.tocoo().coords
    return int((size[u] * size[v])[full].sum() + stored.data[~full].sum())
