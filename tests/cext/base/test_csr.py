"""Lists of lists: grouped as numpy groups them."""

import numpy as np
import pytest
from c_internals import internals

ffi, lib = internals("base/csr.h")


def pointer(array):
    kind = {4: "int32_t[]", 8: "int64_t[]"}[array.dtype.itemsize]
    return ffi.from_buffer(kind, array)


@pytest.mark.parametrize("bits, dtype", [(32, np.int32), (64, np.int64)])
def test_counts_become_starts_and_come_back(bits, dtype):
    rng = np.random.default_rng(0)
    for n in range(6):
        counts = rng.integers(0, 4, n)
        start = np.concatenate([[0], counts]).astype(dtype)
        getattr(lib, f"gm_csr_sum{bits}")(pointer(start), n)
        expected = np.concatenate([[0], np.cumsum(counts)]).tolist()
        assert start.tolist() == expected
        start[:n] += counts.astype(dtype)  # as filling leaves it
        getattr(lib, f"gm_csr_rewind{bits}")(pointer(start), n)
        assert start.tolist() == expected


def test_starts_are_widened_with_the_last_one():
    start, wide = np.array([0, 2, 2, 5], np.int32), np.full(4, -7, np.int64)
    lib.gm_csr_widen(3, pointer(start), pointer(wide))
    assert wide.tolist() == start.tolist()


def test_groups_hold_their_members_ascending():
    rng = np.random.default_rng(1)
    for _ in range(20):
        n, m = int(rng.integers(1, 6)), int(rng.integers(1, 12))
        of, second = rng.integers(0, n, (2, m)).astype(np.int32)
        start, member = np.full(n + 1, -7, np.int32), np.empty(m, np.int32)
        lib.gm_csr_group(n, m, pointer(of), pointer(start), pointer(member))
        for i in range(n):
            assert member[start[i] : start[i + 1]].tolist() == np.flatnonzero(of == i).tolist()
        member = np.empty(2 * m, np.int32)
        lib.gm_csr_group_pairs(n, m, *map(pointer, (of, second, start, member)))
        for i in range(n):
            expected = sorted([*np.flatnonzero(of == i), *np.flatnonzero(second == i)])
            assert sorted(member[start[i] : start[i + 1]]) == expected
