"""One solve: transform, warm start, run, round, lift, complete, settle, trace -> Answer.

Every kind of solve ends in an Answer, and only this module decides value, bound, gap, status and
trace. solve_matching does all steps for a Problem. A kind of solve with a model of its own (many
graphs, many problems in C, common subgraphs) runs its kernel with run_unless_late and ends with
conclude. A kind whose caller is given another number than the costs that were minimised (an edit
path, a number of common edges) decides on that number with Answer.restate. Answer.result makes the
class that the caller gets.
"""

import math
import warnings
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial

from gmtoolbox.core._ffi import lib
from gmtoolbox.core.edges import Listed
from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import gap_closed, relative_gap
from gmtoolbox.core.transforms import (
    longest_transform_seconds,
    prepare,
    transform_seconds,
    without_shared_costs,
)
from gmtoolbox.core.values import Lifted, as_array
from gmtoolbox.engine.limits import SHORT, OutOfTime, call_apart, call_within
from gmtoolbox.engine.progress import Budget, Line, watch_progress
from gmtoolbox.engine.registry import GREEDY_METHOD, Outcome, get_solver, gm_methods, is_own
from gmtoolbox.engine.rounding import (
    MUNKRES_LIMIT,
    candidate_lap,
    fill_up,
    largest_matching,
    round_scores,
)

AT_ONCE = 0.1  # seconds that a greedy matching may take after Ctrl-C
MOST_PAIRS = 200_000  # that are looked at one by one after the end of the time
CELLS_AT_ONCE = 1_000_000  # of a matrix of scores between two looks: 10 ms of new memory
FEW = 20_000  # candidates and edges of problems on which methods look often
ROUNDING = 1e-9  # of cost and largest entry: a bound may pass a cost by rounding, which is capped


@dataclass(kw_only=True, slots=True)
class Answer:
    """The outcome of any solve in the caller's sense, before it becomes a Result of its kind."""

    labels: object  # of the problem; of many graphs their tracks
    value: float
    bound: float
    gap: float
    status: str
    time: float = 0.0
    solver_time: float = None
    n_iter: int = 0
    trace: object = None
    method: str = None
    options: dict = field(default_factory=dict)
    seed: int = 0
    sense: str = "min"
    scores: object = None
    extra: dict = field(default_factory=dict)

    def result(self, kind, **own):
        """Return a result of the class `kind`: the fields that it shares with the answer, and its
        own.
        """
        shared = {name: getattr(self, name) for name in shared_fields(kind)}
        return kind(**{**shared, **own})

    def restate(self, value, bound, tolerance, **changed):
        """Return the answer about another number than the costs that were minimised: both in the
        sense of the answer, and exact but for the tolerance.
        """
        return replace(self, **changed).settle(value, bound, tolerance)

    def settle(self, value, bound, tolerance):
        """Set the number that the answer is about, as restate does, and return the answer."""
        sign = 1.0 if self.sense == "min" else -1.0
        verdict = lib.gm_settle(sign * value, sign * bound, 0.0, sign < 0, tolerance, 0.0)
        self.value, self.bound = value, sign * min(sign * bound, sign * value)
        self.gap = verdict.gap
        self.status = "optimal" if verdict.closed else name_unproven(self.status)
        return self


@cache
def shared_fields(kind):
    """Return the names of the fields that an Answer and a class of results share."""
    return tuple({f.name for f in fields(kind)} & {f.name for f in fields(Answer)})


# ---- the end of every solve


def conclude(model, trace, labels, cost, ending, **facts):
    """Return the Answer of labels of this cost, which was computed afresh.

    The model is a Problem, or has its offset, sense, tolerance, cost_error(labels) and
    largest_cost; cost and the bounds of the trace go without the offset. ending: the status if the
    gap is open. facts: further fields of the Answer.
    """
    if trace.bound > cost:
        withdraw_refuted_bounds(trace, model, cost, labels, facts.get("method"))
    verdict = lib.gm_settle(
        cost, trace.bound, model.offset, model.sense == "max", model.tolerance,
        model.cost_error(labels),
    )  # fmt: skip
    return Answer(
        labels=labels,
        value=verdict.value + 0.0,  # not -0.0
        bound=verdict.bound + 0.0,
        gap=verdict.gap,
        status="optimal" if verdict.closed else name_unproven(ending),
        trace=trace.as_array(model, cost),
        sense=model.sense,
        **facts,
    )


