"""Row 21 of docs/development/notes.md: a kernel that is cut in the middle of anything leaves a
matching and a true bound, and no memory is read or written that it should not.

The kernels are built so that they look after every step, and with the sanitizers; each problem is
solved again and again, and its run is over at one look after the other.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SANITIZERS = "-fsanitize=address,undefined"
FLAGS = (
    f"-DGM_MEASURE_LOOKS -DGM_WORK_PER_LOOK=1 -g -O1 {SANITIZERS} -fno-sanitize-recover=undefined"
)
CAMPAIGN = """
import random, sys, time
import numpy as np
import gmtoolbox as gm
from gmtoolbox import changes
from gmtoolbox._cext import lib
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._swaps import search
sys.path.insert(0, "tests")
from small import brute_force, random_problem

METHODS = {"aj": None, "auto": None, "fm": 30, "fm-bca": 20, "fw": 20, "mp": 20, "mp-fw": 15,
           "mp-mcf": 25, "dd-ls0": 25, "dd-ls3": 20, "dd-ls4": 15, "hbp": 6}
rng, end, n_cut = np.random.default_rng(0), time.monotonic() + float(sys.argv[1]), 0
random.seed(0)

def cuts(function, samples):
    "Yield what the function returns where the run is over at one look after the other."
    global n_cut
    lib.gm_looks_cut_at(0)
    function()
    n_looks = max(lib.gm_looks_count(), 1)
    for look in {1, 2, *(random.randint(1, n_looks) for _ in range(samples))}:
        lib.gm_looks_cut_at(look)
        found = function()
        n_cut += lib.gm_looks_count() >= look
        lib.gm_looks_cut_at(0)
        yield found

def check(r, problem, optimum):
    sign, slack = (-1.0 if problem.sense == "max" else 1.0), 1e-6 * max(abs(optimum), 1.0)
    assert sign * r.bound <= sign * optimum + slack, (r, optimum)
    assert np.isclose(r.value, problem.energy(r.labels)), r
    assert r.status != "optimal" or sign * r.value <= sign * optimum + slack, (r, optimum)

def two_graphs():
    if rng.random() < 0.3:
        A, B = rng.integers(0, 9, (2, 5, 5))
        problem = gm.models.from_koopmans_beckmann(A, B)
    else:
        shape, complete = rng.integers(2, 6, 2).tolist(), bool(rng.integers(2))
        problem = random_problem(rng, *shape, edges=float(rng.random()), complete=complete)
    try:
        optimum = brute_force(problem)
    except gm.InfeasibleError:
        return
    if not np.isfinite(optimum):
        return
    for method, maxiter in METHODS.items():
        how = {} if maxiter is None else {"maxiter": maxiter}
        for r in cuts(lambda: gm.gm_solve(problem, method, **how), 5):
            check(r, problem, optimum)
        if method in ("aj", "fm", "fm-bca", "fw"):
            for (r,) in cuts(lambda: gm.gm_solve_many([problem], method, **how), 3):
                check(r, problem, optimum)

def many_graphs():
    n = int(rng.integers(2, 4))
    pair = lambda: random_problem(rng, n, n, edges=0.6)
    pairs = {(g, h): pair() for g, h in ((0, 1), (0, 2), (1, 2))}
    problem = gm.MultiProblem(pairs)
    for bound in ("auto", "cycles", "pairs"):
        solve = lambda: gm.gm_solve_multi(problem, bound=bound, maxiter=200)
        best = solve().value
        for r in cuts(solve, 6):
            assert r.bound <= best + 1e-6 * max(abs(best), 1.0), (r, best)
            assert np.isclose(r.value, problem.bare_cost(r.tracks))

def forced():
    costs = random_problem(rng, 4, 5, edges=0.7)
    labels = np.asarray(gm.gm_solve(costs, "aj").labels, np.int32)
    least = [brute_force(costs.fix([pair]).problem) for pair in zip(costs.left, costs.right)]
    for taken, _ in cuts(lambda: changes.forced_bounds(costs, labels, 100.0), 10):
        assert np.all(taken <= np.array(least) + 1e-6), (taken, least)

def swaps():
    A, B = rng.integers(0, 9, (2, 6, 6)).astype(float)
    factors = QapFactors(gm.models.from_koopmans_beckmann(A + A.T, B + B.T).as_costs())
    for memory in (np.inf, 0):
        run = lambda: search(factors, Budget(None, 1), np.arange(6), maxiter=60, memory=memory)
        for outcome in cuts(run, 6):
            assert outcome.labels is None or sorted(outcome.labels) == list(range(6))

while time.monotonic() < end:
    for part in (two_graphs, many_graphs, forced, swaps):
        part()
print(n_cut)
"""


def runtime():
    """The sanitizer's library, which must be loaded before Python, or None."""
    if shutil.which("gcc") is None:
        return None
    found = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, timeout=60
    )
    return found.stdout.strip() if os.path.isabs(found.stdout.strip()) else None


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(runtime() is None, reason="gcc with libasan is not installed")
def test_kernels_that_are_cut_anywhere(tmp_path):
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "*.so", "__pycache__")
    tree = shutil.copytree(ROOT, tmp_path / "tree", ignore=ignored)
    build = {**os.environ, "GMTOOLBOX_CFLAGS": FLAGS, "GMTOOLBOX_LDFLAGS": SANITIZERS}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=tree, env=build, check=True, timeout=1800, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-c", CAMPAIGN, "300"], cwd=tree, capture_output=True, text=True,
        timeout=1500, env={**os.environ, "LD_PRELOAD": runtime(), "PYTHONPATH": str(tree),
                           "ASAN_OPTIONS": "detect_leaks=0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    assert int(done.stdout) > 500
