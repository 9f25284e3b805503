"""Proofs of aj on QAPLIB and on caltech-small11.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_semidefinite.py
    [--roots | --open] [NAME ...]

CPU seconds of this process, one thread, to the proof, or the gap at the limit. --roots prints the
bounds of the linear and the semidefinite root instead, --open the remaining gaps of instances that
are too hard for a few minutes.
"""

import argparse
import json
import os
import signal
import time
from pathlib import Path

import gmtoolbox as gm

# instance: CPU limit in seconds
PROOFS = {
    "chr12a": 10, "chr12c": 10, "had12": 10,
    "scr12": 10, "tai12b": 10, "nug14": 10,
    "chr15b": 10, "rou15": 10, "tai15b": 10,
    "esc16b": 10, "esc16c": 60, "esc16d": 60,
    "had16": 10, "nug16a": 10, "nug17": 120,
    "chr18a": 30, "chr18b": 30, "had18": 30,
    "els19": 30, "chr20b": 30, "lipa20a": 30,
    "nug20": 120, "scr20": 30, "chr22a": 30,
    "chr25a": 30, "esc32e": 30, "esc32g": 30,
    "caltech-small11": 60,
}  # fmt: skip
# instance: CPU limit in seconds
ROOTS = {
    "nug14": 30, "rou15": 30, "esc16b": 30, "had16": 30,
    "nug16a": 30, "nug17": 30, "had18": 30, "nug20": 30,
    "scr20": 30, "tai20a": 30,
}  # fmt: skip
# instance: CPU limit in seconds
OPEN = {"nug21": 300, "bur26a": 300, "kra30a": 300, "nug24": 600, "nug25": 600}


def load(data, name):
    """The instance and its best known value."""
    file = next(data.glob(f"*/{name}.d*"))
    if file.suffix == ".dat":
        known = file.parent / "best.json"
        best = json.loads(known.read_text("utf-8")).get(name) if known.exists() else None
        return gm.load(file), best.get("value") if isinstance(best, dict) else best
    meta = json.loads((file.parent / f"{name}.json").read_text("utf-8"))
    return gm.load(file, complete=bool(meta.get("complete"))), meta.get("optimum")


def cpu_limited(problem, limit, **options):
    """(result, CPU seconds): interrupted after `limit` CPU seconds, however busy the machine is."""
    signal.signal(signal.SIGPROF, lambda number, frame: signal.raise_signal(signal.SIGINT))
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, limit)
    result = gm.gm_solve(problem, "aj", **options)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return result, time.process_time() - started


def check(name, result, known):
    """End the script if a bound is above the best known value."""
    if known is not None and result.bound > known + 1e-6 * abs(known):
        raise SystemExit(f"{name}: bound {result.bound} above the best known value {known}")


def proof(data, name, limit):
    """A row of the table of proofs."""
    problem, known = load(data, name)
    result, seconds = cpu_limited(problem, limit)
    check(name, result, known)
    gap = f"gap {100 * result.gap:.2f} % ({result.status})"
    answer = f"{seconds:.1f} s" if result.status == "optimal" else gap
    best = "" if known is None else f"{known:.10g}"
    cells = [name, str(problem.shape[0]), best, f"{result.value:.10g}", f"{result.bound:.10g}"]
    return [*cells, answer, f"{limit} s"]


def rest(data, name, limit):
    """The remaining gap of a hard instance after `limit`."""
    problem, known = load(data, name)
    result, seconds = cpu_limited(problem, limit)
    check(name, result, known)
    cells = [name, str(problem.shape[0]), f"{known:.10g}", f"{result.value:.10g}"]
    gap = "proven" if result.status == "optimal" else f"{100 * result.gap:.2f} %"
    return [*cells, f"{result.bound:.10g}", gap, f"{seconds:.0f} s"]


def root(data, name, limit):
    """A row of the table of roots."""
    problem, known = load(data, name)
    linear, linear_seconds = cpu_limited(problem, min(limit, 3), sdp="off", branch=False)
    whole, seconds = cpu_limited(problem, limit, branch=False, sdp="at once", fix=False)
    check(name, whole, known)
    return [
        name,
        f"{known:.10g}",
        f"{linear.bound:.10g} ({linear_seconds:.1f} s)",
        f"{whole.bound:.10g} ({seconds:.1f} s)",
    ]


PROOF_HEADINGS = ("instance", "n", "best known", "value", "bound", "proven after", "limit")
ROOT_HEADINGS = ("instance", "best known", "linear root", "semidefinite root")

OPEN_HEADINGS = ("instance", "n", "best known", "value", "bound", "gap", "after")


def line(cells):
    """A line of Markdown."""
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, help="CPU seconds, instead of each instance's own")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--roots", action="store_true", help="the bounds of the roots")
    kind.add_argument("--open", action="store_true", help="the gaps of instances that stay open")
    given = parser.parse_args()
    data = Path(os.environ["GMTOOLBOX_DATA"])
    if given.roots:
        headings, row, table, others = ROOT_HEADINGS, root, ROOTS, 30
    elif given.open:
        headings, row, table, others = OPEN_HEADINGS, rest, OPEN, 300
    else:
        headings, row, table, others = PROOF_HEADINGS, proof, PROOFS, 30
    print(line(headings))
    print(line(["---"] * len(headings)))
    for name in given.names or (name for name in table if any(data.glob(f"*/{name}.d*"))):
        limit = given.limit or table.get(name, others)
        print(line(row(data, name, limit)), flush=True)


if __name__ == "__main__":
    main()
