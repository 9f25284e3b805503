"""The costs of second choices in a matrix: the scale of the tolerance of edges that are not listed.

If edges are listed, C computes it on the rows of tables by the same idea (cext/src/model/scale.c).
"""

from gmtoolbox.core.lazy import np, sparse

SAMPLE = 64  # rows that are looked at
WIDE = 1000.0  # the scale is at most this many times the least price
NOISE = 16 * 2.0**-52  # of two entries: their difference is rounding


def second_prices(M):
    """Return (prices, least difference) of some rows of a matrix, dense or sparse. The price of a
    row is how far its least entry is from the next one, or its largest, whichever is less.
    """
    n, width = M.shape
    M = sparse.csr_array(M) if sparse.issparse(M) else M
    found, least = [], np.inf
    for k in np.unique(np.linspace(0, n - 1, min(n, SAMPLE)).astype(int)) if n else ():
        row = M.data[M.indptr[k] : M.indptr[k + 1]] if sparse.issparse(M) else M[k]
        row = np.sort(row if len(row) == width else np.append(row, 0.0))
        steps = np.diff(row)
        steps = steps[steps > NOISE * (np.abs(row[1:]) + np.abs(row[:-1]))]
        if len(steps):
            found.append(min(steps[0], steps[-1]))
            least = min(least, steps.min())
    return np.array(found), least


def sizes_of(M):
    """Return the absolute values of the entries of a matrix that are not 0, of some rows."""
    n = M.shape[0]
    rows = np.unique(np.linspace(0, n - 1, min(n, SAMPLE)).astype(int))
    some = sparse.csr_array(M)[rows].data if sparse.issparse(M) else M[rows]
    return np.abs(some[some != 0])


def typical(prices, least, sizes=(1.0,)):
    """Return the scale of all products price * size: their median, but at most WIDE times the
    least difference of the entries with the least size; inf without any.
    """
    if not (len(prices) and len(sizes)):
        return np.inf
    middle = float(np.median(prices) * np.median(sizes))
    return min(middle, WIDE * float(min(np.min(prices), least) * np.min(sizes)))
