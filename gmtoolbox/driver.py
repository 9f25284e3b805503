"""gm_solve: the whole pipeline on one screen."""

import time
import weakref
from dataclasses import replace
from pathlib import Path

import gmtoolbox.engine.alternatives as alternatives
from gmtoolbox.core._ffi import lib
from gmtoolbox.core.claims import withdraw_refuted_bounds
from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.guesses import check_guesses
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.result import Result, gap_closed, relative_gap, settled
from gmtoolbox.core.shared_costs import without_shared_costs
from gmtoolbox.core.values import as_array
from gmtoolbox.engine.budget import Budget
from gmtoolbox.engine.linalg import candidate_lap, filled_up, largest_matching
from gmtoolbox.engine.live import watched
from gmtoolbox.engine.patience import SHORT
from gmtoolbox.engine.registry import DEFAULT_METHOD, get_solver, gm_methods
from gmtoolbox.engine.rounding import round_scores, rounding_seconds
from gmtoolbox.engine.shortage import greedy, outcome_in_time, transformed, without_answer
from gmtoolbox.io import load


def gm_solve(
    problem,
    method=DEFAULT_METHOD,
    *,
    time_limit=None,
    seed=0,
    init=None,
    shape=None,
    Ct=None,
    sense=None,
    complete=None,
    progress=None,
    n_best=None,
    **options,
):
    """Match two graphs. A bare matrix K is an affinity and is **maximised**; files and Problems
    keep their own sense.

    Parameters
    ----------
    problem : Problem, path of a file, or matrix
        A matrix is a square K, dense or scipy.sparse, (n1*n2)^2, row left + n1*right.
    method : str or function
        A name that gm_methods() lists, or a function of one's own: see gm.solver.
    time_limit : float, optional
        Wall seconds for everything after loading; the best answer so far is returned.
    seed : int
        Fixes the sequence of iterates.
    init : array, optional
        Labels to start from, where the method can use them.
    shape, Ct : (int, int) and (n1, n2) 0/1 mask of allowed pairs, optional
        For a bare K (shape also for a .mat file with just a K). Without them n1 = n2; if the
        entries speak against that, a ShapeWarning says so.
    sense : "max" or "min", optional
        For a bare K, or a .mat file that does not state it: "min" if it holds costs. Without it K
        is an affinity; if it has negative entries, a SenseWarning says so.
    complete : bool, optional
        Every node of the smaller side must be matched. Default: True for a bare K, else as the
        problem says.
    progress : True, "verbose" or function, optional
        True: a live line on the terminal or in the notebook; "verbose": a line for each
        improvement. A function is called with ((time, value, bound), labels or None, iteration) at
        every improvement; of a method that rounds its last iterate only, with roundings on the way,
        the answer last (it can be worse than one of them).
    n_best : int, optional
        Find this many of the best matchings, with the exact method, for small problems: the others
        are in the answer's `alternatives`, fewer if there are no more. `init` and `progress` are
        those of the first solve, which finds the best matching.
    **options
        The method's own: gm_methods() tells them.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If the problem, the method or an option is not what it must be.
    InfeasibleError
        If complete matchings are asked for and there is none.

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> K = np.diag([1.0, 5.0, 5.0, 1.0])
    >>> r = gm.gm_solve(K)
    >>> r.labels.tolist(), r.value, r.status
    ([1, 0], 10.0, 'optimal')
    """
    original = as_problem(problem, shape, Ct, sense, complete)
    if n_best is None:
        with Budget(time_limit, seed) as budget:
            result = solve_within(budget, original, method, init, progress, options)
    else:
        first = {"init": init, "progress": progress}
        result = best_of_all(original, method, n_best, time_limit, first, seed=seed, **options)
    if original is not problem:
        if not isinstance(problem, Problem):
            sense = original.sense  # what was guessed is not guessed again
        result.problem = way_back(
            original, problem, shape=shape, Ct=Ct, sense=sense, complete=complete
        )
    return result


def way_back(original, given, **named):
    """A function that makes the Problem again from what gm_solve was given, or None where that is
    gone: a result keeps neither alive. A file or matrix that has changed is refused.
    """
    if isinstance(given, (str, Path)):
        path = Path(given).absolute()
        find = lambda: path if path.exists() else None
    else:
        try:
            find = weakref.ref(given)
        except TypeError:  # a list
            return None
    known = fingerprint(original)

    def made_again():
        problem = None if find() is None else as_problem(find(), **named)
        if problem is not None and fingerprint(problem) != known:
            raise InputError("the Problem is needed as it was solved; it has changed since")
        return problem

    return made_again


def solve_on_solver_clock(problem, method, *, time_limit=None, seed=0, progress=None, init=None,
                          **options):  # fmt: skip
    """gm_solve as the study measures: the limit, the trace and the progress count from the end of
    the transforms. Result.time is still what the caller waited for.
    """
    with Budget(time_limit, seed) as budget:
        return solve_within(budget, as_problem(problem), method, init, progress, options, True)


