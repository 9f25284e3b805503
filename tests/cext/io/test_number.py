"""Decimal text to double: what Python reads, to the last bit."""

import math
import struct

import pytest
from c_internals import internals
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

ffi, lib = internals("io/number.h")


def read_double(text):
    """(value, how much of the text is the number) or None."""
    source, value = ffi.new("char[]", text.encode()), ffi.new("double *")
    end = lib.gm_read_double(source, value)
    return None if end == ffi.NULL else (value[0], end - source)


def bits(x):
    return struct.pack("<d", x)


@settings(max_examples=times(400), deadline=None)
@given(st.floats(allow_nan=False))
def test_shortest_forms_are_read_back(x):
    value, length = read_double(repr(x) + " ")
    assert bits(value) == bits(x) and length == len(repr(x))


@settings(max_examples=times(400), deadline=None)
@given(st.integers(0, 10**25), st.integers(-340, 320), st.booleans())
def test_any_digits_are_correctly_rounded(digits, exponent, negative):
    text = f"{'-' if negative else ''}{digits}e{exponent}"
    assert bits(read_double(text)[0]) == bits(float(text))


@settings(max_examples=times(200), deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_decimal_points(x):
    assert bits(read_double(f"{x:f}")[0]) == bits(float(f"{x:f}"))


@pytest.mark.parametrize("text", ["", "x", "-", ".", "e5", "+-1"])
def test_no_number(text):
    assert read_double(text) is None


def test_infinity_and_nan_are_numbers():
    assert read_double("inf")[0] == math.inf and read_double("-inf")[0] == -math.inf
    assert math.isnan(read_double("nan")[0])
