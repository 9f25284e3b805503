"""Directed edges of one graph as FGM has them: a column for each, with its start and its end."""

from typing import NamedTuple

from gmtoolbox.core.lazy import np, sparse


class IncidenceGraph(NamedTuple):
    """Directed edges as the MATLAB originals store them: G marks starts, H ends, one column an
    edge.
    """

    G: object
    H: object


def directed_edges(start, end, n):
    """(Graph with one column per distinct directed pair, column of each given pair)."""
    key, column = distinct(start.astype(np.int64) * n + end, n * n)
    m = len(key)
    ones, columns = np.ones(m), np.arange(m)
    G = sparse.csc_array((ones, (key // n, columns)), shape=(n, m))
    H = sparse.csc_array((ones, (key % n, columns)), shape=(n, m))
    return IncidenceGraph(G, H), column


def distinct(key, limit):
    """Return (distinct keys in 0 .. limit-1, sorted; the position of each key among them), without
    sorting if a table of all possible keys is small.
    """
    if limit > 8 * len(key) + 1_000_000:
        return np.unique(key, return_inverse=True)
    seen = np.zeros(limit, dtype=bool)
    seen[key] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]
