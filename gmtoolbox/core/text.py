"""Tables and numbers as plain text."""

import math
import re

from gmtoolbox.core.result import accuracy


def number(value, digits=6):
    """A number for people: '-' for a missing one, no trailing noise."""
    if value is None or not math.isfinite(value):
        return "-"
    return f"{value:.{digits}g}"


def percent(fraction):
    return "-" if fraction is None or not math.isfinite(fraction) else f"{100 * fraction:.0f}%"


RESULT_HEADINGS = (
    "instance",
    "method",
    "value",
    "bound",
    "gap",
    "time",
    "iterations",
    "accuracy",
    "status",
)


def result_row(instance, method, result, ground_truth):
    """Cells under RESULT_HEADINGS of anything with value, bound, gap, time, n_iter, status and
    labels.
    """
    right = (
        None
        if ground_truth is None or result.labels is None
        else accuracy(result.labels, ground_truth)
    )
    numbers = (
        number(result.value, 8),
        number(result.bound, 8),
        number(result.gap, 2),
        f"{result.time:.3f}s",
    )
    return instance, method, *numbers, result.n_iter, percent(right), result.status


def table(headings, rows, left=1):
    """Aligned columns under their headings; the first `left` of them flush left, the others flush
    right.
    """
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    pad = [str.ljust if k < left else str.rjust for k in range(len(widths))]
    lines = [headings, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            put(cell, width) for put, cell, width in zip(pad, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def natural(name):
    """Sort key by which car2 comes before car10."""
    return [
        (int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", str(name))
    ]
