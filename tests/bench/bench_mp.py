"""Bound quality of fw, hbp, mp, mp-mcf, mp-fw against the study's published results.

    GMTOOLBOX_DATA=... python tests/bench/bench_mp.py --seconds 1 --methods mp mp-mcf --datasets car motor

For each method and dataset: average value E and bound D, ours and published at the same checkpoint, and how many
instances are worse in value (1e-5 relative), looser in bound (0.1 %), at the best known value, proven (1e-4).
Seconds are CPU seconds of this process, so that a shared machine does not decide. Also per instance with --each.
With --speed: seconds until the value that the reference programs reached, and theirs, best of three, and the median ratio.
"""

import argparse
import gzip
import json
import math
import os
import time
from pathlib import Path

import numpy as np

import gmtoolbox as gm
from gmtoolbox.budget import Budget

METHODS = ["fw", "hbp", "mp", "mp-mcf", "mp-fw"]
DATASETS = ["house-sparse", "house-dense", "hotel", "motor", "car", "caltech-small", "opengm", "caltech-large"]


# CPU seconds of the reference programs to their best value, and that value (one thread of a server CPU).
INSTANCES = ["motor1", "car1", "car5", "car14", "car19"]
REFERENCE = {
    "mp": [(0.084, -94.177), (0.0035, -34.877), (1.36, -65.82), (0.057, -97.772), (0.017, -115.107)],
    "mp-mcf": [(0.044, -94.177), (0.13, -34.877), (0.42, -64.36), (0.40, -97.963), (0.014, -115.107)],
    "mp-fw": [(0.319, -94.177), (0.004, -34.877), (0.065, -65.26), (0.65, -97.959), (0.14, -115.107)],
}


def speed(data, methods):
    for method in methods:
        ratios = []
        for name, (reference, value) in zip(INSTANCES, REFERENCE[method], strict=True):
            problem = gm.load(data / name.rstrip("0123456789") / f"{name}.dd.xz", complete=True)
            times = []
            for _ in range(3):
                trace = gm.gm_solve(problem, method, time_limit=2.0).trace
                reached = trace["time"][trace["value"] <= value + 1e-3]
                times.append(reached[0] if len(reached) else math.inf)
            ratios.append(min(times) / reference)
            print(f"{method} {name}: {min(times):.4f} s, reference {reference} s, ratio {ratios[-1]:.3f}")
        print(f"{method}: median ratio {np.median(ratios):.3f}", flush=True)


def count_cpu_time():
    """Budgets count CPU seconds from now on."""

    def elapsed(self):
        self.cpu_started = getattr(self, "cpu_started", None) or time.process_time()
        return time.process_time() - self.cpu_started

    Budget.elapsed = elapsed


def instances(data, dataset):
    for path in sorted((data / dataset).glob(f"{dataset}*.json"), key=lambda path: int(path.stem[len(dataset) :])):
        facts = json.loads(path.read_text())
        best = next(facts[key] for key in ("optimum", "best_published", "best_known") if facts.get(key) is not None)
        yield path.stem, gm.load(path.with_suffix(".dd.xz"), complete=facts["complete"]), best


def measure(data, published, method, dataset, seconds, every, each):
    rows = []
    for name, problem, best in list(instances(data, dataset))[::every]:
        r = gm.gm_solve(problem, method, time_limit=seconds)
        theirs = published[str(seconds)][dataset][name][method]
        rows.append((r.value, r.bound, theirs["value"], theirs["bound"], best))
        if each:
            print(f"  {method} {name}: {r.value:.6g} {r.bound:.6g}, published {rows[-1][2]:.6g} {rows[-1][3]:.6g}, best {best:.6g}")
    E, D, E0, D0, best = np.array(rows, dtype=float).T
    tolerance = 1e-5 * np.abs(best)
    return {
        "n": len(rows),
        "E": E.mean(),
        "E published": E0.mean(),
        "D": D.mean(),
        "D published": D0.mean(),
        "worse": int(np.sum(E > E0 + tolerance)),
        "looser": int(np.sum(D < D0 - 1e-3 * np.abs(D0))),
        "best": int(np.sum(E <= best + tolerance)),
        "best published": int(np.sum(E0 <= best + tolerance)),
        "proven": proven(E, D),
        "proven published": proven(E0, D0),
    }


def proven(E, D):
    return int(np.sum(np.isfinite(E) & (np.abs(E - D) <= 1e-4 * np.abs(E))))


def text(value):
    return str(value) if isinstance(value, int) else "-" if not math.isfinite(value) else f"{value:.6g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=1, choices=[1, 10, 100])
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--datasets", nargs="+", default=DATASETS, choices=DATASETS)
    parser.add_argument("--every", type=int, default=1, help="take every so many-th instance only")
    parser.add_argument("--each", action="store_true", help="print every instance")
    parser.add_argument("--speed", action="store_true", help="time to the reference programs' values instead")
    arguments = parser.parse_args()
    data = Path(os.environ["GMTOOLBOX_DATA"])
    if arguments.speed:
        return speed(data, [method for method in arguments.methods if method in REFERENCE])
    published = json.loads(gzip.decompress((data.parent / "published" / "results.json.gz").read_bytes()))["results"]["per_instance"]
    count_cpu_time()
    header = None
    for method in arguments.methods:
        for dataset in arguments.datasets:
            row = measure(data, published, method, dataset, arguments.seconds, arguments.every, arguments.each)
            if header is None:
                header = ["method", "dataset", *row]
                print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
            print(f"| {method} | {dataset} | " + " | ".join(map(text, row.values())) + " |", flush=True)


if __name__ == "__main__":
    main()
