"""Pictures are well-formed, show what they are told, and come as SVG and PNG."""

import re
import shutil
import struct
import xml.etree.ElementTree as xml
from types import SimpleNamespace

import numpy as np
import pytest

from gmtoolbox import plot
from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.plot.canvas import nice_ticks
from gmtoolbox.plot.files import CONVERTERS
from gmtoolbox.plot.traces import y_window

SVG = "{http://www.w3.org/2000/svg}"


def curve(method, x, y):
    return SimpleNamespace(method=method, x=x, y=y)


def elements(svg, tag, **attributes):
    found = xml.fromstring(svg).iter(SVG + tag)
    return [
        element
        for element in found
        if all(element.get(name.rstrip("_")) == value for name, value in attributes.items())
    ]


def test_profile_has_a_curve_per_method_and_dashed_ones():
    svg = plot.profile(
        [curve("a<b", [1, 10], [0.5, 1.0]), curve("never", [], [])], [curve("old", [2.0], [0.25])]
    )
    groups = {group.get("data-method"): group for group in elements(svg, "g")}
    assert groups.keys() == {"a<b", "old"}  # a method that solves nothing has no curve
    dash = {
        name: group.findall(SVG + "path")[1].get("stroke-dasharray")
        for name, group in groups.items()
    }
    assert dash == {"a<b": None, "old": "6 4"}
    path = groups["a<b"].findall(SVG + "path")[1].get("d")
    assert path.startswith("M64.0 184.0H") and path.endswith("V14.0H636")


def test_matching_colours_right_wrong_and_unmatched():
    points = [(0, 0), (1, 0), (0, 1), (1, 1)]
    svg = plot.matching(points, points, np.array([0, 2, -1, 3]), [[0], [1], [2], []])
    kinds = [line.get("class") for line in elements(svg, "line")]
    assert kinds == ["pair right", "pair wrong", "pair unjudged"]
    hollow = elements(svg, "circle", fill="none")
    assert len(hollow) == 2 and len(elements(svg, "circle")) == 8


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


def test_degenerate_pictures_are_still_pictures():
    for svg in (
        plot.profile([]),
        plot.cactus([]),
        plot.cactus([curve("a", [1e-9], [1])]),
        plot.matching([(0, 0)], [(1, 1)], [0]),
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


def test_files(tmp_path, monkeypatch):
    svg = plot.profile([curve("a", [1.0], [1.0])])
    plot.save_picture(svg, tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text() == svg
    with pytest.raises(InputError, match="svg or .png"):
        plot.save_picture(svg, tmp_path / "p.gif")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(GMError, match="apt-get install librsvg2-bin"):
        plot.save_picture(svg, tmp_path / "p.png")
    assert [path.name for path in tmp_path.iterdir()] == ["p.svg"]


@pytest.mark.skipif(not any(map(shutil.which, CONVERTERS)), reason="no converter installed")
def test_png_has_twice_the_size(tmp_path):
    plot.save_picture(plot.profile([curve("a", [1.0], [1.0])]), tmp_path / "p.png")
    content = (tmp_path / "p.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", content[16:24]) == (
        1440,
        800,
    )
