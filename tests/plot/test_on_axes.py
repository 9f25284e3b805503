"""Our pictures on matplotlib's axes."""

import struct
import xml.etree.ElementTree as xml
from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.core.result import trace_dtype


def curve(method, x, y):
    return SimpleNamespace(method=method, x=x, y=y)


def test_matplotlib_draws_every_picture(tmp_path):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from gmtoolbox.plot.canvas import render

    problem = gm.synth.car(seed=0, size=6)
    result = gm.gm_solve(problem)
    ax = Figure().add_subplot()
    plot.matching(problem, result, ax=ax)
    pairs = [line for line in ax.lines if line.get_color() == "#0e8164"]
    assert len(pairs) == 6 and len(ax.patches) == 12
    rows = np.array([(0.01, 5.0, -np.inf), (0.1, 3.0, 1.0)], dtype=trace_dtype())
    images = np.zeros((9, 9)), np.zeros((9, 9, 3))
    for svg in (
        plot.trace({"m": rows}),
        plot.profile([curve("a", [1.0], [1.0])]),
        plot.matching((np.zeros((1, 2)), np.ones((1, 2))), [0], images=images),
    ):
        assert render(svg, ".pdf").startswith(b"%PDF")
        content = render(svg, ".png")
        size = [2 * float(xml.fromstring(svg).get(name)) for name in ("width", "height")]
        assert struct.unpack(">II", content[16:24]) == pytest.approx(size, abs=2)
