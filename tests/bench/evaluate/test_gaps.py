"""Per-instance gaps, worked by hand."""

import csv
import io
import math

import pytest

from gmtoolbox.bench.evaluate.evaluation import Cell, Evaluation, Problem
from gmtoolbox.bench.evaluate.gaps import gaps, gaps_csv, gaps_text, relative


@pytest.fixture
def evaluation():
    problems = {"d": [Problem("a", -10.0), Problem("b"), Problem("c", 5.0, sign=-1.0)]}
    cells = {
        (1.0, "d", "a", "x"): [Cell(-10.0), Cell(-9.0)],
        (1.0, "d", "a", "y"): [Cell(-5.0)],
        (1.0, "d", "b", "x"): [Cell(-4.0), Cell(-4.0)],
        (1.0, "d", "c", "x"): [Cell(6.0), Cell(5.0)],
    }
    times = {("d", "a", "x"): [0.1, math.inf]}
    return Evaluation(problems, ["x", "y"], [1.0], cells, times, seeds={"x": [0, 1], "y": [0]})


def test_by_hand(evaluation):
    found = {(one.instance, one.method): one for one in gaps(evaluation)}
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
    lines = gaps_text(gaps(evaluation)).splitlines()
    assert lines[0].split()[:3] == ["dataset", "instance", "method"] and len(lines) == 2 + 6
    assert lines[2].split() == ["d", "a", "x", "2", "50%", "-10", "-9.5", "0.71", "5", "%", "-"]
    assert lines[4].split()[8] == "~0"
    rows = list(csv.DictReader(io.StringIO(gaps_csv(gaps(evaluation)))))
    assert float(rows[0]["gap"]) == pytest.approx(0.05) and rows[0]["optimum"] == "true"
    assert rows[3]["gap"] == "" and rows[2]["optimum"] == "false"
