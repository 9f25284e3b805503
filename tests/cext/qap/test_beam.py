"""qap/beam: wide enough, it tries all permutations; narrow, its cost is that of its permutation."""

from itertools import permutations

import numpy as np
import pytest
from c_internals import internals


class Beam:
    def __init__(self, A, B, C=None):
        self.ffi, self.lib = internals("qap/beam.h")
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.n, self.swaps = len(A), self.ffi.new("gm_swaps *")
        self.given = [None if M is None else np.ascontiguousarray(M, float) for M in (A, B, C)]
        pointers = [
            self.ffi.NULL if M is None else self.ffi.cast("double *", M.ctypes.data)
            for M in self.given
        ]
        qap = self.ffi.new("gm_qap *", dict(zip("nABC", (self.n, *pointers), strict=True)))
        self.lib.gm_swaps_take(self.swaps, self.pool, qap)
        self.struct = self.ffi.new("qap_beam *")
        self.lib.qap_beam_take(self.struct, self.pool, self.swaps)
        assert not self.pool.failed
        self.random = self.ffi.new("gm_random *", {"state": 7})

    def run(self, width):
        """Return (permutation, its cost by the beam)."""
        self.struct.next_width = width
        self.lib.qap_beam_begin(self.struct, self.random)
        steps = 1
        while not self.lib.qap_beam_step(self.struct, self.random):
            steps += 1
        assert steps == self.n
        at = self.ffi.new("int32_t[]", self.n)
        self.lib.qap_beam_best(self.struct, at)
        return np.array(list(at)), min(self.struct.cost[k] for k in range(self.struct.n_states))


def cost_of(A, B, C, at):
    linear = 0.0 if C is None else C[np.arange(len(at)), at].sum()
    return (A * B[np.ix_(at, at)]).sum() + linear


def thin_and_full(rng, n, symmetric):
    """Return a path with random weights, and a full matrix."""
    thin, full = np.zeros((n, n)), rng.integers(1, 30, (n, n)).astype(float)
    thin[np.arange(n - 1), np.arange(1, n)] = rng.integers(1, 10, n - 1)
    np.fill_diagonal(full, 0.0)
    return (thin + thin.T, full + full.T) if symmetric else (thin, full)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("of_labels", [True, False])
@pytest.mark.parametrize("unary", [True, False])
def test_all_permutations(symmetric, of_labels, unary):
    rng, n = np.random.default_rng(4), 6
    thin, full = thin_and_full(rng, n, symmetric)
    A, B = (full, thin) if of_labels else (thin, full)
    C = rng.integers(0, 200, (n, n)).astype(float) if unary else None
    beam = Beam(A, B, C)
    assert beam.struct.widest >= 720 and beam.struct.of_labels == of_labels
    costs = [cost_of(A, B, C, np.array(at)) for at in permutations(range(n))]
    at, cost = beam.run(beam.struct.widest)
    assert cost == pytest.approx(min(costs)) == pytest.approx(cost_of(A, B, C, at))
    for width in (1, 3, 20):
        at, cost = beam.run(width)
        assert sorted(at) == list(range(n))
        assert cost == pytest.approx(cost_of(A, B, C, at)) and cost >= min(costs) - 1e-9


def test_full_matrices_have_none():
    rng = np.random.default_rng(0)
    assert Beam(*rng.integers(1, 9, (2, 8, 8))).struct.widest == 0


def test_the_next_one_is_wider():
    beam = Beam(*thin_and_full(np.random.default_rng(1), 30, True))
    widths = []
    for _ in range(3):
        beam.lib.qap_beam_begin(beam.struct, beam.random)
        widths.append(beam.struct.width)
    assert widths == [60, 90, 135]
