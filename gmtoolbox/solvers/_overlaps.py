"""auto on overlaps, sum of min(A_ij, B_p(i)p(j)): starts from a Koopmans-Beckmann problem of the
same graphs, swaps on the overlap itself, bounds from sorted weights, and the exact method if its
edges are few.
"""

from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.overlaps import Overlaps
from gmtoolbox.core.products import Products
from gmtoolbox.core.result import gap_closed, rounding_error
from gmtoolbox.core.values import dense
from gmtoolbox.engine.kernels import tolerance_of
from gmtoolbox.engine.registry import Outcome, get_solver
from gmtoolbox.solvers._bounds import bound_assignment, linear_bound, square_costs
from gmtoolbox.solvers._components import PartBudget
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._starts import first_labels
from gmtoolbox.solvers._swaps import search

START_SIDE = 30  # nodes from which a start by faq is worth its time
START_SHARE = 0.3  # of the remaining time for it
ROW_SIDE = 600  # nodes up to which rows are compared for the bound
EXACT_EDGES = 1_000_000  # listed edges up to which the exact method follows
PATIENCE = 200  # trials per node without success before the exact method


def has_overlaps(problem):
    """Return whether the edges of a problem are overlaps, without implicit dummies."""
    return isinstance(problem.edges, Overlaps) and not problem.dummies


def solve_overlaps(problem, budget, init, exact, maxiter):
    """Return the Outcome. exact(labels): the Outcome of the exact method that starts from labels,
    which is asked if the edges are few.
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
    for name, bound in (("entries", entry_bound), ("rows", row_bound)):
        if not budget.expired() and (name == "entries" or factors.n <= ROW_SIDE):
            budget.record(bound=float(bound(factors)) + problem.offset)
    if max(problem.shape) >= START_SIDE and not budget.expired():
        part = PartBudget(budget, START_SHARE, None)  # its costs are those of products
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


def given_nodes(problem):
    """Return which nodes have one label only, if nothing else is forbidden and pairs cost nothing;
    else None: the search then looks at a table of all pairs.
    """
    pairs = problem.candidates
    if isinstance(pairs, FreePairs) and not pairs.are_all and not np.any(problem.cost):
        return pairs.label_of >= 0
    return None


def is_proven(problem, budget):
    """Return whether the best matching meets the bound."""
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


def both(factors):
    """Return A and B."""
    return factors.A, factors.B


def sort_down(M, width):
    """Return each row from the largest entry down, zeros behind."""
    wide = np.zeros((len(M), width))
    wide[:, : M.shape[1]] = -np.sort(-M, axis=1)
    return wide
