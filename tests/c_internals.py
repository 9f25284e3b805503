"""The C functions behind the kernels, for tests: declared by their own headers, called in a library
that is linked from the objects of the compiled module and exports all of them.

`internals("moves/maxflow.h")` gives (ffi, lib) with everything that header and those it includes
declare, but not inline functions and macros.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import cffi
import numpy as np

from gmtoolbox.core._ffi import ffi as product

ROOT = Path(__file__).resolve().parents[1]
CEXT = ROOT / "cext"
CHECKS = ROOT / "tests" / "cext" / "checks"  # C files of the tests, which read the kernels' state
INCLUDED = ["-std=c11", "-O1", f"-I{CEXT / 'include'}", f"-I{CEXT / 'src'}"]


def header(name):
    """Path of a header."""
    if (CHECKS / name).exists():
        return CHECKS / name
    public = name == "gm.h" or name.startswith("gm/")
    return CEXT / ("include" if public else "src") / name


def texts(name, seen):
    """Declarations of a header, those it includes first, each once."""
    if name in seen:
        return
    seen.add(name)
    text = header(name).read_text("utf-8")
    for included in re.findall(r'#include "([^"]+)"', text):
        yield from texts(included, seen)
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    text = re.sub(r"^static inline [^;{]*\{.*?^\}", "", text, flags=re.M | re.S)
    yield re.sub(r"^static const [^;]*;", "", text, flags=re.M | re.S)


@cache
def link_internals():
    """Return the path of the library, linked again if the module has been built since."""
    built = ROOT / "build" / "objects" / "newest.json"
    library = ROOT / "build" / "internals.so"
    if not built.exists():
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(command, cwd=ROOT, check=True, timeout=600)
    checks = sorted(CHECKS.glob("*.c"))
    newest = max(path.stat().st_mtime_ns for path in (built, *checks))
    if not library.exists() or library.stat().st_mtime_ns < newest:
        objects = [path for path in json.loads(built.read_text("utf-8")) if "/cext/src/" in path]
        compiler = os.environ.get("CC", "cc").split()
        flags = [*os.environ.get("GMTOOLBOX_LDFLAGS", "").split(), *INCLUDED]
        with tempfile.TemporaryDirectory(dir=library.parent) as folder:
            made = Path(folder) / library.name
            command = [*compiler, "-shared", "-fPIC", "-o", str(made), *checks, *objects]
            subprocess.run([*command, "-lm", *flags], check=True, timeout=120)
            made.replace(library)  # whole, also if two processes link at once
    return library


@cache
def open_internals():
    """Return (ffi, lib, names of the headers that it knows): one of the process, since parsing the
    same headers again for every file of tests takes seconds.
    """
    ffi = cffi.FFI()
    return ffi, ffi.dlopen(str(link_internals())), set()


def internals(*names):
    """(ffi, lib) with what the headers of these names declare."""
    ffi, lib, known = open_internals()
    for name in names:
        for text in texts(name, known):
            ffi.cdef(text)
    return ffi, lib


def as_other(ffi, kind, pointer):
    """The same address as a pointer of another FFI."""
    return ffi.cast(kind, int(product.cast("uintptr_t", pointer)))


class Indexed:
    """A problem's gm_index with what tests want of it: slots, labels, costs."""

    def __init__(self, problem, *names):
        self.ffi, self.lib = internals("model/index.h", *names)
        self.problem = problem
        self.arrays = [
            np.ascontiguousarray(getattr(problem, name))
            for name in ("left", "right", "cost", "a", "b", "edge_cost")
        ]
        kinds = ("int32_t[]", "int32_t[]", "double[]", "int32_t[]", "int32_t[]", "double[]")
        pointers = [
            self.ffi.from_buffer(kind, array)
            for kind, array in zip(kinds, self.arrays, strict=True)
        ]
        model = self.ffi.new("gm_model *")
        model.n1, model.n2 = problem.shape
        model.n_candidates, model.n_edges = problem.n_candidates, problem.n_edges
        model.complete = problem.complete
        model.left, model.right, model.cost, model.a, model.b, model.edge_cost = pointers
        self.model, self.pointers = model, pointers
        made = self.lib.gm_index_new(model, self.ffi.NULL)
        self.index = self.ffi.gc(made, self.lib.gm_index_free)
        assert self.index != self.ffi.NULL

    def pool(self):
        """A new gm_pool."""
        return self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)

    def slots(self, labels):
        """int32_t[n1] of a matching."""
        found = [self.lib.gm_index_slot(self.index, i, int(s)) for i, s in enumerate(labels)]
        return self.ffi.new("int32_t[]", found)

    def labels(self, slots):
        """Labels of slots."""
        return np.array(
            [-1 if slots[i] < 0 else self.index.slot_label[slots[i]] for i in range(self.index.n1)]
        )

    def cost(self, slots):
        """Cost of a matching given by slots."""
        chosen = self.ffi.new("uint8_t[]", self.index.n_slots)
        return self.lib.gm_index_cost(self.index, slots, chosen)
