"""Labels stand at their curves' ends, with a line to them, or as a group."""

import json
import re
import xml.etree.ElementTree as xml

from gmtoolbox.plot.canvas import Frame
from gmtoolbox.plot.labels import HEIGHT, LETTER, end_labels, legend_row
from gmtoolbox.plot.styles import styles

FRAME = Frame((1.0, 10.0), (0.0, 1.0), right=150)


def parts(ends):
    looks = styles([method for _, method in ends])
    root = xml.fromstring(f"<g>{end_labels(FRAME, ends, looks, '{:.0%}'.format)}</g>")
    return root.findall("text"), root.findall("line")


def test_leader_lines_begin_where_the_curve_ends():
    ends = [(1.0, "a"), (0.99, "b"), (0.98, "c"), (0.2, "d")]
    texts, lines = parts(ends)
    assert [text.get("data-method") for text in texts] == ["a", "b", "c", "d"]
    for (value, _), line in zip(ends, lines, strict=True):
        assert float(line.get("x1")) == FRAME.box[2]
        assert abs(float(line.get("y1")) - FRAME.y(value)) < 0.06
    places = [float(text.get("y")) for text in texts]
    assert all(b - a >= HEIGHT - 0.1 for a, b in zip(places, places[1:], strict=False))


def test_many_that_end_together_are_one_label():
    texts, lines = parts([(1.0, f"m{k}") for k in range(12)] + [(0.5, "x<y")])
    written = [[part.text for part in text.findall("tspan")] or [text.text] for text in texts]
    assert written == [["m0, m1, m2, m3, m4, m5,", "6 more", "at 100%"], ["x<y"]]
    assert len(lines) == 2
    assert json.loads(texts[0].get("data-members")) == [f"m{k}" for k in range(12)]
    assert texts[0].find("title").text.startswith("m0, m1")


def test_a_label_names_the_range_of_its_values():
    ends = [(0.9996, "a"), (0.9994, "b"), (0.9996, "c"), (0.9996, "d"), (0.9996, "e")]
    looks = styles([method for _, method in ends])
    svg = end_labels(FRAME, ends, looks, "{:.2%}".format)
    assert "at 99.94% to 99.96%" in svg and "a, c, d, e, b" in svg


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
