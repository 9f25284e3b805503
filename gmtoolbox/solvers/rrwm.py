"""rrwm: reweighted random walks."""

from typing import Annotated

from gmtoolbox.lazy import np
from gmtoolbox.options import Range
from gmtoolbox.registry import Outcome, solver
from gmtoolbox.transforms import BIJECTIVE, NONPOSITIVE


@solver("rrwm", family="random walk", paper="Cho, Lee and Lee, ECCV 2010", needs=(BIJECTIVE, NONPOSITIVE))
def rrwm(
    problem,
    budget,
    *,
    c: Annotated[float, Range(0, 1), "weight of the walk itself against the reweighting jump"] = 0.2,
    amp_max: Annotated[float, Range(0, 700), "inflation: the jump weighs exp(amp_max q / max q)"] = 30.0,
    maxiter: Annotated[int, Range(1), "iterMax of the original"] = 300,
    tol: Annotated[float, Range(0), "thresConvergence: squared change of the walk to either of its last two states"] = 1e-25,
    tolC: Annotated[float, Range(0), "Sinkhorn stops when a sweep changes less than this (2-norm)"] = 1e-3,
    sweeps: Annotated[int, Range(1), "most Sinkhorn sweeps an iteration"] = 1000,
):
    """Reweighted random walks on the association graph.

    M = -K without the off-diagonal pairs that conflict, scaled by its largest column sum. From s = a = 1/N:
        q = M (c s + (1 - c) a), normalised to sum 1;     the walk
        a = Sinkhorn(exp(amp_max q / max q)) / sum        the jump, which prefers one-to-one states
    until q repeats s or the s before (the walk can oscillate with period 2). Scores are the walk q.
    Implicit dummies are never reached by the walk; in the Sinkhorn scaling they stay a rank-one block.
    """
    M = walk_matrix(problem)
    jump = Jump(problem, tolC, sweeps)
    N = problem.n_candidates + jump.n_implicit
    s = older = a = np.full(problem.n_candidates, 1.0 / N)
    implicit, older_implicit = 1.0 / N, 1.0 / N  # what s and older hold on each implicit dummy
    n_iter, status = 0, None
    for k in budget.iterations(maxiter):
        q = M @ (c * s + (1 - c) * a)
        total = q.sum()
        if not total > 0:
            status = "breakdown"
            break
        q /= total
        a = jump(amp_max / q.max() * q)
        change = min(
            np.sum((q - s) ** 2) + jump.n_implicit * implicit**2,
            np.sum((q - older) ** 2) + jump.n_implicit * older_implicit**2,
        )
        s, older, implicit, older_implicit = q, s, 0.0, implicit
        n_iter = k + 1
        if change < tol:
            status = "converged"
            break
    return Outcome(scores=s, n_iter=n_iter, status=status)


def walk_matrix(problem):
    """-K without off-diagonal conflicts, divided by its largest column sum."""
    M = compatible_affinity(problem)
    largest = M.sum(axis=0).max()
    return M / largest if largest > 0 else M


def compatible_affinity(problem):
    """-K with 0 for every two candidates of one node or one label; the diagonal stays."""
    M = (-problem.reducedK).tocoo()
    left, right = problem.left, problem.right
    kept = (M.row == M.col) | ((left[M.row] != left[M.col]) & (right[M.row] != right[M.col]))
    return type(M)((M.data[kept], (M.row[kept], M.col[kept])), shape=M.shape).tocsr()


class Jump:
    """exp of the candidate vector, Sinkhorn-scaled over nodes and labels and normalised to sum 1.

    The implicit dummies (exp 0 = 1 at first) stay a product rho gamma' of one factor a row and one a column.
    """

    def __init__(self, problem, tol, sweeps):
        self.left, self.right, self.shape = problem.left, problem.right, problem.shape
        self.row, self.col = problem.block
        self.n_implicit = (self.shape[0] - self.row) * (self.shape[1] - self.col)
        self.tol, self.sweeps = tol, sweeps

    def __call__(self, exponent):
        (n1, n2), row, col = self.shape, self.row, self.col
        x = np.exp(exponent)
        rho, gamma = np.ones(n1 - row), np.ones(n2 - col)
        for _ in range(self.sweeps):
            old, old_rho, old_gamma = x, rho, gamma
            nodes = np.bincount(self.left, x, n1)
            nodes[row:] += rho * gamma.sum()
            x, rho = x / nodes[self.left], rho / nodes[row:]
            labels = np.bincount(self.right, x, n2)
            labels[col:] += gamma * rho.sum()
            x, gamma = x / labels[self.right], gamma / labels[col:]
            change = np.sum((x - old) ** 2) + (rho @ rho) * (gamma @ gamma)
            change += (old_rho @ old_rho) * (old_gamma @ old_gamma) - 2 * (rho @ old_rho) * (gamma @ old_gamma)
            if change < self.tol**2:
                break
        return x / (x.sum() + rho.sum() * gamma.sum())
