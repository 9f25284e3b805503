"""aj/sdp: the ascent comes close to the optimum where the linear relaxation stays away."""

import itertools

import numpy as np
import pytest
from certified import certified_bound
from small import random_problem

import gmtoolbox as gm


def test_the_semidefinite_root_is_above_the_linear_one():
    better = 0
    for seed in range(5):
        p = random_problem(np.random.default_rng(seed), 7, 7, edges=1.0, complete=True)
        options = {"fix": False, "branch": False}
        linear = gm.gm_solve(p, "aj", sdp="off", **options)
        root = gm.gm_solve(p, "aj", sdp="at once", **options)
        better += root.bound >= linear.bound - 1e-6 * abs(linear.bound)
    assert better >= 4


def every_cost(flow, distance):
    """The costs of all assignments."""
    n = len(flow)
    orders = np.array(list(itertools.permutations(range(n))), np.int8)
    cost = np.zeros(len(orders))
    for i, j in itertools.permutations(range(n), 2):
        cost += flow[i, j] * distance[orders[:, i], orders[:, j]]
    return cost


@pytest.mark.parametrize("seed", [0, 1])
def test_steps_in_single_precision_give_valid_bounds(seed):
    """Nine nodes: 65 dimensions are enough for single precision."""
    rng = np.random.default_rng(seed)
    flow, distance = (np.triu(rng.integers(0, 50, (9, 9)), 1).astype(float) for _ in range(2))
    flow, distance = flow + flow.T, distance + distance.T
    p = gm.models.from_koopmans_beckmann(flow, distance)
    best = every_cost(flow, distance).min()
    r = gm.gm_solve(p, "aj", sdp="at once", fix=False, branch=False, certify=True)
    proven = certified_bound(p, r.extra["certificate"])
    assert 0.97 * best < r.bound <= best and proven <= best
    assert proven > r.bound - 1e-4 * best  # r.bound is rounded up to an integer
