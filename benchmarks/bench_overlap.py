"""auto on overlaps of connectome-like networks, next to the PyPI package acdc-search.

    OMP_NUM_THREADS=1 python benchmarks/bench_overlap.py [--nodes N ...] [--degree D]
    [--seeds S ...] [--limit SECONDS] [--acdc PYTHON] [--until-true]

A pair: D arcs for each of N nodes, drawn by heavy-tailed weights of their ends; numbers of synapses
are log-normal. The second network keeps 70 % of the arcs, whose numbers vary by a third, has others
in place of the rest, and is permuted. Columns: the overlap sum min(A_ij, B_p(i)p(j)), that of the
true alignment, share of nodes on their true place, status, CPU seconds, peak memory.

--acdc: the Python of an environment that has acdc-search. It runs with its defaults, and auto then
has as many CPU seconds; without it auto has --limit. --until-true: auto ends at the overlap of the
true alignment.
"""

import argparse
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import cpu_clock
import numpy as np
import scipy.sparse as sp

import gmtoolbox as gm

HEAD = (
    "| nodes | arcs | seed | method | overlap | true | accuracy | status | CPU s | GB |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)
KEPT, VARIES = 0.7, 0.33
LONGEST = 3000  # wall seconds of the peer
PEER = """
import sys, time
import numpy as np, scipy.sparse as sp
from acdc import acdc_match, matrix_to_perm
A, B = sp.load_npz(sys.argv[1]).tocsr(), sp.load_npz(sys.argv[2]).tocsr()
acdc_match(A[:50, :50], B[:50, :50], verbose=False)  # compiles
begin = time.process_time()
P = acdc_match(A, B, verbose=False)
print(time.process_time() - begin)
np.save(sys.argv[3], matrix_to_perm(P))
"""


def draw_arcs(rng, share, count):
    """Return (tail, head) of distinct arcs whose ends are drawn by share; no self loops."""
    n = len(share[0])
    keys = np.empty(0, np.int64)
    while len(keys) < count:
        tail, head = (rng.choice(n, 2 * count, p=p) for p in share)
        new = (tail.astype(np.int64) * n + head)[tail != head]
        keys = np.unique(np.concatenate([keys, new]))
    return np.divmod(rng.permutation(keys)[:count], n)


def connectomes(n, degree, seed):
    """Return (A, B, truth)."""
    rng = np.random.default_rng(seed)
    out = rng.pareto(2.0, n) + 0.5
    into = out * rng.lognormal(0.0, 0.5, n)  # strong in one direction, strong in the other
    share = [w / w.sum() for w in (out, into)]
    tail, head = draw_arcs(rng, share, n * degree)
    weight = np.ceil(rng.lognormal(1.0, 1.0, len(tail)))
    stays = rng.random(len(tail)) < KEPT
    other = draw_arcs(rng, share, int(np.count_nonzero(~stays)))
    ends = [
        np.concatenate([mine[stays], new]) for mine, new in zip((tail, head), other, strict=True)
    ]
    varied = np.ceil(weight[stays] * rng.lognormal(0.0, VARIES, np.count_nonzero(stays)))
    fresh = np.ceil(rng.lognormal(1.0, 1.0, len(other[0])))
    truth = rng.permutation(n)
    A = sp.csr_array((weight, (tail, head)), shape=(n, n))
    values = np.concatenate([varied, fresh])
    B = sp.csr_array((values, (truth[ends[0]], truth[ends[1]])), shape=(n, n))
    return A, B, truth


def overlap(A, B, labels):
    """Return sum min(A_ij, B_p(i)p(j))."""
    return float(A.minimum(B[labels][:, labels]).sum())


def peer(A, B, python):
    """Return (labels, CPU seconds) of acdc-search."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("A.npz", "B.npz", "labels.npy")]
        for M, path in zip((A, B), paths, strict=False):
            sp.save_npz(path, sp.csr_matrix(M))
        command = ["nice", "-n", "15", python, "-c", PEER, *paths]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=True)
        return np.load(paths[2]).astype(int), float(done.stdout.split()[-1])


def show(A, B, truth, seed, method, labels, status, seconds):
    """Print a line of the table."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20 if status else 0.0
    print(
        f"| {A.shape[0]} | {A.nnz} | {seed} | {method} | {overlap(A, B, labels):.0f} |"
        f" {overlap(A, B, truth):.0f} | {np.mean(labels == truth):.3f} | {status} |"
        f" {seconds:.1f} | {f'{memory:.1f}' if memory else ''} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[500, 1000, 2000, 4000])
    parser.add_argument("--degree", type=int, default=20)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--acdc", metavar="PYTHON")
    parser.add_argument("--until-true", action="store_true")
    given = parser.parse_args()
    true = {"cost": -np.inf}  # of the pair in hand
    cpu_clock.use(lambda cost: cost <= true["cost"])
    gm.gm_solve(gm.models.from_graphs(*connectomes(50, 5, 0)[:2], overlap="min"), time_limit=0.5)
    print(HEAD, flush=True)
    for n in given.nodes:
        for seed in given.seeds:
            pair, limit = connectomes(n, given.degree, seed), given.limit
            if given.acdc:
                labels, limit = peer(*pair[:2], given.acdc)
                show(*pair, seed, "acdc-search", labels, "", limit)
            if given.until_true:
                true["cost"] = -overlap(*pair)
            begin = time.process_time()
            problem = gm.models.from_graphs(*pair[:2], overlap="min")
            r = gm.gm_solve(problem, time_limit=limit)
            seconds = time.process_time() - begin
            show(*pair, seed, f"auto, {limit:.0f} s", r.labels, r.status, seconds)


if __name__ == "__main__":
    main()
