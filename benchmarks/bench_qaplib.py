"""auto on the files of QAPLIB: the gap to the best known value, in CPU seconds of one core.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_qaplib.py [--limit S]
    [--seeds N] [--methods M ...] [--write FILE] [NAME ...]

Prints the median, least and largest gap in percent over the seeds, and how many were proven.
"""

import argparse
import json
from statistics import median

import cpu_clock
from study import data_folder

import gmtoolbox as gm
from gmtoolbox.core.errors import GMError

HEAD = (
    "| instance | n | method | median gap % | least | largest | proven | bound / best |\n"
    "|---|---|---|---|---|---|---|---|"
)


def gaps(problem, method, limit, seeds, best):
    found, proven, bound = [], 0, float("-inf")
    for seed in range(seeds):
        r = gm.gm_solve(problem, method, time_limit=limit, seed=seed)
        found.append(100.0 * (r.value - best) / best)
        proven += r.status == "optimal"
        bound = max(bound, r.bound)
    return found, proven, bound


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", nargs="*", default=["auto"])
    parser.add_argument("--write", help="also write the table to this file")
    given = parser.parse_args()
    cpu_clock.use()
    folder = data_folder() / "qaplib-dat"
    best = json.loads((folder / "best.json").read_text())
    lines = [f"{given.limit:g} CPU seconds of one core, seeds 0 to {given.seeds - 1}.\n", HEAD]
    print("\n".join(lines), flush=True)
    for name in given.names or sorted(
        best, key=lambda n: (int("".join(filter(str.isdigit, n))), n)
    ):
        problem = gm.load(folder / f"{name}.dat")
        for method in given.methods:
            try:
                found, proven, bound = gaps(problem, method, given.limit, given.seeds, best[name])
            except (GMError, MemoryError) as error:
                line = (
                    f"| {name} | {problem.shape[0]} | {method} | {type(error).__name__} | | | | |"
                )
            else:
                line = (
                    f"| {name} | {problem.shape[0]} | {method} | {median(found):.3f} |"
                    f" {min(found):.3f} | {max(found):.3f} | {proven} of {given.seeds} |"
                    f" {bound / best[name]:.3f} |"
                )
            lines.append(line)
            print(line, flush=True)
    if given.write:
        with open(given.write, "w") as file:
            file.write(
                "# QAPLIB\n\nWritten by benchmarks/bench_qaplib.py. " + "\n".join(lines) + "\n"
            )


if __name__ == "__main__":
    main()
