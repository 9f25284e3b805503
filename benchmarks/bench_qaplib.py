"""auto on the files of QAPLIB: the gap to the best known value, in CPU seconds of one core.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_qaplib.py [--limit S]
    [--seeds N] [--methods M ...] [--until-best] [--write FILE] [NAME ...]

A NAME like dre8x9 is a generated instance (qap_families.py), whose optimum is known; it needs no
data. The last line has the mean of the median gaps.

Prints the median, least and largest gap in percent over the seeds, how many were proven, and the
median of the CPU seconds. --until-best ends a run at the best known value, where its gap is 0
whatever follows: the seconds are those to that value, and nothing is proven.
"""

import argparse
import json
import math
import time
from statistics import median

import cpu_clock
import qap_families
from study import data_folder

import gmtoolbox as gm
from gmtoolbox.core.errors import GMError

HEAD = (
    "| instance | n | method | median gap % | least | largest | proven | bound / best | CPU s |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def gaps(problem, method, limit, seeds, best):
    """(gaps in percent of all seeds, number proven, best bound, median CPU seconds)."""
    found, proven, bound, seconds = [], 0, float("-inf"), []
    for seed in range(seeds):
        begin = time.process_time()
        r = gm.gm_solve(problem, method, time_limit=limit, seed=seed)
        seconds.append(time.process_time() - begin)
        found.append(100.0 * (r.value - best) / best)
        proven += r.status == "optimal"
        bound = max(bound, r.bound)
    return found, proven, bound, median(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", nargs="*", default=["auto"])
    parser.add_argument("--until-best", action="store_true")
    parser.add_argument("--write", help="also write the table to this file")
    given = parser.parse_args()
    wanted = {"cost": -math.inf}  # of the instance in hand
    cpu_clock.use(lambda cost: cost <= wanted["cost"])
    generated = given.names and all(name.startswith("dre") for name in given.names)
    folder = None if generated else data_folder() / "qaplib-dat"
    best = {} if generated else json.loads((folder / "best.json").read_text())
    lines, medians = [HEAD], []
    print("\n".join(lines), flush=True)
    for name in given.names or sorted(
        best, key=lambda n: (int("".join(filter(str.isdigit, n))), n)
    ):
        if name.startswith("dre"):
            sides = map(int, name.removeprefix("dre").split("x"))
            problem, best[name] = qap_families.rectangle(*sides)
        else:
            problem = gm.load(folder / f"{name}.dat")
        for method in given.methods:
            try:
                if given.until_best:
                    wanted["cost"] = best[name] - problem.offset + 1e-6
                found, proven, bound, seconds = gaps(
                    problem, method, given.limit, given.seeds, best[name]
                )
            except (GMError, MemoryError) as error:
                line = (
                    f"| {name} | {problem.shape[0]} | {method} | {type(error).__name__} | | | | | |"
                )
            else:
                medians.append(median(found))
                line = (
                    f"| {name} | {problem.shape[0]} | {method} | {median(found):.3f} |"
                    f" {min(found):.3f} | {max(found):.3f} | {proven} of {given.seeds} |"
                    f" {bound / best[name]:.3f} | {seconds:.2f} |"
                )
            lines.append(line)
            print(line, flush=True)
    ends = ", or up to the best known value" if given.until_best else ""
    lines.append(f"\n{given.limit:g} CPU seconds of one core{ends}; seeds 0 to {given.seeds - 1}.")
    if medians:
        lines[-1] += f" Mean of the median gaps: {sum(medians) / len(medians):.3f} %."
    print(lines[-1], flush=True)
    if given.write:
        with open(given.write, "w") as file:
            file.write(
                "# QAPLIB\n\nWritten by benchmarks/bench_qaplib.py.\n\n" + "\n".join(lines) + "\n"
            )


if __name__ == "__main__":
    main()
