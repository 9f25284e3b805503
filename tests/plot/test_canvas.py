"""The canvas: colours that can be told apart, round ticks, pictures of next to nothing."""

import xml.etree.ElementTree as xml
from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.plot import canvas
from gmtoolbox.plot.canvas import nice_ticks


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
