"""Seeds: part of every best matching, at the value they had."""

import numpy as np
import pytest
from small import matchings, random_problem

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
