"""gm.evaluate: rates by hand, every form of input, and truths that are 1-based."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gmtoolbox as gm

LABELS, TRUTH = [0, 2, -1, 4, -1], [0, 1, 2, -1, -1]


def test_rates_by_hand():
    found = gm.evaluate(LABELS, TRUTH)
    assert (found.recall, found.precision) == (1 / 3, 1 / 3)
    assert found.nodes["verdict"].tolist() == [
        "correct",
        "wrong",
        "missed",
        "spurious",
        "unmatched",
    ]
    assert gm.evaluate(LABELS, TRUTH, outliers=False).precision == 1 / 2
    assert found.to_dict()["missed"] == 1


@given(st.lists(st.tuples(st.integers(-1, 6), st.integers(-1, 6)), min_size=1, max_size=12))
def test_recall_is_the_accuracy_of_the_study(pairs):
    labels, truth = map(list, zip(*pairs, strict=True))
    problem = gm.Problem((len(labels), 7), [0], [0], [0.0])
    found = gm.evaluate(labels, truth, problem=problem)
    assert found.recall == pytest.approx(gm.accuracy(labels, truth), nan_ok=True)
    if found.recall > 0:
        mean = 2 / (1 / found.recall + 1 / found.precision)
        assert found.f1 == pytest.approx(mean)


def test_every_form_gives_the_same():
    problem = gm.synth.worms(seed=0, size=8)
    result = gm.gm_solve(problem)
    wanted = gm.evaluate(result, problem)
    X = np.zeros(problem.shape)
    known = np.flatnonzero(problem.ground_truth >= 0)
    X[known, problem.ground_truth[known]] = 1
    truth = {int(i): int(problem.ground_truth[i]) for i in known}
    sets = [{int(s)} if s >= 0 else None for s in problem.ground_truth]
    for answer in (result, result.labels, result.labels.tolist(), result.X, result.mapping):
        for form in (problem.ground_truth, X, truth, sets):
            found = gm.evaluate(answer, form, problem=problem)
            assert (found.recall, found.f1) == (wanted.recall, wanted.f1)
    perfect = replace(result, labels=problem.ground_truth)
    assert gm.evaluate(result, perfect).f1 == wanted.f1


def test_edge_correctness_counts_left_edges():
    problem = gm.Problem(
        (3, 3), [0, 1, 2], [0, 1, 2], [0.0] * 3, neighbours1=[[0, 1], [1, 2]], neighbours2=[[1, 0]]
    )
    assert gm.evaluate([0, 1, 2], [0, 1, 2], problem=problem).edge_correctness == 0.5
    assert np.isnan(gm.evaluate([0, 1, 2], [0, 1, 2]).edge_correctness)


def test_one_based_truth_is_noticed():
    with pytest.raises(gm.InputError, match="looks 1-based"):
        gm.evaluate([0, 1, 2], [1, 2, 3])
    result = gm.gm_solve(np.eye(9))
    with pytest.raises(gm.InputError, match=r"0\.\.2, got 3; it looks 1-based"):
        gm.evaluate(result, [3, 0, 1])
    with pytest.raises(gm.InputError, match=r"0\.\.2, got 7$"):
        gm.evaluate(result, [7, 0, 1])


def test_misfits_are_named():
    with pytest.raises(gm.InputError, match="one length, got 2 and 3"):
        gm.evaluate([0, 1], [0, 1, 2])
    with pytest.raises(gm.InputError, match=r"shape \(n1, n2\) = \(3, 3\)"):
        gm.evaluate(gm.gm_solve(np.eye(9)), np.eye(2))
    with pytest.raises(gm.InputError, match="no ground_truth"):
        gm.evaluate([0], gm.Problem((1, 1), [0], [0], [0.0]))
    with pytest.raises(gm.InputError, match="node 'z'"):
        gm.evaluate({"z": 0}, [0, 1])


def test_a_truth_that_fits_better_with_1_subtracted_is_told_of():
    with pytest.warns(UserWarning, match="truth looks 1-based: .* 3 instead of 0 of 3"):
        gm.evaluate(gm.Result(
            labels=np.array([2, 0, 1], np.int32), shape=(3, 9), value=0.0, bound=0.0, gap=0.0,
            status="optimal", time=0.0, method="fm",
        ), [3, 1, 2])  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gm.evaluate([2, 0, 1, -1], [2, 0, 1, 3])
