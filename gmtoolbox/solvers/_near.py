"""Start for large sparse graphs: neighbourhoods that agree, compared for few pairs only.

_neighbours compares all pairs of nodes. Here each node keeps the labels that are most like it. The
first of them have the most similar features: degrees and short closed walks, their means and
deviations over the neighbours, and those of these. A step then looks at the labels next to those of
the neighbours and keeps the best: lists follow the labels of which the neighbours become sure.

Features are worth as much as they are stable. Let N be the covariance of their changes when a
small share of the links of one graph is removed at random. Then

    |f_i - f_s|^2 = (x_i - x_s)' N^-1 (x_i - x_s)

is small for the same node of two noisy copies, and large for others: on a small world of 5000 nodes
without 5 % of its links it ranks the true label first for 43 % of the nodes, features that are only
scaled to variance 1 for 3 %.
"""

import math

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.solvers._neighbours import (
    LEAST,
    LOOK,
    PRIOR,
    RATE,
    STILL,
    SWEEPS,
    features,
    links_of,
    sure_evidence,
)
from gmtoolbox.solvers._starts import (
    ROWS_AT_ONCE,
    fill_labels,
    grampa_seconds,
    has_few_costs,
    sparse_assignment,
)
from gmtoolbox.solvers.faq import Best, sparse_descent

# Chosen on small-world, geometric, power-law, random graphs of 5000 nodes and a power grid without
# 5 to 20 % of their links, seed 81
WIDTH = 50  # labels of a node
REMOVED, RIDGE = 0.05, 1e-3  # links removed for N; part of its mean variance added to all of them
TIME_SHARE = 0.3  # of the remaining time, at most
SPECTRA = 2.0  # times that of spectra, at most: it fails on noisy graphs of degree 80, 2000 nodes
SURE = 1e-6  # part of the variance of a feature that it changes by at least
STEPS = 16  # at most
LEAST_WEIGHT = 1e-3  # of log(1 + n P): less says nothing
SLICE = 4e7  # pairs of links that one call compares
# Seconds of the features and the first lists per pair of nodes, and of all steps per pair of links
PAIR_SECONDS, LINK_SECONDS = 1.2e-8, 5e-8


def near_seconds(factors):
    """Return the approximate time of near_point."""
    n1, n2 = factors.shape
    return PAIR_SECONDS * n1 * n2 + LINK_SECONDS * compared_links(factors)


def compared_links(factors):
    """Return about how many pairs of links a step compares: nodes are compared with nodes of about
    their degree.
    """
    squares = [float(np.sum(np.diff(M.indptr).astype(float) ** 2)) for M in csr_of(factors)]
    return WIDTH * math.sqrt(squares[0] * squares[1])


def csr_of(factors):
    """Return both sparse matrices by rows."""
    return [sparse.csr_array(M) for M in (factors.A, factors.B)]


def near_gigabytes(factors):
    """Return the approximate memory: rows of tables, and the lists with scratch."""
    n1, n2 = factors.shape
    return 1e-9 * (24.0 * ROWS_AT_ONCE * max(n1, n2) + 100.0 * WIDTH * n1)


def affords_near(factors, seconds, memory):
    """Return whether both graphs are sparse, edges cost nothing, all pairs are allowed, few have
    costs, and memory and this time suffice.
    """
    if not (factors.are_sparse and factors.all_pairs and factors.problem.edges.nonpositive):
        return False
    if not (factors.A.nnz and factors.B.nnz and (factors.is_plain or has_few_costs(factors))):
        return False
    return near_gigabytes(factors) <= memory and near_seconds(factors) <= seconds


def start_near(state, memory):
    """Offer a Portfolio the matching of this start, improved by Frank-Wolfe, if it can be afforded:
    it takes a tenth of the time of any other start of large graphs.
    """
    factors, budget, best = state.factors, state.budget, Best(state.problem, state.budget)
    seconds = min(TIME_SHARE * budget.remaining(), SPECTRA * grampa_seconds(factors))
    if not affords_near(factors, seconds, memory):
        return
    labels = near_labels(factors, budget)
    if budget.expired():
        return
    sparse_descent(factors, factors.sparse_costs, labels, budget, best, 50, 1e-4)
    state.offer(best.labels, "near pairs + faq")


def near_labels(factors, budget):
    """Return the labels of the matching with the largest total of near_point."""
    return fill_labels(sparse_assignment(near_point(factors, budget)), factors.shape[1])


