"""Build description of gmtoolbox._cext: every C file below cext/src, declared by
cext/include/gm.h and what it includes.
"""

import os
import re
import sys
import sysconfig
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent
INCLUDE = HERE / "include"

# No -ffast-math, no -march=native and no contraction: kernels must agree across machines.
FLAGS = ["-O3", "-std=c11", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Wshadow"]
# The module exports what Python looks for and nothing else. On Windows it brings the parts of gcc's
# library that it uses.
LINK = {
    "linux": [f"-Wl,--version-script={HERE / 'exported.map'}"],
    "darwin": ["-Wl,-exported_symbol,_PyInit__cext"],
    "win32": ["-static"],
}.get(sys.platform, [])
FLAGS += os.environ.get("GMTOOLBOX_CFLAGS", "").split()

# Python calls the entry in this folder, which calls the one that cffi writes
MODULE = HERE / "python"
RENAMED = "#define PyInit__cext gm_cffi_module"


def declarations(header: Path, seen: set) -> str:
    """What cffi can parse of a header: the headers of ours that it includes, each once, then its
    own lines without those of the preprocessor.
    """
    if header in seen:
        return ""
    seen.add(header)
    text = header.read_text()
    included = re.findall(r'^#include "([^"]+)"', text, re.M)
    own = "\n".join(line for line in text.splitlines() if not re.match(r"\s*#", line))
    return "\n".join([*(declarations(INCLUDE / name, seen) for name in included), own])


def relative(path: Path) -> str:
    """setuptools wants paths relative to setup.py."""
    return os.path.relpath(path, HERE.parent)


included = {"gm.h": INCLUDE}
if "-DGM_MEASURE_LOOKS" in FLAGS:  # see benchmarks/bench_looks.py
    included["base/looks.h"] = HERE / "src"

ffibuilder = FFI()
for name, folder in included.items():
    ffibuilder.cdef(declarations(folder / name, set()))
ffibuilder.set_source(
    "gmtoolbox._cext",
    "\n".join([*(f'#include "{name}"' for name in included), RENAMED]),
    sources=[
        relative(source)
        for folder in (HERE / "src", MODULE)
        for source in sorted(folder.rglob("*.c"))
    ],
    depends=[relative(header) for header in sorted(HERE.rglob("*.h"))],
    include_dirs=[relative(INCLUDE), relative(HERE / "src")],
    extra_compile_args=FLAGS,
    extra_link_args=LINK + os.environ.get("GMTOOLBOX_LDFLAGS", "").split(),
    libraries=["m"],
    py_limited_api=not sysconfig.get_config_var("Py_GIL_DISABLED"),
)

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)
