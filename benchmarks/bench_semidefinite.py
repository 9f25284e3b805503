"""What the semidefinite phase of aj proves: QAPLIB and caltech-small11, with and without it.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_semidefinite.py [--limit S]
    [--output docs/results/semidefinite.md] [NAME ...]

For every instance: CPU seconds to the proof (or the gap at the limit), and the root bounds of the
linear and of the semidefinite relaxation. Limits are CPU seconds of this process, one thread.
"""

import argparse
import json
import os
import signal
import time
from pathlib import Path

import gmtoolbox as gm

# (instance, CPU limit in seconds), by size
DEFAULT = {
    "had12": 10, "tai12b": 10, "chr12c": 10, "nug14": 10, "rou15": 10, "tai15b": 10,
    "nug16a": 10, "had16": 10, "esc16b": 10, "esc16c": 60, "esc16d": 60,
    "nug17": 120, "had18": 30, "chr18a": 30, "els19": 30, "scr20": 30, "nug20": 120,
    "lipa20a": 30, "caltech-small11": 60,
}  # fmt: skip


def load(data, name):
    """The instance and its best known value."""
    file = next(data.glob(f"*/{name}.d*"))
    if file.suffix == ".dat":
        best = json.loads((file.parent / "best.json").read_text()).get(name)
        return gm.load(file), best.get("value") if isinstance(best, dict) else best
    meta = json.loads((file.parent / f"{name}.json").read_text())
    return gm.load(file, complete=bool(meta.get("complete"))), meta.get("optimum")


def cpu_limited(problem, limit, **options):
    """(result, CPU seconds): interrupted after `limit` CPU seconds, however busy the machine is."""
    signal.signal(signal.SIGPROF, lambda number, frame: signal.raise_signal(signal.SIGINT))
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, limit)
    result = gm.gm_solve(problem, "aj", **options)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return result, time.process_time() - started


def row(data, name, limit):
    problem, known = load(data, name)
    linear, linear_seconds = cpu_limited(problem, min(limit, 3), sdp="off", branch=False)
    root, root_seconds = cpu_limited(problem, min(limit, 10), branch=False, sdp="at once")
    whole, seconds = cpu_limited(problem, limit)
    if known is not None and whole.bound > known + 1e-6 * abs(known):
        raise SystemExit(f"{name}: bound {whole.bound} above the best known value {known}")
    answer = f"{seconds:.1f} s" if whole.status == "optimal" else f"gap {100 * whole.gap:.2f} %"
    return [
        name,
        str(problem.shape[0]),
        f"{whole.value:.10g}",
        f"{linear.bound:.10g} ({linear_seconds:.1f} s)",
        f"{root.bound:.10g} ({root_seconds:.1f} s)",
        f"{whole.bound:.10g}",
        answer,
        f"{limit} s",
    ]


HEADINGS = ["instance", "n", "value", "linear root", "semidefinite root", "bound", "proven in",
            "limit"]  # fmt: skip


def line(cells):
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, help="CPU seconds, instead of each instance's own")
    parser.add_argument("--output", type=Path, help="write the table to this Markdown file")
    given = parser.parse_args()
    data = Path(os.environ["GMTOOLBOX_DATA"])
    lines = [line(HEADINGS), line(["---"] * len(HEADINGS))]
    for name in given.names or DEFAULT:
        lines.append(line(row(data, name, given.limit or DEFAULT.get(name, 30))))
        print(lines[-1], flush=True)
        if given.output:
            given.output.write_text(
                "# The semidefinite phase of aj\n\nWritten by `benchmarks/bench_semidefinite.py`:"
                " CPU seconds, one thread. The roots are runs with `branch=False` (at most 3 and"
                " 10 s), deletions"
                " included, so a root may prove the answer.\n\n" + "\n".join(lines) + "\n"
            )


if __name__ == "__main__":
    main()
