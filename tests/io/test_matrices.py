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


NUMBERS = [[4.0, 1.5], [2.0, 9.0]]


@pytest.mark.parametrize(
    "text, rows, columns",
    [
        (",0,1\n0,4.0,1.5\n1,2.0,9.0\n", None, None),  # pandas.DataFrame(C).to_csv()
        (",x,y\n0,4.0,1.5\n1,2.0,9.0\n", None, ("x", "y")),
        (",x,y\n7,4.0,1.5\n8,2.0,9.0\n", ("7", "8"), ("x", "y")),
        (",0,1\nann,4.0,1.5\nbob,2.0,9.0\n", ("ann", "bob"), None),
        (",101,102\nann,4.0,1.5\nbob,2.0,9.0\n", ("ann", "bob"), ("101", "102")),
        ("id,101,102\n7,4.0,1.5\n8,2.0,9.0\n", ("7", "8"), ("101", "102")),
        ("a_1,4.0,1.5\n1_1,2.0,9.0\n", ("a_1", "1_1"), None),
        ("1_1,4.0,1.5\n1_2,2.0,9.0\n", ("1_1", "1_2"), None),  # Python reads 1_1 as 11
    ],
)
def test_names_that_are_numbers_are_no_costs(tmp_path, text, rows, columns):
    (tmp_path / "c.csv").write_text(text)
    matrix, *names = read_matrix(tmp_path / "c.csv")
    assert matrix.tolist() == NUMBERS and names == [rows, columns]
    assert gm.assign(tmp_path / "c.csv").value == 3.5


@pytest.mark.parametrize(
    "text",
    [
        ",101,102\n7,4,1\n8,2,9\n",
        ",1.5\n2.5,0.5\n3.5,1\n",
        "id,0,1\nann,4,1\nbob,2,9\n",
        "id,7,9\nann,4.0,1.0\nbob,2.0,9.0\n",
        "0,1\n4.0,1.0\n2.0,9.0\n",  # to_csv(index=False)
        "id,x,y\n0,4,1\n1,2,9\n2,2,3\n",
        "id,x\n7,4.0\n5,2.0\n8,1.0\n",
        "7,4.0\n5,2.0\n8,1.0\n",  # to_csv(header=False)
    ],
)
def test_what_may_be_names_and_is_read_as_costs_is_said(tmp_path, text):
    (tmp_path / "c.csv").write_text(text)
    with pytest.warns(gm.GuessWarning, match="read as costs"):
        matrix, *_ = read_matrix(tmp_path / "c.csv")
    assert len(matrix) == 3


@pytest.mark.parametrize("text", ["inf0,+31\n0.5,4.0\n2.5,2.0\n", "id,7,7\n1,4.0,1.5\n2,2.0,9.0\n"])
def test_numbers_that_are_read_as_names_and_identify_nothing_are_said(tmp_path, text):
    (tmp_path / "c.csv").write_text(text)
    with pytest.warns(gm.GuessWarning, match="read as names"):
        matrix, *_ = read_matrix(tmp_path / "c.csv")
    assert len(matrix) == 2


def test_numbers_that_identify_rows_and_columns_are_names_without_a_warning(tmp_path):
    (tmp_path / "c.csv").write_text("id, 101, 102\n7, 4.0, 1.5\n8, 2.0, 9.0\n")
    assert read_matrix(tmp_path / "c.csv")[0].tolist() == NUMBERS  # warnings are errors here


def test_an_empty_first_field_may_forbid_a_pair(tmp_path):
    (tmp_path / "c.csv").write_text(",1.5\n2.5,\n")
    assert read_matrix(tmp_path / "c.csv")[0].tolist() == [[np.inf, 1.5], [2.5, np.inf]]
    (tmp_path / "c.csv").write_text(",,2\n3,4,\n")
    assert read_matrix(tmp_path / "c.csv")[0].tolist() == [[np.inf, np.inf, 2], [3, 4, np.inf]]


def test_a_quote_that_does_not_end_is_refused(tmp_path):
    (tmp_path / "c.csv").write_text('"a,1,2\nb,3,4\n')
    with pytest.raises(gm.FileFormatError, match="cannot be read"):
        read_matrix(tmp_path / "c.csv")


def test_the_first_line_has_a_name_for_each_column(tmp_path):
    (tmp_path / "c.csv").write_text('"x","y"\n"a",1,2\n"b",3,4\n')  # as R writes it
    matrix, *names = read_matrix(tmp_path / "c.csv")
    assert matrix.tolist() == [[1, 2], [3, 4]] and names == [("a", "b"), ("x", "y")]
    (tmp_path / "c.csv").write_text("x\n1,5\n2,5\n")  # decimal commas?
    with pytest.raises(gm.FileFormatError, match="must have 2 names, has 1"):
        read_matrix(tmp_path / "c.csv")


def test_a_semicolon_in_a_name_parts_no_columns(tmp_path):
    (tmp_path / "c.csv").write_text('"a;b",c\n1,2\n')
    assert read_matrix(tmp_path / "c.csv")[2] == ("a;b", "c")
