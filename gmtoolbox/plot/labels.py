"""Names at the ends of curves: at their own height with a leader line, or as one group where many
curves end alike.
"""

import json

from gmtoolbox.core.text import markup

GROUP = 4  # from so many curves on that end together, they have one label
ROOM = 150  # pixels right of the frame for labels
LEADER = 14  # pixels between the frame and a label
HEIGHT = 14.0  # of a line


def end_labels(frame, ends, looks, y_text="{:g}".format):
    """Labels right of the frame, moved apart where they would overlap, each with a line to its
    curve's end.

    ends    [(y value, method)]
    looks   method -> Style
    y_text  a y value in words, for groups
    """
    entries = grouped(frame, ends, y_text)
    places = moved_apart(frame, [y for y, _, _ in entries])
    return "".join(
        drawn(frame, y, place, members, words, looks)
        for (y, members, words), place in zip(entries, places, strict=True)
    )


def grouped(frame, ends, y_text):
    """(y in pixels, methods, text) from the top; methods whose curves end within a pixel of each
    other are one entry if they are many.
    """
    together = {}
    for value, method in sorted(ends, key=lambda end: -end[0]):
        together.setdefault(round(frame.y(value)), []).append((value, method))
    entries = []
    for some in together.values():
        methods = [method for _, method in some]
        y = frame.y(some[0][0])
        if len(some) >= GROUP:
            entries.append((y, methods, f"{len(some)} methods at {y_text(some[0][0])}"))
        else:
            entries += [(y, [method], method) for method in methods]
    return entries


def moved_apart(frame, heights):
    """Baselines of the labels, in order, at least a line apart where there is room."""
    top, bottom = frame.box[1] + 4, frame.box[3] + 10
    gap = min(HEIGHT, (bottom - top) / max(len(heights) - 1, 1))
    places = []
    for y in heights:  # downwards, each below the one before
        places.append(max(y + 4, top, places[-1] + gap if places else top))
    limit = bottom
    for k in reversed(range(len(places))):  # and back up from the bottom
        places[k] = limit = min(places[k], limit)
        limit -= gap
    return places


def drawn(frame, y, place, members, words, looks):
    """SVG of one label with its leader line."""
    right = frame.box[2]
    one = len(members) == 1
    colour = looks[members[0]].colour if one else "#5a6068"
    names = f"data-members='{markup(json.dumps(members), quote=True)}'"
    if one:
        names = f"data-method='{markup(members[0], quote=True)}'"
    leader = (
        f"<line class='leader' x1='{right}' y1='{y:.1f}' x2='{right + LEADER - 3}'"
        f" y2='{place - 4:.1f}' stroke='{colour}' stroke-opacity='.7'/>"
    )
    title = "" if one else f"<title>{markup(', '.join(members))}</title>"
    return (
        f"{leader}<text class='name{'' if one else ' group'}' {names} x='{right + LEADER}'"
        f" y='{place:.1f}' font-size='12' fill='{colour}'>{title}{markup(words)}</text>"
    )
