"""The two ways between MATLAB's numbers and ours."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.values import one_based, zero_based


def test_there_and_back():
    labels = np.array([2, -1, 0], dtype=np.int32)
    assert one_based(labels).tolist() == [3.0, 0.0, 1.0]
    assert one_based(labels).dtype == np.float64
    assert zero_based(one_based(labels)).tolist() == labels.tolist()
    assert zero_based([]).dtype == np.int64


def test_unsigned_numbers_do_not_wrap():
    assert zero_based(np.array([0, 3], dtype=np.uint8)).tolist() == [-1, 2]


@pytest.mark.parametrize("field", ["ground_truth", "neighbours1"])
def test_files_hold_one_based_numbers(tmp_path, field):
    value = {"ground_truth": [1, -1], "neighbours1": [[0, 1]]}[field]
    problem = gm.Problem((2, 2), [0, 1], [1, 0], [1.0, 2.0], **{field: value})
    gm.save(problem, tmp_path / "x.mat")
    from scipy.io import loadmat

    assert np.ravel(loadmat(tmp_path / "x.mat")[field]).tolist() == (np.ravel(value) + 1).tolist()
    assert getattr(gm.load(tmp_path / "x.mat"), field).tolist() == value
