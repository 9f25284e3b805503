"""Throughput of gm_batch: runs per second with two jobs against one, on runs of 0.2 s of pure
computing.

    python benchmarks/bench_runner.py [runs] [seconds per run]
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from small import random_problem  # noqa: E402

import gmtoolbox as gm  # noqa: E402


def throughput(n_jobs, runs, seconds):
    """(runs per second after the servers are up, iterations of a run, the parent's own processor
    seconds per run): slopes between a short and a long batch.
    """
    problem = random_problem(np.random.default_rng(0), 30, 30, edges=0.05)
    elapsed, busy = [], []
    endless = {"fw": {"restarts": 10**6, "maxiter": 10**9}}
    for count in (2 * n_jobs, runs + 2 * n_jobs):
        begin, before = time.perf_counter(), time.process_time()
        problems = {f"p{k}": problem for k in range(count)}
        done = gm.gm_batch(problems, endless, time_limit=seconds, n_jobs=n_jobs)
        elapsed.append(time.perf_counter() - begin)
        busy.append(time.process_time() - before)
        assert all(run.status == "time_limit" for run in done)
    return (
        runs / (elapsed[1] - elapsed[0]),
        sum(run.n_iter for run in done) / len(done),
        (busy[1] - busy[0]) / runs,
    )


if __name__ == "__main__":
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.2
    (one, work_one, _), (two, work_two, serial) = (throughput(n, runs, seconds) for n in (1, 2))
    print(
        f"1 job: {one:.2f} runs/s ({work_one:.0f} iterations each)   2 jobs: {two:.2f} runs/s"
        f" ({work_two:.0f} iterations each)"
    )
    print(
        f"ratio of runs {two / one:.3f}, of iterations done per second"
        f" {two * work_two / (one * work_one):.3f}"
    )
    print(
        f"overhead per run {1000 * (1 / one - seconds):.1f} ms; of it {1000 * serial:.1f} ms in the"
        " parent, of which there is one for both jobs:"
    )
    print(f"that part alone would limit the ratio to {2 / (1 + serial / seconds):.3f}")
