"""engine/lapack: scipy's routines as function pointers, lent when asked for, with one thread."""

import numpy as np

from gmtoolbox.core._ffi import ffi, pointer
from gmtoolbox.engine.lapack import BorrowedLapack, thread_counts


def test_nothing_is_lent_before_it_is_wanted():
    with BorrowedLapack() as lapack:
        lapack.lend()
        assert not lapack.struct.dgemm and not lapack.lent


def test_a_lent_cholesky_factorises_and_threads_come_back():
    before = [get() for get, _ in thread_counts()]
    a = np.array([4.0, 2.0, 2.0, 5.0])
    with BorrowedLapack() as lapack:
        lapack.struct.wanted = 1
        lapack.lend()
        assert [get() for get, _ in thread_counts()] == [1] * len(before)
        order, info = ffi.new("int *", 2), ffi.new("int *")
        lapack.struct.dpotrf(ffi.new("char *", b"L"), order, pointer(a), order, info)
        assert info[0] == 0
    assert a[:2].tolist() == [2.0, 1.0] and a[3] == 2.0
    assert [get() for get, _ in thread_counts()] == before


def test_threads_come_back_when_the_last_borrower_is_done():
    before = [get() for get, _ in thread_counts()]
    first, second = BorrowedLapack(), BorrowedLapack()
    for lapack in (first, second):
        lapack.struct.wanted = 1
        lapack.lend()
    first.__exit__()
    assert [get() for get, _ in thread_counts()] == [1] * len(before)
    second.__exit__()
    assert [get() for get, _ in thread_counts()] == before
