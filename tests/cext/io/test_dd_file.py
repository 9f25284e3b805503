"""The parser of dd texts: counts, places of errors, and arrays as written."""

import numpy as np
import pytest

from gmtoolbox.core._ffi import ffi, lib, pointer

GOOD = "c hello\np 2 3 2 1\na 0 0 2 1.5\na 1 1 0 -2\ne 0 1 0.25\nn0 0 1\ni1 2 7 8\n"


def opened(text):
    content = text.encode() + b"\0"
    dd = ffi.new("gm_dd *")
    keep = ffi.from_buffer("char[]", content)
    dd.text, dd.length = keep, len(content) - 1
    return dd, lib.gm_dd_open(dd), keep


def read(text):
    dd, status, keep = opened(text)
    if status != lib.GM_DD_FINE:
        return dd, status, None, keep
    arrays = {
        "left": np.empty(dd.n_candidates, np.int32),
        "right": np.empty(dd.n_candidates, np.int32),
        "cost": np.empty(dd.n_candidates),
        "a": np.empty(dd.n_edges, np.int32),
        "b": np.empty(dd.n_edges, np.int32),
        "edge_cost": np.empty(dd.n_edges),
    }
    pointers = {name: pointer(array) for name, array in arrays.items()}
    for name, place in pointers.items():
        setattr(dd, name, place)
    return dd, lib.gm_dd_read(dd), arrays, (keep, pointers)


def test_a_text_becomes_arrays():
    dd, status, arrays, _ = read(GOOD)
    assert status == lib.GM_DD_FINE and (dd.n1, dd.n2) == (2, 3)
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "left": [0, 1], "right": [2, 0], "cost": [1.5, -2.0],
        "a": [0], "b": [1], "edge_cost": [0.25],
    }  # fmt: skip
    assert list(dd.n_neighbours) == [1, 0] and list(dd.n_points) == [0, 1]


@pytest.mark.parametrize(
    "text, error, line",
    [
        (GOOD.replace("p 2 3", "q 2 3"), "GM_DD_NO_P", 2),
        (GOOD.replace("a 1 1 0", "a 1 2 0"), "GM_DD_RANGE", 4),
        (GOOD.replace("a 1 1", "a 0 1"), "GM_DD_REPEATED", 4),
        (GOOD.replace("e 0 1", "e 1 1"), "GM_DD_LOOP", 5),
        (GOOD.replace("e 0 1 0.25\n", ""), "GM_DD_TOO_FEW", 2),
        (GOOD.replace("1.5", "nan"), "GM_DD_FINITE", 3),
        (GOOD.replace("1.5", "1.5 7"), "GM_DD_MANY_FIELDS", 3),
        (GOOD.replace("1.5", "x"), "GM_DD_NUMBER", 3),
        (GOOD.replace("p 2 3 2 1", "p 2 3 2000000 1"), "GM_DD_TOO_LARGE", 2),
    ],
)
def test_errors_name_the_rule_and_the_line(text, error, line):
    dd, status, _, _ = read(text)
    assert status == getattr(lib, error) == dd.error and dd.line == line
