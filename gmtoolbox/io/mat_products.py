"""Problems whose edges are products or factors, in MAT files and structs without K.

A Koopmans-Beckmann problem is kept as its two matrices, in the sense that the file states:

    model    'qap'
    A, B     (n1, n1) and (n2, n2): A_ij B_sl for the pairs i -> s and j -> l
    C        (n1, n2) values of single pairs, if any; infinite for a forbidden pair
    constant, sense, complete and the fields about nodes, as in every other file

K would have n1 n2 rows and an entry for each product: with n = 200 no memory holds it. Factors are
kept as KP, KQ, gph1, gph2 and Ct.
"""

from gmtoolbox.core.candidates import pairs_where, values_at
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.products import Products
from gmtoolbox.io.mat_variables import dense, is_matrix, matrix

MODEL = "qap"


def is_too_large(problem):
    """Return whether the edges of a problem are products that K, a sparse matrix, cannot hold."""
    return isinstance(problem.edges, Products) and not problem.edges.fit_into_a_matrix


def has_products(variables):
    """Return True if variables hold the two matrices of a product."""
    return isinstance(variables.get("model"), str) and variables["model"] == MODEL


def product_variables(problem):
    """Return A, B and C of a Koopmans-Beckmann problem, in its own sense."""
    sign = problem.signed(1.0)
    variables = {"model": MODEL, "A": sign * problem.edges.A, "B": problem.edges.B}
    n1, n2 = problem.shape
    if problem.n_candidates < n1 * n2 or np.any(problem.cost):
        C = np.full(problem.shape, problem.signed(np.inf))
        C[problem.left, problem.right] = sign * problem.cost
        variables["C"] = C
    variables["shape"] = np.array([problem.shape], dtype=float)
    return {**variables, **constant_variable(problem), "sense": problem.sense}


def from_products(variables, settings, meaning):
    """Return the Problem of A, B and C; settings are the other fields of it."""
    A, B = (product_matrix(variables, name) for name in ("A", "B"))
    shape, sign = (A.shape[0], B.shape[0]), meaning.constant(1.0)
    edges = Products(sign * A, B)
    if not np.any(A.diagonal()) or not np.any(B.diagonal()):
        C = 0.0
    else:
        C = sign * np.outer(A.diagonal(), B.diagonal())
    if "C" in variables:
        given = dense(matrix(variables, "C")).astype(float)
        if given.shape != shape:
            raise InputError(f"C must be {shape[0]} x {shape[1]}")
        C = C + sign * given
    if np.ndim(C) == 0:
        return Problem(shape, None, None, None, edges=edges.over(FreePairs(shape)), **settings)
    left, right = pairs_where(~np.isposinf(C))
    return Problem(shape, left, right, values_at(C, left, right), edges=edges, **settings)


def product_matrix(variables, name):
    """Return A or B, a finite square matrix, sparse if the file has it so."""
    if name not in variables:
        raise InputError(f"the model '{MODEL}' needs the matrix {name}")
    M = matrix(variables, name)
    if not is_matrix(M) or M.shape[0] != M.shape[1] or M.shape[0] == 0:
        raise InputError(f"{name} must be a square matrix, got {M.shape[0]} x {M.shape[1]}")
    M = sparse.csr_array(M, dtype=float) if sparse.issparse(M) else np.asarray(M, dtype=float)
    if not np.all(np.isfinite(M.data if sparse.issparse(M) else M)):
        raise InputError(f"{name} must be finite")
    return M


def factor_variables(problem):
    """Return KP, KQ, gph1, gph2 and Ct of a problem with factors, in its own sense."""
    sign, edges = problem.signed(1.0), problem.edges
    places = (problem.left, problem.right)
    KP = sparse.csc_array((sign * problem.cost, places), shape=problem.shape)
    variables = {"KP": KP, "KQ": sparse.csc_array(sign * edges.KQ)}
    for name, ends, n in (
        ("gph1", edges.edges1, problem.shape[0]),
        ("gph2", edges.edges2, problem.shape[1]),
    ):
        variables[name] = incidence(ends, n)
    Ct = sparse.csc_array(problem.Ct)
    return {**variables, "Ct": Ct, **constant_variable(problem), "sense": problem.sense}


def incidence(ends, n):
    """Return the matrices G and H that mark the start and the end of each edge."""
    m = ends.shape[1]
    return {
        side: sparse.csc_array((np.ones(m), (rows, np.arange(m))), shape=(n, m))
        for side, rows in zip("GH", ends, strict=True)
    }


def constant_variable(problem):
    """Return the constant of the objective, if there is one, in the problem's own sense."""
    return {"constant": float(problem.signed(problem.offset))} if problem.offset else {}
