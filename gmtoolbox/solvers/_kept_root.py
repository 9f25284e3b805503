"""The semidefinite root of a search on disk: a run that goes on begins with it.

The root takes seconds or minutes to make, and whatever opens a subproblem needs its matrices, and
its candidates and pairs that are not deleted. A deleted matching costs at least as much as the best
one of that time, which the file therefore holds, too. A piece that is given away has the parent of
its subproblems as its root.
"""

import math
import os
from contextlib import suppress

from gmtoolbox.core._ffi import ffi, lib, pointer, view
from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.lazy import np
from gmtoolbox.io.checkpoints import read_arrays, write_arrays

MATRICES = ("Y", "Z", "Zt")
NUMBERS = ("scale", "penalty", "lower", "steps")


def root_path(checkpoint):
    """Return the path of the root of a checkpoint file."""
    return f"{os.fspath(checkpoint)}.root"


class KeptRoot:
    """The root of a search in a file; `labels` is the best matching of its time, None without."""

    def __init__(self, path, problem, identity):
        self.path, self.problem, self.identity = path, problem, identity
        self.arrays = read_arrays(path, identity)
        if self.arrays is not None:
            self.check()

    def check(self):
        """FileFormatError unless the arrays are those of a root of this problem."""
        try:
            n = len(self.arrays["slot"])
            wanted = {"allowed": np.uint8, **dict.fromkeys(MATRICES, np.float64)}
            for name, kind in wanted.items():
                found = self.arrays[name]
                if found.dtype != kind or found.shape != (n + 1, n + 1):
                    raise ValueError(f"{name} is not a matrix of {n + 1} rows")
            for name in ("slot", "chosen", "labels"):
                if self.arrays[name].dtype != np.int32 or self.arrays[name].ndim != 1:
                    raise ValueError(f"{name} is not a list of integers")
            numbers = numbers_of(self.arrays)
            if not (all(map(math.isfinite, numbers.values())) and numbers["scale"] > 0):
                raise ValueError(f"its numbers are {numbers}")
            self.problem.candidates_of(self.labels)
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(self.path, f"is not a root of this problem: {error}") from error

    @property
    def labels(self):
        """The best matching that was known when the root was made, None without a file."""
        return None if self.arrays is None else self.arrays["labels"]

    def struct(self):
        """Return the gm_aj_root that a kernel begins with, NULL without a file; it borrows from
        this object.
        """
        return ffi.NULL if self.arrays is None else struct_of(self.arrays)

    def keep(self, root, labels):
        """Write a gm_aj_root; labels: the best matching."""
        self.arrays = {**arrays_of(root), "labels": np.array(labels, np.int32)}
        write_arrays(self.path, self.identity, self.arrays)

    def keep_root_of(self, run, labels):
        """Write the root of a run, if it has one now and none is kept."""
        root = ffi.new("gm_aj_root *")
        if self.arrays is None and labels is not None and lib.gm_aj_lend_root(run, root):
            self.keep(root, labels)

    def remove(self):
        """Delete the file of a search that has ended."""
        with suppress(OSError):
            os.unlink(self.path)


def arrays_of(root):
    """Return the content of a gm_aj_root as arrays."""
    order = root.n + 1
    square = {m: view(getattr(root, m), order**2, float).reshape(order, order) for m in MATRICES}
    return {
        "slot": view(root.slot, root.n, np.int32),
        "chosen": view(root.chosen, root.n_chosen, np.int32),
        "allowed": view(root.allowed, order**2, np.uint8).reshape(order, order),
        **square,
        "numbers": np.array([getattr(root, name) for name in NUMBERS], float),
    }


def numbers_of(arrays):
    """Return the fields of a gm_aj_root that are numbers."""
    found = dict(zip(NUMBERS, arrays["numbers"].tolist(), strict=True))
    return {**found, "steps": int(found["steps"])}


def struct_of(arrays):
    """Return a gm_aj_root that borrows from arrays."""
    lists = {name: pointer(arrays[name]) for name in ("slot", "chosen")}
    matrices = {name: pointer(arrays[name].reshape(-1)) for name in MATRICES}
    allowed = ffi.from_buffer("uint8_t[]", arrays["allowed"])
    sizes = {"n": len(arrays["slot"]), "n_chosen": len(arrays["chosen"])}
    fields = {**sizes, **lists, **matrices, "allowed": allowed, **numbers_of(arrays)}
    return ffi.new("gm_aj_root *", fields)