def solve_within(budget, original, method, init, progress, options, solver_clock=False):
    """The Result of a method on a Problem within a budget whose clock runs."""
    solver = get_solver(method)
    options = solver.check(options)
    given = original
    if not options.get("certify"):  # a certificate is about the costs as they are
        original = without_shared_costs(given)
    costs = original.as_costs().without_offset()  # what everything up to the Result is decided on
    check_feasible(costs)
    prepared, in_time = transformed(budget, costs, solver, solver_clock)
    warm = {}
    if solver.takes_init or init is not None:
        warm["init"] = lowered_init(solver, prepared, original, init)

    def judge(outcome):
        """(labels of the prepared problem or None, cost of what becomes of them)"""
        labels = rounded(prepared.problem, outcome)
        return labels, costs.total_cost(whole_matching(costs, prepared, labels))

    def proves(cost, bound):
        return gap_closed(cost, bound, original.tolerance)

    budget.offset, budget.tolerance = original.offset, original.tolerance
    with watched(progress, solver.name) as told:
        on_improve = report_to(told, original, prepared, costs)
        budget.attend(on_improve, judge, rounding_seconds(prepared.problem), proves)
        budget.begin_solver(restart=solver_clock)
        if in_time:
            outcome = outcome_in_time(solver, prepared.problem, budget, **warm, **options)
        else:
            outcome = without_answer(budget, "no time for the transforms")
        if not solver_clock:  # where methods are compared, none answers for another
            prepared, outcome = greedy(costs, outcome, budget.seed) or (prepared, outcome)
        is_over = budget.stopped in ("time_limit", "interrupted")
        labels = rounded(prepared.problem, outcome)
        labels = whole_matching(costs, prepared, labels, anyhow=is_over)
        elapsed, solver_time, waited = budget.elapsed(), budget.solver_time(), budget.waited()

    cost = costs.total_cost(labels)
    budget.answer(cost, outcome.bound, at=budget.started + elapsed)
    withdraw_refuted_bounds(budget, original, cost, labels, solver.name)
    told = settled(original, cost, budget.bound, labels)
    value = told.value if given is original else given.energy(labels)
    return Result(
        labels=labels,
        value=value,
        bound=given.signed(min(given.signed(told.bound), given.signed(value))),
        gap=told.gap,
        status="optimal" if told.closed else unproven_status(outcome, budget),
        time=waited,
        solver_time=solver_time,
        n_iter=int(outcome.n_iter),
        trace=trace_with_offset(original, budget, cost),
        shape=original.shape,
        method=solver.name,
        options={**options, **(outcome.options or {})},
        seed=budget.seed,
        sense=original.sense,
        scores=score_matrix(original, prepared, outcome.scores),
        extra=outcome.extra or {},
        nodes1=original.nodes1,
        nodes2=original.nodes2,
        problem=weakref.ref(given),
    )


def best_of_all(problem, method, k, time_limit, first, **settings):
    """The best of the k best matchings; it holds the others. See engine.alternatives."""
    if not isinstance(method, str) or method != DEFAULT_METHOD:
        raise InputError(f"n_best goes with method {DEFAULT_METHOD!r}, not with {method!r}")
    begin = time.perf_counter()
    found = alternatives.n_best(gm_solve, problem, k, time_limit, first, **settings)
    (labels, best, _), rest = found[0], found[1:]
    others = [
        {"labels": other.tolist(), "value": problem.energy(other), "status": status}
        for other, _, status in rest
    ]
    return replace(
        best,
        labels=labels,
        time=time.perf_counter() - begin,
        extra={**best.extra, "n_best": others},
        problem=weakref.ref(problem),
    )


def as_problem(problem, shape=None, Ct=None, sense=None, complete=None):
    """Whatever gm_solve takes, as a Problem."""
    if isinstance(problem, (str, Path)):
        if Ct is not None:
            raise InputError("Ct goes with a matrix K only, not with a file")
        return load(problem, complete=complete, sense=sense, shape=shape)
    if hasattr(problem, "adj") and hasattr(problem, "nodes"):
        raise InputError(
            "gm_solve takes one problem: make it of two graphs with"
            " gm.models.from_graphs(G, H), then gm_solve(problem)"
        )
    if isinstance(problem, Problem):
        for name, value in (("shape", shape), ("Ct", Ct), ("sense", sense)):
            if value is not None:
                raise InputError(f"{name} goes with a matrix K or a file, not with a Problem")
        return problem if complete is None else replace(problem, complete=complete)
    check_guesses(problem, shape, Ct, sense)
    return Problem.from_matrix(
        problem,
        shape=shape,
        Ct=Ct,
        sense=sense or "max",
        complete=True if complete is None else complete,
    )


