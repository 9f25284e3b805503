"""Tracks across all frames in one picture."""

import pytest
from svg import elements

import gmtoolbox as gm
from gmtoolbox.plot.tracks import FRAME, GAP


def test_picture_of_tracks(scene):
    r = gm.gm_solve_multi(scene, maxiter=60)
    svg = gm.plot.tracks(scene.points, r.tracks, scene.truth)
    links = sum(len(clique) - 1 for clique in r.cliques)
    assert svg.count("<line class='track") == links
    assert svg.count("<circle") == scene.n_nodes


def test_links_to_another_row_do_not_cross_the_page():
    points = [[[0.0, 0.0], [1.0, 1.0]]] * 9
    drawn = gm.plot.tracks(points, [[0, 1]] * 9, [[0, 1]] * 9, title="Nine frames")
    lines = elements(drawn, "line")
    assert len(lines) == 2 * (8 + 1)  # one of eight links of each track has two ends
    across = [abs(float(line.get("x2")) - float(line.get("x1"))) for line in lines]
    assert max(across) <= 2 * (FRAME + GAP)
    assert len(elements(drawn, "rect", class_="frame")) == 9
    for text in ("2 tracks", "16 links correct", "Nine frames"):
        assert f">{text}</text>" in drawn


def test_a_problem_and_its_result_are_drawn():
    m = gm.synth.worms_multi(d=3, m=8)
    r = gm.gm_solve_multi(m)
    assert gm.plot.tracks(m, r) == gm.plot.tracks(m.points, r.tracks, m.truth)
    with pytest.raises(gm.InputError, match="the problem has no points"):
        gm.plot.tracks(gm.MultiProblem(m.pairs), r)


def test_points_in_space_are_refused_with_advice():
    points = [[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]] * 2
    with pytest.raises(gm.InputError, match=r"points\[0\] in the plane.*points\[:, :2\]"):
        gm.plot.tracks(points, [[0, 1]] * 2)
    assert gm.plot.tracks([[[0.0, 0.0]], []], [[0], []]).count("<circle") == 1