def withdraw_refuted_bounds(trace, model, cost, labels, method):
    """Drop the bounds of a trace, with a warning, if a matching of less cost refutes them.

    A bound is believed as far as the method that reports it; `gmtoolbox verify` is there to check
    one. A bound that is false without a proof is not repeated.
    """
    margin = max(
        model.tolerance, model.cost_error(labels), ROUNDING * max(abs(cost), model.largest_cost)
    )
    if trace.bound > cost + margin:
        warnings.warn(
            f"method {method!r} reports the lower bound {trace.bound:.10g}, but its matching costs"
            f" {cost:.10g}: all its bounds are dropped",
            RuntimeWarning,
            stacklevel=5,
        )
        trace.withdraw_bounds()


def name_unproven(status):
    """Return how a run ended whose gap is open. A method may take its answer for optimal; that is
    for the gap to decide.
    """
    return "converged" if status in (None, "optimal") else status


# ---- a matching problem


def solve_matching(
    budget, given, method, init=None, progress=None, options=None, solver_clock=False
):
    """Return the Answer of a method on a Problem within a budget whose clock runs.

    solver_clock: the limit, the trace and the progress count from the end of the transforms.
    """
    solver = get_solver(method)
    options = solver.check(options or {})
    # a certificate is about the costs as they are
    original = given if options.get("certify") else without_shared_costs(given)
    budget.given = given
    costs = original.as_costs().without_offset()  # all up to the Answer is decided on them
    check_feasible(costs)
    prepared, in_time = transform_in_time(budget, costs, solver, solver_clock)
    warm = {}
    if solver.takes_init or init is not None:
        warm["init"] = lower_init(solver, prepared, original, init)
    with watch_progress(progress, solver.name) as listener:
        listen(budget, listener, original, costs, prepared)
        budget.begin_solver(restart=solver_clock)
        if in_time:
            outcome = run_in_time(solver, prepared.problem, budget, **warm, **options)
        else:
            outcome = omit(budget, "no time for the transforms")
        if not solver_clock:  # when methods are compared, none answers for another
            prepared, outcome = match_greedily(costs, outcome, budget.seed) or (prepared, outcome)
        is_over = budget.stopped in ("time_limit", "interrupted")
        labels = lift_whole(costs, prepared, round_outcome(prepared.problem, outcome), is_over)
        elapsed, solver_time, waited = budget.elapsed(), budget.solver_time(), budget.waited()
    cost = costs.total_cost(labels)
    budget.end(cost, outcome.bound, at=budget.started + elapsed)
    answer = conclude(
        original,
        budget.trace,
        labels,
        cost,
        outcome.status or budget.stopped,
        time=waited,
        solver_time=solver_time,
        n_iter=int(outcome.n_iter),
        method=solver.name,
        options={**options, **(outcome.options or {})},
        seed=budget.seed,
        scores=lift_scores(original, prepared, outcome.scores, budget),
        extra=outcome.extra or {},
    )
    return answer if original is given else with_shared_costs(answer, given)


def with_shared_costs(answer, given):
    """Return the answer with the value on the problem that was given, and no better bound."""
    value = given.energy(answer.labels)
    bound = given.signed(min(given.signed(answer.bound), given.signed(value)))
    return replace(answer, value=value, bound=bound)


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


