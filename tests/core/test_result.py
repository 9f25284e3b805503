"""Results: what they tell, and that they survive every file format."""

import pickle
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.errors import MEANT_FIELDS


def test_pairs_mapping_and_X_agree():
    result = gm.gm_solve(gm.synth.worms(seed=0, size=8))
    assert {i: s for i, s in result.pairs} == result.mapping
    assert (np.argwhere(result.X) == result.pairs).all()
    assert len(result.pairs) == np.count_nonzero(result.labels >= 0)


def test_equality_ignores_the_clock_and_nothing_else():
    problem = gm.synth.car(seed=0, size=8)
    first, second = gm.gm_solve(problem, "rrwm"), gm.gm_solve(problem, "rrwm")
    assert first == second and first.time != second.time
    assert first != gm.gm_solve(problem, "sm") and first != 3
    changed = replace(first, labels=first.labels[::-1].copy())
    assert first != changed
    assert pickle.loads(pickle.dumps(first)) == first


def test_two_runs_of_a_portfolio_are_equal():
    A = np.random.default_rng(0).random((6, 6))
    problem = gm.models.from_koopmans_beckmann(A + A.T, A @ A.T)
    first, second = gm.gm_solve(problem), gm.gm_solve(problem)
    assert "ran" in first.extra and first == second


def test_summary_says_why_nothing_is_matched():
    dear = gm.Problem((2, 2), [0, 1], [0, 1], [1.0, 1.0])
    proven, blind = gm.gm_solve(dear), gm.gm_solve(dear, "rrwm")
    assert "every match costs more" in proven.summary()
    assert "'auto'" in blind.message or (blind.labels >= 0).any()
    assert gm.gm_solve(gm.synth.car(seed=0, size=5)).message == ""


def test_a_search_far_from_its_bound_says_so():
    found = gm.gm_solve(gm.synth.car(seed=0, size=5))
    far = replace(found, status="converged", gap=1.0)
    assert far.message.endswith("the optimum may be up to 100 % better.")
    assert "leaves room" in far.summary()
    for known in ({"status": "optimal", "gap": 0.0}, {"gap": 0.05}, {"gap": np.inf}):
        assert replace(far, **known).message == ""
    assert replace(far, status="time_limit").message == ""  # this status says it already


def test_a_bare_matrix_is_saved_as_gm_solve_takes_it(tmp_path):
    K = np.random.default_rng(0).normal(size=(9, 9))
    gm.save(K, tmp_path / "K.h5")
    assert gm.gm_solve(tmp_path / "K.h5").value == pytest.approx(gm.gm_solve(K).value)


def test_the_summary_tells_the_least_sure_match():
    problem = gm.Problem((2, 2), [0, 1], [0, 1], [-3.0, -1.0])
    result = gm.gm_solve(problem)
    assert "change" not in result.summary()
    assert result.confidence.tolist() == [3.0, 1.0]
    assert "1 to 1: changing it costs at least 1 (median 2)" in result.summary()


def test_the_accuracy_of_a_result_against_its_problem():
    p = gm.data.load("car-1")
    r = gm.gm_solve(p)
    assert gm.accuracy(r, p) == gm.accuracy(r.labels, list(p.ground_truth)) == 1.0
    assert gm.accuracy([0, 2, 1], [0, (1, 2), -1]) == 1.0


def test_names_of_other_packages_lead_to_the_fields():
    r = gm.gm_solve([[1.0]])
    for name, meant in (("matches", "pairs"), ("fun", "value"), ("col_ind", "labels")):
        with pytest.raises(AttributeError, match=f"{name!r} .did you mean {meant!r}"):
            getattr(r, name)
    assert all(hasattr(r, meant) for meant in MEANT_FIELDS.values())
    with pytest.raises(AttributeError, match="no attribute 'col_ind'$"):  # it has no labels
        gm.graph_edit_distance(nx.path_graph(2), nx.path_graph(2)).col_ind  # noqa: B018
