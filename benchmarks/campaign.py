"""Compare the answers of every function that solves with exhaustive search, on random problems.

    python benchmarks/campaign.py [--problems N] [--first K] [--seed S] [--jobs J] [DOOR ...]
    python benchmarks/campaign.py DOOR --only K       # the K-th problem of a door again

A door is part of a name in the table, such as gm_solve or edit. Problem K of a door is drawn from
the seed and K alone. Whatever is wrong is printed with its K on the standard error, and the exit
status is 1. `proven`: called optimal, which is true; `unproven`: not called optimal, with a true
value and bound; `refused`: no matching exists, and an error says so. A store is asked often: all
its answers are counted.
"""

import argparse
import sys
import time
import warnings
import zlib
from collections import Counter

import numpy as np
from campaigns import (
    PROVEN,
    REFUSED,
    UNPROVEN,
    Wrong,
    conditions,
    cuts,
    edits,
    graphs,
    matchings,
    matrices,
    stores,
    subgraphs,
)
from joblib import Parallel, delayed

MODULES = (matchings, cuts, conditions, matrices, edits, subgraphs, graphs, stores)
DOORS = {door: check for module in MODULES for door, check in module.DOORS.items()}
BLOCK = 200  # problems of a job


def generator(door, seed, k):
    """Return the random numbers of problem k."""
    return np.random.default_rng([seed, zlib.crc32(door.encode()), k])


def check_block(door, seed, first, n):
    """Return (Counter of words, [(k, error)]) of n problems."""
    words, wrong = Counter(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for k in range(first, first + n):
            try:
                found = DOORS[door](generator(door, seed, k))
                words.update(found if isinstance(found, Counter) else [found])
            except Wrong as fault:
                wrong.append((k, str(fault)))
            except Exception as fault:  # noqa: BLE001 - an exception is a wrong answer, too
                wrong.append((k, f"{type(fault).__name__}: {fault}"))
    return words, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("doors", nargs="*", metavar="DOOR")
    parser.add_argument("--problems", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first problem")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    doors = [d for d in DOORS if not given.doors or any(part in d for part in given.doors)]
    if given.only is not None:
        print(DOORS[doors[0]](generator(doors[0], given.seed, given.only)))
        return 0
    print("| door | problems | proven | unproven | refused | wrong |\n|---|---|---|---|---|---|")
    faults = 0
    for door in doors:
        draws = -(-given.problems // stores.answers_of(door))
        begin, blocks = time.perf_counter(), range(given.first, given.first + draws, BLOCK)
        jobs = (
            delayed(check_block)(door, given.seed, first, min(BLOCK, blocks.stop - first))
            for first in blocks
        )
        words, wrong = Counter(), []
        for counted, found in Parallel(n_jobs=given.jobs, return_as="generator")(jobs):
            words += counted
            wrong += found
        for k, fault in wrong:
            print(f"{door} --only {k}: {fault}", file=sys.stderr)
        counts = [words[PROVEN], words[UNPROVEN], words[REFUSED], len(wrong)]
        row = [f"`{door}`", sum(counts), *counts]
        print(f"| {' | '.join(map(str, row))} |", flush=True)
        print(f"{door}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
        faults += len(wrong)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
