"""qap/blocks: nodes that are alike are found, and exchanges of their labels have their price."""

import numpy as np
import pytest
from c_internals import internals


def cost(A, B, C, at):
    total = sum(A[i, k] * B[at[i], at[k]] for i in range(len(at)) for k in range(len(at)))
    return total + (0.0 if C is None else sum(C[i, at[i]] for i in range(len(at))))


class Blocks:
    def __init__(self, A, B, C=None):
        self.ffi, self.lib = internals("qap/blocks.h")
        self.n, self.kept = len(A), [np.ascontiguousarray(M) for M in (A, B, C) if M is not None]
        names = ("A", "B", "C")[: len(self.kept)]
        fields = {
            k: self.ffi.from_buffer("double[]", M) for k, M in zip(names, self.kept, strict=True)
        }
        qap = self.ffi.new("gm_qap *", {"n": self.n, **fields})
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.swaps, self.struct = self.ffi.new("gm_swaps *"), self.ffi.new("qap_blocks *")
        self.lib.gm_swaps_take(self.swaps, self.pool, qap)
        self.lib.qap_blocks_take(self.struct, self.pool, self.n)
        assert not self.pool.failed
        self.lib.qap_blocks_find(self.struct, self.swaps)

    @property
    def sets(self):
        s = self.struct
        ranges = [(s.first[b], s.first[b] + s.size[b]) for b in range(s.n_blocks)]
        return [frozenset(s.node[k] for k in range(*ends)) for ends in ranges]

    def load(self, at):
        self.lib.gm_swaps_load(self.swaps, self.ffi.new("int32_t[]", [int(t) for t in at]))

    @property
    def at(self):
        return np.array([self.swaps.at[i] for i in range(self.n)])


def nested(rng):
    """(A, nodes of its groups): four groups of groups of three nodes, in random order."""
    group = np.arange(24) // 3
    top = group // 2
    A = np.where(group[:, None] == group, 1.0, np.where(top[:, None] == top, 20.0, 90.0))
    A += rng.random((24, 24)) * 0.1
    A, order = A + A.T, rng.permutation(24)
    np.fill_diagonal(A, 0.0)
    place = np.argsort(order)
    groups = [frozenset(place[g * 3 : g * 3 + 3].tolist()) for g in range(8)]
    return A[np.ix_(order, order)], groups


def test_groups_of_groups_are_found():
    for seed in range(5):
        A, groups = nested(np.random.default_rng(seed))
        found = Blocks(A, A).sets
        assert set(groups) <= set(found)
        for two in range(0, 8, 2):
            assert groups[two] | groups[two + 1] in found


def test_random_matrices_have_no_blocks():
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 20, 40):
        A = rng.random((n, n))
        np.fill_diagonal(A, 0.0)
        assert Blocks(A, A).sets == []


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("unary", [False, True])
def test_an_exchange_has_its_price(symmetric, unary):
    rng = np.random.default_rng(1)
    for n in (2, 7, 9):
        A, B = rng.integers(-4, 9, (2, n, n)).astype(float)
        A, B = (A + A.T, B) if symmetric else (A, B)
        np.fill_diagonal(A, 0)
        np.fill_diagonal(B, 0)
        C = rng.integers(-9, 9, (n, n)).astype(float) if unary else None
        blocks, at = Blocks(A, B, C), rng.permutation(n)
        blocks.load(at)
        for count in range(1, n // 2 + 1):
            nodes = rng.permutation(n)
            one, other = nodes[:count], nodes[count : 2 * count]
            after = at.copy()
            after[one], after[other] = at[other], at[one]
            change = blocks.lib.qap_blocks_change(
                blocks.swaps, count,
                *(blocks.ffi.new("int32_t[]", k.tolist()) for k in (one, other)),
            )  # fmt: skip
            assert change == pytest.approx(cost(A, B, C, after) - cost(A, B, C, at), abs=1e-9)


def test_a_perturbation_keeps_inner_blocks_together():
    rng = np.random.default_rng(3)
    A, groups = nested(rng)
    blocks = Blocks(A, A)
    random = blocks.ffi.new("gm_random *", {"state": 5})
    moved = 0
    for _ in range(20):
        at = rng.permutation(24)
        blocks.load(at)
        blocks.lib.qap_blocks_perturb(blocks.struct, blocks.swaps, random, 3)
        assert sorted(blocks.at) == list(range(24))
        assert blocks.swaps.cost == pytest.approx(cost(A, A, None, blocks.at))
        before = {frozenset(at[list(g)].tolist()) for g in groups}
        moved += bool(np.any(at != blocks.at))
        assert {frozenset(blocks.at[list(g)].tolist()) for g in groups} == before
    assert moved >= 15


def test_divisions_are_blocks():
    A, _ = nested(np.random.default_rng(4))
    blocks = Blocks(A, A)
    random = blocks.ffi.new("gm_random *", {"state": 1})
    sizes = set()
    for _ in range(30):
        blocks.lib.qap_blocks_divide(blocks.struct, random)
        of = np.array([blocks.struct.of[i] for i in range(24)])
        parts = [frozenset(np.flatnonzero(of == b).tolist()) for b in np.unique(of)]
        assert all(part in blocks.sets or len(part) == 1 for part in parts)
        sizes.add(max(map(len, parts)))
    assert {3, 6} <= sizes
