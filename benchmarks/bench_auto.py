"""gm_solve(K) without a method, compared with every other method of the package, at one time limit.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_auto.py [--limit S] [--sample
    N] [--methods M ...] [NAME ...]

Where auto proves its answer within the limit no other method can have a better value, and none is
run. Elsewhere each gets the same limit (wall seconds), one after the other. A value counts as
better from a relative difference of 1e-6 on.
"""

import argparse

import study

import gmtoolbox as gm
from gmtoolbox.core.errors import GMError


def value_of(problem, method, limit):
    """Return the value of a method after a number of seconds, inf if it refuses the problem."""
    try:
        return gm.gm_solve(problem, method, time_limit=limit).value
    except (GMError, MemoryError):
        return float("inf")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=1.0)
    study.sample_argument(parser)
    parser.add_argument("--methods", nargs="*", help="the others (default: all)")
    given = parser.parse_args()
    others = given.methods or [method.name for method in gm.gm_methods() if method.name != "auto"]
    lines = []
    for dataset, members in study.files(given.names, given.sample).items():
        proven, worse = 0, []
        for name, file, meta in members:
            problem = gm.load(file, complete=bool(meta.get("complete")))
            auto = gm.gm_solve(problem, time_limit=given.limit)
            if auto.status == "optimal":
                proven += 1
                continue
            values = {method: value_of(problem, method, given.limit) for method in others}
            best = min(values.values())
            reached = [method for method in others if values[method] <= best + 1e-6 * abs(best)]
            if auto.value > best + 1e-6 * abs(best):
                worse.append(f"{name} ({', '.join(reached)})")
            print(
                f"{name:18} auto {auto.value:16.6f}   best other {best:16.6f}  "
                f" {', '.join(reached)}",
                flush=True,
            )
        lines.append((dataset, len(members), proven, len(worse), "; ".join(worse)))
    print(
        f"\n{'dataset':14} {'n':>4} {'proven':>7} {'another is better':>18}   after"
        f" {given.limit:g} s"
    )
    for dataset, n, proven, count, names in lines:
        print(f"{dataset:14} {n:4} {proven:7} {count:18}   {names}")
    print(
        f"{'all':14} {sum(line[1] for line in lines):4} {sum(line[2] for line in lines):7}"
        f" {sum(line[3] for line in lines):18}"
    )


if __name__ == "__main__":
    main()