def near_point(factors, budget):
    """Return the sparse (n1, n2) probabilities of the pairs that are worth a look, once the most
    probable labels stay, after STEPS, or when the time is over.
    """
    A, B = (links_of(M) for M in (factors.A, factors.B))
    F, G = stable_features(A, B, budget.generator())
    near = Near(A, B, F, G, evidence_of_few_costs(factors))
    first = zip(nearest(F, G, WIDTH), near.expected(), strict=True)
    P, last = near.probabilities(*map(np.concatenate, first)), None
    for step in range(1, STEPS + 1):
        scores = near.step(P, budget)
        if scores is None:
            break
        P = near.probabilities(*scores)
        if step % LOOK:
            continue
        labels = most_probable(P)
        if last is not None and np.count_nonzero(labels != last) <= STILL * len(labels):
            break
        last = labels
    return P


def evidence_of_few_costs(factors):
    """Return the costs of pairs as evidence, sparse: see evidence_of_costs of _neighbours."""
    return sparse.csr_array(-sure_evidence(factors) * factors.sparse_costs).astype(np.float32)


def stable_features(A, B, random):
    """Return features of the nodes of both graphs, scaled by N^-1/2."""
    F, G = spread_features(A), spread_features(B)
    change = F - spread_features(remove_links(A, REMOVED, random))
    N = change.T @ change / len(change)
    least = RIDGE * np.trace(N) / len(N) + SURE * F.var(axis=0).mean()  # few links: none removed
    N += (least or 1.0) * np.eye(len(N))
    variance, U = np.linalg.eigh(N)
    scale = U / np.sqrt(variance)
    return [np.ascontiguousarray((M - M.mean(axis=0)) @ scale, np.float32) for M in (F, G)]


def spread_features(M):
    """Return (n, k) features of each node, of its neighbours, and of theirs."""
    A, own = M.copy(), features(M)
    A.data[:] = 1.0
    A = sparse.diags_array(1.0 / np.maximum(A.sum(axis=1), 1.0)) @ A
    all_of_them, mean = [own], own
    for _ in range(2):
        last, mean = mean, A @ mean
        variance = np.maximum(A @ (last * last) - mean * mean, 0.0)
        all_of_them += [mean, np.sqrt(variance)]
    return np.hstack(all_of_them)


def remove_links(M, share, random):
    """Return a symmetric graph without a random share of its links."""
    half = sparse.triu(M, 1).tocoo()
    kept = random.random(half.nnz) >= share
    pairs = half.row[kept], half.col[kept]
    half = sparse.csr_array((half.data[kept], pairs), shape=M.shape)
    return sparse.csr_array(half + half.T)


def nearest(F, G, width):
    """Return (rows, columns, scores) of the labels with the nearest features of each node."""
    width, squares = min(width, len(G)), (G * G).sum(axis=1)
    columns = np.empty((len(F), width), np.int32)
    scores = np.empty((len(F), width), np.float32)
    for first in range(0, len(F), ROWS_AT_ONCE):
        own = F[first : first + ROWS_AT_ONCE]
        D = squares - 2.0 * own @ G.T + (own * own).sum(axis=1)[:, None]
        best = np.argpartition(D, width - 1, axis=1)[:, :width]
        columns[first : first + ROWS_AT_ONCE] = best
        scores[first : first + ROWS_AT_ONCE] = -PRIOR * np.take_along_axis(D, best, axis=1)
    return np.repeat(np.arange(len(F)), width), columns.ravel(), scores.ravel()


def most_probable(P):
    """Return the most probable label of each row of a CSR matrix, -1 for empty rows."""
    order = np.lexsort((-P.data, np.repeat(np.arange(P.shape[0]), np.diff(P.indptr))))
    labels, filled = np.full(P.shape[0], -1), np.diff(P.indptr) > 0
    labels[filled] = P.indices[order[P.indptr[:-1][filled]]]
    return labels


