"""Power iterations and guarded scaling, against dense numpy."""

import numpy as np
from baseline_reference import affinities

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.solvers._matrices import Affinity


def test_power_iterations():
    for seed in range(5):
        problem, W = affinities(seed)
        N = problem.n_candidates
        v, scratch, expected = np.ones(N), np.empty(N), np.ones(N)
        done = lib.gm_power(Affinity(problem).struct, pointer(v), pointer(scratch), 7, 1e9)
        for _ in range(7):
            expected = W @ expected
            expected /= np.linalg.norm(expected)
        assert done == 7 and np.allclose(v, expected)


def test_a_zero_image_is_told():
    problem, _ = affinities(0)
    W = Affinity(problem)
    W *= 0.0
    v, scratch = np.ones(problem.n_candidates), np.empty(problem.n_candidates)
    assert lib.gm_power(W.struct, pointer(v), pointer(scratch), 7, 1e9) == -1


def test_no_time_means_few_iterations():
    problem, _ = affinities(0)
    v, scratch = np.ones(problem.n_candidates), np.empty(problem.n_candidates)
    done = lib.gm_power(Affinity(problem).struct, pointer(v), pointer(scratch), 10**12, 0.01)
    assert 0 < done < 10**12


def test_bistochastic_scaling_brings_sums_near_one():
    problem, _ = affinities(3, n=5)
    v = np.random.default_rng(0).random(25) + 0.1
    scratch = np.empty(25 + 5)
    lib.gm_bistochastic(
        5, 5, 25, pointer(problem.left), pointer(problem.right), pointer(v), 200, pointer(scratch)
    )
    X = problem.scatter(v)
    assert np.allclose(X.sum(axis=0), 1, atol=1e-6) and np.allclose(X.sum(axis=1), 1, atol=1e-6)
