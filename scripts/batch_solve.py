#!/usr/bin/env python3
"""Solve a folder of .mat files with several methods, several runs at a time: parfor for graph
matching.

    scripts/batch_solve.py FOLDER --methods rrwm ipfps --jobs 8

Results go to FOLDER/results/results.mat, a struct array `runs` for MATLAB, and results.csv beside
it. A file that cannot be read or solved is reported and the others go on; the exit status is 1
then.
"""

import argparse
import csv
import sys
from pathlib import Path

try:
    import gmtoolbox
except ModuleNotFoundError:  # a source tree that is not installed
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    import gmtoolbox
from gmtoolbox.io.files import replacing
from gmtoolbox.wrappers.calls import run_record, save_variables

COLUMNS = (
    "file",
    "method",
    "outcome",
    "status",
    "value",
    "bound",
    "gap",
    "time",
    "n_iter",
    "labels",
    "reason",
)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with .mat files")
    parser.add_argument(
        "--methods",
        nargs="+",
        default=["auto"],
        metavar="METHOD",
        help="names from `gmtoolbox methods` (default: auto)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="runs at the same time; -1 = one per processor",
    )
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds of one run")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="where the results go (default: results in the folder)",
    )
    chosen = parser.parse_args(arguments)
    files = sorted(chosen.folder.glob("*.mat"))
    if not files:
        parser.error(f"{chosen.folder}: no .mat files there")
    try:
        runs = gmtoolbox.gm_batch(
            files, chosen.methods, time_limit=chosen.time_limit, n_jobs=chosen.jobs, progress=True
        )
    except gmtoolbox.GMError as error:
        parser.error(str(error))
    output = chosen.output or chosen.folder / "results"
    output.mkdir(parents=True, exist_ok=True)
    records = [{"file": f"{run.instance}.mat", **run_record(run)} for run in runs]
    save_variables(output / "results.mat", {"runs": records})
    save_csv(output / "results.csv", records)

    failed = [record for record in records if record["outcome"] != "ok"]
    print(
        f"{len(records) - len(failed)} of {len(records)} runs done: {output / 'results.mat'} and"
        " results.csv"
    )
    for record in failed:
        print(
            f"failed: {record['file']} with {record['method']}: {record['outcome']}:"
            f" {record['reason']}",
            file=sys.stderr,
        )
    return 1 if failed else 0


def save_csv(path, records):
    with replacing(path) as draft, open(draft, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
        writer.writeheader()
        for record in records:
            writer.writerow(
                {**record, "labels": " ".join(f"{label:g}" for label in record["labels"].ravel())}
            )


if __name__ == "__main__":
    sys.exit(main())
