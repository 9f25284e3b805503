"""auto on the files of QAPLIB: the gap to the best known value, in CPU seconds of one core.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_qaplib.py [--limit S]
    [--seeds N] [--methods M ...] [--until-best] [--write FILE] [NAME ...]

A NAME like dre8x9 or cycle80 is a generated instance (qap_families.py), which needs no data. If its
optimum is not known, gaps are relative to the least value of the seeds. The last line has the mean
of the median gaps.

Prints the least value, the median, least and largest gap in percent over the seeds, how many were
proven, and the median of the CPU seconds. --until-best ends a run at the best known value, where
its gap is 0 whatever follows: the seconds are those to that value, and nothing is proven.
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
    "| instance | n | method | value | median gap % | least | largest | proven | bound / best |"
    " CPU s |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def gaps(problem, method, limit, seeds, best):
    """(values of all seeds, gaps in percent, number proven, bound over the best value, median CPU
    seconds). best: None if it is not known.
    """
    values, proven, bound, seconds = [], 0, float("-inf"), []
    for seed in range(seeds):
        begin = time.process_time()
        r = gm.gm_solve(problem, method, time_limit=limit, seed=seed)
        seconds.append(time.process_time() - begin)
        values.append(r.value)
        proven += r.status == "optimal"
        bound = max(bound, r.bound)
    best = min(values) if best is None else best
    found = [100.0 * (value - best) / best for value in values]
    return values, found, proven, bound / best, median(seconds)


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
    generated = given.names and all(map(qap_families.is_generated, given.names))
    folder = None if generated else data_folder() / "qaplib-dat"
    best = {} if generated else json.loads((folder / "best.json").read_text("utf-8"))
    lines, medians = [HEAD], []
    print("\n".join(lines), flush=True)
    for name in given.names or sorted(
        best, key=lambda n: (int("".join(filter(str.isdigit, n))), n)
    ):
        if qap_families.is_generated(name):
            problem, best[name] = qap_families.make(name)
        else:
            problem = gm.load(folder / f"{name}.dat")
        for method in given.methods:
            try:
                known = given.until_best and best[name] is not None
                wanted["cost"] = best[name] - problem.offset + 1e-6 if known else -math.inf
                values, found, proven, bound, seconds = gaps(
                    problem, method, given.limit, given.seeds, best[name]
                )
            except (GMError, MemoryError) as error:
                line = (
                    f"| {name} | {problem.shape[0]} | {method} | {type(error).__name__}" + " |" * 7
                )
            else:
                medians.append(median(found))
                line = (
                    f"| {name} | {problem.shape[0]} | {method} | {min(values):.10g} |"
                    f" {median(found):.3f} | {min(found):.3f} | {max(found):.3f} |"
                    f" {proven} of {given.seeds} | {bound:.3f} | {seconds:.2f} |"
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
