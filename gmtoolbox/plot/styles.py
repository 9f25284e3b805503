"""How curves are told apart: a colour for each family of methods, a dash for each member."""

from collections import Counter
from typing import NamedTuple

# Luminance between 0.13 and 0.3: at least 3:1 against white paper and against a dark screen.
PALETTE = (
    "#1d74cb",
    "#b45a1a",
    "#138526",
    "#df2040",
    "#a042e4",
    "#8d6f14",
    "#137f88",
    "#cd1db0",
    "#418213",
    "#5864e7",
    "#4494e4",
    "#e07224",
    "#18a730",
    "#e9657b",
    "#b871eb",
    "#b18b19",
    "#189fab",
    "#e755cf",
    "#51a317",
    "#7e87ed",
)
HUES = PALETTE[:8] + PALETTE[9:10]  # the ninth differs little from the third
DASHES = ("", "9 4", "4 3", "14 4 3 4", "9 3 2 3 2 3", "18 5", "6 2 2 2", "12 3 6 3", "3 6", "24 4")


class Style(NamedTuple):
    """The look of a curve; dash as in SVG's stroke-dasharray, '' for a solid line."""

    colour: str
    dash: str = ""


def colours(methods):
    """A colour for each method, in the order given: the first ten differ most.

    Parameters
    ----------
    methods : iterable of str

    Returns
    -------
    dict

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.plot.colours(["fm", "aj"])
    {'fm': '#1d74cb', 'aj': '#b45a1a'}
    """
    return {method: PALETTE[k % len(PALETTE)] for k, method in enumerate(methods)}


def styles(methods, families=None):
    """method -> Style: one hue for a family, another dash for each of its members, so that no two
    methods look alike (up to 90).

    families  method -> family; default: each method is one
    """
    methods = list(methods)
    family = {method: (families or {}).get(method, method) for method in methods}
    sizes = Counter(family.values())
    # where there are fewer hues than families, small families have a hue in common
    order = sorted(sizes, key=lambda name: -sizes[name])
    hue = {name: k if k < len(HUES) else -1 - k % len(HUES) for k, name in enumerate(order)}
    members, found = Counter(), {}
    for method in methods:
        colour = HUES[hue[family[method]]]
        found[method] = Style(colour, DASHES[members[colour] % len(DASHES)])
        members[colour] += 1
    return found


def as_styles(given):
    """A mapping of colours or Styles as one of Styles."""
    return {m: look if isinstance(look, Style) else Style(look) for m, look in given.items()}
