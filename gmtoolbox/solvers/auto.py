"""auto: what gm_solve does when no method is named."""

from typing import Annotated

from gmtoolbox.lazy import np
from gmtoolbox.options import Choice, Range
from gmtoolbox.registry import get_solver, solver
from gmtoolbox.transforms import LEFT_COMPLETE

# Cells of all full tables. Beyond this one step of the exact method's ascent takes most of a second.
EXACT_CELLS = 20_000_000


@solver("auto", family="exact", paper="this package", needs=(LEFT_COMPLETE,), has_bound=True)
def auto(
    problem,
    budget,
    *,
    init=None,
    run: Annotated[str, Choice(("choose", "aj", "fm-bca")), "the method that does the work; choose: by the size of the problem"] = "choose",
    patience: Annotated[int, Range(1), "the opening fusion moves end after so many in a row without a better value"] = 300,
    cells: Annotated[int, Range(0), "largest number of table cells for the exact method"] = EXACT_CELLS,
    maxiter: Annotated[int, Range(1), "iterations of the method that runs"] = 1000000,
):
    """Best we have: fusion moves, then the exact method aj, or fm-bca where the problem is too large for it.

    Fusion moves (fm) give an answer within milliseconds; aj starts from it, climbs its bound and
    keeps fusing until the answer is proven or the time is over. Its cost per step is the number of cells in
    the tables of the left edges that need full ones, at most sum |L_i| |L_j| over left edges ij;
    beyond `cells` the bound would rise too slowly and fm-bca, whose sweeps are cheaper, runs instead.
    Result.extra tells the choice: {"chosen": method, "cells": the number that decided}.
    """
    needed = table_cells(problem)
    first = None
    if init is None and run == "choose":
        first = get_solver("fm").function(problem, budget, maxiter=min(20 * patience, maxiter), patience=patience, improve=5)
        init = first.labels
    chosen = run if run != "choose" else "aj" if needed <= cells else "fm-bca"
    function = get_solver(chosen).function
    outcome = function(problem, budget, init=init, maxiter=maxiter) if chosen == "aj" else function(problem, budget, maxiter=maxiter)
    outcome.n_iter += first.n_iter if first else 0
    outcome.extra = {**(outcome.extra or {}), "chosen": chosen, "cells": needed}
    return outcome


def table_cells(problem):
    """Entries of the relaxation that aj starts from: full tables where a pair cost is positive, else stored pairs."""
    size = np.bincount(problem.left, minlength=problem.shape[0]) + (0 if problem.complete else 1)
    i, j = problem.left[problem.a].astype(np.int64), problem.left[problem.b].astype(np.int64)
    link = np.minimum(i, j) * problem.shape[0] + np.maximum(i, j)
    full = np.unique(link[(problem.edge_cost > 0) & (i != j)])
    in_full = np.isin(link, full)
    return int((size[full // problem.shape[0]] * size[full % problem.shape[0]]).sum() + np.count_nonzero(~in_full))
