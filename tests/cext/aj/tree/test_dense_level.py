"""aj/dense_level: dual ascent keeps the cost of every matching, and its bounds hold."""

from itertools import permutations

import numpy as np
import pytest
from c_internals import internals

HUGE = 1e300  # no cutoff: nothing is deleted


class Level:
    """A subproblem of k nodes with random costs, and what its matchings cost."""

    def __init__(self, k, rng):
        self.ffi, self.lib = internals("aj/tree/dense_level.h")
        self.k, cells = k, k * k
        self.leader = rng.normal(size=cells)
        self.pair = np.full((cells, cells), np.inf)
        for p in range(cells):
            for q in range(cells):
                if p // k != q // k and p % k != q % k:
                    self.pair[p, q] = rng.normal()
        self.level = self.ffi.new("aj_dense_level *")
        self.level.k = k
        self.level.leader = self.ffi.from_buffer("double[]", self.leader)
        self.level.pair = self.ffi.from_buffer("double[]", self.pair.reshape(-1))
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.lap = self.ffi.new("aj_assignment *")
        self.lib.aj_assignment_take(self.lap, self.pool, k)
        assert not self.pool.failed

    def costs(self):
        """Cost of every matching, by its tuple of labels."""
        found = {}
        for labels in permutations(range(self.k)):
            cells = [i * self.k + s for i, s in enumerate(labels)]
            pairs = sum(self.pair[p, q] for p in cells for q in cells if p != q)
            found[labels] = self.level.bound + self.leader[cells].sum() + pairs
        return found

    def sweep(self, cutoff=HUGE):
        return self.lib.aj_level_sweep(self.level, self.lap, cutoff)


@pytest.mark.parametrize("seed", range(5))
def test_sweeps_move_costs_and_raise_the_bound(seed):
    level = Level(4, np.random.default_rng(seed))
    before, bounds = level.costs(), []
    for _ in range(6):
        assert level.sweep() == 1
        bounds.append(level.level.bound)
        now = level.costs()
        assert all(abs(now[labels] - before[labels]) <= 1e-9 for labels in before)
        assert level.leader.min() >= 0 and level.pair.min() >= 0
    best = min(before.values())
    assert bounds == sorted(bounds) and bounds[-1] - level.level.error <= best
    assert bounds[-1] > bounds[0] and best - bounds[-1] < best - bounds[0]


@pytest.mark.parametrize("seed", range(5))
def test_looking_ahead_is_a_bound(seed):
    level = Level(4, np.random.default_rng(seed))
    level.sweep()
    level.sweep()
    costs = level.costs()
    for p in range(16):
        i, s = divmod(p, 4)
        best = min(cost for labels, cost in costs.items() if labels[i] == s)
        ahead = level.lib.aj_level_look_ahead(level.level, level.lap, p)
        assert level.leader[p] <= ahead <= best - level.level.bound + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_what_is_deleted_costs_as_much_as_the_cutoff(seed):
    level = Level(4, np.random.default_rng(seed))
    before = level.costs()
    cutoff = sorted(before.values())[3]  # three matchings are below
    for _ in range(8):
        level.sweep(cutoff)
        level.lib.aj_level_delete(level.level, cutoff - level.level.bound + level.level.error)
    now = level.costs()
    for labels, cost in before.items():
        if cost < cutoff - 1e-9:
            assert abs(now[labels] - cost) <= 1e-9
    assert sum(np.isinf(list(now.values()))) > 0
