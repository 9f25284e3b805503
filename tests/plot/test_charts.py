"""Charts: the same data as SVG and on matplotlib's axes."""

import pickle
import re
import zlib
from types import SimpleNamespace

import pytest

from gmtoolbox import plot


def curve(method, x, y):
    return SimpleNamespace(method=method, x=x, y=y)


PROFILE = [
    curve(name, [1.0, 4.0], [0.5, 1.0]) for name in ("auto", "mp", "fm-bca", "fm", "fw", "sm")
]


def axes():
    figure = pytest.importorskip("matplotlib.figure").Figure()
    return figure.add_subplot()


def test_matplotlib_draws_in_the_coordinates_of_the_data():
    ax = plot.profile([curve("fm", [1.0, 8.0], [0.5, 1.0])]).draw(axes())
    assert ax.get_xscale() == "log" and ax.get_xlim() == (1.0, 12.0)
    (line,) = ax.lines
    assert line.get_xdata().tolist() == [1.0, 8.0, 12.0]
    assert line.get_ydata().tolist() == [0.5, 1.0, 1.0]


def test_winners_are_named_once_and_whole():
    texts = [text.get_text() for text in plot.profile(PROFILE).draw(axes()).texts]
    assert [text for text in texts if text] == ["auto, mp, fm-bca, fm, fw,", "sm", "at 100 %"]


def test_values_that_differ_are_not_said_to_be_equal():
    methods = ("a", "b", "c", "d", "e")
    rows = {name: [(0.1, -8000.0, -9000.0), (1.0, -8606.0, -8700.0)] for name in methods}
    rows["a"][1] = (1.0, -8606.4, -8700.0)
    svg = plot.trace(rows)
    assert "at -8606.4 to -8606" in svg and "5 methods" not in svg


def test_a_label_names_the_best_first_and_every_value():
    """Twelve curves end within a pixel: two at -8616.76, which is better, ten at -8606."""
    ends = {f"m{k}": -8616.76 if k > 9 else -8606.0 for k in range(12)}
    rows = {name: [(0.1, 80000.0, -9e4), (1.0, end, -9e4)] for name, end in ends.items()}
    texts = [text.get_text() for text in plot.trace(rows).draw(axes()).texts]
    label = " ".join(text for text in texts if text)
    assert label == "m10, m11, m0, m1, m2, m3, 6 more at -8616.76 to -8606"
    raised = {m: [(t, -v, -b) for t, v, b in row] for m, row in rows.items()}
    texts = [text.get_text() for text in plot.trace(raised).draw(axes()).texts]
    assert " ".join(text for text in texts if text).startswith("m10, m11, m0")


def test_two_values_of_five_methods_are_two_labels():
    ends = {"auto": -8616.76, "mp": -8616.76, "fm": -8606.0, "fw": -8606.0, "sm": -8606.0}
    rows = {m: [(0.1, -8600.0, -8700.0), (1.0, end, -8620.0)] for m, end in ends.items()}
    places = {}
    for text in plot.trace(rows).draw(axes()).texts:
        places[text.get_text()] = text.get_position()[1]
    assert places.keys() >= ends.keys() and "5 methods" not in " ".join(places)
    assert max(places[m] for m in ("auto", "mp")) < min(places[m] for m in ("fm", "fw", "sm"))


def test_the_axis_does_not_promise_solid_lines():
    """Methods have dashes: a line that is not solid may be a value."""
    rows = {"fw": [(0.1, -5.0, -6.0)]}
    assert plot.trace(rows).chart.y_title == "value, and bound (dotted)"
    assert plot.trace({"fw": [(0.1, -5.0, float("-inf"))]}).chart.y_title == "value"


def test_the_optimum_is_labelled_and_bounds_below_the_window_are_marked():
    svg = plot.trace({"fm": [(0.1, -5.0, -900.0)], "mp": [(0.1, -4.0, -5.5)]}, optimum=-5.0)
    assert "optimum -5<" in svg and svg.count("class='below'") == 1


def test_the_axis_ends_where_the_last_curve_rises():
    svg = plot.profile([curve("fm", [1.0, 40.0], [0.5, 1.0])])
    assert svg.chart.x_range == (1.0, 60.0)


@pytest.mark.parametrize("chart", [plot.profile, plot.cactus])
def test_pdf_fonts_are_not_of_type_3(chart):
    pytest.importorskip("matplotlib")
    from gmtoolbox.plot.on_axes import render

    content = render(chart(PROFILE), ".pdf")
    texts = [content]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", content, re.S):
        try:
            texts.append(zlib.decompress(stream))
        except zlib.error:
            continue
    joined = b"".join(texts)
    assert b"/Type3" not in joined
    assert b"/TrueType" in joined or b"/CIDFontType2" in joined


def test_a_chart_pickles():
    svg = plot.cactus([curve("fm", [0.1, 2.0], [1, 2])])
    assert pickle.loads(pickle.dumps(svg)) == svg
