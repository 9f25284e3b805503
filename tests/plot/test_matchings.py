"""Matchings between two point sets."""

import xml.etree.ElementTree as xml

import numpy as np

from gmtoolbox import plot

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg, tag, **attributes):
    found = xml.fromstring(svg).iter(SVG + tag)
    return [
        element
        for element in found
        if all(element.get(name.rstrip("_")) == value for name, value in attributes.items())
    ]


def test_matching_colours_right_wrong_and_unmatched():
    points = [(0, 0), (1, 0), (0, 1), (1, 1)]
    svg = plot.matching(points, points, np.array([0, 2, -1, 3]), [[0], [1], [2], []])
    kinds = [line.get("class") for line in elements(svg, "line")]
    assert kinds == ["pair right", "pair wrong", "pair unjudged"]
    hollow = elements(svg, "circle", fill="none")
    assert len(hollow) == 2 and len(elements(svg, "circle")) == 8
