"""fgmd: factorized graph matching for directed graphs."""

from typing import Annotated

from gmtoolbox.core._ffi import ffi, lib, pointer, view
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE
from gmtoolbox.engine.limits import SHORT, OutOfTime, call_within
from gmtoolbox.engine.linalg import svd_seconds
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.pipeline import round_in_time
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.engine.rounding import round_anywhere

# Seconds of the set-up, and of one iteration and the rounding, whose assignments take n^3
SECONDS_PER_EDGE, SECONDS_PER_CELL = 2e-7, 4e-10


@solver(
    "fgmd", family="path following", paper="Zhou and De la Torre, CVPR 2013", needs=(BIJECTIVE,)
)
def fgmd(
    problem,
    budget,
    *,
    nAlp: Annotated[int, Range(2), "points of the path, alpha = 0 .. 1"] = 101,
    nItMa: Annotated[int, Range(1), "most Frank-Wolfe iterations at one point"] = 100,
    maxiter: Annotated[int, Range(1), "Frank-Wolfe iterations in all"] = 101 * 100,
):
    r"""Factorized graph matching: a path from a concave to a convex relaxation, followed by
    Frank-Wolfe.

    Over doubly stochastic X, for :math:`\alpha = 0, 0.01, \dots, 1`, each from the last solution,

    .. math::

        \underset{X}{\max} \; \langle K_P, X \rangle + x^\top W x
        + \left( \alpha - \tfrac{1}{2} \right) \mathrm{tr}(A X X^\top) .

    The factors G, H, :math:`K_P` and :math:`K_Q` of the affinity keep it small. A comes from the
    factorisation :math:`K_Q = U S V^\top`,

    .. math::

        A = G_1 \left( H_1^\top H_1 \circ U S U^\top \right) G_1^\top
        + G_2 \left( H_2^\top H_2 \circ V S V^\top \right) G_2^\top ;

    as in the original, the second term multiplies :math:`X X^\top`, too. Frank-Wolfe is the
    modified one: from the 10th iteration on it goes towards the mean of the last ten vertices if
    that is steeper. Forbidden pairs are excluded at the start only; the final permutation drops
    them.
    """
    n = problem.shape[0]
    assigning = SECONDS_PER_CELL * n**3
    budget.keep_back(assigning)
    setting_up = SECONDS_PER_EDGE * problem.n_edges
    if not budget.affords(setting_up + assigning):  # nor for an iteration after it
        raise OutOfTime
    W = call_within(budget, setting_up, edge_affinity, problem)
    path, extra = np.linspace(0, 1, nAlp), None
    factorising = svd_seconds(problem.KQ.shape)
    if budget.remaining() > factorising + assigning:
        A = call_within(budget, factorising, edge_factor, problem)
    else:  # no time for the factorisation: the middle of the path, which does without it
        A, path = np.zeros((n, n)), [0.5]
        extra = {"left_out": "all of the path but its middle: no time for the factorisation"}
    X = doubly_stochastic_start(problem, budget)
    state, arrays = climber(problem, W, A, X)
    n_iter, status = 0, "time_limit" if extra else "converged"

    def current():
        return view(lib.gm_fgm_X(state), n * n, float).reshape(n, n, order="F")

    def outcome(X=None):
        X = current() if X is None else X
        labels = round_in_time(problem, X, budget, round_anywhere)
        return Outcome(labels=labels, scores=X, n_iter=n_iter, status=status, extra=extra)

    def climb(alpha, _held=arrays):  # the state points to them, also when it was given up
        most = min(nItMa, maxiter - n_iter)
        return lib.gm_fgm_climb(state, alpha, most, min(budget.remaining(), 1e9))

    # path following from the concave relaxation (alpha = 0), which has one maximum, to the convex
    # one (alpha = 1), whose maxima are permutations
    for alpha in path:
        if budget.expired() or n_iter >= maxiter:
            status = budget.stopped or "iteration_limit"
            break
        before = current() if nItMa * assigning > SHORT else None
        # modified Frank-Wolfe at this alpha, from the solution of the last one
        try:  # an iteration takes as long as its assignment, whatever the clock says
            n_iter += call_within(budget, assigning, climb, alpha, at_most=nItMa * assigning)
        except OutOfTime:
            if n_iter == 0:
                raise
            status = budget.stopped
            return outcome(before)
        budget.preview(outcome)
    return outcome()


def climber(problem, W, A, X):
    """(gm_fgm of the C kernel, the arrays that it points to) at the matrix X."""
    n = problem.shape[0]
    position = (problem.left + n * problem.right.astype(np.int64)).astype(np.int32)
    place = np.full(n * n, -1, dtype=np.int32)
    place[position] = np.arange(problem.n_candidates)
    KP = np.zeros(n * n)
    KP[position] = -problem.cost
    start, neighbour = W.indptr.astype(np.int64), W.indices.astype(np.int32)
    flat_A, flat_X = (M.reshape(-1, order="F") for M in (A, X))
    arrays = [place, position, start, neighbour, W.data, KP, flat_A, flat_X]
    state = ffi.gc(lib.gm_fgm_new(n, *map(pointer, arrays)), lib.gm_fgm_free)
    if state == ffi.NULL:
        raise MemoryError(f"fgmd: no memory for {n} x {n} matrices")
    return state, arrays


def edge_affinity(problem):
    """-K without its diagonal; the factors of the edges are made as well."""
    assert problem.KQ is not None
    W = -problem.reducedK
    W.setdiag(0)
    W.eliminate_zeros()
    return W


def edge_factor(problem):
    """A of the path, from the singular value decomposition of the edge affinities."""
    n = problem.shape[0]
    U, S, Vt = np.linalg.svd(-problem.KQ.toarray(), full_matrices=False)
    A = np.zeros((n, n))
    for graph, Q in ((problem.gph1, (U * S) @ U.T), (problem.gph2, (Vt.T * S) @ Vt)):
        G, H = graph
        same_end = (H.T @ H).tocoo()  # pairs of edges that end at one node
        values = Q[same_end.row, same_end.col]
        starts = G.tocsc().indices
        np.add.at(A, (starts[same_end.row], starts[same_end.col]), values)
    return A


def doubly_stochastic_start(problem, budget, tol=1e-7, sweeps=1000):
    """Return the constant matrix on the allowed pairs, Sinkhorn-scaled; less exactly if time is
    short.
    """
    X = problem.scatter(1.0 + np.finfo(float).eps)
    row, col = problem.dummies.corner
    X[row:, col:] = 1.0 + np.finfo(float).eps
    for _ in range(sweeps):
        last = X
        X = X / X.sum(axis=1, keepdims=True)
        X = X / X.sum(axis=0, keepdims=True)
        if np.linalg.norm(X - last) < tol or budget.expired():
            break
    return X
