"""The first page: what it says first, and what it says of ties."""

import math
import re

import pytest
from sample_store import fill

from gmtoolbox.bench.evaluate.evaluation import evaluate_runs
from gmtoolbox.bench.evaluate.gaps import find_gaps
from gmtoolbox.bench.site.overview import (
    counts,
    figures,
    format_measure,
    gap_step,
    heatmap,
    one_decimal,
    overview,
    ratio_text,
    solved_step,
    time_step,
)
from gmtoolbox.bench.site.report import Site
from gmtoolbox.bench.store.store import Store


def test_first_page():
    with Store() as store:
        site = Site(fill(store).loaded(), [1.0, 10.0])
    assert counts(site) == (
        "36 runs of 3 methods on 6 instances of 2 datasets; 4 runs failed; time limit 10 s;"
        " the fastest of 2 trials counts."
    )
    text = overview(site)
    order = [text.index(part) for part in ("class='verdict'", "id='map'", "id='profile'", "<dl")]
    assert order == sorted(order)
    assert "2 methods tie: they solve all 6 instances; quick is the fastest." in text
    assert len(re.findall("quick and exact tie", text)) == 2  # a row for each dataset


def test_figures_and_cells():
    with Store() as store:
        found = evaluate_runs(fill(store), [1.0, 10.0])
    table = figures(find_gaps(found))
    assert table["exact", "points"]["solved"] == 1.0 and table["exact", "points"]["gap"] == 0.0
    assert table["poor", "points"] == {"solved": 0.0, "gap": math.inf, "time": math.inf}
    text = heatmap(found, ["quick", "exact", "poor"], find_gaps(found))
    assert text.index(">quick<") < text.index(">exact<") < text.index(">poor<")
    assert text.count("<table") == 3 and text.count(" hidden>") == 2
    assert "<td class='h5'>100 %</td>" in text and "<td class='h0'>-</td>" in text


@pytest.mark.parametrize("step", [solved_step, lambda share: gap_step(1 - share)])
def test_better_is_never_a_lower_step(step):
    levels = [step(k / 1000) for k in range(1001)]
    assert levels == sorted(levels) and levels[-1] == 5 and set(levels) <= set(range(6))


def test_times_go_by_the_fastest():
    assert [time_step(t, 1.0) for t in (1.0, 3.0, 10.0, 50.0, 500.0, math.inf)] == [
        5,
        4,
        3,
        2,
        1,
        0,
    ]
    assert time_step(0.001, 0.0001) == 5  # both below what can be told
    assert format_measure("gap", 0.00123) == "0.12 %" and format_measure("time", 0.02) == "20 ms"


def test_counts_and_ratios_are_not_rounded_to_all_or_none():
    """59.97 solved instances, averaged over seeds, were 60; a ratio of 0.003 was 0.00."""
    assert [one_decimal(x) for x in (60.0, 59.97, 20.7)] == ["60", "59.9", "20.7"]
    assert [ratio_text(x) for x in (1.0, 12.346, 0.0033)] == ["1.00", "12.35", "0.0033"]
