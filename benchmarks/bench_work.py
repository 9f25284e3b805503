"""The work estimates of cext/src/*/policy.h, measured again.

Searches divide their time by estimates of work in nanoseconds, never by a clock. This prints, for
every estimate, the CPU time of one unit next to it on instances of all datasets: ratio = measured /
estimated. What counts is that the ratios of all rows are alike: a machine that is twice as fast
changes nothing. Rows that are twice the median are off.

    python benchmarks/bench_work.py [--each 2] [--seconds 0.2] | python benchmarks/keep.py ...
"""

import argparse
import re
import statistics
import sys
import time
from pathlib import Path

import study

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from c_internals import Indexed  # noqa: E402 the C functions by their own headers

DATASETS = ("car", "motor", "hotel", "house-dense", "opengm", "caltech-small", "qaplib")
HEADERS = ("aj/tree/node_stack.h", "aj/search/matchings.h", "moves/tabu.h")


def policy(family):
    """The numbers of a policy header by name."""
    text = (ROOT / "cext" / "src" / family / "policy.h").read_text("utf-8")
    return {name: float(value) for name, value in re.findall(r"#define (\w+) +([-+.\de]+)\b", text)}


def per_call(function, seconds):
    """CPU nanoseconds of one call: the least of several stretches, as machines are shared."""
    least, ended = float("inf"), time.process_time() + seconds
    while time.process_time() < ended:
        n, started = 0, time.process_time()
        while time.process_time() < started + seconds / 8:
            function()
            n += 1
        least = min(least, (time.process_time() - started) / n)
    return 1e9 * least


class Units:
    """Every unit of work that has an estimate, ready to be called, on one problem."""

    def __init__(self, problem):
        self.setup = setup = Indexed(problem, *HEADERS)
        self.ffi, self.lib, self.index = setup.ffi, setup.lib, setup.index
        self.run = self.ffi.new("gm_run *")
        assert self.lib.gm_run_init(self.run, setup.model) == 0
        self.pool = setup.pool()

    def proposal(self):
        """A fusion move (or a stretch of tabu search)."""
        primal = self.ffi.new("gm_primal *")
        self.lib.gm_primal_take(primal, self.pool, self.index, 1, 5)
        costs = self.ffi.new("gm_reparametrisation *", {"unary": self.index.slot_cost})
        call = self.lib.gm_primal_propose
        return self.lib.gm_primal_work(primal), lambda: call(primal, costs, self.run)

    def tabu_step(self):
        tabu, random = self.ffi.new("gm_tabu *"), self.ffi.new("gm_random *", {"state": 1})
        self.lib.gm_tabu_take(tabu, self.pool, self.index)
        slots = self.setup.slots([self.run.labels[i] for i in range(self.index.n1)])
        self.lib.gm_tabu_start(tabu, slots, self.setup.cost(slots))
        return self.lib.gm_tabu_work(self.index), lambda: self.lib.gm_tabu_step(tabu, random)

    def frank_wolfe_step(self):
        descent, random = self.ffi.new("gm_descent *"), self.ffi.new("gm_random *", {"state": 1})
        assert self.lib.gm_descent_init(descent, self.index) == 0
        converged, count = self.ffi.new("int *", 1), [0]

        def step():
            if converged[0]:
                converged[0] = 0
                self.lib.gm_descent_begin(descent, random, count[0], self.run.labels)
                count[0] += 1
            self.lib.gm_descent_step(descent, self.run, 1e-8, converged)

        return self.lib.gm_descent_work(self.index), step

    def sweep(self):
        """One sweep of block-coordinate ascent."""
        bca = self.ffi.gc(self.lib.gm_bca_new(self.index), self.lib.gm_bca_free)
        return self.lib.gm_bca_work(bca), lambda: self.lib.gm_bca_iterate(bca)

    def root(self):
        """Building the root of the exact method."""
        scale = self.lib.aj_grain_of(self.index).scale

        def build():
            problem = self.lib.aj_problem_new(self.index, scale)
            self.lib.aj_pdhg_free(self.lib.aj_pdhg_new(problem))
            self.lib.aj_problem_free(problem)

        return policy("aj")["AJ_ROOT_WORK"] * self.index.n_entries, build

    def ascent(self):
        """The ascent of the exact method at its root."""
        scale = self.lib.aj_grain_of(self.index).scale
        self.problem = self.lib.aj_problem_new(self.index, scale)
        self.pdhg = self.lib.aj_pdhg_new(self.problem)
        work = policy("aj")["AJ_STEP_WORK"] * self.problem.m
        return work, lambda: self.lib.aj_pdhg_step(self.pdhg, 0)

    def evaluation(self):
        """The star bound where the ascent is, with the forced bounds of all candidates."""
        scratch = self.ffi.new("aj_scratch *", {"n_nodes": self.index.n1})
        assert self.lib.aj_scratch_fit(scratch, self.problem) == 0

        def evaluate():
            self.lib.aj_bound_evaluate(scratch.bound, self.problem, self.pdhg.wt)
            self.lib.aj_bound_force(scratch.bound, self.problem, float("inf"))

        return policy("aj")["AJ_EVALUATION_WORK"] * self.problem.m, evaluate


UNITS = ("proposal", "tabu_step", "frank_wolfe_step", "sweep", "root", "ascent", "evaluation")


def sample(dataset, n):
    """The names of n instances of a dataset."""
    if dataset == "qaplib":
        return ["chr12a", "nug20", "rou15"][:n]
    names = study.instance_names(dataset)
    return names[:: max(1, len(names) // n)][:n]


def load(dataset, name):
    """An instance as costs."""
    path = study.data_folder() / dataset / f"{name}.dd.xz"
    return study.gm.load(path).as_costs()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=2, help="instances of each dataset")
    parser.add_argument("--seconds", type=float, default=0.2, help="CPU seconds of a measurement")
    given = parser.parse_args()
    ratios = {unit: [] for unit in UNITS}
    rows = []
    for dataset in DATASETS:
        for name in sample(dataset, given.each):
            units, row = Units(load(dataset, name)), [name]
            for unit in UNITS:
                estimated, call = getattr(units, unit)()
                measured = per_call(call, given.seconds)
                ratios[unit].append(measured / estimated)
                row.append(f"{measured / 1e3:.3g} / {estimated / 1e3:.3g}")
            rows.append(row)
    medians = {unit: statistics.median(found) for unit, found in ratios.items()}
    print("| microseconds, measured / estimated | " + " | ".join(UNITS) + " |")
    print("|---" * (len(UNITS) + 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("| median ratio | " + " | ".join(f"{medians[unit]:.2f}" for unit in UNITS) + " |")
    spread = (f"{min(ratios[u]):.2f} .. {max(ratios[u]):.2f}" for u in UNITS)
    print("| least and largest ratio | " + " | ".join(spread) + " |")


if __name__ == "__main__":
    main()
