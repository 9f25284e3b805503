"""A whole matrix n1 x n2 in the three parts of cext/src/sinkhorn.c: candidates, implicit dummies, forbidden pairs."""

from gmtoolbox._ffi import ffi, lib, pointer
from gmtoolbox.lazy import np


class Parts:
    """x on the candidates, rho gamma' on the implicit dummies, R C' on the forbidden pairs."""

    def __init__(self, problem, value):
        (n1, n2), (row, col) = problem.shape, problem.block
        self.problem = problem
        self.x = np.full(problem.n_candidates, value)
        self.rho, self.gamma = np.full(n1 - row, value), np.ones(n2 - col)
        self.n_feasible = problem.n_candidates + (n1 - row) * (n2 - col)
        self.has_block = self.n_feasible > problem.n_candidates
        forbidden = n1 * n2 > self.n_feasible
        self.R, self.C = (np.full(n1, value), np.ones(n2)) if forbidden else (None, None)
        self.work = np.empty(problem.n_candidates + 4 * (n1 + n2))

    def with_candidates(self, x):
        """A copy with x on the candidates and 1 on the implicit dummies; forbidden pairs stay what they are."""
        copy = object.__new__(Parts)
        copy.__dict__.update(self.__dict__, x=x, rho=np.ones_like(self.rho), gamma=np.ones_like(self.gamma))
        if self.R is not None:
            copy.R, copy.C = self.R.copy(), self.C.copy()
        return copy

    def _struct(self):
        problem = self.problem
        arrays = {"x": self.x, "rho": self.rho, "gamma": self.gamma, "left": problem.left, "right": problem.right}
        fields = {name: pointer(array) for name, array in arrays.items()}
        if self.R is not None:
            fields.update(R=pointer(self.R), C=pointer(self.C))
        (n1, n2), (row, col) = problem.shape, problem.block
        return ffi.new("gm_parts *", {"n1": n1, "n2": n2, "n_candidates": problem.n_candidates, "row": row, "col": col, **fields}), fields

    def sinkhorn(self, tol2, sweeps):
        struct, borrowed = self._struct()
        lib.gm_sinkhorn(struct, tol2, sweeps, pointer(self.work))
        del borrowed

    def distance(self, other):
        """Sum of |X - Y| over all entries."""
        mine, borrowed = self._struct()
        theirs, borrowed_too = other._struct()
        result = lib.gm_parts_distance(mine, theirs)
        del borrowed, borrowed_too
        return result

    def is_finite(self):
        factors = [self.x, self.rho, self.gamma] + ([self.R, self.C] if self.R is not None else [])
        return all(np.isfinite(array).all() for array in factors)

    def matrix(self):
        """Candidates and implicit dummies as a matrix; forbidden pairs 0."""
        X = self.problem.scatter(self.x)
        row, col = self.problem.block
        X[row:, col:] += np.outer(self.rho, self.gamma)
        return X