class Near:
    """The steps for two graphs, with their features and evidence."""

    def __init__(self, A, B, F, G, evidence):
        self.shape, self.borrowed = (A.shape[0], B.shape[0]), []
        n2, self.evidence = B.shape[0], evidence
        sums, marks = np.zeros((4, n2), np.float32), np.empty((4, n2), np.int32)
        arrays = {"left": F, "right": G, "sums": sums, "marks": marks}
        graphs = {"A": A, "B": B, "evidence": evidence, "lists": evidence}
        self.struct = ffi.new(
            "gm_near *",
            {
                **{name: self.lend(M) for name, M in graphs.items()},
                **{name: self.borrow(array) for name, array in arrays.items()},
                "n_features": F.shape[1], "width": WIDTH, "rate": RATE, "prior": PRIOR,
            },
        )  # fmt: skip
        links = WIDTH * max(A.nnz, 1) * max(B.nnz / n2, 1.0)
        self.rows = max(int(SLICE * A.shape[0] / links), 1)

    def borrow(self, array):
        """Return a pointer to an array that stays alive."""
        self.borrowed.append(pointer(array))
        return self.borrowed[-1]

    def lend(self, M):
        """Return a CSR matrix as gm_weighted."""
        arrays = {
            "start": M.indptr.astype(np.int64),
            "other": M.indices.astype(np.int32),
            "weight": M.data.astype(np.float32),
        }
        fields = {name: self.borrow(array) for name, array in arrays.items()}
        self.borrowed.append(ffi.new("gm_weighted *", {"n": M.shape[0], **fields}))
        return self.borrowed[-1]

    def expected(self):
        """Return (rows, columns, scores) of the pairs with positive evidence."""
        pairs = self.evidence.tocoo()
        positive = pairs.data > 0
        return pairs.row[positive], pairs.col[positive], pairs.data[positive]

    def step(self, P, budget):
        """Return (rows, columns, scores) after a step from probabilities, None if the time is
        over.
        """
        n1, n2 = self.shape
        W = P.copy()
        W.data = np.log1p(np.float32(n2) * W.data)
        W.data[W.data < LEAST_WEIGHT] = 0.0
        W.eliminate_zeros()
        alive = len(self.borrowed)
        self.struct.lists = self.lend(W)
        count = np.zeros(n1, np.int32)
        label, score = np.empty((n1, WIDTH), np.int32), np.empty((n1, WIDTH), np.float32)
        out = [pointer(array) for array in (count, label, score)]
        for first in range(0, n1, self.rows):
            if budget.expired():
                return None
            lib.gm_pool_near(self.struct, first, min(first + self.rows, n1), *out)
        del self.borrowed[alive:]
        kept = np.arange(WIDTH) < count[:, None]
        return np.repeat(np.arange(n1), count), label[kept], score[kept]

    def probabilities(self, rows, columns, scores):
        """Return exp(scores), scaled to row and column sums 1 (the larger side: at most 1), as a
        CSR matrix. The first two sweeps work with logarithms, whose range is not limited.
        """
        S = sparse.csr_array((scores, (rows, columns)), shape=self.shape)  # sums duplicates
        by_column = np.argsort(S.indices, kind="stable")
        columns = np.concatenate([[0], np.cumsum(np.bincount(S.indices, minlength=S.shape[1]))])
        values = S.data
        for _ in range(2):
            values[by_column] = subtract_totals(values[by_column], columns)
            values = subtract_totals(values, S.indptr)
        S.data = np.exp(np.maximum(values, LEAST))
        return scale_sparse_sums(S)


def subtract_totals(values, starts):
    """Return values minus the logarithm of the sum of the exponentials of their group."""
    filled = np.diff(starts) > 0
    begin, group = starts[:-1][filled], np.repeat(np.arange(filled.sum()), np.diff(starts)[filled])
    if not len(begin):
        return values
    values = values - np.maximum.reduceat(values, begin)[group]
    return values - np.log(np.add.reduceat(np.exp(values), begin))[group]


def scale_sparse_sums(E):
    """Scale a CSR matrix as scale_sums of _neighbours does."""
    n1, n2 = E.shape
    tiny, F = np.finfo(np.float32).tiny, sparse.csr_array(E.T)
    u, v = np.ones(n1, np.float32), np.ones(n2, np.float32)
    for _ in range(SWEEPS):
        u = 1.0 / np.maximum(E @ v, tiny if n1 <= n2 else 1.0)
        v = 1.0 / np.maximum(F @ u, tiny if n1 >= n2 else 1.0)
    u, v = np.minimum(u, 1e30), np.minimum(v, 1e30)
    E.data *= np.repeat(u, np.diff(E.indptr)) * v[E.indices]
    return E
