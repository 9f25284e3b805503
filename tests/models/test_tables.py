"""Problems from tables of scored pairs, with relations among the records."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError

TABLE = {"left": ["a", "a", "b", "b"], "right": [1, 2, 1, 2], "score": [0.9, 0.6, 0.8, 0.7]}


def test_scores_above_the_threshold_are_worth_matching():
    p = gm.models.from_table(TABLE)
    assert gm.gm_solve(p, "aj").value == pytest.approx(1.6)
    strict = gm.gm_solve(gm.models.from_table(TABLE, threshold=0.75), "aj")
    assert strict.mapping == {"a": 1} and strict.value == pytest.approx(0.15)
    nothing = gm.gm_solve(gm.models.from_table(TABLE, threshold=0.95), "aj")
    assert nothing.mapping == {} and nothing.value == 0.0


def test_costs_are_minimised():
    r = gm.gm_solve(gm.models.from_table(TABLE, sense="min", complete=True), "aj")
    assert r.value == pytest.approx(1.4) and r.mapping == {"a": 2, "b": 1}


def test_kept_relations_count_with_both_weights():
    p = gm.models.from_table(
        TABLE, relations1=[("a", "b", 2.0)], relations2=[(2, 1, 0.5), (7, 8)], relation=3.0
    )
    assert p.energy(np.array([0, 1])) == pytest.approx(0.9 + 0.7 + 3.0)
    assert p.energy(np.array([0, -1])) == pytest.approx(0.9)


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    relations = pandas.DataFrame([("a", "b")]), pandas.DataFrame([(1, 2)])
    p = gm.models.from_table(
        pandas.DataFrame(TABLE), relations1=relations[0], relations2=relations[1]
    )
    assert p.n_edges == 2 and p.nodes1 == ("a", "b") and p.n_candidates == 4


@pytest.mark.parametrize(
    "change, said",
    [
        ({"left": []}, "no rows"),
        ({"score": [1, 2, float("nan"), 4]}, "must be finite, got nan in row 2"),
        ({"score": ["x", 1, 1, 1]}, "must hold numbers"),
        ({"left": ["a", None, "b", "b"]}, "no record in row 1"),
        ({"right": [1, 1, 1, 2]}, r"the pair \('a', 1\) is given twice, again in row 1"),
    ],
)
def test_errors_name_row_and_column(change, said):
    with pytest.raises(InputError, match=said):
        gm.models.from_table({**TABLE, **change})


def test_missing_column_and_bad_sense():
    with pytest.raises(InputError, match="no column 'sim'; it has 'left', 'right', 'score'"):
        gm.models.from_table(TABLE, score="sim")
    with pytest.raises(InputError, match="sense must be"):
        gm.models.from_table(TABLE, sense="up")
    with pytest.raises(InputError, match="must hold pairs"):
        gm.models.from_table(TABLE, relations1=[("a",)], relations2=[])


def test_relations_that_cannot_be_used_are_refused():
    with pytest.raises(InputError, match="relations1 and relations2 go together"):
        gm.models.from_table(TABLE, relations1=[("a", "b")])
    with pytest.raises(InputError, match="relation goes with relations1"):
        gm.models.from_table(TABLE, relation=2.0)
    with pytest.raises(InputError, match=r"relations1 joins no two records .* \('A', 'B'\)"):
        gm.models.from_table(TABLE, relations1=[("A", "B")], relations2=[(1, 2)])


def test_a_missing_column_of_a_data_frame_is_named_in_one_line():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": ["x"], "b": ["u"], "score": [0.5]})
    with pytest.raises(gm.InputError, match="'c'.*'a', 'b', 'score'"):
        gm.models.from_table(frame, left="a", right="c", score="score")
