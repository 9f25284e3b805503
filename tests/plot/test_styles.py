"""A method looks the same everywhere, and no two look alike, also to colour-blind readers."""

import re
from itertools import combinations, product
from pathlib import Path

import pytest
from vision import APART, colour_table, difference, near_table

from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.plot.charts import DASHES, FIXED, HUES, Style, as_styles, styles


def free_looks():
    """Return every (colour, dash) that a new method may have."""
    return [
        (colour, dash)
        for colour, dash in product(HUES, DASHES)
        if all(
            difference(colour, old.colour) >= APART or dash != old.dash for old in FIXED.values()
        )
    ]


def test_every_method_of_the_registry_has_a_look_of_its_own():
    missing = {method.name for method in gm_methods()} - FIXED.keys()
    assert not missing, f"{missing}: choose a colour and a dash from {free_looks()}"


def test_two_methods_differ_in_colour_or_dash():
    assert difference("#ff0000", "#00a000") < difference("#ff0000", "#0000ff")
    for (one, first), (other, second) in combinations(FIXED.items(), 2):
        apart = difference(first.colour, second.colour) >= APART
        assert apart or first.dash != second.dash, f"{one} and {other} need different dashes"


def test_a_look_does_not_depend_on_the_other_methods():
    assert styles(["fm", "mine"])["fm"] == styles(["x", "rrwm", "fm"])["fm"] == FIXED["fm"]


def test_sixty_other_methods_look_different():
    assert len(free_looks()) > 9
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
    for method, colour in CURVE.findall(path.read_text("utf-8")):
        assert method not in FIXED or colour == FIXED[method].colour, (path.name, method)


def test_the_page_shows_these_differences():
    page = (DOCS / "development" / "looks.md").read_text("utf-8")
    current = colour_table() in page and near_table() in page
    assert current, "copy the output of python tests/vision.py to docs/development/looks.md"
