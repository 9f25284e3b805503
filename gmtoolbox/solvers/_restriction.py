"""Large neighbourhood search for two sparse graphs: of every node only the labels that fit best
around a matching, and the exact method among them.

Around a matching P the gradient A P B' is the cost of each pair if all others stayed. The
labels of least gradient of every node, the nodes of least gradient of every label and the matching
itself are a sparse problem with listed edges, which the exact method often solves in a tenth of a
second: the best of exponentially many matchings at once, while a local search moves a few nodes.
The restriction moves with the matching that it finds, and grows if it finds none. Many pairs
have the same gradient; chance chooses among them, so that no two restrictions are alike.
"""

from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.problem import Problem
from gmtoolbox.solvers._components import PartBudget

WIDTHS = (4, 8, 16)  # labels of a node, and nodes of a label
# Pairs of candidates of linked nodes that are looked at, and edges among them: beyond, the exact
# method is too slow to pay.
MOST_PAIRS, MOST_EDGES = 3_000_000, 200_000
ROUND_STEPS = 1000  # of the exact method
ROUND_SHARE = 0.15  # of the remaining time, at most


class Restrictions:
    """Restrictions around the best matching of a Portfolio.

    Parameters
    ----------
    state : Portfolio
    exact : function
        exact(problem, budget, init, steps) -> Outcome
    """

    def __init__(self, state, exact):
        self.state, self.exact = state, exact
        self.generator = state.budget.generator()
        self.widths = list(WIDTHS)
        self.longest = 0.0  # seconds that one took

    def improve(self):
        """Move the matching as long as one of the widths finds a better one; whether any did."""
        state, k, before = self.state, 0, self.state.cost
        while k < len(self.widths) and not state.budget.expired():
            if state.budget.remaining() <= 2 * self.longest:
                break
            width, begin = self.widths[k], state.budget.elapsed()
            problem = restrict_around(state.factors, state.labels, width, self.generator)
            if problem is None:
                self.widths = self.widths[:k]  # nor will wider ones fit
                break
            clock = PartBudget(state.budget, ROUND_SHARE, None)  # bounds of a part stay in it
            outcome = self.exact(problem, clock, state.labels, ROUND_STEPS)
            self.longest = max(self.longest, state.budget.elapsed() - begin)
            cost = state.cost
            if outcome.labels is not None:
                state.offer(outcome.labels, f"restriction to {width} labels a node")
            k += state.cost >= cost
        return state.cost < before


def restrict_around(factors, labels, width, generator):
    """Return the problem of the best candidates around a matching, with listed edges; None if
    they would be too many.
    """
    gradient = sparse.csr_array(2.0 * factors.gradient_at(labels) + factors.sparse_costs)
    i, s = least_of_rows(gradient, width, generator)
    t, j = least_of_rows(sparse.csr_array(gradient.T), width, generator)
    own = np.flatnonzero(labels >= 0)
    left, right = np.concatenate([i, j, own]), np.concatenate([s, t, labels[own]])
    return restrict_to(factors, left, right)


def restrict_to(factors, left, right):
    """Return the problem of these candidates, in any order, without those that are not allowed; its
    edges are listed. None if they would be too many.
    """
    whole = factors.problem
    n1 = whole.shape[0]
    right, left = np.divmod(np.unique(right.astype(np.int64) * n1 + left), n1)
    place = whole.candidates.index(left, right)
    left, right, place = left[place >= 0], right[place >= 0], place[place >= 0]
    A = sparse.csr_array(factors.A)
    size = np.bincount(left, minlength=n1).astype(float)
    if float(size @ ((A != 0) @ size)) > 2 * MOST_PAIRS:
        return None
    a, b, cost = list_edges(A, sparse.csr_array(factors.B), left, right)
    if len(a) > MOST_EDGES:
        return None
    return Problem(
        whole.shape, left, right, whole.cost[place], a, b, cost, complete=whole.complete,
        offset=whole.offset,
    )  # fmt: skip


def least_of_rows(M, k, generator):
    """(row, column) of the k least stored entries of each row of a sparse matrix; of equal ones
    any.
    """
    row = np.repeat(np.arange(M.shape[0]), np.diff(M.indptr))
    order = np.lexsort((generator.random(len(row)), M.data, row))
    rank = np.arange(len(order)) - M.indptr[row[order]]
    kept = order[rank < k]
    return row[kept], M.indices[kept]


def list_edges(A, B, left, right):
    """(a, b, cost) of the products A_ij B_sl among candidates (i, s), each pair of them once."""
    N, n = len(left), B.shape[0]
    of_node = sparse.csr_array((np.ones(N), (np.arange(N), left)), shape=(N, A.shape[0]))
    linked = (of_node @ A @ of_node.T).tocoo()
    B = B.tocoo()
    key = B.row.astype(np.int64) * n + B.col
    order = np.argsort(key)
    key, values = key[order], B.data[order]
    wanted = right[linked.row].astype(np.int64) * n + right[linked.col]
    found = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    met = np.flatnonzero(key[found] == wanted) if len(key) else np.empty(0, dtype=np.int64)
    W = sparse.csr_array(
        (linked.data[met] * values[found[met]], (linked.row[met], linked.col[met])), shape=(N, N)
    )
    W = sparse.triu(W + W.T, 1).tocoo()
    stored = W.data != 0
    return W.row[stored], W.col[stored], W.data[stored]
