"""smac: spectral matching with affine constraints."""

from typing import Annotated

from gmtoolbox.core.lazy import csgraph, np, sparse, sparse_linalg
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine.limits import OutOfTime, call_within
from gmtoolbox.engine.linalg import eigenpairs, positive_definite_solver, svd_seconds
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.pipeline import rounding_seconds
from gmtoolbox.engine.registry import Outcome, solver

DENSE = 60  # below this many unknowns a dense eigensolver is both faster and safer
# Seconds per edge to set up the affinity and of each round of its normalisation, and per line to
# factorise the constraints
SECONDS_PER_EDGE, SECONDS_PER_ROUND, SECONDS_PER_LINE = 1.2e-7, 2.5e-8, 3e-5


@solver(
    "smac",
    family="spectral",
    paper="Cour, Srinivasan and Shi, NIPS 2006",
    needs=(BIJECTIVE, NONPOSITIVE),
)
def smac(
    problem,
    budget,
    *,
    normalisations: Annotated[int, Range(0), "rounds of Kronecker bistochastic normalisation"] = 10,
    maxiter: Annotated[int, Range(1), "restarts of the eigensolver"] = 500,
    tol: Annotated[
        float, Range(0), "relative accuracy of the eigenvalues; 0 = machine precision"
    ] = 1e-3,
):
    r"""Spectral matching with affine constraints.

    :math:`W = -K` is normalised so that the affinities of every pair of nodes and of every pair of
    labels sum to 1. Then

    .. math::

        \underset{x}{\max} \; \frac{x^\top W x}{x^\top x} \quad \text{with} \quad C x = t\, b,

    where the constraints ask for equal sums of all rows and columns. The solution is the leading
    eigenvector of :math:`P W P` with the projector P on them. It is scaled to :math:`C x = b`,
    replaced by the nearest orthogonal matrix, and rounded.

    The eigensolver is ARPACK with the settings of the original (three vectors, a basis of six,
    tol=1e-3). This tolerance is so loose that rounding errors decide a few instances, and MATLAB's
    own eigs differs there; tol=0 is exact. Implicit dummies are never stored: on them, an image
    under P is the sum of one number for the row and one for the column.
    """
    each = SECONDS_PER_EDGE + normalisations * SECONDS_PER_ROUND
    seconds = each * (problem.n_edges + problem.n_candidates)
    # bistochastic normalisation of W (Cour, Srinivasan and Shi, section 4)
    W = call_within(budget, seconds, normalised_affinity, problem, normalisations, budget)
    if budget.expired():  # there is time for one power iteration
        return Outcome(scores=W @ np.ones(problem.n_candidates), status=budget.stopped)
    try:
        space = call_within(budget, SECONDS_PER_LINE * sum(problem.shape), Constrained, problem)
    except OutOfTime:
        return Outcome(scores=W @ np.ones(problem.n_candidates), status=budget.stopped)
    # maximise x'Wx / x'x subject to C x = t b: the leading eigenvector of P W P
    x, n_iter, status = space.leading_eigenvector(W, maxiter, tol, budget)
    # scale to C x = b, then the nearest orthogonal matrix
    scale = space.mean_sum(x)
    if scale == 0 or budget.expired():
        status = budget.stopped or "breakdown"
        return Outcome(scores=np.abs(space.take_stored(x)), n_iter=n_iter, status=status)
    budget.keep_back(rounding_seconds(problem, space.N + space.rows * space.cols))
    try:
        scores = call_within(
            budget, svd_seconds(problem.shape),
            lambda: nearest_orthogonal(space.matrix(x / scale)),
        )  # fmt: skip
    except OutOfTime:
        skipped = "the nearest orthogonal matrix: no time for it"
        return Outcome(
            scores=np.abs(space.take_stored(x)), n_iter=n_iter, status=budget.stopped,
            extra={"left_out": skipped},
        )  # fmt: skip
    scores[forbidden_pairs(problem)] = 0.0
    return Outcome(scores=scores, n_iter=n_iter, status=status)


def nearest_orthogonal(X):
    """The orthogonal matrix nearest to X in the Frobenius norm."""
    U, _, Vt = np.linalg.svd(X)
    return U @ Vt


