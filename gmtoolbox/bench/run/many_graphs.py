"""Many graphs at once in a benchmark: which methods run on them, a run, and how it is judged.

A row of the store holds them with the nodes of all graphs numbered through: n1 = n2 = all nodes,
labels are tracks, ground_truth true tracks, points1 all points, and `sizes` the nodes of each
graph. Rows of two graphs have no sizes.
"""

from dataclasses import dataclass

from gmtoolbox.core.checks import are_planar
from gmtoolbox.core.errors import InputError, did_you_mean
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.io import is_multi
from gmtoolbox.multi import BOUNDS, METHODS, gm_solve_multi

DEFAULTS = {"bound": "auto", "maxiter": None}


@dataclass(frozen=True)
class MultiSolver:
    """A method for many graphs, as far as a plan asks."""

    name: str

    def check(self, options):
        """Return all options; InputError for those that gm_solve_multi does not take."""
        for option in options:
            if option not in DEFAULTS:
                hint = did_you_mean(option, DEFAULTS)
                raise InputError(f"method {self.name!r} has no option {option!r}{hint}")
        found = {**DEFAULTS, **options}
        if found["bound"] not in BOUNDS:
            raise InputError(f"bound must be one of {' '.join(BOUNDS)}, got {found['bound']!r}")
        limit = found["maxiter"]
        if limit is not None and not (isinstance(limit, int) and limit >= 1):
            raise InputError(f"maxiter must be a positive integer, got {limit!r}")
        return found


def multi_solver(name):
    """The MultiSolver of that name, or None."""
    return MultiSolver(name) if isinstance(name, str) and name in METHODS else None


# ---- which methods run on which problems


def holds_many(problem):
    """Whether an entry's problem, or its file, holds many graphs."""
    if isinstance(problem, MultiProblem):
        return True
    path = getattr(problem, "path", None)
    return path is not None and is_multi(path)


def check_methods(kinds, solvers):
    """Every instance must have a method; kinds: {(dataset, instance): it holds many graphs}."""
    for many in (True, False):
        known = [solver for solver in solvers if (solver in METHODS) == many]
        first = next((name for name, kind in kinds.items() if kind == many), None)
        if first is not None and not known:
            what = f"many graphs, which {' and '.join(METHODS)} match" if many else "two graphs"
            raise InputError(f"{'/'.join(first)} holds {what}; name such a method as well")


# ---- a run


def solve_graphs(problem, task, watch):
    """Return the report of a child about its run on many graphs."""

    def pass_on(event, tracks, iteration):
        watch(event, None if tracks is None else np.concatenate(tracks), iteration)

    result = gm_solve_multi(
        problem,
        method=task.method,
        time_limit=task.time_limit,
        seed=task.seed,
        progress=pass_on,
        **task.options,
    )
    watch.pass_limits(result.time)
    names = ("status", "value", "bound", "gap", "time", "n_iter", "trace")
    return {
        **{name: getattr(result, name) for name in names},
        "labels": result.flat,
        "snapshots": watch.snapshots,
        "decided": {},
    }


def many_facts(problem):
    """Return the stored facts of many graphs; coordinates only in the plane."""
    points, truth = problem.points, problem.truth
    planar = points is not None and are_planar(*points)
    known = None if truth is None else np.concatenate(truth).tolist()
    return {
        "n1": problem.n_nodes,
        "n2": problem.n_nodes,
        "n_candidates": problem.n_candidates,
        "n_edges": problem.n_edges,
        "sense": problem.sense,
        "complete": False,
        "points1": np.concatenate(points) if planar else None,
        "points2": None,
        "ground_truth": known and [[track] if track >= 0 else [] for track in known],
        "sizes": list(problem.sizes),
    }


# ---- judging
