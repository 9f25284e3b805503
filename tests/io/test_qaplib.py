"""QAPLIB .dat and .sln files."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

import gmtoolbox as gm
from gmtoolbox.io import qaplib

SMALL = """3

 0 1 2
 1 0 3
 2 3 0

 0,5,2
 5 0 3.5
 2 3
 0
"""


def test_read_solve_and_write(tmp_path):
    path = tmp_path / "small3.dat"
    path.write_text(SMALL)
    problem = gm.load(path)
    A, B = (
        np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]]),
        np.array([[0, 5, 2], [5, 0, 3.5], [2, 3, 0]]),
    )
    assert problem.complete and problem.sense == "min" and problem.name == "small3"
    for labels in ([0, 1, 2], [2, 0, 1]):
        assert problem.energy(np.array(labels)) == (A * B[np.ix_(labels, labels)]).sum()
    gm.save(problem, tmp_path / "again.dat")
    assert gm.load(tmp_path / "again.dat") == problem
    (tmp_path / "small3.sln").write_text("3 37\n 2,3 1\n")
    value, labels = qaplib.read_solution(tmp_path / "small3.sln")
    assert value == 37 and labels.tolist() == [1, 2, 0]


def test_diagonals_count(tmp_path):
    path = tmp_path / "d.dat"
    path.write_text("2 1 0 0 2 3 0 0 4")
    assert gm.load(path).energy(np.array([1, 0])) == 1 * 4 + 2 * 3


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "must start with the size"),
        ("x", "numbers only"),
        ("2.5 1", "must start with the size"),
        ("-2 1", "must start with the size"),
        ("1000000000000", "must start with the size n in 1..20000"),
        ("2 1 2 3", "asks for 1 \\+ 2 n\\^2 = 9 numbers, the file has 4"),
        ("1 nan 1", "finite"),
        ("1 inf 1", "finite"),
    ],
)
def test_broken_files(tmp_path, text, message):
    path = tmp_path / "x.dat"
    path.write_text(text)
    with pytest.raises(gm.FileFormatError, match=message):
        gm.load(path)


def test_only_what_a_dat_file_can_hold(tmp_path, random_problem):
    with pytest.raises(gm.InputError, match="Koopmans-Beckmann"):
        gm.save(random_problem(), tmp_path / "x.dat")
    with pytest.raises(gm.InputError, match="does not keep sense"):
        gm.save(
            gm.models.from_graphs(np.ones((2, 2)) - np.eye(2), np.ones((2, 2)) - np.eye(2)),
            tmp_path / "x.dat",
        )
    assert not list(tmp_path.iterdir())


def test_broken_solution(tmp_path):
    (tmp_path / "x.sln").write_text("3 37 1 2 2")
    with pytest.raises(gm.FileFormatError, match="permutation of 1..3"):
        qaplib.read_solution(tmp_path / "x.sln")


@settings(max_examples=times(200), deadline=None)
@given(st.binary(max_size=60))
def test_noise_never_crashes(tmp_path_factory, noise):
    path = tmp_path_factory.getbasetemp() / "noise.dat"
    path.write_bytes(noise)
    try:
        gm.load(path)
    except gm.FileFormatError:
        pass
