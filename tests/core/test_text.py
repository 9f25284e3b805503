"""Tables and numbers for people."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from gmtoolbox.core.text import (
    RESULT_HEADINGS,
    count_noun,
    gap_text,
    natural,
    number,
    number_above,
    number_below,
    number_or_inf,
    percent,
    rate_text,
    result_row,
    seconds_text,
    spreadsheet,
    table,
    time_text,
)


@pytest.mark.parametrize(
    "value, shown", [(None, "-"), (math.inf, "-"), (math.nan, "-"), (0.1 + 0.2, "0.3"), (12, "12")]
)
def test_numbers(value, shown):
    assert number(value) == shown


def test_percent():
    assert [percent(x) for x in (None, math.nan, 0.5, 1)] == ["-", "-", "50 %", "100 %"]


def test_all_and_none_are_not_claimed_by_rounding():
    """299 of 300 were '100%'."""
    assert [percent(x) for x in (299 / 300, 0.002, 0.0, -0.0)] == ["> 99 %", "< 1 %", "0 %", "0 %"]


def test_rates_and_upper_bounds():
    """2999 of 3000 was '1.000', 'at most 0.333333' was printed of a bound 0.3333334."""
    shown = [rate_text(x) for x in (2999 / 3000, 1.0, 0.0, 1e-4, 0.5)]
    assert shown == ["> 0.999", "1.000", "0.000", "< 0.001", "0.500"]
    assert number_above(0.3333334, 6) == "0.333334" and number_above(0.25, 6) == "0.25"
    assert number_above(0.0) == "0" and number_above(-0.96695) == "-0.9669"


def test_whole_numbers_are_whole():
    """The values of QAPs: 1185996137 was 1.1859961e+09, the same as its bound 1185996100."""
    assert number(1185996137.0, 8) == "1185996137" and number(5426670) == "5426670"
    assert number(1234567.8) == "1234568" and number(-0.0) == "0" and number(1e300) == "1e+300"
    assert number_or_inf(-math.inf) == "-inf" and number_or_inf(2.5) == "2.5"


@pytest.mark.parametrize(
    "seconds, shown",
    [
        (1234.5, "1234 s"), (999.9, "1000 s"), (300.0, "300 s"), (1.2345, "1.23 s"), (0.0, "0 s"),
        (0.01234, "0.0123 s"), (0.0000123, "0.0000123 s"), (math.inf, "-"), (None, "-"),
    ],
)  # fmt: skip
def test_times_have_no_exponent(seconds, shown):
    """A proof of 20 minutes took '1.23e+03 s', a limit of 300 s was '3e+02 s'."""
    assert seconds_text(seconds) == shown


def test_lower_bounds_are_rounded_downwards():
    """'changing it costs >= 0.967' was printed of a bound 0.96695."""
    rng = np.random.default_rng(0)
    assert number_below(0.96695) == "0.9669" and number_below(-0.96695) == "-0.967"
    assert number_below(0.1 - 1e-17) == "0.1" and number_below(0.0) == "0"
    assert number_below(12345.6) == "12345" and number_below(math.nan) == "-"
    for value in rng.standard_normal(500) * 10.0 ** rng.integers(-8, 9, 500):
        shown = float(number_below(value))
        assert shown <= value + 1e-9 * abs(value) and shown == pytest.approx(value, rel=2e-3)


def test_names_sort_as_people_count():
    names = ["car10", "car2", "bus", "car1b", "car1"]
    assert sorted(names, key=natural) == ["bus", "car1", "car1b", "car2", "car10"]


def test_columns_are_aligned():
    lines = table(["name", "value"], [["a", 1], ["long", 1000]]).splitlines()
    assert lines == ["name  value", "----  -----", "a         1", "long   1000"]


def test_a_row_has_a_cell_per_heading():
    result = SimpleNamespace(
        value=-4.0, bound=-5.0, gap=0.25, time=0.5, n_iter=3, status="converged"
    )
    row = result_row("x", "m", result, 0.5)
    assert len(row) == len(RESULT_HEADINGS)
    shown = dict(zip(RESULT_HEADINGS, row, strict=True))
    assert shown["gap"] == "25 %" and shown["accuracy"] == "50 %" and shown["time"] == "0.5 s"


def test_one_is_no_plural():
    assert (count_noun(1, "run"), count_noun(2, "run"), count_noun(0, "run")) == (
        "1 run",
        "2 runs",
        "0 runs",
    )


@pytest.mark.parametrize("name", ["=1+1", "+1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\uff1d1", "-5"])
def test_no_text_is_a_formula(name):
    assert spreadsheet(name) == f"'{name}"
    for before in "\t\r\n":
        assert spreadsheet(before + name)[0] == "\\"


def test_other_cells_stay_as_they_are():
    for cell in ("a=b", "", "'x", None, -1, -2.5, np.int64(-3), np.float64(-np.inf), True):
        assert spreadsheet(cell) is cell or spreadsheet(cell) == cell
    assert spreadsheet(("=x", 1)) == "('=x', 1)"


def test_gaps_are_in_per_cent_and_rounding_is_none():
    shown = {gap: gap_text(gap) for gap in (0.0, -7.1e-17, 2e-16, 3e-5, 0.00123, 0.31, 3.1)}
    assert list(shown.values()) == ["0", "0", "0", "< 0.01 %", "0.12 %", "31 %", "310 %"]
    assert gap_text(None) == gap_text(float("inf")) == "-"
    assert gap_text(9.9996) == "1000 %"  # was 1e+03 %


@pytest.mark.parametrize(
    "seconds, shown",
    [
        (0.0004, "< 1 ms"), (0.0251, "25 ms"), (0.123, "120 ms"), (0.999, "1 s"), (1.234, "1.2 s"),
        (10.0, "10 s"), (99.0, "99 s"), (180.0, "3 min"), (7200.0, "2 h"), (math.inf, "-"),
    ],
)  # fmt: skip
def test_times_read_as_people_say_them(seconds, shown):
    assert time_text(seconds) == shown
