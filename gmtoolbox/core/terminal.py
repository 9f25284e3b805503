"""Text for terminals: not wider than they are, coloured if they are asked to."""

import os
import shutil
import sys
import textwrap

from gmtoolbox.core.text import printable, table, width_on_screen

USUAL = 80  # columns, if nothing is known about the terminal
NARROWEST = 40
LONGEST = 24  # letters of a name in a table that is too wide
COLOURS = {"red": 31, "green": 32, "yellow": 33, "bold": 1}
STATUS_COLOURS = {"optimal": "green", "interrupted": "red", "breakdown": "red"}


def columns():
    """Return the width of the terminal: $COLUMNS, else its own, else 80."""
    return max(shutil.get_terminal_size((USUAL, 24)).columns, NARROWEST)


def has_colour(stream):
    """Whether a stream is a terminal that shows colours, and $NO_COLOR is not set."""
    is_wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return is_wanted and stream.isatty()


def paint(text, colour, stream=None):
    """Return a text in a colour if the stream (default: stdout) shows colours, else as it is."""
    if colour is None or not has_colour(sys.stdout if stream is None else stream):
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def paint_status(status):
    """Return the status of a solve, in its colour."""
    return paint(status, STATUS_COLOURS.get(status, "yellow"))


def fold(text, indent="", first=None):
    """Return a text in lines that fit the terminal; all but the first are indented."""
    return textwrap.fill(
        printable(text),
        columns(),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def say(text, colours=None):
    """Print a remark on stderr: on a terminal in lines that fit it, elsewhere in one line.

    colours: {word: colour} of words to paint where they first occur.
    """
    text = printable(text)
    if sys.stderr.isatty():
        text = fold(text, "  ", "")
    for word, colour in (colours or {}).items():
        text = text.replace(word, paint(word, colour, sys.stderr), 1)
    print(text, file=sys.stderr, flush=True)


def pairs(rows):
    """Return 'name:  value' lines of (name, value), values below each other; None is left out."""
    rows = [(name, value) for name, value in rows if value is not None]
    width = max(len(name) for name, _ in rows) + 3
    return "\n".join(fold(value, " " * width, f"{name}:".ljust(width)) for name, value in rows)


def fit_table(headings, rows, texts=1, is_terse=False):
    """Return a table that fits the terminal: long names lose their middle, and columns that do not
    fit next to the names follow in a second table. is_terse: columns without content are left out.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    kept = [
        k
        for k in range(len(headings))
        if not is_terse or k < texts or any(row[k] not in "-" for row in rows)
    ]
    headings = [headings[k] for k in kept]
    rows = [[row[k] for k in kept] for row in rows]
    if width_of(headings, rows) > columns():
        rows = [[shorten(cell) for cell in row[:texts]] + row[texts:] for row in rows]
    blocks, here = [], []
    for k in range(texts, len(headings)):
        wider = [*range(texts), *here, k]
        if here and width_of(*pick(headings, rows, wider)) > columns():
            blocks.append(here)
            here = []
        here = [*here, k]
    blocks.append(here)
    parts = [pick(headings, rows, [*range(texts), *block]) for block in blocks]
    return "\n\n".join(table(head, body, texts) for head, body in parts)


def pick(headings, rows, chosen):
    """Return headings and rows of some columns."""
    return [headings[k] for k in chosen], [[row[k] for k in chosen] for row in rows]


def width_of(headings, rows):
    """Return the width of a table."""
    widths = [max(map(width_on_screen, column)) for column in zip(headings, *rows, strict=True)]
    return sum(widths) + 2 * (len(widths) - 1)


def shorten(name, longest=LONGEST):
    """Return a name without its middle if it is long."""
    if width_on_screen(name) <= longest:
        return name
    end = (longest - 3) // 2
    return f"{beginning(name, longest - 3 - end)}...{beginning(name[::-1], end)[::-1]}"


def beginning(name, room):
    """Return as much of a name as there is room for."""
    for k, letter in enumerate(name):
        room -= width_on_screen(letter)
        if room < 0:
            return name[:k]
    return name
