"""Names at the ends of curves: at their own height with a leader line, or as one label if many
curves end at the same height; and rows of coloured words below pictures.
"""

import json

from gmtoolbox.core.text import markup
from gmtoolbox.plot.canvas import label

GROUP = 4  # this many curves that end together have one label
NAMED = 6  # a label names at most this many curves
ROOM = 190  # pixels right of the frame for labels
COLUMNS = 26  # characters of a line of a label
LEADER = 14  # pixels between the frame and a label
HEIGHT = 14.0  # of a line
LETTER = 7.4  # pixels, about, of the font's size 13
BETWEEN = 18


def end_labels(frame, ends, looks, y_text="{:g}".format):
    """Return labels right of the frame, moved apart if they would overlap, each with a line to the
    end of its curve.

    ends    [(y value, method)]
    looks   method -> Style
    y_text  a y value in words, for groups
    """
    return "".join(label_svg(frame, *entry, looks) for entry in label_ends(frame, ends, y_text))


def label_ends(frame, ends, y_text):
    """Return (height of the curve's end, baseline of the label, methods, lines of text) of every
    label, from the top.
    """
    entries = group_ends(frame, ends, y_text)
    places = move_apart(frame, [(y, len(lines)) for y, _, lines in entries])
    return [(y, place, *rest) for (y, *rest), place in zip(entries, places, strict=True)]


def group_ends(frame, ends, y_text):
    """Return (y in pixels, methods, lines) from the top; methods whose curves end within a pixel of
    each other are one entry if they are many.
    """
    together = {}
    for value, method in sorted(ends, key=lambda end: -end[0]):
        together.setdefault(round(frame.y(value)), []).append((value, method))
    entries = []
    for some in together.values():
        methods = [method for _, method in some]
        y = frame.y(some[0][0])
        if len(some) >= GROUP:
            entries.append((y, methods, group_lines(some, y_text)))
        else:
            entries += [(y, [method], [method]) for method in methods]
    return entries


def group_lines(some, y_text):
    """Return the lines of a label of several curves: the names of the best, then their values."""
    names = [method for _, method in some[:NAMED]]
    if len(some) > NAMED:
        names.append(f"{len(some) - NAMED} more")
    lines = [""]
    for k, name in enumerate(names):
        word = name + ("," if k + 1 < len(names) else "")
        if lines[-1] and len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    first, last = y_text(some[-1][0]), y_text(some[0][0])
    return [*lines, f"at {first}" if first == last else f"at {first} to {last}"]


def move_apart(frame, labels):
    """Return the first baselines of labels (y, number of lines), in order, at least as many lines
    apart as they have if there is room.
    """
    top, bottom = frame.box[1] + 4, frame.box[3] + 10
    total = sum(lines for _, lines in labels)
    line = min(HEIGHT, (bottom - top + HEIGHT) / max(total, 1))
    places, free = [], top
    for y, lines in labels:  # downwards, each below the one before
        places.append(max(y + 4 - (lines - 1) * line / 2, free))
        free = places[-1] + lines * line
    limit = bottom
    for k in reversed(range(len(places))):  # and back up from the bottom
        last = (labels[k][1] - 1) * line
        places[k] = min(places[k], limit - last)
        limit = places[k] - line
    return places


def label_svg(frame, y, place, members, lines, looks):
    """Return the SVG of one label with its leader line."""
    right = frame.box[2]
    one = len(members) == 1
    colour = looks[members[0]].colour if one else "#5a6068"
    names = f"data-members='{markup(json.dumps(members))}'"
    if one:
        names = f"data-method='{markup(members[0])}'"
    leader = (
        f"<line class='leader' x1='{right}' y1='{y:.1f}' x2='{right + LEADER - 3}'"
        f" y2='{place - 4:.1f}' stroke='{colour}' stroke-opacity='.7'/>"
    )
    written = "".join(
        f"<tspan x='{right + LEADER}' y='{place + k * HEIGHT:.1f}'>{markup(line)}</tspan>"
        for k, line in enumerate(lines)
    )
    if one:
        written = markup(lines[0])
    title = "" if one else f"<title>{markup(', '.join(members))}</title>"
    return (
        f"{leader}<text class='name{'' if one else ' group'}' {names} x='{right + LEADER}'"
        f" y='{place:.1f}' font-size='12' fill='{colour}'>{title}{written}</text>"
    )


# ---- rows of coloured words below pictures


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
