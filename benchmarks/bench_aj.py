"""Proven within 1, 10 and 30 CPU seconds, next to the study's best method and pylibmgm.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_aj.py [--limit S] [--sample N]
    [--method M] [NAME ...]

A line per instance goes to the standard error. Counts are of answers proven with gap <= 1e-6; times
are CPU seconds of this process after loading, one thread. `published` is the best count of any
single method of the study after 1 / 10 / 300 s on the same instances (gap <= 1e-4, results.json.gz
next to the data folder). pylibmgm, if installed, runs QAPSolver to its own end on the same
problem in the same process: it stops without any bound.

--all runs this and the other scripts that measure proofs, one after the other, with their own
limits (about an hour): what docs/results/exact.md and docs/results/semidefinite.md hold.
"""

import argparse
import math
import statistics
import subprocess
import sys
import time
from pathlib import Path

import study

import gmtoolbox as gm

CHECKPOINTS = (1, 10, 30)
# The other tables of proofs
SCRIPTS = (
    ("bench_semidefinite.py",),
    ("bench_semidefinite.py", "--roots"),
    ("bench_semidefinite.py", "--open"),
    ("bench_fastest.py",),
    ("bench_parallel.py",),
    ("bench_large.py",),
)
PYLIBMGM_SETS = ("car", "motor", "house-sparse", "hotel", "house-dense")


def solve(problem, method, limit):
    """(result, CPU seconds). The limit is CPU time: on a busy machine the wall clock gets as much
    more.
    """
    started, wall = time.process_time(), time.perf_counter()
    result = gm.gm_solve(problem, method, time_limit=limit, progress=None)
    used = time.process_time() - started
    while result.status == "time_limit" and used < 0.9 * limit:
        # the machine gave us too little: once more, with more wall time
        share = max(used / (time.perf_counter() - wall), 0.05)
        started, wall = time.process_time(), time.perf_counter()
        result = gm.gm_solve(problem, method, time_limit=limit / share)
        used = time.process_time() - started
    return result, used


def pylibmgm_seconds(problem):
    """CPU seconds of pylibmgm.QAPSolver until it stops by itself, or None without pylibmgm."""
    try:
        import pylibmgm
    except ImportError:
        return None
    model = pylibmgm.GmModel(
        pylibmgm.Graph(0, problem.shape[0]),
        pylibmgm.Graph(1, problem.shape[1]),
        problem.n_candidates,
        problem.n_edges,
    )
    left, right = problem.left.tolist(), problem.right.tolist()
    for i, s, cost in zip(left, right, problem.cost.tolist(), strict=True):
        model.add_assignment(i, s, cost)
    for a, b, cost in zip(
        problem.a.tolist(), problem.b.tolist(), problem.edge_cost.tolist(), strict=True
    ):
        model.add_edge(left[a], right[a], left[b], right[b], cost)
    started = time.process_time()
    pylibmgm.QAPSolver(model).run()
    return time.process_time() - started


def published(dataset, names):
    """Best count proven by one method of the study after 1, 10 and 300 s on these instances; None
    without the published results.
    """
    if not study.published_file().exists():
        return None
    tables = study.published()
    counts = []
    for checkpoint in (1, 10, 300):
        rows = tables.get(checkpoint, {}).get(dataset, {})
        proven = {}
        for name in names:
            for method, row in rows.get(name, {}).items():
                value, bound = row.get("value"), row.get("bound")
                finite = (
                    None not in (value, bound) and math.isfinite(value) and math.isfinite(bound)
                )
                if finite and abs(value - bound) <= 1e-4 * abs(value):
                    proven[method] = proven.get(method, 0) + 1
        counts.append(max(proven.values(), default=0))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=30.0)
    study.sample_argument(parser)
    parser.add_argument("--method", default="aj")
    parser.add_argument("--all", action="store_true", help="and every other table of proofs")
    given = parser.parse_args()
    table(given)
    for script, *arguments in SCRIPTS if given.all else ():
        print(f"\n{' '.join([script, *arguments])}\n", flush=True)
        path = Path(__file__).with_name(script)
        subprocess.run([sys.executable, path, *arguments], check=True)


def table(given):
    """Measure all instances and print a line of Markdown for each dataset."""
    print(
        f"{'instance':18} {'cpu s':>8} {'status':10} {'value':>16} {'bound':>16} pylibmgm s",
        file=sys.stderr,
    )
    lines = []
    for dataset, members in study.files(given.names, given.sample).items():
        ours, theirs = [], []
        for name, file, meta in members:
            problem = gm.load(file, complete=bool(meta.get("complete")))
            result, used = solve(problem, given.method, given.limit)
            known = meta.get("optimum")
            if (
                result.status == "optimal"
                and known is not None
                and abs(result.value - known) > 1e-5 * abs(known)
            ):
                raise SystemExit(f"{name}: proved {result.value}, the known optimum is {known}")
            ours.append(used if result.status == "optimal" else float("inf"))
            other = pylibmgm_seconds(problem) if dataset in PYLIBMGM_SETS else None
            if other is not None:
                theirs.append(other)
            shown = "" if other is None else f"{other:10.3f}"
            print(
                f"{name:18} {used:8.3f} {result.status:10} {result.value:16.6f}"
                f" {result.bound:16.6f} {shown}",
                file=sys.stderr,
                flush=True,
            )
        counts = [sum(used <= checkpoint for used in ours) for checkpoint in CHECKPOINTS]
        best = published(dataset, [name for name, _, _ in members])
        proven = [used for used in ours if used < float("inf")]
        median = f"{1e3 * statistics.median(ours):.0f} ms" if len(proven) * 2 > len(ours) else "-"
        ratio = f"{statistics.median(ours) / statistics.median(theirs):.2f}" if theirs else "-"
        lines.append(
            [
                dataset,
                len(ours),
                " / ".join(map(str, counts)),
                " / ".join(map(str, best)) if best else "-",
                median,
                ratio,
            ]
        )
    headings = [
        "dataset",
        "instances",
        "proven within 1 / 10 / 30 s",
        "published best 1 / 10 / 300 s",
        "median",
        "median / pylibmgm's",
    ]
    for row in [headings, ["---"] * len(headings), *lines]:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
