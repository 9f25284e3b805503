"""What `gmtoolbox verify` does with forged and with honest certificates, and how long it takes.

    python benchmarks/bench_certificates.py forged 100000
    python benchmarks/bench_certificates.py trees 20000 [FIRST]
    python benchmarks/bench_certificates.py honest 5000
    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_certificates.py times
    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_certificates.py searches NAME

forged: outcomes by kind of forgery; tests/attacks/forgeries.py lists the forgeries and how each is
judged. trees: the same for proofs that branch (tests/attacks/tree_forgeries.py). honest: random
small problems of all kinds, three certificates each; none may be refused, no bound may lie above
the optimum of an exhaustive search in fractions. times: CPU seconds of the solver and of the
checker on instances of the study. searches: the same, and the size, of proofs of whole searches.
"""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from attacks import tree_forgeries  # noqa: E402
from attacks.forgeries import (  # noqa: E402
    FOREIGN,
    FORGERIES,
    OPTIONS,
    OUTCOMES,
    SEVERAL,
    campaign,
    exact_costs,
    parts,
)
from bench_semidefinite import line, load  # noqa: E402
from small import random_problem  # noqa: E402

import gmtoolbox as gm  # noqa: E402
from gmtoolbox.proofs import checker  # noqa: E402
from gmtoolbox.proofs.tree import write_proof  # noqa: E402
from gmtoolbox.proofs.verify import as_given, read_result, verify_record  # noqa: E402

INSTANCES = {  # file: options of aj
    "car/car1": OPTIONS[0], "motor/motor1": OPTIONS[0], "opengm/opengm1": OPTIONS[0],
    "house-dense/house-dense1": OPTIONS[0], "hotel/hotel1": OPTIONS[0],
    "caltech-large/caltech-large6": OPTIONS[0], "worms-like/worms-like1": OPTIONS[0],
    "qaplib/had12": OPTIONS[1], "qaplib/nug20": OPTIONS[1],
    "caltech-small/caltech-small11": OPTIONS[2],
}  # fmt: skip
KINDS = ("linear root", "semidefinite root", "stages")


def forged(n):
    """Print the outcomes of the campaign."""
    print_outcomes(campaign(n, n_cases=200)[0], (*FORGERIES, SEVERAL, FOREIGN))


