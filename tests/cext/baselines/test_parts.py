"""Matrices in parts: the lists of their lines, exponentials, and the distance of two."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core._ffi import lib, pointer
from gmtoolbox.core.transforms import BIJECTIVE, prepare
from gmtoolbox.solvers._matrices import Parts


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


def test_exponentials_are_those_of_the_c_library():
    y = np.linspace(-3, 3, 11)
    x = np.empty(11)
    lib.gm_exponentials(11, 0.5, pointer(y), pointer(x))
    assert np.allclose(x, np.exp(0.5 * y), rtol=1e-15)


@pytest.mark.parametrize("forbidden", [True, False])
def test_distance_is_that_of_the_whole_matrices(forbidden):
    """Of candidates, dummies and, where they are not 0, forbidden pairs."""
    rng = np.random.default_rng(1)
    problem = prepare(random_problem(rng, 5, 6, density=0.5), (BIJECTIVE,)).problem
    whole, both = [], [Parts(problem, forbidden=forbidden) for _ in range(2)]
    row, col = problem.dummies.corner
    assert row < problem.shape[0] and col < problem.shape[1]
    for parts in both:
        for part in (parts.x, parts.rho, parts.gamma, parts.R, parts.C):
            part[:] = rng.random(len(part))
        X = np.outer(parts.R, parts.C) if forbidden else np.zeros(problem.shape)
        X[row:, col:] = np.outer(parts.rho, parts.gamma)
        X[problem.left, problem.right] = parts.x
        whole.append(X)
    wanted = np.abs(whole[0] - whole[1]).sum()
    first, second = (parts.struct for parts in both)
    assert lib.gm_parts_distance(first, second, 2 * wanted) == pytest.approx(wanted, rel=1e-12)
    assert lib.gm_parts_distance(first, second, wanted / 2) >= wanted / 2
    assert lib.gm_parts_distance(first, first, 1.0) == 0.0
