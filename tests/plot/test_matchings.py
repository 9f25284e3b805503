"""Matchings between two point sets."""

import itertools
import xml.etree.ElementTree as xml
from dataclasses import replace

import numpy as np
import pytest
from svg import elements
from vision import APART, difference

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.core.errors import InputError
from gmtoolbox.plot.images import from_png
from gmtoolbox.plot.matchings import KINDS


def test_matching_colours_correct_wrong_and_unmatched():
    points = [(0, 0), (1, 0), (0, 1), (1, 1)]
    truth = [[0], [1], [2], []]
    labels = np.array([0, 2, -1, 3])
    svg = plot.matching((points, points), labels, ground_truth=truth, outliers=False)
    kinds = [line.get("class") for line in elements(svg, "line")]
    assert kinds == ["pair unjudged", "pair correct", "pair wrong"]  # wrong ones on top
    hollow = elements(svg, "circle", fill="none")
    assert len(hollow) == 2 and len(elements(svg, "circle")) == 8


# ---- matchings of problems, over photographs


def test_matching_takes_problems_and_every_truth():
    problem = gm.synth.worms(seed=0, size=9)
    result = gm.gm_solve(problem)
    svg = plot.matching(problem, result)
    assert svg == plot.matching(problem, result.labels) == plot.matching(problem, result.mapping)
    points = problem.points1, problem.points2
    # int labels: was a TypeError
    three = plot.matching(points, result.labels, ground_truth=problem.ground_truth)
    kinds = sorted(line.get("class") for line in elements(three, "line"))
    assert kinds == sorted(
        line.get("class")
        for line in elements(
            svg,
            "line",
        )
        if "pair" in line.get("class")
    )
    assert plot.matching(points, result, ground_truth=problem.ground_truth) == three
    alone = plot.matching(problem)
    assert len(elements(alone, "circle", fill="none")) == sum(problem.shape)
    for wrong, message in (([0, 1], "one entry for each of 9"), ([99] * 9, r"labels in 0\.\.")):
        with pytest.raises(InputError, match=message):
            plot.matching(problem, wrong)
    with pytest.raises(InputError, match=r"points1 in the plane.*points\[:, :2\]"):
        plot.matching((np.zeros((2, 3)), np.zeros((2, 3))))
    with pytest.raises(InputError, match=r"a Problem or a pair of arrays \(P, Q\), got ndarray"):
        plot.matching(points[0], points[1])


def test_matching_over_images():
    rng = np.random.default_rng(0)
    images = rng.random((20, 30)), rng.integers(0, 256, (40, 25, 3)).astype(np.uint8)
    P, Q = rng.uniform(0, 20, (5, 2)), rng.uniform(0, 25, (6, 2))
    for stacked in (False, True):
        svg = plot.matching((P, Q), [0, 1, 2, -1, 5], images=images, stacked=stacked)
        shown = elements(svg, "image")
        assert len(shown) == 2 and len(elements(svg, "line")) == 4
        places = [[float(one.get(k)) for k in ("x", "y", "width", "height")] for one in shown]
        circles = [(float(c.get("cx")), float(c.get("cy"))) for c in elements(svg, "circle")]
        # pixel (px, py) lies where it should
        for (x, y), point in zip(circles[:5], P, strict=True):
            left, top, width, height = places[0]
            assert x == pytest.approx(left + width * (point[0] + 0.5) / 30, abs=0.15)
            assert y == pytest.approx(top + height * (point[1] + 0.5) / 20, abs=0.15)
        assert places[0][2] / places[0][3] == pytest.approx(30 / 20, rel=0.01)
    assert np.array_equal(from_png(shown[1].get("href")), images[1])


def test_stacked_sets_are_told_apart():
    rng = np.random.default_rng(0)
    P, Q = rng.random((7, 2)), rng.random((9, 2)) * [1, 3]
    svg = plot.matching((P, Q), np.arange(7), stacked=True)
    assert ">above: 7 left nodes<" in svg and ">below: 9 right nodes<" in svg
    boxes = [
        [float(frame.get(k)) for k in ("x", "y", "width", "height")]
        for frame in elements(svg, "rect", **{"class": "frame"})
    ]
    above, below = boxes
    assert above[1] + above[3] < below[1]
    circles = [[float(c.get(k)) for k in ("cx", "cy", "r")] for c in elements(svg, "circle")]
    for (left, top, width, height), own in ((above, circles[:7]), (below, circles[7:])):
        for x, y, radius in own:
            assert left + radius < x < left + width - radius
            assert top + radius < y < top + height - radius
    captions = [float(text.get("y")) for text in elements(svg, "text")]
    assert min(captions) - 11 > below[1] + below[3]  # no letter touches the frame
    beside = plot.matching((P, Q), np.arange(7))
    assert "frame" not in beside and ">7 left nodes<" in beside


def test_matches_without_a_truth_are_not_judged_next_to_judged_ones():
    """The legend said '1 matched' next to '1 correct', as if the others were not matched."""
    points = [(0, 0), (1, 0), (0, 1), (1, 1)]
    draw = lambda **given: str(plot.matching((points, points), np.arange(4), **given))
    partly = draw(ground_truth=[[0], [1], [3], []], outliers=False)
    assert "2 correct" in partly and "1 not judged" in partly and "matched" not in partly
    assert "4 matched" in draw()


