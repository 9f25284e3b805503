"""Semidefinite roots of all QAPLIB instances at hand with at most 36 nodes.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_roots.py solve FILE
    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_roots.py table FILE

solve runs the root of every instance in the data's qaplib folders, without deletions and branching,
until it has converged or --limit CPU seconds are over, smaller instances first, and adds a line of
JSON to FILE after each; those that FILE has are left out. table prints FILE in the order of names.
"""

import argparse
import json
import os
import re
from pathlib import Path

from bench_semidefinite import check, cpu_limited, line, load

LARGEST = 36  # nodes
HEADINGS = ("instance", "n", "best known", "root", "gap", "CPU", "state")


def list_instances(data):
    """Return (n, name) of the instances, the smallest first."""
    names = {
        file.name.split(".")[0] for file in data.glob("qaplib*/*.d*") if file.suffix != ".json"
    }
    sizes = ((int(re.search(r"\d+", name)[0]), name) for name in names)
    return sorted(pair for pair in sizes if pair[0] <= LARGEST)


def read_rows(file):
    """Return {name: row} of the file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {row["name"]: row for row in map(json.loads, lines)}


def solve(data, file, limit):
    """Add the roots that the file does not have."""
    for n, name in list_instances(data):
        if name in read_rows(file):
            continue
        problem, known = load(data, name)
        r, seconds = cpu_limited(problem, limit, branch=False, sdp="at once", fix=False)
        check(name, r, known)
        row = {"name": name, "n": n, "known": known, "bound": r.bound, "cpu": seconds}
        with open(file, "a") as to:
            to.write(json.dumps({**row, "is_cut": r.status == "interrupted"}) + "\n")


def cells_of(row):
    """Return the cells of a row of the table."""
    known, bound = row["known"], row["bound"]
    gap = 0.0 if known == bound else 100 * (known - bound) / max(abs(known), 1e-300)
    return [
        row["name"], str(row["n"]), f"{known:.10g}", f"{bound:.10g}",
        "0" if gap <= 0 else f"{gap:.2f} %" if gap >= 0.01 else "< 0.01 %",
        f"{row['cpu']:.1f} s", "cut" if row["is_cut"] else "converged",
    ]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("solve", "table"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds of an instance")
    given = parser.parse_args()
    if given.what == "solve":
        return solve(Path(os.environ["GMTOOLBOX_DATA"]), given.file, given.limit)
    print(line(HEADINGS))
    print(line(["---"] * len(HEADINGS)))
    by_name = re.compile(r"([a-z]+)(\d+)(.*)")
    rows = read_rows(given.file).values()
    for row in sorted(rows, key=lambda row: (by_name.match(row["name"])[1], row["n"], row["name"])):
        print(line(cells_of(row)))


if __name__ == "__main__":
    main()
