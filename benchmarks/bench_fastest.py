"""Time to proof of auto, of the fastest of our methods that have a bound, and of pylibmgm.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_fastest.py [--sample N]
    [--limit S] [DATASET ...]

Medians over the instances of a dataset, each the best of three runs in CPU milliseconds (one
thread, after loading). A run that ends without a proof (gap above 1e-6) counts as infinite.
pylibmgm's QAPSolver, where installed, runs to its own end; it has no bound.
"""

import argparse
import statistics
import time

import cpu_clock
import study
from bench_aj import PYLIBMGM_SETS, pylibmgm_seconds

import gmtoolbox as gm

METHODS = ("auto", "aj", "fm-bca", "mp", "dd-ls0")
RUNS = 3


def proof_seconds(problem, method, limit):
    """CPU seconds to the proof, or inf; best of three unless they take long."""
    best = float("inf")
    for _ in range(RUNS):
        started = time.process_time()
        result = gm.gm_solve(problem, method, time_limit=limit)
        used = time.process_time() - started
        if result.status == "optimal":
            best = min(best, used)
        if result.status != "optimal" or used > 0.2:
            break
    return best


def shown(seconds):
    """Milliseconds as text, '-' without a proof."""
    return "-" if seconds == float("inf") else f"{1e3 * seconds:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=1.0, help="CPU seconds of a run")
    parser.add_argument("--sample", type=int, default=10, help="instances of each dataset")
    given = parser.parse_args()
    cpu_clock.use()
    for method in METHODS:  # imports are not counted
        gm.gm_solve(gm.synth.car(size=10), method, time_limit=given.limit)
    print(f"| dataset | instances | {' | '.join(METHODS)} | auto / fastest | auto / pylibmgm |")
    print(f"|{' --- |' * (len(METHODS) + 4)}")
    for dataset in given.names or PYLIBMGM_SETS:
        members = study.files([dataset], given.sample)[dataset]
        seconds = {method: [] for method in METHODS}
        theirs = []
        for _, file, meta in members:
            problem = gm.load(file, complete=bool(meta.get("complete")))
            for method in METHODS:
                seconds[method].append(proof_seconds(problem, method, given.limit))
            other = pylibmgm_seconds(problem) if dataset in PYLIBMGM_SETS else None
            if other is not None:
                theirs.append(other)
        medians = {method: statistics.median(seconds[method]) for method in METHODS}
        fastest = min(medians.values())
        ratio = f"{medians['auto'] / statistics.median(theirs):.2f}" if theirs else "-"
        cells = [dataset, str(len(members)), *(shown(medians[method]) for method in METHODS)]
        print("| " + " | ".join([*cells, f"{medians['auto'] / fastest:.2f}", ratio]) + " |")


if __name__ == "__main__":
    main()
