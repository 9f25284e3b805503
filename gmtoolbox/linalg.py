"""Linear assignment: the C solvers on Python arrays."""

from gmtoolbox._ffi import check, ffi, lib, pointer, view
from gmtoolbox.lazy import np


class Lap:
    """Linear assignment on a sparse pattern (CSR), solved again and again with other costs.

    solve(cost) minimises over matchings; complete=True matches every row. Warm starts from the
    column duals of the previous solve. Duals: cost - u - v >= 0, sum(u) + sum(v) == value.
    """

    def __init__(self, n_rows, n_cols, start, col):
        self.n_rows, self.n_cols = n_rows, n_cols
        self.start, self.col = np.ascontiguousarray(start, np.int64), np.ascontiguousarray(col, np.int32)
        self._lap = ffi.gc(lib.gm_lap_new(n_rows, n_cols, pointer(self.start), pointer(self.col)), lib.gm_lap_free)
        if self._lap == ffi.NULL:
            raise MemoryError("linear assignment: out of memory")

    def solve(self, cost, complete=False, warm=False):
        """Matched column of each row, -1 = unmatched."""
        cost = np.ascontiguousarray(cost, np.float64)
        check(lib.gm_lap_solve(self._lap, pointer(cost), complete, warm))
        return view(lib.gm_lap_match(self._lap), self.n_rows, np.int32)

    @property
    def value(self):
        return lib.gm_lap_value(self._lap)

    @property
    def u(self):
        return view(lib.gm_lap_u(self._lap), self.n_rows, np.float64)

    @property
    def v(self):
        return view(lib.gm_lap_v(self._lap), self.n_cols, np.float64)


def candidate_lap(problem):
    """(Lap over a problem's candidates with left nodes as rows, order): solve with cost[order]."""
    order = np.lexsort((problem.right, problem.left))
    start = np.searchsorted(problem.left[order], np.arange(problem.shape[0] + 1))
    return Lap(*problem.shape, start, problem.right[order]), order


class Rows:
    """A scipy CSR matrix as the C kernels see one (struct gm_rows)."""

    def __init__(self, W):
        self.arrays = W.indptr.astype(np.int64), W.indices.astype(np.int32), np.ascontiguousarray(W.data)
        self._borrowed = [pointer(array) for array in self.arrays]
        self.struct = ffi.new("gm_rows *", [W.shape[0], *self._borrowed])


def munkres(cost):
    """Dense assignment with the scan order of the MATLAB originals; +inf = forbidden, -1 = row without column."""
    n_rows, n_cols = cost.shape
    work = np.array(cost, dtype=np.float64, order="F")
    match = np.empty(n_rows, dtype=np.int32)
    check(lib.gm_munkres(n_rows, n_cols, pointer(work.reshape(-1, order="F")), pointer(match)))
    return match


def positive_definite_solver(S):
    """A function y -> S^-1 y for a sparse symmetric positive definite S: CHOLMOD where scikit-sparse is installed, else SuperLU."""
    factor = cholmod_factor(S)
    if factor is not None:
        return factor
    from scipy.sparse.linalg import splu

    return splu(S, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}).solve


def cholmod_factor(S):
    """The solve function of a CHOLMOD factor, or None without scikit-sparse (extra `cholmod`)."""
    try:
        from sksparse import cholmod
    except ImportError:
        return None
    if hasattr(cholmod, "cho_factor"):  # 0.5 and later; its cholesky() returns the factors themselves
        return cholmod.cho_factor(S).solve
    return cholmod.cholesky(S)  # 0.4: the factor is called
