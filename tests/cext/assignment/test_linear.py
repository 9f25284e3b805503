"""The kernel linear: one iteration, labels and a bound; nothing if it is cut."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.progress import Budget


def draw(rng, n1, n2, share, complete):
    allowed = rng.random((n1, n2)) < share
    allowed[np.arange(min(n1, n2)), np.arange(min(n1, n2))] = True
    cost = rng.normal(size=(n1, n2))
    left, right = np.nonzero(allowed)
    problem = gm.Problem((n1, n2), left, right, cost[left, right], complete=complete)
    filled = np.where(allowed, cost, 1e6 if complete else 0.0)
    return problem, filled if complete else np.minimum(filled, 0.0)


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("complete", [True, False])
def test_value_and_bound(share, complete):
    rng = np.random.default_rng(2)
    for n1, n2 in [(1, 1), (1, 6), (5, 5), (7, 12), (30, 30), (30, 33)]:
        problem, matrix = draw(rng, n1, n2, share, complete)
        with Budget(None, 0) as budget:
            outcome = run_kernel("linear", problem, budget)
        best = matrix[linear_sum_assignment(matrix)].sum()
        value = problem.total_cost(outcome.labels)
        assert outcome.n_iter == 1 and outcome.status == "converged"
        assert value == pytest.approx(best, abs=1e-9)
        assert best - 1e-9 <= outcome.bound <= value


def test_more_left_nodes_than_labels():
    """Allowed where nodes may stay free."""
    problem, matrix = draw(np.random.default_rng(4), 20, 6, 1.0, False)
    with Budget(None, 0) as budget:
        outcome = run_kernel("linear", problem, budget)
    assert problem.total_cost(outcome.labels) == pytest.approx(
        matrix[linear_sum_assignment(matrix)].sum()
    )


def test_a_run_without_time_keeps_its_promise():
    """A complete matching comes back, and no false proof."""
    rng = np.random.default_rng(0)
    n = 400
    p = gm.models.from_koopmans_beckmann(np.zeros((n, n)), np.zeros((n, n)), rng.random((n, n)))
    r = gm.gm_solve(p, time_limit=1e-4)
    assert sorted(r.labels) == list(range(n))
    assert r.status in ("time_limit", "optimal")


def test_costs_that_no_matching_pays_leave_no_gap_open():
    """Prohibitive costs, constants and offsets next to small costs: proven all the same."""
    rng = np.random.default_rng(11)
    for k in range(200):
        n1, n2 = (int(n) for n in np.sort(rng.integers(1, 6, 2)))
        cost = rng.integers(-3, 4, (n1, n2)) * 0.1
        cost += [0.0, rng.normal(size=(n1, 1)) * 1e6][k % 2]
        cost = np.where(rng.random((n1, n2)) < 0.5, 10.0 ** rng.uniform(3, 12), cost)
        left, right = np.nonzero(rng.random((n1, n2)) < [1.0, 0.8][k % 3 == 0])
        if len(left):
            complete = k % 3 > 0
            p = gm.Problem((n1, n2), left, right, cost[left, right], complete=complete, offset=-1e9)
            assert gm.gm_solve(p).status == "optimal"
