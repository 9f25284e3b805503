"""No two methods look alike; a family has one hue."""

from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.plot.styles import Style, as_styles, styles


def test_every_method_of_the_registry_looks_different():
    families = {method.name: method.family for method in gm_methods()}
    looks = styles(families, families)
    assert len(set(looks.values())) == len(families) >= 22
    for method, family in families.items():
        same = {looks[other].colour for other in families if families[other] == family}
        assert same == {looks[method].colour}


def test_ninety_methods_look_different():
    names = [f"m{k}" for k in range(90)]
    assert len(set(styles(names).values())) == 90
    assert styles(names[:1]) == {"m0": Style("#1d74cb", "")}


def test_plain_colours_are_solid():
    assert as_styles({"a": "#123456", "b": Style("#654321", "1 2")}) == {
        "a": Style("#123456"),
        "b": Style("#654321", "1 2"),
    }
