"""The search of aj on disk: the open subproblems, the bound and the best matching.

A subproblem is a list of decisions: pairs (node, label), label -1 for a node that stays unmatched.
The open subproblems of a checkpoint hold every matching that is better than the best one, or one of
the same cost; all others are proven not to be. A run that goes on begins with the root, which the
subproblems share, and opens them instead of the root's children. A semidefinite root is kept next
to the checkpoint (`NAME.root`); any other one is made again.
"""

import math
import time

from gmtoolbox._version import __version__
from gmtoolbox.core._ffi import check, ffi, lib, pointer, view
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import count_noun, percent, time_text
from gmtoolbox.engine.outcome import Outcome
from gmtoolbox.io.checkpoints import read_checkpoint, write_checkpoint
from gmtoolbox.solvers._kept_root import KeptRoot, root_path

LEAST = 1.0  # seconds between two checkpoints, and
NOTED = 0.2  # between two lists of open subproblems; a cut within a step loses the work since
SHARE = 0.01  # of the time may go into each of them
COUNTS = ("n_iter", "seconds", "runs", "root_seconds")  # of all runs together
ROUGH = 0.01  # of the tree: before this much is closed, nothing is said of the time left


class Checkpoint:
    """The checkpoint file of a run: its content at the beginning, and the content that is written.

    identity is that of the search (`identity_of`). `resumed` is the state that the file had, None
    without a file; `state` the latest one.
    """

    def __init__(self, path, problem, budget, identity):
        self.path, self.problem, self.budget, self.identity = path, problem, budget, identity
        self.from_seconds = 0.0  # of the budget, when the run began
        self.resumed = read_checkpoint(path, self.identity)
        self.state, self.given = self.resumed, None
        self.due = self.note_due = 0.0  # times of the next write, and of the next look
        if self.resumed is not None:
            self.check_resumed()
        self.kept_root = KeptRoot(root_path(path), problem, self.identity)

    @staticmethod
    def identity_of(problem, budget, options):
        """Return the settings that must be equal in all runs of a search."""
        given = problem if budget.given is None else budget.given
        asked = {"problem": fingerprint(given), "method": "aj", "version": __version__}
        return {**asked, "seed": budget.seed, **options}

    def check_resumed(self):
        """Read the open subproblems; FileFormatError unless the state is one of this problem."""
        (n1, n2), allows = self.problem.shape, self.problem.allows
        try:
            if self.labels is not None:
                self.problem.candidates_of(self.labels)
            self.given = arrays_of(self.resumed["open"])
            nodes, labels = self.given["node"], self.given["label"]
            inside = (nodes >= 0) & (nodes < n1) & (labels >= -1) & (labels < n2)
            matched = labels >= 0
            if not (inside.all() and allows(nodes[matched], labels[matched]).all()):
                raise InputError("a decision is not a pair of the problem")
            sum(float(self.resumed[name]) for name in COUNTS)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FileFormatError(self.path, f"is not a checkpoint: {error}") from error

    # ---- the start of a run

    @property
    def labels(self):
        """The best matching of the file, None without one."""
        known = self.resumed and self.resumed["labels"]
        return np.array(known, np.int32) if known else None

    def better_start(self, labels):
        """Return the better of the labels and those of the file; None without any."""
        known = [x for x in (self.labels, self.kept_root.labels, labels) if x is not None]
        return min(known, key=self.problem.total_cost, default=None)

    @property
    def is_finished(self):
        """Whether the run before has ended: nothing is open."""
        return self.resumed is not None and not self.resumed["open"]

    def final_outcome(self):
        """Return the Outcome of a run that had ended."""
        state = self.state
        bound = number_of(state["bound"], -math.inf) + self.problem.offset
        if self.labels is not None:
            self.budget.record(cost=self.problem.total_cost(self.labels), labels=self.labels)
        return Outcome(labels=self.labels, bound=bound, status="converged", extra=self.extra())

    def resume(self):
        """Return the gm_aj_open that the kernel begins with, NULL without a file."""
        if self.resumed is None:
            return ffi.NULL
        n = len(self.given["lower"]) if len(self.given["node"]) else 0  # 0: all is open
        bound = number_of(self.resumed["bound"], -math.inf)
        fields = {name: pointer(array) for name, array in self.given.items()}
        return ffi.new("gm_aj_open *", {"n": n, "bound": bound, **fields})

    # ---- writing

    def take(self, run):
        """Note the state of a run between two slices, and write it, now and then. Returns whether
        it was noted.
        """
        begun = time.perf_counter()
        state = self.state_of(run) if begun >= self.note_due else None
        if state is None:
            return False
        self.state = state
        self.kept_root.keep_root_of(run, state["labels"])
        self.budget.extra = self.extra()
        self.budget.remark = describe(self.budget.extra["checkpoint"])
        now = time.perf_counter()
        self.note_due = now + max(NOTED, (now - begun) / SHARE)
        if now >= self.due:
            self.write()
            done = time.perf_counter()
            self.due = done + max(LEAST, (done - now) / SHARE)
        return True

    def write(self):
        """Write the latest state."""
        write_checkpoint(self.path, self.identity, self.state)

    def finish(self, run):
        """Write the last state; return Result.extra."""
        state = self.state_of(run)
        if state is not None:
            self.state = state
        if self.state is not None:  # a run that was cut has its bound and matching, if nothing else
            self.state.update(
                bound_and_labels(run.value, run.bound, run.labels, run.n1, self.state)
            )
            if run.finished and lib.gm_gap_closed(run.value, run.bound, run.tolerance):
                self.state["open"] = []
            self.write()
            if not self.state["open"]:
                self.kept_root.remove()
        return self.extra()

    def state_of(self, run):
        """Return the open subproblems of a run, None if it was cut in the middle of a step."""
        found = ffi.new("gm_aj_open *")
        status = lib.gm_aj_list_open(run, found)
        if status == lib.GM_ECUT:
            return None
        check(status)
        before = self.resumed or dict.fromkeys(COUNTS, 0)
        state = {
            **bound_and_labels(found.value, found.bound, found.labels, run.n1),
            "n_iter": before["n_iter"] + run.iteration,
            "seconds": before["seconds"] + self.budget.elapsed() - self.from_seconds,
            "runs": before["runs"] + 1,
            "open": list(open_parts(found)),
        }
        at_root = [part["weight"] for part in state["open"]] == [1.0]
        known = before if self.state is None else self.state
        state["root_seconds"] = state["seconds"] if at_root else known["root_seconds"]
        return state

    def extra(self):
        """Return how far the search is, for Result.extra."""
        return {} if self.state is None else {"checkpoint": progress_of(self.state)}


