"""Overlaps: edges whose costs are the smaller of two weights."""

from dataclasses import dataclass
from functools import cached_property

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.prices import second_prices, typical
from gmtoolbox.core.products import TwoMatrices, off_diagonal, submatrix

MOST_LEVELS = 256  # distinct weights up to which a product is a sum over thresholds


@dataclass(frozen=True, eq=False, repr=False)
class Overlaps(TwoMatrices):
    """sign * min(A_ij, B_sl) for i -> s and j -> l, over ordered pairs i != j.

    A is n1 x n1, B n2 x n2, each a dense array or a scipy.sparse matrix, which stays sparse; no
    entry is negative. Only entries off the diagonals count. With the distinct weights v_1 < v_2 <
    ..., and v_0 = 0,

        min(a, b) = sum_t (v_t - v_(t-1)) [a >= v_t] [b >= v_t],

    so a product with a vector is a sum of products with 0/1 matrices, if the weights are few.
    """

    A: object
    B: object
    sign: float = -1.0
    candidates: object = None

    def __post_init__(self):
        for name in "AB":
            M = off_diagonal(name, getattr(self, name))
            if M.min() < 0:
                raise InputError(f"{name} must not have negative entries, got {M.min():g}")
            object.__setattr__(self, name, M)

    @property
    def nonpositive(self):
        return self.sign < 0 or self.largest == 0

    @cached_property
    def largest(self):
        # both directions of a pair
        return 2.0 * min(float(self.A.max()), float(self.B.max()))

    @cached_property
    def scale(self):
        return min(typical(*second_prices(M)) for M in (self.A, self.B))

    def size_among(self, chosen):
        return abs(self.total_among(chosen))  # all terms have one sign

    def price_pairs(self, A_ij, A_ji, B_st, B_ts):
        return self.sign * (np.minimum(A_ij, B_st) + np.minimum(A_ji, B_ts))

    @cached_property
    def levels(self):
        """[(v_t - v_(t-1), [A >= v_t], [B >= v_t])], or None if there are too many."""
        weights = [np.unique(M.data if sparse.issparse(M) else M[M > 0]) for M in (self.A, self.B)]
        values = np.unique(np.concatenate(weights))
        values = values[(values > 0) & (values <= min(w.max(initial=0.0) for w in weights))]
        if len(values) > MOST_LEVELS:
            return None
        steps = np.diff(values, prepend=0.0)
        return [
            (float(step), at_least(self.A, v), at_least(self.B, v))
            for v, step in zip(values, steps, strict=True)
        ]

    def product(self, x):
        if self.levels is None:
            return self.written_out().product(x)
        n1, n2 = self.candidates.shape
        every = len(self.candidates) == n1 * n2  # pair is allowed: x is X, column by column
        X = np.asarray(x).reshape(n2, n1).T if every else self.candidates.scatter(x)
        Y = np.zeros((n1, n2))
        for step, A, B in self.levels:
            Z = (A @ X) @ B.T
            Y += self.sign * step * (Z if self.symmetric else 0.5 * (Z + (A.T @ X) @ B))
        return Y.T.ravel() if every else Y[self.candidates.left, self.candidates.right]

    def total(self, labels):
        labels = np.asarray(labels)
        nodes = np.flatnonzero(labels >= 0)
        A, B = submatrix(self.A, nodes), submatrix(self.B, labels[nodes])
        if sparse.issparse(A) or sparse.issparse(B):
            return self.sign * float(sparse.csr_array(A).minimum(sparse.csr_array(B)).sum())
        return self.sign * float(np.minimum(A, B).sum())


def at_least(M, value):
    """Return the 0/1 matrix of the entries that are at least a positive value."""
    if sparse.issparse(M):
        return sparse.csr_array((M >= value).astype(float))
    return (value <= M).astype(float)
