"""Largest matchings: as many pairs as scipy finds, all of them allowed and none twice."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import maximum_bipartite_matching

from gmtoolbox.engine.rounding import Lap, most_pairs


def labels_of(pattern):
    pattern = sparse.csr_array(pattern)
    return most_pairs(Lap(*pattern.shape, pattern.indptr, pattern.indices))


def test_as_many_pairs_as_scipy():
    rng = np.random.default_rng(0)
    for _ in range(300):
        shape = rng.integers(1, 15, 2)
        pattern = sparse.csr_array(rng.random(shape) < rng.choice([0.1, 0.2, 0.4, 0.9]))
        labels = labels_of(pattern)
        matched = np.flatnonzero(labels >= 0)
        assert len(set(labels[matched].tolist())) == len(matched)
        assert np.all(pattern.toarray()[matched, labels[matched]])
        theirs = maximum_bipartite_matching(pattern, perm_type="column")
        assert len(matched) == np.count_nonzero(theirs >= 0)


def test_long_paths():
    """A chain on which the greedy start leaves one row to a path through all others."""
    n = 3000
    rows = np.concatenate([np.arange(n - 1), np.arange(n)])
    cols = np.concatenate([np.arange(n - 1) + 1, np.arange(n)])
    pattern = sparse.csr_array((np.ones(len(rows), bool), (rows, cols)), shape=(n, n))[::-1]
    assert sorted(labels_of(pattern)) == list(range(n))


def test_no_entries():
    assert labels_of(sparse.csr_array((3, 2))).tolist() == [-1, -1, -1]
