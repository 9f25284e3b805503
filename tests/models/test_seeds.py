"""Seeds: part of every best matching, at the value they had."""

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.seeds import allow_with, check_seeds, seed_problem


def test_the_best_matching_has_the_seeds_and_keeps_its_value():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 3, 4, density=0.9)
        k = int(rng.integers(problem.n_candidates))
        pair = int(problem.left[k]), int(problem.right[k])
        made = seed_problem(problem, [pair])
        best = min(matchings(made), key=lambda labels: made.total_cost(np.array(labels)))
        assert best[pair[0]] == pair[1]
        assert made.total_cost(np.array(best)) == pytest.approx(problem.total_cost(np.array(best)))


def test_rewards_are_not_above_what_pairs_may_cost():
    """The largest weights of the two graphs never meet: their product, 1e18, took digits away."""
    A, B = np.zeros((2, 4, 4))
    A[0, 1], A[1, 2], A[2, 3] = 1e9, 1e-3, 0.7
    B[0, 1], B[1, 2], B[2, 3] = 1e-3, 1e9, 0.3
    pairs = [(0, 0), (1, 1), (2, 2)]
    p = gm.models.from_graphs(A, B, directed=True, complete=False, seeds=pairs)
    assert p.offset <= 4e6
    assert gm.gm_solve(p).value == pytest.approx(2e6 + 0.21, abs=1e-8)


def test_only_candidates_beside_the_seeds_stay():
    left, right = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    kept = allow_with([(1, 2)], left, right, (3, 3))
    pairs = set(zip(*(side.tolist() for side in kept), strict=True))
    assert pairs == {(0, 0), (0, 1), (1, 2), (2, 0), (2, 1)}


@pytest.mark.parametrize(
    "seeds, message",
    [([(0, 1), (0, 2)], "one-to-one"), ([(3, 0)], "left nodes in 0..2"), ([0, 1], "pairs")],
)
def test_refusals(seeds, message):
    with pytest.raises(InputError, match=message):
        check_seeds(seeds, (3, 3))
