"""auto on the files of QAPLIB: the gap to the best known value, in CPU seconds of one core.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_qaplib.py [--limit S]
    [--seeds N] [--methods M ...] [--until-best] [--at S] [--folder F] [--write FILE] [NAME ...]

A NAME like dre8x9 or cycle80 is a generated instance (qap_families.py), which needs no data. If its
optimum is not known, gaps are relative to the least value of the seeds. `taillard` is short for the
26 instances of Taillard. The last line has the mean of the median gaps. --at also prints the gaps
of the same runs after that many CPU seconds. --folder has other .dat files, and best values in
best.json or .sln files.

Prints the least value, the median, least and largest gap in percent over the seeds, how many were
proven, and the median of the CPU seconds. --until-best ends a run at the best known value, where
its gap is 0 whatever follows: the seconds are those to that value, and nothing is proven.
"""

import argparse
import itertools
import json
import math
import time
from pathlib import Path
from statistics import mean, median

import cpu_clock
import qap_families
from study import data_folder

import gmtoolbox as gm
from gmtoolbox.core.errors import GMError

TAILLARD = (
    "12a 12b 15a 15b 17a 20a 20b 25a 25b 30a 30b 35a 35b 40a 40b 50a 50b 60a 60b 64c 80a 80b 100a"
    " 100b 150b 256c"
)
LATER = {"tai100a": 21044752}  # found after the .sln files were written
HEAD = (
    "| instance | n | method | value | median gap % | least | largest | proven | bound / best |"
    " CPU s |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def best_values(folder):
    """{name: best known value} of a folder of .dat files."""
    if (folder / "best.json").exists():
        return json.loads((folder / "best.json").read_text("utf-8"))
    found = {path.stem: int(path.read_text().split()[1]) for path in folder.glob("*.sln")}
    return {name: min(value, LATER.get(name, value)) for name, value in found.items()}


class Watch:
    """The costs of a run as they are found; the run ends at the wanted cost."""

    def __init__(self):
        self.wanted, self.begin, self.found = -math.inf, 0.0, []

    def start(self):
        self.begin, self.found = time.process_time(), []

    def __call__(self, cost):
        self.found.append((time.process_time() - self.begin, cost))
        return cost <= self.wanted

    def value_at(self, seconds, problem):
        """The least value after that many CPU seconds."""
        return min(cost for at, cost in self.found if at <= seconds) + problem.offset


def solve_seeds(problem, method, given, watch):
    """(values of all seeds, those after given.at seconds, number proven, bound, median seconds)."""
    values, early, proven, bound, seconds = [], [], 0, float("-inf"), []
    for seed in range(given.seeds):
        watch.start()
        r = gm.gm_solve(problem, method, time_limit=given.limit, seed=seed)
        seconds.append(time.process_time() - watch.begin)
        values.append(r.value)
        if given.at:
            early.append(watch.value_at(given.at, problem))
        proven += r.status == "optimal"
        bound = max(bound, r.bound)
    return values, early, proven, bound, median(seconds)


def percent_above(values, best):
    return [100.0 * (value - best) / best for value in values]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", nargs="*", default=["auto"])
    parser.add_argument("--until-best", action="store_true")
    parser.add_argument("--at", type=float)
    parser.add_argument("--folder")
    parser.add_argument("--write", help="also write the table to this file")
    given = parser.parse_args()
    watch = Watch()
    cpu_clock.use(watch)
    names = [
        name
        for word in given.names
        for name in ([f"tai{k}" for k in TAILLARD.split()] if word == "taillard" else [word])
    ]
    generated = names and all(map(qap_families.is_generated, names))
    folder = None if generated else Path(given.folder or data_folder() / "qaplib-dat")
    best = {} if generated else best_values(folder)
    names = names or sorted(best, key=lambda n: (int("".join(filter(str.isdigit, n))), n))
    lines, means, early_means = [HEAD], [], []
    if given.at:
        lines = [f"{HEAD.splitlines()[0]} {given.at:g} s % |\n{HEAD.splitlines()[1]}---|"]
    print(lines[0], flush=True)
    for name, method in itertools.product(names, given.methods):
        if qap_families.is_generated(name):
            problem, known = qap_families.make(name)
        else:
            problem, known = gm.load(folder / f"{name}.dat"), best[name]
        ends = given.until_best and known is not None
        watch.wanted = known - problem.offset + 1e-6 if ends else -math.inf
        line = f"| {name} | {problem.shape[0]} | {method} |"
        try:
            values, early, proven, bound, seconds = solve_seeds(problem, method, given, watch)
        except (GMError, MemoryError) as error:
            line += f" {type(error).__name__} |" + " |" * (7 if given.at else 6)
        else:
            known = min(values) if known is None else known
            found = percent_above(values, known)
            means.append(median(found))
            line += (
                f" {min(values):.10g} | {median(found):.3f} | {min(found):.3f} | {max(found):.3f} |"
                f" {proven} of {given.seeds} | {bound / known:.3f} | {seconds:.2f} |"
            )
            if given.at:
                early_means.append(median(percent_above(early, known)))
                line += f" {early_means[-1]:.3f} |"
        lines.append(line)
        print(line, flush=True)
    ends = ", or up to the best known value" if given.until_best else ""
    lines.append(f"\n{given.limit:g} CPU seconds of one core{ends}; seeds 0 to {given.seeds - 1}.")
    if means:
        lines[-1] += f" Mean of the median gaps: {mean(means):.3f} %"
        lines[-1] += f", {mean(early_means):.3f} % after {given.at:g} s." if given.at else "."
    print(lines[-1], flush=True)
    if given.write:
        with open(given.write, "w") as file:
            file.write(
                "# QAPLIB\n\nWritten by benchmarks/bench_qaplib.py.\n\n" + "\n".join(lines) + "\n"
            )


if __name__ == "__main__":
    main()
