"""Values, bounds and accuracies of runs for tables and profiles, exactly as the study evaluates.

At a time limit a method has the best value, the best bound, and the accuracy that belongs to that
value. A problem is solved when its value is within 0.1 % of the optimum; if the optimum is
unknown, the best value that any method reached stands for it in the fixed-target evaluation (time
to solution), while the fixed-time tables count known optima only. Of several trials the fastest
counts: at every moment the best that any trial had. Of several seeds each counts by itself: values
are averaged over them, `solved` becomes a success rate.
"""

import math
import statistics
from dataclasses import dataclass, field

from gmtoolbox.bench.store.store import longest
from gmtoolbox.core.lazy import np
from gmtoolbox.core.quality import accuracy
from gmtoolbox.core.text import count_noun, natural, number, seconds_text
from gmtoolbox.core.tracks import cycle_consistency, labels_between, split_by_graph, track_f1
from gmtoolbox.engine.registry import gm_methods

TOLERANCE = 1e-3  # of the optimum: closer values count as solved
MARGIN = 1e-6  # of value and bound: less may be rounding, or the printed digits of an optimum


@dataclass(frozen=True)
class Cell:
    """The answer of one method for one instance at one time: costs (minimised); no value: +inf, no
    bound: -inf, unknown accuracy: None.
    """

    value: float = math.inf
    bound: float = -math.inf
    accuracy: float = None


@dataclass
class EvaluatedInstance:
    """An instance as the evaluation sees it; costs are minimised, sign = -1 if they were
    maximised.
    """

    name: str
    optimum: float = None
    has_truth: bool = False
    sign: float = 1.0


@dataclass
class RunEvaluation:
    """Everything that tables and profiles need, wherever it came from."""

    problems: dict  # dataset -> list of Problem
    methods: list
    limits: list
    # (limit, dataset, problem name, method) -> list of Cell, one for each seed
    cells: dict = field(default_factory=dict)
    # (dataset, problem name, method) -> seconds to a solution, inf; one for each seed
    seed_times: dict = field(default_factory=dict)
    solvers: dict = field(default_factory=dict)  # name of a variant -> its method
    seeds: dict = field(default_factory=dict)  # method -> the seeds it was run with
    ran: dict = field(default_factory=dict)  # dataset -> the methods that were run on it

    def methods_of(self, datasets):
        """Return the methods that were run on one of the datasets, in order; all if nothing is
        known about it. Those for two and for many graphs never meet in a table.
        """
        ran = set().union(*(self.ran.get(dataset, self.methods) for dataset in datasets))
        return [method for method in self.methods if method in ran]

    def cells_of(self, limit, dataset, problem, method):
        """Return one Cell for each seed; an empty one if there is no answer."""
        return self.cells.get((limit, dataset, problem.name, method), [Cell()])

    def cell(self, limit, dataset, problem, method):
        """The Cell of the first seed."""
        return self.cells_of(limit, dataset, problem, method)[0]

    def time(self, dataset, name, method):
        """Seconds to a solution, inf; the median of several seeds."""
        times = sorted(self.seed_times.get((dataset, name, method), [math.inf]))
        return statistics.median_high(times)

    @property
    def n_seeds(self):
        """Return the largest number of seeds that a method was run with."""
        return max((len(seeds) for seeds in self.seeds.values()), default=1)

    @property
    def several_seeds(self):
        """Whether a method was run with more than one seed."""
        return self.n_seeds > 1

    def dual_based(self, method):
        """Whether the method behind a name, which may be a variant's, searches for a bound."""
        return dual_based(self.solvers.get(method, method))

    def keys(self, dataset=None):
        """(dataset, problem) of one dataset, or of all."""
        return [
            (name, problem)
            for name in self.problems
            if dataset in (None, name)
            for problem in self.problems[name]
        ]


def is_solved(value, optimum):
    """Whether a cost is within the tolerance of the optimum."""
    return value <= optimum + TOLERANCE * abs(optimum)


def dual_based(method):
    """Whether a method stands below the line that separates purely primal methods from the
    others.
    """
    return any(known.dual_based for known in gm_methods() if known.name == method)


def in_table_order(methods, solvers=None):
    """Purely primal methods, then the others, each by name; solvers: variant -> method."""
    solvers = solvers or {}
    return sorted(
        methods, key=lambda method: (dual_based(solvers.get(method, method)), natural(method))
    )


def default_limits(runs, commands):
    """Those that were asked for, as far as runs were given as much; else the study's."""
    given = [run.time_limit for run in runs]
    largest = max((limit for limit in given if limit is not None), default=math.inf)
    asked = {limit for command in commands for limit in command.time_limits}
    smaller = asked or {1.0, 10.0, 100.0, 300.0} if math.isfinite(largest) else asked
    return [*sorted(limit for limit in smaller if limit < largest), largest]


