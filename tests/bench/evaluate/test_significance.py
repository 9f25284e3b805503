"""Wins and Wilcoxon's test, against values worked by hand."""

import pytest

from gmtoolbox.bench.evaluate.evaluation import Cell, Evaluation, Problem
from gmtoolbox.bench.evaluate.gaps import gaps
from gmtoolbox.bench.evaluate.significance import Pair, holm, pairs, signed_rank, significance_text


def evaluation(values):
    """method -> value on each of the instances; None: no answer."""
    count = len(next(iter(values.values())))
    problems = {"d": [Problem(f"p{k}", -100.0) for k in range(count)]}
    cells = {
        (1.0, "d", f"p{k}", method): [Cell() if value is None else Cell(value)]
        for method, row in values.items()
        for k, value in enumerate(row)
    }
    return Evaluation(problems, sorted(values), [1.0], cells)


def test_wins_ties_and_losses():
    found = evaluation({"a": [-90, -80, -70, None, None], "b": [-100, -80, -60, -1, None]})
    (pair,) = pairs(found.methods, gaps(found))
    assert (pair.first, pair.second, pair.won, pair.tied, pair.lost) == ("b", "a", 2, 2, 1)


def test_exact_p():
    """All of n differences on one side: the two-sided p is 2 / 2^n."""
    assert signed_rank([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) == pytest.approx(2 / 2**6)
    assert signed_rank([0.0, 0.0]) == 1.0
    assert signed_rank([-0.1, -0.2, -0.3, float("-inf")]) == pytest.approx(2 / 2**4)


def test_holm():
    found = holm([Pair("a", "b", 1, 0, 0, p) for p in (0.01, 0.04, 0.03, 0.9)])
    assert [pair.p for pair in found] == pytest.approx([0.04, 0.09, 0.09, 0.9])


def test_text_marks_what_is_significant():
    values = {"good": [-99.0 - k / 20 for k in range(12)], "bad": [-50.0 - k for k in range(12)]}
    text = significance_text(evaluation(values))
    row = text.splitlines()[2].split()
    assert row[:5] == ["good", "bad", "12", "0", "0"] and row[-1] == "*"
    assert "Holm" in text and "1s" in text
