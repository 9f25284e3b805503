"""The longest time between two looks at the clock: every method on large instances of every kind.

    GMTOOLBOX_DATA=... python benchmarks/bench_looks.py [--kinds K ...] [--methods M ...]
                                                        [--limit S] [--places] [--worst N]

A look is a place where a run can end: a kernel compares its deadline with the clock, or a loop in
Python asks its budget. The script copies the sources, builds them with -DGM_MEASURE_LOOKS, which
notes the CPU time of a thread from each look to the next, and runs every method in a process of its
own, forked from one that has made the problem, with one BLAS thread and a limit in CPU seconds. A
call that can be given up runs in another thread, while the caller looks every 10 ms; it does not
count, nor does a call of LAPACK from C.
--places prints where the longest intervals begin and end, and the longest of these calls.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLAGS = "-DGM_MEASURE_LOOKS -g"
SHORT = 0.05  # seconds that no interval may exceed
MEMORY = 8 << 30  # bytes of address space of a run
EXTRA = 120.0  # CPU seconds beyond the limit after which a run is ended
KINDS, MULTI, MANY = {}, ("mgm", "sync", "consensus", "spectral"), ("aj", "fm", "fm-bca", "fw")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS))
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--limit", type=float, default=3.0)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--tree", type=Path, help="keep the build here")
    parser.add_argument("--run", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        return run_methods(given.run[0], given.run[1:], given.limit)
    with tempfile.TemporaryDirectory() as folder:
        tree = built(given.tree or Path(folder) / "tree")
        rows = [
            row
            for kind in given.kinds
            for row in rows_of(tree, kind, given.methods, given.limit, given.places)
        ]
    print_table(rows)


def built(tree):
    """The folder of a copy of the sources whose module notes looks."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "*.so", "__pycache__")
    shutil.copytree(ROOT, tree, ignore=ignored, dirs_exist_ok=True)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(
        command, cwd=tree, env={**os.environ, "GMTOOLBOX_CFLAGS": FLAGS}, check=True, timeout=1800
    )
    return tree


