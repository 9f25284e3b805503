"""First matchings and first points for Koopmans-Beckmann problems."""

from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, sparse, sparse_linalg
from gmtoolbox.core.values import dense
from gmtoolbox.engine.linalg import eigenpairs
from gmtoolbox.engine.rounding import Lap, candidate_lap, dense_labels

ETA = 0.2  # bandwidth of grampa; Fan, Mao, Wu and Xu use the same
WHOLE_SPECTRUM = 2000  # nodes, up to which all eigenvectors are computed
PART = 150  # eigenvectors of either end of the spectrum, beyond
FULL_ASSIGNMENT = 2500  # nodes, up to which an assignment looks at every pair
KEPT_PAIRS = 30  # best pairs of a node, beyond
FEW_COSTS = 0.15  # of all pairs with a cost: up to here costs say much about few pairs
ROWS_AT_ONCE = 500  # of which the best pairs are sought: more would only take memory
# Seconds of an eigenvalue decomposition per n^3, of an assignment per n^2.5, and of one over the
# best pairs of each node per n^2, on one core
EIGH_SECONDS, ASSIGNMENT_SECONDS, PRUNING_SECONDS = 4e-10, 4e-9, 2e-8


def first_labels(factors):
    """Return a matching in O(n log n) if all pairs are allowed: nodes in the order of their mean
    costs, as the rearrangement inequality suggests.
    """
    problem = factors.problem
    if isinstance(problem.candidates, FreePairs):
        return by_sums(factors, problem.candidates)
    if not factors.all_pairs:
        lap, order = candidate_lap(problem)
        worth = problem.cost - problem.cost.max() - 1.0 if problem.complete else problem.cost
        return lap.solve(worth[order], complete=problem.complete)
    return by_sums(factors, FreePairs(factors.shape))


def by_sums(factors, pairs):
    """Return the free nodes in the order of their sums, without the given pairs."""
    problem = factors.problem
    strength = [
        np.asarray(M.sum(axis=0) + M.sum(axis=1)).ravel()[free]
        for M, free in ((factors.A, pairs.nodes), (factors.B, pairs.labels))
    ]
    up, down = np.argsort(strength[0], kind="stable"), np.argsort(-strength[1], kind="stable")
    k = min(map(len, strength))
    if k and strength[0].min() >= 0 and strength[1].min() >= 0:  # pay little: least with least
        down = down[len(down) - k :]
    labels = pairs.label_of.copy()
    labels[pairs.nodes[up[:k]]] = pairs.labels[down[:k]]
    if not problem.complete and problem.total_cost(labels) > problem.offset:
        labels[:] = -1
    return labels


def likeness(factors):
    """Return (n1, n2) how cheap each pair is by itself, 1 the cheapest, 0 the most expensive and
    forbidden ones; None: all the same.
    """
    C = factors.C
    if C is None:
        return None
    finite = np.isfinite(C)
    low, high = C[finite].min(), C[finite].max()
    if not high > low:
        return finite.astype(float)
    with np.errstate(invalid="ignore"):
        return np.where(finite, (high - C) / (high - low), 0.0)


def has_few_costs(factors):
    """Return True if all pairs are allowed and most cost nothing, as with seeds."""
    n1, n2 = factors.shape
    return factors.all_pairs and 0 < factors.sparse_costs.nnz <= FEW_COSTS * n1 * n2


