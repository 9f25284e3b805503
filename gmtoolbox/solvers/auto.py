"""auto: what gm_solve does when no method is named."""

from typing import Annotated

from gmtoolbox.options import Range
from gmtoolbox.registry import get_solver, solver
from gmtoolbox.transforms import LEFT_COMPLETE


@solver("auto", family="exact", paper="this package", needs=(LEFT_COMPLETE,), has_bound=True)
def auto(
    problem,
    budget,
    *,
    proposals: Annotated[int, Range(1), "fusion moves before the exact method starts"] = 20,
    maxiter: Annotated[int, Range(1), "iterations of the exact method"] = 1000000,
):
    """Best we have: a quick answer by fusion moves, then the exact method until proven or out of time."""
    first = get_solver("fm").function(problem, budget, maxiter=proposals)
    outcome = get_solver("aj").function(problem, budget, init=first.labels, maxiter=maxiter)
    outcome.extra = {**(outcome.extra or {}), "stages": ("fm", "aj")}
    outcome.n_iter += first.n_iter
    return outcome