def forbidden_pairs(problem):
    """(n1, n2) mask of the pairs that are neither stored nor implicit."""
    mask = np.ones(problem.shape, dtype=bool)
    mask[problem.left, problem.right] = False
    mask[problem.dummies.corner[0] :, problem.dummies.corner[1] :] = False
    return mask


def normalised_affinity(problem, rounds, budget):
    """Every entry W(is,jt) divided by the sum over s,t for its i,j, then over i,j for its s,t,
    again and again; largest entry 1.
    """
    diagonal = np.arange(problem.n_candidates)
    a, b = (np.concatenate([diagonal, ends]) for ends in (problem.a, problem.b))
    w = np.concatenate([-problem.cost, -0.5 * problem.edge_cost])
    stored = np.flatnonzero(w)
    a, b, w = a[stored], b[stored], w[stored]
    sides = []
    for line in (problem.left, problem.right):
        low, high = np.minimum(line[a], line[b]).astype(np.int64), np.maximum(line[a], line[b])
        # an edge within one node (label) is in both triangles of that node's block
        times = np.where((low == high) & (a != b), 2.0, 1.0)
        sides.append((number_pairs(low, high, max(problem.shape)), times))
    for _ in range(rounds):
        if budget.expired():
            break
        for group, times in sides:
            w = w / (np.bincount(group, np.abs(w) * times) + np.finfo(float).eps)[group]
    w = w / max(w.max(initial=0.0), np.finfo(float).tiny)
    off = a != b
    N = problem.n_candidates
    rows, cols = np.concatenate([a, b[off]]), np.concatenate([b, a[off]])
    return sparse.csr_array((np.concatenate([w, w[off]]), (rows, cols)), shape=(N, N))


def number_pairs(low, high, n):
    """0, 1, ... for the different pairs (low, high) of 0 .. n-1, in their order."""
    pair = low * n + high
    if n * n > 8 * len(pair) + 1_000_000:  # too many to have a cell for each
        return np.unique(pair, return_inverse=True)[1]
    occurs = np.zeros(n * n, dtype=bool)
    occurs[pair] = True
    return (np.cumsum(occurs) - 1)[pair]