def grampa(factors, eta=ETA, normalised=False):
    """Similarities of all pairs from the spectra of -A and B (Fan, Mao, Wu, Xu: Spectral graph
    matching and regularized quadratic relaxations, 2020):

        sum_ij  u_i u_i' J v_j v_j' / ((lambda_i - mu_j)^2 + eta^2)

    Matrices are centred and scaled to a spectrum of order 1, or, normalised, divided by the roots
    of the row sums. Yields the matrix for J all ones. If pairs have costs, J is also their
    likeness: alone if only few pairs cost anything, as with seeds, since it carries more than
    the ones; else added to the ones; and alone, the similarities multiplied by it, for features
    that decide.
    """
    (a, U), (b, V) = kept_spectra(factors, normalised)
    damped = 1.0 / ((a[:, None] - b) ** 2 + eta**2)
    ones = np.outer(U.sum(axis=0), V.sum(axis=0))

    def similarities(between):
        """The similarities for U'JV."""
        L = U @ (between * damped)
        return L @ V.T if max(factors.shape) <= FULL_ASSIGNMENT else RowsOnDemand(L, V)

    if factors.is_plain:
        yield similarities(ones)
        return
    if has_few_costs(factors):
        C = factors.sparse_costs
        low, high = min(C.data.min(), 0.0), max(C.data.max(), 0.0)
        yield similarities(ones)
        yield similarities((high * ones - U.T @ (C @ V)) / (high - low))  # J = (high - C) / range
        return
    J = likeness(factors)
    allowed = 1.0 if factors.all_pairs else np.isfinite(factors.C)
    yield U @ ((U.T @ (allowed + J) @ V) * damped) @ V.T
    scores = U @ ((U.T @ J @ V) * damped) @ V.T
    yield (scores - scores.min()) * J


class RowsOnDemand:
    """The matrix L V', of which rows are computed when they are asked for."""

    def __init__(self, L, V):
        self.L, self.V = L, V
        self.shape = len(L), len(V)

    def __getitem__(self, rows):
        return self.L[rows] @ self.V.T


def kept_spectra(factors, normalised=False):
    """Return the spectra of -A and of B, computed once."""
    make = lambda: [spectrum(M, normalised) for M in (-factors.A, factors.B)]
    return factors.keep(("spectra", normalised), make)


def spectral_labels(factors, normalised=False, eta=ETA):
    """The cheapest of the matchings that grampa's similarities round to; in a complete problem a
    complete one, if any is.
    """
    problem = factors.problem

    def rank(labels):
        is_complete = not problem.complete or np.all(labels >= 0)
        return not is_complete, problem.total_cost(labels)

    def make():
        found = (best_assignment(factors, scores) for scores in grampa(factors, eta, normalised))
        return min(found, key=rank)

    return factors.keep(("labels", normalised, eta), make)


def spectrum(M, normalised):
    """Eigenvalues and eigenvectors of the symmetric part: all, or those of both ends."""
    n = M.shape[0]
    M = 0.5 * (M + M.T)
    if normalised:
        sums = np.asarray(abs(M).sum(axis=0)).ravel()
        root = 1.0 / np.sqrt(np.where(sums > 0, sums, 1.0))
        M = M * root[:, None] * root if not sparse.issparse(M) else scale_both_sides(M, root)
        mean = 0.0
    else:
        mean, size = centre_of(M)
        M, mean = M / size, mean / size
    if n <= WHOLE_SPECTRUM:
        return np.linalg.eigh(dense(M) - mean)
    product = lambda x: M @ x - mean * x.sum()
    centred = sparse_linalg.LinearOperator((n, n), product, dtype=np.float64)
    start = np.cos(np.arange(n, dtype=float) ** 2)  # anything that is the same every time
    return eigenpairs(centred, start, k=2 * PART, which="BE", tol=1e-4)


def centre_of(M):
    """Return (mean, size) of a matrix: (M - mean) / size has a spectrum of order 1."""
    n = M.shape[0]
    M = 0.5 * (M + M.T)
    mean = M.sum() / n**2
    square = (M.multiply(M) if sparse.issparse(M) else M * M).sum() / n**2 - mean**2
    return mean, (np.sqrt(n * square) if square > 0 else 1.0)


def scale_both_sides(M, root):
    """D M D for the diagonal matrix D of `root`."""
    D = sparse.diags_array(root)
    return D @ M @ D


