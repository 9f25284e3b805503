"""Time to proof of this version next to an older one: proofs of a second must not get slower.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_before.py --before FOLDER
    [--method M] [--limit S] [--sample N] [NAME ...]

FOLDER is a checkout of the older version with its compiled module (`python setup.py build_ext
--inplace` there). Both versions run in a process of their own that gets one instance after the
other, so that they take turns on a busy machine; each time is the least of several runs, in CPU
seconds after loading. An instance counts that the older one proves within the limit.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

import study

WANTED = 1.1
NOISE = 1e-3  # seconds: a difference below it is none
RUNS = 5
REPORT = 0.5  # seconds: longer ones run once

# The program of a process of either version: a file name in, seconds (or null: not proven) out.
WORKER = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import gmtoolbox as gm
method, limit, runs, long = sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
gm.gm_solve(gm.Problem((2, 2), [0, 0, 1, 1], [0, 1, 0, 1], [1.0, 2.0, 2.0, 1.0]), method)
for line in sys.stdin:
    file, complete = json.loads(line)
    problem, best = gm.load(file, complete=complete), None
    for _ in range(runs):
        started = time.process_time()
        result = gm.gm_solve(problem, method, time_limit=10 * limit)
        used = time.process_time() - started
        if result.status == "optimal":
            best = used if best is None else min(best, used)
        if best is None or used > long:
            break
    print(json.dumps(best), flush=True)
"""


class Version:
    """A process that solves with the package in `folder`."""

    def __init__(self, folder, method, limit):
        command = [sys.executable, "-c", WORKER, str(folder), method]
        self.process = subprocess.Popen(
            [*command, str(limit), str(RUNS), str(REPORT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )

    def seconds(self, file, complete):
        self.process.stdin.write(json.dumps([str(file), complete]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--before", type=Path, required=True, help="folder of the older version")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--limit", type=float, default=1.0)
    study.sample_argument(parser)
    given = parser.parse_args()
    here = Path(__file__).resolve().parents[1]
    old, new = (Version(f, given.method, given.limit) for f in (given.before.resolve(), here))
    print(
        "| dataset | proven in a second before | now / before, median | largest |"
        f" above {WANTED:g} |\n|{' --- |' * 5}"
    )
    for dataset, members in study.files(given.names, given.sample).items():
        ratios, slower = [], []
        for name, file, facts in members:
            complete = bool(facts.get("complete"))
            before, now = old.seconds(file, complete), new.seconds(file, complete)
            if before is None or before > given.limit:
                continue
            ratio = float("inf") if now is None else now / before
            ratios.append((ratio, name))
            if ratio > WANTED and (now is None or now - before > NOISE):
                shown = "not proven" if now is None else f"{1e3 * before:.1f} -> {1e3 * now:.1f} ms"
                slower.append(f"{name} ({shown})")
        if ratios:
            largest = max(ratios)
            print(
                f"| {dataset} | {len(ratios)} of {len(members)} |"
                f" {statistics.median(r for r, _ in ratios):.2f} | {largest[0]:.2f} ({largest[1]})"
                f" | {', '.join(slower) or 'none'} |",
                flush=True,
            )
    old.close()
    new.close()


if __name__ == "__main__":
    main()
