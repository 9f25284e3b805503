"""A whole matrix n1 x n2 in the three parts of cext/src/baselines/parts.c: candidates, implicit
dummies, forbidden pairs.
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
