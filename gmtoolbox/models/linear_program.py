"""The integer linear program of a Problem: equations (4)-(6) of the study.

Variables x_p per candidate p = (i,s) and y_pq per pair of candidates of two joined left nodes i, j:

    min  sum c_p x_p + sum theta_pq y_pq          (4)
    sum_{p at i} x_p <= 1,   sum_{p with s} x_p <= 1       (5)
    sum_{p at i} y_pq <= x_q  for every q at j, and the same from the other side      (6)

The dummy label # is eliminated: y_{i#,q} = x_q - sum_p y_pq >= 0 is (6), and
y_{i#,j#} >= 0 is the row

    sum_{p at i} x_p + sum_{q at j} x_q - sum_pq y_pq <= 1.

If every left node must be matched there is no #, and (5) at the nodes and (6) are equalities. Two
candidates with the same label have no y, since no matching has both.

If all theta of a node pair are <= 0, variables for the stored edges and (6) as inequalities give
the same integer optimum with far fewer variables; `full=True` writes out every pair of labels: the
relaxation whose value no one-sided dual bound may exceed.
"""

from dataclasses import dataclass

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.result import rounding_error


@dataclass(frozen=True)
class LinearProgram:
    """min cost'z + offset subject to lower <= A z <= upper, 0 <= z <= 1; z = (x, y), integral if
    `integral` is 1.
    """

    cost: object
    A: object
    lower: object
    upper: object
    integral: object
    offset: float
    n_candidates: int
    pairs: object  # (n_y, 2): the two candidates of each y

    def labels(self, z, problem):
        """The matching of an integral solution."""
        chosen = np.flatnonzero(np.asarray(z)[: self.n_candidates] > 0.5)
        labels = np.full(problem.shape[0], -1, dtype=np.int32)
        labels[problem.left[chosen]] = problem.right[chosen]
        return labels


class Rows:
    """Rows of a constraint matrix, collected in triplets."""

    def __init__(self):
        self.row, self.col, self.value, self.lower, self.upper, self.n = [], [], [], [], [], 0

    def add(self, row, col, value, lower, upper):
        """Entries (row counted from 0 in this call, col, value) of len(lower) new rows."""
        self.row.append(np.asarray(row, dtype=np.int64) + self.n)
        self.col.append(np.asarray(col, dtype=np.int64))
        self.value.append(np.broadcast_to(np.asarray(value, dtype=float), np.shape(col)))
        self.lower.append(lower)
        self.upper.append(upper)
        self.n += len(lower)

    def matrix(self, n_cols):
        """(A, lower, upper) of all rows."""
        # HiGHS takes 32 bits; scipy before 1.15 does not convert
        row, col = (np.concatenate(part).astype(np.int32) for part in (self.row, self.col))
        return (
            sparse.csr_array((np.concatenate(self.value), (row, col)), shape=(self.n, n_cols)),
            np.concatenate(self.lower),
            np.concatenate(self.upper),
        )


def to_ilp(problem, full=False):
    """The LinearProgram of a Problem, always minimised; complete problems need n1 <= n2 (swap the
    sides otherwise).

    Parameters
    ----------
    problem : Problem
    full : bool
        Write out every pair of labels of joined nodes, not only those with an edge if that
        gives the same integer optimum.

    Returns
    -------
    LinearProgram

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> left, right, cost = [0, 1, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0]
    >>> p = gm.Problem((2, 2), left, right, cost, [0], [3], [-9.0])
    >>> program = gm.models.to_ilp(p)
    >>> program.A.shape, program.cost.tolist()
    ((6, 5), [1.0, 2.0, 3.0, 4.0, -9.0])
    """
    problem = problem.as_costs()
    n1, n2 = problem.shape
    if problem.complete and n1 > n2:
        raise InputError(
            f"a complete problem needs n1 <= n2 for its ILP, got {n1} x {n2}; exchange the sides"
            " first (reductions.swap)"
        )
    N = problem.n_candidates
    pairs, theta, dense = pair_variables(problem, full)
    rows = Rows()
    low = 1.0 if problem.complete else -np.inf
    rows.add(problem.left, np.arange(N), 1.0, np.full(n1, low), np.ones(n1))
    rows.add(problem.right, np.arange(N), 1.0, np.full(n2, -np.inf), np.ones(n2))
    # (6): y summed over the candidates of one node, for each candidate of the other
    for here, there in ((0, 1), (1, 0)):
        add_coupling(rows, problem, pairs, dense, here, there)
    if not problem.complete:
        add_dummy_pairs(rows, problem, pairs, dense)
    A, lower, upper = rows.matrix(N + len(pairs))
    integral = np.concatenate([np.ones(N), np.zeros(len(pairs))])  # y is integral if x is
    cost = np.concatenate([problem.cost, theta])
    return LinearProgram(cost, A, lower, upper, integral, problem.offset, N, pairs)


