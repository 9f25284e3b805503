"""Similarities of all pairs of nodes of two sparse graphs, from the agreement of their
neighbourhoods.

Spectra say nothing about regular graphs and little about small worlds. There a node is known by the
short cycles through it, by those through its neighbours, and so on. Let P be the probabilities of
all pairs, doubly stochastic, so that n P_is is how much more probable the pair (i, s) is than by
chance. A link ij whose end has a probable partner t among the links of s speaks for the pair (i, s)
with W_jt = log(1 + n P_jt), and a link without one with 0, as noise takes it from either graph:

    S_is = the lesser of  sum over links j of i of max over links t of s of W_jt
           and            sum over links t of s of max over links j of i of W_jt,
    P = exp(RATE S - PRIOR |f_i - f_s|^2), scaled to row and column sums 1,

where f are the features of a node: its degree and its closed walks without turning back, of three
to six steps. Both sums are at least the best assignment of the links of i to those of s. The sum
over all assignments, of which this takes the largest term, decides optimally on trees (Piccioli,
Semerjian, Sicuro and Zdeborova 2022).
"""

import math

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.solvers._starts import ROWS_AT_ONCE

# Chosen on 10-regular, random, power-law, small-world graphs of 500 nodes with 5 to 25 % of noise
RATE, PRIOR = 0.5, 0.1
SWEEPS = 10  # of the scaling
LEAST = -60.0  # logarithm of an improbable pair: denormal numbers would be slow
STEPS, LOOK = 40, 3  # at most, and between two looks at the most probable labels
# A quarter of the steps is usually enough; far fewer if seeds say where to begin: chosen on roads,
# yeast, groups and small worlds of benchmarks/bench_constraints.py, seeds 302 and 6000 to 6002
ENOUGH_STEPS, SEEDED_STEPS = STEPS // 4, 3
STILL = 0.002  # share of labels that change between two looks at the end
WALK_PRODUCTS = 2e8  # beyond, walks of three steps are not counted
SLICE = 2e7  # links times labels of one call
# Seconds of a step per link and label, and per pair
LINK_SECONDS, PAIR_SECONDS = 1.2e-9, 1.6e-8
TABLES = 4  # of n1 x n2 numbers in single precision


def neighbour_gigabytes(factors):
    """Return the approximate memory of the tables."""
    n1, n2 = factors.shape
    return 4e-9 * TABLES * n1 * n2


def neighbour_seconds(factors, steps=STEPS):
    """Return the approximate time of this many steps."""
    n1, n2 = factors.shape
    links = factors.A.nnz / n1 + factors.B.nnz / n2
    return steps * n1 * n2 * (LINK_SECONDS * links + PAIR_SECONDS)


def affords_neighbours(factors, seconds, memory, steps=ENOUGH_STEPS):
    """Return whether both graphs are sparse, edges cost nothing, and memory and this time suffice
    for this many steps.
    """
    if not (factors.are_sparse and factors.problem.edges.nonpositive):
        return False
    if not (factors.A.nnz and factors.B.nnz) or neighbour_gigabytes(factors) > memory:
        return False
    return neighbour_seconds(factors, steps) <= seconds


def neighbour_point(factors, budget, end=math.inf, hint=None):
    """Return the (n1, n2) probabilities P once the most probable labels stay, or after the step in
    which the clock of the budget passes `end`. hint: probabilities from elsewhere, which count as
    features do.
    """
    A, B = (links_of(M) for M in (factors.A, factors.B))
    n1, n2 = factors.shape
    prior = -PRIOR * squared_distances(features(A), features(B))
    if factors.C is not None:
        prior += evidence_of_costs(factors)
    if hint is not None:
        prior += np.log1p(n2 * hint.astype(np.float32))
    P, last = probabilities(prior.copy()), None
    for step in range(1, STEPS + 1):
        S = pool_neighbours(A, B, np.log1p(np.float32(n2) * P), budget)
        if S is None:
            break
        S *= np.float32(RATE)
        S += prior
        P = probabilities(S)
        if budget.elapsed() > end:
            break
        if step % LOOK:
            continue
        labels = P.argmax(axis=1)
        if last is not None and np.count_nonzero(labels != last) <= STILL * n1:
            break
        last = labels
    return P


def links_of(M):
    """Return a graph as a symmetric CSR matrix, single precision, whose mean weight is 1."""
    M = sparse.csr_array(abs(M) + abs(M.T)).astype(np.float32)
    M.setdiag(0)
    M.eliminate_zeros()
    M.sort_indices()
    if M.nnz:
        M.data /= M.data.mean()
    return M


