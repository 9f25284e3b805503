"""One search of aj in a folder that any number of processes work on.

A piece (`NAME.piece`) is a checkpoint file with some of the open subproblems. A process holds
`NAME.lock` while it works on a piece; the system releases it when the process ends, however that
happens. A process that finds no piece waits, and holds a file `NAME.idle`. Busy processes keep a
piece for each waiting one, and, if there are several of them, one for the next that is done: each
is half of the unopened subproblems of one parent, and of those of the root that are in their first
tree.

Together the pieces always hold every matching that is better than the best one, or one of the same
cost: a new piece is written before its subproblems leave the file of the giver. So a lost process
loses the time since its last checkpoint, and whatever is held twice is only searched twice. The
bound of the search is the least of all pieces, its answer the best matching of any of them.
"""

import math
import os
import secrets
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from gmtoolbox.core._ffi import check, ffi, lib, pointer
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.processes import lock
from gmtoolbox.engine.lapack import addresses
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.io.checkpoints import read_checkpoint, write_checkpoint
from gmtoolbox.solvers._checkpoint import (
    COUNTS,
    Checkpoint,
    describe,
    number_of,
    progress_of,
)
from gmtoolbox.solvers._kept_root import KeptRoot, root_path

FIRST = "first"  # the piece that is the whole search at the beginning
PAUSE = 0.01  # seconds between the first two looks of an idle process,
LONGER = 1.2  # times as long between the next two,
LONGEST = 0.1  # and at most this long
LOOK = 0.2  # seconds between two looks of a busy one at the others
START = 0.3  # seconds that a process needs to begin with a root that was kept
WORTH = 3.0  # times the start: a search that is expected to take less is not divided


def is_folder(path):
    """Return whether a checkpoint is a folder: it is one, or its name ends like that of one."""
    return Path(path).is_dir() or os.fspath(path).endswith(("/", os.sep))


class Folder:
    """The pieces of a search, by name."""

    def __init__(self, path, identity):
        self.path, self.identity, self.known = Path(path), identity, {}
        try:
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"{path}: no folder can be made there: {error}") from error

    def file(self, name):
        """Return the path of a piece."""
        return self.path / f"{name}.piece"

    def names(self):
        """Return the names of all pieces."""
        return {file.stem for file in self.path.glob("*.piece")}

    def states(self):
        """Return {name: state} of all pieces.

        A piece that appears while others are read has taken subproblems of one of them: they are
        listed until there is no new one.
        """
        names, listed = self.names(), None
        while listed != names:
            states = {name: self.state(name) for name in sorted(names)}
            listed, names = names, self.names()
        return states

    def is_open(self):
        """Return whether something is left to do; in an empty folder everything is."""
        return any(map(is_open, (self.states() or {FIRST: None}).values()))

    def state(self, name):
        """Return the state of a piece, None without a file; read again only if it has changed."""
        try:
            found = os.stat(self.file(name))
        except FileNotFoundError:
            return None
        stamp = found.st_mtime_ns, found.st_ino, found.st_size
        if self.known.get(name, (None,))[0] != stamp:
            self.known[name] = stamp, read_checkpoint(self.file(name), self.identity)
        return self.known[name][1]

    @contextmanager
    def hold(self, name):
        """Hold a file as long as the process runs; yields False if another one holds it."""
        with open(self.path / name, "ab") as file:
            yield lock(file.fileno())

    @contextmanager
    def waiting(self):
        """Show the others that this process has nothing to do."""
        name = f"{secrets.token_hex(8)}.idle"
        with self.hold(name):
            try:
                yield
            finally:
                with suppress(OSError):
                    os.unlink(self.path / name)

    def count_idle(self):
        """Return how many processes wait; files of those that ended are removed."""
        n = 0
        for name in os.listdir(self.path):
            if name.endswith(".idle"):
                if self.is_held(name):
                    n += 1
                else:
                    (self.path / name).unlink(missing_ok=True)
        return n

    def is_held(self, name):
        """Return whether a process holds a file."""
        with suppress(OSError), open(self.path / name, "ab") as file:
            return not lock(file.fileno())
        return False

    @contextmanager
    def claim(self):
        """Hold a piece with open subproblems, the largest first; yields its name, None if there is
        none that is free.
        """
        states = self.states() or {FIRST: None}
        for name in sorted(states, key=lambda name: -open_weight(states[name])):
            if is_open(states[name]):
                with self.hold(f"{name}.lock") as mine:
                    if mine and is_open(self.state(name)):
                        yield name
                        return
        yield None


