"""Charts: the same data as SVG and on matplotlib's axes."""

import pickle
import re
import zlib
from types import SimpleNamespace

import pytest
from svg import elements

from gmtoolbox import plot
from gmtoolbox.plot.canvas import nice_ticks
from gmtoolbox.plot.curves import rises


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


def test_methods_that_share_a_label_are_in_the_key():
    """Curves under one label had no name outside of a report."""
    names = [f"{kind}{k}" for k in range(20) for kind in ("long-method-", "m")]
    for given in (PROFILE, [curve(name, [1.0], [1.0]) for name in names]):
        picture = plot.profile([*given, curve("hbp", [1.0], [0.3])], title="Title")
        (key,) = elements(picture, "g", **{"class": "key"})
        texts = [one for one in key if one.tag.endswith("text")]
        assert sorted(one.text for one in texts) == sorted(one.method for one in given)
        (svg,) = elements(picture, "svg")
        _, top, width, height = map(float, svg.get("viewBox").split())
        places = [(float(one.get("x")), float(one.get("y"))) for one in texts]
        assert all(
            x + 7.4 * len(one.text) < width for one, (x, _) in zip(texts, places, strict=True)
        )
        assert 400 < min(places)[1] and max(y for _, y in places) < top + height
        assert len(set(places)) == len(given)
        looks = {(one.get("stroke"), one.get("stroke-dasharray")) for one in key}
        assert len(looks - {(None, None)}) == len(given)
        ax = picture.draw(axes())
        shown = [text.get_text() for text in ax.legend().get_texts()]
        assert sorted(shown) == sorted(one.method for one in given)
        (cut,) = elements(picture.hide_key(), "svg")
        assert cut.get("viewBox") == f"0 {top:g} 820 {400 - top:g}"
        assert float(cut.get("height")) + float(cut.get("data-key")) == height
    assert "class='key'" not in plot.profile(PROFILE[:3])  # each has its label


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
    frame = svg.chart.frame.box
    place = next(one for one in elements(svg, "text") if one.text == "optimum -5")
    assert float(place.get("x")) > frame[2]  # right of the frame, where no curve crosses it


def test_bounds_above_the_window_are_marked_there():
    """Maximised: the mark of an upper bound was at the lower edge, and matplotlib drew none."""
    rows = {"fm": [(0.1, 5.0, 900.0), (0.2, 6.0, 900.0)], "mp": [(0.1, 4.0, 6.5)]}
    drawn = plot.trace(rows)
    assert drawn.count("class='above'") == 1 and "class='below'" not in drawn
    assert rises({"fm": [(0.1, 5.0, 900.0)]}) and not rises({"fm": [(0.1, 5.0, 4.0)]})
    ax = drawn.draw(axes())
    assert [line.get_marker() for line in ax.lines if line.get_marker() in "^v"] == ["^"]


def test_a_curve_outside_the_window_has_its_label_at_the_edge():
    rows = {f"m{k}": [(0.1, -100.0 - k, -200.0)] for k in range(12)} | {"sm": [(0.1, 9e9, -200.0)]}
    drawn = plot.trace(rows)
    heights = [float(line.get("y1")) for line in elements(drawn, "line", class_="leader")]
    assert min(heights) >= drawn.chart.frame.box[1] and drawn.count("class='above'") == 1


def test_ticks_of_large_numbers_differ():
    """Values around 13553000 had five ticks '1.3553e+07'."""
    drawn = plot.trace({"fm": [(0.1, 13553010.5, -1.0), (0.2, 13553001.0, 13553000.0)]})
    chart = drawn.chart
    ticks = [chart.y_text(tick) for tick in nice_ticks(*chart.y_range)]
    assert len(set(ticks)) == len(ticks) > 2 and not any("e" in tick for tick in ticks)
    assert pickle.loads(pickle.dumps(drawn)).chart.y_text(0.5) == chart.y_text(0.5)


def test_the_axis_ends_where_the_last_curve_rises():
    svg = plot.profile([curve("fm", [1.0, 40.0], [0.5, 1.0])])
    assert svg.chart.x_range == (1.0, 60.0)


@pytest.mark.parametrize("chart", [plot.profile, plot.cactus])
def test_pdf_fonts_are_not_of_type_3(chart):
    pytest.importorskip("matplotlib")
    from gmtoolbox.plot.canvas import render

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
