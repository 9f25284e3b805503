"""One thread for BLAS while our own loops use it.

The matrices of a solve are small or are multiplied thousands of times: the threads of BLAS wait by
spinning, which on a busy machine costs more CPU time than they save, and the last digits of a
product may depend on their number. So every solve, and every model that multiplies matrices, runs
under `one_thread`. The environment variable GMTOOLBOX_BLAS_THREADS asks for another number.
"""

import ctypes
import os
import sys
import threading
from functools import cache, wraps
from pathlib import Path

from gmtoolbox.core import lazy
from gmtoolbox.core.errors import InputError

VARIABLE = "GMTOOLBOX_BLAS_THREADS"
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
MARKS = ("openblas", "mkl_rt", "libblis")  # in the name of a library's file
# Modules that bring a library with them when they are imported
BRINGING = ("numpy", "scipy.linalg", "scipy.sparse.linalg", "scipy.optimize", "scipy.spatial")


class OneThread:
    """A context manager in which BLAS has one thread; leaving the last one restores the rest.

    The number of threads is one of the process. Solves in several threads share it.
    """

    def __init__(self):
        self.lock, self.users = threading.Lock(), 0
        self.restored = {}  # path of a library -> (write, number of threads before)

    def __enter__(self):
        wanted = asked_threads()
        with self.lock:
            self.users += 1
            self._limit(wanted)
        return self

    def __exit__(self, *_):
        with self.lock:
            self.users -= 1
            if self.users == 0:
                for write, count in self.restored.values():
                    write(count)
                self.restored.clear()

    def look_again(self):
        """Limit the libraries that an import has brought in the meantime."""
        with self.lock:
            if self.users:
                self._limit(asked_threads())

    def _limit(self, wanted):
        """Give every loaded library that is not limited yet the wanted number of threads."""
        for path, (read, write) in thread_counts(loaded_modules()).items():
            if path not in self.restored:
                self.restored[path] = write, read()
                write(wanted)


one_thread = OneThread()
lazy.after_import.append(one_thread.look_again)


def with_one_thread(function):
    """Make a function run its BLAS calls on one thread."""

    @wraps(function)
    def limited(*arguments, **named):
        with one_thread:
            return function(*arguments, **named)

    return limited


def asked_threads():
    """The number of threads that the environment asks for, 1 by default."""
    given = os.environ.get(VARIABLE, "1")
    if not given.isdecimal() or int(given) < 1:
        raise InputError(f"{VARIABLE} must be a positive number, got {given!r}")
    return int(given)


def loaded_modules():
    """Which of the modules that bring a library have been imported."""
    return tuple(name for name in BRINGING if name in sys.modules)


@cache
def thread_counts(modules):
    """{path: (read, write)} of the number of threads of every loaded BLAS. modules: what has been
    imported, as the libraries are looked for once for every such state.
    """
    found = {}
    for path in library_files():
        handle = loaded_library(path)
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
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        lines = []
    paths.update(line.split(maxsplit=5)[-1] for line in lines if has_mark(Path(line).name))
    return sorted(paths)


def has_mark(name):
    """Whether a file is called like a BLAS."""
    return any(mark in name for mark in MARKS)


def loaded_library(path):
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
