"""Problems without pair costs: auto next to SciPy's assignment solvers, CPU seconds of one thread.

    OMP_NUM_THREADS=1 python benchmarks/bench_linear.py [--parts solve assign] [...]

Dense matrices of random numbers, distances of random points, and products; sparse ones with random
columns, and the nearest neighbours of points. Least of five runs or more, where a run of a short
call is a loop of them; a peer whose runs take longer than --skip-scipy-after wall seconds is given
up. The time of gm_solve is that of the whole call, without making the Problem; gm.assign has the
matrix as SciPy has it, and its rows are medians over several matrices. gm.assign and SciPy take
turns.
"""

import argparse
import multiprocessing
import time
from functools import partial

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from scipy.spatial import cKDTree

import gmtoolbox as gm

HEAD = (
    "| costs | n | candidates | SciPy s | gm_solve s | ratio | status |\n"
    "|---|---|---|---|---|---|---|"
)
ASSIGN_HEAD = (
    "| costs | shape | SciPy ms | gm.assign ms | ratio | largest |\n|---|---|---|---|---|---|"
)
REPEATS = 5  # the least time counts
SHORT = 0.02  # seconds: runs of both are repeated until they have taken this long
LOOP = 0.002  # seconds of a run: shorter calls are made in a loop
SEEDS = range(120, 128)  # of the matrices of gm.assign


def dense_costs(kind, n, rng, n2=None):
    """(n, n2) costs, (n, n) without n2."""
    n2 = n2 or n
    if kind == "random":
        return rng.random((n, n2))
    if kind in ("integers", "whole doubles"):
        C = rng.integers(1, 1000, (n, n2))
        return C if kind == "integers" else C.astype(float)
    if kind == "half forbidden":
        C = rng.random((n, n2))
        C[rng.random((n, n2)) < 0.5] = np.inf
        C[np.arange(min(n, n2)), rng.permutation(min(n, n2))] = rng.random(min(n, n2))
        return C
    if kind == "points":
        return np.linalg.norm(rng.random((n, 1, 2)) - rng.random((n2, 2)), axis=2)
    return np.outer(np.arange(1.0, n + 1), np.arange(1.0, n2 + 1))


def sparse_costs(kind, n, k, rng):
    """(n, n) sparse costs, k for each row, that allow a complete matching."""
    if kind == "random":
        rows, columns = np.repeat(np.arange(n), k), rng.integers(0, n, n * k)
        values, hidden = rng.random(n * k) + 0.01, rng.permutation(n)
        kept = rng.random(n) + 0.01
    else:
        P = rng.random((n, 2))
        hidden = rng.permutation(n)
        Q = np.empty_like(P)
        Q[hidden] = P + rng.normal(scale=0.3 / np.sqrt(n), size=(n, 2))
        values, columns = cKDTree(Q).query(P, k)
        rows, columns, values = np.repeat(np.arange(n), k), columns.ravel(), values.ravel()
        kept = np.linalg.norm(P - Q[hidden], axis=1)
    listed = sparse.csr_array((values, (rows, columns)), shape=(n, n))
    return sparse.csr_array(listed.maximum(sparse.csr_array((kept, (np.arange(n), hidden)))))


def peer_of(C):
    """Return the function of SciPy."""
    return min_weight_full_bipartite_matching if sparse.issparse(C) else linear_sum_assignment


def peer_value(C):
    """(value, CPU seconds) of SciPy."""
    ((rows, columns), seconds), *_ = timed(C, peer_of(C))
    return float(C[rows, columns].sum()), seconds


def timed(C, *functions):
    """Return (result, least CPU seconds) of each function of C."""
    loops, found = [], [function(C) for function in functions]
    for function in functions:
        begin = time.process_time()
        function(C)
        loops.append(max(1, int(LOOP / max(time.process_time() - begin, 1e-6))))
    seconds, started = [[] for _ in functions], time.process_time()
    while len(seconds[0]) < REPEATS or time.process_time() - started < SHORT:
        for k, function in enumerate(functions):
            begin = time.process_time()
            for _ in range(loops[k]):
                function(C)
            seconds[k].append((time.process_time() - begin) / loops[k])
    return list(zip(found, map(min, seconds), strict=True))


