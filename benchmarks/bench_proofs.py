"""Long proofs of aj on QAPLIB: roots, estimates of whole proofs, and proofs that processes share.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_proofs.py roots NAME ...

The folder of the data has folders of instances, with the best known values in their best.json.

prove     whole proofs with checkpoints in --folder: a later call goes on, and CPU seconds add up;
          the time left is that of the live line
roots     bound and CPU seconds of the semidefinite root, until it has converged, without deletions
estimate  CPU time and subproblems of a whole proof by Knuth's random probes: each goes down one
          path of the tree, on which every subproblem keeps one child, drawn by weight; whatever
          costs c there costs c / probability in the tree
progress  the time left, as the live line shows it, divided by the real one, in CPU seconds, when
          parts of the tree are closed
share     CPU seconds of processes that share a folder. The path is the time that they would need
          if all busy ones had equal processors: CPU seconds between two changes of the number of
          busy processes, divided by that number, in all. The part alone is that with one busy
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from copy import copy
from pathlib import Path

import numpy as np
from bench_semidefinite import check, cpu_limited, line, load

import gmtoolbox as gm
from gmtoolbox.solvers import _checkpoint

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from aj_pieces import State, first_with_root, run_piece  # noqa: E402


def root(data, name, given):
    """A row of the table of roots."""
    problem, known = load(data, name)
    r, seconds = cpu_limited(problem, given.limit, branch=False, sdp="at once", fix=False)
    check(name, r, known)
    gap = "0" if known == r.bound else f"{100 * (known - r.bound) / known:.2f} %"
    cells = [name, str(problem.shape[0]), f"{known:.10g}", f"{r.bound:.10g}", gap]
    return [*cells, f"{seconds:.1f} s" + ("" if r.status != "interrupted" else ", cut")]


def prove(data, name, given):
    """A row of the table of long proofs."""
    problem, known = load(data, name)
    given.folder.mkdir(exist_ok=True)
    path, spent = given.folder / f"{name}.ck", given.folder / f"{name}.cpu"
    before = float(spent.read_text()) if spent.exists() else 0.0
    options = {"checkpoint": str(path), "n_jobs": given.threads}
    r, seconds = cpu_limited(problem, given.limit, **options)
    check(name, r, known)
    spent.write_text(str(before + seconds))
    at_root = {"closed": 0.0, "n_iter": r.n_iter}  # nothing is kept before the root is complete
    total, progress = before + seconds, r.extra.get("checkpoint", at_root)
    closed, memory = progress["closed"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    left = f"{total / 3600 * (1 - closed) / closed:.2g} h" if closed > 0 else ""
    gap = f"{100 * r.gap:.2f} %, {100 * closed:.0f} % closed"
    return [
        name, str(problem.shape[0]), f"{known:.10g}", f"{r.value:.10g}", f"{r.bound:.10g}",
        "proven" if r.status == "optimal" else gap, str(progress["n_iter"]), f"{total:.0f} s",
        str(given.threads), f"{memory:.1f} GB", "" if r.status == "optimal" else left,
    ]  # fmt: skip


class Probe:
    """One path of the tree: CPU seconds and subproblems by depth, divided by their probability."""

    def __init__(self):
        self.seconds, self.nodes, self.began, self.last = 0.0, Counter(), time.process_time(), None

    def look(self, run):
        """Count the time since the last look for the subproblem that was open then."""
        state, now = State(run), time.process_time()
        if self.last is not None:
            self.seconds += (now - self.began) / self.last[1]
        self.began = now
        if len(state.parts) == 1:
            here = len(state.parts[0]), state.weight[0]
            if self.last is None or here[0] != self.last[0]:
                self.nodes[here[0]] += 1 / here[1]
            self.last = here


def only(state, k, chance):
    """A copy of the State of a root with one of its children, which is drawn with this chance."""
    one = copy(state)
    pairs = np.array(state.parts[k], np.int32)
    one.start, one.weight = np.array([0, len(pairs)]), np.array([chance])
    one.node, one.label, one.lower = pairs[:, 0].copy(), pairs[:, 1].copy(), state.lower[[k]]
    return one


def estimate(data, name, given):
    """A row of the table of estimates."""
    problem, known = load(data, name)
    began = time.process_time()
    root = first_with_root(problem)
    at_root = time.process_time() - began
    rng, probes = np.random.default_rng(given.seed), []
    chances = root.weight / root.weight.sum()
    while len(probes) < given.probes and time.process_time() - began < given.limit:
        k, probe = rng.choice(len(chances), p=chances), Probe()
        one, seed = only(root, k, chances[k]), int(rng.integers(1, 2**62))
        run_piece(problem, 10**9, one, slices=1, between=probe.look, probe=seed)
        probes.append(probe)
        print(f"{name}: {(at_root + probe.seconds) / 3600:.3g} h", file=sys.stderr, flush=True)
    hours = [(at_root + probe.seconds) / 3600 for probe in probes]
    nodes = sum((probe.nodes for probe in probes), Counter())
    sizes = ", ".join(f"{d}: {nodes[d] / len(probes):.3g}" for d in sorted(nodes))
    return [
        name, str(problem.shape[0]), f"{known:.10g}", f"{root.value:.10g}", f"{root.bound:.10g}",
        f"{at_root:.0f} s", str(len(probes)), f"{np.mean(hours):.2g} h",
        f"{min(hours):.2g} .. {max(hours):.2g} h", sizes,
    ]  # fmt: skip


PARTS = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)


def progress(data, name, given):
    """A row of the table of the time left."""
    problem, known = load(data, name)
    seen, at_root, describe = [], [0.0], _checkpoint.describe

    def noted(state):
        spent = time.process_time() - began
        seen.append((spent, state["closed"]))
        if state["closed"] == 0.0 and state["open"] == 1:
            at_root[0] = spent
        return describe(state)

    _checkpoint.describe = noted
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        r = gm.gm_solve(problem, "aj", checkpoint=f"{folder}/x.ck")
    total = time.process_time() - began
    _checkpoint.describe = describe
    check(name, r, known)
    cells = []
    for part in PARTS:
        spent, closed = next(at for at in [*seen, (total, 1.0)] if at[1] >= part)
        left = (spent - at_root[0]) * (1 - closed) / closed
        cells.append(f"{left / (total - spent):.2f}" if spent < total and closed < 1 else "-")
    return [name, f"{total:.0f} s", *cells]


MEMBER = """
import json, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from bench_semidefinite import load
import gmtoolbox as gm
from gmtoolbox.solvers import _sharing
marks, sleep, take = [], time.sleep, _sharing.Piece.take
def mark(busy):
    marks.append((time.monotonic(), time.process_time() - begun, busy))
