"""LAPACK for C kernels: the routines that scipy brings, lent as function pointers when one asks."""

import ctypes
from functools import cache

from gmtoolbox.core._ffi import ffi
from gmtoolbox.engine.limits import one_thread

BLAS = "dgemm", "dsyrk", "sgemm", "ssyrk"
LAPACK = "dsyevd", "ssyevd", "dpotrf", "dgeqrf"


class BorrowedLapack:
    """An empty gm_lapack (`struct`) that lend() fills once a kernel has set `wanted`.

    Importing scipy.linalg takes longer than most problems do, so it waits until it is needed. From
    then to the end of the `with` statement BLAS has one thread: see engine.limits.
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
            one_thread.__enter__()

    def __exit__(self, *error):
        if self.lent:
            one_thread.__exit__()


@cache
def addresses():
    """Return addresses of the routines, or {} if those of scipy do not use 32-bit integers."""
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
