"""Per-instance gaps, worked by hand."""

import csv
import io
import math
from itertools import product

import numpy as np
import pytest

from gmtoolbox.bench.evaluate.evaluation import Cell, EvaluatedInstance, RunEvaluation
from gmtoolbox.bench.evaluate.gaps import (
    Pair,
    compare_methods,
    correct_by_holm,
    find_gaps,
    find_wilcoxon_p,
    gaps_csv,
    gaps_text,
    relative,
    significance_text,
)


@pytest.fixture
def evaluation():
    problems = {
        "d": [
            EvaluatedInstance("a", -10.0),
            EvaluatedInstance("b"),
            EvaluatedInstance("c", 5.0, sign=-1.0),
        ]
    }
    cells = {
        (1.0, "d", "a", "x"): [Cell(-10.0), Cell(-9.0)],
        (1.0, "d", "a", "y"): [Cell(-5.0)],
        (1.0, "d", "b", "x"): [Cell(-4.0), Cell(-4.0)],
        (1.0, "d", "c", "x"): [Cell(6.0), Cell(5.0)],
    }
    times = {("d", "a", "x"): [0.1, math.inf]}
    return RunEvaluation(problems, ["x", "y"], [1.0], cells, times, seeds={"x": [0, 1], "y": [0]})


def test_by_hand(evaluation):
    found = {(one.instance, one.method): one for one in find_gaps(evaluation)}
    first = found["a", "x"]
    assert (first.seeds, first.solved, first.best, first.mean) == (2, 0.5, -10.0, -9.5)
    assert first.sd == pytest.approx(math.sqrt(0.5)) and first.gap == pytest.approx(0.05)
    assert first.proven and first.time == math.inf  # the median of 0.1 and never
    assert found["a", "y"].gap == 0.5 and found["a", "y"].sd is None
    assert found["b", "x"].gap == 0.0 and not found["b", "x"].proven
    assert found["b", "y"].gap == math.inf and found["b", "y"].best is None
    assert found["c", "x"].best == -5.0 and found["c", "x"].gap == pytest.approx(0.1)  # maximised
    assert relative(0.25, 0.0) == 0.25


def test_text_and_csv_say_the_same(evaluation):
    lines = gaps_text(find_gaps(evaluation)).splitlines()
    assert lines[0].split()[:3] == ["dataset", "instance", "method"] and len(lines) == 2 + 6
    assert lines[2].split() == ["d", "a", "x", "2", "50", "%", "-10", "-9.5", "0.71", "5", "%", "-"]
    assert lines[4].split()[9] == "~0"
    rows = list(csv.DictReader(io.StringIO(gaps_csv(find_gaps(evaluation)))))
    assert float(rows[0]["gap"]) == pytest.approx(0.05) and rows[0]["optimum"] == "true"
    assert rows[3]["gap"] == "" and rows[2]["optimum"] == "false"


def evaluation_of(values):
    """method -> value on each of the instances; None: no answer."""
    count = len(next(iter(values.values())))
    problems = {"d": [EvaluatedInstance(f"p{k}", -100.0) for k in range(count)]}
    cells = {
        (1.0, "d", f"p{k}", method): [Cell() if value is None else Cell(value)]
        for method, row in values.items()
        for k, value in enumerate(row)
    }
    return RunEvaluation(problems, sorted(values), [1.0], cells)


def test_wins_ties_and_losses():
    found = evaluation_of({"a": [-90, -80, -70, None, None], "b": [-100, -80, -60, -1, None]})
    (pair,) = compare_methods(found.methods, find_gaps(found))
    assert (pair.first, pair.second, pair.won, pair.tied, pair.lost) == ("b", "a", 2, 2, 1)


def test_exact_p():
    """All of n differences on one side: the two-sided p is 2 / 2^n."""
    assert find_wilcoxon_p([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) == pytest.approx(2 / 2**6)
    assert find_wilcoxon_p([0.0, 0.0]) == 1.0
    assert find_wilcoxon_p([-0.1, -0.2, -0.3, float("-inf")]) == pytest.approx(2 / 2**4)


def test_p_is_that_of_all_signs():
    """Equal differences share ranks; every choice of signs has the same chance."""
    from scipy.stats import rankdata  # takes half a second

    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 9):
        given = rng.integers(1, 4, n) * rng.choice([-1, 1], n)
        ranks = rankdata(np.abs(given))
        sums = [ranks[list(chosen)].sum() for chosen in product([False, True], repeat=n)]
        seen = min(ranks[given > 0].sum(), ranks[given < 0].sum())
        expected = min(1.0, 2 * np.mean([one <= seen for one in sums]))
        assert find_wilcoxon_p(given.tolist()) == pytest.approx(expected)


@pytest.mark.parametrize(
    "n, method", [(12, "exact"), (45, "exact"), (60, "exact"), (300, "asymptotic")]
)
def test_p_is_that_of_scipy(n, method):
    from scipy.stats import wilcoxon  # takes half a second

    given = np.random.default_rng(n).normal(0.1, 1.0, n)
    assert find_wilcoxon_p(given.tolist()) == pytest.approx(wilcoxon(given, method=method).pvalue)


def test_holm():
    found = correct_by_holm([Pair("a", "b", 1, 0, 0, p) for p in (0.01, 0.04, 0.03, 0.9)])
    assert [pair.p for pair in found] == pytest.approx([0.04, 0.09, 0.09, 0.9])


def test_text_marks_what_is_significant():
    values = {"good": [-99.0 - k / 20 for k in range(12)], "bad": [-50.0 - k for k in range(12)]}
    text = significance_text(evaluation_of(values))
    row = text.splitlines()[2].split()
    assert row[:5] == ["good", "bad", "12", "0", "0"] and row[-1] == "*"
    assert "Holm" in text and "1 s" in text
