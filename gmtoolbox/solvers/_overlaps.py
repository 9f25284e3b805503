"""auto on overlaps, sum of min(A_ij, B_p(i)p(j)): starts from a Koopmans-Beckmann problem of the
same graphs, swaps on the overlap itself, bounds from sorted weights, and the exact method if its
edges are few.
"""

from contextlib import suppress
from functools import partial

from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.overlaps import Overlaps
from gmtoolbox.core.products import Products
from gmtoolbox.core.result import gap_closed, rounding_error
from gmtoolbox.core.values import dense
from gmtoolbox.engine.kernels import tolerance_of
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.registry import Outcome, get_solver
from gmtoolbox.solvers._bounds import bound_assignment, linear_bound, square_costs
from gmtoolbox.solvers._components import PartBudget
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._overlap_descent import OverlapDescent, affords_descent
from gmtoolbox.solvers._starts import first_labels
from gmtoolbox.solvers._swaps import search

START_SIDE = 30  # nodes from which a start by faq is worth its time
START_SHARE = 0.3  # of the remaining time for it
ROW_SIDE = 600  # nodes up to which rows are compared for the bound
EXACT_EDGES = 1_000_000  # listed edges up to which the exact method follows
COPIES, ENTRY_BYTES = 6, 12  # of gradients that faq holds at a time, and of a stored entry
PATIENCE = 200  # trials per node without success before the exact method


def has_overlaps(problem):
    """Return True if the edges of a problem are overlaps, without implicit dummies."""
    return isinstance(problem.edges, Overlaps) and not problem.dummies


def solve_overlaps(problem, budget, init, exact, maxiter, memory):
    """Return the Outcome. exact(labels): the Outcome of the exact method that starts from labels,
    which is asked if the edges are few; memory: gigabytes of tables.
    """
    factors, ran = QapFactors(problem), []
    product = problem.changed(edges=products_of(problem.edges).over(problem.candidates))

    def offer(labels, name):
        cost = problem.total_cost(labels)
        ran.append([name, round(budget.elapsed(), 3), cost])
        budget.record(cost=cost, labels=np.asarray(labels, np.int32))

    offer(first_labels(QapFactors(product)), "order of sums")
    if init is not None:
        offer(init, "init")
    budget.record(bound=float(entry_bound(factors)) + problem.offset)
    has_starts = max(problem.shape) >= START_SIDE
    if has_starts and affords_descent(factors, START_SHARE * budget.remaining(), memory):
        start = np.array(budget.incumbent.labels)
        OverlapDescent(factors, budget).run(start, partial(offer, name="faq on overlaps"))
    if factors.n <= ROW_SIDE and not budget.expired():
        budget.record(bound=float(row_bound(factors)) + problem.offset)
    if has_starts and not budget.expired() and faq_gigabytes(product) <= memory:
        part = PartBudget(budget, START_SHARE, None)  # its costs are those of products
        with suppress(OutOfTime):
            start = get_solver("faq").function(product, part)
            if start.labels is not None:
                offer(start.labels, "faq on products")
    follows = problem.n_edges <= EXACT_EDGES
    found = search(
        factors, budget, budget.incumbent.labels, bound=budget.bound, maxiter=maxiter,
        patience=PATIENCE * factors.n if follows else None, fixed=given_nodes(problem),
    )  # fmt: skip
    offer(found.labels, "local search (align)")
    status, n_iter = found.status, found.n_iter
    if follows and not is_proven(problem, budget) and not budget.expired():
        last = exact(budget.incumbent.labels)
        budget.record(bound=last.bound)
        if last.labels is not None:
            offer(last.labels, "aj")
        status, n_iter = last.status, n_iter + last.n_iter
    return Outcome(
        labels=budget.incumbent.labels, bound=budget.bound, n_iter=n_iter, status=status,
        extra={"ran": ran}, options={"run": "choose"},
    )  # fmt: skip


def products_of(overlaps):
    """Return the Products of the same graphs, with the roots of the weights: sqrt(a b) is at least
    min(a, b), and equal if a = b.
    """
    return Products(overlaps.sign * np.sqrt(overlaps.A), np.sqrt(overlaps.B))


def faq_gigabytes(product):
    """Return about the memory of faq on products: some copies of the gradient, which has an entry
    for every pair of arcs with matched ends, or for every pair of nodes.
    """
    (n1, n2), A, B = product.shape, product.edges.A, product.edges.B
    arcs = 2.0 * entry_count(A) / n1 * entry_count(B) / n2 * min(n1, n2)
    return 1e-9 * COPIES * min(arcs * ENTRY_BYTES, n1 * n2 * 8.0)


def given_nodes(problem):
    """Return which nodes have one label only, if nothing else is forbidden and pairs cost nothing;
    else None: the search then looks at a table of all pairs.
    """
    pairs = problem.candidates
    if isinstance(pairs, FreePairs) and not pairs.are_all and not np.any(problem.cost):
        return pairs.label_of >= 0
    return None


def is_proven(problem, budget):
    """Return True if the best matching meets the bound."""
    found = budget.incumbent
    tolerance = max(tolerance_of(problem, budget), problem.cost_error(found.labels))
    return gap_closed(found.cost - problem.offset, budget.bound - problem.offset, tolerance)


# ---- bounds


def entry_bound(factors):
    """Return a lower bound: the largest weights of both graphs meet, as if each arc could be placed
    by itself.
    """
    linear, sign = linear_bound(factors), factors.problem.edges.sign
    if sign > 0:
        return linear
    down = [-np.sort(-(M.data if sparse.issparse(M) else M[M > 0])) for M in both(factors)]
    k = min(map(len, down))
    total = float(np.minimum(down[0][:k], down[1][:k]).sum())
    return sign * total + linear - rounding_error(k + 2, total + abs(linear))


def row_bound(factors):
    """Return a lower bound: node i with label s keeps at most the minima of its sorted arcs, out
    and in; the best assignment of these.
    """
    sign, quadratic = factors.problem.edges.sign, np.zeros((factors.n, factors.n))
    if sign < 0:
        (n1, n2), width = factors.shape, max(factors.shape)
        kept = quadratic[:n1, :n2]
        for transposed in (False, True):
            A, B = (sort_down(dense(M.T if transposed else M), width) for M in both(factors))
            for i in range(n1):
                kept[i] += 0.5 * sign * np.minimum(A[i], B).sum(axis=1)
        kept -= rounding_error(width + 3, 1.0) * np.abs(kept)
    return bound_assignment(square_costs(factors, quadratic))


def entry_count(M):
    """Return the number of entries that are not zero."""
    return M.nnz if sparse.issparse(M) else np.count_nonzero(M)


def both(factors):
    """Return A and B."""
    return factors.A, factors.B


def sort_down(M, width):
    """Return each row from the largest entry down, zeros behind."""
    wide = np.zeros((len(M), width))
    wide[:, : M.shape[1]] = -np.sort(-M, axis=1)
    return wide
