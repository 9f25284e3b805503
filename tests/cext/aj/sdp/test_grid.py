"""aj/sdp/grid: blocks of V'XV, and back, for X that the exchanges of a problem keep."""

import numpy as np
import pytest
import scipy.linalg
from c_internals import internals
from exchanged import Found, costs, grid, hypercube, without_structure

SIDES = {
    "none": (without_structure(5), without_structure(5, seed=1)),
    "labels": (without_structure(6), grid(2, 3)),
    "nodes": (grid(1, 5), without_structure(5)),
    "both": (grid(2, 2), hypercube(4)),
    "twins": (np.diag([3.0, 2, 0, 0, 0]), grid(1, 5)),
}


def spanned(n):
    """An orthonormal basis of all (1, x) of permutations x."""
    rng = np.random.default_rng(0)
    many = [np.eye(n)[rng.permutation(n)].ravel() for _ in range(4 * n * n)]
    return scipy.linalg.orth(np.array([[1.0, *x] for x in many]).T)


@pytest.mark.parametrize("kind", SIDES)
def test_blocks_have_the_eigenvalues_of_the_whole_and_give_back_the_projection(kind):
    flow, distance = SIDES[kind]
    n, (L, allowed) = len(flow), costs(flow, distance)
    ffi, lib = internals("aj/sdp/grid.h")
    pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)

    def at(array):
        return ffi.from_buffer("double[]", array)

    made = lib.aj_grid_new(pool, n, at(L), ffi.from_buffer("uint8_t[]", allowed))
    assert made != ffi.NULL and (made.n_blocks > 1) == (kind != "none")
    X = np.random.default_rng(1).normal(size=L.shape)
    X = Found(flow, distance).average(X + X.T)
    V, copy = spanned(n), X.copy()
    small = np.zeros((n - 1) ** 4 + 2 * (n - 1) ** 2 + 1)
    lib.aj_grid_reduce(made, at(copy), at(small))
    blocks = [made.block[k] for k in range(made.n_blocks)]
    assert sum(block.n_basis for block in blocks) == (n - 1) ** 2 + 1
    parts = [small[b.start : b.start + b.n_basis**2].reshape(b.n_basis, b.n_basis) for b in blocks]
    found = np.concatenate([np.linalg.eigvalsh(part) for part in parts])
    assert np.allclose(np.sort(found), np.linalg.eigvalsh(V.T @ X @ V))
    lib.aj_grid_expand(made, at(small), at(copy))
    assert np.allclose(copy, V @ V.T @ X @ V @ V.T)
