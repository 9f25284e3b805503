"""Values: read-only, compared by content, changed by copying."""

import math
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import h5py
import numpy as np
import pytest
from scipy import sparse

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.values import (
    Value,
    check_costs,
    check_finite_scalar,
    check_flag,
    check_index,
    check_sense,
    freeze,
    magnitude,
    same,
)


@dataclass(frozen=True)
class Two(Value):
    x: object
    y: object

    @cached_property
    def total(self):
        return float(self.x.sum())


def test_changed_copies_share_arrays_and_forget_caches():
    one = Two(freeze(np.ones(3)), 1)
    assert one.total == 3.0
    other = one.changed(x=freeze(np.zeros(3)))
    assert other.total == 0.0 and one.total == 3.0 and one.changed(y=2).x is one.x
    assert "total" not in one.__getstate__()


@pytest.mark.parametrize(
    "x, y, equal",
    [
        (np.array([np.nan, 1]), np.array([np.nan, 1]), True),
        (np.array([1]), None, False),
        (None, np.array([1]), False),
        (None, None, True),
        (np.array([1, 2]), np.array([1]), False),
        (sparse.csr_array([[1.0, 0]]), sparse.coo_array([[1.0, 0]]), True),
        (sparse.csr_array([[1.0, 0]]), sparse.csr_array([[1.0, 2]]), False),
        (sparse.csr_array([[1.0, 0]]), np.array([[1.0, 0]]), False),
        ("min", "max", False),
    ],
)
def test_same(x, y, equal):
    assert same(x, y) is equal


def test_checks_copy_and_name_the_rule():
    index = np.array([0, 2], dtype=np.uint8)
    assert check_index("i", index, 3).dtype == np.int32 and check_index("i", [], 0).size == 0
    values = np.array([1.0])
    assert check_costs("c", values) is not values
    for call, message in (
        (lambda: check_index("i", [3], 3), "i must be in 0..2, got 3"),
        (lambda: check_index("i", [1.0], 3), "vector of integers"),
        (lambda: check_index("i", [True], 3), "vector of integers"),
        (lambda: check_costs("c", [0.0, np.inf]), "c\\[1\\] must be finite"),
        (lambda: check_costs("c", [1j]), "real vector"),
        (lambda: check_finite_scalar("offset", np.nan), "offset must be finite"),
        (lambda: check_finite_scalar("offset", [1.0, 2.0]), r"a number, got \[1.0, 2.0\]"),
        (lambda: check_finite_scalar("offset", "1.5"), "a number, got '1.5'"),
        (lambda: check_finite_scalar("offset", h5py.Empty("f8")), "a number, got Empty"),
        (lambda: check_flag("complete", "false"), "True or False, got 'false'"),
        (lambda: check_flag("complete", [0, 1]), r"True or False, got \[0, 1\]"),
        (lambda: check_flag("complete", 2), "True or False, got 2"),
        (lambda: check_flag("complete", h5py.Empty("f8")), "True or False"),
        (lambda: check_sense("up"), "'min' or 'max', got 'up'"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_single_numbers_of_every_kind_are_numbers_and_flags():
    for one in (1, 1.0, True, np.int8(1), np.array([[1.0]]), np.array([True]), np.float32(1)):
        assert check_flag("complete", one) is True and check_finite_scalar("offset", one) == 1.0
    assert check_finite_scalar("offset", Fraction(1, 2)) == 0.5
    assert check_flag("complete", np.bool_(False)) is False


SHARE_OF_OTHER_THREADS = """
import time
import numpy as np
from gmtoolbox.core.values import magnitude

values = np.ones(20_000)
magnitude(values)
time.sleep(0.5)  # new threads of BLAS spin for a tenth of a second
elsewhere, here = time.process_time() - time.thread_time(), time.thread_time()
for _ in range(10_000):
    magnitude(values)
here = time.thread_time() - here
print((time.process_time() - time.thread_time() - elsewhere) / here)
"""


def test_a_magnitude_takes_no_other_threads():
    """The threads of BLAS wait by spinning: a sparse matrix was assigned in 7 ms instead of 0.2."""
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", SHARE_OF_OTHER_THREADS]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert float(done.stdout) < 0.2
    assert magnitude(np.array([3.0, -4.0])) >= 7.0 and math.isnan(magnitude(np.array([math.nan])))
