"""The one rule for gaps (base/gap.c)."""

import math
import sys

import numpy as np
import pytest

from gmtoolbox.core._ffi import lib

TINY, HUGE = 5e-324, sys.float_info.max


def test_a_gap_is_relative_to_the_value_or_a_millionth_of_the_scale():
    assert lib.gm_relative_gap(-10.0, -11.0, 1.0) == 0.1
    assert lib.gm_relative_gap(0.0, -1e-7, 1.0) == pytest.approx(0.1)
    assert lib.gm_relative_gap(1e-9, -1e-7, 1.0) == pytest.approx(0.101)


def test_without_a_value_or_a_bound_nothing_is_closed():
    for value, bound in ((math.inf, -1.0), (1.0, -math.inf), (math.inf, math.inf), (math.nan, 0.0)):
        assert not lib.gm_gap_closed(value, bound, 1.0)
        assert lib.gm_relative_gap(value, bound, 1.0) == math.inf


def test_equal_is_closed_at_any_scale():
    for value in (0.0, TINY, 1e-310, -3.0, HUGE, -HUGE):
        assert lib.gm_relative_gap(value, value, abs(value)) == 0.0
        assert lib.gm_gap_closed(value, value, 0.0)


def test_closed_from_a_millionth_on():
    assert lib.gm_gap_closed(-1.0, -1.0 - 0.99e-6, 1.0)
    assert not lib.gm_gap_closed(-1.0, -1.0 - 1.01e-6, 1.0)
    assert lib.gm_gap_closed(0.0, -0.99e-12, 1.0) and not lib.gm_gap_closed(0.0, -1.01e-12, 1.0)
    assert not lib.gm_gap_closed(0.0, -TINY, TINY), "no room for rounding where scale is denormal"
    assert not lib.gm_gap_closed(HUGE, -HUGE, HUGE), "the difference overflows"


def test_scaling_by_a_power_of_two_changes_no_gap():
    rng = np.random.default_rng(0)
    for _ in range(200):
        value, distance = rng.normal(), abs(rng.normal()) * 10.0 ** rng.uniform(-9, 0)
        gap = lib.gm_relative_gap(value, value - distance, 3.0)
        for exponent in (-900, -30, 10, 900):
            factor = 2.0**exponent
            scaled = lib.gm_relative_gap(factor * value, factor * (value - distance), factor * 3.0)
            assert scaled == gap
