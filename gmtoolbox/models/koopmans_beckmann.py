"""Quadratic assignment problems from two matrices."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.implicit import KoopmansBeckmann, check_sense
from gmtoolbox.core.lazy import np, sparse


def from_koopmans_beckmann(A, B, C=None, *, sense="min", complete=True, **rest):
    """sum A_ij B_sl x_is x_jl + sum C_is x_is, minimised over complete matchings (a QAP) unless
    said otherwise.

    A is n1 x n1, B n2 x n2, C n1 x n2 with +inf (-inf if maximised) where a pair is forbidden. The
    products stay implicit: see KoopmansBeckmann.
    """
    A, B = check_square("A", A), check_square("B", B)
    shape = (len(A), len(B))
    C = (
        np.zeros(shape)
        if C is None
        else np.array(C.toarray() if sparse.issparse(C) else C, dtype=float)
    )
    if C.shape != shape:
        raise InputError(f"C must have shape (n1, n2) = {shape}, got {C.shape}")
    sign = check_sense(sense)
    unary = sign * C + sign * np.outer(A.diagonal(), B.diagonal())
    right, left = np.nonzero(~np.isposinf(unary.T))
    return KoopmansBeckmann(
        shape,
        left,
        right,
        unary[left, right],
        sense=sense,
        complete=complete,
        A=sign * A,
        B=B,
        **rest,
    )


def check_square(name, M):
    M = np.asarray(M.toarray() if sparse.issparse(M) else M, dtype=float)
    if M.ndim != 2 or M.shape[0] != M.shape[1] or M.size == 0 or not np.all(np.isfinite(M)):
        raise InputError(f"{name} must be a finite square matrix, got shape {M.shape}")
    return M
