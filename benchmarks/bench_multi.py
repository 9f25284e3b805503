"""Many graphs at once: gm_solve_multi beside pylibmgm, CPU seconds of one thread.

    python benchmarks/bench_multi.py DATA --peer PYTHON [--seeds 3] [--sets NAME ...] [--write FILE]

DATA is a folder of multi dd files (.dd.xz); PYTHON an interpreter that has pylibmgm, which runs in
its own process on the unpacked files. For every set: the peer's EXHAUSTIVE runs (median value and
CPU time), our value after that CPU time and after 6 s, our CPU time to the peer's median value, and
what the cycle bound closes of the gap of the sum of pair bounds in 25 s (--bound).
"""

import argparse
import json
import lzma
import math
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import gmtoolbox as gm

PEER = """
import json, logging, os, sys, time
os.environ["OMP_NUM_THREADS"] = "1"
import pylibmgm
from pylibmgm import solver
logging.getLogger("libmgm").setLevel(logging.CRITICAL)
pylibmgm.omp_set_num_threads(1)
model = pylibmgm.io.parse_dd_file(sys.argv[1])
level = getattr(solver.OptimizationLevel, sys.argv[2])
for _ in range(int(sys.argv[3])):
    began = time.process_time()
    value = solver.solve_mgm(model, level).evaluate()
    print("RUN", json.dumps([value, time.process_time() - began]), flush=True)
"""
LIMIT = 6.0
BOUND_SETS = ("hotel-d5-n10-out", "hotel-d10-n10", "house-d10-n10-out")
SAME = 1e-6  # relative: values that count as equal


def peer_runs(python, path, level, runs):
    """[(value, CPU seconds)] of the peer."""
    command = [python, "-c", PEER, str(path), level, str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RUN ")]
    return [json.loads(line[4:]) for line in lines]


class CpuTrace:
    """(CPU seconds, value, bound) of every improvement."""

    def __init__(self):
        self.began, self.events = time.process_time(), []

    def __call__(self, event, tracks, iteration):
        self.events.append((time.process_time() - self.began, event[1], event[2]))

    def value_at(self, seconds):
        return min((value for at, value, _ in self.events if at <= seconds), default=math.inf)

    def time_to(self, value):
        hit = value + SAME * abs(value)
        return next((at for at, found, _ in self.events if found <= hit), math.inf)


def own_run(problem, seed, cpu, bound="pairs"):
    """A run of so many CPU seconds: wall limits grow until the CPU had its share."""
    trace = CpuTrace()
    start, left = None, cpu
    while left > 0.02 * cpu:
        result = gm.gm_solve_multi(
            problem, time_limit=left, seed=seed, init=start, progress=trace, bound=bound
        )
        used = time.process_time() - trace.began
        start = result.tracks
        if result.status == "optimal" or used >= 0.5 * cpu:
            break
        left = cpu - used
    return trace, result


def median(values):
    return statistics.median(values)


def compare(name, path, python, seeds):
    """One row of the table."""
    problem = gm.load(path)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / f"{name}.dd"
        plain.write_bytes(lzma.decompress(Path(path).read_bytes()))
        theirs = peer_runs(python, plain, "EXHAUSTIVE", seeds)
    value, cpu = median([v for v, _ in theirs]), median([t for _, t in theirs])
    runs = [own_run(problem, seed, max(LIMIT, cpu)) for seed in range(seeds)]
    return {
        "set": name,
        "peer": value,
        "peer s": cpu,
        "ours at peer s": median([trace.value_at(cpu) for trace, _ in runs]),
        "ours at 6 s": median([trace.value_at(math.inf) for trace, _ in runs]),
        "s to peer": median([trace.time_to(value) for trace, _ in runs]),
        "best of peer": min(v for v, _ in theirs),
    }


def closed(path, seconds=25.0):
    """Share of the gap of the sum of pair bounds that the cycle bound closes."""
    problem = gm.load(path)
    pairs = gm.gm_solve_multi(problem, time_limit=seconds / 5, bound="pairs")
    result = gm.gm_solve_multi(problem, time_limit=seconds, bound="cycles", init=pairs.tracks)
    return 1 - (result.value - result.bound) / (result.value - pairs.bound), result.gap


def table(rows):
    """Markdown, and the ratios that are asked for."""
    lines = [
        "| set | peer | CPU s | ours in that time | ours in 6 s | CPU s to the peer's | ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        ratio = row["s to peer"] / row["peer s"]
        cells = (row["peer"], row["peer s"], row["ours at peer s"], row["ours at 6 s"],
                 row["s to peer"], ratio)  # fmt: skip
        lines.append(f"| {row['set']} | " + " | ".join(f"{cell:.6g}" for cell in cells) + " |")

    def no_worse(key, than):
        return sum(row[key] <= row[than] + SAME * abs(row[than]) for row in rows)

    ratios = [max(row["s to peer"], 1e-3) / row["peer s"] for row in rows]
    known = [ratio for ratio in ratios if math.isfinite(ratio)]
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in known)) if known else math.nan
    worst = max((row["ours at peer s"] - row["peer"]) / abs(row["peer"]) for row in rows)
    lines += [
        "",
        f"At the peer's CPU time no worse on {no_worse('ours at peer s', 'peer')} of {len(rows)};"
        f" worst: {100 * max(worst, 0):.2f} % above.",
        f"In 6 s no worse than its median on {no_worse('ours at 6 s', 'peer')} of {len(rows)}.",
        f"CPU time to the peer's median value: {mean:.3f} x (geometric mean; reached on"
        f" {len(known)} of {len(rows)}).",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--bound", action="store_true", help="the cycle bound as well, 25 s a set")
    parser.add_argument("--write", type=Path, help="a file for the table")
    given = parser.parse_args()
    paths = {path.name.removesuffix(".dd.xz"): path for path in sorted(given.data.glob("*.dd.xz"))}
    names = given.sets or [name for name in paths if name != "worms-d29-n60"]
    rows = []
    for name in names:
        rows.append(compare(name, paths[name], given.peer, given.seeds))
        print(rows[-1], flush=True)
    text = table(rows)
    if given.bound:
        text += "\n\n| set | gap closed by the cycle bound in 25 s | gap left |\n|---|---|---|\n"
        for name in BOUND_SETS:
            share, gap = closed(paths[name])
            text += f"| {name} | {100 * share:.0f} % | {100 * gap:.2f} % |\n"
    print(text)
    said = "one run each (seed 0)" if given.seeds == 1 else f"medians of {given.seeds} seeds"
    if given.write:
        given.write.write_text(
            "# Many graphs at once, beside pylibmgm 1.1.3\n\nWritten by benchmarks/bench_multi.py;"
            f" one thread, {said}, values are costs.\n\n{text}\n"
        )


if __name__ == "__main__":
    main()
