"""faq: Frank-Wolfe on the factors of a Koopmans-Beckmann problem."""

from functools import partial
from typing import Annotated

from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.options import Choice, Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.engine.rounding import candidate_lap, dense_labels
from gmtoolbox.solvers._convex import STEPS, Relaxation, agree, sinkhorn
from gmtoolbox.solvers._factors import QapFactors, has_factors
from gmtoolbox.solvers._forced import without_forced
from gmtoolbox.solvers._layers import merge_factors
from gmtoolbox.solvers._starts import (
    fill_labels,
    first_labels,
    matrix_of,
    sparse_assignment,
    spectral_labels,
)

SPARSE_PAIRS = 2_000_000  # pairs beyond which sparse factors are worth points kept sparse
SINKHORN_SWEEPS = 50
SHARPNESS = 100.0  # of the Sinkhorn direction: exp(-SHARPNESS * gradient / its range)


@solver(
    "faq",
    family="frank-wolfe",
    paper=(
        "Vogelstein et al. 2015, Fast approximate quadratic programming for graph matching; starts:"
        " Fan, Mao, Wu, Xu 2020 (grampa), Aflalo, Bronstein, Kimmel 2015 (convex relaxation);"
        " Saad-Eldin et al. 2021 (Sinkhorn direction)"
    ),
    needs=(LEFT_COMPLETE,),
    matrix_free=True,
    restart={"start": "random"},
)
def faq(
    problem,
    budget,
    *,
    init=None,
    start: Annotated[
        str,
        Choice(("grampa", "barycenter", "convex", "random")),
        "first points: a rounded spectral one; the centre; those after 30, 100 and 300 steps to"
        " the minimum of ||AX + XB||^2, then sharpened; between the centre and a random matching",
    ] = "grampa",
    restarts: Annotated[
        int, Range(0), "further descents, from blends of the centre and random matchings"
    ] = 0,
    direction: Annotated[
        str,
        Choice(("assignment", "sinkhorn")),
        "a vertex of the polytope, or GOAT's smoothed one",
    ] = "assignment",
    maxiter: Annotated[int, Range(1), "Frank-Wolfe steps of a descent"] = 50,
    tol: Annotated[float, Range(0, 1), "relative duality gap at which a descent ends"] = 1e-4,
):
    r"""Frank-Wolfe with exact line search on the two matrices; their products are never listed.

    .. math::

        \underset{X}{\min} \; f(X) = \langle C, X \rangle + \langle A X B^\top, X \rangle, \qquad
        \nabla f(X) = C + A X B^\top + A^\top X B .

    A step is that of `fw`: the best vertex Y for the gradient, then :math:`X + t\, (Y - X)` with
    the best t in [0, 1]. Sparse matrices stay sparse. Every Y is a matching whose value comes with
    the gradient; the last one is the assignment nearest to X. If there are more than two million
    pairs, X itself is kept sparse, as a sum of matchings, and the assignment only uses pairs with a
    gradient. Other problems (listed edges, layers) are treated in the same way with products by K;
    the starts of layers are those of the sums of their matrices. Given pairs (seeds) are fixed with
    Problem.fix.
    """
    rest = without_forced(problem, budget, init)
    if rest is not None:
        options = {"start": start, "restarts": restarts, "direction": direction}
        return rest.solve(faq, **options, maxiter=maxiter, tol=tol)
    factors = QapFactors(problem) if has_factors(problem) else merge_factors(problem)
    is_convex = init is None and start == "convex" and factors is not None
    if has_factors(problem) and keeps_points_sparse(factors) and not is_convex:
        return sparse_faq(factors, budget, init, maxiter, tol)
    space = Pairs(problem, factors)
    generator = budget.generator()
    best, n_iter = Best(problem, budget), 0
    for k in range(restarts + 1):
        if k > 0 and budget.expired():
            break
        if is_convex and k == 0:
            n_iter += convex_descents(space, factors, budget, best, direction, maxiter, tol)
            continue
        if init is not None and k == 0:
            x = space.indicator(init)
        elif k > 0 or start == "random":
            # costs below 0: if nodes may stay free, a random matching must pay
            costs = generator.random(problem.n_candidates) - 1.0
            x = 0.5 * (space.centre() + space.vertex(costs)[1])
        else:
            x = first_point(space, factors, start)
        n_iter += descend(space, x, budget, best, direction, maxiter, tol)
    return Outcome(labels=best.labels, n_iter=n_iter)