def rows_of(tree, kind, methods, limit, places):
    """Measure every method on a kind; yields (kind, method, seconds or None, text)."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{tree}:{ROOT / 'benchmarks'}",
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    }
    chosen = [m for m in KINDS[kind].methods() if not methods or m in methods]
    if not chosen:
        return
    command = [sys.executable, __file__, "--limit", str(limit), "--run", kind, *chosen]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            found = json.loads(line)
            row = kind, found["method"], found.get("seconds"), found["status"]
            if places and row[2] is not None:
                span = f"{found['from']} -> {found['to']}, {found['cpu']:.2f} CPU s"
                print(*row[:2], f"{1e3 * row[2]:.1f} ms", row[3], span, flush=True)
                print("   given up:", found["given up"], flush=True)
                print(f"   LAPACK from C: {1e3 * found['LAPACK']:.1f} ms", flush=True)
            elif places:
                print(*row, flush=True)
            yield row
    if process.returncode != 0:
        raise SystemExit(f"{kind}: the problem was not made")


def print_table(rows):
    """Methods as lines, kinds as columns, milliseconds."""
    kinds = list(dict.fromkeys(row[0] for row in rows))
    methods = list(dict.fromkeys(row[1] for row in rows))
    cells = {(kind, method): seconds for kind, method, seconds, _ in rows}
    print("| ms | " + " | ".join(kinds) + " |\n|---|" + "---:|" * len(kinds))
    for method in methods:
        line = [text(cells[kind, method]) if (kind, method) in cells else "" for kind in kinds]
        print(f"| {method} | " + " | ".join(line) + " |")


def text(seconds):
    """A cell: milliseconds, bold if there are too many."""
    if seconds is None:
        return "-"
    shown = f"{1e3 * seconds:.0f}" if seconds >= 1e-3 else "< 1"
    return shown if seconds <= SHORT else f"**{shown}**"


# ---- instances


class Kind:
    """Problems of a kind: `make` gives one, `solve(problem, method, limit)` a status."""

    def __init__(self, make, solve, methods):
        self.make, self.solve, self.methods = make, solve, methods


def kind(name, solve=None, methods=None):
    """Register a function that makes a problem."""

    def register(make):
        KINDS[name] = Kind(make, solve or by_gm_solve, methods or all_methods)
        return make

    return register


def all_methods():
    """The names of all methods."""
    import gmtoolbox as gm

    return [method.name for method in gm.gm_methods()]


def by_gm_solve(problem, method, limit):
    """Solve one problem."""
    import gmtoolbox as gm

    return gm.gm_solve(problem, method, time_limit=limit).status


def by_semidefinite(problem, method, limit):
    """Solve one problem by semidefinite bounds from the start."""
    import gmtoolbox as gm

    return gm.gm_solve(problem, method, time_limit=limit, sdp="at once").status


def by_many(problems, method, limit):
    """Solve several problems by one kernel, in C."""
    import gmtoolbox as gm

    return gm.gm_solve_many(problems, method, time_limit=limit)[0].status


def by_multi(problem, method, limit):
    """Solve a problem of many graphs, or synchronise its true matches with errors."""
    import numpy as np

    import gmtoolbox as gm

    if method in ("mgm", "sync"):
        return gm.gm_solve_multi(problem, method=method, time_limit=limit).status
    rng, given = np.random.default_rng(0), {}
    for g, h in problem.pairs:
        n = min(problem.sizes[g], problem.sizes[h])
        labels = np.full(problem.sizes[g], -1)
        labels[:n] = np.arange(n)
        wrong = np.flatnonzero(rng.random(n) < 0.2)
        labels[wrong] = rng.permutation(labels[wrong])
        given[g, h] = labels
    return gm.synchronise(given, problem.sizes, method=method, time_limit=limit).status


def study_instance(name):
    """An instance of the study."""
    import gmtoolbox as gm

    folder = Path(os.environ["GMTOOLBOX_DATA"]) / name.rstrip("0123456789")
    return gm.load(next(path for path in folder.glob(f"{name}.*") if ".dd" in path.suffixes))


for instance in ("house-dense1", "opengm1", "caltech-large6", "worms-like1"):
    kind(instance)(lambda name=instance: study_instance(name))


@kind("keypoints")
def keypoints(n=2500, k=10):
    """n points with descriptors and a moved copy, k candidates each."""
    import numpy as np

    import gmtoolbox as gm

    rng = np.random.default_rng(0)
    P, F = rng.random((n, 2)) * 1000, rng.normal(size=(n, 32))
    order = rng.permutation(n)
    Q = (P + rng.normal(size=P.shape) * 3)[order]
    G = (F + rng.normal(size=F.shape) * 2)[order]
    return gm.models.from_points(P, Q, F, G, k=k)


@kind("QAP 64")
def listed_qap():
    """Two full matrices of which all products are listed."""
    return dense_qap(64)


@kind("QAP 256")
def dense_qap(n=256):
    """Two full matrices of integers."""
    import numpy as np

    import gmtoolbox as gm

    A, B = np.random.default_rng(0).integers(0, 100, (2, n, n))
    return gm.models.from_koopmans_beckmann(A + A.T, B + B.T)


@kind("QAP 36, sdp", by_semidefinite, lambda: ("aj",))
def semidefinite_qap():
    """Two full matrices; a limit of 20 s leads to the first evaluations."""
    return dense_qap(36)


@kind("matchings of 30 of 40, sdp", by_semidefinite, lambda: ("aj",))
def partial_semidefinite():
    """The same for a problem whose basis is a full matrix."""
    import numpy as np

    import gmtoolbox as gm

    rng = np.random.default_rng(0)
    A, B = rng.integers(0, 100, (30, 30)), rng.integers(0, 100, (40, 40))
    return gm.models.from_koopmans_beckmann(A + A.T, B + B.T)


@kind("network 5000")
def network(n=5000, degree=10):
    """A sparse random graph and a permuted copy with 95 % of its edges."""
    from bench_networks import correlated

    import gmtoolbox as gm

    return gm.models.from_graphs(*correlated(n, degree, 0.95, 0)[:2])


@kind("edits 120")
def edits(n=120):
    """The edit distance of two graphs like large molecules: chains with rings, few labels."""
    import networkx as nx
    import numpy as np

    import gmtoolbox as gm

    rng, graphs = np.random.default_rng(0), []
    for _ in range(2):
        G = nx.random_labeled_tree(n, seed=int(rng.integers(1 << 30)))
        G.add_edges_from(rng.integers(0, n, (n // 10, 2)).tolist())
        G.remove_edges_from(list(nx.selfloop_edges(G)))
        names = rng.choice(list("CCCCNO"), n).tolist()
        nx.set_node_attributes(G, dict(zip(G, names, strict=True)), "label")
        graphs.append(G)
    same = lambda a, b: a["label"] == b["label"]
    return gm.models.from_edit_costs(*graphs, node_match=same)


@kind("29 x 558", by_multi, lambda: MULTI)
def many_graphs():
    """29 graphs of 558 points."""
    import gmtoolbox as gm

    return gm.synth.worms_multi(29, 558)


@kind("solve_many", by_many, lambda: MANY)
def many_problems():
    """Problems of the size of keypoints, on one thread."""
    return [keypoints()] * 2


# ---- one run, in a process of its own


def run_methods(kind, methods, limit):
    """Print the longest interval of every method as a line of JSON."""
    problem = KINDS[kind].make()
    for method in methods:
        with tempfile.TemporaryFile("w+") as said:
            if (child := os.fork()) == 0:
                os.dup2(said.fileno(), sys.stderr.fileno())
                run_child(kind, problem, method, limit)
            _, status = os.waitpid(child, 0)
            if status != 0:
                said.seek(0)
                reason = (said.read().strip().splitlines() or ["killed"])[-1][:100]
                print(json.dumps({"method": method, "status": reason}), flush=True)


def run_child(kind, problem, method, limit):
    """Print the longest interval of a method as JSON, and end this process."""
    try:
        print(json.dumps(measure(kind, problem, method, limit)), flush=True)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def measure(kind, problem, method, limit):
    """Return the longest interval of one run, and where it was."""
    from gmtoolbox._cext import lib

    from gmtoolbox.engine.progress import Budget

    places = {}
    warm_up(method)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + limit + EXTRA),) * 2)
    use_cpu_clock(Budget, lib, places)
    calls = GivenUp()
    begin = time.process_time()
    lib.gm_looks_begin()
    status = KINDS[kind].solve(problem, method, limit)
    lib.gm_looks_note(-1)
    cpu, longest = time.process_time() - begin, lib.gm_looks_longest()
    given_up, lapack = calls.longest, lib.gm_looks_longest_call().seconds
    places.update({0: "the call", -1: "its end"})
    record = {name: place_of(getattr(longest, name), places) for name in ("from", "to")}
    record |= {"method": method, "seconds": longest.seconds, "status": status, "cpu": cpu}
    return record | {"given up": given_up, "LAPACK": lapack}


def warm_up(method):
    """Run the method once, so that its imports are not measured."""
    import numpy as np
    import scipy.optimize  # noqa: F401
    import scipy.sparse.csgraph  # noqa: F401
    import scipy.sparse.linalg  # noqa: F401

    import gmtoolbox as gm

    tiny = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], -np.ones(4), [0], [3], [-1.0])
    if method not in MULTI:
        gm.gm_solve(tiny, method)
        gm.gm_solve_many([tiny], method)


class GivenUp:
    """Measures the calls that can be given up: longest is (CPU seconds, name)."""

    def __init__(self):
        from gmtoolbox.engine import limits

        self.longest, self.make, self.whole = (0.0, ""), limits.Call.make, limits.part_of
        limits.Call.make = lambda call: self.measure(call)

    def measure(self, call):
        """Make a call and note how long it took."""
        begin = time.thread_time()
        self.make(call)
        seconds = time.thread_time() - begin
        is_whole = self.whole in call.arguments  # its own looks are measured
        if not is_whole and seconds > self.longest[0]:
            self.longest = seconds, getattr(call.function, "__qualname__", str(call.function))


def use_cpu_clock(Budget, lib, places):
    """Let every Budget measure CPU time and note its looks: places gets {number: file and line}."""
    make, numbers = Budget.__init__, {}

    def begin(self, *given, **named):
        make(self, *given, **named)
        self._cpu_started = time.process_time()

    def elapsed(self):
        frame = sys._getframe(1)
        while frame.f_code.co_filename.endswith(("engine/limits.py", "engine/progress.py")):
            frame = frame.f_back
        place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        number = numbers.setdefault(place, -2 - len(numbers))
        places[number] = place
        lib.gm_looks_note(number)
        return time.process_time() - self._cpu_started

    Budget.__init__, Budget.elapsed = begin, elapsed


def place_of(number, places):
    """The file and line of a look."""
    if number in places:
        return places[number]
    for line in Path("/proc/self/maps").read_text("utf-8").splitlines():
        fields = line.split()
        if len(fields) > 5 and "_cext" in fields[5] and int(fields[2], 16) == 0:
            module, start = fields[5], int(fields[0].split("-")[0], 16)
    command = ["addr2line", "-f", "-i", "-s", "-e", module, hex(number - start - 1)]
    found = subprocess.run(command, capture_output=True, text=True).stdout.split("\n")
    function, line = next(
        pair
        for pair in zip(found[::2], found[1::2], strict=False)
        if "gm_watch" not in pair[0] and pair[0] != "is_over"
    )
    return f"{function} ({line})"


if __name__ == "__main__":
    main()
