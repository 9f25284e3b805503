"""The table of docs/results/baselines.md: method x dataset, ours, the study's published values
and the originals' own.

    GMTOOLBOX_DATA=... python benchmarks/baselines_table.py [instances per dataset, default 4]

Mean value of ours and of the published results (300 s), and on how many instances ours equals the
published value and the value of the original program under Octave, where that was recorded
(relative and absolute 2e-6).
"""

import math
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import study  # noqa: E402
from golden import dataset_problem, oracle_rows, published_values  # noqa: E402

import gmtoolbox as gm  # noqa: E402

METHODS = ("sm", "smac", "rrwm", "ipfpu", "ipfps", "ga", "pm", "mpm", "lsm", "fgmd")


def same(x, y):
    """Whether two values are equal, to 2e-6 relative and absolute."""
    return abs(x - y) <= 2e-6 * (1 + abs(y))


def mean(values):
    """The mean as text, '-' of nothing."""
    return f"{sum(values) / len(values):.3f}" if values else "-"


def main(data, count):
    published = published_values(data)
    originals = {(row["method"], row["instance"]): row["value"] for row in oracle_rows(data)}
    print(
        "| dataset | method | instances | ours | published | equal to published | equal to"
        " originals |"
    )
    print("|---|---|---|---|---|---|---|")
    for dataset in study.DATASETS:
        for method in METHODS:
            ours, theirs = [], []
            original = []  # whether ours equals each recorded value of the original program
            equal, broke = 0, 0
            for name in study.instance_names(dataset)[:count]:
                expected = published[dataset][name][method]["value"]
                if not math.isfinite(expected):
                    continue  # the original had no answer after 300 s
                r = gm.gm_solve(dataset_problem(data, name), method)
                ours.append(r.value)
                theirs.append(expected)
                equal += same(r.value, expected)
                broke += r.status == "breakdown"
                if (method, name) in originals:
                    original.append(same(r.value, originals[method, name]))
            note = f" ({broke} breakdown)" if broke else ""
            recorded = f"{sum(original)} of {len(original)}" if original else "-"
            line = [
                dataset,
                method,
                str(len(ours)),
                mean(ours),
                mean(theirs),
                f"{equal} of {len(ours)}{note}",
                recorded,
            ]
            print("| " + " | ".join(line) + " |", flush=True)


if __name__ == "__main__":
    main(Path(os.environ["GMTOOLBOX_DATA"]), int(sys.argv[1]) if len(sys.argv) > 1 else 4)
