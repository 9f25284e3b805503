"""Single variables of a MAT file: what they become, and what is said about wrong ones."""

import numpy as np
import pytest
import scipy.sparse as sp

from gmtoolbox.core.errors import InputError
from gmtoolbox.io import mat_variables as mv


def test_values():
    assert mv.scalar({}, "offset", 2.5) == 2.5
    assert mv.scalar({"offset": np.array([[3]])}, "offset", 0.0) == 3.0
    assert mv.index_array({"L": np.array([[1.0, 3.0]])}, "L", 3).tolist() == [[0, 2]]
    assert mv.index_array({"L": np.array([[0.0, 3.0]])}, "L", 3, lowest=-1).tolist() == [[-1, 2]]
    assert mv.indicator({"g": np.array([[0, 1], [1, 0]])}, "g", 2).tolist() == [1, 0]
    assert mv.mask({"Ct": sp.csc_array(np.eye(2))}, "Ct").dtype == bool
    assert mv.list_variables({"K": np.zeros((2, 3)), "name": "x"}) == "K 2x3, name"
    assert mv.list_variables({}) == "no variables"


def test_the_diagonal_apart():
    M = sp.csr_array(np.array([[5.0, 2.0], [0.0, 7.0]]))
    diagonal, row, column, value = mv.split_diagonal(M)
    assert diagonal.tolist() == [5.0, 7.0]
    assert (row.tolist(), column.tolist(), value.tolist()) == ([0], [1], [2.0])


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: mv.matrix({"K": "text"}, "K"), "K must be a numeric matrix, got 'text'"),
        (
            lambda: mv.scalar({"o": np.ones((2, 1))}, "o", 0),
            "o must be a real number, got",
        ),
        (lambda: mv.index_array({"L": np.array([[4]])}, "L", 3), r"integers in 1\.\.3"),
        (lambda: mv.index_array({"L": np.array([[1.5]])}, "L", 3), r"integers in 1\.\.3"),
        (lambda: mv.indicator({"g": np.ones((2, 2))}, "g", 2), "2 rows with a single one each"),
        (lambda: mv.square({"K": np.ones((2, 3))}, "K", 4, "n1 n2"), r"4 x 4 \(n1 n2\), got 2 x 3"),
        (lambda: mv.dense(sp.csr_array((10**6, 10**6))), "too large to be written out"),
    ],
)
def test_wrong_variables_are_named(call, said):
    with pytest.raises(InputError, match=said):
        call()
