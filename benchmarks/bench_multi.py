"""Many graphs at once: gm_solve_multi next to pylibmgm, CPU seconds of one thread.

    python benchmarks/bench_multi.py DATA --peer PYTHON [--parts sets proof bound worms seeds large]
        [--sets NAME ...] [--kept FILE] [--write docs/results/multi.md]

DATA is a folder of multi dd files (.dd.xz); PYTHON an interpreter that has pylibmgm, which runs in
its own process on the unpacked files. Measurements are kept in FILE (JSON), so that parts and
sets can be measured one after the other; --write puts all of it into the places of the page.
"""

import argparse
import json
import lzma
import math
import resource
import statistics
import subprocess
import tempfile
import time
from datetime import date
from pathlib import Path

import keep

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
SEEDS, REPETITIONS = 3, 3
BOUND_SETS, BOUND_LIMIT = ("hotel-d5-n10-out", "hotel-d10-n10", "house-d10-n10-out"), 25.0
PROVEN = "house-d5-n30"
WORMS, LEVELS = "worms-d29-n60", ("FAST", "DEFAULT", "EXHAUSTIVE")
PUBLISHED = {"FAST": (-15689.2, 2.4), "DEFAULT": (-16739.9, 21.6), "EXHAUSTIVE": (-18051.2, 46.6)}
SMALL, RESTARTS, FIVE = (10, 30), 6, 5  # graphs and nodes; runs of the peer; seeds of ours
MIDDLE, LARGE, LARGE_LIMIT = (29, 150), (29, 558), 180.0
BEST = {  # best values known of the sets; a run of 6 s ends there
    "hotel-d5-n10-out": -4237.21, "hotel-d5-n20-out": -13207.61, "hotel-d10-n10": -59543.43,
    "hotel-d10-n10-out": -26758.55, "hotel-d10-n15-out": -33332.45, "hotel-d20-n10-out": -129147.4,
    "house-d5-n30": -722.994, "house-d5-n30-out": -200.881, "house-d10-n10-out": -202.397,
    "house-d10-n20-out": -576.478, "house-d20-n10-out": -832.698, "house-d20-n15-out": -1663.651,
    "worms-d5-n80": -993.661, "worms-d10-n40": -2427.306, "worms-d20-n20": -4979.640,
}  # fmt: skip
SAME = 1e-6  # relative: values that count as equal
PARTS = {}


def part(function):
    """Register a function that measures a part of the page."""
    PARTS[function.__name__] = function
    return function


# ---- runs


