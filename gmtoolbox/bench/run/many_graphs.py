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
from gmtoolbox.core.result import accuracy
from gmtoolbox.core.tracks import cycle_consistency, labels_between, split, track_f1
from gmtoolbox.io import is_multi
from gmtoolbox.multi import BOUNDS, METHODS, gm_solve_multi

DEFAULTS = {"bound": "auto", "maxiter": None}


@dataclass(frozen=True)
class MultiSolver:
    """A method for many graphs, as far as a plan asks."""

    name: str

    def check(self, options):
        """All options; InputError for what gm_solve_multi does not take."""
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


# ---- what runs on what


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


def solve_many(problem, task, watch):
    """Return the report of a child about its run on many graphs."""

    def watched(event, tracks, iteration):
        watch(event, None if tracks is None else np.concatenate(tracks), iteration)

    result = gm_solve_multi(
        problem,
        method=task.method,
        time_limit=task.time_limit,
        seed=task.seed,
        progress=watched,
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


def true_tracks(row):
    """The true track of every node, -1 = none."""
    flat = [track[0] if track else -1 for track in row.ground_truth]
    return split(np.array(flat), row.sizes)


def correctness(row, labels):
    """Return the accuracy of a matching, F1 of tracks; None without a truth."""
    if labels is None or not any(row.ground_truth or []):
        return None
    if row.sizes is None:
        return accuracy(labels, row.ground_truth)
    return track_f1(split(labels, row.sizes), true_tracks(row))


def consistency(row, labels):
    """Return the share of the chains of three nodes that agree, None without any: 1 for tracks."""
    tracks = split(labels, row.sizes)
    d = len(row.sizes)
    matchings = {(g, h): labels_between(tracks, g, h) for h in range(d) for g in range(h)}
    share = cycle_consistency(matchings, row.sizes)
    return None if np.isnan(share) else share


def size_text(row):
    """How large an instance is, in words."""
    if row.n1 is None:
        return "never loaded"
    candidates = f"{row.n_candidates} candidates, {row.n_edges} edges"
    if row.sizes is None:
        return f"{row.n1} × {row.n2} nodes, {candidates}"
    low, high = min(row.sizes), max(row.sizes)
    nodes = f"{low}" if low == high else f"{low} to {high}"
    return f"{len(row.sizes)} graphs of {nodes} nodes, {candidates}"