def grampa_seconds(factors):
    """About how long grampa and its rounding take."""
    side = max(factors.shape)
    spectra = sum(
        EIGH_SECONDS * min(n, WHOLE_SPECTRUM) ** 3 + 2e-9 * n * n * max(n / WHOLE_SPECTRUM, 1)
        for n in factors.shape
    )
    if factors.all_pairs and side > FULL_ASSIGNMENT:
        return spectra + PRUNING_SECONDS * side**2
    return spectra + ASSIGNMENT_SECONDS * side**2.5


def grampa_gigabytes(factors):
    """Estimate the memory of grampa and Frank-Wolfe: eigenvectors of each side with scratch, and
    six tables of pairs, or some of their rows.
    """
    n1, n2 = factors.shape
    vectors = sum(n * (2 * n if n <= WHOLE_SPECTRUM else 8 * PART) for n in (n1, n2))
    on_demand = max(n1, n2) > FULL_ASSIGNMENT and (factors.is_plain or has_few_costs(factors))
    return 8e-9 * (vectors + 6 * n2 * (min(n1, ROWS_AT_ONCE) if on_demand else n1))


def best_assignment(factors, scores):
    """Labels of the complete matching (partial: as complete as can be) with the largest total of
    an (n1, n2) matrix; forbidden pairs are not taken.
    """
    n1, n2 = factors.shape
    problem = factors.problem
    if not factors.all_pairs:
        lap, order = candidate_lap(problem)
        gain = scores[problem.left, problem.right]
        gain = gain - gain.min() + (np.ptp(gain) + 1.0)
        return lap.solve(-gain[order], complete=problem.complete and n1 <= n2)
    if max(n1, n2) > FULL_ASSIGNMENT:
        return pruned_assignment(scores)
    return dense_labels(scores, maximize=True)


def pruned_assignment(scores, kept=KEPT_PAIRS):
    """Assignment over the best pairs of each row; rows without one take columns that remain."""
    n1, n2 = scores.shape
    kept = min(kept, n2)
    best, values = np.empty((n1, kept), dtype=np.int32), np.empty((n1, kept))
    for begin in range(0, n1, ROWS_AT_ONCE):
        block = scores[begin : begin + ROWS_AT_ONCE]
        found = np.argpartition(-block, min(kept, n2 - 1), axis=1)[:, :kept]
        best[begin : begin + ROWS_AT_ONCE] = found
        values[begin : begin + ROWS_AT_ONCE] = np.take_along_axis(block, found, axis=1)
    rows, values = np.repeat(np.arange(n1), kept), values.ravel()
    pairs = sparse.csr_array((values - values.min() + 1.0, (rows, best.ravel())), shape=(n1, n2))
    return fill_labels(sparse_assignment(pairs), n2)


def sparse_assignment(gain, budget=None):
    """Labels of the matching with the largest total of a sparse matrix of positive gains; OutOfTime
    if a budget is over before.
    """
    gain = sparse.csr_array(gain)
    gain.sort_indices()
    return Lap(*gain.shape, gain.indptr, gain.indices).solve(-gain.data, budget=budget)


def fill_labels(labels, n2, wanted=None):
    """Return labels with a free one for each node without one: `wanted`, if that is free."""
    labels = np.array(labels)
    used = np.zeros(n2, dtype=bool)
    used[labels[labels >= 0]] = True
    free = np.flatnonzero(labels < 0)
    if wanted is not None:
        for i in free:
            s = wanted[i]
            if s >= 0 and not used[s]:
                labels[i], used[s] = s, True
        free = np.flatnonzero(labels < 0)
    unused = np.flatnonzero(~used)
    k = min(len(free), len(unused))
    labels[free[:k]] = unused[:k]
    return labels


def matrix_of(labels, shape):
    """Return the (n1, n2) sparse 0/1 matrix of a matching."""
    nodes = np.flatnonzero(labels >= 0)
    return sparse.csr_array((np.ones(len(nodes)), (nodes, labels[nodes])), shape=shape)
