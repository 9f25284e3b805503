"""Rows of coloured words below pictures."""

from gmtoolbox.plot.canvas import label

LETTER = 7.4  # pixels, about, of the font's size 13
BETWEEN = 18


def legend_row(x, y, parts, width):
    """Return the SVG of (text, colour) side by side around x; in as many rows upwards from y as
    they need to fit.
    """
    rows, here, room = [], [], 0.0
    for text, colour in parts:
        needed = LETTER * len(text) + BETWEEN
        if here and room + needed > width:
            rows.append(here)
            here, room = [], 0.0
        here = [*here, (text, colour)]
        room += needed
    rows.append(here)
    body = ""
    for k, row in enumerate(reversed(rows)):
        at = x - sum(LETTER * len(text) + BETWEEN for text, _ in row) / 2 + BETWEEN / 2
        for text, colour in row:
            body += label(at, y - 17 * k, text, colour=colour)
            at += LETTER * len(text) + BETWEEN
    return f"<g class='legend'>{body}</g>"
