"""The looks of curves: a method has the same colour and dash in every picture."""

from typing import NamedTuple

from gmtoolbox.core.errors import InputError

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


# A family has one hue. Two methods whose colours are less than 20 apart (CIE76), also for readers
# with deuteranopia or protanopia, have different dashes: tests/plot/test_styles.py.
FIXED = {
    "aj": Style("#1d74cb", "9 4"),
    "auto": Style("#1d74cb", ""),
    "dd-ls0": Style("#b45a1a", "9 4"),
    "dd-ls3": Style("#b45a1a", "3 6"),
    "dd-ls4": Style("#b45a1a", "24 4"),
    "faq": Style("#138526", "20 3 3 3"),
    "fgmd": Style("#5864e7", "14 4 3 4"),
    "fm": Style("#137f88", "9 4"),
    "fm-bca": Style("#137f88", ""),
    "fw": Style("#138526", "4 3"),
    "ga": Style("#8d6f14", "9 3 2 3 2 3"),
    "hbp": Style("#b45a1a", "18 5"),
    "ilp": Style("#1d74cb", "9 3 2 3 2 3"),
    "ipfps": Style("#df2040", "14 4 3 4"),
    "ipfpu": Style("#df2040", "7 7"),
    "lsm": Style("#418213", "15 3 2 3"),
    "mgm": Style("#1d74cb", "6 2 2 2"),
    "mp": Style("#b45a1a", ""),
    "mp-fw": Style("#b45a1a", "6 2 2 2"),
    "mp-mcf": Style("#b45a1a", "12 3 6 3"),
    "mpm": Style("#df2040", "2 2"),
    "pm": Style("#cd1db0", "18 5"),
    "rrwm": Style("#cd1db0", "4 3"),
    "sm": Style("#a042e4", "4 3"),
    "smac": Style("#a042e4", "18 5"),
    "sync": Style("#137f88", "14 4 3 4"),
}


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


def styles(methods):
    """Return method -> Style: the fixed ones of the registered methods, and for others looks that
    no method of the registry has.
    """
    found, taken = {}, set(FIXED.values())
    free = (Style(colour, dash) for dash in DASHES for colour in HUES)
    for method in methods:
        if method not in FIXED:
            look = next((style for style in free if style not in taken), Style(HUES[0]))
            taken.add(look)
        found[method] = FIXED.get(method) or look
    return found


def as_styles(given, methods):
    """A mapping of colours or Styles as one of Styles; every method must have one."""
    for method in methods:
        if method not in given:
            raise InputError(f"colour must name every method, but has no {method!r}")
    return {m: look if isinstance(look, Style) else Style(look) for m, look in given.items()}
