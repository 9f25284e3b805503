"""Fields to plain values and back."""

import json
import math
from dataclasses import dataclass, field, fields

import numpy as np

from gmtoolbox.core.result import trace_dtype
from gmtoolbox.core.saved import array, is_required, is_saved, names, plain, revived, unsaved


@dataclass
class Kept:
    """A field of every kind."""

    labels: object = array("int32")
    trace: object = array(trace_dtype, default=None)
    nodes: object = names(default=None)
    extra: dict = field(default_factory=dict)
    problem: object = unsaved(default=None)


FIELD = {f.name: f for f in fields(Kept)}


def test_marks_tell_what_is_kept_and_what_is_needed():
    assert [name for name, f in FIELD.items() if not is_saved(f)] == ["problem"]
    assert [name for name, f in FIELD.items() if is_required(f)] == ["labels"]


def test_plain_values_are_ready_for_json():
    value = {1: np.arange(2), "a": (np.float64(2.5), math.inf, True), "b": {"c": 1j, "d": None}}
    wanted = {"1": [0, 1], "a": [2.5, None, True], "b": {"c": "1j", "d": None}}
    assert plain(value) == wanted == json.loads(json.dumps(plain(value), allow_nan=False))


def test_fields_come_back():
    labels = revived(FIELD["labels"], plain(np.array([1, -1], np.int32)), -math.inf)
    assert labels.dtype == np.int32 and labels.tolist() == [1, -1]
    nodes = ("a", 1, ("b", 2))
    assert revived(FIELD["nodes"], plain(nodes), -math.inf) == nodes
    assert revived(FIELD["nodes"], None, -math.inf) is None
    assert revived(FIELD["extra"], {"a": [1]}, -math.inf) == {"a": [1]}


def test_trace_comes_back_with_what_json_cannot_hold():
    for sign in (1, -1):  # minimised, maximised
        trace = np.array([(0.5, sign * math.inf, -sign * math.inf), (1, 2, 1)], trace_dtype())
        again = revived(FIELD["trace"], plain(trace), -sign * math.inf)
        assert again.dtype == trace.dtype and again.tolist() == trace.tolist()
