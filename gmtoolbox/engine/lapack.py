"""LAPACK for C kernels: the routines that scipy brings, lent as function pointers when one asks."""

import ctypes
import threading
from functools import cache
from pathlib import Path

from gmtoolbox.core._ffi import ffi

BLAS, LAPACK = ("dgemm", "dsyrk"), ("dsyevd", "dpotrf", "dgeqrf", "dorgqr")


class SingleThread:
    """OpenBLAS has one thread while anybody needs that; whoever is the last restores the rest."""

    def __init__(self):
        self.lock, self.users, self.counts = threading.Lock(), 0, []

    def begin(self):
        """One more needs it."""
        with self.lock:
            if self.users == 0:
                self.counts = [(put, get()) for get, put in thread_counts()]
                for put, _ in self.counts:
                    put(1)
            self.users += 1

    def end(self):
        """One fewer needs it."""
        with self.lock:
            self.users -= 1
            if self.users == 0:
                for put, count in self.counts:
                    put(count)


single_thread = SingleThread()


class BorrowedLapack:
    """An empty gm_lapack (`struct`) that lend() fills once a kernel has set `wanted`.

    Importing scipy.linalg takes longer than most problems do, so it waits until it is needed. From
    then to the end of the `with` statement OpenBLAS has one thread: the matrices are small, its
    threads wait by spinning, and the result must not depend on their number.
    """

    def __init__(self):
        self.struct = ffi.new("gm_lapack *")
        self.lent = False

    def __enter__(self):
        return self

    def lend(self, run=None):
        """Fill the struct if a kernel has asked for it; `run` makes it a callback of run_kernel."""
        if not self.struct.wanted:
            return
        self.struct.wanted = 0
        for name, address in addresses().items():
            kind = ffi.typeof(getattr(self.struct, name))
            setattr(self.struct, name, ffi.cast(kind, address))
        if not self.lent:
            self.lent = True
            single_thread.begin()

    def __exit__(self, *error):
        if self.lent:
            single_thread.end()


@cache
def thread_counts():
    """(get, set) of the number of threads of every OpenBLAS that scipy has brought with it."""
    import scipy

    found = []
    for library in sorted(Path(scipy.__file__).parent.parent.glob("scipy.libs/*openblas*")):
        handle = ctypes.CDLL(str(library))
        for prefix in ("scipy_openblas", "openblas"):
            for suffix in ("", "64_"):
                names = [f"{prefix}_{verb}_num_threads{suffix}" for verb in ("get", "set")]
                if all(hasattr(handle, name) for name in names):
                    found.append(tuple(getattr(handle, name) for name in names))
    return found


@cache
def addresses():
    """Addresses of the routines, or {} where scipy has others than with 32-bit integers."""
    from scipy.linalg import cython_blas, cython_lapack

    found = {}
    for module, names in ((cython_blas, BLAS), (cython_lapack, LAPACK)):
        for name in names:
            capsule = getattr(module, "__pyx_capi__", {}).get(name)
            signature = None if capsule is None else capsule_name(capsule)
            if signature is None or b" int *" not in signature:
                return {}
            found[name] = capsule_pointer(capsule, signature)
    return found


capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(
    ("PyCapsule_GetName", ctypes.pythonapi)
)
capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
