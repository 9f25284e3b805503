"""gmtoolbox info: the sizes and kinds of problem files."""

import json

import numpy as np
import pytest
from command_line import call, small_file, small_problem

import gmtoolbox as gm


@pytest.fixture
def problem():
    return small_problem()


@pytest.fixture
def file(tmp_path):
    return small_file(tmp_path)


def test_info_prints_the_dataset_columns(capsys, file, problem):
    status, out, _ = call(capsys, "info", file, "--json")
    record = json.loads(out)
    n = problem.shape[0] * problem.shape[1]
    assert status == 0 and (record["n_left"], record["n_right"]) == problem.shape
    assert record["density"] == pytest.approx(100 * np.count_nonzero(problem.K.toarray()) / n**2)
    assert record["diagonal_density"] == pytest.approx(100 * problem.Ct.sum() / n)
    assert (
        record["nonpositive"]
        and not record["zero_unary"]
        and not record["bijective"]
        and not record["injective"]
    )
    assert call(capsys, "info", file)[1].splitlines()[0].split()[0] == "instance:"


def test_folder_gives_each_instance_once_in_natural_order(capsys, tmp_path, problem):
    for name in ("car10.dd", "car2.dd", "car2.dd.xz", "car1.dd.gz"):
        gm.save(problem, tmp_path / name)
    _, out, _ = call(capsys, "info", tmp_path, "--json")
    assert [json.loads(line)["instance"] for line in out.splitlines()] == ["car1", "car2", "car10"]


def test_info_says_what_was_taken_for_what(capsys, tmp_path):
    from scipy.io import savemat

    savemat(tmp_path / "mine.mat", {"W": np.ones((6, 6)), "E12": np.ones((2, 3)), "other": 1.0})
    status, out, _ = call(capsys, "info", tmp_path / "mine.mat")
    assert status == 0
    assert (
        "read as: W (6 x 6): affinity matrix, by its name; E12 (2, 3): mask of the allowed"
        " assignments" in " ".join(out.split())
    )
