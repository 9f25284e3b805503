"""Traces: value and bound over time, in a window that shows the end."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from svg import SVG, elements

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.bench.store.rows import Run
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.plot.curves import y_window


def test_trace_shows_value_and_bound():
    rows = np.array([(0.01, 5.0, -np.inf), (0.1, 3.0, 1.0), (1.0, 2.0, 2.0)], dtype=trace_dtype())
    svg = plot.trace({"m": rows, "none": rows[:0]}, optimum=2.0)
    lines = elements(svg, "path", class_="line")
    assert len(lines) == 2 and [line.get("stroke-dasharray") for line in lines] == [None, "1 4"]
    assert elements(svg, "line", class_="optimum")
    assert "no solution" in plot.trace({"m": rows[:0]})


def test_window_of_a_trace_holds_the_way_and_the_end():
    """Ends that differ by rounding must not squeeze the picture; the first, worst value may lie
    outside.
    """
    values = [90.0, *np.arange(11.0, 2.0, -1.0), 2.0] + [2.0 - 1e-15 * k for k in range(40)]
    low, high = y_window(values, [-3.0, 1.0])
    assert 0.0 < low < 1.0 and 11.0 < high < 12.0
    low, high = y_window([2.0] * 9, [2.0])
    assert low < 2.0 < high and high - low > 1e-3


def test_maximised_traces_are_minimised_ones_upside_down():
    rows = np.array([(0.01, 5.0, -np.inf), (0.1, 3.0, 1.0), (1.0, 2.0, 2.0)], dtype=trace_dtype())
    mirrored = np.array([(t, -v, -b) for t, v, b in rows], dtype=trace_dtype())
    heights = []
    for traces in ({"m": rows}, {"m": mirrored}):
        path = elements(plot.trace(traces), "path", class_="line")[0].get("d")
        heights.append([float(y) for y in re.findall(r"V([0-9.-]+)", path)])
    middle = 14 + (400 - 46)  # top and bottom of the plotting area
    assert heights[0] and heights[1] == pytest.approx([middle - y for y in heights[0]], abs=0.11)


def test_trace_takes_results_runs_and_lists_of_them():
    result = gm.gm_solve([[2.0]], "fw")
    names = lambda picture: {g.get("data-method") for g in elements(picture, "g")} - {None}
    assert names(plot.trace(result)) == names(plot.trace([result])) == {"fw"}
    assert names(plot.trace([result, result])) == {"fw (1)", "fw (2)"}
    rows = np.array([(0.01, 5.0, -np.inf), (0.1, 3.0, 1.0)], dtype=trace_dtype())
    run = Run("d", "a", "fm", 1, trace=rows)
    lost = Run("d", "a", "fw", 1, outcome="crash")
    assert names(plot.trace(run)) == names(plot.trace([run, lost])) == {"fm"}
    assert names(plot.trace({"mine": run})) == {"mine"}
    again = Run("d", "a", "fm", 1, trace=rows, seed=4)
    assert names(plot.trace([run, again])) == {"fm (seed 0, trial 1)", "fm (seed 4, trial 1)"}
    with pytest.raises(gm.InputError, match="runs of one problem, got runs of 2"):
        plot.trace([run, Run("d", "b", "fm", 1, trace=rows)])
    with pytest.raises(gm.InputError, match="must be a Result, a Run, a list of them, or a dict"):
        plot.trace([(0.01, 5.0, 1.0)])


def curve(method, x, y):
    return SimpleNamespace(method=method, x=x, y=y)


def test_profile_has_a_curve_per_method_and_thin_ones():
    svg = plot.profile(
        [curve("a<b", [1, 10], [0.5, 1.0]), curve("never", [], [])], [curve("old", [2.0], [0.25])]
    )
    groups = {group.get("data-method"): group for group in elements(svg, "g")}
    del groups[None]  # the clipped area
    assert groups.keys() == {"a<b", "old"}  # a method that solves nothing has no curve
    width = {
        name: group.findall(SVG + "path")[1].get("stroke-width") for name, group in groups.items()
    }
    assert width == {"a<b": "2", "old": "1"}
    path = groups["a<b"].findall(SVG + "path")[1].get("d")
    assert path.startswith("M64.0 184.0H") and path.endswith("V14.0H630")
