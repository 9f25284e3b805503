"""Profiles: a curve per method, published ones thin."""

from types import SimpleNamespace

from svg import SVG, elements

from gmtoolbox import plot


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