def is_open(state):
    """Return whether something is left to do in a piece; None is one without a file."""
    return state is None or bool(state["open"]) and not state.get("ended")


def open_weight(state):
    """Return the estimated share of the tree that is open in a piece."""
    return 1.0 if state is None else math.fsum(part["weight"] for part in state["open"])


class Piece(Checkpoint):
    """The checkpoint of a piece, which gives subproblems to idle processes and takes matchings."""

    def __init__(self, folder, name, problem, budget):
        self.folder = folder
        super().__init__(folder.file(name), problem, budget, folder.identity)
        self.looked, self.from_seconds = -math.inf, budget.elapsed()
        self.began = time.perf_counter()
        self.root_seconds = None  # until the first subproblem was closed or opened
        self.weight = open_weight(self.resumed)  # at the beginning
        self.name, self.others = name, {}  # states of the other pieces
        self.n_busy, self.n_idle, self.n_free = 1, 0, 0  # processes, processes, pieces

    def take(self, run):
        n_idle = self.folder.count_idle()
        if n_idle > self.n_free:
            self.note_due = 0.0  # a process waits for a piece
        if not super().take(run):
            return False
        now = time.perf_counter()
        if now >= self.looked + LOOK or n_idle > self.n_idle:
            self.looked, self.n_idle = now, n_idle
            self.look_at_others()
            self.offer_best(run)
        if self.root_seconds is None and self.has_moved():
            self.root_seconds = now - self.began
        if self.n_free < self.n_wanted() and self.is_worth_dividing(now):
            self.give(run)
        return True

    def look_at_others(self):
        """Note the states of the other pieces, how many processes are busy, and how many pieces are
        free.
        """
        self.others = self.folder.states()
        self.others.pop(self.name, None)
        is_held = [self.folder.is_held(f"{name}.lock")
                   for name, state in self.others.items() if is_open(state)]  # fmt: skip
        self.n_busy, self.n_free = 1 + sum(is_held), len(is_held) - sum(is_held)

    def n_wanted(self):
        """Return how many free pieces there should be: one for each process that waits, and one for
        the first of several that is done.
        """
        return max(self.n_idle, 1 if self.n_busy > 1 else 0)

    def extra(self):
        """Return how far the search of all pieces is, for Result.extra."""
        if self.state is None:
            return {}
        progress = progress_of_all([self.state, *self.others.values()])
        return {"checkpoint": {**progress, "processes": self.n_busy}}

    def has_moved(self):
        """Return whether the run has come farther than its root."""
        if self.resumed is None:
            return len(self.state["open"]) > 1
        return open_weight(self.state) < self.weight

    def is_worth_dividing(self, now):
        """Return whether the open part takes longer than another process needs for the root."""
        left, closed = open_weight(self.state), self.weight - open_weight(self.state)
        if self.root_seconds is None or closed <= 0:
            return True
        spent = now - self.began - self.root_seconds
        start = self.root_seconds if self.kept_root.arrays is None else START
        return spent * left / closed > WORTH * start

    def offer_best(self, run):
        """Give the run the best matching of all pieces."""
        best = best_state(self.others.values())
        if best is not None and best["value"] < number_of(self.state["value"], math.inf):
            lib.gm_aj_offer(run, pointer(np.array(best["labels"], np.int32)))

    def give(self, run):
        """Make a piece of subproblems that the run has not opened, or hardly begun."""
        check(lib.gm_aj_branch_now(run))
        before, parent = self.state_of(run), ffi.new("gm_aj_root *")
        if before is None or not lib.gm_aj_drop(run, parent):
            return
        after = self.state_of(run)
        kept = {key_of(part) for part in after["open"]}
        given = [part for part in before["open"] if key_of(part) not in kept]
        file = self.folder.file(secrets.token_hex(8))
        if parent.n and before["labels"]:
            KeptRoot(root_path(file), self.problem, self.identity).keep(parent, before["labels"])
        state = {**before, **dict.fromkeys(COUNTS, 0), "open": given}
        write_checkpoint(file, self.identity, state)
        self.state = after
        self.n_free += 1
        self.weight -= math.fsum(part["weight"] for part in given)
        self.write()

    def end(self):
        """Note that the search of the piece has ended, though its gap is not closed."""
        self.state["ended"] = True
        self.write()