def pair_variables(problem, full):
    """(pairs, theta, dense): candidates of each y with the smaller left node first, its cost, and
    whether its node pair is written out in full.
    """
    n1 = problem.shape[0]
    left, right = problem.left, problem.right
    kept = (left[problem.a] != left[problem.b]) & (right[problem.a] != right[problem.b])
    a, b, theta = problem.a[kept], problem.b[kept], problem.edge_cost[kept]
    swap = left[a] > left[b]
    first, second = np.where(swap, b, a).astype(np.int64), np.where(swap, a, b).astype(np.int64)
    node_pair = left[first].astype(np.int64) * n1 + left[second]
    written_out = np.unique(node_pair if full else node_pair[theta > 0])
    stored = ~np.isin(node_pair, written_out)
    pair, at_i = problem.candidates_at(written_out // n1)
    position, at_j = problem.candidates_at(written_out[pair] % n1)
    joined = np.column_stack([at_i[position], at_j]).astype(np.int64)
    joined = joined[right[joined[:, 0]] != right[joined[:, 1]]]
    pairs = np.concatenate([np.column_stack([first[stored], second[stored]]), joined])
    N = problem.n_candidates
    table = sparse.csr_array((theta, (first, second)), shape=(N, N))
    values = np.asarray(table[pairs[:, 0], pairs[:, 1]]).ravel() if len(pairs) else np.zeros(0)
    dense = np.arange(len(pairs)) >= np.count_nonzero(stored)
    return pairs, values, dense


def add_coupling(rows, problem, pairs, dense, here, there):
    """sum over candidates p of a node, of y_pq, <= x_q (= in a written-out pair if everything is
    matched).
    """
    N, n1 = problem.n_candidates, problem.shape[0]
    left = problem.left.astype(np.int64)
    of_pair = pairs[:, there] * n1 + left[pairs[:, here]]
    # in a written-out pair every q has its row, also one that conflicts with all p
    joined = np.unique(left[pairs[dense, there]] * n1 + left[pairs[dense, here]])
    which, q = problem.candidates_at(joined // n1)
    written_out = q.astype(np.int64) * n1 + joined[which] % n1
    key = np.unique(np.concatenate([of_pair, written_out]))
    m = len(key)
    tight = np.isin(key, written_out) if problem.complete else np.zeros(m, dtype=bool)
    columns = np.concatenate([N + np.arange(len(pairs)), key // n1])
    values = np.concatenate([np.ones(len(pairs)), -np.ones(m)])
    row = np.concatenate([np.searchsorted(key, of_pair), np.arange(m)])
    rows.add(row, columns, values, np.where(tight, 0.0, -np.inf), np.zeros(m))


def add_dummy_pairs(rows, problem, pairs, dense):
    """y_{i#,j#} >= 0 for the node pairs written out."""
    N, n1 = problem.n_candidates, problem.shape[0]
    left = problem.left.astype(np.int64)
    key, row = np.unique(left[pairs[dense, 0]] * n1 + left[pairs[dense, 1]], return_inverse=True)
    m = len(key)
    of_i, at_i = problem.candidates_at(key // n1)
    of_j, at_j = problem.candidates_at(key % n1)
    columns = np.concatenate([N + np.flatnonzero(dense), at_i, at_j])
    values = np.concatenate([-np.ones(len(row)), np.ones(len(at_i) + len(at_j))])
    rows.add(
        np.concatenate([row.ravel(), of_i, of_j]), columns, values, np.full(m, -np.inf), np.ones(m)
    )


def safe_lower_bound(program, duals):
    """A bound that holds whatever the duals are: b'w + sum min(0, c - A'w), since 0 <= z <= 1
    (offset included).

    duals: one number per row, positive if the lower side is active, negative if the upper one
    is.
    """
    up, down = np.maximum(duals, 0.0), np.minimum(duals, 0.0)
    up[np.isneginf(program.lower)] = 0.0
    down[np.isposinf(program.upper)] = 0.0
    w = up + down
    fixed = (
        np.where(up > 0, program.lower, 0.0) @ up + np.where(down < 0, program.upper, 0.0) @ down
    )
    reduced = program.cost - program.A.T @ w
    size = abs(program.A)
    magnitude = np.abs(program.cost).sum() + (size.T @ np.abs(w)).sum() + 2 * np.abs(w).sum()
    longest_column = int(np.diff(size.tocsc().indptr).max(initial=0))
    margin = rounding_error(longest_column + sum(program.A.shape), magnitude)
    bound = fixed + np.minimum(reduced, 0.0).sum() - margin
    return float(np.nextafter(bound + program.offset, -np.inf))
