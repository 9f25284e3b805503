"""Sinkhorn scaling: lines sum to one, and the lists of lines it works on."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.solvers._parts import Parts


def test_lines_list_their_candidates():
    rng = np.random.default_rng(0)
    for _ in range(20):
        n_lines, n = int(rng.integers(1, 7)), int(rng.integers(1, 20))
        line, other = rng.integers(0, n_lines, n), rng.integers(0, 9, n)
        line, other = line.astype(np.int32), other.astype(np.int32)
        start, across, order = (np.empty(k, np.int32) for k in (n_lines + 1, n, n_lines))
        lib.gm_fill_lines(n_lines, n, *map(pointer, (line, other, start, across, order)))
        sizes = np.bincount(line, minlength=n_lines)
        assert np.diff(start).tolist() == sizes.tolist()
        for i in range(n_lines):
            assert across[start[i] : start[i + 1]].tolist() == other[line == i].tolist()
        assert sorted(order) == list(range(n_lines))
        assert np.all(np.diff(sizes[order]) >= 0) or np.all(np.diff(sizes[order]) <= 0)


@pytest.mark.parametrize("density", [1.0, 0.7])
def test_scaling_converges_to_line_sums_of_one(density):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 6, 6, density=density, complete=True)
        parts = Parts(problem, forbidden=False)
        parts.x[:] = rng.random(problem.n_candidates) + 0.1
        parts.sinkhorn(1e-24, 20_000)
        X = problem.scatter(parts.x)
        assert np.allclose(X.sum(axis=0), 1, atol=1e-9) and np.allclose(X.sum(axis=1), 1, atol=1e-3)


def test_exponentials_are_the_c_librarys():
    y = np.linspace(-3, 3, 11)
    x = np.empty(11)
    lib.gm_exponentials(11, 0.5, pointer(y), pointer(x))
    assert np.allclose(x, np.exp(0.5 * y), rtol=1e-15)