def peer_runs(python, path, level, runs):
    """[(value, CPU seconds)] of the peer."""
    command = [python, "-c", PEER, str(path), level, str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RUN ")]
    return [json.loads(line[4:]) for line in lines]


class Reached(Exception):
    """The value that was asked for is there."""


class CpuTrace:
    """(CPU seconds, value, bound) of every improvement; ends the run at `goal`."""

    def __init__(self, goal=-math.inf):
        self.began, self.events, self.goal = time.process_time(), [], goal

    def __call__(self, event, tracks, iteration):
        self.events.append((time.process_time() - self.began, event[1], event[2]))
        if event[1] <= self.goal:
            raise Reached

    def value_at(self, seconds):
        return min((value for at, value, _ in self.events if at <= seconds), default=math.inf)

    def time_to(self, value):
        hit = value + SAME * abs(value)
        return next((at for at, found, _ in self.events if found <= hit), math.inf)


def own_run(problem, seed, cpu, goal=-math.inf, **settings):
    """A run of so many CPU seconds: one more with what remains of them where the clock on the wall
    was faster. The trace, and the result unless the goal ended it.
    """
    trace, start, result = CpuTrace(goal), None, None
    try:
        while time.process_time() - trace.began < 0.95 * cpu:
            remaining = cpu - (time.process_time() - trace.began)
            result = gm.gm_solve_multi(
                problem, time_limit=remaining, seed=seed, init=start, progress=trace, **settings
            )
            start, seed = result.tracks, seed + 1000
            if result.status == "optimal":
                break
    except Reached:
        pass
    return trace, result


def unpacked(path, folder):
    """The plain file of a .xz file."""
    plain = Path(folder) / path.name.removesuffix(".xz")
    plain.write_bytes(lzma.decompress(path.read_bytes()))
    return plain


# ---- measurements


@part
def sets(given, kept):
    """Every set: values at the peer's CPU time and in 6 s, and CPU time to the peer's value."""
    paths = sorted(given.data.glob("*.dd.xz"))
    for path in paths:
        name = path.name.removesuffix(".dd.xz")
        if name == WORMS or (given.sets and name not in given.sets):
            continue
        problem = gm.load(path)
        with tempfile.TemporaryDirectory() as folder:
            runs = peer_runs(given.peer, unpacked(path, folder), "EXHAUSTIVE", SEEDS * REPETITIONS)
        value, cpu = (statistics.median(column) for column in zip(*runs, strict=True))
        seeds = range(SEEDS)
        best = BEST.get(name, -math.inf)
        best += SAME * abs(best) if math.isfinite(best) else 0.0
        whole = [own_run(problem, seed, max(LIMIT, cpu), best, bound="pairs")[0] for seed in seeds]
        goal = value + SAME * abs(value)
        again = [
            own_run(problem, seed, max(LIMIT, cpu), goal, bound="pairs")[0]
            for seed in seeds
            for _ in range(REPETITIONS - 1)
        ]
        kept[name] = {
            "peer": value,
            "peer s": cpu,
            "at peer s": statistics.median(trace.value_at(cpu) for trace in whole),
            "at 6 s": statistics.median(trace.value_at(math.inf) for trace in whole),
            "s to peer": statistics.median(trace.time_to(value) for trace in whole + again),
        }
        yield name, kept[name]


@part
def proof(given, kept):
    """CPU seconds to a proof of house-d5-n30, next to a run of the peer."""
    path = given.data / f"{PROVEN}.dd.xz"
    problem = gm.load(path)
    with tempfile.TemporaryDirectory() as folder:
        runs = peer_runs(given.peer, unpacked(path, folder), "EXHAUSTIVE", REPETITIONS)
    times = []
    for seed in range(SEEDS):
        began = time.process_time()
        result = gm.gm_solve_multi(problem, seed=seed, time_limit=30.0)
        assert result.status == "optimal", result
        times.append(time.process_time() - began)
    kept[PROVEN] = {
        "peer s": statistics.median(cpu for _, cpu in runs), "s": statistics.median(times)
    }  # fmt: skip
    yield PROVEN, kept[PROVEN]


@part
def bound(given, kept):
    """The part of the gap of the pair bounds that the cycle bound closes in 25 CPU seconds."""
    for name in given.sets or BOUND_SETS:
        problem = gm.load(given.data / f"{name}.dd.xz")
        pairs = gm.gm_solve_multi(problem, time_limit=3.0, bound="pairs")
        trace, result = own_run(problem, 0, BOUND_LIMIT, bound="cycles")
        value = min(pairs.value, result.value)
        known = max(event[2] for event in trace.events)
        known = max(known, result.bound)
        kept[name] = {
            "closed": 1 - (value - known) / (value - pairs.bound),
            "before": (value - pairs.bound) / abs(value),
            "after": (value - known) / abs(value),
        }
        yield name, kept[name]


@part
def worms(given, kept):
    """worms-d29-n60 next to the peer's three levels."""
    path = given.data / f"{WORMS}.dd.xz"
    problem = gm.load(path)
    if given.peer:
        with tempfile.TemporaryDirectory() as folder:
            plain = unpacked(path, folder)
            for level in LEVELS:
                value, cpu = peer_runs(given.peer, plain, level, 1)[0]
                kept[level] = {"peer": value, "peer s": cpu}
    wanted = [row["peer"] for row in kept.values()] + [value for value, _ in PUBLISHED.values()]
    trace, _ = own_run(problem, 0, 30.0, goal=min(wanted))
    for level, row in kept.items():
        row["s to peer"] = trace.time_to(row["peer"])
        row["s to known"] = trace.time_to(PUBLISHED[level][0])
        yield level, row


@part
def seeds(given, kept):
    """Generated worms: five seeds, each in the CPU time in which the peer runs six times."""
    for number in range(given.generated):
        problem = gm.synth.worms_multi(*SMALL, seed=number)
        with tempfile.TemporaryDirectory() as folder:
            gm.save(problem, Path(folder) / "small.dd")
            runs = peer_runs(given.peer, Path(folder) / "small.dd", "EXHAUSTIVE", RESTARTS)
        best, cpu = min(value for value, _ in runs), sum(spent for _, spent in runs)
        goal = best + SAME * abs(best)
        traces = [own_run(problem, seed, cpu, goal, bound="pairs")[0] for seed in range(FIVE)]
        times = [trace.time_to(best) for trace in traces]
        kept[str(number)] = {
            "peer": best, "peer s": cpu, "reached": sum(at <= cpu for at in times),
            "slowest s": max(times),
        }  # fmt: skip
        yield number, kept[str(number)]


@part
def large(given, kept):
    """29 graphs of 150 nodes next to the peer's FAST; 29 of 558: an answer and a bound."""
    problem = gm.synth.worms_multi(*MIDDLE)
    with tempfile.TemporaryDirectory() as folder:
        gm.save(problem, Path(folder) / "middle.dd")
        value, cpu = peer_runs(given.peer, Path(folder) / "middle.dd", "FAST", 1)[0]
    trace, _ = own_run(problem, 0, 60.0, goal=value, bound="pairs")
    kept["29 x 150"] = {"peer": value, "peer s": cpu, "s to peer": trace.time_to(value)}
    yield "29 x 150", kept["29 x 150"]
    problem = gm.synth.worms_multi(*LARGE)
    began, trace = time.process_time(), CpuTrace()
    result = gm.gm_solve_multi(problem, time_limit=LARGE_LIMIT, progress=trace)
    kept["29 x 558"] = {
        "value": result.value,
        "bound": result.bound,
        "s to a bound": next((at for at, _, low in trace.events if math.isfinite(low)), math.inf),
        "wall s": result.time,
        "s": time.process_time() - began,
        "GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "F1": gm.track_f1(result.tracks, problem.truth),
    }
    yield "29 x 558", kept["29 x 558"]


# ---- the page


def lines_of(headings, rows):
    """A table of Markdown, line by line."""
    yield f"| {' | '.join(headings)} |"
    yield "|" + "---|" * len(headings)
    for row in rows:
        cells = (cell if isinstance(cell, str) else f"{cell:.6g}" for cell in row)
        yield f"| {' | '.join(cells)} |"


def sets_page(kept):
    """The table of all sets, and the ratios that are asked for."""
    rows = list(kept.values())
    headings = ("set", "peer", "CPU s", "ours in that time", "ours in 6 s", "CPU s to the peer's",
                "ratio")  # fmt: skip
    yield from lines_of(
        headings,
        [
            (name, row["peer"], row["peer s"], row["at peer s"], row["at 6 s"], row["s to peer"],
             row["s to peer"] / row["peer s"])
            for name, row in sorted(kept.items())
        ],
    )  # fmt: skip

    def no_worse(key):
        return sum(row[key] <= row["peer"] + SAME * abs(row["peer"]) for row in rows)

    ratios = [max(row["s to peer"], 1e-3) / row["peer s"] for row in rows]
    known = [ratio for ratio in ratios if math.isfinite(ratio)]
    mean = statistics.geometric_mean(known) if known else math.nan
    worst = max((row["at peer s"] - row["peer"]) / abs(row["peer"]) for row in rows)
    yield ""
    yield (
        f"At the peer's CPU time no worse than its median on {no_worse('at peer s')} of"
        f" {len(rows)}; worst: {100 * max(worst, 0):.2f} % above."
    )
    yield f"In 6 s no worse on {no_worse('at 6 s')} of {len(rows)}."
    yield (
        f"CPU time to the peer's median value: {mean:.3f} x (geometric mean of the medians; reached"
        f" on {len(known)} of {len(rows)})."
    )


def proof_page(kept):
    """The text about the proof."""
    row = kept[PROVEN]
    yield (
        f"{PROVEN} is proven in {row['s']:.3f} CPU s; a run of the peer takes"
        f" {row['peer s']:.3f} s: {row['s'] / row['peer s']:.2f} x."
    )


def bound_page(kept):
    """The table of the cycle bound."""
    yield from lines_of(
        ("set", "gap of the sum of pair bounds", "of the cycle bound in 25 CPU s", "closed"),
        [
            (name, f"{100 * row['before']:.2f} %", f"{100 * row['after']:.2f} %",
             f"{100 * row['closed']:.0f} %")
            for name, row in kept.items()
        ],
    )  # fmt: skip


def worms_page(kept):
    """The table of the peer's levels."""
    yield from lines_of(
        ("level of the peer", "its value", "its CPU s", "ours: CPU s to that", "ratio",
         "CPU s to the known value"),
        [
            (level, row["peer"], row["peer s"], row["s to peer"], row["s to peer"] / row["peer s"],
             f"{row['s to known']:.2f} to {PUBLISHED[level][0]}")
            for level, row in kept.items()
        ],
    )  # fmt: skip


def seeds_page(kept):
    """The table of generated sets, each with five seeds."""
    yield from lines_of(
        ("set", f"best of {RESTARTS} runs of the peer", "CPU s of these", "seeds that reach it",
         "CPU s of the slowest"),
        [
            (number, row["peer"], f"{row['peer s']:.2f}", f"{row['reached']} of {FIVE}",
             f"{row['slowest s']:.2f}")
            for number, row in kept.items()
        ],
    )  # fmt: skip


def large_page(kept):
    """The text about large problems."""
    if row := kept.get("29 x 150"):
        yield (
            f"29 graphs of {MIDDLE[1]} points (generated): the peer's FAST value {row['peer']:.6g}"
            f" takes it {row['peer s']:.2f} CPU s and us {row['s to peer']:.2f} s:"
            f" {row['s to peer'] / row['peer s']:.3f} x."
        )
    if row := kept.get("29 x 558"):
        yield ""
        yield (
            f"29 graphs of {LARGE[1]} points (generated), {row['wall s']:.0f} s of which the"
            f" processor gave {row['s']:.0f} s: value {row['value']:.6g}, bound {row['bound']:.6g},"
            f" the first bound after {row['s to a bound']:.1f} CPU s, F1 {row['F1']:.3f},"
            f" {row['GB']:.2f} GB."
        )


PAGES = {
    "sets": sets_page,
    "proof": proof_page,
    "bound": bound_page,
    "worms": worms_page,
    "seeds": seeds_page,
    "large": large_page,
}


def pages(kept):
    """Yield (command of a part, its lines): the places of docs/results/multi.md."""
    for name, lines in PAGES.items():
        if kept.get(name):
            yield f"benchmarks/bench_multi.py --parts {name}", "\n".join(lines(kept[name]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--peer", help="a Python that has pylibmgm; worms: its kept runs without one"
    )
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--generated", type=int, default=7, help="sets of the part seeds")
    parser.add_argument("--kept", type=Path, help="a file for the measurements")
    parser.add_argument("--write", type=Path, help="a page whose places are filled")
    given = parser.parse_args()
    known = given.kept is not None and given.kept.exists()
    kept = json.loads(given.kept.read_text("utf-8")) if known else {}
    for name in given.parts:
        for row in PARTS[name](given, kept.setdefault(name, {})):
            print(*row, flush=True)
            if given.kept:
                given.kept.write_text(json.dumps(kept, indent=1))
    for command, text in pages(kept):
        print(f"\n{text}")
        if given.write:
            day = date.today().isoformat()
            given.write.write_text(keep.kept(given.write.read_text("utf-8"), command, text, day))


if __name__ == "__main__":
    main()
