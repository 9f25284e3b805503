"""How far methods overrun their time limit: CPU seconds from the call of gm_solve to its return.

    python benchmarks/bench_overrun.py [--methods M ...] [--instances I ...] [--limits S ...]
                                       [--output FILE] [--title TEXT]

Each run has a process of its own with one thread, so that its CPU time is its own; the problem is
loaded and the method's modules are imported before the clock starts. A run is within its limit if
it took at most 5 % and 20 ms more. The budget's clock is the CPU clock of the process and its
helpers here, so that what others do on the machine does not matter. Limits of 0.05 s only where
there are at most 100,000 edges. The instances are those of the study (GMTOOLBOX_DATA) and a
synthetic one of 1000 x 1000 nodes with 20 candidates each.
"""

import argparse
import contextlib
import os
import pickle
import resource
import select
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

import gmtoolbox as gm  # noqa: E402
from gmtoolbox.engine import limits, progress  # noqa: E402

STUDY = {
    "car": "car/car1",
    "motor": "motor/motor1",
    "hotel": "hotel/hotel1",
    "caltech-large6": "caltech-large/caltech-large6",
    "worms-like1": "worms-like/worms-like1",
}
SYNTHETIC = "1000x1000x20"
LIMITS = (0.05, 0.2, 1.0, 3.0)
SMALL = 100_000  # edges up to which the smallest limit is tried
KILL = 20.0  # times the limit, and 20 s, after which a run is ended


def synthetic(n=1000, choices=20, degree=4, seed=0):
    """n nodes with that many candidates each; edges between the candidates of a sparse graph."""
    rng = np.random.default_rng(seed)
    left = np.repeat(np.arange(n), choices)
    right = np.concatenate([rng.choice(n, choices, replace=False) for _ in range(n)])
    first = rng.integers(0, n, degree * n // 2)
    second = (first + rng.integers(1, n, len(first))) % n
    link = np.repeat(np.arange(len(first)), 40)
    a = first[link] * choices + rng.integers(0, choices, len(link))
    b = second[link] * choices + rng.integers(0, choices, len(link))
    key = np.unique(np.minimum(a, b) * (n * choices) + np.maximum(a, b))
    a, b = np.divmod(key, n * choices)
    cost, edge_cost = -rng.random(len(left)), rng.normal(size=len(a))
    return gm.Problem((n, n), left, right, cost, a, b, edge_cost, name=SYNTHETIC)


def load(name):
    """The problem of a name."""
    if name == SYNTHETIC:
        return synthetic()
    base = Path(os.environ["GMTOOLBOX_DATA"]) / STUDY[name]
    found = [path for path in base.parent.glob(base.name + ".*") if ".dd" in path.suffixes]
    return gm.load(found[0])


def cpu_clock():
    """CPU seconds of this process, of the children that ended and of those that run."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for child in children():
        fields = Path(f"/proc/{child}/stat").read_text("utf-8").rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def children():
    """Process numbers of the children that any thread has started."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread that has ended
            found += (task / "children").read_text("utf-8").split()
    return found


def measure(problem, method, limit):
    """(CPU seconds, wall seconds, value or None) of one run in a process of its own."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        try:
            tiny = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], -np.ones(4), [0], [3], [-1.0])
            gm.gm_solve(tiny, method)  # imports and first touches
            resource.setrlimit(resource.RLIMIT_CPU, (int(KILL * limit + 20),) * 2)
            clock = SimpleNamespace(perf_counter=cpu_clock, monotonic=time.monotonic)
            limits.time = progress.time = clock
            wall, cpu = time.perf_counter(), cpu_clock()
            result = gm.gm_solve(problem, method, time_limit=limit)
            cpu, wall = cpu_clock() - cpu, time.perf_counter() - wall
            shown = result.status + (" left out" if "left_out" in result.extra else "")
            answer = (cpu, wall, result.value, shown)
        except BaseException as error:  # noqa: BLE001 - reported, not raised: this is a forked copy
            answer = (cpu_clock() - cpu, 0.0, None, type(error).__name__)
        os.write(write, pickle.dumps(answer))
        os._exit(0)
    os.close(write)
    content = b""
    while select.select([read], [], [], 60 * (KILL * limit + 20))[0]:
        part = os.read(read, 65536)
        if not part:
            break
        content += part
    os.close(read)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return pickle.loads(content) if content else (KILL * limit + 20, 0.0, None, "killed")


def within(cpu, limit):
    """Whether a run kept its limit."""
    return cpu <= 1.05 * limit + 0.02


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--instances", nargs="+", default=[*STUDY, SYNTHETIC])
    parser.add_argument("--limits", nargs="+", type=float, default=list(LIMITS))
    parser.add_argument("--output")
    parser.add_argument("--title", default="Overruns")
    given = parser.parse_args()
    methods = given.methods or [m.name for m in gm.gm_methods()]
    lines = [
        f"## {given.title}", "",
        "CPU seconds, one thread; **bold**: more than the limit, 5 % and 20 ms.", "",
        "| instance | limit | " + " | ".join(methods) + " |",
        "|---|---|" + "---|" * len(methods),
    ]  # fmt: skip
    runs = []
    for name in given.instances:
        problem = load(name)
        for limit in given.limits:
            if limit < 0.1 and problem.n_edges > SMALL:
                continue
            cells = []
            for method in methods:
                cpu, wall, value, status = measure(problem, method, limit)
                runs.append((cpu, limit, value))
                text = f"{cpu:.2f}" if value is not None else f"{status} {cpu:.2f}"
                cells.append(text if within(cpu, limit) else f"**{text}**")
                shown = "" if value is None else f" {value:g}"
                line = f"{name} {limit:g} {method}: {text} {status}{shown}"
                print(line, file=sys.stderr, flush=True)
            lines.append(f"| {name} | {limit:g} | " + " | ".join(cells) + " |")
    good = sum(within(cpu, limit) for cpu, limit, _ in runs)
    worst = max(cpu / limit for cpu, limit, _ in runs)
    double = sum(cpu > 2 * limit + 0.05 for cpu, limit, _ in runs)
    percent = 100 * good / len(runs)
    within_limit = f"{good} of {len(runs)} runs within their limit ({percent:.1f} %)"
    above = f"{double} above twice the limit and 50 ms, the worst {worst:.1f} times"
    lines += ["", f"{within_limit}, {above}."]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.output:
        with open(given.output, "a") as file:
            file.write("\n" + text)


if __name__ == "__main__":
    main()
