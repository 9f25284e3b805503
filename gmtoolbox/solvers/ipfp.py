"""ipfpu and ipfps: integer projected fixed point."""

from typing import Annotated

from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE
from gmtoolbox.engine.options import Choice, Range
from gmtoolbox.engine.registry import Outcome, solver
from gmtoolbox.engine.rounding import make_rounding
from gmtoolbox.solvers._matrices import make_affinity
from gmtoolbox.solvers.spectral import bistochastic, leading_vector


@solver(
    "ipfpu",
    family="fixed point",
    paper="Leordeanu, Hebert and Sukthankar, NIPS 2009",
    needs=(BIJECTIVE, NONPOSITIVE),
    matrix_free=True,
    presets={"ipfps": {"start": "spectral"}},
)
def ipfp(
    problem,
    budget,
    *,
    init=None,
    start: Annotated[
        str, Choice(("uniform", "spectral")), "first point: constant (ipfpu) or that of sm (ipfps)"
    ] = "uniform",
    maxiter: Annotated[int, Range(1), "steps; maxSteps = 50 of the original makes 51"] = 51,
):
    r"""Integer projected fixed point: Frank-Wolfe on the affinity, which keeps its best vertex.

    With affinities :math:`W = -K` over the candidates, a step takes the best matching y for the
    gradient and maximises the objective on the way to it:

    .. math::

        y = \underset{y}{\text{argmax}} \; y^\top W x, \qquad x \leftarrow x + t\, (y - x), \qquad
        t = \min\left( 1, \; -\frac{x^\top W d}{d^\top W d} \right), \quad d = y - x .

    If the objective is convex between x and y, :math:`t = 1`; :math:`t < 0.01` counts as 0. The
    answer is the best y; the loop ends if x does not move. An `init` replaces the first point and
    is the first best matching.
    """
    W = make_affinity(problem)
    project = make_rounding(problem)
    (n1, n2), (row, col) = problem.shape, problem.dummies.corner

    def indicator(labels):
        """A matching as a candidate vector, and on the implicit dummies."""
        inside = row + np.flatnonzero(labels[row:] >= col)
        places = (inside - row) * (n2 - col) + (labels[inside] - col)
        block = Block((n1 - row) * (n2 - col), 0.0, places, np.ones(len(places)))
        return (labels[problem.left] == problem.right).astype(float), block

    best, best_score = None, 0.0
    if init is not None:
        best = init
        x, block = indicator(init)
        best_score = x @ (W @ x)
        budget.record(cost=problem.offset - best_score, labels=best)
    else:
        x, implicit = starting_point(problem, W, start, budget)
        block = Block((n1 - row) * (n2 - col), implicit)
    scores, n_iter, status = x, 0, None
    for k in budget.iterations(maxiter):
        # step 1: the matching y that maximises the first-order approximation y'Wx
        Wx = W @ x
        labels = project(Wx)
        y, y_block = indicator(labels)
        # step 2: maximise x'Wx exactly on the segment from x to y; convex: go all the way
        d, Wy = y - x, W @ y
        Wd = Wy - Wx
        curvature, score = d @ Wd, y @ Wy
        t = 1.0 if curvature >= 0 else min(1.0, -(x @ Wd) / curvature)
        t = t if t >= 0.01 else 0.0
        moved, moved_block = (
            (y, y_block) if curvature >= 0 else (x + t * d, block.towards(y_block, t))
        )
        # step 3: keep the best discrete point
        if score > best_score:
            best, best_score, scores = labels, score, y
            budget.record(cost=problem.offset - score, labels=labels)
        n_iter = k + 1
        # step 4: stop if x does not move
        if np.array_equal(moved, x) and moved_block.equals(block):
            status = "converged"
            break
        x, block = moved, moved_block
    return Outcome(labels=best, scores=scores, n_iter=n_iter, status=status)


class Block:
    """x on the implicit dummies: one number, but for some places (sorted) with values of their own.

    Written out, it would be the largest array by far.
    """

    def __init__(self, size, rest, places=(), values=()):
        self.size, self.rest = size, rest
        self.places, self.values = np.asarray(places, np.int64), np.asarray(values, float)

    def at(self, places):
        """Return the values at sorted places, of which all own ones are some."""
        found = np.full(len(places), self.rest)
        found[np.searchsorted(places, self.places)] = self.values
        return found

    def towards(self, other, t):
        """Return self + t (other - self)."""
        places = np.union1d(self.places, other.places)
        own, others = self.at(places), other.at(places)
        rest = self.rest + t * (other.rest - self.rest)
        return Block(self.size, rest, places, own + t * (others - own))

    def equals(self, other):
        """Return True if all values are the same."""
        places = np.union1d(self.places, other.places)
        has_rest = len(places) < self.size
        same_rest = not has_rest or self.rest == other.rest
        return same_rest and np.array_equal(self.at(places), other.at(places))


def starting_point(problem, W, start, budget):
    """(candidate vector, value on every implicit dummy)."""
    if start == "spectral":
        return bistochastic(problem, leading_vector(W, 30, budget)[0], 20), 0.0
    (n1, n2), (row, col) = problem.shape, problem.dummies.corner
    uniform = 1 / np.sqrt(problem.n_candidates + (n1 - row) * (n2 - col))
    return np.full(problem.n_candidates, uniform), uniform