def trees(n, first=0):
    """Print the outcomes of the campaign with trees, in batches of 1000 with 25 problems each;
    first: number of the first batch.
    """
    counts = Counter()
    for batch in range(first, first + n // 1000):
        counts += tree_forgeries.campaign(1000, seed=1000 * batch, n_cases=25)[0]
    print_outcomes(counts, ("unchanged", *tree_forgeries.TREE_FORGERIES, SEVERAL))


def print_outcomes(counts, names):
    """Print how many forgeries of each name had each outcome."""
    print("| forgery | refused | valid, weak bound | accepted |\n|---|---:|---:|---:|")
    for name in names:
        print(f"| {name} | " + " | ".join(str(counts[name, o]) for o in OUTCOMES) + " |")
    sums = [sum(x for (_, o), x in counts.items() if o == outcome) for outcome in OUTCOMES]
    print(f"| all {sum(sums)} | " + " | ".join(map(str, sums)) + " |")


def searches(*names):
    """Print subproblems, size and CPU seconds of the proofs of whole searches."""
    headings = ("instance", "n", "value", "leaves", "branches", "children above", "semidefinite",
                "MB", "write, s", "verify, s")  # fmt: skip
    print(line(headings) + "\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in names:
        problem, _ = load(Path(os.environ["GMTOOLBOX_DATA"]), name)
        r = gm.gm_solve(problem, "aj")
        with tempfile.TemporaryDirectory() as folder:
            path, began = Path(folder) / "x", time.process_time()
            write_proof(problem, r, path)
            written = time.process_time()
            done = verify_record(problem, read_result(path), path)
            checked = time.process_time()
            kinds, size = count_objects(path), path.stat().st_size
        if not done.proven:
            raise SystemExit(f"{name}: the proof proves {done.bound} of {r.value}")
        counts = (str(kinds[kind]) for kind in ("leaf", "branch", "above", "variable"))
        cells = [name, str(problem.shape[0]), f"{r.value:.10g}", *counts, f"{size / 1e6:.1f}"]
        seconds = written - began, checked - written
        print(line([*cells, *(f"{x:.1f}" for x in seconds)]), flush=True)


def count_objects(path):
    """Return how many objects of a proof are of each kind; 'variable': with a matrix."""
    kinds = Counter()
    with open(path, encoding="utf-8") as file:
        next(file)
        for text in file:
            found = json.loads(text)
            kinds[next(k for k in ("leaf", "branch", "above") if k in found)] += 1
            kinds["variable"] += '"variable"' in text
    return kinds


def honest(n):
    """Print how many honest certificates of n random problems are checked, and prove the value."""
    counts = Counter()
    for seed in range(n):
        rng = np.random.default_rng(seed)
        problem = random_problem(
            rng, *(int(n) for n in rng.integers(1, 6, 2)), density=rng.choice([0.5, 0.8, 1.0]),
            edges=rng.choice([0.0, 0.3, 0.9]), signs=("any", "positive", "nonpositive")[seed % 3],
            complete=seed % 2 == 0, integer=seed % 5 == 0, sense=("min", "max")[seed // 2 % 2],
            scale=10.0 ** rng.choice([-200, -9, 0, 0, 0, 9, 150]),
            offset=float(rng.choice([0.0, -3.5, 1e12])),
        )  # fmt: skip
        optimum = min(exact_costs(problem).values())
        for kind, options in zip(KINDS, OPTIONS, strict=True):
            r = gm.gm_solve(problem, "aj", certify=True, branch=False, **options)
            check_honest(counts, kind, problem, optimum, r)
    print("| certificate | checked | refused | above the optimum | claimed optimal | proven |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind in KINDS:
        numbers = (counts[kind, what] for what in ("all", "refused", "above", "optimal", "proven"))
        print(f"| {kind} | " + " | ".join(map(str, numbers)) + " |")


def check_honest(counts, kind, problem, optimum, r):
    """Count the verdicts of the checker on a result."""
    certificate = r.extra["certificate"]
    if kind == "stages" and "stages" not in certificate:
        return
    counts[kind, "all"] += 1
    counts[kind, "optimal"] += r.status == "optimal"
    try:
        verdict = checker.check(as_given(problem), r.labels, r.value, r.bound, certificate)
    except checker.Refused:
        counts[kind, "refused"] += 1
        return
    sign = 1 if problem.sense == "min" else -1
    counts[kind, "above"] += sign * verdict.bound - Fraction(problem.offset) > optimum
    counts[kind, "proven"] += verdict.is_proven


def times():
    """Print CPU seconds of solver and checker, and how much better a matching could be."""
    print("| instance | certificate | numbers | aj, s | verify, s | value | better by at most |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for name, options in INSTANCES.items():
        problem = gm.load(next(Path(os.environ["GMTOOLBOX_DATA"]).glob(f"{name}.dd*")))
        started = time.process_time()
        r = gm.gm_solve(problem, "aj", time_limit=600, certify=True, branch=False, **options)
        solved = time.process_time()
        certificate = r.extra["certificate"]
        verdict = checker.check(as_given(problem), r.labels, r.value, r.bound, certificate)
        checked = time.process_time()
        kind = KINDS[OPTIONS.index(options)]
        fields = (x for part in parts(certificate) for x in part.values())
        size = sum(x.size for x in fields if isinstance(x, np.ndarray))
        own, seconds = solved - started, checked - solved
        print(
            f"| {problem.name} | {kind} | {size} | {own:.2f} | {seconds:.2f} |"
            f" {r.value:.10g} | {float(verdict.gap):.2g} |"
        )


def main(what, *n):
    if what in ("times", "searches"):
        {"times": times, "searches": searches}[what](*n)
    else:
        {"forged": forged, "trees": trees, "honest": honest}[what](*map(int, n))


if __name__ == "__main__":
    main(*sys.argv[1:])
