"""Many graphs as a folder."""

import json

import pytest
from multi_cases import check_kept

import gmtoolbox as gm


def test_folders_keep_everything(tmp_path, scene):
    check_kept(scene, tmp_path, "folder")


def test_folders_refuse_what_is_wrong(tmp_path, scene):
    gm.save(scene, tmp_path / "f")
    with pytest.raises(gm.InputError, match="new or an empty"):
        gm.save(scene, tmp_path / "f")
    index = tmp_path / "f" / "multi.json"
    record = json.loads(index.read_text("utf-8"))
    gm.save(scene, tmp_path / "f" / "many.dd")
    (tmp_path / "f" / "g").mkdir()
    for change, said in (
        ({"format": "x"}, "format"),
        ({"pairs": {"0 1": "../x.dd"}}, "plain file name"),
        ({"pairs": {"0": None}}, "keyed by"),
        ({"sizes": [1, 2, 3, 4]}, "one size"),
        ({"sizes": [1, 2, 3, float("inf")]}, "list of sizes"),  # the rest was found by fuzzing
        ({"sizes": [1, 2, 3, 2**31 - 1]}, "expands to more"),
        ({"pairs": {"0 1": ""}}, "plain file name"),  # the folder itself, and so on for ever
        ({"pairs": {"0 ²": None}}, "keyed by"),
        ({"pairs": {"0 1": ".."}}, "plain file name"),
        ({"pairs": {"0 1": "g"}}, "is a folder"),  # two folders that name each other, for ever
        ({"pairs": {"0 1": "a\nb.dd"}}, "plain file name"),
        ({"pairs": {"0 1": "many.dd"}}, "must be a Problem"),
    ):
        index.write_text(json.dumps({**record, **change}))
        with pytest.raises(gm.InputError, match=said):
            gm.load(tmp_path / "f")
