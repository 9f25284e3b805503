"""A given affinity matrix K: checked, its shape inferred, read as the edges of a problem.

A matrix K without `sense` is an affinity, and without `shape` or `Ct` it joins the pairs of two
graphs of one size. If the entries speak against either guess, a warning names the argument that
confirms it and the one that corrects it; matrices, files, structs and batches are checked alike.
"""

from gmtoolbox.core.errors import (
    InputError,
    SenseWarning,
    ShapeWarning,
    element,
    phrase,
    warn,
)
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.values import as_array, check_exact, check_shape, dense, stored_entries

VOID = 0.5  # fraction of meaningless entries from which on a matrix is not taken for an affinity


def check_matrix(K, *, dense=False):
    """A real, square, NaN-free matrix as rows of float64 without duplicates.

    dense=True leaves an array an array (of float64): see dense_edges.
    """
    if not sparse.issparse(K):
        K = as_array("K", K)
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise InputError(f"K must be a square matrix, got shape {tuple(K.shape)}")
    if K.shape[0] == 0:
        raise InputError("K must not be empty, got shape (0, 0)")
    check_exact("K", K)
    if K.shape[0] >= 2**31:
        raise InputError(f"K must have fewer than 2**31 rows, got {K.shape[0]}")
    if dense and not sparse.issparse(K):
        return check_dense(np.asarray(K, dtype=np.float64))
    K = sparse.csr_array(K, dtype=np.float64) if sparse.issparse(K) else rows_of_dense(K)
    if not K.has_canonical_format:
        K = K.copy()
        K.sum_duplicates()
    for k in non_finite(K.data):
        if np.isnan(K.data[k]):
            raise InputError(f"{element('K', row_of_entry(K, k), K.indices[k])} is NaN")
    return K


def check_dense(K):
    """A float64 array without NaN, infinite on the diagonal only."""
    for k in non_finite(K.reshape(-1)):
        row, column = divmod(int(k), K.shape[1])
        if np.isnan(K[row, column]):
            raise InputError(f"{element('K', row, column)} is NaN")
        if row != column:
            raise infinite_pair(K[row, column], row, column)
    return K


def infinite_pair(value, row, column):
    """The InputError for an infinite entry off the diagonal."""
    return InputError(
        f"{element('K', row, column)} is {value}; only the diagonal may be infinite (a forbidden"
        " assignment)"
    )


def non_finite(values):
    """Places of NaN and infinity."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):  # the usual case, without an array of flags
            return ()
    return np.flatnonzero(~np.isfinite(values))


def rows_of_dense(K, entries=1 << 17):
    """The non-zeros of a dense matrix, a few rows at a time: nothing of the size of K is made."""
    n, m = K.shape
    step = max(1, entries // m)
    count, cols, values = [np.zeros(1, dtype=np.int64)], [], []
    for begin in range(0, n, step):
        block = np.asarray(K[begin : begin + step], dtype=np.float64).ravel()
        place = np.flatnonzero(block != 0)
        count.append(np.bincount(place // m, minlength=min(step, n - begin)))
        cols.append((place % m).astype(np.int32))
        values.append(block[place])
    start = np.cumsum(np.concatenate(count))
    return sparse.csr_array((np.concatenate(values), np.concatenate(cols), start), shape=(n, m))


def row_of_entry(K, k):
    """The row of the k-th stored entry."""
    return int(np.searchsorted(K.indptr, k, side="right")) - 1


def matrix_edges(K, allowed, sign):
    """(a, b, cost) of the pairs of allowed rows: K and K' added up, in canonical form."""
    if not sparse.issparse(K):
        return dense_edges(K, np.flatnonzero(allowed), sign)
    for k in non_finite(K.data):
        row = row_of_entry(K, k)
        if row != K.indices[k]:
            raise infinite_pair(K.data[k], row, K.indices[k])
    both = K.T.tocsr()
    with np.errstate(over="ignore"):  # the Problem refuses overflow
        if np.array_equal(K.indptr, both.indptr) and np.array_equal(K.indices, both.indices):
            both.data += K.data  # as K + K' without merging two patterns
        else:
            both = K + both
    row = np.repeat(np.arange(K.shape[0], dtype=np.int32), np.diff(both.indptr))
    kept = both.indices > row
    if not both.data.all():
        kept &= both.data != 0
    if not allowed.all():
        kept &= allowed[row] & allowed[both.indices]
    a, b, cost = row[kept], both.indices[kept].astype(np.int32, copy=False), both.data[kept]
    if not allowed.all():
        # which candidate each allowed row is
        position = (np.cumsum(allowed) - 1).astype(np.int32)
        a, b = position[a], position[b]
    return a, b, np.multiply(cost, sign, out=cost)


