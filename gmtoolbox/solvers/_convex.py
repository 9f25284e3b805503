"""The convex relaxation of a Koopmans-Beckmann problem, by ADMM in the eigenbases of its matrices.

Over permutations <A X B', X> is ||A X + X B||^2 / 2 and a constant. Over doubly stochastic X the
square is convex, and its minimum is the best start that is known for Frank-Wolfe on noisy graphs,
unless it is sharpened by a concave term that grows.
"""

from gmtoolbox.core.lazy import np
from gmtoolbox.solvers._starts import PART, WHOLE_SPECTRUM, centre_of, kept_spectra

STEPS = (30, 100, 300)  # after which the point is worth a descent
SHARPENING, MOST_GAIN, LARGEST = 160, 2.0, 1e3  # of sharpen: steps, 2 mu / rho, and any entry
AGREEING = 0.5  # share of equal labels from which two descents have found the same
SWEEPS = 20  # of Sinkhorn's scaling
TINY = 1e-12
# Seconds of a step per n1 n2 (n1 + n2) in single precision, and of a descent per n^2.5, on one core
STEP_SECONDS, DESCENT_SECONDS = 4e-11, 8e-8
TABLES = 16  # of n1 x n2 numbers in single precision: eigenvectors, iterates, scratch, and a point


def relaxation_gigabytes(factors):
    """Return the approximate memory of the tables of a Relaxation."""
    return 4e-9 * TABLES * max(factors.shape) ** 2


def start_seconds(factors, steps):
    """Return the approximate time of this many steps and a descent."""
    n1, n2 = factors.shape
    rank = sum(n if n <= WHOLE_SPECTRUM else 2 * PART for n in (n1, n2))
    return STEP_SECONDS * n1 * n2 * rank * steps + DESCENT_SECONDS * n2**2.5


class Relaxation:
    """minimise ||A X + X B||^2 + <F, X> over X >= 0 with row sums 1 and column sums at most 1.

    With -A = U diag(a) U', B = V diag(b) V' and T = U'XV the square is sum Q_ij T_ij^2, where
    Q_ij = (a_i - b_j)^2; of a matrix that is not symmetric, the symmetric part. The matrices are
    centred and scaled as for grampa, which shares the spectra. X is split into Y, which has the
    sums, and Z, which has no negative entry and no forbidden pair. A step, with the scaled
    multipliers L1 and L2:

        T = U'(Y - L1 + Z - L2 - F / rho)V,   X = U (T * rho / (2 Q + 2 rho)) V',
        Y = the nearest point to X + L1 with the sums,   L1 += X - Y,
        Z = max(X + L2, 0),                              L2 += X - Z.

    Of large matrices only the ends of the spectrum are known. All other eigenvalues count as 0.

    Parameters
    ----------
    factors : Factors
        F comes from its costs of pairs.
    penalty : float
        rho as a multiple of the median of Q.
    """

    def __init__(self, factors, penalty=1.0):
        (a, U), (b, V) = kept_spectra(factors)
        Q = (a[:, None] - b) ** 2
        self.shape = factors.shape
        self.is_whole = (len(a), len(b)) == self.shape
        rho = penalty * (typical_square(a, b, *self.shape) or Q.mean() or 1.0)
        self.U, self.V = U.astype(np.float32), V.astype(np.float32)
        damping = rho / (2.0 * Q + 2.0 * rho)
        if not self.is_whole:  # subtract the part of the remaining spectrum
            self.damping_a, self.damping_b = (
                (rho / (2.0 * c * c + 2.0 * rho) - 0.5).astype(np.float32) for c in (a, b)
            )
            damping -= self.damping_a[:, None] + self.damping_b + 0.5
        self.damping = damping.astype(np.float32)
        self.costs = None if factors.is_plain else scale_costs(factors, rho)
        self.forbidden = None if factors.all_pairs else np.isposinf(factors.C)
        self.restart()

    def restart(self, pull=None):
        """Begin again at the centre; pull: (n1, n2) rewards of pairs, in units of rho."""
        n1, n2 = self.shape
        self.Y = np.full(self.shape, 1.0 / max(n1, n2), np.float32)
        self.Z = self.Y.copy()
        self.L1, self.L2 = np.zeros((2, n1, n2), np.float32)
        self.n_steps, self.sums = 0, 1.0
        self.linear = self.costs
        if pull is not None:
            self.linear = -pull.astype(np.float32) + (0.0 if self.costs is None else self.costs)

    def advance(self, steps, budget):
        """Go on until this many steps are done or the time is over; return whether they are."""
        while self.n_steps < steps and not budget.expired():
            self.step()
        return self.n_steps >= steps

    def step(self, gain=0.0):
        """Do one step; gain: 2 mu / rho of sharpen."""
        W = self.Y - self.L1
        W += (1.0 + gain) * self.Z
        W -= self.L2
        if self.linear is not None:
            W -= self.linear
        X = self.damp(W)
        self.L1 += X
        self.Y = with_sums(self.L1, self.sums)
        self.L1 -= self.Y
        self.L2 += X
        self.Z = np.maximum(self.L2, 0.0)
        if self.forbidden is not None:
            self.Z[self.forbidden] = 0.0
        self.L2 -= self.Z
        self.n_steps += 1

    def sharpen(self, budget):
        """Go on with ||A X + X B||^2 - mu |X|^2, while mu grows from 0 to MOST_GAIN rho / 2; return
        whether the time suffices.

        Over permutations nothing changes. The concave part is replaced by its tangent at Z,

            -mu |X|^2 <= mu |Z|^2 - 2 mu <Z, X>,

        which adds 2 mu Z / rho to W. For a large mu the pairs grow by more than the sums hold back,
        those that agree with most others the fastest.
        """
        for k in range(1, SHARPENING + 1):
            if budget.expired():
                return False
            self.step(MOST_GAIN * k / SHARPENING)
            if self.Z.max() > LARGEST:
                self.shrink()
        return True

    def shrink(self):
        """Divide the iterates and the sums by LARGEST."""
        self.sums /= LARGEST
        for table in (self.Y, self.Z, self.L1, self.L2):
            table /= LARGEST

    def damp(self, W):
        """Return the minimum over all X: each T_ij of W, times rho / (2 Q_ij + 2 rho)."""
        U, V = self.U, self.V
        L = U.T @ W
        if self.is_whole:
            return U @ ((L @ V) * self.damping) @ V.T
        X = 0.5 * W
        X += U @ (((L @ V) * self.damping) @ V.T + self.damping_a[:, None] * L)
        X += ((W @ V) * self.damping_b) @ V.T
        return X

    def point(self):
        """Return Z, scaled to row sums 1 and column sums of at most 1."""
        Z = np.maximum(self.Z, 0.0 if self.forbidden is not None else TINY).astype(np.float64)
        return sinkhorn(Z, SWEEPS)


