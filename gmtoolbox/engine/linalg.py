"""Eigenvectors and factorisations of sparse matrices."""

import inspect

from gmtoolbox.core.lazy import np, sparse_linalg

# Seconds per m n min(m, n) of a singular value decomposition on one core of 2020, LAPACK's gesdd
SVD_SECONDS = 5e-10


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