def dense_edges(K, rows, sign, entries=1 << 18):
    """matrix_edges of an array, a few of the allowed rows at a time; no sparse matrix is made."""
    if len(rows) < len(K):
        K = K[np.ix_(rows, rows)]
    n = len(K)
    a, b = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    cost = [np.empty(0)]
    begin = 0
    while begin < n:
        end = min(n, begin + max(1, entries // (n - begin)))
        with np.errstate(over="ignore"):  # the Problem refuses overflow
            both = K[begin:end, begin:] + K[begin:, begin:end].T
        lower = np.tri(end - begin, dtype=bool)  # pairs a >= b, on the left of these rows
        both[:, : end - begin][lower] = 0.0
        row, column = np.nonzero(both)
        a.append(row.astype(np.int32) + np.int32(begin))
        b.append(column.astype(np.int32) + np.int32(begin))
        cost.append(sign * both[row, column])
        begin = end
    return np.concatenate(a), np.concatenate(b), np.concatenate(cost)


def check_mask(Ct):
    """An (n1, n2) array of 0 and 1."""
    Ct = dense(Ct)
    if Ct.ndim != 2:
        raise InputError(f"Ct must be an n1 x n2 matrix, got shape {Ct.shape}")
    if not np.all((Ct == 0) | (Ct == 1)):
        raise InputError("Ct must hold only 0 and 1")
    return Ct


def infer_shape(n, shape, Ct):
    """(n1, n2) of an affinity with n rows: from shape, else from Ct, else n must be a perfect
    square.
    """
    if shape is not None:
        n1, n2 = check_shape(shape)
        if n1 * n2 != n:
            raise InputError(f"K has {n} rows, but shape = ({n1}, {n2}) asks for n1*n2 = {n1 * n2}")
    elif Ct is not None:
        n1, n2 = Ct.shape
        if n1 * n2 != n:
            raise InputError(
                f"K has {n} rows, but Ct of shape ({n1}, {n2}) asks for n1*n2 = {n1 * n2}"
            )
    else:
        n1 = n2 = round(n**0.5)
        if n1 * n2 != n:
            raise InputError(
                f"K has {n} rows, which is no perfect square: give shape=(n1, n2) or Ct"
            )
    if Ct is not None and Ct.shape != (n1, n2):
        raise InputError(f"Ct must have shape (n1, n2) = ({n1}, {n2}), got {Ct.shape}")
    return n1, n2


def check_guesses(K, shape=None, Ct=None, sense=None):
    """Warn of guesses about a matrix K: without sense it is an affinity, without shape and Ct one
    of the pairs of two graphs of one size. K is not checked yet.
    """
    K = K if sparse.issparse(K) else as_array("K", K)
    if sense is None and has_negative(K):
        warn_of_sense("K", "a matrix is an affinity unless its sense is given", describe_senses())
    if shape is None and Ct is None:
        warn_of_shape("K", K)


def describe_senses():
    """Return how to give the sense of a matrix as an argument."""
    low, high = (
        phrase(f"sense={way!r}", f"'sense', {way!r}", f"--sense {way}") for way in ("min", "max")
    )
    return f"give {low} if it holds costs, {high} if not"


def warn_of_sense(name, reason, remedy, done="has negative entries and is maximised"):
    """Warn with SenseWarning: how a matrix was read, why, and how to state its sense."""
    warn(f"{name} {done}, since {reason}: {remedy}", SenseWarning)


def warn_of_shape(name, K):
    """ShapeWarning if most entries of a matrix mean nothing under its guessed shape n x n."""
    is_square = K.dtype.kind in "biuf" and K.ndim == 2 and K.shape[0] == K.shape[1]
    N = K.shape[0] if is_square else 0
    n = round(N**0.5)
    if n < 2 or n * n != N or not is_mostly_void(K, n):
        return
    shape = phrase(f"shape=({n}, {n})", f"'shape', [{n} {n}]", f"--shape {n} {n}")
    solver = phrase("gm.assign", "matchpairs", "gm.assign in Python")
    warn(
        f"{name} ({N} x {N}) is taken as the affinity of {n} x {n} nodes, although most of its"
        " entries for two pairs with a node in common, which count for nothing, are not 0: give"
        f" {shape} if that is meant; a matrix of the costs of single pairs is a linear assignment"
        f" problem ({solver})",
        ShapeWarning,
    )


def has_negative(K):
    """Return whether a matrix has a negative entry; -inf only forbids a pair of an affinity."""
    entries = stored_entries(K)
    if entries.dtype.kind not in "fi" or not entries.size:
        return False
    least = entries.min()
    if np.isneginf(least):
        least = entries.min(where=np.isfinite(entries), initial=0)
    return bool(least < 0)


def is_mostly_void(K, n):
    """Return whether most entries between two of n x n pairs that share a node are not 0."""
    if sparse.issparse(K):
        K = K.tocoo()
        row, column = (ends[K.data != 0].astype(np.int64) for ends in (K.row, K.col))
        sharing = (row % n == column % n) | (row // n == column // n)
        filled = np.count_nonzero(sharing & (row != column))
    else:
        table = K.reshape(n, n, n, n)  # right and left node of the row, then of the column
        same = [np.einsum(term, table) for term in ("sisj->sij", "siti->sit")]  # views
        filled = sum(map(np.count_nonzero, same)) - 2 * np.count_nonzero(K.diagonal())
    return filled > VOID * 2 * (n - 1) * n * n
