"""qap/align: swaps of sparse matrices have the same prices as in full tables."""

import numpy as np
import pytest
import scipy.sparse as sp
from c_internals import internals

from gmtoolbox.solvers._factors import links


class Aligned:
    def __init__(self, n, A, B, C=None, overlap=0.0):
        self.ffi, self.lib = internals("qap/align.h")
        self.model, self.kept = self.ffi.new("gm_align *", {"n": n, "overlap": overlap}), []
        for side, M in ((self.model.A, A), (self.model.B, B)):
            side.n = M.shape[0]
            kinds = ("int64_t[]", "int32_t[]", "double[]", "double[]")
            fields = ("start", "other", "out", "in")
            for field, kind, array in zip(fields, kinds, links(sp.csr_array(M)), strict=True):
                self.kept += [array, self.ffi.from_buffer(kind, np.ascontiguousarray(array))]
                setattr(side, field, self.kept[-1])
        if C is not None:
            self.kept += [C, self.ffi.from_buffer("double[]", C)]
            self.model.C = self.kept[-1]
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.state = self.ffi.new("gm_aligned *")
        self.lib.gm_aligned_take(self.state, self.pool, self.model)
        assert not self.pool.failed

    def load(self, at):
        self.lib.gm_aligned_load(self.state, self.ffi.from_buffer("int32_t[]", at))

    def priced(self, i):
        """{node: change} of the swaps of node i."""
        count = self.lib.gm_aligned_price(self.state, i)
        nodes = [self.state.touched[k] for k in range(count)]
        found = {j: self.state.at_node[j] for j in nodes if j != i}
        self.lib.gm_aligned_forget(self.state, count)
        return found


def random_sparse(rng, n):
    M = rng.integers(1, 9, (n, n)) * (rng.random((n, n)) < 0.3)
    np.fill_diagonal(M, 0)
    return M.astype(float)


def cost(n, A, B, C, at, overlap=0.0):
    wide = np.zeros((2, n, n))
    for k, M in enumerate((A, B)):
        wide[k, : len(M), : len(M)] = M
    met = wide[1][np.ix_(at, at)]
    total = (overlap * np.minimum(wide[0], met) if overlap else wide[0] * met).sum()
    if C is not None:
        total += sum(C[i, at[i]] for i in range(len(A)) if at[i] < len(B))
    return total


@pytest.mark.parametrize("overlap", [0.0, -1.0, 1.0])
@pytest.mark.parametrize("unary", [False, True])
def test_prices_of_swaps(unary, overlap):
    rng = np.random.default_rng(1)
    n, n1, n2 = 8, 6, 7
    A, B = random_sparse(rng, n1), random_sparse(rng, n2)
    C = rng.integers(-5, 5, (n1, n2)).astype(float) if unary else None
    aligned, at = Aligned(n, A, B, C, overlap), rng.permutation(n).astype(np.int32)
    aligned.load(at)
    looked = 0
    for _ in range(20):
        assert aligned.state.cost == pytest.approx(cost(n, A, B, C, at, overlap))
        for i in range(n):
            for j, change in aligned.priced(i).items():
                after = at.copy()
                after[[i, j]] = at[[j, i]]
                wanted = cost(n, A, B, C, after, overlap) - cost(n, A, B, C, at, overlap)
                assert change == pytest.approx(wanted)
                looked += 1
        i, j = rng.choice(n, 2, replace=False).tolist()
        aligned.lib.gm_aligned_swap(aligned.state, i, j)
        at[[i, j]] = at[[j, i]]
        held = [aligned.state.at[k] for k in range(n)]
        assert held == at.tolist() and all(aligned.state.of[held[k]] == k for k in range(n))
    assert looked > 100