def check_feasible(problem):
    """InfeasibleError unless a complete problem has a complete matching."""
    n1, n2 = problem.shape
    if not problem.complete or problem.n_candidates == n1 * n2:
        return
    matched = largest_matching(problem)
    if matched < min(n1, n2):
        raise InfeasibleError(
            f"complete=True asks for {min(n1, n2)} matched pairs, but the allowed pairs admit only"
            f" {matched}"
        )


def rounded(problem, outcome):
    """The labels of an outcome, from its scores where it has none; None without either."""
    if outcome.labels is None and outcome.scores is not None:
        return round_scores(problem, outcome.scores)
    return outcome.labels


def whole_matching(problem, prepared, labels, anyhow=False):
    """Labels of the prepared problem as a matching in any case: nothing matched, or a complete one,
    where a method found none. anyhow: whatever that costs, if the best would take long.
    """
    labels = np.full(problem.shape[0], -1) if labels is None else prepared.lift(labels)
    if problem.complete and not problem.is_complete_matching(labels):
        takes_long = rounding_seconds(problem) > SHORT
        labels = (filled_up if anyhow and takes_long else completed)(problem, labels)
    return np.asarray(labels, dtype=np.int32)


def completed(problem, labels):
    """A complete matching that keeps as much of labels as it can; the rest is what goes best with
    that.
    """
    lap, order = candidate_lap(problem)
    kept = problem.candidates.indicator(labels)
    price = problem.cost  # of a candidate beside the kept ones
    if kept.any():
        price = price + 2 * (problem.reducedK @ kept) - 2 * price * kept
    n = min(problem.shape)
    # scaled so that all prices together weigh less than one kept pair
    price = (price - price.min()) / max(np.ptp(price), np.finfo(float).tiny) / (n + 1)
    return lap.solve((price - kept - 2 * n)[order])


def lowered_init(solver, prepared, original, init):
    """The warm start as labels of the prepared problem; None without one."""
    if init is None:
        return None
    if not solver.takes_init:
        takers = ", ".join(method.name for method in gm_methods() if method.takes_init)
        raise InputError(f"method {solver.name!r} cannot use init; those that can are {takers}")
    init = as_array("init", init)
    original.candidates_of(init)
    return prepared.lower(init.astype(np.int32))


def report_to(progress, original, prepared, costs):
    """Translate a solver's improvements into the caller's sense and labels; None for no caller."""
    if progress is None:
        return None

    def report(event, labels, iteration):
        time, cost, bound = event
        labels = None if labels is None else whole_matching(costs, prepared, labels)
        bound = min(bound, cost)
        told = (time, with_offset(original, cost), bound_with_offset(original, bound))
        progress(told, labels, iteration, relative_gap(cost, bound, original.tolerance))

    return report


def unproven_status(outcome, budget):
    """How a run ended whose gap is open. A method may take its answer for optimal; that is for the
    gap to say.
    """
    status = outcome.status or budget.stopped or "converged"
    return "converged" if status == "optimal" else status


def with_offset(original, cost):
    """The value of a cost: as Problem.energy adds them."""
    return lib.gm_told_value(cost, original.offset, original.sense == "max")


def bound_with_offset(original, bound):
    """A bound with the offset, in the caller's sense. Where the sum is no double, it is the next
    one on the safe side.
    """
    return lib.gm_told_bound(bound, original.offset, original.sense == "max")


def trace_with_offset(original, budget, cost):
    """The trace in the caller's sense; its last value is the value that was recomputed."""
    trace = budget.trace()
    trace["bound"] = [bound_with_offset(original, min(bound, cost)) for bound in trace["bound"]]
    trace["value"] = [with_offset(original, max(value, cost)) for value in trace["value"]]
    return trace


def score_matrix(original, prepared, scores):
    """Continuous scores on the original pairs: dummies are cut off."""
    if scores is None:
        return None
    scores, (n1, n2) = np.asarray(scores), original.shape
    matrix = scores if scores.ndim == 2 else all_pairs(prepared.problem, scores)
    if matrix is not None:
        # transposed where the sides were exchanged
        return (matrix if matrix.shape[0] >= n1 else matrix.T)[:n1, :n2]
    left, right = prepared.problem.left, prepared.problem.right
    if prepared.problem.shape[0] < n1:
        left, right = right, left
    inside, matrix = (left < n1) & (right < n2), np.zeros((n1, n2))
    matrix[left[inside], right[inside]] = scores[inside]
    return matrix


def all_pairs(problem, scores):
    """The matrix of scores of a problem that allows all pairs, without a copy; None of others."""
    n1, n2 = problem.shape
    return scores.reshape(n2, n1).T if len(scores) == n1 * n2 else None
