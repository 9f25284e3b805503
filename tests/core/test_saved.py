"""Fields to plain values and back."""

import json
import math
from dataclasses import dataclass, field, fields

import numpy as np

from gmtoolbox.core.result import trace_dtype
from gmtoolbox.core.saved import (
    array,
    has_plain_name,
    is_required,
    is_saved,
    missing_numbers,
    names,
    plain,
    revive,
    unsaved_field,
    with_floats,
)


@dataclass
class Kept:
    """A field of every kind."""

    labels: object = array("int32")
    trace: object = array(trace_dtype, default=None)
    nodes: object = names(default=None)
    extra: dict = field(default_factory=dict)
    problem: object = unsaved_field(default=None)


FIELD = {f.name: f for f in fields(Kept)}


def test_marks_tell_what_is_kept_and_what_is_needed():
    assert [name for name, f in FIELD.items() if not is_saved(f)] == ["problem"]
    assert [name for name, f in FIELD.items() if is_required(f)] == ["labels"]


def test_plain_values_are_ready_for_json():
    value = {1: np.arange(2), "a": (np.float64(2.5), math.inf, True), "b": {"c": 1j, "d": None}}
    wanted = {"1": [0, 1], "a": [2.5, {"float": "inf"}, True], "b": {"c": "1j", "d": None}}
    assert plain(value) == wanted == json.loads(json.dumps(plain(value), allow_nan=False))


def test_numbers_that_are_not_finite_come_back():
    value = {"a": [1.0, math.inf, -math.inf, math.nan], "b": {"float": "much"}, "c": {"float": 1}}
    again = with_floats(json.loads(json.dumps(plain(value), allow_nan=False)))
    assert repr(again) == repr(value)


def test_fields_come_back():
    missing = missing_numbers("min")
    labels = revive(FIELD["labels"], plain(np.array([1, -1], np.int32)), missing)
    assert labels.dtype == np.int32 and labels.tolist() == [1, -1]
    nodes = ("a", 1, ("b", (2, None)), 2.5, "\ud800", math.inf)
    assert revive(FIELD["nodes"], plain(nodes), missing) == nodes
    assert all(map(has_plain_name, (*nodes, np.int64(3), np.str_("c"))))
    assert not any(map(has_plain_name, (frozenset("ab"), b"x", 1j, ("a", b"x"))))
    assert revive(FIELD["nodes"], None, missing) is None
    assert revive(FIELD["extra"], {"a": [1]}, missing) == {"a": [1]}


def test_trace_comes_back_with_what_json_cannot_hold():
    for sense, sign in (("min", 1), ("max", -1)):
        rows = [(0.5, sign * math.inf, -sign * math.inf), (1, 2, 1)]
        trace = np.array(rows, trace_dtype())
        for kept in (plain(trace), trace):
            again = revive(FIELD["trace"], with_floats(kept), missing_numbers(sense))
            assert again.dtype == trace.dtype and again.tolist() == trace.tolist()
    missing = {"time": [0.5], "value": [None], "bound": [None]}
    again = revive(FIELD["trace"], missing, missing_numbers("max"))
    assert again.tolist() == [(0.5, -math.inf, math.inf)]
