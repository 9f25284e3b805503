"""Solutions of libmgm: written, read, refused."""

import json

import numpy as np
import pytest
from multi_cases import random_multi

import gmtoolbox as gm
from gmtoolbox.io import libmgm


def test_libmgm_solutions(tmp_path):
    m = random_multi(1, (3, 2, 4))
    r = gm.gm_solve_multi(m, bound="pairs")
    path = tmp_path / "solution.json"
    libmgm.write_solution(r, path)
    tracks = libmgm.read_solution(path)
    assert all(np.array_equal(x, y) for x, y in zip(tracks, r.tracks, strict=True))
    record = json.loads(path.read_text("utf-8"))
    assert record["graph orders"] == [3, 2, 4] and record["energy"] == r.value
    record["labeling"] = {"0, 1": [0, 1, None], "0, 2": [0, 1, None], "1, 2": [1, 0]}
    path.write_text(json.dumps(record))
    with pytest.raises(gm.FileFormatError, match="not consistent"):
        libmgm.read_solution(path)
    matchings, sizes = libmgm.read_matchings(path)
    assert gm.synchronise(matchings, sizes).value == 4
    for labeling, said in (
        ({"0; 1": []}, "keyed by"),
        ({"0, 1": [0]}, "a label for each"),
        ({"0, 1": [0, 9, None]}, "or null"),
        (None, "must be an object"),
    ):
        path.write_text(json.dumps({**record, "labeling": labeling}))
        with pytest.raises(gm.FileFormatError, match=said):
            libmgm.read_solution(path)


@pytest.mark.parametrize(
    "change, said",
    [
        ({"graph orders": [2, 10**30, 2]}, "list of sizes"),
        ({"graph orders": [2, 2, 2**31 - 1]}, "expands to more"),
        ({"graph orders": [2, True, 2]}, "list of sizes"),
        ({"labeling": {"0, ²": []}}, "keyed by"),
        ({"labeling": {"0, 1": [0, True]}}, "must be in 0..1"),
    ],
)
def test_what_fuzzing_found(tmp_path, change, said):
    record = {"graph orders": [2, 2, 2], "labeling": {"0, 1": [0, None]}, **change}
    (tmp_path / "x.json").write_text(json.dumps(record))
    with pytest.raises(gm.InputError, match=said):
        libmgm.read_solution(tmp_path / "x.json")


def test_a_solution_without_matchings(tmp_path):
    record = {"graph orders": [2, 1], "labeling": {}}
    (tmp_path / "x.json").write_text(json.dumps(record))
    assert [own.tolist() for own in libmgm.read_solution(tmp_path / "x.json")] == [[0, 1], [2]]