def transform_in_time(budget, costs, solver, solver_clock):
    """Return (Lifted problem as the solver needs it, True), or (the problem itself, False) if the
    transforms would take too long. On the solver's clock they do not count.
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


def lower_init(solver, prepared, original, init):
    """Return the warm start as labels of the prepared problem; None without one."""
    if init is None:
        return None
    if not solver.takes_init:
        takers = ", ".join(method.name for method in gm_methods() if method.takes_init)
        raise InputError(f"method {solver.name!r} cannot use init; those that can are {takers}")
    init = as_array("init", init)
    original.candidates_of(init)
    return prepared.lower(init.astype(np.int32))


def listen(budget, listener, original, costs, prepared):
    """Make a budget judge and report improvements as the caller understands them: in the sense of
    the original problem, with its labels.
    """

    def judge(outcome):
        """Return (labels of the prepared problem or None, cost of their lifted labels)."""
        labels = round_outcome(prepared.problem, outcome)
        return labels, costs.total_cost(lift_whole(costs, prepared, labels))

    if isinstance(listener, Line):
        listener.remark = lambda: budget.remark
    budget.offset, budget.tolerance = original.offset, original.tolerance
    budget.attend(
        report_to(listener, original, lambda labels: lift_whole(costs, prepared, labels)),
        judge,
        rounding_seconds(prepared.problem),
        proves_for(original),
    )


def proves_for(model):
    """Return the function (cost, bound) -> whether the gap is closed, both without the offset."""
    return lambda cost, bound: gap_closed(cost, bound, model.tolerance)


def report_to(listener, model, lift):
    """Return a function that passes a solver's improvements on in the caller's sense, with labels
    that are lifted; None for no listener.
    """
    if listener is None:
        return None

    def report(event, labels, iteration):
        seconds, cost, bound = event
        offset, is_max, bound = model.offset, model.sense == "max", min(bound, cost)
        value = lib.gm_report_value(cost, offset, is_max)
        event = (seconds, value, lib.gm_report_bound(bound, offset, is_max))
        gap = relative_gap(cost, bound, model.tolerance)
        listener(event, None if labels is None else lift(labels), iteration, gap)

    return report


# ---- run, in time


def run_in_time(solver, problem, budget, **options):
    """Return the solver's Outcome with the best labels that it recorded or returned; without any if
    there was no time.
    """
    budget.keep_back(max(greedy_seconds(problem), rounding_seconds(problem)))
    run = partial(solver.run, problem, budget, **options)
    # a method of the user's own stays in the thread of the call
    outcome = run_unless_late(problem, budget, run, in_this_thread=is_own(solver))
    try:
        if outcome.labels is None and outcome.scores is not None:
            outcome.labels = round_in_time(problem, outcome.scores, budget)
    except OutOfTime:
        outcome = omit(budget, "everything: no time to round")
    outcome.labels = best_labels(problem, outcome.labels, budget.incumbent)
    return outcome


def run_unless_late(problem, budget, run, in_this_thread=False):
    """Return the Outcome run(); on a large problem, and unless it must stay in this thread, it is
    given up if it goes on after the budget.
    """
    is_large = problem.n_candidates + problem.n_edges > FEW
    try:
        return call_apart(budget, run) if is_large and not in_this_thread else run()
    except OutOfTime:
        return recover_outcome(budget)


def recover_outcome(budget):
    """Return the Outcome of a method that was given up: the best labels that it has recorded, or
    its last iterate.
    """
    if budget.incumbent.labels is not None:
        found = budget.incumbent.labels
        n_iter, extra = budget.iteration, budget.extra
        return Outcome(labels=found, n_iter=n_iter, status=budget.stopped, extra=extra)
    if budget.latest is not None:
        with suppress(Exception):  # it goes on, and may change variables of the function
            return replace(budget.latest(), status=budget.stopped)
    return omit(budget, "everything: no time to set up")


def omit(budget, what):
    """Return the Outcome of a method that had no time, with the name of the omitted step."""
    return Outcome(status=budget.stopped, extra={"left_out": what})


def best_labels(problem, labels, incumbent):
    """Return the cheaper matching of the labels (None: none) and the incumbent's; in a complete
    problem a complete matching comes before any other.
    """
    if incumbent.labels is None or labels is None:
        return incumbent.labels if labels is None else labels
    if np.array_equal(labels, incumbent.labels):
        return labels

    def rank(matching):
        is_partial = problem.complete and not problem.is_complete_matching(matching)
        return is_partial, problem.total_cost(matching)

    return min(labels, incumbent.labels, key=rank)  # the labels themselves if both are equal


def greedy_seconds(problem):
    """Return about how long a greedy matching takes."""
    if not isinstance(problem.edges, Listed):
        return 0.0
    return 1e-3 + 4e-8 * problem.n_edges + 2e-7 * problem.n_candidates


def match_greedily(costs, outcome, seed):
    """Return (Lifted problem, Outcome) of a greedy matching, if a method was stopped before it
    found anything: better than nothing matched. extra["left_out"] says so. None if the outcome
    stays as it is.
    """
    missing = outcome.labels is None and outcome.scores is None
    if not missing or outcome.status not in ("time_limit", "interrupted"):
        return None
    late = outcome.status == "interrupted" and greedy_seconds(costs) > AT_ONCE
    if late or (costs.complete and not isinstance(costs.edges, Listed)):
        return None
    if isinstance(costs.edges, Listed):
        first = get_solver(GREEDY_METHOD)
        prepared = prepare(costs, first.needs)
        found = first.run(prepared.problem, Budget(None, seed), **first.check({"maxiter": 1}))
    else:
        prepared, found = Lifted(costs), Outcome(labels=match_single_pairs(costs))
    said = (outcome.extra or {}).get("left_out", "everything")
    extra = {**(outcome.extra or {}), "left_out": f"{said}; the answer is a greedy matching"}
    return prepared, replace(outcome, labels=found.labels, extra=extra)


def match_single_pairs(problem):
    """Return the labels of the pairs that cost least by themselves and less than nothing, seeds
    among them; all unmatched if that is cheaper.
    """
    labels, is_taken = np.full(problem.shape[0], -1, np.int32), np.zeros(problem.shape[1], bool)
    cheap = np.flatnonzero(problem.cost < 0.0)
    if len(cheap) > MOST_PAIRS:
        cheap = cheap[np.argpartition(problem.cost[cheap], MOST_PAIRS)[:MOST_PAIRS]]
    for k in cheap[np.argsort(problem.cost[cheap], kind="stable")].tolist():
        i, s = problem.left[k], problem.right[k]
        if labels[i] < 0 and not is_taken[s]:
            labels[i], is_taken[s] = s, True
    unmatched = np.full_like(labels, -1)
    return min(labels, unmatched, key=problem.total_cost)


# ---- round, lift, complete


def rounding_seconds(problem, n_candidates=None):
    """Return about how long a rounding takes: an assignment looks at each candidate once for every
    node. n_candidates: if not the stored ones. Munkres looks at the whole matrix.
    """
    n = max(problem.shape)
    if n <= MUNKRES_LIMIT:
        return 5e-10 * n**3
    return 4e-10 * n * (problem.n_candidates if n_candidates is None else n_candidates)


def round_in_time(problem, scores, budget, rounding=round_scores):
    """Return the labels of scores; the time that was kept back is there for them."""
    whole = math.prod(problem.shape) if np.ndim(scores) == 2 else None
    seconds = rounding_seconds(problem, whole)
    if seconds <= SHORT:
        return rounding(problem, scores)
    before, budget.stopped, budget.reserve = (budget.stopped, budget.reserve), None, 0.0
    try:
        return call_within(budget, seconds, rounding, problem, scores)
    finally:
        budget.stopped, budget.reserve = before[0] or budget.stopped, before[1]


def round_outcome(problem, outcome):
    """Return the labels of an outcome, from its scores if it has none; None without either."""
    if outcome.labels is None and outcome.scores is not None:
        return round_scores(problem, outcome.scores)
    return outcome.labels


def lift_whole(problem, prepared, labels, anyhow=False):
    """Return labels of the prepared problem as a matching of the problem in any case: nothing
    matched, or a complete one, if a method found none. anyhow: whatever that costs, if the best
    would take long.
    """
    labels = np.full(problem.shape[0], -1) if labels is None else prepared.lift(labels)
    if problem.complete and not problem.is_complete_matching(labels):
        takes_long = rounding_seconds(problem) > SHORT
        labels = (fill_up if anyhow and takes_long else complete_matching)(problem, labels)
    return np.asarray(labels, dtype=np.int32)


def complete_matching(problem, labels):
    """Return a complete matching that keeps as much of labels as it can; the rest are the pairs
    that fit best with that.
    """
    lap, order = candidate_lap(problem)
    kept = problem.candidates.indicator(labels)
    price = problem.cost  # of a candidate next to the kept ones
    if kept.any():
        price = price + 2 * (problem.reducedK @ kept) - 2 * price * kept
    n = min(problem.shape)
    # scaled so that all prices together weigh less than one kept pair
    price = (price - price.min()) / max(np.ptp(price), np.finfo(float).tiny) / (n + 1)
    return lap.solve((price - kept - 2 * n)[order])


def lift_scores(original, prepared, scores, budget):
    """Return continuous scores on the original pairs: dummies are cut off. A large matrix is filled
    by rows, with looks at the clock and for Ctrl-C: the first use of its memory takes long.
    """
    if scores is None:
        return None
    scores, (n1, n2) = np.asarray(scores), original.shape
    matrix = scores if scores.ndim == 2 else as_whole_matrix(prepared.problem, scores)
    if matrix is not None:
        # transposed if the sides were exchanged
        return (matrix if matrix.shape[0] >= n1 else matrix.T)[:n1, :n2]
    left, right = prepared.problem.left, prepared.problem.right
    if prepared.problem.shape[0] < n1:
        left, right = right, left
    inside, matrix = np.flatnonzero((left < n1) & (right < n2)), np.zeros((n1, n2))
    inside = inside[np.argsort(left[inside], kind="stable")]
    firsts = np.arange(0, n1, max(CELLS_AT_ONCE // max(n2, 1), 1))
    for some in np.split(inside, np.searchsorted(left[inside], firsts[1:])):
        matrix[left[some], right[some]] = scores[some]
        budget.expired()
    return matrix


def as_whole_matrix(problem, scores):
    """Return the matrix of scores of a problem that allows all pairs, without a copy; None of
    others.
    """
    n1, n2 = problem.shape
    return scores.reshape(n2, n1).T if len(scores) == n1 * n2 else None
