"""MatchEIG: consistent matchings stay as they are, single wrong matches are mended."""

from itertools import combinations

import numpy as np
import pytest

from gmtoolbox.core.errors import InputError
from gmtoolbox.engine import match_eig


def consistent(d, n, rng):
    """Matchings of d graphs of n nodes that a hidden numbering of tracks gives."""
    order = [rng.permutation(n) for _ in range(d)]  # track of each node
    back = [np.argsort(tracks) for tracks in order]
    return {(g, h): back[h][order[g]].astype(np.int32) for g, h in combinations(range(d), 2)}


@pytest.mark.parametrize("seed", range(3))
def test_consistent_matchings_stay(seed):
    given = consistent(5, 6, np.random.default_rng(seed))
    cleaned = match_eig.match_eig(given, [6] * 5)
    assert all(np.array_equal(cleaned[pair], given[pair]) for pair in given)


def test_wrong_matches_are_outvoted():
    given = consistent(8, 5, np.random.default_rng(3))
    wrong = {pair: labels.copy() for pair, labels in given.items()}
    wrong[0, 1][[0, 1]] = wrong[0, 1][[1, 0]]
    wrong[2, 5][3] = -1
    cleaned = match_eig.match_eig(wrong, [5] * 8, rank=5)
    assert all(np.array_equal(cleaned[pair], given[pair]) for pair in given)


def test_large_problems_use_part_of_the_spectrum(monkeypatch):
    given = consistent(6, 8, np.random.default_rng(4))
    monkeypatch.setattr(match_eig, "DENSE", 10)
    cleaned = match_eig.match_eig(given, [8] * 6, rank=8)
    assert all(np.array_equal(cleaned[pair], given[pair]) for pair in given)


def test_the_matrix_has_identities_and_both_directions():
    X = match_eig.block_matrix({(0, 1): np.array([1, -1])}, [2, 3]).toarray()
    wanted = np.eye(5)
    wanted[0, 3] = wanted[3, 0] = 1
    assert np.array_equal(X, wanted)


def test_bad_rank():
    with pytest.raises(InputError, match=r"rank must be in 1\.\.4, got 5"):
        match_eig.match_eig({(0, 1): np.array([0, 1])}, [2, 2], rank=5)