def progress_of(state):
    """Return how far a search is; `closed` is the estimated share of the tree that is done."""
    weight = math.fsum(part["weight"] for part in state["open"])
    counts = {name: state[name] for name in COUNTS}
    return {"closed": min(max(1.0 - weight, 0.0), 1.0), "open": len(state["open"]), **counts}


def arrays_of(parts):
    """Return the arrays of a gm_aj_open of the open subproblems, sorted by their bounds."""
    parts = sorted(parts, key=lambda part: number_of(part["lower"], -math.inf))
    pairs = np.array([pair for part in parts for pair in part["pairs"]], np.int32).reshape(-1, 2)
    return {
        "start": np.cumsum([0, *(len(part["pairs"]) for part in parts)], dtype=np.int64),
        "node": np.ascontiguousarray(pairs[:, 0]),
        "label": np.ascontiguousarray(pairs[:, 1]),
        "lower": np.array([number_of(part["lower"], -math.inf) for part in parts], float),
        "weight": np.array([float(part["weight"]) for part in parts]),
    }


def open_parts(found):
    """Yield the open subproblems of a gm_aj_open as JSON takes them."""
    starts = view(found.start, found.n + 1, np.int64) if found.n else [0]
    pairs = np.stack([view(x, starts[-1], np.int32) for x in (found.node, found.label)], axis=1)
    for k in range(found.n):
        yield {
            "lower": json_number(found.lower[k]),
            "weight": found.weight[k],
            "pairs": pairs[starts[k] : starts[k + 1]].tolist(),
        }


def bound_and_labels(value, bound, labels, n1, known=None):
    """Return value, bound and labels as JSON takes them; known: a state that may have better
    labels.
    """
    fields = {"bound": json_number(bound)}
    if known is None or value < number_of(known["value"], math.inf):
        found = view(labels, n1, np.int32).tolist() if math.isfinite(value) else None
        fields.update(value=json_number(value), labels=found)
    return fields


def json_number(value):
    """Return a number, None if it is infinite."""
    return value if math.isfinite(value) else None


def number_of(value, missing):
    """Return a number of a checkpoint."""
    return missing if value is None else float(value)


def describe(progress):
    """Return the progress of a search and an estimate of the rest, in words."""
    closed, n_busy = progress["closed"], progress.get("processes", 1)
    left = ""
    if closed >= ROUGH:
        below_root = progress["seconds"] - progress["root_seconds"]
        left = f", about {time_text(below_root * (1 - closed) / closed / n_busy)} left"
        if progress.get("pieces", 1) > 1:
            left += f" for {n_busy} processes" if n_busy > 1 else " for one process"
    return (
        f"{percent(closed)} of the tree closed{left}, {count_noun(progress['open'], 'subproblem')}"
    )
