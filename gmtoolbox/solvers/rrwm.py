"""rrwm: reweighted random walks."""

from typing import Annotated

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine import kernels
from gmtoolbox.engine.limits import OutOfTime, call_within
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.solvers._matrices import Affinity, Parts


def kernel(seed, *, maxiter, c, amp_max, tol, tolC, sweeps):
    """Return the kernel for gm_solve_many; see solver()."""
    fields = {"c": c, "amp_max": amp_max, "tol": tol, "tol_sinkhorn": tolC**2, "sweeps": sweeps}
    return "rrwm", maxiter, fields


@solver(
    "rrwm",
    family="random walk",
    paper="Cho, Lee and Lee, ECCV 2010",
    needs=(BIJECTIVE, NONPOSITIVE),
    kernel=kernel,
)
def rrwm(
    problem,
    budget,
    *,
    c: Annotated[
        float, Range(0, 1), "weight of the walk itself against the reweighting jump"
    ] = 0.2,
    amp_max: Annotated[
        float, Range(0, 700), "inflation: the jump weighs exp(amp_max q / max q)"
    ] = 30.0,
    maxiter: Annotated[int, Range(1), "iterMax of the original"] = 300,
    tol: Annotated[
        float,
        Range(0),
        "thresConvergence: squared change of the walk to either of its last two states",
    ] = 1e-25,
    tolC: Annotated[
        float, Range(0), "Sinkhorn stops when a sweep changes less than this (2-norm)"
    ] = 1e-3,
    sweeps: Annotated[int, Range(1), "most Sinkhorn sweeps an iteration"] = 1000,
):
    r"""Reweighted random walks on the association graph.

    M is :math:`-K` without the off-diagonal pairs that conflict, divided by its largest column sum.
    From :math:`s = a = 1/N`,

    .. math::

        q = M \left( c\, s + (1 - c)\, a \right), \qquad
        a = \mathrm{Sinkhorn}\left( e^{\alpha\, q / \max q} \right), \qquad s \leftarrow q ,

    where :math:`\alpha` is `amp_max`, and q and a are divided by their sums. A random walk on the
    graph of all pairs jumps, with weight :math:`1 - c`, to a state that is nearly one-to-one. The
    walk ends if q repeats one of the last two states, because it can oscillate with period 2. The
    scores are q. The walk never reaches implicit dummies; in the Sinkhorn scaling they stay a block
    of rank one.
    """
    M = walk_matrix(problem)
    jump = Parts(problem, forbidden=False)
    uniform = 1.0 / jump.n_feasible
    jump.x[:] = uniform
    s, older, q, mixed = (np.full(problem.n_candidates, uniform) for _ in range(4))
    options = {"c": c, "amp_max": amp_max, "tol": tol, "tolC": tolC, "sweeps": sweeps}
    walk = ffi.new("gm_rrwm *", kernel(budget.seed, maxiter=maxiter, **options)[2])
    walk.M, walk.jump, walk.scratch = M.struct[0], jump.struct[0], pointer(jump.scratch)
    walk.s, walk.older, walk.q, walk.mixed = borrowed = [
        pointer(array) for array in (s, older, q, mixed)
    ]
    walk.implicit = walk.older_implicit = uniform
    status = None

    def outcome():
        current = next(
            array for array, place in zip((s, older, q), borrowed, strict=False) if place == walk.s
        )
        return Outcome(scores=current, n_iter=walk.iteration, status=status)

    def step(_held=(M, jump, borrowed)):  # walk points to them, also when it was given up
        until = min(kernels.SLICE, budget.remaining())
        return lib.gm_rrwm_step(walk, maxiter - walk.iteration, until)

    while status is None and walk.iteration < maxiter and not budget.expired():
        try:  # one iteration may need all sweeps
            state = call_within(budget, 0.0, step, at_most=jump.sinkhorn_seconds(sweeps))
        except OutOfTime:
            if walk.iteration == 0:
                raise
            break
        status = {lib.GM_WALK_CONVERGED: "converged", lib.GM_WALK_DEAD: "breakdown"}.get(state)
        budget.preview(outcome)
    if status is None and walk.iteration >= maxiter:
        status = "iteration_limit"
    return outcome()


def walk_matrix(problem):
    """-K with 0 for every two candidates of one node or one label (the diagonal stays), divided by
    its largest column sum.
    """
    M = Affinity(problem, compatible=True)
    largest = M.row_sums().max()
    if largest > 0:
        M *= 1.0 / largest
    return M