def fresh(C):
    """A Problem without anything computed before."""
    listed = sparse.coo_array(C)
    return gm.Problem(C.shape, listed.row, listed.col, listed.data, complete=True)


def peer_in_time(C, seconds):
    """Measure in a separate process; (None, None) if it takes longer than the limit."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(peer_value, (C,)).get(timeout=seconds)
        except multiprocessing.TimeoutError:
            return None, None


def line(kind, C, patience):
    """A row of the table."""
    seconds = []
    for _ in range(REPEATS):
        p = fresh(C)
        begin = time.process_time()
        r = gm.gm_solve(p)
        seconds.append(time.process_time() - begin)
    ours = min(seconds)
    value, theirs = peer_in_time(C, patience)
    if value is not None and abs(value - r.value) > 1e-9 * abs(value):
        raise SystemExit(f"{kind}: SciPy has {value!r}, gm_solve {r.value!r}")
    peer = f"{theirs:.3f}" if theirs else f"> {patience / REPEATS:.0f}"
    ratio = f"{ours / theirs:.2f}" if theirs else ""
    n, candidates = C.shape[0], p.n_candidates
    return f"| {kind} | {n} | {candidates} | {peer} | {ours:.3f} | {ratio} | {r.status} |"


def digits(x):
    """Three digits, without an exponent."""
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def assign_line(kind, make, seeds):
    """A row of the table of gm.assign: medians over the matrices make(rng), the largest ratio."""
    both = []
    for seed in seeds:
        C = make(np.random.default_rng(seed))
        (r, ours), ((rows, columns), theirs) = timed(C, gm.assign, peer_of(C))
        value = float(C[rows, columns].sum())
        if abs(value - r.value) > 1e-9 * abs(value):
            raise SystemExit(f"{kind}: SciPy has {value!r}, gm.assign {r.value!r}")
        both.append((theirs, ours, ours / theirs))
    theirs, ours, ratio = np.median(both, axis=0)
    largest = max(row[2] for row in both)
    size = f"{C.shape[0]} x {C.shape[1]}"
    cells = kind, size, digits(1e3 * theirs), digits(1e3 * ours), f"{ratio:.2f}", f"{largest:.2f}"
    return f"| {' | '.join(cells)} |"


def compare_solve(patience, rng):
    """Print the table of gm_solve."""
    print(HEAD, flush=True)
    for n in (1000, 2000):
        for kind in ("random", "integers", "points", "products"):
            print(line(f"dense, {kind}", dense_costs(kind, n, rng), patience), flush=True)
    for kind, n, k in (
        ("random", 100_000, 5), ("points", 10_000, 20), ("points", 250_000, 20),
    ):  # fmt: skip
        print(line(f"sparse, {kind}", sparse_costs(kind, n, k, rng), patience), flush=True)


def compare_assign(*_):
    """Print the table of gm.assign."""
    print(ASSIGN_HEAD, flush=True)
    for n, n2 in (
        (1, 1), (2, 2), (3, 3), (5, 5), (5, 10), (8, 8), (10, 5), (10, 10), (10, 15), (12, 12),
        (14, 14), (15, 15), (20, 20), (30, 30), (50, 50), (60, 20), (100, 100), (300, 300),
        (1000, 1000), (2000, 2000), (500, 2000), (2000, 500),
    ):  # fmt: skip
        for kind in ("random", "integers", "points", "half forbidden"):
            make = partial(dense_costs, kind, n, n2=n2)
            seeds = SEEDS if max(n, n2) < 1000 else SEEDS[:2]
            print(assign_line(f"dense, {kind}", make, seeds), flush=True)
    for n in (100, 300, 1000, 4000):
        for kind in ("random", "points"):
            for k in (3, 10, 20, 40):
                make = partial(sparse_costs, kind, n, k)
                seeds = SEEDS if n <= 1000 else SEEDS[:2]
                print(assign_line(f"sparse, {kind}, {k} a row", make, seeds), flush=True)


PARTS = {"solve": compare_solve, "assign": compare_assign}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--skip-scipy-after", type=float, default=60.0, metavar="S")
    given = parser.parse_args()
    gm.gm_solve(np.eye(4))
    gm.assign(np.eye(4))
    for part in given.parts:
        PARTS[part](given.skip_scipy_after, np.random.default_rng(7))


if __name__ == "__main__":
    main()
