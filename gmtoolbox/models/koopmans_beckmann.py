"""Quadratic assignment problems from two matrices."""

from gmtoolbox.core.candidates import pairs_where, values_at
from gmtoolbox.core.checks import DESCRIBING, PLACES, check_rest
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.products import Products
from gmtoolbox.core.values import as_reals, check_sense, check_total, dense, magnitude


def from_koopmans_beckmann(A, B, C=None, *, sense="min", complete=True, **rest):
    """sum A_ij B_sl x_is x_jl + sum C_is x_is, minimised over complete matchings (a QAP) unless
    said otherwise.

    Parameters
    ----------
    A, B : matrices, dense or sparse
        (n1, n1) and (n2, n2). Their products stay implicit, and sparse ones sparse: see
        core.products.
    C : (n1, n2) matrix, optional
        Costs of pairs, +inf (-inf if maximised) for a forbidden pair.
    sense, complete, **rest
        As of the Problem.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> flow = [[0, 5, 1], [5, 0, 2], [1, 2, 0]]
    >>> distance = [[0, 1, 4], [1, 0, 9], [4, 9, 0]]
    >>> r = gm.gm_solve(gm.models.from_koopmans_beckmann(flow, distance))
    >>> r.value, r.status
    (44.0, 'optimal')
    """
    check_rest(from_koopmans_beckmann, rest, *DESCRIBING, *PLACES)
    A, B = check_square("A", A), check_square("B", B)
    shape = (A.shape[0], B.shape[0])
    sign = check_sense(sense)
    if C is None and not loops(A, B):
        edges = Products(sign * A, B).over(FreePairs(shape))
        return Problem(shape, None, None, None, edges=edges, sense=sense, complete=complete, **rest)
    C = np.zeros(shape) if C is None else dense(as_reals("C", C))
    if C.shape != shape:
        raise InputError(f"C must have shape (n1, n2) = {shape}, got {C.shape}")
    unary = sign * C + sign * diagonal_products(A, B)
    left, right = pairs_where(~np.isposinf(unary))
    return Problem(
        shape,
        left,
        right,
        values_at(unary, left, right),
        edges=Products(sign * A, B),
        sense=sense,
        complete=complete,
        **rest,
    )


def loops(A, B):
    """Whether a pair can pay something by itself."""
    return bool(A.diagonal().any() and B.diagonal().any())


def diagonal_products(A, B):
    """Return (n1, n2) the cost A_ii B_ss of each pair; unwritten zeros take no memory."""
    if loops(A, B):
        with np.errstate(over="ignore"):
            products = np.outer(A.diagonal(), B.diagonal())
        check_total("products of A and B", magnitude(products.ravel()))  # else: forbidden pairs
        return products
    return np.zeros((A.shape[0], B.shape[0]))


def check_square(name, M):
    """A square matrix of finite floats, sparse if it was given so."""
    if hasattr(M, "adj") and hasattr(M, "nodes"):
        raise InputError(f"{name} must be a matrix; gm.models.from_graphs takes graphs of networkx")
    M = as_reals(name, M)
    M = sparse.csr_array(M) if sparse.issparse(M) else M
    values = M.data if sparse.issparse(M) else M
    if M.ndim != 2 or M.shape[0] != M.shape[1] or M.shape[0] == 0:
        raise InputError(f"{name} must be a finite square matrix, got shape {M.shape}")
    if not np.all(np.isfinite(values)):
        bad = values[~np.isfinite(values)][0]
        raise InputError(f"{name} must be a finite square matrix, but an entry is {bad}")
    return M