def test_many_lines_are_thin():
    points = np.random.default_rng(0).random((600, 2))
    svg = plot.matching((points, points), np.arange(600))
    assert max(float(line.get("stroke-width")) for line in elements(svg, "line")) < 0.5


def test_notebooks_show_problems_results_and_pictures(tmp_path):
    problem = gm.synth.worms(seed=0, size=9)
    result = gm.gm_solve(problem, "fm-bca", maxiter=50)
    xml.fromstring(problem._repr_svg_())
    assert "<svg" in problem._repr_html_() and "9x" in problem._repr_html_()
    assert gm.Problem((1, 1), [0], [0], [0.0])._repr_svg_() is None
    assert "fm-bca" in result._repr_html_()
    assert result._repr_svg_() is None or xml.fromstring(result._repr_svg_()) is not None
    picture = plot.matching(problem, result)
    assert picture._repr_svg_() == picture
    picture.save(tmp_path / "m.svg")
    assert (tmp_path / "m.svg").read_text("utf-8") == picture


def test_the_legend_counts_and_unsure_matches_are_dashed():
    P = np.arange(10.0).reshape(5, 2)
    problem = gm.Problem((5, 5), range(5), range(5), [-4.0, -4.0, -4.0, -0.1, 1.0],
                         points1=P, points2=P, ground_truth=[0, 1, 0, 3, -1])  # fmt: skip
    result = gm.gm_solve(problem)
    before = gm.plot.matching(problem, result)
    for told in ("3 correct", "1 wrong", "unmatched (hollow): 1 left, 1 right"):
        assert f">{told}</text>" in before
    assert "unsure" not in before and "stroke-dasharray" not in before
    assert result.confidence[3] == pytest.approx(0.1)
    after = gm.plot.matching(problem, result)
    assert ">1 unsure (dashed)</text>" in after and after.count("stroke-dasharray") == 1
    assert "3 to 3: correct, confidence 0.1" in after
    assert "legend" not in gm.plot.matching(problem)  # nothing is matched there


def test_the_picture_counts_as_evaluate_does():
    """Empty lists of right labels: evaluate said that 44 matches are wrong, the picture 7."""
    rng = np.random.default_rng(0)
    P = rng.random((50, 2))
    labels = np.arange(50)
    truth = [[k] for k in range(50)]
    for k in range(1, 45):
        truth[k] = [] if k > 7 else [k + 1]
    for outliers in (True, False):
        found = gm.evaluate(labels, truth, outliers=outliers).counts()
        drawn = plot.matching((P, P), labels, ground_truth=truth, outliers=outliers)
        counts = {
            kind: drawn.count(f"class='pair {kind}'") for kind in ("correct", "wrong", "unjudged")
        }
        assert counts["correct"] == found["correct"] and counts["unjudged"] == found["unknown"]
        assert counts["wrong"] == found["wrong"] + found["spurious"]
        assert counts["wrong"] == (44 if outliers else 7)


def test_a_truth_judges_a_matching():
    problem = gm.synth.worms(seed=0, size=9)
    result = gm.gm_solve(problem)
    points = problem.points1, problem.points2
    with pytest.raises(InputError, match="ground_truth judges a matching"):
        plot.matching(problem, ground_truth=np.arange(9))
    with pytest.raises(InputError, match="outliers=False goes with a ground_truth"):
        plot.matching(points, result.labels, outliers=False)


def test_the_right_graph_is_drawn_as_the_image_of_the_left_one():
    P = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [5.0, 5.0]])
    problem = gm.models.from_points(P, P + 1, edges1=[(0, 1), (1, 2), (2, 3)])
    problem = replace(problem, neighbours2=None)
    images = np.zeros((9, 9)), np.zeros((9, 9))
    drawn = plot.matching(problem, [0, 1, 2, -1], images=images)
    left, right = elements(drawn, "g", class_="graph")
    assert len(left) == 3 and len(right) == 2  # the edge of the unmatched node has no image
    assert len(elements(plot.matching(problem), "g", class_="graph")) == 1


def test_titles_are_drawn_and_legends_do_not_touch_the_counts():
    problem = gm.synth.worms(seed=0, size=9)
    drawn = plot.matching(problem, gm.gm_solve(problem), title="Worms & more")
    assert ">Worms &amp; more</text>" in drawn and "viewBox='0 -28" in drawn
    assert "class='ink heading'" not in plot.matching(problem)
    texts = elements(drawn, "text")
    height = {text.text: float(text.get("y")) for text in texts}
    legend = [y for text, y in height.items() if "correct" in text or "unmatched" in text]
    assert min(legend) - max(y for text, y in height.items() if "nodes" in text) >= 15


def test_colour_blind_readers_see_which_matches_are_wrong():
    """Green and red of the same lightness were the same colour with deuteranopia (Delta E 7.5)."""
    for one, other in itertools.combinations(KINDS.values(), 2):
        assert difference(one, other) >= APART
