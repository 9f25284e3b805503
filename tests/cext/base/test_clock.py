"""The clock of C is Python's perf_counter."""

import time

from gmtoolbox.core._ffi import lib


def test_it_lies_between_two_looks_at_pythons():
    for _ in range(100):
        before, seen, after = time.perf_counter(), lib.gm_clock(), time.perf_counter()
        assert before - 1e-6 <= seen <= after + 1e-6
