"""qap/swaps: the table of all swaps says what each costs, before and after moves."""

import numpy as np
import pytest
from c_internals import internals


def cost(A, B, C, at):
    total = (A * B[np.ix_(at, at)]).sum()
    return total + (0.0 if C is None else C[np.arange(len(at)), at].sum())


class Swaps:
    def __init__(self, A, B, C):
        self.ffi, self.lib = internals("qap/swaps.h")
        self.kept = [np.ascontiguousarray(M) for M in (A, B)]
        self.kept += [] if C is None else [np.ascontiguousarray(C)]
        pointers = [self.ffi.from_buffer("double[]", M) for M in self.kept]
        model = {"n": len(A), "A": pointers[0], "B": pointers[1]}
        self.qap = self.ffi.new("gm_qap *", model | ({} if C is None else {"C": pointers[2]}))
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.swaps = self.ffi.new("gm_swaps *")
        self.lib.gm_swaps_take(self.swaps, self.pool, self.qap)
        assert not self.pool.failed

    def change(self, u, v):
        return self.swaps.change[min(u, v) * self.swaps.n + max(u, v)]


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("unary", [False, True])
def test_every_swap_has_its_price(symmetric, unary):
    rng = np.random.default_rng(0)
    n = 7
    A, B = rng.integers(-4, 9, (2, n, n)).astype(float)
    if symmetric:
        A, B = A + A.T, B + B.T
    np.fill_diagonal(A, 0)
    np.fill_diagonal(B, 0)
    C = rng.integers(-9, 9, (n, n)).astype(float) if unary else None
    table, at = Swaps(A, B, C), rng.permutation(n).astype(np.int32)
    table.lib.gm_swaps_load(table.swaps, table.ffi.from_buffer("int32_t[]", at))
    for _ in range(30):
        assert table.swaps.cost == cost(A, B, C, at)
        assert [table.swaps.at[i] for i in range(n)] == at.tolist()
        for u in range(n):
            for v in range(u + 1, n):
                after = at.copy()
                after[[u, v]] = at[[v, u]]
                assert table.change(u, v) == cost(A, B, C, after) - table.swaps.cost
            row = [table.change(u, v) for v in range(u + 1, n)]
            assert not row or table.swaps.least[u] == min(row)
        r, s = sorted(rng.choice(n, 2, replace=False).tolist())
        table.lib.gm_swaps_make(table.swaps, r, s)
        at[[r, s]] = at[[s, r]]


def test_a_saved_state_comes_back():
    rng = np.random.default_rng(2)
    A, B = rng.integers(0, 9, (2, 9, 9)).astype(float)
    np.fill_diagonal(A, 0)
    np.fill_diagonal(B, 0)
    table, at = Swaps(A, B, None), rng.permutation(9).astype(np.int32)
    state = table.ffi.new("gm_swaps_state *")
    table.lib.gm_swaps_state_take(state, table.pool, 9)
    table.lib.gm_swaps_load(table.swaps, table.ffi.from_buffer("int32_t[]", at))
    table.lib.gm_swaps_save(table.swaps, state)
    for _ in range(2):
        for r, s in ((0, 3), (2, 8), (3, 5)):
            table.lib.gm_swaps_make(table.swaps, r, s)
        assert [table.swaps.at[i] for i in range(9)] != at.tolist()
        table.lib.gm_swaps_restore(table.swaps, state)
        assert [table.swaps.at[i] for i in range(9)] == at.tolist()
        assert table.swaps.cost == cost(A, B, None, at)
        for u, v in ((0, 1), (3, 7), (5, 8)):
            after = at.copy()
            after[[u, v]] = at[[v, u]]
            assert table.change(u, v) == cost(A, B, None, after) - table.swaps.cost