def evidence_of_costs(factors):
    """Return the costs of pairs as evidence; a forbidden pair is as improbable as can be."""
    return np.maximum(-sure_evidence(factors) * factors.C, LEAST).astype(np.float32)


def sure_evidence(factors):
    """Return the evidence of a cost of -1: the mean cost of a common edge counts as a link with a
    sure partner.
    """
    A, B = abs(factors.A), abs(factors.B)
    edge = A.sum() / max(A.nnz, 1) * B.sum() / max(B.nnz, 1) or 1.0
    return RATE * np.log1p(factors.shape[1]) / (2.0 * edge)


def features(M):
    """Return (n, k) logarithms of the degree and the closed walks of each node.

    The walks of two steps are A^2 - D, those of three T - (D - 1) A with T = A (A^2 - D); closed
    walks are row sums of products of entries of these.
    """
    A = M.copy()
    A.data[:] = 1.0
    degree = A.sum(axis=1)
    two = A @ A
    two.setdiag(0)
    two.sort_indices()
    triangles, squares = A.multiply(two).sum(axis=1), two.multiply(two).sum(axis=1)
    counts = [degree, triangles, squares]
    if float(np.diff(two.indptr) @ degree) <= WALK_PRODUCTS:
        with_A, with_two, with_self = three_step_sums(A, two)
        back = degree - 1.0
        counts += [with_two - back * triangles]
        counts += [with_self - 2.0 * back * with_A + back * back * degree]
    if np.any(M.data != 1.0):
        counts.append(M.sum(axis=1))
    return np.log1p(np.maximum(np.array(counts, np.float64).T, 0.0))


def three_step_sums(A, two):
    """Return the row sums of T * A, T * two and T * T (entry by entry), T = A two."""
    sums = []
    for first in range(0, A.shape[0], ROWS_AT_ONCE):
        rows = A[first : first + ROWS_AT_ONCE]
        T = (rows @ two).toarray()
        others = rows.toarray(), two[first : first + ROWS_AT_ONCE].toarray(), T
        sums.append([np.einsum("is,is->i", T, other) for other in others])
    return np.concatenate(sums, axis=1)


def squared_distances(F, G):
    """Return |f_i - g_s|^2 of two lists of features, each scaled to variance 1."""
    k = min(F.shape[1], G.shape[1])
    both = np.vstack([F[:, :k], G[:, :k]])
    both = (both - both.mean(axis=0)) / np.maximum(both.std(axis=0), 1e-9)
    F, G = both[: len(F)].astype(np.float32), both[len(F) :].astype(np.float32)
    return (F * F).sum(axis=1)[:, None] + (G * G).sum(axis=1) - 2.0 * (F @ G.T)


def pool_neighbours(A, B, W, budget):
    """Return how well the neighbours of each pair agree, or None if the time is over."""
    graphs, borrowed = [], []
    for M in (A, B):
        arrays = M.indptr.astype(np.int64), M.indices.astype(np.int32), M.data
        borrowed += [pointer(array) for array in arrays]
        fields = dict(zip(("start", "other", "weight"), borrowed[-3:], strict=True))
        graphs.append(ffi.new("gm_weighted *", {"n": M.shape[0], **fields}))
    (n1, n2), S = W.shape, np.zeros_like(W)
    scratch = np.empty(n2, np.float32)
    rows = max(int(SLICE / max(B.nnz + A.nnz / n1 * n2, 1)), 1)
    for pool in (lib.gm_pool_labels, lib.gm_pool_nodes):
        for first in range(0, n1, rows):
            if budget.expired():
                return None
            last = min(first + rows, n1)
            pool(*graphs, pointer(W), first, last, pointer(S), pointer(scratch))
    return S


def probabilities(S):
    """Return exp(S) scaled to sums 1, in place. The first two sweeps work with logarithms, whose
    range is not limited.
    """
    for axis in (0, 1) * 2:
        S -= S.max(axis=axis, keepdims=True)
        S -= np.log(np.exp(S).sum(axis=axis, keepdims=True))
    return scale_sums(np.exp(np.maximum(S, LEAST, out=S), out=S))


def scale_sums(E):
    """Scale a nonnegative matrix in place, and return it: the sums of the smaller side become 1,
    those of the larger side at most 1.
    """
    n1, n2 = E.shape
    tiny = np.finfo(np.float32).tiny
    u, v = np.ones(n1, np.float32), np.ones(n2, np.float32)
    for _ in range(SWEEPS):
        u = 1.0 / np.maximum(E @ v, tiny if n1 <= n2 else 1.0)
        v = 1.0 / np.maximum(u @ E, tiny if n1 >= n2 else 1.0)
    E *= u[:, None]
    E *= v
    return E
