"""A method looks the same everywhere, and no two look alike, also to colour-blind readers."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.plot.styles import FIXED, Style, as_styles, styles

# Linear RGB as seen with deuteranopia and protanopia (Machado, Oliveira and Fernandes 2009)
VISION = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}


def lab(colour, vision):
    """CIE L*a*b* of a colour, seen with one kind of vision."""
    linear = []
    for k in (1, 3, 5):
        c = int(colour[k : k + 2], 16) / 255
        linear.append(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
    r, g, b = (
        min(max(sum(w * c for w, c in zip(row, linear, strict=True)), 0.0), 1.0)
        for row in VISION[vision]
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(first, second):
    """Delta E of two colours for the kind of vision that sees the least of it."""
    return min(math.dist(lab(first, vision), lab(second, vision)) for vision in VISION)


def test_every_method_of_the_registry_has_a_look_of_its_own():
    assert {method.name for method in gm_methods()} <= FIXED.keys()


def test_two_methods_differ_in_colour_or_dash():
    assert difference("#ff0000", "#00a000") < difference("#ff0000", "#0000ff")
    for (one, first), (other, second) in combinations(FIXED.items(), 2):
        apart = difference(first.colour, second.colour) >= 20
        assert apart or first.dash != second.dash, (one, other)


def test_a_look_does_not_depend_on_the_other_methods():
    assert styles(["fm", "mine"])["fm"] == styles(["x", "rrwm", "fm"])["fm"] == FIXED["fm"]


def test_sixty_other_methods_look_different():
    names = [f"m{k}" for k in range(60)]
    assert len({*styles(names).values(), *FIXED.values()}) == 60 + len(FIXED)


def test_plain_colours_are_solid():
    assert as_styles({"a": "#123456", "b": Style("#654321", "1 2")}, "ab") == {
        "a": Style("#123456"),
        "b": Style("#654321", "1 2"),
    }


DOCS = Path(__file__).parents[2] / "docs"
CURVE = re.compile(r"class='curve' data-method='([^']+)'><path[^>]* stroke='(#\w+)'")


@pytest.mark.parametrize(
    "path", sorted(DOCS.rglob("*.svg")), ids=lambda path: path.relative_to(DOCS).as_posix()
)
def test_pictures_of_the_docs_have_these_looks(path):
    for method, colour in CURVE.findall(path.read_text()):
        assert method not in FIXED or colour == FIXED[method].colour, (path.name, method)
