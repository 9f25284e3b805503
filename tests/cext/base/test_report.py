"""Values and bounds with the constant of the problem (base/report.c)."""

import math
from fractions import Fraction

import numpy as np

from gmtoolbox.core._ffi import lib


def test_values_are_sums_in_the_callers_sense():
    assert lib.gm_report_value(2.0, 0.5, 0) == 2.5 and lib.gm_report_value(2.0, 0.5, 1) == -2.5


def test_a_bound_with_its_constant_never_passes_the_exact_sum():
    rng = np.random.default_rng(0)
    rounded_up = 0
    for _ in range(2000):
        bound, offset = rng.normal() * 10.0 ** rng.integers(-9, 9), rng.normal()
        exact = Fraction(bound) + Fraction(offset)
        shown = lib.gm_report_bound(bound, offset, 0)
        rounded_up += Fraction(bound + offset) > exact
        assert Fraction(shown) <= exact
        assert math.nextafter(shown, math.inf) >= bound + offset, "and is the nearest such double"
        assert lib.gm_report_bound(bound, offset, 1) == -shown
    assert rounded_up > 100


def test_no_bound_stays_none():
    assert lib.gm_report_bound(-math.inf, 3.0, 0) == -math.inf
    assert lib.gm_report_bound(-math.inf, 3.0, 1) == math.inf


def test_a_verdict_caps_the_bound_and_decides_before_the_offset():
    end = lib.gm_settle(-2.0, -1.9, 1e12, False, 3e-9, 0.0)
    assert (end.value, end.bound, end.gap, end.closed) == (1e12 - 2, 1e12 - 2, 0.0, 1)
    end = lib.gm_settle(-2.0, -2.5, 1e12, True, 2e-9, 0.0)
    assert (end.value, end.bound, end.gap, end.closed) == (2 - 1e12, 2.5 - 1e12, 0.25, 0)
    for bound in (-math.inf, math.nan):
        end = lib.gm_settle(-2.0, bound, 0.0, False, 3e-9, 1.0)
        assert (end.gap, end.closed) == (math.inf, 0) and not math.isfinite(end.bound)


def test_rounding_counts_where_it_is_more_than_the_tolerance():
    gap = 2.0**-30
    assert not lib.gm_settle(-2.0, -2.0 - gap, 0.0, False, gap / 2, gap / 2).closed
    assert lib.gm_settle(-2.0, -2.0 - gap, 0.0, False, gap, 0.0).closed
    assert lib.gm_settle(-2.0, -2.0 - gap, 0.0, False, 0.0, gap).closed
