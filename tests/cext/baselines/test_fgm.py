"""One point of fgmd's path: Frank-Wolfe climbs, and stays doubly stochastic."""

import numpy as np
import pytest
from baseline_reference import affinities

from gmtoolbox.core._ffi import ffi, lib, pointer, view


def climb(problem, alpha, iterations):
    """(X, objective before, objective after) from the constant matrix."""
    n, N = problem.shape[0], problem.n_candidates
    W = -problem.reducedK
    W.setdiag(0)
    W.eliminate_zeros()
    position = (problem.left + n * problem.right).astype(np.int32)
    place = np.full(n * n, -1, np.int32)
    place[position] = np.arange(N)
    KP = np.zeros(n * n)
    KP[position] = -problem.cost
    rng = np.random.default_rng(0)
    A = rng.normal(size=(n, n))
    A = A + A.T
    X = np.full((n, n), 1.0 / n)
    arrays = [
        place, position, W.indptr.astype(np.int64), W.indices.astype(np.int32), W.data, KP,
        A.reshape(-1, order="F"), X.reshape(-1, order="F"),
    ]  # fmt: skip
    state = ffi.gc(lib.gm_fgm_new(n, *map(pointer, arrays)), lib.gm_fgm_free)
    done = lib.gm_fgm_climb(state, alpha, iterations, 1e9)
    assert 0 < done <= iterations
    Y = view(lib.gm_fgm_X(state), n * n, float).reshape(n, n, order="F")

    def objective(X):
        x = X[problem.left, problem.right]
        linear = -(problem.cost * x).sum()
        return linear + x @ (W @ x) + (alpha - 0.5) * np.trace(A @ X @ X.T)

    return Y, objective(X), objective(Y)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_it_climbs_among_doubly_stochastic_matrices(alpha):
    for seed in range(5):
        problem, _ = affinities(seed, n=5)
        for iterations in (1, 20):
            Y, before, after = climb(problem, alpha, iterations)
            assert after >= before - 1e-9 and Y.min() >= -1e-12
            assert np.allclose(Y.sum(axis=0), 1) and np.allclose(Y.sum(axis=1), 1)