def keeps_points_sparse(factors):
    """Whether points are sums of matchings: many pairs, sparse matrices, and no forbidden pair that
    would keep a node from any label that remains.
    """
    problem = factors.problem
    free = factors.all_pairs or not problem.complete
    return factors.are_sparse and problem.n_candidates > SPARSE_PAIRS and free


class Best:
    """The best matching so far, reported to the budget."""

    def __init__(self, problem, budget):
        self.problem, self.budget = problem, budget
        self.labels, self.cost = None, np.inf

    def offer(self, labels, cost=None):
        """cost without the offset; computed if it is not known."""
        problem = self.problem
        if problem.complete and np.any(np.asarray(labels) < 0):
            return
        cost = problem.total_cost(labels) if cost is None else cost + problem.offset
        if cost < self.cost:
            self.labels, self.cost = np.array(labels, dtype=np.int32), cost
            self.budget.record(cost=cost, labels=self.labels)


class Pairs:
    """Points over the candidates of a problem, and the quantities of a step."""

    def __init__(self, problem, factors=None):
        self.problem = problem
        self.edges = problem.edges
        if factors is not None and factors.problem is problem:  # as they multiply faster
            if factors.A is not self.edges.A or factors.B is not self.edges.B:
                self.edges = self.edges.changed(A=factors.A, B=factors.B)
        n1, n2 = problem.shape
        self.every = problem.n_candidates == n1 * n2
        self._lap = None

    def product(self, x):
        """E x: half of the edge costs of each candidate."""
        return self.edges.product(x)

    def indicator(self, labels):
        """A matching as a point."""
        return self.problem.candidates.indicator(labels)

    def centre(self):
        """Return a point with equal weights; complete problems: rows that sum to 1 if all pairs are
        allowed.
        """
        n1, n2 = self.problem.shape
        return np.full(self.problem.n_candidates, 1.0 / max(n1, n2))

    def vertex(self, g):
        """(labels, their indicator) of the matching with the least total of g."""
        n1, n2 = self.problem.shape
        if not self.every:
            if self._lap is None:
                self._lap = candidate_lap(self.problem)
            lap, order = self._lap
            labels = lap.solve(g[order], complete=self.problem.complete, warm=True)
        else:
            G = g.reshape(n2, n1).T
            labels = dense_labels(G if self.problem.complete else np.minimum(G, 0.0))
            if not self.problem.complete:
                nodes = np.flatnonzero(labels >= 0)
                labels[nodes[G[nodes, labels[nodes]] >= 0]] = -1
        return labels, self.indicator(labels)

    def smooth(self, g):
        """Scale exp(-g) by Sinkhorn sweeps (all pairs allowed, complete problems)."""
        n1, n2 = self.problem.shape
        if not (self.every and self.problem.complete):
            return self.vertex(g)
        G = g.reshape(n2, n1).T
        Y = np.exp(-SHARPNESS * (G - G.min()) / max(np.ptp(G), np.finfo(float).tiny))
        return None, self.of_matrix(sinkhorn(Y, SINKHORN_SWEEPS))

    def of_matrix(self, X):
        """Return the entries of an (n1, n2) matrix at the candidates."""
        if self.every:
            return np.ascontiguousarray(X.T).reshape(-1)
        return X[self.problem.left, self.problem.right]


def first_point(space, factors, start):
    """The point that the option `start` names; without factors the centre."""
    if factors is None or start == "barycenter":
        return space.centre()
    return space.indicator(spectral_labels(factors))


def convex_descents(space, factors, budget, best, *options):
    """Descend from the convex relaxation after 30, 100 and 300 steps, and sharpened, until two
    descents agree; return the number of steps of all descents.
    """
    relaxation, last, n_iter = Relaxation(factors), None, 0
    goes_on = [partial(relaxation.advance, steps, budget) for steps in STEPS]
    for go_on in (*goes_on, partial(relaxation.sharpen, budget)):
        if not go_on() and last is not None:
            break
        own = Best(space.problem, budget)
        n_iter += descend(space, space.of_matrix(relaxation.point()), budget, own, *options)
        if own.labels is None:
            continue
        best.offer(own.labels)
        if last is not None and agree(own.labels, last):
            break
        last = own.labels
    return n_iter


