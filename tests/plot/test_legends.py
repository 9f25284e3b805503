"""Legends: words side by side that do not touch, in as many rows as they need."""

import re

from gmtoolbox.plot.legends import LETTER, legend_row


def test_words_do_not_touch_and_stay_inside():
    parts = [("w" * n, "#123456") for n in (20, 30, 25, 40, 10)]
    drawn = legend_row(200, 100, parts, 400)
    places = [(float(x), float(y)) for x, y in re.findall(r"x='([\d.-]+)' y='([\d.-]+)'", drawn)]
    assert len({y for _, y in places}) >= 3
    spans = [
        (y, x, x + LETTER * len(text)) for (x, y), text in zip(places, words_of(drawn), strict=True)
    ]
    for y in {y for y, *_ in spans}:
        row = sorted(span[1:] for span in spans if span[0] == y)
        assert row[0][0] >= 0 and row[-1][1] <= 400
        assert all(b[0] - a[1] > 8 for a, b in zip(row, row[1:], strict=False))


def words_of(drawn):
    """The texts in the order of the SVG."""
    return re.findall(r">(w+)</text>", drawn)
