"""Tracks across all frames in one picture."""

import gmtoolbox as gm


def test_picture_of_tracks(scene):
    r = gm.gm_solve_multi(scene, maxiter=60)
    svg = gm.plot.tracks(scene.points, r.tracks, scene.truth)
    links = sum(len(clique) - 1 for clique in r.cliques)
    assert svg.count("<line class='track") == links
    assert svg.count("<circle") == scene.n_nodes
