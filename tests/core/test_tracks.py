"""Tracks: one node of each graph at most, numbered by first appearance, scored by pairs."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.tracks import (
    canonical,
    check_tracks,
    cliques_of,
    cycle_consistency,
    labels_between,
    labels_of_pairs,
    links,
    track_f1,
)


def random_tracks(seed, d=4):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, d)
    return [rng.permutation(6)[:n] for n in sizes], sizes


def test_numbers_are_names_only():
    flat = np.array([7, 3, 7, 9, 3])
    assert canonical(flat).tolist() == [0, 1, 0, 2, 1]
    renamed = np.array([100, 50, 0, 3, 2, 8, 1, 9, 4, 6])[flat]
    assert np.array_equal(canonical(renamed), canonical(flat))


def test_labels_and_cliques_tell_the_same():
    for seed in range(10):
        tracks, sizes = random_tracks(seed)
        tracks = check_tracks(tracks, sizes)
        cliques = cliques_of(tracks)
        for g, h in itertools.permutations(range(len(sizes)), 2):
            labels = labels_between(tracks, g, h)
            expected = {clique[g]: clique[h] for clique in cliques if g in clique and h in clique}
            assert {i: s for i, s in enumerate(labels.tolist()) if s >= 0} == expected


def test_tracks_are_consistent_around_every_cycle():
    for seed in range(5):
        tracks, sizes = random_tracks(seed)
        tracks = check_tracks(tracks, sizes)
        pairs = itertools.combinations(range(len(sizes)), 2)
        share = cycle_consistency({(g, h): labels_between(tracks, g, h) for g, h in pairs}, sizes)
        assert share == 1.0 or np.isnan(share)


def test_f1_by_counting_pairs():
    for seed in range(10):
        (tracks, sizes), rng = random_tracks(seed), np.random.default_rng(seed)
        truth = [rng.permutation(6)[:n] for n in sizes]

        def pairs(groups):
            nodes = [(g, i, t) for g, own in enumerate(groups) for i, t in enumerate(own)]
            return {(a[:2], b[:2]) for a, b in itertools.combinations(nodes, 2) if a[2] == b[2]}

        ours, true = pairs(tracks), pairs(truth)
        if ours or true:
            expected = 2 * len(ours & true) / (len(ours) + len(true))
            assert track_f1(tracks, truth) == pytest.approx(expected)


def test_two_nodes_of_one_graph_are_refused():
    with pytest.raises(InputError, match="at most one node of each graph"):
        check_tracks([[0, 0]], [2])


def test_links_of_all_pairs():
    answer = SimpleNamespace(tracks=[np.array([0, 1]), np.array([1]), np.array([1, 2])])
    truth = [[0, 1], [1], [-1, 0]]
    assert links(answer, truth) == ([-1, 0, -1, 0, 0], [-1, 0, 1, -1, -1])
    with pytest.raises(InputError, match="must have the sizes of the graphs"):
        links(answer, [[0], [1], [2, 3]])
    with pytest.raises(InputError, match="the problem has no truth"):
        links(answer, SimpleNamespace(truth=None))


def test_labels_of_many_pairs_are_those_of_each():
    rng = np.random.default_rng(5)
    for _ in range(30):
        sizes = rng.integers(0, 5, 4).tolist()
        tracks = check_tracks([rng.permutation(6)[:n] for n in sizes], sizes)
        pairs = list(itertools.combinations(range(4), 2))
        found = labels_of_pairs(tracks, pairs)
        for (g, h), labels in zip(pairs, found, strict=True):
            assert labels.tolist() == labels_between(tracks, g, h).tolist()
