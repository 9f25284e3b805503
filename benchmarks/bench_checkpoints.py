"""Values and bounds at the study's checkpoints, ours next to the published ones of the same method.

    export GMTOOLBOX_DATA=...
    python benchmarks/bench_checkpoints.py --methods mp mp-mcf --seconds 100 --rows rows.jsonl
    python benchmarks/bench_checkpoints.py --methods mp mp-mcf --rows rows.jsonl --report

One run of each method on each instance, read off at 1, 10, 100 and 300 s. Values fall and bounds
rise, so an answer that is as good as the published one of a later checkpoint already need not be
run on: a run longer than 10 s is made only where 10 s are not enough for that (--full: always).
Rows already in the file are not measured again.

The table: worse = value worse than published (1e-5), looser = bound looser by 0.1 %, best = best
known value reached (1e-5), proven = gap at most 1e-4; E and D are averages of value and bound.
Seconds are CPU seconds, so that a busy machine does not decide: the limit counts them, and the
stamps of the trace are scaled by the share of the CPU that the run got.
"""

import argparse
import json
import math
import time
from pathlib import Path

import study

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget

CHECKPOINTS = (1, 10, 100, 300)
METHODS = ["fw", "hbp", "mp", "mp-mcf", "mp-fw", "dd-ls0", "dd-ls3", "dd-ls4"]


def no_worse(value, theirs, best):
    """Whether a value is as good as theirs, within 1e-5 of the best known."""
    return value <= theirs + 1e-5 * abs(best)


def no_looser(bound, theirs):
    """Whether a bound is as good as theirs, within 0.1 %."""
    return math.isinf(theirs) or bound >= theirs - 1e-3 * abs(theirs)


def proven(value, bound):
    """Whether the gap is closed as the study counts it."""
    return math.isfinite(value) and math.isfinite(bound) and abs(value - bound) <= 1e-4 * abs(value)


def count_cpu_time():
    """Budgets count CPU seconds from now on."""

    def elapsed(self):
        self.cpu_started = getattr(self, "cpu_started", None) or time.process_time()
        return time.process_time() - self.cpu_started

    Budget.elapsed = elapsed


def run(problem, method, seconds):
    """(result, its trace in CPU seconds)"""
    cpu, wall = time.process_time(), time.perf_counter()
    result = gm.gm_solve(problem, method, time_limit=seconds)
    share = (time.process_time() - cpu) / (time.perf_counter() - wall)
    trace = result.trace.copy()
    trace["time"] *= min(share, 1.0)
    return result, trace


def at(trace, seconds):
    """Return (value, bound) of an anytime run after a number of seconds."""
    before = trace[trace["time"] <= seconds]
    if not len(before):
        return math.inf, -math.inf
    return float(before["value"][-1]), float(before["bound"][-1])


def measure(name, method, seconds, published, full):
    """Checkpoint -> (value, bound), up to `seconds`."""
    problem, best = study.instance(name)
    reached = [checkpoint for checkpoint in CHECKPOINTS if checkpoint <= seconds]
    theirs = published[reached[-1]][study.dataset_of(name)][name][method]
    for limit in sorted({min(10, seconds), seconds}) if not full else [seconds]:
        result, trace = run(problem, method, limit)
        value, bound = at(trace, limit)
        ended = result.status != "time_limit" or proven(value, bound)
        as_good = no_worse(value, theirs["value"], best) and no_looser(bound, theirs["bound"])
        as_sure = proven(value, bound) or not proven(theirs["value"], theirs["bound"])
        if ended or (as_good and as_sure):
            break
    return {checkpoint: at(trace, checkpoint) for checkpoint in reached}, best, limit, result.status


def row(published, checkpoint, dataset, method, measured):
    """One line of the table from the measured (name, value, bound, best)."""
    n = len(measured)
    counts = dict.fromkeys(
        ("worse", "looser", "best", "best published", "proven", "proven published"), 0
    )
    sums = dict.fromkeys(("E", "E published", "D", "D published"), 0.0)
    names = {"worse": [], "looser": []}
    for name, value, bound, best in measured:
        theirs = published[checkpoint][dataset][name][method]
        if not no_worse(value, theirs["value"], best):
            names["worse"].append(name)
        if not no_looser(bound, theirs["bound"]):
            names["looser"].append(name)
        counts["best"] += no_worse(value, best, best)
        counts["best published"] += no_worse(theirs["value"], best, best)
        counts["proven"] += proven(value, bound)
        counts["proven published"] += proven(theirs["value"], theirs["bound"])
        for key, number in zip(sums, (value, theirs["value"], bound, theirs["bound"]), strict=True):
            sums[key] += number / n
    counts |= {key: len(found) for key, found in names.items()}
    return {"s": checkpoint, "method": method, "dataset": dataset, "n": n, **sums, **counts}, names


def text(value):
    """A cell of the table."""
    if isinstance(value, str | int):
        return str(value)
    return f"{value:.6g}" if math.isfinite(value) else "-"


def report(rows, published, methods, datasets, checkpoints):
    """Print the tables of all measured rows, and the rows that were worse."""
    header, missed = None, []
    for checkpoint in checkpoints:
        for method in methods:
            for dataset in datasets:
                measured = [
                    (name, *rows[method, name]["at"][str(checkpoint)], rows[method, name]["best"])
                    for name in study.instance_names(dataset)
                    if str(checkpoint) in rows.get((method, name), {}).get("at", {})
                ]
                if not measured:
                    continue
                line, names = row(published, checkpoint, dataset, method, measured)
                if header is None:
                    header = list(line)
                    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
                print("| " + " | ".join(map(text, line.values())) + " |", flush=True)
                missed += [
                    f"{checkpoint} s {method} {kind}: {', '.join(found)}"
                    for kind, found in names.items()
                    if found
                ]
    print("\n" + "\n".join(missed or ["no value worse, no bound looser"]))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--datasets", nargs="+", default=study.DATASETS, choices=study.DATASETS)
    parser.add_argument("--instances", nargs="+", help="these instances only")
    parser.add_argument("--seconds", type=int, default=10, choices=CHECKPOINTS)
    parser.add_argument(
        "--rows", type=Path, required=True, help="file of measured rows, one JSON object a line"
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="use all the time, ahead of the published results or not",
    )
    parser.add_argument(
        "--report", action="store_true", help="print the tables of the rows at hand"
    )
    arguments = parser.parse_args()
    published = study.published()
    lines = arguments.rows.read_text("utf-8").splitlines() if arguments.rows.exists() else []
    rows = {(line["method"], line["instance"]): line for line in map(json.loads, lines)}
    if arguments.report:
        return report(rows, published, arguments.methods, arguments.datasets, CHECKPOINTS)
    count_cpu_time()
    for method in arguments.methods:
        for name in arguments.instances or [
            name for dataset in arguments.datasets for name in study.instance_names(dataset)
        ]:
            if str(arguments.seconds) in rows.get((method, name), {}).get("at", {}):
                continue
            reached, best, limit, status = measure(
                name, method, arguments.seconds, published, arguments.full
            )
            line = {
                "method": method,
                "instance": name,
                "best": best,
                "limit": limit,
                "status": status,
                "at": reached,
            }
            with arguments.rows.open("a") as file:
                file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
