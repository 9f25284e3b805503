"""Linear assignment, products and factorisations: the C kernels on Python arrays."""

import inspect
import math

from gmtoolbox.core._ffi import check, ffi, lib, pointer, view
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, optimize, sparse, sparse_linalg
from gmtoolbox.engine.limits import OutOfTime

# Seconds per m n min(m, n) of a singular value decomposition on one core of 2020, LAPACK's gesdd
SVD_SECONDS = 5e-10


class Lap:
    """Linear assignment on a sparse pattern (CSR), solved again and again with other costs.

    solve(cost) minimises over matchings; complete=True matches every row. Warm starts from the
    column duals of the previous solve. Duals: cost - u - v >= 0, sum(u) + sum(v) == value.
    """

    def __init__(self, n_rows, n_cols, start, col):
        self.n_rows, self.n_cols = n_rows, n_cols
        self.start = np.ascontiguousarray(start, np.int64)
        self.col = np.ascontiguousarray(col, np.int32)
        self._lap = ffi.gc(
            lib.gm_lap_new(n_rows, n_cols, pointer(self.start), pointer(self.col)), lib.gm_lap_free
        )
        if self._lap == ffi.NULL:
            raise MemoryError("linear assignment: out of memory")
        self._watch = ffi.new("gm_watch *")
        lib.gm_lap_heed(self._lap, self._watch)

    def solve(self, cost, complete=False, warm=False, budget=None):
        """Matched column of each row, -1 = unmatched; OutOfTime if a budget is over before."""
        cost = np.ascontiguousarray(cost, np.float64)
        if budget is not None:
            self._watch.is_over, self._watch.stop = 0, budget.stop.flag
            seconds = max(budget.remaining(), 0.0)
            self._watch.deadline = lib.gm_clock() + seconds if math.isfinite(seconds) else 0.0
        status = lib.gm_lap_solve(self._lap, pointer(cost), complete, warm)
        self._watch[0] = {}  # of this solve only
        if status == lib.GM_ECUT:
            budget.cut()
            raise OutOfTime
        check(status)
        return view(lib.gm_lap_match(self._lap), self.n_rows, np.int32)

    @property
    def value(self):
        """Cost of the last matching."""
        return lib.gm_lap_value(self._lap)

    @property
    def u(self):
        """Duals of the rows."""
        return view(lib.gm_lap_u(self._lap), self.n_rows, np.float64)

    @property
    def v(self):
        """Duals of the columns."""
        return view(lib.gm_lap_v(self._lap), self.n_cols, np.float64)


def candidate_lap(problem):
    """(Lap over a problem's candidates with left nodes as rows, order): solve with cost[order]."""
    order = np.lexsort((problem.right, problem.left))
    start = np.searchsorted(problem.left[order], np.arange(problem.shape[0] + 1))
    return Lap(*problem.shape, start, problem.right[order]), order


def largest_matching(problem):
    """How many pairs can be matched at once."""
    if isinstance(problem.candidates, FreePairs):
        return problem.candidates.most_matched
    lap, _ = candidate_lap(problem)
    return int(np.count_nonzero(most_pairs(lap) >= 0))


def most_pairs(lap):
    """Return the labels of a matching with as many pairs of a Lap's pattern as possible."""
    return largest_labels(lap.n_rows, lap.n_cols, lap.start, lap.col)


def largest_labels(n_rows, n_cols, start, col):
    """Return the same for a pattern in CSR form."""
    arrays = np.ascontiguousarray(start, np.int64), np.ascontiguousarray(col, np.int32)
    match = np.empty(n_rows, np.int32)
    check(lib.gm_largest_matching(n_rows, n_cols, *map(pointer, arrays), pointer(match)))
    return match


def fill_up(problem, labels):
    """A complete matching, whatever it costs, which keeps the labels if it can."""
    labels = np.array(labels, dtype=np.int32)
    n1, n2 = problem.shape
    nodes, free = np.flatnonzero(labels < 0), np.setdiff1d(np.arange(n2), labels)
    if problem.n_candidates == n1 * n2:
        k = min(len(nodes), len(free))
        labels[nodes[:k]] = free[:k]
        return labels
    pattern = sparse.csr_array(
        (np.ones(problem.n_candidates, bool), (problem.left, problem.right)), shape=(n1, n2)
    )
    for rows, columns in ((nodes, free), (np.arange(n1), np.arange(n2))):
        among = sparse.csr_array(pattern[rows][:, columns])
        found = largest_labels(*among.shape, among.indptr, among.indices)
        if np.count_nonzero(found >= 0) == min(len(rows), len(columns)):
            break
    labels[rows] = np.where(found >= 0, columns[found], -1)
    return labels


def affinity(problem):
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


def munkres(cost):
    """Dense assignment with the scan order of the MATLAB originals; +inf = forbidden, -1 = row
    without column.
    """
    n_rows, n_cols = cost.shape
    scratch = np.array(cost, dtype=np.float64, order="F")
    match = np.empty(n_rows, dtype=np.int32)
    check(lib.gm_munkres(n_rows, n_cols, pointer(scratch.reshape(-1, order="F")), pointer(match)))
    return match


def dense_labels(matrix, maximize=False):
    """Labels of the best complete assignment over a whole matrix, by the shortest augmenting paths
    of scipy; -1 = row without column.
    """
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    rows, columns = optimize.linear_sum_assignment(matrix, maximize=maximize)
    labels[rows] = columns
    return labels


def eigenpairs(operator, start, **options):
    """scipy's eigsh from a given start, with the same answer every time.

    If the start lies in an invariant subspace, as the vector of ones does if a problem is
    symmetric, ARPACK goes on with random vectors. From 1.17 on scipy takes a generator for them;
    before, ARPACK's own sequence goes on from call to call.
    """
    if "rng" in inspect.signature(sparse_linalg.eigsh).parameters:
        options["rng"] = np.random.default_rng(0)
    return sparse_linalg.eigsh(operator, v0=start, **options)


def svd_seconds(shape):
    """About how long a singular value decomposition takes, by its shape: nothing can interrupt it,
    and trying a smaller one takes too long itself.
    """
    m, n = shape
    return SVD_SECONDS * m * n * min(m, n)


def positive_definite_solver(S):
    """Return a function y -> S^-1 y for a sparse symmetric positive definite S: CHOLMOD if
    scikit-sparse is installed, else SuperLU.
    """
    factor = cholmod_factor(S)
    if factor is not None:
        return factor
    return sparse_linalg.splu(
        S, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    ).solve


def cholmod_factor(S):
    """The solve function of a CHOLMOD factor, or None without scikit-sparse (extra `cholmod`)."""
    try:
        from sksparse import cholmod
    except ImportError:
        return None
    if hasattr(cholmod, "cho_factor"):  # 0.5 and later, whose cholesky() returns the factors
        return cholmod.cho_factor(S).solve
    return cholmod.cholesky(S)  # 0.4, whose factor solves when it is called
