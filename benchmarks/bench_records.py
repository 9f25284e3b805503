"""Lower bounds of large QAPs by the semidefinite root of aj, with certificates that are checked.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_records.py solve FOLDER N
    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_records.py table FOLDER

solve runs each instance until its bound has converged (or --limit wall seconds) in a process of its
own and keeps NAME.json, the result with its certificate as `gmtoolbox solve --json` writes it, and
NAME.cost, CPU seconds and memory. table checks every certificate with `gmtoolbox verify`'s code and
prints the bound that it proves next to the best one that was published.
"""

import argparse
import hashlib
import json
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import gmtoolbox as gm
from gmtoolbox.proofs.verify import read_result, verify_record

# best published lower bounds (QAPLIB, 2024-05)
PUBLISHED = {
    "tai35a": 2216627, "tai40a": 2843274, "tho40": 226490, "sko49": 22650, "wil50": 48121,
    "tai50a": 4390920,
}  # fmt: skip
OPTIONS = ["certify=true", "branch=false", "fix=false", "sdp=at once"]
HEADINGS = (
    "instance", "best known", "published bound", "bound", "proven by the certificate", "CPU",
    "memory", "verify", "MB", "sha256",
)  # fmt: skip


def instance(name):
    """The file of an instance."""
    return next(Path(os.environ["GMTOOLBOX_DATA"]).glob(f"*/{name}.dat"))


def solve(folder, name, limit):
    """Keep the result of an instance, its CPU seconds and its memory."""
    command = [sys.executable, "-m", "gmtoolbox", "solve", str(instance(name)), "-m", "aj"]
    command += ["--json", "--set", *OPTIONS]
    if limit is not None:
        command += ["--time-limit", str(limit)]
    with open(folder / f"{name}.json", "w") as file:
        subprocess.run(command, stdout=file, check=True, timeout=limit and limit + 600)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = {"cpu": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024}
    (folder / f"{name}.cost").write_text(json.dumps(cost))


def row(file):
    """A row of the table."""
    name, cost = file.stem, json.loads(file.with_suffix(".cost").read_text("utf-8"))
    record, problem = read_result(file), gm.load(instance(name))
    best = json.loads((instance(name).parent / "best.json").read_text("utf-8"))[name]
    started = time.process_time()
    done = verify_record(problem, record)
    seconds = time.process_time() - started
    proven = math.floor(done.bound)
    cells = [name, best, PUBLISHED.get(name, ""), math.floor(record["bound"]), proven]
    cells += [f"{cost['cpu']:.0f} s", f"{cost['megabytes'] / 1000:.1f} GB", f"{seconds:.0f} s"]
    checksum = hashlib.sha256(file.read_bytes()).hexdigest()
    return [*map(str, cells), f"{file.stat().st_size / 1e6:.0f}", checksum]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("solve", "table"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, help="wall seconds of a run")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    if given.what == "solve":
        for name in given.names:
            solve(given.folder, name, given.limit)
        return
    print("| " + " | ".join(HEADINGS) + " |")
    print("| " + " | ".join(["---"] * len(HEADINGS)) + " |")
    for file in sorted(given.folder.glob("*.json")):
        print("| " + " | ".join(row(file)) + " |", flush=True)


if __name__ == "__main__":
    main()
