"""mpm: max-pooling matching."""

from typing import Annotated

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine.limits import call_within
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver

SECONDS_PER_EDGE = 2e-7  # to sort the neighbours


@solver(
    "mpm",
    family="max-pooling",
    paper="Cho, Sun, Duchenne and Ponce, CVPR 2014",
    needs=(BIJECTIVE, NONPOSITIVE),
)
def mpm(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "iterMax of the original"] = 300,
    tol: Annotated[
        float, Range(0), "thresConvergence: squared change to either of the last two iterates"
    ] = 1e-15,
):
    r"""Max-pooling matching: a candidate is supported by the best candidate of every other node.

    With affinities :math:`M = -K`, and C(j) the candidates of node j, from :math:`s = 1/N`,

    .. math::

        q_p = \sum_j \left( \underset{k \in C(j)}{\max} \; M_{pk}\, s_k \right)^2, \qquad
        s \leftarrow \frac{q}{\lVert q \rVert} .

    Of every other node only its best label supports a candidate, so outliers have little influence.
    The node and the label of p itself are left out, so unary costs have no influence at all. The
    maxima are squared, as in the original program; the paper has the plain sum. Implicit dummies
    have no affinity: they are 0 after one iteration.
    """
    (n1, n2), (row, col) = problem.shape, problem.dummies.corner
    n_implicit = (n1 - row) * (n2 - col)
    N = problem.n_candidates + n_implicit
    seconds = SECONDS_PER_EDGE * problem.n_edges
    start, neighbour, weight = call_within(budget, seconds, pooled_neighbours, problem)
    s = older = np.full(problem.n_candidates, 1.0 / N)
    implicit, older_implicit = 1.0 / N, 1.0 / N  # value of s and older on each implicit dummy
    n_iter, status = 0, None

    def outcome():
        return Outcome(scores=s, n_iter=n_iter, status=status)

    for k in budget.iterations(maxiter):
        # max-pooling: q_p = sum_j (max over the candidates k of node j of M_pk s_k)^2
        q = np.empty_like(s)
        lib.gm_max_pool(
            len(q),
            pointer(start),
            pointer(neighbour),
            pointer(weight),
            pointer(problem.left),
            pointer(s),
            pointer(q),
        )
        # s <- q / |q|
        norm = np.linalg.norm(q)
        if norm > 0:
            q /= norm
        # stop at a fixed point, or at an oscillation of period 2
        change = min(
            np.sum((q - s) ** 2) + n_implicit * implicit**2,
            np.sum((q - older) ** 2) + n_implicit * older_implicit**2,
        )
        s, older, implicit, older_implicit = q, s, 0.0, implicit
        n_iter = k + 1
        if change < tol:
            status = "converged"
            break
        budget.preview(outcome)
    return outcome()


def pooled_neighbours(problem):
    """Compatible pairs of candidates as rows (start, neighbour, affinity), each row sorted by the
    neighbour's node.
    """
    left, right, N = problem.left, problem.right, problem.n_candidates
    a, b = problem.a, problem.b
    kept = (left[a] != left[b]) & (right[a] != right[b])
    a, b, half = a[kept], b[kept], -0.5 * problem.edge_cost[kept]
    row, neighbour = np.concatenate([a, b]), np.concatenate([b, a])
    order = np.argsort(row.astype(np.int64) * problem.shape[0] + left[neighbour])
    start = np.searchsorted(row[order], np.arange(N + 1)).astype(np.int64)
    return start, neighbour[order], np.concatenate([half, half])[order]
