"""fm-bca next to pylibmgm.QAPSolver, the study's authors' own package, on the study's instances in
one run.

    GMTOOLBOX_DATA=... python benchmarks/bench_fm.py [--every K] [--limit SECONDS] [DATASET ...]

For each instance: their value and the CPU time of their whole run (it shows no trace), our CPU time
to that value. We are charged wall time scaled by the share of the CPU that the run got, so that a
busy machine counts against neither. One thread each.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import study

import gmtoolbox as gm
from gmtoolbox.io.files import read_bytes

DATASETS = (*study.DATASETS, "worms-like")


def theirs(path, folder):
    """(value, CPU seconds of run()); pylibmgm reads neither xz nor comment lines."""
    import pylibmgm
    from pylibmgm.io import parse_dd_file_gm

    plain = folder / "plain.dd"
    plain.write_bytes(
        b"\n".join(line for line in read_bytes(path)[:-1].split(b"\n") if line[:1] != b"c")
    )
    solver = pylibmgm.QAPSolver(parse_dd_file_gm(plain))
    start = time.process_time()
    solution = solver.run()
    return solution.evaluate(), time.process_time() - start


def ours(problem, target, limit):
    """(value, CPU seconds to the target or inf, iterations a CPU second) of fm-bca."""
    start = time.process_time()
    result = gm.gm_solve(problem, "fm-bca", time_limit=limit)
    seconds = time.process_time() - start
    reached = np.flatnonzero(result.trace["value"] <= target + 1e-6 * abs(target))
    share = min(1.0, seconds / result.time)
    return (
        result.value,
        result.trace["time"][reached[0]] * share if len(reached) else np.inf,
        result.n_iter / seconds,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("datasets", nargs="*", default=DATASETS)
    parser.add_argument("--every", type=int, default=1, help="take every K-th instance")
    parser.add_argument("--limit", type=float, default=1.0, help="our time limit in seconds")
    chosen = parser.parse_args()
    data = study.data_folder()
    ratios = []
    print(
        f"{'instance':18} {'their value':>13} {'s':>7} {'our value':>13} {'s to theirs':>11}"
        f" {'ratio':>6} {'sweeps/s':>8}"
    )
    gm.gm_solve(np.eye(4), "fm-bca")  # imports are no part of a search
    with tempfile.TemporaryDirectory() as folder:
        for dataset in chosen.datasets:
            of_dataset, worse = [], 0
            for path in sorted((data / dataset).glob("*.dd.xz"))[:: chosen.every]:
                target, total = theirs(path, Path(folder))
                # theirs may leave nodes unmatched, so ours may, too, whatever the dataset says
                problem = gm.load(path, complete=False)
                value, reached, speed = ours(problem, target, chosen.limit)
                of_dataset.append(reached / total)
                worse += value > target + 1e-6 * abs(target)
                print(
                    f"{path.name[:-6]:18} {target:13.5f} {total:7.3f} {value:13.5f} {reached:11.4f}"
                    f" {of_dataset[-1]:6.3f} {speed:8.0f}",
                    flush=True,
                )
            ratios += of_dataset
            print(
                f"{dataset}: median ratio {np.median(of_dataset):.3f}, worse values {worse} of"
                f" {len(of_dataset)}\n"
            )
    print(f"all {len(ratios)} instances: median ratio {np.median(ratios):.3f}")


if __name__ == "__main__":
    main()
