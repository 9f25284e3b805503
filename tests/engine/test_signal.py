"""The signal of a problem: at most about 1 in noise, more if many costs agree on one matching."""

import math

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.engine.signal import quick_cost, random_cost, signal_of


def matrix_problem(K, shape, **given):
    return gm.Problem.from_matrix((K + K.T) / 2, shape=shape, **given)


def draw(n, seed):
    return np.random.default_rng(seed).random((n * n, n * n))


@pytest.mark.parametrize("n", [6, 12, 20])
def test_noise_stays_below_one_and_a_hidden_matching_does_not(n):
    for seed in range(3):
        K = draw(n, seed)
        assert signal_of(matrix_problem(K, (n, n))) < 1.2
        true = np.arange(n) + n * np.random.default_rng(seed).permutation(n)
        K[np.ix_(true, true)] += 1.0
        assert signal_of(matrix_problem(K, (n, n))) > 1.8


def test_mean_and_deviation_of_the_cost_of_a_random_matching():
    """Against 4000 random matchings; the deviation takes the costs as independent."""
    rng = np.random.default_rng(1)
    p = matrix_problem(rng.random((60, 60)), (6, 10))
    drawn = [p.total_cost(rng.permutation(10)[:6].astype(np.int32)) for _ in range(4000)]
    mean, deviation = random_cost(p)
    assert mean == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / math.sqrt(4000))
    assert deviation == pytest.approx(np.std(drawn), rel=0.1)


def test_offset_scale_and_sense_change_nothing():
    K = draw(7, 5)
    first = signal_of(matrix_problem(K, (7, 7)))
    assert signal_of(matrix_problem(1e6 * K, (7, 7))) == pytest.approx(first)
    assert signal_of(matrix_problem(-K, (7, 7), sense="min")) == pytest.approx(first)
    p = matrix_problem(K, (7, 7))
    assert signal_of(p.changed(offset=5.0)) == pytest.approx(first)
    assert quick_cost(p) >= p.signed(gm.gm_solve(p).value) - 1e-9


def test_other_problems_have_none():
    same = gm.Problem.from_matrix(np.ones((16, 16)), shape=(4, 4))
    for p in (gm.synth.flow(seed=0, size=8), gm.synth.sparse(seed=0, size=30), same):
        assert signal_of(p) is None
