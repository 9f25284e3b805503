"""aj/sdp/basis: X = V (V'XV)_+ V' with the basis of a grid, and with that of any problem."""

import numpy as np
import pytest
import scipy.linalg
from c_internals import Indexed
from small import random_problem

from gmtoolbox.engine.lapack import addresses


class Basis:
    """An aj_basis of a problem: project(X) as numpy arrays."""

    def __init__(self, problem):
        self.setup = setup = Indexed(problem, "aj/sdp/basis.h")
        ffi, lib = self.ffi, self.lib = setup.ffi, setup.lib
        self.lapack = ffi.new("gm_lapack *")
        for name, address in addresses().items():
            setattr(self.lapack, name, ffi.cast(ffi.typeof(getattr(self.lapack, name)), address))
        made = lib.aj_problem_new(setup.index, 1.0)
        assert made != ffi.NULL
        self.problem = ffi.gc(made, lib.aj_problem_free)
        self.watch = ffi.new("gm_watch *")
        self.span = ffi.gc(lib.aj_span_new(self.problem), lib.aj_span_free)
        self.N, self.dim = self.span.n_variables, self.span.dimension
        self.basis, self.pool = ffi.new("aj_basis *"), setup.pool()
        scratch = np.zeros(64 * self.N)
        rng = np.random.default_rng(0)
        costs = rng.normal(size=(self.N, self.N))  # no exchange leaves them alone
        allowed = ffi.new("uint8_t[]", self.N**2)
        places = self.at(costs + costs.T), allowed, self.at(scratch)
        assert lib.aj_basis_init(
            self.basis, self.pool, self.span, self.problem, self.lapack, *places
        )

    def at(self, array):
        return self.ffi.from_buffer("double[]", array)

    def project(self, X):
        """V (V'XV)_+ V'."""
        small, X = np.zeros((self.dim, self.dim)), X.copy()
        args = self.basis, self.watch
        assert self.lib.aj_basis_reduce(*args, 0, self.at(X), self.at(small))
        values, vectors = np.linalg.eigh(small, UPLO="U")  # the lower one, column by column
        vectors = np.ascontiguousarray(vectors.T)  # one after the other
        places = self.at(small), self.at(values), self.at(vectors)
        assert self.basis.n_blocks == 1
        assert self.lib.aj_basis_positive_part(*args, self.basis.block, *places)
        assert self.lib.aj_basis_expand(*args, 0, self.at(small), self.at(X))
        return X

    def project_single(self, X):
        """The same in single precision."""
        small, X = np.zeros((self.dim, self.dim)), X.copy()
        at_singles = lambda array: self.ffi.from_buffer("float[]", array)
        args = self.basis, self.watch
        assert self.lib.aj_basis_reduce(*args, 1, self.at(X), self.at(small))
        values, vectors = np.linalg.eigh(small.astype(np.float32), UPLO="U")
        vectors = np.ascontiguousarray(vectors.T)
        places = self.at(small), at_singles(values), at_singles(vectors)
        assert self.lib.aj_basis_positive_part_single(*args, self.basis.block, *places)
        assert self.lib.aj_basis_expand(*args, 1, self.at(small), self.at(X))
        return X

    def rows(self):
        """The integer basis W."""
        W = np.frombuffer(self.ffi.buffer(self.span.rows, 8 * self.N * self.dim))
        return W.reshape(self.N, self.dim)


@pytest.mark.parametrize(
    "n1, n2, density", [(2, 2, 1), (3, 3, 1), (6, 6, 1), (5, 5, 0.8), (4, 5, 1)]
)
@pytest.mark.parametrize("shift", [-3.0, 0.0, 3.0])  # mostly negative eigenvalues, mostly positive
def test_the_projection_is_that_of_any_orthonormal_basis(n1, n2, density, shift):
    rng = np.random.default_rng(n1 + n2)
    problem = random_problem(rng, n1, n2, density=density, edges=1.0, complete=True)
    basis = Basis(problem)
    assert (basis.basis.grid != basis.ffi.NULL) == (n1 == n2 and density == 1)
    X = rng.normal(size=(basis.N, basis.N)) + shift * np.eye(basis.N)
    X += X.T
    V = scipy.linalg.orth(basis.rows())
    values, vectors = np.linalg.eigh(V.T @ X @ V)
    positive = (vectors * np.maximum(values, 0)) @ vectors.T
    assert np.allclose(basis.project(X), V @ positive @ V.T, atol=1e-10)


@pytest.mark.parametrize("n1, n2", [(28, 28), (20, 30)])  # of a grid, and of any problem
def test_products_in_parts_that_look_at_the_clock(n1, n2):
    rng = np.random.default_rng(n1)
    basis = Basis(random_problem(rng, n1, n2, edges=0.001, complete=True))
    X = rng.normal(size=(basis.N, basis.N)) / np.sqrt(basis.N)
    X += X.T
    V = scipy.linalg.orth(basis.rows())
    values, vectors = np.linalg.eigh(V.T @ X @ V)
    projection = V @ (vectors * np.maximum(values, 0)) @ vectors.T @ V.T
    assert np.allclose(basis.project(X), projection, atol=1e-10)
    assert np.allclose(basis.project_single(X), projection, atol=1e-4)


@pytest.mark.parametrize("n1, n2", [(28, 28), (20, 30)])
def test_no_call_of_blas_is_long_and_the_run_can_end_between_two(n1, n2):
    basis = Basis(random_problem(np.random.default_rng(0), n1, n2, edges=0.0, complete=True))
    X = np.diag(np.random.default_rng(1).normal(size=basis.N))
    calls, kept, ends_after = [], [], 10**9
    is_over = basis.ffi.new("int32_t *", 0)
    basis.watch.stop = is_over

    def count(name, sizes):
        """Let calls of this function do nothing but note their multiply-adds."""

        def note(*given):
            calls.append(np.prod([float(given[k][0]) for k in sizes]))
            is_over[0] = len(calls) >= ends_after

        kept.append(basis.ffi.callback(basis.ffi.typeof(getattr(basis.lapack, name)), note))
        setattr(basis.lapack, name, kept[-1])

    for precision in "ds":
        count(f"{precision}gemm", (2, 3, 4))
        count(f"{precision}syrk", (2, 2, 3))
    for project in (basis.project, basis.project_single):
        ends_after = 10**9
        project(X)
        assert len(calls) > 2 and max(calls) <= 1e8
        calls.clear()
        ends_after = 1
        with pytest.raises(AssertionError):
            project(X)
        assert len(calls) <= 2
        calls.clear()
        is_over[0] = basis.watch.is_over = 0
