"""Plain matrices from files: names are found, other files are refused."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.io.matrices import read_matrix


def test_numbers_only(tmp_path):
    (tmp_path / "c.tsv").write_text("1\t2\n3\tinf\n")
    matrix, rows, columns = read_matrix(tmp_path / "c.tsv")
    assert matrix.tolist() == [[1.0, 2.0], [3.0, np.inf]] and rows is columns is None


def test_a_line_of_names(tmp_path):
    (tmp_path / "c.csv").write_text("x,y\n1,2\n3,4\n")
    matrix, rows, columns = read_matrix(tmp_path / "c.csv")
    assert matrix.tolist() == [[1, 2], [3, 4]] and rows is None and columns == ("x", "y")


def test_another_suffix_and_damage(tmp_path):
    with pytest.raises(
        gm.InputError,
        match=r"unknown file type of a matrix; known are \.csv \.tsv \.txt \.npy \.npz",
    ):
        read_matrix(tmp_path / "c.dd")
    (tmp_path / "c.npy").write_bytes(b"nothing")
    with pytest.raises(gm.FileFormatError, match="cannot be read as a matrix"):
        read_matrix(tmp_path / "c.npy")