def evaluate_runs(store, limits=None):
    """The Evaluation of a store; limits default to those that were asked for."""
    rows, runs = store.instances(), longest(store.runs())
    limits = default_limits(runs, store.commands()) if limits is None else list(limits)
    problems, trials = {}, {}
    for row in rows:
        sign = -1.0 if row.sense == "max" else 1.0
        known = None if row.optimum is None else sign * row.optimum
        has_truth = any(row.ground_truth or [])
        problems.setdefault(row.dataset, []).append(
            EvaluatedInstance(row.instance, known, has_truth, sign)
        )
    solvers, seeds = {run.method: run.solver for run in runs}, {}
    ran = {}
    for run in runs:
        ran.setdefault(run.dataset, set()).add(run.method)
        seeds.setdefault(run.method, set()).add(run.seed)
        if run.outcome == "ok":
            trials.setdefault((*run.key[:3], run.seed), []).append(run)
    evaluation = RunEvaluation(problems, in_table_order(solvers, solvers), limits, solvers=solvers)
    evaluation.ran = ran
    evaluation.seeds = {method: sorted(seeds[method]) for method in evaluation.methods}
    row_of = {(row.dataset, row.instance): row for row in rows}
    for dataset, problem in evaluation.keys():
        of = {
            method: [trials.get((dataset, problem.name, method, seed), []) for seed in of_method]
            for method, of_method in evaluation.seeds.items()
        }
        known = [problem.sign * run.value for many in of.values() for few in many for run in few]
        target = min(known, default=math.inf) if problem.optimum is None else problem.optimum
        for method, of_method in of.items():
            for limit in limits:
                evaluation.cells[limit, dataset, problem.name, method] = [
                    at_limit(few, limit, problem, row_of[dataset, problem.name])
                    for few in of_method
                ]
            evaluation.seed_times[dataset, problem.name, method] = [
                min((time_to(run, target, problem.sign) for run in few), default=math.inf)
                for few in of_method
            ]
    return evaluation


def at_limit(runs, limit, problem, row):
    """The Cell of the best trial at a time limit."""
    best = Cell()
    for run in runs:
        # at its own limit everything counts that a run has at its end
        end = math.inf if limit == run.time_limit else limit
        passed = np.flatnonzero(run.trace["time"] <= end)
        if not len(passed):
            continue
        value, bound = (problem.sign * run.trace[name][passed[-1]] for name in ("value", "bound"))
        bound = max(bound, best.bound)
        if value < best.value:
            right = correctness(row, labels_at(run, end))
            best = Cell(float(value), float(bound), right)
        else:
            best = Cell(best.value, float(bound), best.accuracy)
    return best


def labels_at(run, limit):
    """The labels a run had at a time limit, as far as they were kept."""
    reached = run.trace["time"][run.trace["value"] == run.trace["value"][-1]]
    if len(reached) and reached[0] <= limit:
        return run.labels
    earlier = [labels for time, labels in run.snapshots if time <= limit]
    return earlier[-1] if earlier else None


def time_to(run, target, sign):
    """Seconds until the run was within the tolerance of the target, or inf."""
    there = np.flatnonzero(sign * run.trace["value"] <= target + TOLERANCE * abs(target))
    return float(run.trace["time"][there[0]]) if len(there) else math.inf


def best_runs(store):
    """(dataset, instance, method) -> the trial to show: the best value, then the fastest."""
    sign = {
        (row.dataset, row.instance): -1.0 if row.sense == "max" else 1.0
        for row in store.instances()
    }
    best = {}
    for run in store.runs():
        if run.outcome == "ok":
            key, rank = run.key[:3], (sign.get(run.key[:2], 1.0) * run.value, run.time)
            if key not in best or rank < best[key][0]:
                best[key] = rank, run
    return {key: run for key, (_, run) in best.items()}


# ---- anomalies

ENDED = ("optimal", "converged", "iteration_limit", "breakdown")  # statuses that no clock decided


@dataclass(frozen=True)
class Anomaly:
    """Something odd about the runs of one method on one instance."""

    dataset: str
    instance: str
    method: str
    kind: str  # 'refuted', 'failed', 'non-deterministic', 'outlier'
    text: str


