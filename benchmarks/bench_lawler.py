"""Large sparse problems with listed edges: first answer, value, bound and memory of the methods.

    OMP_NUM_THREADS=1 python benchmarks/bench_lawler.py [--limit S] [--methods M ...]

n points and a noisy copy, a few random candidates each besides the true one, edges between the
candidates of the six nearest neighbours. Each method runs in a process of its own, which loads the
problem; memory is the amount beyond that, as a multiple of the problem's own arrays.
"""

import argparse
import multiprocessing
import pickle
import tempfile
import time
from pathlib import Path

import cpu_clock
import numpy as np
from scipy.spatial import cKDTree

import gmtoolbox as gm

SIZES = ((5000, 10), (1000, 20))  # points, candidates each
NEIGHBOURS, NOISE, OUTLIER = 6, 0.7, 0.3


def points(n, n_candidates, seed=0):
    """(problem, truth)"""
    rng = np.random.default_rng(seed)
    at, truth = rng.random((n, 2)), rng.permutation(n)
    to = np.empty((n, 2))
    to[truth] = at + rng.normal(0, NOISE / np.sqrt(n), (n, 2))
    right = rng.integers(0, n, (n, n_candidates))
    right[:, 0] = truth
    left, right = np.divmod(np.unique(np.arange(n)[:, None] * n + right), n)
    start = np.searchsorted(left, np.arange(n + 1))
    near = cKDTree(at).query(at, k=NEIGHBOURS + 1)[1][:, 1:]
    links = {(min(i, j), max(i, j)) for i, row in enumerate(near.tolist()) for j in row}
    ends = [
        np.meshgrid(np.arange(*start[i : i + 2]), np.arange(*start[j : j + 2]))
        for i, j in sorted(links)
    ]
    a, b = (np.concatenate([pair[side].ravel() for pair in ends]) for side in (0, 1))
    a, b = (side[right[a] != right[b]] for side in (a, b))
    stretch = (to[right[a]] - to[right[b]]) - (at[left[a]] - at[left[b]])
    cost = OUTLIER - np.exp(-np.sqrt(n) * np.linalg.norm(stretch, axis=1))
    unary = rng.normal(-0.1, 0.1, len(left))
    return gm.Problem((n, n), left, right, unary, a=a, b=b, edge_cost=cost), truth


def peak():
    """Return bytes; getrusage would count the memory of the parent at the fork."""
    status = Path("/proc/self/status").read_text("utf-8")
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


def run(file, method, limit, answers):
    """In a child: solve the problem of a file and put a line of the table into the queue."""
    cpu_clock.use()
    problem, truth = pickle.loads(Path(file).read_bytes())
    arrays = (problem.left, problem.right, problem.cost, problem.a, problem.b, problem.edge_cost)
    gm.gm_solve(np.eye(4), method)  # imports are no part of a first answer
    before, begin, heard = peak(), time.process_time(), []

    def hear(event, labels, iteration):
        if np.isfinite(event[1]):
            heard.append(time.process_time() - begin)

    r = gm.gm_solve(problem, method, time_limit=limit, progress=hear)
    answers.put(
        f"| {problem.shape[0]} x {problem.shape[1]} | {problem.n_candidates} | {problem.n_edges} |"
        f" {method} | {heard[0]:.3f} | {r.value:.2f} | {r.bound:.2f} |"
        f" {gm.accuracy(r.labels, truth):.3f} |"
        f" {(peak() - before) / sum(array.nbytes for array in arrays):.1f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=float, default=3.0)
    parser.add_argument("--methods", nargs="*", default=["auto", "fm", "fm-bca", "mp"])
    given = parser.parse_args()
    print(
        "| points | candidates | edges | method | first answer, CPU s | value | bound | accuracy |"
        " memory / input |\n|---|---|---|---|---|---|---|---|---|"
    )
    spawn = multiprocessing.get_context("spawn")
    for n, n_candidates in SIZES:
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(pickle.dumps(points(n, n_candidates)))
            for method in given.methods:
                answers = spawn.Queue()
                child = spawn.Process(target=run, args=(file.name, method, given.limit, answers))
                child.start()
                print(answers.get(timeout=100 * given.limit + 300), flush=True)
                child.join()
    print(f"\n{given.limit:g} CPU seconds of one core.")


if __name__ == "__main__":
    main()
