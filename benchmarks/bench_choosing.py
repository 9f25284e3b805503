"""Every method on a few kinds of problem: how close to the best, in what time.

    python benchmarks/bench_choosing.py [--write]

--write puts the figures into gmtoolbox/engine/measured.json, from which gm_methods(problem) gives
its advice, and as a table into docs/results/choosing.md. Times are CPU seconds of one run within a
limit of LIMIT wall seconds.
"""

import argparse
import json
import time
from datetime import date
from pathlib import Path

import keep

import gmtoolbox as gm

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 1.0
KINDS = {
    "car, 20 nodes": lambda: gm.synth.car(seed=1, size=20),
    "house-dense, 30 nodes": lambda: gm.synth.house_dense(seed=1),
    "worms, 60 nodes": lambda: gm.synth.worms(seed=1, size=60),
    "flow, 50 nodes": lambda: gm.synth.flow(seed=1, size=50),
}


def measure(name, problem):
    """Gap to the best, seconds and proof of every method on a problem."""
    found = {}
    for method in gm.gm_methods():
        begin = time.process_time()
        result = gm.gm_solve(problem, method.name, time_limit=LIMIT)
        seconds = time.process_time() - begin
        found[method.name] = (problem.signed(result.value), seconds, result.status == "optimal")
    best = min(cost for cost, _, _ in found.values())
    scale = max(abs(best), 1e-12)
    return {
        "kind": name,
        "complete": problem.complete,
        "n_edges": problem.n_edges,
        "methods": {
            method: {"gap": (cost - best) / scale, "seconds": round(seconds, 4), "proven": proven}
            for method, (cost, seconds, proven) in found.items()
        },
    }


def table(records):
    """The records as a table of Markdown."""
    lines = [
        "| method | " + " | ".join(record["kind"] for record in records) + " |",
        "|---" * (1 + len(records)) + "|",
    ]
    for method in sorted(records[0]["methods"]):
        cells = []
        for record in records:
            one = record["methods"][method]
            proof = ", proven" if one["proven"] else ""
            gap = float(f"{100 * one['gap']:.2g}")
            cells.append(f"{gap:g} %, {one['seconds']:.2g} s{proof}")
        lines.append(f"| {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    gm.gm_solve(gm.synth.car(seed=0, size=4), "ilp")  # imports
    records = [measure(name, make()) for name, make in KINDS.items()]
    print(table(records))
    if given.write:
        target = ROOT / "gmtoolbox" / "engine" / "measured.json"
        target.write_text(json.dumps(records, indent=1) + "\n")
        page = ROOT / "docs" / "results" / "choosing.md"
        command, day = "benchmarks/bench_choosing.py", date.today().isoformat()
        page.write_text(keep.kept(page.read_text(), command, table(records), day))


if __name__ == "__main__":
    main()
