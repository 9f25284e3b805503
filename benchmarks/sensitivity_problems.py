"""The problems of bench_sensitivity.py, and the calls that solve them with limited iterations.

Every kind once small and once hard: large, partial, dense, noisy; quadratic assignment with thin
matrices, blocks and a few dominant entries; many graphs with clutter. All are generated, and each
is solved in at most a second or two, since every number of a header costs two runs of all of them.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import qap_families

import gmtoolbox as gm
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._swaps import search

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from small import random_problem  # noqa: E402

# The methods that read a header; shared headers are tried with several
METHODS = {
    "aj": ("aj",),
    "fm": ("fm", "fm-bca"),
    "mp": ("mp", "mp-mcf", "mp-fw"),
    "ddls": ("dd-ls0", "dd-ls3"),
    "hbp": ("hbp",),
    "qap": ("swaps",),
    "moves": ("fm", "fw", "mp-fw"),
    "model": ("fm-bca", "mp"),
    "multi": ("multi",),
}
ITERATIONS = {"aj": 4500, "fm": 3000, "fm-bca": 300, "mp": 400, "mp-mcf": 400, "mp-fw": 60,
              "dd-ls0": 200, "dd-ls3": 80, "hbp": 60, "fw": 100}  # fmt: skip
# Rules of later rounds: some small problems again, with more iterations
LATER = {"aj": 9000, "mp": 2000, "mp-mcf": 2000, "dd-ls0": 3000, "dd-ls3": 1000}
# and the same with less patience, so that rounds of dual decomposition end
HASTY = {"dd-ls0": {"patience": 2}, "dd-ls3": {"patience": 2}}
SMALL = ("car", "house", "partial", "dense", "table")
SWAPS, SWAPS_OF_NETWORKS = 60000, 10000
TOO_SLOW = {"hbp": ("large", "worms", "caltech", "opengm", "wide", "full", "noisy")}


def make_matchings():
    """Return {name: problem} for all methods of matching."""
    rng = np.random.default_rng(11)
    return {
        "car": gm.synth.car(seed=5),
        "house": gm.synth.house_dense(seed=5),
        "opengm": gm.synth.opengm(seed=5),
        "caltech": gm.synth.caltech_small(seed=5),
        "partial": random_problem(rng, 16, 20, density=0.6, edges=0.25),
        "dense": random_problem(rng, 10, 10, edges=1.0, complete=True),
        "table": gm.Problem.from_matrix(rng.random((81, 81)), sense="min"),
        "large": gm.synth.sparse(seed=5, size=120, candidates=8, hard=True),
        "worms": gm.synth.worms(seed=3, size=200),
        "wide": random_problem(rng, 40, 50, density=0.2, edges=0.05),
        "full": random_problem(rng, 18, 18, edges=0.2, complete=True),
        "noisy": gm.synth.sparse(seed=8, size=150, candidates=12, hard=True),
        "clutter": random_problem(rng, 12, 24, density=0.5, edges=0.4),
    }


def make_trees():
    """Return {name: problem} that need branching, the semidefinite phase or dense trees of aj."""
    rng = np.random.default_rng(12)
    flows, distances = (rng.integers(0, 99, (11, 11)) for _ in range(2))
    larger = np.random.default_rng(12).integers(0, 99, (2, 13, 13))
    return {
        "larger": gm.models.from_koopmans_beckmann(*larger),
        "grid": gm.models.from_koopmans_beckmann(*make_grid(rng, 3, 4)),
        "random": gm.models.from_koopmans_beckmann(flows, distances),
        "slots": random_problem(rng, 12, 14, density=0.8, edges=0.5),
        "grains": random_problem(rng, 14, 14, density=0.7, edges=0.5, integer=True),
        "sparse": random_problem(rng, 25, 25, density=0.3, edges=0.06, complete=True),
    }


def make_matrices():
    """Return {name: problem} on two matrices: dense, dominated by few entries, thin, in blocks."""
    rng = np.random.default_rng(13)
    matrices = {}
    for n, power in ((15, 1), (40, 1), (60, 6)):
        flows, distances = (np.round(99 * rng.random((n, n)) ** power) for _ in range(2))
        flows, distances = flows + flows.T, distances + distances.T
        matrices[f"qap{n}"] = gm.models.from_koopmans_beckmann(flows, distances)
    for name in ("cycle30", "dre5x6", "tree3x3x3", "tree4x4x4", "border6", "ring40"):
        matrices[name] = qap_families.make(name)[0]
    for n, p, changed in ((150, 0.04, 0.004), (200, 0.05, 0.02)):
        graph = np.triu(rng.random((n, n)) < p, 1)
        other = np.triu(graph ^ (rng.random((n, n)) < changed), 1)
        order = rng.permutation(n)
        other = (other | other.T)[np.ix_(order, order)] * 1.0
        matrices[f"network{n}"] = gm.models.from_graphs((graph | graph.T) * 1.0, other)
    return matrices


def make_grid(rng, rows, columns):
    """Return flows and the distances of the places of a grid."""
    n = rows * columns
    flows = np.triu(np.round(9 * rng.random((n, n)) ** 2), 1)
    row, column = np.divmod(np.arange(n), columns)
    apart = np.abs(row[:, None] - row) + np.abs(column[:, None] - column)
    return flows + flows.T, apart


def make_sets():
    """Return {name: (MultiProblem, units of work, bound)}: noise, clutter, more graphs."""
    rng = np.random.default_rng(3)

    def views(d, n, clutter, noise):
        scene = rng.normal(size=(n, 2))
        return [
            np.vstack([scene + noise * rng.normal(size=scene.shape), rng.normal(size=(clutter, 2))])
            for _ in range(d)
        ]

    points, worms = gm.models.multi_from_points, gm.synth.worms_multi
    return {
        "noisy": (points(views(8, 9, 3, 0.25)), 2000, "auto"),
        "partial": (points(views(5, 7, 3, 0.3), unary=0.3), 600, "auto"),
        "cycles": (points(views(4, 6, 1, 0.3)), 400, "cycles"),
        "worms": (worms(6, 25, seed=3), 2000, "auto"),
        "many": (worms(16, 10, seed=4, true_allowed=False), 1000, "auto"),
    }


def make_calls(family):
    """Return {name: call} of the methods that read a header, or of Python; a call returns (cost,
    bound, iterations, what else must be equal).
    """
    if family == "python":
        from sensitivity_doors import make_doors

        return make_doors()
    calls, matchings = {}, make_matchings()
    for method in METHODS[family]:
        if method == "multi":
            for name, (many, units, bound) in make_sets().items():
                calls[method, name] = partial(
                    solve_set, gm.gm_solve_multi, many, maxiter=units, bound=bound
                )
        elif method == "swaps":
            for name, problem in make_matrices().items():
                calls[method, name] = partial(solve_one, gm.gm_solve, problem, swap_labels)
        else:
            problems = {**matchings, **(make_trees() if method == "aj" else {})}
            runs = {(method, name): ITERATIONS[method] for name in problems}
            later = ("larger",) if method == "aj" else SMALL  # in rounds of the semidefinite phase
            runs |= {(method, name, "later"): LATER[method] for name in later if method in LATER}
            runs |= {(method, name, "hasty"): LATER[method] for name in SMALL if method in HASTY}
            for key, limit in runs.items():
                if key[1] not in TOO_SLOW.get(method, ()):
                    options = HASTY[method] if key[-1] == "hasty" else {}
                    calls[key] = partial(
                        solve_one, gm.gm_solve, problems[key[1]], method, maxiter=limit, **options
                    )
    return {" ".join(key): call for key, call in calls.items()}


def solve_one(solve, *args, **options):
    """Solve; return the facts of a result with labels."""
    result = solve(*args, **options)
    return *costs_of(result), result.n_iter, result.labels.tolist()


def solve_set(solve, *args, **options):
    """Solve; return the facts of a result whose iterations the clock decides."""
    return *costs_of(solve(*args, **options)), 0


def costs_of(result):
    """Return (value, bound) of a result, minimised."""
    sign = -1.0 if result.sense == "max" else 1.0
    return sign * float(result.value), sign * float(result.bound)


def swap_labels(problem, budget):
    """Improve the identity by swaps: the searches on two matrices by themselves."""
    labels = list(range(problem.shape[0]))
    limit = SWAPS if len(labels) < 100 else SWAPS_OF_NETWORKS
    return search(QapFactors(problem), budget, labels, maxiter=limit)
