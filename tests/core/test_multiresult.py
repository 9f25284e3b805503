"""Results of many graphs: tracks, cliques and matchings say the same."""

from dataclasses import replace

import numpy as np
import pytest
from multi_cases import random_multi

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError


@pytest.fixture(scope="module")
def solved():
    m = random_multi(3, (3, 2, 3), density=1.0)
    return m, gm.gm_solve_multi(m, maxiter=200)


def test_tracks_cliques_and_labels_agree(solved):
    m, r = solved
    assert [len(own) for own in r.tracks] == [3, 2, 3] == list(r.sizes)
    assert m.energy(r.tracks) == pytest.approx(r.value)
    for clique in r.cliques:
        for g, i in clique.items():
            for h, s in clique.items():
                if g != h:
                    assert r.labels(g, h)[i] == s
    assert r.n_tracks == sum(len(clique) > 1 for clique in r.cliques)


def test_labels_of_a_pair_are_inverse(solved):
    _, r = solved
    forth, back = r.labels(0, 2), r.labels(2, 0)
    assert all(back[s] == i for i, s in enumerate(forth) if s >= 0)
    with pytest.raises(InputError, match=r"graph must be in 0\.\.2, got 3"):
        r.labels(0, 3)


def test_what_matlab_gets_counts_from_one(solved):
    _, r = solved
    given = r.to_matlab()
    assert all(
        np.array_equal(own + 1.0, cell) for own, cell in zip(r.tracks, given["tracks"], strict=True)
    )
    assert given["trace"].shape[1] == 3 and given["value"] == r.value


def test_it_shows_itself(solved):
    _, r = solved
    assert f"{r.n_tracks} tracks over 3 graphs" in repr(r)
    rows = dict(r.summary_rows())
    assert rows["tracks"].startswith(f"{r.n_tracks} over 3 graphs")


def test_message_names_what_needs_a_sentence():
    m = gm.synth.worms_multi(d=3, m=8)
    r = gm.gm_solve_multi(m)
    assert r.message == ""
    alone = replace(r, flat=np.arange(len(r.flat)))
    assert alone.message.startswith("Nothing matched is the proven optimum")
    assert "ended with nothing matched" in replace(alone, status="converged").message
    far = replace(r, status="converged", gap=0.5)
    assert far.message.endswith("better.") and "%" in far.message
