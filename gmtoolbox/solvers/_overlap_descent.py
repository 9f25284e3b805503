"""Frank-Wolfe on overlaps: the relaxation of sum min(A_ij, B_p(i)p(j)) - sum C_ip(i), maximised.

With E(X)_is = half the overlap of the arcs at i with those at s, if all others are matched by X,

    f(X) = <X, E(X)> - <C, X>,   the gradient is 2 E(X) - C,   E is linear.

A step goes from X towards the matching Y with the largest <2 E(X) - C, Y>. The best step along X +
t (Y - X) needs <X, E(X)>, <E(X), Y> and the overlap of Y only, and E(X) + t E(Y - X) overwrites
E(X): one table of all pairs, in single precision, and as many additions as Y has pairs of arcs.
"""

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.solvers._starts import (
    FULL_ASSIGNMENT,
    best_assignment,
    fill_labels,
    matrix_of,
    pruned_assignment,
    sparse_assignment,
)

STEPS, TOLERANCE = 20, 1e-4  # at most, and the relative duality gap that ends a descent
SLICE = 2e7  # pairs of arcs between two looks at the clock
# Seconds of a step per pair of arcs and per pair of nodes, on one core; steps that usually decide
ARC_SECONDS, PAIR_SECONDS, FEW_STEPS = 4e-9, 2.5e-8, 5


def descent_gigabytes(factors):
    """Return the approximate memory of the table, and of the assignment in double precision."""
    n1, n2 = factors.shape
    return 4e-9 * n1 * n2 * (1.5 if max(n1, n2) > FULL_ASSIGNMENT else 5.0)


def arcs_of_row(factors):
    """Return the mean number of pairs of arcs that a row of E sums up."""
    return factors.A.nnz / factors.shape[0] * factors.B.nnz / factors.shape[1]


def affords_descent(factors, seconds, memory):
    """Return whether overlaps are maximised, and memory and this time suffice for some steps."""
    problem, (n1, n2) = factors.problem, factors.shape
    if problem.edges.sign > 0 or not (factors.is_plain or problem.complete):
        return False
    if max(n1, n2) > FULL_ASSIGNMENT and not factors.is_plain:
        return False
    if not factors.are_sparse or descent_gigabytes(factors) > memory:
        return False
    step = ARC_SECONDS * n1 * arcs_of_row(factors) + PAIR_SECONDS * n1 * n2
    return FEW_STEPS * step <= seconds


class OverlapDescent:
    """Descents of one problem.

    Parameters
    ----------
    factors : QapFactors
        Its edges are Overlaps that are maximised; see `affords_descent`.
    budget : Budget
    """

    def __init__(self, factors, budget):
        self.factors, self.budget = factors, budget
        self.borrowed = []
        (self.into_A, self.out_A), (self.into_B, self.out_B) = (
            (self.weigh_links(M.T), self.weigh_links(M)) for M in (factors.A, factors.B)
        )
        self.rows = max(int(SLICE / max(arcs_of_row(factors), 1.0)), 1)
        self.E = np.zeros(factors.shape, np.float32)

    def weigh_links(self, M):
        """Return a struct gm_weighted of the links of each row."""
        M = sparse.csr_array(M)
        arrays = M.indptr.astype(np.int64), M.indices.astype(np.int32), M.data.astype(np.float32)
        held = [pointer(array) for array in arrays]
        self.borrowed += held
        fields = dict(zip(("start", "other", "weight"), held, strict=True))
        return ffi.new("gm_weighted *", {"n": M.shape[0], **fields})

    def add(self, labels, share):
        """Add share times E(labels) to E; return whether the time sufficed."""
        labels = np.ascontiguousarray(labels, np.int32)
        n1 = self.factors.shape[0]
        for first in range(0, n1, self.rows):
            last = min(first + self.rows, n1)
            for A, B in ((self.into_A, self.out_B), (self.out_A, self.into_B)):
                if self.budget.expired():
                    return False
                lib.gm_add_overlaps(
                    A, B, pointer(labels), 0.5 * share, first, last, pointer(self.E)
                )
        return True

    def vertex(self):
        """Return the labels of the matching with the largest <2 E - C, Y>."""
        C = self.factors.C
        if C is None and max(self.factors.shape) > FULL_ASSIGNMENT:
            return pruned_assignment(Priced(self.E))
        if C is None:
            return best_assignment(self.factors, self.E)
        return best_assignment(self.factors, 2.0 * self.E - np.where(np.isfinite(C), C, 0.0))

    def along(self, M, labels):
        """Return <M, Y> of a matching Y."""
        nodes = np.flatnonzero(labels >= 0)
        return float(M[nodes, labels[nodes]].sum(dtype=float))

    def run(self, labels, offer):
        """Descend from labels; offer(labels) is called with the matching of each step."""
        edges, C, shape = self.factors.problem.edges, self.factors.C, self.factors.shape
        overlap = lambda labels: -edges.total(labels)
        price = lambda labels: 0.0 if C is None else self.along(C, labels)
        self.E[:] = 0.0
        X, quadratic, linear = matrix_of(labels, shape), overlap(labels), price(labels)
        found = labels
        if not self.add(labels, 1.0):
            return
        for _ in range(STEPS):
            found = self.vertex()
            offer(found)
            toward = self.along(self.E, found)
            change = price(found) - linear
            slope = 2.0 * (toward - quadratic) - change
            curvature = overlap(found) - 2.0 * toward + quadratic
            if self.budget.expired() or slope <= TOLERANCE * abs(quadratic - linear):
                break
            t = 1.0 if curvature >= 0 else min(1.0, -0.5 * slope / curvature)
            X = (1.0 - t) * X + t * matrix_of(found, shape)
            quadratic += t * (slope + change) + t * t * curvature
            linear += t * change
            self.E *= np.float32(1.0 - t)
            if not self.add(found, t):
                return
        if self.factors.is_plain and not self.budget.expired():  # the matching nearest to X
            offer(fill_labels(sparse_assignment(X), shape[1], found))


class Priced:
    """The matrix E_is - v_s, of which rows are computed when they are asked for.

    Prices of labels change no assignment of all nodes, but the best labels of a node: without them
    the strongest labels are the best of every node. If E was x_i y_s / m, with the means x of the
    rows, y of the columns and m of all, the nodes and labels would be assigned in the order of x
    and y, with the prices v of which the increments are x dy / m.
    """

    def __init__(self, E):
        self.E, self.shape = E, E.shape
        k, x, y = min(E.shape), E.mean(axis=1, dtype=float), E.mean(axis=0, dtype=float)
        top = np.argsort(y, kind="stable")[len(y) - k :]
        mean, x, y = max(y.mean(), np.finfo(float).tiny), np.sort(x)[len(x) - k :], y[top]
        price = np.cumsum(0.5 * (x[1:] + x[:-1]) * np.diff(y)) / mean
        self.price = np.zeros(E.shape[1], np.float32)
        self.price[top[1:]] = price

    def __getitem__(self, rows):
        return self.E[rows] - self.price
