"""What the JSON files beside an instance say about it."""

import json

import pytest

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.io.files import read_json
from gmtoolbox.io.formats import is_declared_complete


@pytest.mark.parametrize(
    "dataset, own, expected",
    [
        (None, None, False),
        ({"instances": ["x"], "complete": True}, None, True),
        ({"instances": ["y"], "complete": True}, None, False),
        ({"instances": ["x"], "complete": True}, {"complete": False}, False),
        ({"instances": ["x"]}, {"complete": True}, True),
        ({"instances": "x", "complete": True}, None, False),
    ],
)
def test_only_a_listed_instance_is_declared(tmp_path, dataset, own, expected):
    for name, content in (("dataset.json", dataset), ("x.json", own)):
        if content is not None:
            (tmp_path / name).write_text(json.dumps(content))
    assert is_declared_complete(tmp_path / "x.dd", "x") is expected


@pytest.mark.parametrize("text", ["{", "[1]", "\ufeffx", "[" * 100_000])
def test_broken_json_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match="x.json"):
        read_json(tmp_path / "x.json")
