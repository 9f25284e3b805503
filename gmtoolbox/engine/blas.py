"""The BLAS libraries that this process has loaded, and their numbers of threads."""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path

# Functions (read, write) of the number of threads, as the libraries name them
OPENBLAS = [
    tuple(f"{prefix}_{verb}_num_threads{suffix}" for verb in ("get", "set"))
    for prefix in ("scipy_openblas", "openblas")
    for suffix in ("", "64_", "_64")
]
NAMES = [
    *OPENBLAS,
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
    ("bli_thread_get_num_threads", "bli_thread_set_num_threads"),
]
MAPS = Path("/proc/self/maps")
MARKS = ("openblas", "mkl_rt", "libblis")  # in the name of a library's file


@cache
def thread_counts(modules):
    """{path: (read, write)} of the number of threads of every loaded BLAS. modules: the modules
    that have been imported, as the libraries are looked for once for every such state.
    """
    found = {}
    for path in library_files():
        handle = find_loaded_library(path)
        names = [pair for pair in NAMES if all(hasattr(handle, name) for name in pair)]
        if names:
            found[path] = tuple(getattr(handle, name) for name in names[0])
    return found


def library_files():
    """Paths of files that may be a BLAS: those that wheels of numpy and scipy contain, and, on
    Linux, all that this process has mapped.
    """
    paths = set()
    for name in ("numpy", "scipy"):
        if name in sys.modules:
            package = Path(sys.modules[name].__file__).parent
            for folder in (package.parent / f"{name}.libs", package / ".dylibs"):
                paths.update(str(file) for file in folder.glob("*") if has_mark(file.name))
    try:
        lines = os.fsdecode(MAPS.read_bytes()).split("\n")  # paths in any encoding
    except OSError:
        lines = []
    paths.update(line.split(maxsplit=5)[-1] for line in lines if has_mark(Path(line).name))
    return sorted(paths)


def has_mark(name):
    """Whether a file is called like a BLAS."""
    return any(mark in name for mark in MARKS)


def find_loaded_library(path):
    """A handle of a library if the process has loaded it, else None: it is never loaded here."""
    try:
        if sys.platform == "win32":
            handle = ctypes.WinDLL("kernel32").GetModuleHandleW
            handle.restype, handle.argtypes = ctypes.c_void_p, [ctypes.c_wchar_p]
            address = handle(os.path.basename(path))
            return ctypes.CDLL(path, handle=address) if address else None
        return ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None