class Constrained:
    """The subspace {x : C x = t b}, C the label and node sums, in coordinates where implicit
    dummies cost one number a line.

    x = (stored candidates, u, w): the implicit pair (i, s) holds u_i / sqrt(columns) + w_s /
    sqrt(rows), sum(w) = 0, so that the inner product of coordinates is that of the whole vectors.
    """

    def __init__(self, problem):
        self.problem = problem
        (n1, n2), (row, col) = problem.shape, problem.dummies.corner
        self.N, self.rows, self.cols = problem.n_candidates, n1 - row, n2 - col
        if self.rows * self.cols == 0:
            self.rows = self.cols = 0
        self.root_rows, self.root_cols = np.sqrt(self.rows), np.sqrt(self.cols)
        lines = n2 + n1
        adjacency = sparse.coo_array(
            (np.ones(self.N), (problem.right, n2 + problem.left)), shape=(lines, lines)
        )
        degree = np.bincount(problem.right, minlength=n2), np.bincount(problem.left, minlength=n1)
        degree = np.concatenate(degree).astype(float)
        in_cols, in_rows = np.zeros(lines), np.zeros(lines)
        if self.rows:
            degree[col:n2] += self.rows
            degree[n2 + row :] += self.cols
            in_cols[col:n2] = in_rows[n2 + row :] = 1.0
        self.kept = independent_lines(adjacency, in_cols + in_rows)
        S = (adjacency + adjacency.T + sparse.diags_array(degree)).tocsc()[self.kept][:, self.kept]
        solve = positive_definite_solver(S.tocsc())
        self.in_cols, self.in_rows = in_cols, in_rows

        # S + U J U' with U = [in_rows, in_cols], J exchanging the two: the implicit pairs, by
        # Woodbury
        U = np.column_stack([in_rows, in_cols])[self.kept]
        if self.rows:
            SU = np.column_stack([solve(U[:, 0].copy()), solve(U[:, 1].copy())])
            core = np.linalg.inv(np.array([[0.0, 1.0], [1.0, 0.0]]) + U.T @ SU)
            self.solve = lambda y: (lambda z: z - SU @ (core @ (U.T @ z)))(solve(y))
        else:
            self.solve = solve
        ones = np.ones(len(self.kept))
        p = self.spread(self.solve(ones))
        self.direction = p / np.linalg.norm(p)

    @property
    def size(self):
        """Number of coordinates."""
        return self.N + self.rows + self.cols

    def sums(self, x):
        """C x: label sums, then node sums, of the independent lines."""
        (n1, n2), (row, col), problem = (
            self.problem.shape,
            self.problem.dummies.corner,
            self.problem,
        )
        stored, u, w = np.split(x, [self.N, self.N + self.rows])
        by_label, by_node = (
            np.bincount(problem.right, stored, n2),
            np.bincount(problem.left, stored, n1),
        )
        if self.rows:
            by_label[col:] += u.sum() / self.root_cols + self.root_rows * w
            by_node[row:] += self.root_cols * u
        return np.concatenate([by_label, by_node])[self.kept]

    def spread(self, y):
        """C' y."""
        (n1, n2), (row, col), problem = (
            self.problem.shape,
            self.problem.dummies.corner,
            self.problem,
        )
        lines = np.zeros(n2 + n1)
        lines[self.kept] = y
        by_label, by_node = lines[:n2], lines[n2:]
        parts = [by_label[problem.right] + by_node[problem.left]]
        if self.rows:
            mean = by_label[col:].mean()
            parts += [
                self.root_cols * (by_node[row:] + mean),
                self.root_rows * (by_label[col:] - mean),
            ]
        return np.concatenate(parts)

    def project(self, x):
        """P x: without its part that changes the sums unequally."""
        return x - self.spread(self.solve(self.sums(x))) + self.direction * (self.direction @ x)

    def leading_eigenvector(self, W, maxiter, tol, budget):
        """(x, products with W, status): eigenvector of P W P for its largest eigenvalue; the start
        of the search if time is over.
        """
        count = 0

        def product(x):
            nonlocal count
            count += 1
            x = self.project(np.ravel(x))
            x[: self.N] = W @ x[: self.N]
            x[self.N :] = 0.0
            return self.project(x)

        size = self.size
        if size <= DENSE:
            A = np.column_stack([product(column) for column in np.eye(size)])
            return np.linalg.eigh((A + A.T) / 2)[1][:, -1], count, None
        start = np.concatenate(
            [np.ones(self.N), np.full(self.rows, self.root_cols), np.zeros(self.cols)]
        )

        def product_in_time(x):  # the only way out of ARPACK
            if budget.expired():
                raise OutOfTime
            return product(x)

        operator = sparse_linalg.LinearOperator((size, size), matvec=product_in_time, dtype=float)
        try:
            values, vectors = eigenpairs(
                operator, start, k=3, which="LA", tol=tol, maxiter=maxiter, ncv=6
            )
            return vectors[:, np.argmax(values)], count, None
        except (sparse_linalg.ArpackNoConvergence, OutOfTime):
            return self.project(start), count, "breakdown"

    def mean_sum(self, x):
        """The mean of the sums of all lines."""
        return self.sums(x).mean()

    def take_stored(self, x):
        """The part of x on the stored candidates."""
        return x[: self.N]

    def matrix(self, x):
        """x as an (n1, n2) matrix."""
        stored, u, w = np.split(x, [self.N, self.N + self.rows])
        X = self.problem.scatter(stored)
        if self.rows:
            row, col = self.problem.dummies.corner
            X[row:, col:] = u[:, None] / self.root_cols + w[None, :] / self.root_rows
        return X


def independent_lines(adjacency, joined):
    """Lines (labels, then nodes) without the last of each connected part, whose sum the others
    determine.

    joined marks the lines that the implicit dummies make one part.
    """
    _, part = csgraph.connected_components(adjacency, directed=False)
    if np.any(joined):
        merged = np.unique(part[joined > 0])
        part = np.where(np.isin(part, merged), merged[0], part)
    last = len(part) - 1 - np.unique(part[::-1], return_index=True)[1]
    return np.setdiff1d(np.arange(len(part)), last)
