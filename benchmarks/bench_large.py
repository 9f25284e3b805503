"""auto on large sparse problems beside our other methods: value and bound after 1, 10 and 60 s.

    OMP_NUM_THREADS=1 python benchmarks/bench_large.py [--limits 1 10 60] [--methods M ...]
    [NAME ...]

Limits are CPU seconds. A row tells by how much the best of the others is ahead of auto, in percent
of its value (at most 0.1 is wanted), and the memory that auto took.
"""

import argparse
import resource

import cpu_clock

import gmtoolbox as gm

PROBLEMS = {
    "1000 x 20": lambda: gm.synth.sparse(),
    "1000 x 20 hard": lambda: gm.synth.sparse(hard=True),
    "5000 x 10": lambda: gm.synth.sparse(size=5000, candidates=10),
    "worms 558 x 1300": lambda: gm.synth.worms(),
}
METHODS = ("mp", "fm-bca", "dd-ls0", "fm")


def at(result, seconds):
    """(value, bound) that the trace had then."""
    reached = result.trace[result.trace["time"] <= seconds]
    return (reached["value"][-1], reached["bound"][-1]) if len(reached) else (None, None)


def shown(x):
    return "-" if x is None else f"{x:.6g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limits", nargs="+", type=float, default=[1.0, 10.0, 60.0])
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    given = parser.parse_args()
    cpu_clock.use()
    print(
        "| problem | after | auto | best value of others | ahead | best bound | ahead | memory |\n"
        f"|{' --- |' * 8}"
    )
    for name in given.names or PROBLEMS:
        problem = PROBLEMS[name]()
        last = max(given.limits)
        auto = gm.gm_solve(problem, time_limit=last)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        others = {m: gm.gm_solve(problem, m, time_limit=last) for m in given.methods}
        for limit in given.limits:
            value, bound = at(auto, limit)
            reached = {m: at(r, limit) for m, r in others.items()}
            values = {m: v for m, (v, _) in reached.items() if v is not None}
            bounds = {m: b for m, (_, b) in reached.items() if b is not None}
            first = min(values, key=values.get)
            tight = max(bounds, key=bounds.get)
            size = abs(values[first])
            behind = 100 * ((value if value is not None else 0.0) - values[first]) / size
            looser = 100 * (bounds[tight] - (bound if bound is not None else -size)) / size
            print(
                f"| {name} | {limit:g} s | {shown(value)} / {shown(bound)} |"
                f" {shown(values[first])} ({first}) | {behind:.2f} % |"
                f" {shown(bounds[tight])} ({tight}) | {looser:.2f} % | {memory} MB |",
                flush=True,
            )


if __name__ == "__main__":
    main()
