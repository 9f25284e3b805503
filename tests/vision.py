"""How different colours look to readers with normal and with colour-blind eyes.

    python tests/vision.py

prints the tables of docs/development/looks.md.
"""

import math
from itertools import combinations

from gmtoolbox.plot.charts import FIXED

APART = 20.0  # Delta E from which thin lines of two colours can be distinguished

# Linear RGB as seen with deuteranopia and protanopia (Machado, Oliveira and Fernandes 2009)
VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
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


def differences(first, second):
    """Delta E (CIE76) of two colours for every kind of vision."""
    return {v: math.dist(lab(first, v), lab(second, v)) for v in VISION}


def difference(first, second):
    """Delta E of two colours for the kind of vision that sees the least of it."""
    return min(differences(first, second).values())


def colour_table():
    """The smallest Delta E of every two colours of methods as a Markdown table."""
    colours = list(dict.fromkeys(style.colour for style in FIXED.values()))
    lines = [f"| colour | {' | '.join(colours[:-1])} |", "|---" * len(colours) + "|"]
    for k, one in enumerate(colours[1:], 1):
        cells = [f"{difference(one, other):.1f}" for other in colours[:k]]
        cells = [f"**{cell}**" if float(cell) < APART else cell for cell in cells]
        lines.append(f"| {one} | {' | '.join(cells + [''] * (len(colours) - 1 - k))} |")
    return "\n".join(lines)


def near_table():
    """The pairs of different colours that are near, and the dashes of their methods."""
    by_colour = {}
    for method, style in FIXED.items():
        by_colour.setdefault(style.colour, []).append(f"{method} ({style.dash or 'solid'})")
    lines = [f"| colours | {' | '.join(VISION)} | methods and dashes |", "|---|---|---|---|---|"]
    for one, other in combinations(by_colour, 2):
        found = differences(one, other)
        if min(found.values()) < APART:
            seen = " | ".join(f"{value:.1f}" for value in found.values())
            methods = ", ".join(by_colour[one] + by_colour[other])
            lines.append(f"| {one}, {other} | {seen} | {methods} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(colour_table(), near_table(), sep="\n\n")
