"""Results as files: nothing is lost, strangers are refused."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
import scipy.io

import gmtoolbox as gm
from gmtoolbox.core.result import trace_dtype

SUFFIXES = (".json", ".mat", ".csv", ".h5", ".npz")


def results():
    complete = gm.synth.car(seed=0, size=8)
    partial = gm.synth.worms(seed=1, size=6)
    yield gm.gm_solve(complete, "rrwm")  # scores, no bound
    yield gm.gm_solve(partial, "aj", certify=True)  # a certificate
    yield gm.gm_solve(np.array([[0.0, 1.0], [1.0, 0.0]]), shape=(1, 2))  # maximised, not square
    named = gm.gm_solve(complete, "sm")
    yield replace(named, nodes1=tuple("abcdefgh"), nodes2=tuple((k, f"x{k}") for k in range(8)))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("which", range(4))
def test_files_lose_nothing(which, suffix, tmp_path):
    result = list(results())[which]
    path = tmp_path / f"r{suffix}"
    gm.save(result, path)
    back = gm.load_result(path)
    assert back == result
    assert back.to_dict() == result.to_dict()
    assert back.labels.dtype == result.labels.dtype and back.trace.dtype == trace_dtype()
    assert (back.bound, back.gap, back.mapping) == (result.bound, result.gap, result.mapping)


def test_csv_names_its_base_and_pairs(tmp_path):
    result = gm.gm_solve(gm.synth.worms(seed=1, size=6))
    result.save(tmp_path / "r.csv")
    rows = list(csv.DictReader((tmp_path / "r.csv").open()))
    assert [int(row["right_0based"]) for row in rows] == result.labels.tolist()
    assert [int(row["left_0based"]) for row in rows] == list(range(6))


def test_mat_is_one_based_for_matlab(tmp_path):
    result = gm.gm_solve(gm.synth.worms(seed=1, size=6))
    result.save(tmp_path / "r.mat")
    assert (scipy.io.loadmat(tmp_path / "r.mat")["labels"].ravel() == result.labels + 1).all()


def test_json_is_plain_and_verifies(tmp_path):
    from gmtoolbox.verify import read_result, verify

    problem = gm.synth.car(seed=3, size=7)
    result = gm.gm_solve(problem, "aj")
    result.save(tmp_path / "r.json")
    json.loads((tmp_path / "r.json").read_text(), parse_constant=pytest.fail)
    record = read_result(tmp_path / "r.json")
    assert verify(problem, record["labels"], record["value"], record["bound"]).value == result.value


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_strangers_are_refused_in_one_line(suffix, tmp_path):
    path = tmp_path / f"r{suffix}"
    path.write_bytes(b"\x89nothing of ours\n")
    with pytest.raises(gm.FileFormatError):
        gm.load_result(path)
    gm.gm_solve([[1.0]]).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(gm.FileFormatError):
        gm.load_result(path)


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(gm.InputError, match=r"\.json \.mat \.csv \.h5 \.npz"):
        gm.gm_solve([[1.0]]).save(tmp_path / "r.txt")
    with pytest.raises(FileNotFoundError):
        gm.load_result(tmp_path / "absent.npz")
