"""Products: edges whose costs are the entries of two matrices, multiplied."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from gmtoolbox.core.candidates import Candidates
from gmtoolbox.core.edges import Implicit
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.prices import second_prices, sizes_of, typical
from gmtoolbox.core.values import as_array, freeze

PORTION = 2_000_000  # pairs of candidates that are looked at in one go


class TwoMatrices(Implicit):
    """Edges whose costs follow from a pair of nodes on each side: A is n1 x n1, B n2 x n2.

    The fields A, B and candidates are those of the subclasses, which also have
    price_pairs(A_ij, A_ji, B_st, B_ts): the costs of both directions of pairs of nodes.
    """

    @property
    def shape(self):
        """(n1, n2)."""
        return self.A.shape[0], self.B.shape[0]

    def over(self, candidates, order=None):
        """Matrices speak of nodes: the order of the candidates does not matter."""
        for name, n in zip("AB", candidates.shape, strict=True):
            found = getattr(self, name).shape
            if found != (n, n):
                raise InputError(f"{name} must be a finite {n} x {n} matrix, got shape {found}")
        return self.changed(candidates=candidates)

    def among(self, candidates, nodes1, nodes2):
        return self.changed(
            A=submatrix(self.A, nodes1), B=submatrix(self.B, nodes2), candidates=candidates
        )

    def swap_sides(self):
        return self.changed(A=self.B, B=self.A, candidates=None)

    def widen(self, shape):
        A, B = (pad_matrix(M, n) for M, n in zip((self.A, self.B), shape, strict=True))
        return self.changed(A=A, B=B, candidates=None)

    @property
    def magnitude(self):
        n1, n2 = self.A.shape[0], self.B.shape[0]
        return self.largest * (float(n1) * n2) ** 2

    @cached_property
    def symmetric(self):
        """Whether A and B both are."""
        return is_symmetric(self.A) and is_symmetric(self.B)

    def total_among(self, chosen):
        labels = np.full(self.candidates.shape[0], -1)
        left, right = self.candidates.pairs(chosen)
        labels[left] = right
        return self.total(labels)

    @cached_property
    def at_most(self):
        """The lesser of the two numbers that follow."""
        return min(self.pairs_of_entries, self.pairs_of_candidates)

    @cached_property
    def pairs_of_entries(self):
        """Unordered pairs {(i,s), (j,l)} with A_ij and B_sl or A_ji and B_ls in the pattern."""
        (one_way_A, both_ways_A), (one_way_B, both_ways_B) = map(pattern_counts, (self.A, self.B))
        return (2 * one_way_A * one_way_B - both_ways_A * both_ways_B) // 2

    @cached_property
    def pairs_of_candidates(self):
        """Unordered pairs of candidates (i,s), (j,l) with A_ij or A_ji in the pattern; not counted,
        inf, unless the candidates are a list of some of the pairs.
        """
        (n1, n2), pairs = self.shape, self.candidates
        if type(pairs) is not Candidates or len(pairs) == n1 * n2:
            return np.inf
        size = np.bincount(pairs.left, minlength=n1).astype(np.int64)
        i, j, _, _ = entry_pairs(self.A)
        return int((size[i] * size[j]).sum()) // 2

    def expand(self):
        i, j, A_ij, A_ji = entry_pairs(self.A)
        once = i < j
        i, j, A_ij, A_ji = i[once], j[once], A_ij[once], A_ji[once]
        s, t, B_st, B_ts = entry_pairs(self.B)
        if self.pairs_of_candidates < self.pairs_of_entries:
            return self.expand_candidates((i, j, A_ij, A_ji), (s, t, B_st, B_ts))
        shape = len(i), len(s)
        a = self.candidates.index(*np.broadcast_arrays(i[:, None], s))
        b = self.candidates.index(*np.broadcast_arrays(j[:, None], t))
        cost = self.price_pairs(A_ij[:, None], A_ji[:, None], B_st, B_ts)
        kept = (np.broadcast_to(cost, shape) != 0) & (a >= 0) & (b >= 0)
        return a[kept], b[kept], np.broadcast_to(cost, shape)[kept]

    def expand_candidates(self, links, entries):
        """The same from the candidates of linked nodes, which are few."""
        (i, j, A_ij, A_ji), (s, t, B_st, B_ts) = links, entries
        pairs, n2 = self.candidates, self.shape[1]
        key = s.astype(np.int64) * n2 + t  # ascending
        size = np.bincount(pairs.left, minlength=self.shape[0]).astype(np.int64)
        found = [], [], []
        for part in cut_by_sums(size[i] * size[j], PORTION):
            link, a = pairs.at(i[part])
            row, b = pairs.at(j[part][link])
            link, a = link[row] + part.start, a[row]
            wanted = pairs.right[a].astype(np.int64) * n2 + pairs.right[b]
            entry = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
            cost = self.price_pairs(A_ij[link], A_ji[link], B_st[entry], B_ts[entry])
            kept = (key[entry] == wanted) & (cost != 0)
            for column, values in zip(found, (a, b, cost), strict=True):
                column.append(values[kept])
        return tuple(map(np.concatenate, found))


@dataclass(frozen=True, eq=False, repr=False)
class Products(TwoMatrices):
    """The Koopmans-Beckmann form: A_ij B_sl for i -> s and j -> l, over ordered pairs i != j.

    A is n1 x n1, B n2 x n2, each a dense array or a scipy.sparse matrix, which stays sparse. Only
    the entries off the diagonals count: with n = 1000 that is 10^12 products.
    """

    A: object
    B: object
    candidates: object = None

    def __post_init__(self):
        for name in "AB":
            object.__setattr__(self, name, off_diagonal(name, getattr(self, name)))

    @cached_property
    def are_zero(self):
        """Whether one of the matrices is 0, and with it all products."""
        return not all(M.nnz if sparse.issparse(M) else M.any() for M in (self.A, self.B))

    @cached_property
    def nonpositive(self):
        (lowA, highA), (lowB, highB) = ((M.min(), M.max()) for M in (self.A, self.B))
        return max(lowA * lowB, lowA * highB, highA * lowB, highA * highB) <= 0

    @cached_property
    def largest(self):
        # both directions of a pair
        return 2.0 * (float(abs(self.A).max()) * float(abs(self.B).max()))

    @cached_property
    def scale(self):
        return typical(*second_prices(self.B), sizes_of(self.A))

    def size_among(self, chosen):
        if self.are_zero:
            return 0.0
        return self.changed(A=abs(self.A), B=abs(self.B)).total_among(chosen)

    def price_pairs(self, A_ij, A_ji, B_st, B_ts):
        return A_ij * B_st + A_ji * B_ts

    def portions(self, size):
        """Yield (a, b, cost) of all edges in the order of Listed, about `size` at a time."""
        i, j, A_ij, A_ji = entry_pairs(self.A)
        s, t, B_st, B_ts = entry_pairs(self.B)
        starts = np.searchsorted(s, np.arange(self.candidates.shape[1] + 1))
        for label, (first, last) in enumerate(pairwise(starts.tolist())):
            later = np.arange(first, last)[t[first:last] > label]  # a < b: the label of b is larger
            if len(later) == 0:
                continue
            a = self.candidates.index(i, np.full(len(i), label))
            allowed = np.flatnonzero(a >= 0)
            for rows in cut_between(i[allowed], size // len(later)):
                # (i, t, j) is the order of Listed, (t, i, j) that of the table
                e = allowed[rows]
                place = interleave(i[e], len(later))
                cost = B_st[later, None] * A_ij[e] + B_ts[later, None] * A_ji[e]
                b = self.candidates.index(*np.broadcast_arrays(j[e], t[later, None]))
                cost, b = cost.reshape(-1)[place], b.reshape(-1)[place]
                kept = np.flatnonzero((cost != 0) & (b >= 0))
                yield a[e][place[kept] % len(e)], b[kept], cost[kept]

    def product(self, x):
        n1, n2 = self.candidates.shape
        every = len(self.candidates) == n1 * n2  # pair is allowed: x is X, column by column
        X = np.asarray(x).reshape(n2, n1).T if every else self.candidates.scatter(x)
        Y = (self.A @ X) @ self.B.T
        if not self.symmetric:
            Y = 0.5 * (Y + (self.A.T @ X) @ self.B)
        return Y.T.ravel() if every else Y[self.candidates.left, self.candidates.right]

    def total(self, labels):
        if self.are_zero:
            return 0.0
        labels = np.asarray(labels)
        nodes = np.flatnonzero(labels >= 0)
        A, B = submatrix(self.A, nodes), submatrix(self.B, labels[nodes])
        if sparse.issparse(B):
            A, B = B, A
        return float((A.multiply(B) if sparse.issparse(A) else A * B).sum())

    def list_partners(self, labels):
        if not (sparse.issparse(self.A) and sparse.issparse(self.B)):
            return super().list_partners(labels)
        G = half_gradient(self.A, self.B, self.symmetric, labels).tocoo()
        kept = np.flatnonzero(self.candidates.allows(G.row, G.col))
        return G.row[kept], G.col[kept], 2.0 * G.data[kept]


def cut_by_sums(sizes, most):
    """Yield slices of a list of sizes, each with a sum of about `most`, and at least one."""
    ends = np.cumsum(sizes)
    begin, done = 0, 0
    while True:
        end = max(int(np.searchsorted(ends, done + most, side="right")), begin + 1)
        yield slice(begin, end)
        if end >= len(sizes):
            return
        begin, done = end, ends[end - 1]


def cut_between(values, size):
    """Yield slices of ascending values, each of about `size`; equal ones stay together."""
    begin = 0
    while begin < len(values):
        end = min(begin + max(size, 1), len(values))
        end = int(np.searchsorted(values, values[end - 1], side="right"))
        yield slice(begin, end)
        begin = end


def interleave(values, times):
    """Return the order that sorts `times` copies of ascending values, one behind the other."""
    n = len(values)
    first = np.searchsorted(values, values)  # of those that are equal
    width = np.searchsorted(values, values, side="right") - first
    copy = np.arange(times)[:, None]
    place = times * first + copy * width + (np.arange(n) - first)
    order = np.empty(times * n, dtype=np.int64)
    order[place.reshape(-1)] = np.arange(times * n)
    return order


def off_diagonal(name, M):
    """A copy of a finite matrix, zero on its diagonal."""
    if not sparse.issparse(M):
        M = as_array(name, M).astype(np.float64)
        check_finite(name, M.shape, M)
        np.fill_diagonal(M, 0.0)
        return freeze(M)
    M = sparse.coo_array(M)
    check_finite(name, M.shape, M.data)
    off = M.row != M.col
    M = sparse.csr_array((M.data[off].astype(np.float64), (M.row[off], M.col[off])), shape=M.shape)
    M.eliminate_zeros()  # equal pairs were added up before
    return M


def check_finite(name, shape, values):
    """InputError unless a matrix of this shape and these values is square and finite."""
    if len(shape) != 2 or shape[0] != shape[1] or not np.all(np.isfinite(values)):
        raise InputError(f"{name} must be a finite square matrix, got shape {shape}")


def half_gradient(A, B, symmetric, labels):
    """(A P B' + A' P B) / 2 for the matrix P of labels: half of the edge costs of each pair;
    sparse if A and B are. symmetric: A and B both are.
    """
    nodes = np.flatnonzero(np.asarray(labels) >= 0)
    shape = A.shape[0], B.shape[0]
    P = sparse.csr_array((np.ones(len(nodes)), (nodes, np.asarray(labels)[nodes])), shape=shape)
    if not (sparse.issparse(A) and sparse.issparse(B)):
        P = P.toarray()
    G = (A @ P) @ B.T
    return G if symmetric else 0.5 * (G + (A.T @ P) @ B)


def is_symmetric(M):
    """Whether a matrix, dense or sparse, equals its transpose."""
    return (M != M.T).nnz == 0 if sparse.issparse(M) else np.array_equal(M, M.T)


def submatrix(M, nodes):
    """Rows and columns of some nodes."""
    return M[nodes][:, nodes] if sparse.issparse(M) else freeze(M[np.ix_(nodes, nodes)])


def pad_matrix(M, n):
    """M with rows and columns of zeros behind its own, n x n."""
    if sparse.issparse(M):
        M = M.tocoo()
        return sparse.csr_array((M.data, (M.row, M.col)), shape=(n, n))
    wide = np.zeros((n, n))
    wide[: len(M), : len(M)] = M
    return freeze(wide)


def pattern_counts(M):
    """Numbers of entries that are not 0, and of those whose mirror image is not 0 either."""
    stored = M != 0
    if sparse.issparse(M):
        return stored.nnz, stored.multiply(stored.T).nnz
    return np.count_nonzero(stored), np.count_nonzero(stored & stored.T)


def entry_pairs(M):
    """Return (i, j, M_ij, M_ji) of all places with one of the two not 0, row by row."""
    if not sparse.issparse(M):
        i, j = np.nonzero((M != 0) | (M.T != 0))
        return i, j, M[i, j], M[j, i]
    n, entries = M.shape[0], M.tocoo()
    there = entries.row.astype(np.int64) * n + entries.col
    back = entries.col.astype(np.int64) * n + entries.row
    place = np.union1d(there, back)
    one, other = np.zeros(len(place)), np.zeros(len(place))
    one[np.searchsorted(place, there)] = entries.data
    other[np.searchsorted(place, back)] = entries.data
    return place // n, place % n, one, other
