"""The cell of many graphs that MATLAB sends, as a MultiProblem."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.wrappers.multi_calls import multi_problem, multi_variables


def request(tmp_path, **rest):
    return {"stem": str(tmp_path / "call"), "d": 3, **rest}


def test_matrices_structs_and_empty_cells(tmp_path):
    K = np.diag(np.arange(6.0))
    given = request(tmp_path, K_1_2=K, sizes=np.array([[2.0, 3.0, 3.0]]))
    gm.save(
        gm.Problem((3, 3), [0, 1], [2, 1], [-1.0, -3.0], sense="max"),
        tmp_path / "call.problem6.mat",
    )
    m = multi_problem(given)
    assert m.sizes == (2, 3, 3) and m[0, 2] is None
    assert m[0, 1].sense == "max" and not m[0, 1].complete
    assert m[0, 1].energy([2, 0]) == K[4, 4] + K[1, 1]  # row left + n1 * right
    assert m[1, 2].n_candidates == 2


def test_a_file_of_many_graphs(tmp_path):
    one = gm.Problem((1, 1), [0], [0], [-1.0])
    m = gm.MultiProblem({(0, 1): one, (0, 2): one, (1, 2): one})
    gm.save(m, tmp_path / "many.dd")
    assert multi_problem({"path": str(tmp_path / "many.dd")}).pairs == m.pairs


@pytest.mark.parametrize(
    "given, said",
    [
        ({"K_1_2": np.eye(5)}, r"K\{1, 2\}"),
        ({"K_1_2": np.eye(4), "sizes": np.array([2.0, 2.0])}, "sizes must hold 3"),
        ({"K_1_2": np.eye(4), "sizes": np.array([2, 2, 1.5])}, "whole numbers"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, given, said):
    with pytest.raises(gm.InputError, match=said):
        multi_problem(request(tmp_path, **given))


def test_tracks_count_from_one():
    one = gm.Problem((1, 2), [0], [1], [-1.0])
    answer = multi_variables(gm.gm_solve_multi({(0, 1): one}))
    assert [own.tolist() for own in answer["tracks"]] == [[1.0], [2.0, 1.0]]
    assert answer["info"]["value"] == -1.0
