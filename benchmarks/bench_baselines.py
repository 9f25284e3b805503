"""The classic baselines: against pygmtools side by side, and on a worms-like problem.

    python benchmarks/bench_baselines.py pygmtools
        CPU seconds and peak memory on Delaunay problems, n = 100
    python benchmarks/bench_baselines.py worms [FILE ...]
        seconds and peak memory of every method; a file "synth", the default, is
        gm.synth.worms(seed=0)
    python benchmarks/bench_baselines.py fgmd
        our seconds next to the original's (needs GMTOOLBOX_DATA)

Every measurement runs in a process of its own, on one core; pygmtools is skipped where it is not
installed.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from scipy.spatial import Delaunay  # noqa: E402

import gmtoolbox as gm  # noqa: E402

COMPARED = {"sm": "sm", "rrwm": "rrwm", "ipfpu": "ipfp"}  # ours: theirs
AT_SIZE = ("sm", "smac", "rrwm", "ipfpu", "ipfps", "ga", "mpm", "lsm", "pm")


def delaunay_affinity(n, seed=0, sigma=0.05):
    """Sparse affinity of two noisy Delaunay graphs: exp(-(length difference)^2 / sigma) for every
    pair of edges.
    """
    rng = np.random.default_rng(seed)
    P = rng.random((n, 2))
    Q = P + 0.01 * rng.normal(size=P.shape)

    def edges(points):
        triangles = Delaunay(points).simplices
        pairs = np.unique(
            np.sort(
                np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [0, 2]]]),
                axis=1,
            ),
            axis=0,
        )
        return np.vstack([pairs, pairs[:, ::-1]])

    E, F = edges(P), edges(Q)
    lengths = (np.linalg.norm(X[e[:, 0]] - X[e[:, 1]], axis=1) for X, e in ((P, E), (Q, F)))
    a, b = (
        length.repeat(len(F)) if k == 0 else np.tile(length, len(E))
        for k, length in enumerate(lengths)
    )
    left, right = E.repeat(len(F), axis=0), np.tile(F, (len(E), 1))
    rows, cols = left[:, 0] + n * right[:, 0], left[:, 1] + n * right[:, 1]
    return sparse.csr_array((np.exp(-((a - b) ** 2) / sigma), (rows, cols)), shape=(n * n, n * n))


def measure_one(what, name, argument):
    """In the child: run one thing three times, after a small one that loads everything, and print
    the best time.
    """
    if what == "ours":
        run = lambda K, n: gm.gm_solve(K, name).labels
        make = delaunay_affinity
    elif what == "pygmtools":
        import pygmtools

        pygmtools.set_backend("numpy")
        run = lambda K, n: np.asarray(
            pygmtools.hungarian(getattr(pygmtools, name)(K, n, n))
        ).argmax(axis=1)
        make = lambda n: delaunay_affinity(n).toarray()  # it takes dense matrices only
    else:
        problem = gm.synth.worms(seed=0) if argument == "synth" else gm.load(argument)
        begin = time.process_time()
        value = gm.gm_solve(problem, name).value
        report(time.process_time() - begin, value)
        return
    n = int(argument)
    run(make(8), 8)
    K, seconds = make(n), []
    for _ in range(3):
        begin = time.process_time()
        labels = run(K, n)
        seconds.append(time.process_time() - begin)
    chosen = np.zeros(n * n)
    chosen[np.arange(n) + n * labels] = 1.0
    report(min(seconds), float(chosen @ (K @ chosen)))


def report(seconds, value):
    """Print seconds, peak memory and value for the parent."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "value": value}))


def measure(*arguments):
    """What measure_one reports from a process of its own; None if it failed."""
    command = [sys.executable, __file__, "one", *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=900)
    return json.loads(run.stdout) if run.returncode == 0 else None


def compare_with_pygmtools(n=100):
    """Print our values next to theirs."""
    print(
        f"Delaunay problems, n = {n}: CPU seconds from K (sparse for us, dense for them) to labels,"
        " peak MB"
    )
    print(
        f"{'method':8} {'ours':>9} {'pygmtools':>10} {'ratio':>7}   {'MB ours':>8}"
        f" {'MB theirs':>10} {'ratio':>6}   value ours / theirs"
    )
    for ours, theirs in COMPARED.items():
        mine, other = measure("ours", ours, n), measure("pygmtools", theirs, n)
        if other is None:
            print(f"{ours:8} {mine['seconds']:9.3f}   pygmtools is not installed or failed")
            continue
        print(
            f"{ours:8} {mine['seconds']:9.3f} {other['seconds']:10.2f}"
            f" {other['seconds'] / mine['seconds']:6.0f}x   {mine['peak']:8.0f}"
            f" {other['peak']:10.0f} {other['peak'] / mine['peak']:5.1f}x   {mine['value']:.3f} /"
            f" {other['value']:.3f}"
        )


def worms(paths):
    """Print seconds and peak memory of every method on the files."""
    print(
        "worms-like: CPU seconds and peak MB, one process each (the study allows 300 s; ours must"
        " stay below 60 s and 2048 MB)"
    )
    for path in paths:
        for method in AT_SIZE:
            cost = measure("file", method, path)
            line = (
                f"{Path(path).name:20} {method:6} {cost['seconds']:8.2f} s {cost['peak']:7.0f} MB  "
                f" value {cost['value']:.6g}"
            )
            print(line, flush=True)


def fgmd(data):
    """Print our seconds next to those of the original."""
    rows = json.loads((data.parent / "oracle" / "octave-results.json").read_text("utf-8"))
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from golden import oracle_problem

    print("fgmd: CPU seconds, ours and the original's under Octave")
    for row in rows:
        if row["method"] != "fgmd":
            continue
        problem = oracle_problem(data, row["instance"])
        begin = time.process_time()
        r = gm.gm_solve(problem, "fgmd")
        seconds = time.process_time() - begin
        ratio = row["octave_seconds"] / seconds
        print(
            f"{row['instance']:16} {seconds:7.3f} {row['octave_seconds']:8.2f} {ratio:6.0f}x  "
            f" value {r.value:.6f} / {row['value']:.6f}"
        )


if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) > 1 else "pygmtools"
    if command == "one":
        measure_one(*sys.argv[2:])
    elif command == "worms":
        worms(sys.argv[2:] or ["synth"])
    elif command == "fgmd":
        fgmd(Path(os.environ["GMTOOLBOX_DATA"]))
    else:
        compare_with_pygmtools()
