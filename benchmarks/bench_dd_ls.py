"""dd-ls0, dd-ls3, dd-ls4: iterations per second, bounds of long runs, and the convergence plot of
the docs.

    python benchmarks/bench_dd_ls.py speed                     cost of an iteration
    python benchmarks/bench_dd_ls.py bounds dd-ls4 300 car4    bounds after 1, 10, ... s
    python benchmarks/bench_dd_ls.py plot docs/dd-ls-convergence.svg

Seconds are processor seconds, so that a busy machine does not change the picture. Values and bounds
at the study's checkpoints: bench_checkpoints.py.
"""

import os
import resource
import sys
import time

import numpy as np
import study

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.core._ffi import ffi, lib, model
from gmtoolbox.core.transforms import prepare
from gmtoolbox.engine.registry import get_solver

METHODS = ("dd-ls0", "dd-ls3", "dd-ls4")
CHECKPOINTS = (1, 10, 30, 60, 100, 200, 300)
SLICE = 0.01


def processor_run(problem, method, seconds):
    """Rows (processor seconds, value, bound) after every slice of a run, and the number of
    iterations.
    """
    solver = get_solver(method)
    problem = prepare(problem.as_costs(), solver.needs).problem
    options = {option.name: option.default for option in solver.options if option.name != "maxiter"}
    struct, borrowed = model(problem)
    run = lib.gm_ddls_new(struct, ffi.new("gm_ddls_options *", {**options, "seed": 0}))
    rows, start = [], time.process_time()
    while not run.finished and time.process_time() - start < seconds:
        lib.gm_ddls_step(run, 2**62, SLICE)
        run.n_events = 0
        rows.append(
            (time.process_time() - start, run.value + problem.offset, run.bound + problem.offset)
        )
    n_iter = run.iteration
    lib.gm_ddls_free(run)
    del borrowed
    return rows, n_iter


def grown(n, seed=0):
    """n x n with ten candidates per node and edges between neighbours on a ring: size grows, shape
    does not.
    """
    rng = np.random.default_rng(seed)
    left = np.repeat(np.arange(n), 10)
    right = np.concatenate([(i + rng.choice(20, 10, replace=False)) % n for i in range(n)])
    near = np.concatenate(
        [
            np.stack(
                [
                    np.repeat(np.arange(10 * i, 10 * i + 10), 10),
                    (np.tile(np.arange(10), 10) + 10 * (i + d)) % (10 * n),
                ]
            )
            for i in range(n)
            for d in (1, 2, 3)
        ],
        axis=1,
    )
    kept = (right[near[0]] != right[near[1]]) & (rng.random(near.shape[1]) < 0.5)
    a, b = near[:, kept]
    return gm.Problem(
        (n, n), left, right, rng.normal(size=len(left)), a, b, rng.normal(size=len(a))
    )


def speed():
    """Print iterations a second, and nanoseconds per candidate and edge."""
    problems = {f"ring {n}": grown(n) for n in (250, 1000, 4000)}
    if "GMTOOLBOX_DATA" in os.environ:
        problems |= {name: study.instance(name)[0] for name in ("house-dense1", "worms-like1")}
    print(
        f"{'instance':14} {'candidates':>10} {'edges':>8} {'method':>7} {'it/s':>8}"
        f" {'ns per it and (candidate + edge)':>34} {'MB':>6}"
    )
    for name, problem in problems.items():
        size = problem.n_candidates + problem.n_edges
        for method in METHODS:
            rows, n_iter = processor_run(problem, method, 3.0)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            rate = n_iter / rows[-1][0]
            sizes = f"{problem.n_candidates:10} {problem.n_edges:8}"
            print(
                f"{name:14} {sizes} {method:>7} {rate:8.1f} {1e9 / rate / size:34.1f}"
                f" {memory:6.0f}",
                flush=True,
            )


def bounds(method, seconds, names):
    """Print bounds after some times of a long run."""
    for name in names:
        rows, n_iter = processor_run(study.instance(name)[0], method, seconds)
        after = {
            limit: max(row[2] for row in rows if row[0] <= limit)
            for limit in CHECKPOINTS
            if rows[0][0] <= limit <= rows[-1][0]
        }
        curve = ", ".join(f"{limit} s {bound:.7g}" for limit, bound in after.items())
        seconds_used, value, bound = rows[-1]
        print(
            f"{name} {method}: {curve}; end {seconds_used:.1f} s, {n_iter} steps, value"
            f" {value:.7g}, bound {bound:.7g}",
            flush=True,
        )


def thinned(rows, n=120):
    """About n rows, evenly spread over the logarithm of time: a picture shows no more."""
    times = np.log([row[0] for row in rows])
    return [rows[k] for k in np.unique(np.searchsorted(times, np.linspace(times[0], times[-1], n)))]


def convergence(path, n=8, seconds=15.0):
    """A complete n x n problem of positive costs: the kind where local subproblems matter."""
    rng = np.random.default_rng(1)
    flow, distance = (np.triu(rng.integers(0, 10, (n, n)), 1) for _ in range(2))
    flow, distance = flow + flow.T, distance + distance.T
    a, b = np.triu_indices(n * n, 1)
    cost = flow[a % n, b % n] * distance[a // n, b // n] * 2.0
    kept = cost > 0
    everything = np.arange(n * n)
    problem = gm.Problem(
        (n, n),
        everything % n,
        everything // n,
        np.zeros(n * n),
        a[kept],
        b[kept],
        cost[kept],
        complete=True,
    )
    traces = {method: processor_run(problem, method, seconds)[0] for method in METHODS}
    for method, rows in traces.items():
        print(f"{method}: value {rows[-1][1]:g}, bound {rows[-1][2]:.2f} after {rows[-1][0]:.1f} s")
    traces = {method: thinned(rows) for method, rows in traces.items()}
    plot.save_picture(
        plot.trace(traces, title=f"dd-ls on a random {n} x {n} quadratic assignment problem"), path
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["speed"]:
        speed()
    elif sys.argv[1:2] == ["bounds"] and len(sys.argv) > 4:
        bounds(sys.argv[2], float(sys.argv[3]), sys.argv[4:])
    elif sys.argv[1:2] == ["plot"] and len(sys.argv) == 3:
        convergence(sys.argv[2])
    else:
        sys.exit(__doc__)
