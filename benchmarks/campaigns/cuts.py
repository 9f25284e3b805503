"""aj(checkpoint=): searches that are killed or cut at random, and go on from their files.

A kill is an exception right before or after a file is written, with files written after almost
every iteration: the files are those that SIGKILL leaves. In a folder, a search divides itself at
random, as if others had no work. At times a file is cut off, which must be refused. Every answer on
the way is compared with all matchings, and the last one is to be proven.
"""

import itertools
import os
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

import gmtoolbox as gm
from campaigns import REFUSED, UNPROVEN, Wrong
from campaigns.matchings import Drawn, Table, check_answer
from gmtoolbox.engine import kernels
from gmtoolbox.solvers import _checkpoint, _sharing

RUNS = 400  # of a search, at most
TREE = {"sdp": "off", "lift": 0, "fix": False}  # options of a large tree
OPTIONS = (TREE, TREE, TREE, {"sdp": "at once"}, {"sdp": "off"}, {})
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # files are written to disk at once


class Quadratic(Drawn):
    """A quadratic assignment problem of seven nodes, whose search branches."""

    def __init__(self, rng):
        n = self.n1 = self.n2 = 7
        self.complete, self.sense = True, ("min", "max")[rng.integers(2)]
        self.offset = float(rng.choice([0.0, -1e5]))
        self.C = np.zeros((n, n))
        flow, distance = (rng.integers(0, 99, (n, n)) for _ in range(2))
        pairs = itertools.product(range(n), repeat=4)
        self.Q = {
            (i, s, j, t): float(flow[i, j] * distance[s, t])
            for i, s, j, t in pairs
            if i < j and s != t
        }


class Killed(BaseException):
    """The end of a process."""


@contextmanager
def killed_by_chance(rng, n_iter):
    """End the process before or after one of the next writes, or not at all; n_iter: iterations of
    the whole search.
    """
    left, is_before = int(np.exp(rng.uniform(0, np.log(2 * n_iter + 2)))), rng.random() < 0.5
    write = _checkpoint.write_checkpoint

    def kill_and_write(*given):
        nonlocal left
        left -= 1
        if left == 0 and is_before:
            raise Killed
        write(*given)
        if left == 0:
            raise Killed

    with ExitStack() as stack:
        for module in (_checkpoint, _sharing):
            stack.enter_context(patch.object(module, "write_checkpoint", kill_and_write))
        stack.enter_context(patch.object(_checkpoint, "LEAST", 0.0))
        stack.enter_context(patch.object(_checkpoint, "NOTED", 0.0))
        stack.enter_context(patch.object(_checkpoint, "SHARE", np.inf))
        stack.enter_context(patch.object(_sharing, "LOOK", 0.0))
        stack.enter_context(patch.object(_sharing.Piece, "is_worth_dividing", lambda *_: True))
        wanted = lambda _: 1000 if rng.random() < 0.3 else 0  # free pieces
        stack.enter_context(patch.object(_sharing.Piece, "n_wanted", wanted))
        seconds = float(rng.choice([0.0, 1e-4, 1e-3]))
        stack.enter_context(patch.object(kernels, "SLICE", seconds))
        yield


def check_damage(rng, folder, solve):
    """Wrong unless a file that is cut off is refused; it is as before afterwards."""
    files = [file for file in Path(folder).rglob("*") if file.suffix in (".ck", ".piece", ".root")]
    if not files:
        return
    file = files[rng.integers(len(files))]
    whole = file.read_bytes()
    file.write_bytes(whole[: rng.integers(len(whole))])
    try:
        solve()
        raise Wrong(f"a part of {file.name} was read")
    except gm.FileFormatError:
        file.write_bytes(whole)


def count_iterations(problem, options):
    """Return the iterations of a search that is not cut; without checkpoints it may be shorter."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        try:
            return gm.gm_solve(problem, "aj", checkpoint=f"{folder}/x.ck", **options).n_iter
        except gm.InfeasibleError:
            return 1


def check_cuts(rng, in_folder):
    """Return the word for the last of many runs of one search."""
    drawn = Quadratic(rng) if rng.random() < 0.5 else Drawn(rng, largest=5)
    problem, table = drawn.problem(), Table(drawn)
    options = OPTIONS[rng.integers(len(OPTIONS))]
    n_iter = count_iterations(problem, options)
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        path = f"{folder}/f/" if in_folder else f"{folder}/x.ck"
        for n in range(RUNS):
            limit = int(rng.integers(1, 1.3 * n_iter + 30 + n**2))

            def solve(limit=limit):
                return gm.gm_solve(problem, "aj", checkpoint=path, maxiter=limit, **options)

            if rng.random() < 0.05:
                check_damage(rng, folder, solve)
            try:
                with killed_by_chance(rng, n_iter):
                    result = solve()
            except Killed:
                continue
            except gm.InfeasibleError:
                if len(table.labels):
                    raise Wrong("called infeasible") from None
                return REFUSED
            if result.labels is None:
                continue
            word = check_answer(table, result, drawn.offset)
            if word != UNPROVEN or result.status == "converged":
                return word
    raise Wrong(f"not proven after {RUNS} runs")


def check_file(rng):
    """A file."""
    return check_cuts(rng, in_folder=False)


def check_folder(rng):
    """A folder."""
    return check_cuts(rng, in_folder=True)


DOORS = {"aj(checkpoint=file), cut": check_file, "aj(checkpoint=folder), cut": check_folder}
