"""Lower bounds for Koopmans-Beckmann problems that cost O(n^3) or less.

All of them hold for every matching the problem allows, and each is lowered by the error that
rounding may have added (cext/src/base/rounding.h has the rule: roundings times magnitude).
"""

import math

from gmtoolbox.core.lazy import np, optimize, sparse
from gmtoolbox.core.result import rounding_error
from gmtoolbox.core.values import dense
from gmtoolbox.solvers._factors import pad_dense

GILMORE_LAWLER_SIDE = 600  # beyond, sorted rows and their products would not be cheap
EIGENVALUE_SIDE = 600
ASSIGNMENT_SIDE = 1500


def cheap_bounds(factors):
    """(name, function) of the bounds in the order of their cost."""
    n = factors.n
    yield "edges", edge_bound
    yield "degrees", degree_bound
    if n <= GILMORE_LAWLER_SIDE:
        yield "gilmore-lawler", gilmore_lawler_bound
    if n <= EIGENVALUE_SIDE and eigenvalue_bound_applies(factors):
        yield "projected eigenvalues", eigenvalue_bound


def linear_bound(factors):
    """Return the least sum of unary costs; if an assignment would take long, the sum of the
    least costs of all nodes.
    """
    if not np.any(factors.problem.cost):
        return 0.0
    if factors.n <= ASSIGNMENT_SIDE:
        return bound_assignment(square_costs(factors, 0.0))
    least = factors.C.min(axis=1)
    whole = factors.problem.complete and factors.shape[0] <= factors.shape[1]
    value = (least if whole else np.minimum(least, 0.0)).sum()
    return float(value) - rounding_error(len(least), np.abs(least).sum())


def square_costs(factors, quadratic):
    """(n, n) costs of pairs, dummies included: unary costs and the part of quadratic."""
    n, (n1, n2) = factors.n, factors.shape
    costs = np.zeros((n, n))
    costs += quadratic
    if factors.C is not None:
        costs[:n1, :n2] += factors.C
    return costs


def best_assignment(costs):
    """(rows, columns) of the cheapest assignment of a dense matrix."""
    return optimize.linear_sum_assignment(costs)


def bound_assignment(costs):
    """The value of the cheapest assignment, lowered by its rounding error: its duals are
    sums along paths of up to n nodes and n labels, none of them above the largest cost by more
    than n such costs, and n of them make the value.
    """
    rows, cols = best_assignment(costs)
    value, n = costs[rows, cols].sum(), len(costs)
    largest = np.abs(costs[np.isfinite(costs)]).max(initial=0.0)
    return float(value) - rounding_error(3 * n, n * largest)


def edge_bound(factors):
    """Rearrangement: the entries of A meet those of B in the best order, as if each could be placed
    by itself. If no product is positive and all edges of one graph are kept, it is attained.
    """
    (low_A, high_A), (low_B, high_B) = (signed_entries(M) for M in (factors.A, factors.B))
    # entries of A from the largest down meet those of B from the least up, zeros between the signs
    total, size, n = 0.0, 0.0, 2
    for down, up in ((high_A, low_B), (high_B, low_A)):
        k = min(len(down), len(up))
        met = down[:k] * up[:k]
        total, size, n = total + float(met.sum()), size + float(np.abs(met).sum()), n + k
    # if the zeros do not suffice, positive entries must meet positive ones, at a cost: ignored,
    # which only lowers the bound; the same for two negative ones
    linear = linear_bound(factors)
    return total + linear - rounding_error(n + 2, size + abs(linear))


def signed_entries(M):
    """Negative entries from the least up, positive ones from the largest down."""
    values = M.data if sparse.issparse(M) else np.asarray(M).ravel()
    return np.sort(values[values < 0]), -np.sort(-values[values > 0])


def degree_bound(factors):
    """Each pair (i, s) pays at least the rearrangement of the entries of row i and row s;
    for matrices of a single value that is a matter of degrees, and the best assignment of
    min(degree, degree) sorts both.
    """
    entries = [M.data if sparse.issparse(M) else M[M != 0] for M in (factors.A, factors.B)]
    if any(len(values) == 0 for values in entries):
        return linear_bound(factors)
    (a, b) = (values[0] for values in entries)
    if any(np.any(values != values[0]) for values in entries) or a * b > 0:
        return -math.inf
    down = [np.sort(degrees(M))[::-1] for M in (factors.A, factors.B)]
    k = min(len(down[0]), len(down[1]))
    common = int(np.minimum(down[0][:k], down[1][:k]).sum())
    total, linear = float(a * b) * common, linear_bound(factors)
    return total + linear - rounding_error(4, abs(total) + abs(linear))


def degrees(M):
    """Number of entries in each row."""
    return np.diff(sparse.csr_array(M).indptr)


def gilmore_lawler_bound(factors):
    """Gilmore 1962, Lawler 1963: an assignment problem whose costs are the unary ones plus the
    minimal product of row i of A and row s of B, entries off the diagonal in any order. One matrix
    product of the sorted rows gives all of them.
    """
    n = factors.n
    if n < 2:
        return linear_bound(factors)
    up, down = sort_rows(pad_dense(factors.A, n)), sort_rows(pad_dense(factors.B, n))[:, ::-1]
    quadratic = up @ down.T
    quadratic -= rounding_error(n + 2, 1.0) * (np.abs(up) @ np.abs(down).T)
    return bound_assignment(square_costs(factors, quadratic))


def sort_rows(M):
    """Each row without its diagonal entry, sorted upwards."""
    n = len(M)
    off = ~np.eye(n, dtype=bool)
    return np.sort(M[off].reshape(n, n - 1), axis=1)


def eigenvalue_bound_applies(factors):
    """A square, complete problem of which one matrix is symmetric."""
    n1, n2 = factors.shape
    return n1 == n2 == factors.n and n1 >= 3 and factors.symmetric


def eigenvalue_bound(factors):
    """Hadley, Rendl, Wolkowicz 1992: with V an orthonormal basis of the vectors of sum zero, a
    permutation acts on V'AV and V'BV as an orthogonal matrix, so their parts contribute at least
    the minimal product of the eigenvalues; the rest is linear in the permutation:

        <l(V'AV), l(V'BV)>_-  +  min assignment of C + 2/n r_A r_B'  -  sum(A) sum(B) / n^2
    """
    n = factors.n
    A, B = (0.5 * (dense(M) + dense(M).T) for M in (factors.A, factors.B))
    projected = []
    for M in (A, B):
        centred = M - M.mean(axis=0) - M.mean(axis=1)[:, None] + M.mean()
        values = np.linalg.eigvalsh(centred)
        projected.append(without_zero(values))
    quadratic = float(projected[0] @ projected[1][::-1])
    sums = np.outer(A.sum(axis=0), B.sum(axis=0))
    linear = bound_assignment(square_costs(factors, 2.0 / n * sums))
    # A computed eigenvalue is that of a matrix off by about n roundings of the norm (centred in
    # another n); n of them enter a product of two vectors, whose norms are those of A and B. The
    # sums of A and B, n^2 numbers each, are at most n times the norms.
    norms = float(np.linalg.norm(A) * np.linalg.norm(B))
    error = rounding_error(10 * n * n, norms)
    return quadratic + linear - float(A.sum() * B.sum()) / n**2 - error


def without_zero(values):
    """Sorted eigenvalues without the one of the vector of ones, which is 0 by construction."""
    return np.delete(values, np.argmin(np.abs(values)))