def typical_square(a, b, n1, n2):
    """Return the median of Q_ij, or about that of the eigenvalues that are not known: all of them
    have the sum of squares n.
    """
    if (len(a), len(b)) == (n1, n2):
        return float(np.median((a[:, None] - b) ** 2))
    rest = [(n - float(c @ c)) / max(n - len(c), 1) for c, n in ((a, n1), (b, n2))]
    return 0.5 * max(sum(rest), 0.0)


def scale_costs(factors, rho):
    """Return F / rho: the costs of pairs as the scaled matrices count them; forbidden ones 0."""
    sizes = [centre_of(M)[1] for M in (factors.A, factors.B)]
    C = np.where(np.isfinite(factors.C), factors.C, 0.0)
    return (2.0 * C / (sizes[0] * sizes[1] * rho)).astype(np.float32)


def with_sums(M, sums):
    """Return the nearest matrix whose rows have the given sum (and columns, if it is square); if
    there are more rows than columns, only the columns do.
    """
    n1, n2 = M.shape
    rows, columns = M.sum(axis=1, keepdims=True) - sums, M.sum(axis=0) - sums
    if n1 < n2:
        return M - rows / n2
    if n1 > n2:
        return M - columns / n1
    return M - rows / n2 - (columns / n1 - rows.sum() / (n1 * n2))


def sinkhorn(Y, sweeps):
    """Scale a nonnegative matrix to row and column sums 1; the larger side gets the rest of its
    sums from dummies.
    """
    n1, n2 = Y.shape
    if n1 > n2:
        return sinkhorn(Y.T, sweeps).T
    if n1 < n2:
        Y = np.vstack([Y, np.ones((n2 - n1, n2))])
    for _ in range(sweeps):
        Y = Y / np.maximum(Y.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        Y /= np.maximum(Y.sum(axis=0, keepdims=True), np.finfo(float).tiny)
    return Y[:n1]


def agree(labels, others):
    """Return True if two matchings have most labels in common."""
    matched = (labels >= 0) | (others >= 0)
    return np.count_nonzero((labels == others) & matched) >= AGREEING * max(matched.sum(), 1)
