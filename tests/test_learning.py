"""blackbox_gradient: the formula of the paper, any shape of gradient, any method."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm


@pytest.fixture(scope="module")
def problems():
    rng = np.random.default_rng(0)
    return [random_problem(rng, 4, 5, complete=bool(k % 2), offset=1.5) for k in range(12)]


def by_definition(problem, result, gradient, lam):
    """(x' - x) / lam with x' from a problem built anew, edges by products."""
    moved = gm.Problem(
        problem.shape, problem.left, problem.right, problem.cost + lam * gradient,
        problem.a, problem.b, problem.edge_cost, complete=problem.complete,
    )  # fmt: skip
    x = problem.candidates.indicator(result.labels)
    y = problem.candidates.indicator(gm.gm_solve(moved).labels)
    edges = [y[a] * y[b] - x[a] * x[b] for a, b in zip(problem.a, problem.b, strict=True)]
    return (y - x) / lam, np.array(edges) / lam


@pytest.mark.parametrize("lam", [0.5, 5.0])
def test_the_formula(problems, lam):
    rng = np.random.default_rng(1)
    results = gm.gm_solve_many(problems)
    gradients = [rng.normal(size=p.n_candidates) for p in problems]
    found = gm.blackbox_gradient(problems, results, gradients, lam, n_jobs=2)
    changed = 0
    for p, r, g, made in zip(problems, results, gradients, found, strict=True):
        cost, edge_cost = by_definition(p, r, g, lam)
        assert np.array_equal(made.cost, cost) and np.array_equal(made.edge_cost, edge_cost)
        changed += np.any(cost != 0)
    assert changed


def test_a_gradient_over_all_pairs_is_read_at_the_candidates(problems):
    results = gm.gm_solve_many(problems)
    rng = np.random.default_rng(2)
    whole = [rng.normal(size=p.shape) for p in problems]
    flat = [W[p.left, p.right] for W, p in zip(whole, problems, strict=True)]
    for one, other in zip(
        gm.blackbox_gradient(problems, results, whole, 2.0),
        gm.blackbox_gradient(problems, results, flat, 2.0),
        strict=True,
    ):
        assert np.array_equal(one.cost, other.cost)


def test_a_step_against_the_gradient_lowers_the_loss():
    """Right pairs get cheaper, wrong ones dearer, until the matching is the right one."""
    rng = np.random.default_rng(3)
    p = random_problem(rng, 6, 6, complete=True)
    truth = np.eye(6)[:, rng.permutation(6)]
    wrong = [int((gm.gm_solve(p).X != truth).sum())]
    assert wrong[0] > 0
    for _ in range(50):
        r = gm.gm_solve(p)
        (g,) = gm.blackbox_gradient([p], [r], [1 - 2 * truth], lam=2.0)
        p = gm.Problem(
            p.shape, p.left, p.right, p.cost - 0.5 * g.cost,
            p.a, p.b, p.edge_cost - 0.5 * g.edge_cost, complete=True,
        )  # fmt: skip
        wrong.append(int((gm.gm_solve(p).X != truth).sum()))
    assert wrong[-1] == 0


def test_methods_and_seeds_of_the_results_or_one_that_is_named(problems):
    mixed = [gm.gm_solve(p, ("fm", "rrwm")[k % 2], seed=k % 3) for k, p in enumerate(problems)]
    gradients = [np.ones(p.n_candidates) for p in problems]
    found = gm.blackbox_gradient(problems, mixed, gradients, 1.0)
    alone = [
        gm.blackbox_gradient([p], [r], [g], 1.0)[0]
        for p, r, g in zip(problems, mixed, gradients, strict=True)
    ]
    assert all(np.array_equal(a.cost, b.cost) for a, b in zip(found, alone, strict=True))
    named = gm.blackbox_gradient(problems, mixed, gradients, 1.0, method="aj", time_limit=5.0)
    assert len(named) == len(problems)


def test_a_maximised_problem_has_gradients_of_its_costs():
    K = np.diag([1.0, 5.0, 5.0, 1.0])
    p = gm.Problem.from_matrix(K)
    r = gm.gm_solve(p)
    (g,) = gm.blackbox_gradient([p], [r], [1 - 2 * np.eye(2)], lam=20.0)
    assert g.cost.tolist() == [0.05, -0.05, -0.05, 0.05]


def test_refusals(problems):
    p, r = problems[0], gm.gm_solve(problems[0])
    right = np.zeros(p.shape)
    with pytest.raises(gm.InputError, match="must have one length, got 1, 2 and 1"):
        gm.blackbox_gradient([p], [r, r], [right], 1.0)
    for lam in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(gm.InputError, match="lam must be positive"):
            gm.blackbox_gradient([p], [r], [right], lam)
    for wrong in (np.zeros(3), np.full(p.shape, np.nan)):
        with pytest.raises(gm.InputError, match=r"grad_labels\[0\] must be finite, of shape"):
            gm.blackbox_gradient([p], [r], [wrong], 1.0)
