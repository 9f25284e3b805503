"""The canvas: colours that can be told apart, round ticks, pictures of next to nothing."""

import json
import re
import xml.etree.ElementTree as xml
from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.plot import canvas
from gmtoolbox.plot.canvas import HEIGHT, LETTER, Frame, end_labels, legend_row, nice_ticks
from gmtoolbox.plot.charts import styles


def curve(method, x, y):
    return SimpleNamespace(method=method, x=x, y=y)


def test_degenerate_pictures_are_still_pictures():
    for svg in (
        plot.profile([]),
        plot.cactus([]),
        plot.cactus([curve("a", [1e-9], [1])]),
        plot.matching(([(0, 0)], [(1, 1)]), [0]),
    ):
        xml.fromstring(svg)
    constant = np.array([(0.5, 0.0, 0.0)], dtype=trace_dtype())
    xml.fromstring(plot.trace({"m": constant}))


def luminance(colour):
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_curves_stand_out_from_white_paper_and_dark_screens():
    for colour in plot.PALETTE:
        assert (
            1.05 / (luminance(colour) + 0.05) >= 3
            and (luminance(colour) + 0.05) / (luminance("#16181d") + 0.05) >= 3
        )
    assert len(set(plot.PALETTE)) == 20


@pytest.mark.parametrize(
    "low, high", [(0.0, 1.0), (-48511.0, -48400.0), (1e-9, 2e-9), (-3.0, 250.0)]
)
def test_ticks_are_round_and_inside(low, high):
    ticks = nice_ticks(low, high)
    assert 2 <= len(ticks) <= 8 and all(
        low - 1e-6 * abs(low) <= tick <= high + 1e-6 * abs(high) for tick in ticks
    )


def test_on_a_page_a_picture_takes_the_page_s_ink_and_width():
    drawn = gm.plot.matching(gm.synth.car(seed=0, size=4), title="Cars & more")
    shown = drawn._repr_html_()
    assert "max-width:100%" in shown and "currentColor" in shown
    assert canvas.INK not in shown and canvas.GRID not in shown
    assert canvas.INK in drawn  # a file has no page around it
    assert repr(drawn) == "<Picture 'Cars & more', 720 x 410>" and str(drawn).startswith("<svg")


FRAME = Frame((1.0, 10.0), (0.0, 1.0), right=150)


def parts(ends):
    looks = styles([method for _, method in ends])
    root = xml.fromstring(f"<g>{end_labels(FRAME, ends, looks, '{:.0%}'.format)}</g>")
    return root.findall("text"), root.findall("line")


def test_leader_lines_begin_where_the_curve_ends():
    ends = [(1.0, "a"), (0.99, "b"), (0.98, "c"), (0.2, "d")]
    texts, lines = parts(ends)
    assert [text.get("data-method") for text in texts] == ["a", "b", "c", "d"]
    for (value, _), line in zip(ends, lines, strict=True):
        assert float(line.get("x1")) == FRAME.box[2]
        assert abs(float(line.get("y1")) - FRAME.y(value)) < 0.06
    places = [float(text.get("y")) for text in texts]
    assert all(b - a >= HEIGHT - 0.1 for a, b in zip(places, places[1:], strict=False))


def test_many_that_end_together_are_one_label():
    texts, lines = parts([(1.0, f"m{k}") for k in range(12)] + [(0.5, "x<y")])
    written = [[part.text for part in text.findall("tspan")] or [text.text] for text in texts]
    assert written == [["m0, m1, m2, m3, m4, m5,", "6 more", "at 100%"], ["x<y"]]
    assert len(lines) == 2
    assert json.loads(texts[0].get("data-members")) == [f"m{k}" for k in range(12)]
    assert texts[0].find("title").text.startswith("m0, m1")


def test_a_label_names_the_range_of_its_values():
    ends = [(0.9996, "a"), (0.9994, "b"), (0.9996, "c"), (0.9996, "d"), (0.9996, "e")]
    looks = styles([method for _, method in ends])
    svg = end_labels(FRAME, ends, looks, "{:.2%}".format)
    assert "at 99.94% to 99.96%" in svg and "a, b, c, d, e" in svg


def test_words_do_not_touch_and_stay_inside():
    parts = [("w" * n, "#123456") for n in (20, 30, 25, 40, 10)]
    drawn = legend_row(200, 100, parts, 400)
    places = [(float(x), float(y)) for x, y in re.findall(r"x='([\d.-]+)' y='([\d.-]+)'", drawn)]
    assert len({y for _, y in places}) >= 3
    spans = [
        (y, x, x + LETTER * len(text)) for (x, y), text in zip(places, words_of(drawn), strict=True)
    ]
    for y in {y for y, *_ in spans}:
        row = sorted(span[1:] for span in spans if span[0] == y)
        assert row[0][0] >= 0 and row[-1][1] <= 400
        assert all(b[0] - a[1] > 8 for a, b in zip(row, row[1:], strict=False))


def words_of(drawn):
    """The texts in the order of the SVG."""
    return re.findall(r">(w+)</text>", drawn)


def test_steps_that_cannot_be_seen_are_left_out():
    """A trace of thousands of improvements in the tenth digit is a short path."""
    frame = canvas.Frame((1.0, 1000.0), (0.0, 10.0))
    xs = [10.0, *(100.0 + k for k in range(500)), 900.0]
    ys = [5.0, *(4.0 - 1e-9 * k for k in range(500)), 1.0]
    short = frame.steps(xs, ys)
    assert short == frame.steps([10.0, 100.0, 900.0], [5.0, 4.0, 1.0]) and len(short) < 60
    assert frame.steps([10.0, 10.0], [5.0, 4.0]).count("H") == 1  # two steps at one place
    assert frame.steps([], []) == "" and frame.steps([10.0], [5.0], 1.0).startswith("M64.0 ")
