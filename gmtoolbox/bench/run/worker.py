"""The work of a child process: load the problem, solve it, and send the parent all facts about the
run.
"""

import time
import warnings
from dataclasses import dataclass, field

from gmtoolbox.bench.run.many_graphs import many_facts, solve_graphs
from gmtoolbox.core.checks import are_planar
from gmtoolbox.core.errors import GuessWarning
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.driver import gm_solve, solve_on_solver_clock
from gmtoolbox.engine.own import unpack_solver
from gmtoolbox.engine.registry import DEFAULT_METHOD, gm_methods

# Seconds between two messages with improvements, which only matter if the run is lost
REPORT_EVERY = 0.05


@dataclass
class Task:
    """One run: the problem (an object with load(), or a Problem), the method and its settings."""

    problem: object
    method: str  # None: only read the problem and send its facts
    options: dict = field(default_factory=dict)
    seed: int = 0
    time_limit: float = None
    limits: tuple = ()  # times at which the labels of that moment are kept
    own: bytes = None  # the method itself, if the process does not have it
    code: str = ""  # the hash of its code


class Watch:
    """Collects improvements while a method runs, and the labels it had at each of the time
    limits.
    """

    def __init__(self, limits, send):
        self.limits, self.send = sorted(limits), send
        self.events, self.snapshots, self.latest, self.reported = [], [], None, time.monotonic()

    def __call__(self, event, labels, iteration):
        when = event[0]
        self.pass_limits(when)
        self.events.append(event)
        if labels is not None:
            self.latest = (when, labels)
        if time.monotonic() - self.reported > REPORT_EVERY:
            self.send_events()

    def pass_limits(self, when):
        """Keep the latest labels for every limit that lies before `when`."""
        while self.limits and when > self.limits[0]:
            self.limits.pop(0)
            known = not self.snapshots or self.snapshots[-1] is not self.latest
            if self.latest is not None and known:
                self.snapshots.append(self.latest)

    def send_events(self):
        """Send the improvements that were not sent yet."""
        self.send(("events", self.events))
        self.events, self.reported = [], time.monotonic()


def warm_up():
    """Solve next to nothing, untimed: the first use of code and memory that a forked process has in
    common with its parent costs many times more (page faults) than the solving itself, and would be
    counted as the method's.
    """
    pairs = np.arange(9)
    tiny = Problem((3, 3), pairs % 3, pairs // 3, -np.ones(9), [0, 1], [4, 5], [-1.0, -2.0])
    in_numpy = next(method.name for method in gm_methods() if method.matrix_free)
    for method in (in_numpy, DEFAULT_METHOD):  # numpy, scipy and the driver; a C kernel
        gm_solve(tiny, method, maxiter=1)


def carry_out(task, send):
    """Run the task; messages: ('problem', facts), ('events', [...]) and one of ('result', ...),
    ('error', ...), ('memory', ...).
    """
    watch = Watch(task.limits, send)
    try:
        if task.own is not None:
            unpack_solver(task.own)
        problem, guesses = load_task(task.problem)
        send(("problem", {**facts_of(problem), "guesses": guesses}))
        if task.method is None:
            return
        warm_up()
        if isinstance(problem, MultiProblem):
            send(("result", solve_graphs(problem, task, watch)))
            return
        result = solve_on_solver_clock(
            problem,
            task.method,
            time_limit=task.time_limit,
            seed=task.seed,
            progress=watch,
            **task.options,
        )
    except MemoryError as error:
        send(("memory", str(error)))
        return
    except Exception as error:  # refused input, or a failure of the method: no answer
        send(("error", f"{type(error).__name__}: {error}"))
        return
    watch.pass_limits(result.solver_time)
    send(("result", answer(result, task, watch)))


def load_task(given):
    """Return the problem of a task, and the warnings [(category, text)] of reading it, which the
    parent shows.
    """
    if not hasattr(given, "load"):
        return given, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GuessWarning)
        problem = given.load()
    kept = [one for one in caught if issubclass(one.category, GuessWarning)]
    return problem, [(one.category, str(one.message)) for one in kept]


def answer(result, task, watch):
    """Return the stored fields of a Result."""
    asked = task.options
    decided = {name: value for name, value in result.options.items() if asked.get(name) != value}
    return {
        "status": result.status,
        "value": result.value,
        "bound": result.bound,
        "gap": result.gap,
        "time": result.solver_time,
        "n_iter": result.n_iter,
        "labels": result.labels,
        "trace": result.trace,
        "snapshots": watch.snapshots,
        "decided": decided,
    }


def facts_of(problem):
    """Return the stored facts of a Problem or MultiProblem, with its fingerprint."""
    of_kind = many_facts if isinstance(problem, MultiProblem) else facts
    return {**of_kind(problem), "problem": fingerprint(problem)}


def facts(problem):
    """Return the stored facts of a problem; coordinates only if both sides have them in the
    plane.
    """
    planar = are_planar(problem.points1, problem.points2)
    truth = None if problem.ground_truth is None else problem.ground_truth.tolist()
    return {
        "n1": problem.shape[0],
        "n2": problem.shape[1],
        "n_candidates": problem.n_candidates,
        "n_edges": problem.n_edges,
        "sense": problem.sense,
        "complete": problem.complete,
        "points1": problem.points1 if planar else None,
        "points2": problem.points2 if planar else None,
        "ground_truth": truth and [[label] if label >= 0 else [] for label in truth],
    }
