"""The one rule for gaps (base/gap.c)."""

import math
import sys

import numpy as np
import pytest

from gmtoolbox.core._ffi import lib

TINY, HUGE = 5e-324, sys.float_info.max


def test_a_gap_is_relative_to_the_value_or_what_matchings_differ_in():
    tolerance = lib.gm_tolerance(2.0)
    assert tolerance == 2e-9
    assert lib.gm_relative_gap(-10.0, -11.0, tolerance) == 0.1
    assert lib.gm_relative_gap(0.0, -1.0, tolerance) == pytest.approx(0.5)
    assert lib.gm_relative_gap(1e-9, -1.0, tolerance) == pytest.approx(0.5)


def test_without_a_value_or_a_bound_nothing_is_closed():
    for value, bound in ((math.inf, -1.0), (1.0, -math.inf), (math.inf, math.inf), (math.nan, 0.0)):
        assert not lib.gm_gap_closed(value, bound, 1.0)
        assert lib.gm_relative_gap(value, bound, 1.0) == math.inf


def test_equal_is_closed_at_any_tolerance():
    for value in (0.0, TINY, 1e-310, -3.0, HUGE, -HUGE):
        assert lib.gm_relative_gap(value, value, 0.0) == 0.0
        assert lib.gm_gap_closed(value, value, 0.0)


def test_the_value_does_not_decide():
    for value in (0.0, -1.0, 1e3, -1e3):
        assert lib.gm_gap_closed(value, value - 0.99e-9, 1e-9)
        assert not lib.gm_gap_closed(value, value - 1.01e-9, 1e-9)
    assert not lib.gm_gap_closed(-1e9, -1e9 - 1e-3, 1e-9), "a large value hides nothing"
    assert not lib.gm_gap_closed(0.0, -TINY, 0.0)
    assert not lib.gm_gap_closed(HUGE, -HUGE, HUGE), "the difference overflows"


def test_scaling_by_a_power_of_two_changes_no_gap():
    rng = np.random.default_rng(0)
    for _ in range(200):
        value, distance = rng.normal(), abs(rng.normal()) * 10.0 ** rng.uniform(-12, 0)
        tolerance = lib.gm_tolerance(3.0)
        known = lib.gm_relative_gap(value, value - distance, tolerance)
        closed = lib.gm_gap_closed(value, value - distance, tolerance)
        for exponent in (-900, -30, 10, 900):
            factor = 2.0**exponent
            scaled = (factor * value, factor * (value - distance), lib.gm_tolerance(factor * 3.0))
            assert lib.gm_relative_gap(*scaled) == known
            assert lib.gm_gap_closed(*scaled) == closed
