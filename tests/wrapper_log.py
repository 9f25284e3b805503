"""Reading the lines that wrappers print, as the study's log parser does."""

import re

# The grammar of the study's log parser for MATLAB methods. A label above n2 is a dummy there.
MODEL = re.compile(r"^Model: n1: ([0-9]+) n2: ([0-9]+)")
STATUS = re.compile(
    r"^time: ([^ ]+) upper_bound: ([^ ]+) (?:lower_bound: ([^ ]+) )?labeling: \[([^\]]+)\]"
)


def parse(text):
    """(n1, n2), [(time, value, bound, 0-based labels), ...] as that parser reads them."""
    shape, points = None, []
    for line in text.splitlines():
        if found := MODEL.search(line):
            shape = tuple(map(int, found.groups()))
        if found := STATUS.search(line):
            time, value, bound, labels = found.groups()
            labels = [int(label) - 1 for label in labels.split(",")]
            points.append((float(time), float(value), float(bound or "-inf"), labels))
    return shape, points


def without_times(text):
    """The text with a letter in place of each time."""
    return re.sub(r"time: \d+\.\d{6} ", "time: T ", text)
