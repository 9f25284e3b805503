"""Implicit dummies change nothing: on a cut of a worms-like problem every method's answer is that
of the explicit extension.
"""

import numpy as np
import pytest
from golden import dataset_problem

import gmtoolbox as gm
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import match_copies, materialise, prepare
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import get_solver
from gmtoolbox.engine.rounding import round_scores

TIES = ("smac",)  # whose matrix is dense: two best roundings of it can agree to 13 digits
METHODS = ("sm", "smac", "rrwm", "ipfpu", "ipfps", "ga", "mpm", "lsm", "pm")


def worms_like(rng, n1, n2, candidates):
    """Points on a line, seen again with noise: candidates are the nearest labels, edges join
    neighbouring nodes.
    """
    P = np.sort(rng.random(n1)) * n1
    Q = np.sort(np.concatenate([P + 0.3 * rng.normal(size=n1), rng.random(n2 - n1) * n1]))
    right = np.sort(
        np.argsort(np.abs(P[:, None] - Q[None, :]), axis=1)[:, :candidates], axis=1
    ).ravel()
    left = np.repeat(np.arange(n1), candidates)
    unary = (P[left] - Q[right]) ** 2 - 1.0
    a, b = np.meshgrid(np.arange(candidates), np.arange(candidates), indexing="ij")
    first = np.concatenate(
        [(i * candidates + a).ravel() for i in range(n1) for step in (1, 2) if i + step < n1]
    )
    second = np.concatenate(
        [
            ((i + step) * candidates + b).ravel()
            for i in range(n1)
            for step in (1, 2)
            if i + step < n1
        ]
    )
    cost = np.abs((P[left[first]] - P[left[second]]) - (Q[right[first]] - Q[right[second]])) - 0.5
    return Problem((n1, n2), left, right, unary, first, second, cost)


def cut(problem, n1, n2, begin):
    """n1 consecutive nodes with the n2 labels they share most."""
    kept = (problem.left >= begin) & (problem.left < begin + n1)
    labels = np.sort(
        np.argsort(-np.bincount(problem.right[kept], minlength=problem.shape[1]), kind="stable")[
            :n2
        ]
    )
    kept &= np.isin(problem.right, labels)
    place = np.cumsum(kept) - 1
    edges = kept[problem.a] & kept[problem.b]
    right = np.searchsorted(labels, problem.right[kept])
    a, b = place[problem.a[edges]], place[problem.b[edges]]
    return Problem(
        (n1, n2),
        problem.left[kept] - begin,
        right,
        problem.cost[kept],
        a,
        b,
        problem.edge_cost[edges],
    )


def check_equal(problem, method, **options):
    """Through the driver, and through the same steps on the extension written out. False where the
    two differ by a tie.
    """
    implicit = gm.gm_solve(problem, method, **options)
    solver = get_solver(method)
    prepared = prepare(problem, solver.needs)
    explicit = materialise(prepared.problem)
    outcome = solver.function(explicit, Budget(), **solver.check(options))
    labels = prepared.lift(
        round_scores(explicit, outcome.scores) if outcome.labels is None else outcome.labels
    )
    assert implicit.n_iter == outcome.n_iter
    X = outcome.scores if np.ndim(outcome.scores) == 2 else explicit.scatter(outcome.scores)
    n1, n2 = problem.shape
    assert np.abs(implicit.scores - X[:n1, :n2]).max() <= 1e-7
    same_value = implicit.value == pytest.approx(problem.energy(labels), rel=1e-9, abs=1e-9)
    # only where two matchings score the same and rounding noise chooses between them
    if not same_value:
        chosen = [match_copies(side, n1, n2) for side in (implicit.labels, labels)]
        first, second = (X[np.arange(n1 + n2), side].sum() for side in chosen)
        assert method in TIES and first == pytest.approx(second, rel=1e-10)
    return same_value


@pytest.mark.parametrize("method", METHODS)
def test_implicit_equals_explicit(method):
    problem = worms_like(np.random.default_rng(0), 12, 28, 6)
    check_equal(problem, method)


@pytest.mark.data
@pytest.mark.parametrize("method", METHODS)
def test_implicit_equals_explicit_on_cuts_of_worms(data, method):
    # a coarser schedule: the explicit matrix is slow
    options = {"bStep": 2.0} if method == "ga" else {}
    worms = dataset_problem(data, "worms-like1")
    same = [
        check_equal(cut(worms, 60, 140, begin), method, **options)
        for begin in ((100,) if method == "ga" else (0, 100))
    ]
    assert any(same)


@pytest.mark.parametrize("method", METHODS)
def test_the_sparse_rounding_of_large_problems_is_as_good(method, monkeypatch):
    """Above the size of the originals' Munkres the sparse LAP takes over: the scores are the same,
    ties may not be.
    """
    monkeypatch.setattr("gmtoolbox.engine.rounding.MUNKRES_LIMIT", 0)
    problem = worms_like(np.random.default_rng(1), 12, 28, 6)
    r = gm.gm_solve(problem, method)
    assert r.value == problem.energy(r.labels) and r.value <= 0
