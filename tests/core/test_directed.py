"""Directed edges in columns: starts and ends are found again."""

import numpy as np

from gmtoolbox.core.directed import directed_edges, distinct


def test_each_pair_has_one_column_with_its_ends():
    start, end = np.array([2, 0, 2, 1]), np.array([0, 1, 0, 2])
    graph, column = directed_edges(start, end, 3)
    G, H = graph.G.toarray(), graph.H.toarray()
    assert G.shape == H.shape == (3, 3) and np.all(G.sum(axis=0) == 1)
    for k in range(4):
        assert G[start[k], column[k]] == 1 and H[end[k], column[k]] == 1
    assert column[0] == column[2]


def test_a_table_gives_what_sorting_gives():
    key = np.random.default_rng(0).integers(0, 50, 200)
    for limit in (50, 10**9):  # by a table of all keys, by sorting
        keys, which = distinct(key, limit)
        assert np.array_equal(keys, np.unique(key)) and np.array_equal(keys[which], key)