def anomalies(store, ratio=2.0, seconds=0.1):
    """Runs that deserve a look: bounds that a better value refutes; failures; trials that ended by
    themselves with different values, though they had the same seed; trials that took `ratio` times
    and at least `seconds` longer than the fastest.
    """
    groups = {}
    for run in store.runs():
        groups.setdefault((*run.key[:3], run.seed), []).append(run)
    found = [Anomaly(*key, "refuted", text) for key, text in find_refuted_claims(store)]
    order = lambda item: [natural(part) for part in item[0]]
    for (*key, _), runs in sorted(groups.items(), key=order):
        found += [
            Anomaly(*key, "failed", f"trial {run.trial}: {run.outcome}: {run.reason}")
            for run in runs
            if run.outcome != "ok"
        ]
        ended = [run for run in runs if run.outcome == "ok" and run.status in ENDED]
        values = {run.value for run in ended}
        if len(values) > 1:
            found.append(
                Anomaly(
                    *key,
                    "non-deterministic",
                    f"values {', '.join(repr(value) for value in sorted(values))}",
                )
            )
        fastest = min((run.time for run in ended), default=0.0)
        for run in ended:
            if run.time > ratio * fastest and run.time - fastest > seconds:
                slow = (
                    f"trial {run.trial} took {seconds_text(run.time)}, the fastest"
                    f" {seconds_text(fastest)} (load {run.load:.1f})"
                )
                found.append(Anomaly(*key, "outlier", slow))
    return found


def true_tracks(row):
    """The true track of every node, -1 = none."""
    flat = [track[0] if track else -1 for track in row.ground_truth]
    return split_by_graph(np.array(flat), row.sizes)


def correctness(row, labels):
    """Return the accuracy of a matching, F1 of tracks; None without a truth."""
    if labels is None or not any(row.ground_truth or []):
        return None
    if row.sizes is None:
        return accuracy(labels, row.ground_truth)
    return track_f1(split_by_graph(labels, row.sizes), true_tracks(row))


def consistency(row, labels):
    """Return the share of the chains of three nodes that agree, None without any: 1 for tracks."""
    tracks = split_by_graph(labels, row.sizes)
    d = len(row.sizes)
    matchings = {(g, h): labels_between(tracks, g, h) for h in range(d) for g in range(h)}
    share = cycle_consistency(matchings, row.sizes)
    return None if np.isnan(share) else share


# ---- claims that another run refutes. One matching that is better than a bound shows that the
# bound was false, whatever the status says: such runs are listed, and do not count as proofs.


def find_refuted_claims(store):
    """Return [((dataset, instance, method or ''), text)]: claims that a value refutes."""
    runs = [run for run in store.runs() if run.outcome == "ok"]
    signs = {row.place: -1.0 if row.sense == "max" else 1.0 for row in store.instances()}
    best = {}
    for run in runs:
        place = (*run.key[:2], run.problem)
        cost = signs.get(place, 1.0) * run.value
        if place not in best or cost < best[place][0]:
            best[place] = cost, run
    found = []
    for run in runs:
        cost, better = best[*run.key[:2], run.problem]
        bound = signs.get((*run.key[:2], run.problem), 1.0) * run.bound
        if is_refuted(bound, cost):
            reached = f"the value {number(better.value, 10)} of {better.method}"
            claim = f"bound {number(run.bound, 10)} ({run.status})"
            found.append((run.key[:3], f"{claim}, but {reached}"))
    for row in store.instances():
        cost, better = best.get(row.place, (math.inf, None))
        if row.optimum is not None and is_refuted(signs[row.place] * row.optimum, cost):
            known, reached = number(row.optimum, 10), number(better.value, 10)
            claim = f"optimum {known} of the dataset, but the value {reached}"
            found.append(((row.dataset, row.instance, better.method), claim))
    return found


def is_refuted(bound, cost):
    """Return whether a matching of this cost is better than the bound, beyond rounding."""
    if not (math.isfinite(bound) and math.isfinite(cost)):
        return bound == math.inf and math.isfinite(cost)
    return bound > cost + MARGIN * max(abs(bound), abs(cost))


# ---- whether runs can be compared


def find_mixed_hardware(runs):
    """Return {dataset: its processors} if runs on one instance of it used different ones."""
    seen = {}
    for run in runs:
        if run.cpu:
            seen.setdefault(run.key[:2], set()).add(run.cpu)
    found = {}
    for (dataset, _), processors in seen.items():
        if len(processors) > 1:
            found.setdefault(dataset, set()).update(processors)
    return {dataset: sorted(processors) for dataset, processors in sorted(found.items())}


def hardware_warning(runs):
    """Return a sentence if times of one comparison come from different hardware, else ''."""
    mixed = find_mixed_hardware(runs)
    if not mixed:
        return ""
    processors = sorted({one for several in mixed.values() for one in several})
    return (
        f"Times are not comparable on {', '.join(mixed)}: its runs were made on different"
        f" processors ({', '.join(processors)})."
    )


def unverified_warning(runs):
    """Return a sentence if the problem of some runs is unknown, else ''."""
    unknown = [run for run in runs if run.outcome == "ok" and not run.problem]
    if not unknown:
        return ""
    instances = len({run.key[:2] for run in unknown})
    return (
        f"{count_noun(len(unknown), 'run')} on {count_noun(instances, 'instance')}"
        " unverified: the problem that they solved was not recorded (an older version wrote them,"
        " or they were imported). They answer for no later run."
    )
