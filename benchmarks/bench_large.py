"""auto on large sparse problems next to our other methods: value and bound after 1, 10 and 60 s.

    OMP_NUM_THREADS=1 python benchmarks/bench_large.py [--limits 1 10 60] [--methods M ...]
    [NAME ...]

Limits are CPU seconds. A row shows by how much the best of the others is ahead of auto, in percent
of its value (at most 0.1 is wanted), and the memory that auto took.
"""

import argparse
import resource

import cpu_clock
import numpy as np

import gmtoolbox as gm


def shuffled():
    """The hard problem with its pair costs exchanged: nothing fits together, no proof is near."""
    p = gm.synth.sparse(hard=True)
    cost = np.random.default_rng(0).permutation(p.edge_cost)
    return gm.Problem(p.shape, p.left, p.right, p.cost, p.a, p.b, cost)


PROBLEMS = {
    "1000 x 20": lambda: gm.synth.sparse(),
    "1000 x 20 hard": lambda: gm.synth.sparse(hard=True),
    "1000 x 20 shuffled": shuffled,
    "5000 x 10": lambda: gm.synth.sparse(size=5000, candidates=10),
    "worms 558 x 1300": lambda: gm.synth.worms(),
}
METHODS = ("mp", "fm-bca", "dd-ls0", "fm")


def shown(x):
    """A number as text."""
    return f"{x:.6g}"


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
        for limit in given.limits:
            auto = gm.gm_solve(problem, time_limit=limit)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            others = {m: gm.gm_solve(problem, m, time_limit=limit) for m in given.methods}
            best = min(others, key=lambda m: others[m].value)
            tight = max(others, key=lambda m: others[m].bound)
            size = abs(others[best].value)
            behind = 100 * (auto.value - others[best].value) / size
            looser = 100 * (others[tight].bound - auto.bound) / size
            print(
                f"| {name} | {limit:g} s | {shown(auto.value)} / {shown(auto.bound)} |"
                f" {shown(others[best].value)} ({best}) | {behind:.2f} % |"
                f" {shown(others[tight].bound)} ({tight}) | {looser:.2f} % | {memory} MB |",
                flush=True,
            )


if __name__ == "__main__":
    main()
