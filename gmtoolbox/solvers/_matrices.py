"""The matrices of the baselines, as the C kernels see them: W = -K over the candidates, and a whole
matrix n1 x n2 in the three parts of cext/src/baselines/parts.c (candidates, implicit dummies,
forbidden pairs).
"""

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.lazy import np

SECONDS_PER_NUMBER = 4e-9  # of a Sinkhorn sweep


class Parts:
    """x on the candidates, rho gamma' on the implicit dummies, R C' on the forbidden pairs; value
    everywhere at first.

    forbidden=False leaves the forbidden pairs 0.
    """

    def __init__(self, problem, value=1.0, forbidden=True):
        (n1, n2), (row, col) = problem.shape, problem.dummies.corner
        self.problem = problem
        self.n_feasible = problem.n_candidates + (n1 - row) * (n2 - col)
        self.has_block = self.n_feasible > problem.n_candidates
        self.x = np.full(problem.n_candidates, value)
        self.rho, self.gamma = np.full(n1 - row, value), np.ones(n2 - col)
        self.R, self.C = np.full(n1, value), np.ones(n2)
        self.scratch = np.empty(problem.n_candidates + 3 * (n1 + n2))
        arrays = {
            "x": self.x,
            "rho": self.rho,
            "gamma": self.gamma,
            "left": problem.left,
            "right": problem.right,
        }
        if forbidden and self.n_feasible < n1 * n2:
            arrays.update(R=self.R, C=self.C)
        self._borrowed = {name: pointer(array) for name, array in arrays.items()}
        self._lines = {
            "rows": lines(n1, problem.left, problem.right),
            "columns": lines(n2, problem.right, problem.left),
        }
        sizes = {"n1": n1, "n2": n2, "n_candidates": problem.n_candidates, "row": row, "col": col}
        self.struct = ffi.new("gm_parts *", {**sizes, **self._borrowed, **self._lines})
        self._scratch = pointer(self.scratch)

    def update(self, last, b, y):
        """exp(b y) on the candidates, 1 on the implicit dummies; forbidden pairs as they are in
        last.

        The exponentials are those of the C library, as in the originals: numpy has others for other
        processors, and their last bit decides a published value (caltech-small14).
        """
        lib.gm_exponentials(len(y), b, pointer(y), self._borrowed["x"])
        self.rho[:] = self.gamma[:] = 1.0
        self.R[:], self.C[:] = last.R, last.C

    def sinkhorn(self, tol2, sweeps):
        """Scale rows and columns to sum 1; False if overflow has produced NaN."""
        return lib.gm_sinkhorn(self.struct, tol2, sweeps, self._scratch) >= 0

    def sinkhorn_seconds(self, sweeps):
        """Return the approximate time of this many sweeps."""
        return SECONDS_PER_NUMBER * len(self.scratch) * sweeps

    def is_near(self, other, tol):
        """Whether the sum of |X - Y| over all entries is below tol."""
        return lib.gm_parts_distance(self.struct, other.struct, tol) < tol

    def matrix(self):
        """Candidates and implicit dummies as a matrix; forbidden pairs 0."""
        X = self.problem.scatter(self.x)
        row, col = self.problem.dummies.corner
        X[row:, col:] += np.outer(self.rho, self.gamma)
        return X


def lines(n_lines, line, other):
    """struct gm_lines of one side: the candidates of each of its lines."""
    arrays = [pointer(np.empty(size, np.int32)) for size in (n_lines + 1, len(line), n_lines)]
    lib.gm_fill_lines(n_lines, len(line), pointer(line), pointer(other), *arrays)
    return dict(zip(("start", "across", "order"), arrays, strict=True))


def make_affinity(problem):
    """W = -K over the candidates: an Affinity, or an operator if the edges are not
    written out (see core.edges).
    """
    return Affinity(problem) if problem.edges.fit_into_a_matrix else -problem.reducedK


class Affinity:
    """W = -K over the candidates, as the C kernels see it (struct gm_affinity): W @ x is
    -problem.reducedK @ x to the last bit.

    The problem's own arrays, not a copy; compatible=True drops the edges between two candidates of
    one node or one label.
    """

    def __init__(self, problem, compatible=False):
        N = problem.n_candidates
        a, b, edge_cost = problem.a, problem.b, problem.edge_cost
        if compatible and lib.gm_count_conflicts(problem.c_model[0]):
            kept = (problem.left[a] != problem.left[b]) & (problem.right[a] != problem.right[b])
            a, b, edge_cost = a[kept], b[kept], edge_cost[kept]
        self.shape = (N, N)
        self.start, self.behind = np.empty(N + 1, np.int64), b
        lib.gm_edge_starts(N, len(a), pointer(a), pointer(self.start))
        self._hold(problem.cost, edge_cost)

    def _hold(self, cost, edge_cost):
        """Point the struct to these costs."""
        self.cost, self.edge_cost = cost, edge_cost
        self._borrowed = [pointer(array) for array in (self.start, self.behind, cost, edge_cost)]
        self.struct = ffi.new("gm_affinity *", [self.shape[0], *self._borrowed])

    def __matmul__(self, x):
        x, y = np.ascontiguousarray(x, np.float64), np.empty(len(x))
        lib.gm_multiply(self.struct, pointer(x), pointer(y))
        return y

    def __imul__(self, factor):
        self._hold(self.cost * factor, self.edge_cost * factor)
        return self

    def row_sums(self):
        """The sum of each row."""
        return self @ np.ones(self.shape[0])

    def sum(self):
        """The sum of all entries."""
        return float(self.row_sums().sum())
