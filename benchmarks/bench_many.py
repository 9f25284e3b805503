"""gm_solve_many: microseconds in addition to the kernels, and two threads against one.

    python benchmarks/keep.py docs/results/many.md benchmarks/bench_many.py

Overhead: CPU time of the whole call minus that of the C call in it, per problem, the least
of several tries. One by one: the same with gm_solve. Two threads: wall time, the best of several
alternating tries, since other work on the machine only makes a try slower. By CPU time: what two
threads would be worth if both had a core of their own, twice the CPU time of one thread over that
of two (without the time they wait, with the work they cause each other).
"""

import argparse
import math
import os
import time

import numpy as np

import gmtoolbox as gm
from gmtoolbox import kernel_jobs

OPTIONS = {"fm": {"patience": 200}, "fm-bca": {"patience": 100}, "aj": {}, "rrwm": {}}
SECONDS = 0.25  # of kernels in one measurement, about
FEWEST = 100  # problems of one call, so that the call itself costs each of them little
in_c = 0.0


def watch_kernels():
    """Count the CPU time of the C calls."""
    run = kernel_jobs.Portion.solve

    def counted(self, lapack):
        global in_c
        begin = time.thread_time()
        run(self, lapack)
        in_c += time.thread_time() - begin

    kernel_jobs.Portion.solve = counted


def complete_problem(seed, n):
    """A small problem in the shape of hotel."""
    return gm.synth.hotel(seed=seed, size=n)


def partial_problem(seed, n):
    """Points that are moved a little, ten candidates each, nodes may stay free."""
    rng = np.random.default_rng(seed)
    P = rng.random((n, 2))
    Q = P[rng.permutation(n)] + rng.normal(0, 0.02, (n, 2))
    return gm.models.from_points(P, Q, k=min(n, 10))


def fresh(problems):
    """The same problems without what earlier solves have computed of them."""
    return [problem.changed() for problem in problems]


def measured(problems, method, tries):
    """Microseconds, rates and ratios of a method on the problems."""
    global in_c
    options = OPTIONS[method]
    gm.gm_solve_many(fresh(problems[:4]), method, **options)
    kernel, overhead = math.inf, math.inf
    for _ in range(tries):
        in_c, given = 0.0, fresh(problems)
        begin = time.process_time()
        one = gm.gm_solve_many(given, method, **options)
        used = time.process_time() - begin
        kernel, overhead = min(kernel, in_c), min(overhead, used - in_c)
    few = fresh(problems[: max(2, len(problems) // 10)])
    begin = time.process_time()
    alone = [gm.gm_solve(p, method, **options) for p in few]
    singly = (time.process_time() - begin) / len(few)
    assert one[: len(few)] == alone
    walls, processor = {1: [], 2: []}, {1: [], 2: []}
    for _ in range(tries):
        for n_jobs in walls:
            begin, cpu = time.perf_counter(), time.process_time()
            found = gm.gm_solve_many(problems, method, n_jobs=n_jobs, **options)
            walls[n_jobs].append(time.perf_counter() - begin)
            processor[n_jobs].append(time.process_time() - cpu)
            assert found == one
    micro = 1e6 / len(problems)
    best = {n_jobs: min(seconds) for n_jobs, seconds in walls.items()}
    return {
        "kernel": kernel * micro,
        "overhead": overhead * micro,
        "one by one": 1e6 * singly - kernel * micro,
        "rate 1": len(problems) / best[1],
        "rate 2": len(problems) / best[2],
        "ratio": best[1] / best[2],
        "by CPU": 2.0 * min(processor[1]) / min(processor[2]),
    }


def count_for(kind, n, method):
    """As many problems as fill SECONDS; the first call does the imports."""
    probe = [kind(seed, n) for seed in range(5)]
    gm.gm_solve_many(probe, method, **OPTIONS[method])
    begin = time.process_time()
    gm.gm_solve_many(probe, method, **OPTIONS[method])
    each = (time.process_time() - begin) / len(probe)
    return int(min(max(SECONDS / each, FEWEST), 2000))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 20, 50])
    parser.add_argument("--tries", type=int, default=3)
    arguments = parser.parse_args()
    watch_kernels()
    print(
        "| problems | n | method | kernel, us | overhead, us | by gm_solve, us"
        " | per second, 1 thread | 2 threads | ratio | by CPU time |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, kind in (("complete", complete_problem), ("partial", partial_problem)):
        for n in arguments.sizes:
            for method in OPTIONS:
                count = count_for(kind, n, method)
                problems = [kind(seed, n) for seed in range(count)]
                row = measured(problems, method, arguments.tries)
                print(
                    f"| {name} ({count}) | {n} | {method} | {row['kernel']:.0f} |"
                    f" {row['overhead']:.0f} | {row['one by one']:.0f} | {row['rate 1']:.0f} |"
                    f" {row['rate 2']:.0f} | {row['ratio']:.2f} | {row['by CPU']:.2f} |",
                    flush=True,
                )
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(
        f"\nWhile this was measured, {load:.0f} processes shared the {cores} cores of the machine."
    )


if __name__ == "__main__":
    main()
