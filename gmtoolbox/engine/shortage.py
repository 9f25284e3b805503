"""Where time is short: transforms and roundings that are given up, and what is answered then."""

import math
from contextlib import suppress
from dataclasses import replace
from functools import partial

from gmtoolbox.core.edges import Listed
from gmtoolbox.core.lazy import np
from gmtoolbox.core.lifted import Lifted
from gmtoolbox.core.transforms import longest_transform_seconds, prepare, transform_seconds
from gmtoolbox.engine.budget import Budget
from gmtoolbox.engine.incumbent import best_labels
from gmtoolbox.engine.patience import SHORT, OutOfTime, call_apart, call_within
from gmtoolbox.engine.registry import GREEDY_METHOD, Outcome, get_solver, is_own
from gmtoolbox.engine.rounding import round_scores, rounding_seconds

AT_ONCE = 0.1  # seconds that a greedy matching may take after Ctrl-C
FEW = 20_000  # candidates and edges of problems on which methods look often


def transformed(budget, costs, solver, solver_clock):
    """(Lifted problem as the solver needs it, True), or (the problem itself, False) where there is
    no time for the transforms. On the solver's clock they do not count.
    """
    limit = budget.time_limit
    needs = solver.needs
    seconds, at_most = transform_seconds(costs, needs), longest_transform_seconds(costs, needs)
    budget.keep_back(greedy_seconds(costs))
    try:
        budget.time_limit = math.inf if solver_clock else limit
        return call_within(budget, seconds, prepare, costs, needs, at_most=at_most), True
    except OutOfTime:
        return Lifted(costs), False
    finally:
        budget.time_limit = limit


def outcome_in_time(solver, problem, budget, **options):
    """The solver's Outcome with the best labels that it recorded or returned; without any if there
    was no time.
    """
    budget.keep_back(max(greedy_seconds(problem), rounding_seconds(problem)))
    run = partial(solver.run, problem, budget, **options)
    # a method of the user's own stays in the thread of the call
    outcome = outcome_of(problem, budget, run, in_this_thread=is_own(solver))
    try:
        if outcome.labels is None and outcome.scores is not None:
            outcome.labels = rounded_in_time(problem, outcome.scores, budget)
    except OutOfTime:
        outcome = without_answer(budget, "everything: no time to round")
    outcome.labels = best_labels(problem, outcome.labels, budget.incumbent)
    return outcome


def outcome_of(problem, budget, run, in_this_thread=False):
    """Return the Outcome run(); on a large problem, and unless it must stay in this thread, it is
    given up if it goes on after the budget.
    """
    is_large = problem.n_candidates + problem.n_edges > FEW
    try:
        return call_apart(budget, run) if is_large and not in_this_thread else run()
    except OutOfTime:
        return outcome_so_far(budget)


def outcome_so_far(budget):
    """The Outcome of a method that was given up: the best labels that it has recorded, or its last
    iterate.
    """
    if budget.incumbent.labels is not None:
        found = budget.incumbent.labels
        return Outcome(labels=found, n_iter=budget.iteration, status=budget.stopped)
    if budget.latest is not None:
        with suppress(Exception):  # it goes on, and may change what the function reads
            return replace(budget.latest(), status=budget.stopped)
    return without_answer(budget, "everything: no time to set up")


def rounded_in_time(problem, scores, budget, rounding=round_scores):
    """The labels of scores; the time that was kept back is there for them."""
    whole = math.prod(problem.shape) if np.ndim(scores) == 2 else None
    seconds = rounding_seconds(problem, whole)
    if seconds <= SHORT:
        return rounding(problem, scores)
    before, budget.stopped, budget.reserve = (budget.stopped, budget.reserve), None, 0.0
    try:
        return call_within(budget, seconds, rounding, problem, scores)
    finally:
        budget.stopped, budget.reserve = before[0] or budget.stopped, before[1]


def without_answer(budget, what):
    """The Outcome of a method that had no time; `what` it omitted."""
    return Outcome(status=budget.stopped, extra={"left_out": what})


def greedy_seconds(problem):
    """About how long a greedy matching takes."""
    if not isinstance(problem.edges, Listed):
        return 0.0
    return 1e-3 + 4e-8 * problem.n_edges + 2e-7 * problem.n_candidates


def greedy(costs, outcome, seed):
    """(Lifted problem, Outcome) of a greedy matching, where a method was stopped before it
    found anything: better than nothing matched. extra["left_out"] tells. None where the outcome
    stays as it is.
    """
    missing = outcome.labels is None and outcome.scores is None
    if not missing or outcome.status not in ("time_limit", "interrupted"):
        return None
    late = outcome.status == "interrupted" and greedy_seconds(costs) > AT_ONCE
    if late or not isinstance(costs.edges, Listed):
        return None
    first = get_solver(GREEDY_METHOD)
    prepared = prepare(costs, first.needs)
    found = first.run(prepared.problem, Budget(None, seed), **first.check({"maxiter": 1}))
    said = (outcome.extra or {}).get("left_out", "everything")
    extra = {**(outcome.extra or {}), "left_out": f"{said}; the answer is a greedy matching"}
    return prepared, replace(outcome, labels=found.labels, extra=extra)