def wait(seconds):
    mark(0)
    sleep(seconds)
    mark(1)
def take_marked(piece, run):
    take(piece, run)
    mark(1)
_sharing.time.sleep, _sharing.Piece.take = wait, take_marked
problem, _ = load(Path(sys.argv[2]), sys.argv[3])
begun = time.process_time()
mark(1)
r = gm.gm_solve(problem, "aj", checkpoint=sys.argv[4])
mark(0)
progress = r.extra["checkpoint"]
print(json.dumps([[r.value, r.bound, r.status], marks, progress["pieces"], progress["n_iter"]]))
"""


def equal_path(members):
    """Return (time with equal processors, time with one busy process) of marks of processes: time,
    CPU seconds so far, and whether it is busy from then on.
    """
    times = np.unique(np.concatenate([[mark[0] for mark in marks] for marks in members]))
    spent, busy = np.zeros(len(times) - 1), np.zeros(len(times) - 1)
    for marks in members:
        at, cpu, is_busy = map(np.array, zip(*marks, strict=True))
        spent += np.diff(np.interp(times, at, cpu))
        k = np.searchsorted(at, times[:-1], "right") - 1
        busy += np.where(k >= 0, is_busy[k], 0)
    per_process = spent / np.maximum(busy, 1)
    return per_process.sum(), per_process[busy <= 1].sum()


def share(data, name, given):
    """A row of the table of shared proofs."""
    whole, alone = cpu_limited(load(data, name)[0], 1e6)
    with tempfile.TemporaryDirectory() as folder:
        here = str(Path(__file__).parent)
        command = [sys.executable, "-c", MEMBER, here, str(data), name, f"{folder}/f/"]
        members = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            for _ in range(given.processes)
        ]
        said = [member.communicate(timeout=100 * given.limit)[0] for member in members]
    answers = [json.loads(text) for text in said]
    for answer in answers:
        if answer[0] != [whole.value, whole.bound, whole.status]:
            raise SystemExit(f"{name}: {answer[0]} is not the answer of one process")
    members = [answer[1] for answer in answers]
    each, (path, single) = [marks[-1][1] for marks in members], equal_path(members)
    pieces, units = answers[0][2:]
    return [
        name, f"{alone:.1f} s, {whole.n_iter}", " + ".join(f"{cpu:.1f}" for cpu in each) + " s",
        str(units), str(pieces), f"{single:.1f} s", f"{path:.1f} s", f"{alone / path:.2f}",
    ]  # fmt: skip


TABLES = {
    "prove": (
        prove,
        ("instance", "n", "best known", "value", "bound", "state", "units", "CPU", "threads",
         "memory", "time left"),
    ),
    "roots": (root, ("instance", "n", "best known", "root", "gap", "CPU")),
    "estimate": (
        estimate,
        ("instance", "n", "best known", "value", "bound", "root", "probes", "estimate",
         "single probes", "subproblems by depth"),
    ),
    "progress": (progress, ("instance", "CPU", *(f"{100 * part:g} %" for part in PARTS))),
    "share": (
        share,
        ("instance", "one process, units", "CPU of each", "units", "pieces", "one busy", "path",
         "gain"),
    ),
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--limit", type=float, default=300.0, help="CPU seconds of an instance")
    parser.add_argument("--probes", type=int, default=10, help="at most, of an instance")
    parser.add_argument("--processes", type=int, default=2, help="that share a proof")
    parser.add_argument("--threads", type=int, default=1, help="of a proof")
    parser.add_argument("--folder", type=Path, default=Path("proofs"), help="of checkpoints")
    parser.add_argument("--seed", type=int, default=0, help="of the probes")
    given = parser.parse_args()
    data = Path(os.environ["GMTOOLBOX_DATA"])
    row, headings = TABLES[given.table]
    print(line(headings))
    print(line(["---"] * len(headings)))
    for name in given.names:
        print(line(row(data, name, given)), flush=True)
    print(f"\nMemory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB at most.")


if __name__ == "__main__":
    main()
