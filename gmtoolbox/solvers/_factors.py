"""A Koopmans-Beckmann problem as its own methods see it: the matrices A and B, the unary costs as a
matrix, and dummies that make it square.

Nothing here is larger than a handful of n x n tables, and sparse matrices stay sparse.
"""

from functools import cached_property

from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.products import Products, half_gradient, is_symmetric
from gmtoolbox.core.values import dense

SPARSE_SHARE = 0.15  # of entries that are not 0: up to here a matrix is multiplied as a sparse one


def has_factors(problem):
    """Whether the edges of a problem are products of two matrices, and no dummies are implicit."""
    return isinstance(problem.edges, Products) and not problem.dummies


class QapFactors:
    """minimise sum A_ij B_sl x_is x_jl + sum C_is x_is over matchings.

    Parameters
    ----------
    problem : Problem
        Its edges are Products.

    Attributes
    ----------
    A, B : dense or sparse matrices, whichever multiplies faster
    C : (n1, n2) array or None
        Unary costs, +inf for a forbidden pair; None if all are 0 and allowed.
    n : int
        Side of the square problem: with as many dummies as the smaller side lacks, or, if
        nodes may stay unmatched, with a dummy for every node of either side.
    """

    def __init__(self, problem):
        self.problem = problem
        self.shape = n1, n2 = problem.shape
        self.A, self.B = (choose_form(M) for M in (problem.edges.A, problem.edges.B))
        self.n = max(n1, n2) if problem.complete else n1 + n2
        self.all_pairs = problem.n_candidates == n1 * n2
        self._kept = {}

    @cached_property
    def is_plain(self):
        """Whether all pairs are allowed and cost nothing by themselves."""
        return self.all_pairs and not np.any(self.problem.cost)

    @cached_property
    def C(self):
        """See the class."""
        if self.is_plain:
            return None
        if self.all_pairs:
            return self.problem.cost.reshape(self.shape[::-1]).T
        C = np.full(self.shape, np.inf)
        C[self.problem.left, self.problem.right] = self.problem.cost
        return C

    @cached_property
    def sparse_costs(self):
        """(n1, n2) unary costs that are not 0."""
        stored = np.flatnonzero(self.problem.cost)
        pairs = self.problem.candidates.pairs(stored)
        return sparse.csr_array((self.problem.cost[stored], pairs), shape=self.shape)

    @cached_property
    def symmetric(self):
        """A and B; only the symmetric parts count if one of the two is symmetric."""
        return is_symmetric(self.A) or is_symmetric(self.B)

    @property
    def are_sparse(self):
        """Whether A and B are multiplied as sparse matrices."""
        return sparse.issparse(self.A) and sparse.issparse(self.B)

    def keep(self, name, make):
        """Return the result of make(), computed once."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def square(self, labels):
        """Labels, some of them -1, as a permutation of all n: dummies take the rest."""
        n1, n = self.shape[0], self.n
        at = np.full(n, -1, dtype=np.int32)
        at[:n1] = labels
        free = np.flatnonzero(at < 0)
        unused = np.setdiff1d(np.arange(n, dtype=np.int32), at)
        at[free] = unused[::-1]  # real nodes come first and dummy labels last: no real pair is made
        return at

    def lift(self, at):
        """The way back."""
        labels = np.array(at[: self.shape[0]])
        labels[labels >= self.shape[1]] = -1
        return labels

    def gradient_at(self, labels):
        """Return half of the edge costs of each pair, dense or sparse as A and B are."""
        return half_gradient(self.A, self.B, self.problem.edges.symmetric, labels)


def choose_form(M):
    """The matrix in the form in which it multiplies faster."""
    if sparse.issparse(M):
        return M
    n = M.shape[0]
    few = n >= 64 and np.count_nonzero(M) <= SPARSE_SHARE * n * n
    return sparse.csr_array(M) if few else M


def pad_dense(M, n):
    """M with rows and columns of zeros behind its own, n x n, dense."""
    wide = np.zeros((n, n))
    wide[: M.shape[0], : M.shape[0]] = dense(M)
    return wide


def links(M):
    """(start, other, out, in) of a matrix as struct gm_links wants them: for every node i all k
    with M_ik or M_ki not 0, and these two.
    """
    M = sparse.csr_array(M)
    both = sparse.csr_array(abs(M) + abs(M.T))
    both.sort_indices()
    row = np.repeat(np.arange(M.shape[0]), np.diff(both.indptr))
    key = row * M.shape[0] + both.indices

    def laid_out(N):
        N = sparse.coo_array(N)
        values = np.zeros(len(key))
        values[np.searchsorted(key, N.row.astype(np.int64) * M.shape[0] + N.col)] = N.data
        return values

    return both.indptr.astype(np.int64), both.indices.astype(np.int32), laid_out(M), laid_out(M.T)
