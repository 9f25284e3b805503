"""K as a picture: its pixels are the entries of K."""

import re

import numpy as np
import pytest
from svg import elements

import gmtoolbox as gm
from gmtoolbox.plot.affinities import colour_entries, matrix_of, row_of
from gmtoolbox.plot.images import from_png

PROBLEM = gm.synth.car(seed=0, size=6)


def test_the_matrix_is_k_sorted_by_left_node():
    values, step = matrix_of(PROBLEM)
    K = PROBLEM.K.toarray()
    n1, n2 = PROBLEM.shape
    by_left = np.arange(n1 * n2).reshape(n2, n1).T.ravel()  # rows of K are left + n1 * right
    assert step == 1 and np.allclose(values, K[np.ix_(by_left, by_left)])


def test_large_matrices_are_averaged():
    problem = gm.synth.caltech_large(seed=0, size=60)
    values, step = matrix_of(problem)
    assert step > 1 and max(values.shape) <= 420
    assert values.sum() * step**2 == pytest.approx(problem.reducedK.sum())


def test_the_row_of_a_match_is_a_row_of_k():
    i, s = 2, 4
    values = row_of(PROBLEM, i, s)
    row = PROBLEM.K.toarray()[i + 6 * s].reshape(6, 6).T
    assert np.allclose(values, row)
    with pytest.raises(gm.InputError, match=r"pair must be a candidate, \(9, 9\) is not"):
        gm.plot.affinity(PROBLEM, (9, 9))


def test_pictures_show_the_numbers_and_frame_the_matches():
    result = gm.gm_solve(PROBLEM)
    drawn = gm.plot.affinity(PROBLEM, (0, 3), result=result, title="One match")
    assert ">One match</text>" in drawn
    frames = elements(drawn, "rect", class_="match")
    assert len(frames) == int((result.labels >= 0).sum())
    (image,) = elements(drawn, "image")
    shown = from_png(image.get("href"))
    values = row_of(PROBLEM, 0, 3)
    times = shown.shape[0] // 6
    expected = colour_entries(values / np.abs(values).max())
    assert np.array_equal(shown[::times, ::times], expected)
    empty = gm.plot.affinity(gm.Problem((1, 1), [0], [0], [0.0]))
    assert "K, 1 x 1" in empty


def test_colours_tell_the_sign():
    (low, zero, high) = colour_entries(np.array([[-1.0, 0.0, 1.0]]))[0].tolist()
    assert low[2] > low[0] and zero == [255, 255, 255] and high[0] > high[2]


def test_frames_of_matches_stay_dark_and_large_numbers_have_room():
    """On dark pages the frames were white on white; the scale of QAPs was cut off."""
    p = gm.synth.car(seed=0, size=6)
    shown = gm.plot.affinity(p, (0, 3), result=gm.gm_solve(p))._repr_html_()
    frames = re.findall("class='match'.*?stroke='(.*?)'", shown)
    assert frames and "currentColor" not in frames
    large = gm.Problem.from_matrix(1e6 * np.arange(16.0).reshape(4, 4), shape=(2, 2), sense="max")
    drawn = gm.plot.affinity(large)
    width = float(re.search("width='([0-9.]+)'", drawn)[1])
    for x, text in re.findall("<text class='ink' x='([0-9.]+)'[^>]*>([^<]*)</text>", drawn):
        assert float(x) + 7 * len(text) <= width or text.startswith("cand"), text