def key_of(part):
    """Return the decisions of a subproblem as a value that can be compared."""
    return frozenset(map(tuple, part["pairs"]))


def best_state(states):
    """Return the state with the best matching, None without any."""
    found = [state for state in states if state["labels"]]
    return min(found, key=lambda state: state["value"], default=None)


def work(path, problem, budget, options, search, start=None):
    """Search pieces of a folder until nothing is open or the budget ends; return the Outcome.

    search(piece, start, n_iter) makes the run of a Piece, beginning with the matching `start`,
    after n_iter iterations of others; the start that is given here is used if no piece has a better
    one.
    """
    folder = Folder(path, Checkpoint.identity_of(problem, budget, options))
    n_iter, budget.hears_bounds = 0, False  # a piece has bounds of its own matchings only
    pause = PAUSE
    try:
        while not budget.cut():
            with folder.claim() as name:
                if name is not None:
                    pause = PAUSE
                    piece = Piece(folder, name, problem, budget)
                    best = piece.better_start(better_start(folder, problem, start))
                    outcome = search(piece, best, n_iter)
                    n_iter += outcome.n_iter
                    if outcome.status == "converged" and piece.state and piece.state["open"]:
                        piece.end()
                    if outcome.status != "converged":
                        break
                    continue
            if not folder.is_open():
                break
            with folder.waiting():
                if options["sdp"] != "off":
                    addresses()  # while there is time: the first call imports SciPy
                time.sleep(pause)
            pause = min(LONGER * pause, LONGEST)
    finally:
        budget.hears_bounds = True
    return outcome_of(folder.states(), problem, budget, n_iter)


def better_start(folder, problem, start):
    """Return the better of a matching and those of all pieces; None without any."""
    best = best_state(folder.states().values())
    known = [start] if best is None else [start, np.array(best["labels"], np.int32)]
    known = [labels for labels in known if labels is not None]
    return min(known, key=problem.total_cost, default=None)


def progress_of_all(states):
    """Return how far the search of these pieces is."""
    counts = {name: sum(state[name] for state in states) for name in COUNTS}
    parts = [part for state in states for part in state["open"]]
    return {**progress_of({"open": parts, **counts}), "pieces": len(states)}


def outcome_of(states, problem, budget, n_iter):
    """Return the Outcome of all pieces together."""
    best, ended = best_state(states.values()), not any(map(is_open, states.values()))
    status = "converged" if states and ended else budget.stopped or "iteration_limit"
    if not states:
        return Outcome(status=status, n_iter=n_iter)
    labels = None
    if best is not None:
        labels = np.array(best["labels"], np.int32)
        budget.record(cost=problem.total_cost(labels), labels=labels)
    bound = min(number_of(state["bound"], -math.inf) for state in states.values())
    progress = progress_of_all(states.values())
    budget.remark = describe(progress)
    return Outcome(
        labels=labels,
        bound=bound + problem.offset,
        n_iter=n_iter,
        status=status,
        extra={"checkpoint": progress},
    )
