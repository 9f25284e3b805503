"""Messages in MATLAB's notation."""

import pytest

from gmtoolbox.wrappers.speech import in_matlab, rename_arguments


@pytest.mark.parametrize(
    "python, matlab",
    [
        (
            "K has 3 rows, which is no perfect square: give shape=(n1, n2) or Ct",
            "K has 3 rows, which is no perfect square: give 'shape', [n1 n2] or Ct",
        ),
        ("Ct must have shape (n1, n2) = (2, 3)", "Ct must have size n1 x n2 = 2 x 3"),
        (
            "edges1 must be a non-empty (N, 2) array of 0-based indices, got shape (1, 1) of int64",
            "edges1 must be a non-empty N x 2 array of indices, counted from 1, got size 1 x 1",
        ),
        ("width goes with geometry='length'", "width goes with 'geometry', 'length'"),
        ("choose some: k=10, or candidates=", "choose some: 'k', 10, or 'candidates'"),
        ("must be int at least 1, got True", "must be a whole number at least 1, got true"),
        ("P must be numbers, got array([[0.+1.j]])", "P must be numbers, got a matrix"),
        ("bound is -inf, cost nan", "bound is -Inf, cost NaN"),
        ("complete=True asks for 3", "'complete', true asks for 3"),
        ("its sense is 'min', got sense='max'", "its sense is 'min', got 'sense', 'max'"),
        ("'None=1 (2, 3)' and None", "'None=1 (2, 3)' and []"),
        ("two\nlines", "two lines"),
    ],
)
def test_notation(python, matlab):
    assert in_matlab(python) == matlab


def test_names_of_arguments():
    assert rename_arguments("G1 and G10: G2", {"G1": "A", "G2": "B"}) == "A and G10: B"