def descend(space, x, budget, best, direction, maxiter, tol):
    """Number of steps of one descent."""
    cost = space.problem.cost
    Ex, steps = space.product(x), 0
    # Vogelstein et al. 2015, algorithm 1
    for _ in range(maxiter):
        if budget.expired():
            break
        # step 1: the gradient of f at x
        gradient = cost + 2.0 * Ex
        # step 2: the direction y, which minimises <gradient, y> (a linear assignment)
        if direction == "assignment":
            labels, y = space.vertex(gradient)
        else:
            labels, y = space.smooth(gradient)
        Ey = space.product(y)
        if labels is not None:
            best.offer(labels, float(cost @ y + y @ Ey))
        # f(x + t d) = f(x) + t slope + t^2 curvature; -slope is the duality gap
        d, Ed = y - x, Ey - Ex
        slope, curvature = float(gradient @ d), float(d @ Ed)
        steps += 1
        # step 5: stop if the duality gap is small
        value = float(cost @ x + x @ Ex)
        if slope >= -tol * max(abs(value), np.finfo(float).tiny):
            break
        # step 3: the best t in [0, 1]; step 4: x <- x + t d
        t = 1.0 if curvature <= 0 else min(1.0, -slope / (2.0 * curvature))
        x, Ex = (y, Ey) if t == 1.0 else (x + t * d, Ex + t * Ed)
    # the matching nearest to the last x
    if not budget.expired() or best.labels is None:
        best.offer(space.vertex(-x)[0])
    return steps


def sparse_faq(factors, budget, init, maxiter, tol, has_spectra=True):
    """The same for points that are weighted sums of matchings: sparse, as is the
    gradient C + 2 A X B'. Nodes that no gradient wants keep the label they have. has_spectra: see
    first_sparse_labels.
    """
    C = factors.sparse_costs
    best, steps = Best(factors.problem, budget), 0
    starts = first_sparse_labels(factors, C, has_spectra) if init is None else [np.asarray(init)]
    for labels in starts:
        steps += sparse_descent(factors, C, labels, budget, best, maxiter, tol)
        if budget.expired():
            break
    return Outcome(labels=best.labels, n_iter=steps)


def sparse_descent(factors, C, labels, budget, best, maxiter, tol):
    """Number of steps of one descent."""
    problem = factors.problem
    best.offer(labels)
    X, EX, steps = matrix_of(labels, factors.shape), factors.gradient_at(labels), 0
    for _ in range(maxiter):
        if budget.expired():
            break
        gradient = sparse.csr_array(C + 2.0 * EX)
        gain = -gradient
        gain.data[gain.data < 0] = 0.0
        gain.eliminate_zeros()
        if not factors.all_pairs:
            gain = only_candidates(problem, gain)
        try:
            found = sparse_assignment(gain, budget)
        except OutOfTime:
            break
        if problem.complete:
            found = fill_labels(found, factors.shape[1], labels)
        Y, EY = matrix_of(found, factors.shape), factors.gradient_at(found)
        best.offer(found)
        if budget.cut():
            break
        D, ED = Y - X, EY - EX
        slope, curvature = total(gradient, D), total(D, ED)
        steps += 1
        if slope >= -tol * max(abs(total(gradient, X)), np.finfo(float).tiny):
            break
        t = 1.0 if curvature <= 0 else min(1.0, -slope / (2.0 * curvature))
        X, EX = (Y, EY) if t == 1.0 else (X + t * D, EX + t * ED)
        labels = found
    return steps


def total(M, N):
    """Sum of the products of entries."""
    return float(M.multiply(N).sum())


def only_candidates(problem, M):
    """A sparse matrix without its entries at forbidden pairs."""
    M = M.tocoo()
    kept = problem.allows(M.row, M.col)
    return sparse.csr_array((M.data[kept], (M.row[kept], M.col[kept])), shape=M.shape)


def first_sparse_labels(factors, C, has_spectra):
    """Labels to start from, one after the other: by the unary costs if there are any, which takes
    no time, then by the spectra unless has_spectra is False.
    """
    if not factors.all_pairs:
        yield first_labels(factors)
        return
    has_costs = np.any(C.data < 0)
    if has_costs:
        gain = -C
        gain.data[gain.data < 0] = 0.0
        gain.eliminate_zeros()
        yield fill_labels(sparse_assignment(gain), factors.shape[1], first_labels(factors))
    if has_spectra:
        yield spectral_labels(factors)
    elif not has_costs:
        yield first_labels(factors)
