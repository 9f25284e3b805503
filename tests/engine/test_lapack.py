"""engine/lapack: scipy's routines as function pointers, lent when asked for, with one thread."""

import numpy as np
import scipy.linalg  # noqa: F401  (its BLAS is counted)

from gmtoolbox.core._ffi import ffi, pointer
from gmtoolbox.engine.blas import thread_counts
from gmtoolbox.engine.lapack import BorrowedLapack
from gmtoolbox.engine.limits import list_loaded_modules


def counts():
    """Threads of every BLAS that is loaded."""
    return [read() for read, _ in thread_counts(list_loaded_modules()).values()]


def test_nothing_is_lent_before_it_is_wanted():
    with BorrowedLapack() as lapack:
        lapack.lend()
        assert not lapack.struct.dgemm and not lapack.lent


def test_a_lent_cholesky_factorises_and_threads_come_back():
    before = counts()
    a = np.array([4.0, 2.0, 2.0, 5.0])
    with BorrowedLapack() as lapack:
        lapack.struct.wanted = 1
        lapack.lend()
        assert counts() == [1] * len(before)
        order, info = ffi.new("int *", 2), ffi.new("int *")
        lapack.struct.dpotrf(ffi.new("char *", b"L"), order, pointer(a), order, info)
        assert info[0] == 0
    assert a[:2].tolist() == [2.0, 1.0] and a[3] == 2.0
    assert counts() == before


def test_threads_come_back_when_the_last_borrower_is_done():
    before = counts()
    first, second = BorrowedLapack(), BorrowedLapack()
    for lapack in (first, second):
        lapack.struct.wanted = 1
        lapack.lend()
    first.__exit__()
    assert counts() == [1] * len(before)
    second.__exit__()
    assert counts() == before
