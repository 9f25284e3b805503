"""Build description of gmtoolbox._cext: every C file below cext/src, declared by
cext/include/gm.h.
"""

import os
import re
import sys
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent
HEADER = HERE / "include" / "gm.h"

# No -ffast-math, no -march=native and no contraction: kernels must agree across machines.
FLAGS = ["-O3", "-std=c11", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Wshadow"]
# On Windows the module brings the parts of gcc's library that it uses.
LINK = ["-static"] if sys.platform == "win32" else []
FLAGS += os.environ.get("GMTOOLBOX_CFLAGS", "").split()


def declarations(header: str) -> str:
    """The header without its preprocessor lines: what cffi can parse."""
    return "\n".join(line for line in header.splitlines() if not re.match(r"\s*#", line))


def relative(path: Path) -> str:
    """setuptools wants paths relative to setup.py."""
    return os.path.relpath(path, HERE.parent)


ffibuilder = FFI()
ffibuilder.cdef(declarations(HEADER.read_text()))
ffibuilder.set_source(
    "gmtoolbox._cext",
    '#include "gm.h"',
    sources=[relative(source) for source in sorted((HERE / "src").rglob("*.c"))],
    depends=[relative(header) for header in sorted(HERE.rglob("*.h"))],
    include_dirs=[relative(HEADER.parent), relative(HERE / "src")],
    extra_compile_args=FLAGS,
    extra_link_args=LINK + os.environ.get("GMTOOLBOX_LDFLAGS", "").split(),
    libraries=["m"],
    py_limited_api=True,
)

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)
