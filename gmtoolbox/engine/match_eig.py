"""MatchEIG: partial matchings of many graphs, cleaned by a low-rank factorisation.

Maset, Arrigoni and Fusiello, Practical and efficient multi-view matching, ICCV 2017. With X_gh the
given 0/1 matrices and X_gg = I, the block matrix X of consistent matchings is P P' for the 0/1
matrix P that assigns nodes to tracks, so its rank is the number of tracks. Therefore

    X ~ U D U'          the leading eigenvectors and eigenvalues of X
    X_gh <- matching    the linear assignment that maximises the block (U D U')_gh, of which the
                        entries above THRESHOLD are kept.

A departure: without a given rank, it is the number of eigenvalues above half of the mean number of
graphs that a node is matched to; the eigenvalues of real tracks are above it.
"""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import linalg, np, optimize, sparse
from gmtoolbox.engine.linalg import eigenpairs

THRESHOLD = 0.5
DENSE = 400  # below this many nodes all eigenvalues are computed


def match_eig_seconds(sizes):
    """About how long match_eig takes: eigenvectors, and an assignment of each two graphs."""
    return 1e-8 * sum(sizes) ** 2 * max(sizes) + 1e-8 * sum(n**3 for n in sizes) * len(sizes)


def match_eig(given, sizes, rank=None):
    """{(g, h): labels} cleaned; not yet consistent in general."""
    n = sum(sizes)
    if rank is not None and not 1 <= rank <= n:
        raise InputError(f"rank must be in 1..{n}, got {rank}")
    values, vectors = find_leading(block_matrix(given, sizes), sizes, rank)
    base = np.concatenate([[0], np.cumsum(sizes)])
    scaled = vectors * np.sqrt(np.maximum(values, 0.0))
    cleaned = {}
    for g, h in given:
        block = scaled[base[g] : base[g + 1]] @ scaled[base[h] : base[h + 1]].T
        rows, columns = optimize.linear_sum_assignment(block, maximize=True)
        kept = block[rows, columns] > THRESHOLD
        labels = np.full(sizes[g], -1, dtype=np.int32)
        labels[rows[kept]] = columns[kept]
        cleaned[g, h] = labels
    return cleaned


def block_matrix(given, sizes):
    """X: identity blocks on the diagonal, the given matches outside."""
    base = np.concatenate([[0], np.cumsum(sizes)])
    rows, columns = [np.arange(base[-1])], [np.arange(base[-1])]
    for (g, h), labels in given.items():
        nodes = np.flatnonzero(labels >= 0)
        first, second = base[g] + nodes, base[h] + labels[nodes]
        rows += [first, second]
        columns += [second, first]
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(base[-1], base[-1]))


def find_leading(X, sizes, rank):
    """The eigenvalues that count and their vectors."""
    n = X.shape[0]
    if n <= DENSE or (rank or 0) >= n - 1:
        values, vectors = linalg.eigh(X.toarray())
    else:
        many = min(rank or 2 * max(sizes), n - 1)
        values, vectors = eigenpairs(X, np.ones(n), k=many, which="LA")
    order = np.argsort(-values, kind="stable")
    values, vectors = values[order], vectors[:, order]
    if rank is None:
        rank = max(int(np.count_nonzero(values > X.nnz / n / 2)), 1)
    return values[:rank], vectors[:, :rank]
