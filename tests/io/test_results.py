"""Results as files: nothing is lost, strangers are refused."""

import csv
import gc
import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.io

import gmtoolbox as gm
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.io.formats import RESULT, suffixes_of

SUFFIXES = suffixes_of(RESULT)


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
    rows = list(csv.DictReader((tmp_path / "r.csv").read_text("utf-8").splitlines()))
    assert [int(row["right_0based"]) for row in rows] == result.labels.tolist()
    assert [int(row["left_0based"]) for row in rows] == list(range(6))


def test_mat_is_one_based_for_matlab(tmp_path):
    result = gm.gm_solve(gm.synth.worms(seed=1, size=6))
    result.save(tmp_path / "r.mat")
    assert (scipy.io.loadmat(tmp_path / "r.mat")["labels"].ravel() == result.labels + 1).all()


def test_json_is_plain_and_verifies(tmp_path):
    from gmtoolbox.proofs.verify import read_result, verify

    problem = gm.synth.car(seed=3, size=7)
    result = gm.gm_solve(problem, "aj")
    result.save(tmp_path / "r.json")
    json.loads((tmp_path / "r.json").read_text("utf-8"), parse_constant=pytest.fail)
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        with pytest.raises(gm.FileFormatError):
            gm.load_result(path)
        gc.collect()
    assert not caught  # the file is closed


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(gm.InputError, match=r"\.json \.mat \.csv \.h5 \.npz"):
        gm.gm_solve([[1.0]]).save(tmp_path / "r.txt")
    with pytest.raises(FileNotFoundError):
        gm.load_result(tmp_path / "absent.npz")


# What `gmtoolbox solve --json -m aj car1.dd` of 0.1.0 wrote: improvements, then the answer.
WRITTEN_BY_0_1 = """\
{"iteration": 0, "time": 0.0002, "value": -11.5, "bound": null}
{"iteration": 4, "time": 0.0009, "value": -12.25, "bound": -13.0}
{"instance": "car1", "method": "aj", "iteration": 9, "time": 0.0012, "value": -12.25, \
"bound": -12.25, "gap": 0.0, "status": "optimal", "seed": 0, \
"options": {"branch": true, "maxiter": 10000000}, "labels": [2, -1, 0]}
"""
# What Result.save of 0.1 wrote: no solver_time.
SAVED_BY_0_1 = {
    "format": "gmtoolbox result", "version": 1, "kind": "Result", "base": 0, "value": 5.0,
    "bound": None, "gap": None, "status": "converged", "time": 0.25, "seed": 3, "sense": "max",
    "trace": {"time": [0.1], "value": [5.0], "bound": [None]}, "labels": [1, 0], "shape": [2, 2],
    "method": "rrwm", "options": {"c": 0.2}, "n_iter": 7, "scores": [[0.0, 1.0], [1.0, 0.0]],
    "extra": {}, "nodes1": ["a", "b"], "nodes2": None,
}  # fmt: skip


def test_what_the_command_line_of_0_1_printed_opens(tmp_path):
    (tmp_path / "old.json").write_text(WRITTEN_BY_0_1)
    r = gm.load_result(tmp_path / "old.json")
    assert r.labels.tolist() == [2, -1, 0] and r.shape == (3, 3) and r.sense == "min"
    assert (r.value, r.bound, r.gap, r.status, r.method) == (-12.25, -12.25, 0.0, "optimal", "aj")
    assert r.n_iter == 9 and r.time == r.solver_time == 0.0012, "time was the solver's"
    assert r.trace["value"].tolist() == [-11.5, -12.25] and r.trace["bound"][0] == -np.inf
    (tmp_path / "one.json").write_text(WRITTEN_BY_0_1.splitlines()[-1])
    assert gm.load_result(tmp_path / "one.json").labels.tolist() == [2, -1, 0]


def test_what_save_of_0_1_wrote_opens(tmp_path):
    (tmp_path / "old.json").write_text(json.dumps(SAVED_BY_0_1))
    r = gm.load_result(tmp_path / "old.json")
    assert r.time == r.solver_time == 0.25 and r.bound == np.inf and r.gap == np.inf
    assert r.mapping == {"a": 1, "b": 0} and r.trace["bound"][0] == np.inf
    r.save(tmp_path / "new.json")
    assert gm.load_result(tmp_path / "new.json") == r


def test_what_the_command_line_prints_now_opens(tmp_path, capsys):
    from gmtoolbox.cli import main

    problem = gm.Problem.from_matrix(np.diag([1.0, 5.0, 5.0, 1.0]))
    gm.save(problem, tmp_path / "p.h5")
    assert main(["solve", str(tmp_path / "p.h5"), "--json"]) == 0
    (tmp_path / "r.json").write_text(capsys.readouterr().out)
    r = gm.load_result(tmp_path / "r.json")
    assert r.sense == "max" and r.shape == (2, 2) and r.value == 10.0
    assert r.bound == pytest.approx(10.0)


@pytest.mark.parametrize("text", ['{"value": 1}', '{"labels": [0]}', "[]", "{}\n{}", "3\n4"])
def test_lines_without_an_answer_are_refused(tmp_path, text):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(gm.FileFormatError, match="is no saved result"):
        gm.load_result(tmp_path / "r.json")


@pytest.mark.parametrize("suffix", [".json", ".csv", ".h5", ".npz", ".mat"])
def test_confidence_goes_along(suffix, tmp_path):
    """With inf, which JSON does not have; in a table it is a column of its own."""
    problem = gm.Problem((3, 2), [0, 1, 1], [0, 0, 1], [1.0, 1.0, 1.0], complete=True)
    result = gm.gm_solve(problem)
    assert np.array_equal(result.confidence, [np.inf, np.inf, np.nan], equal_nan=True)
    result.save(tmp_path / f"r{suffix}")
    again = gm.load_result(tmp_path / f"r{suffix}")
    assert np.array_equal(again.confidence, result.confidence, equal_nan=True)
    if suffix == ".csv":
        header, *rows = csv.reader((tmp_path / "r.csv").read_text("utf-8").splitlines())
        assert [row[header.index("confidence")] for row in rows] == ["inf", "inf", ""]


FORMULAS = ("=1+1", "+1", "-2-3", "@SUM(A1)", "\t=1", "\r=1")


def test_names_are_no_formulas_in_csv_and_come_back_unchanged(tmp_path):
    n = len(FORMULAS)
    p = gm.Problem.from_matrix(np.eye(n * n), nodes1=FORMULAS, nodes2=FORMULAS)
    result = gm.gm_solve(p, "fw")
    result.save(tmp_path / "r.csv")
    with open(tmp_path / "r.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for name, cell in row.items():
            if name not in ("left_0based", "right_0based"):
                assert not cell.startswith(tuple("=+-@\t\r")), (name, cell)
    again = gm.load_result(tmp_path / "r.csv")
    assert again.nodes1 == again.nodes2 == FORMULAS and again == result
