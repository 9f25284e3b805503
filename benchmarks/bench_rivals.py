"""auto next to robust tabu, breakout and iterated local search (qap_rivals.c) on generated QAPs.

    OMP_NUM_THREADS=1 python benchmarks/bench_rivals.py [--limit S] [--seeds S ...] NAME ...

A NAME like cycle80 is an instance of qap_families.py. Prints the value of each search after the
same CPU seconds, as a gap in percent to the least of all.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import cpu_clock
import numpy as np
import qap_families

import gmtoolbox as gm

RIVALS = ("tabu", "breakout", "iterated")
HEAD = "| instance | n | seed | least value | auto % | tabu % | breakout % | iterated % |"
PATIENCE = 60  # wall seconds for each CPU second of a rival, on a busy machine


def compiled(folder):
    """Return the path of the compiled rivals."""
    program = Path(folder) / "rivals"
    source = Path(__file__).with_name("qap_rivals.c")
    subprocess.run(["cc", "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    return program


def symmetric_text(problem):
    """Return n, A and B in the form of qap_rivals.c: one of the two is symmetric, and of the other
    the symmetric part counts.
    """
    A, B = (np.asarray(M, float) for M in (problem.edges.A, problem.edges.B))
    halves = [0.5 * (M + M.T) for M in (A, B)]
    numbers = (" ".join(f"{x:.17g}" for x in M.ravel()) for M in halves)
    return "\n".join([str(len(A)), *numbers])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    given = parser.parse_args()
    cpu_clock.use()
    print(HEAD + "\n" + "|---" * 8 + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for name in given.names:
            problem = qap_families.make(name)[0]
            text = symmetric_text(problem)
            for seed in given.seeds:
                found = [gm.gm_solve(problem, time_limit=given.limit, seed=seed).value]
                for method in RIVALS:
                    command = [program, method, str(given.limit), str(seed)]
                    done = subprocess.run(
                        command, input=text, capture_output=True, text=True, check=True,
                        timeout=PATIENCE * given.limit,
                    )  # fmt: skip
                    found.append(float(done.stdout))
                gaps = " | ".join(f"{100 * (v - min(found)) / min(found):.3f}" for v in found)
                print(
                    f"| {name} | {problem.shape[0]} | {seed} | {min(found):.10g} | {gaps} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
