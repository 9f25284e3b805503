"""qap/population: who joins, who gives way, and what a crossing of two matchings is."""

import numpy as np
from c_internals import internals

N = 20
MOST = 12  # QAP_POPULATION


class Population:
    def __init__(self):
        self.ffi, self.lib = internals("qap/population.h")
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.struct = self.ffi.new("qap_population *")
        self.lib.qap_population_take(self.struct, self.pool, N, 1.0)
        assert not self.pool.failed

    def join(self, cost, at):
        labels = self.ffi.new("int32_t[]", [int(t) for t in at])
        return self.lib.qap_population_join(
            self.struct, self.ffi.new("qap_member *", {"cost": cost, "at": labels})
        )

    @property
    def costs(self):
        return [self.struct.member[k].cost for k in range(self.struct.n_members)]

    def cross(self, seed, block=None):
        at, scratch = self.ffi.new("int32_t[]", N), self.ffi.new("int32_t[]", N)
        random = self.ffi.new("gm_random *", {"state": seed})
        block = self.ffi.NULL if block is None else self.ffi.new("int32_t[]", block)
        self.lib.qap_population_cross(self.struct, random, block, at, scratch)
        return np.array(list(at))


def test_a_near_matching_replaces_its_neighbour_only_if_better():
    population, one = Population(), np.arange(N)
    near = one.copy()
    near[[0, 1]] = near[[1, 0]]
    assert population.join(5.0, one) and population.costs == [5.0]
    assert not population.join(5.0, near) and population.costs == [5.0]
    assert population.join(4.0, near) and population.costs == [4.0]


def test_a_full_population_loses_its_worst():
    population, rng = Population(), np.random.default_rng(0)
    for k in range(MOST):
        assert population.join(float(k), rng.permutation(N))
    assert not population.join(99.0, rng.permutation(N))
    assert population.join(0.5, rng.permutation(N))
    assert sorted(population.costs) == [0.0, 0.5, *(float(k) for k in range(1, MOST - 1))]
    assert population.lib.qap_population_best(population.struct).cost == 0.0


def test_a_crossing_is_a_matching_of_its_parents():
    rng = np.random.default_rng(1)
    one = rng.permutation(N)
    other = one.copy()
    other[:8] = np.roll(one[:8], 1)
    population = Population()
    assert population.join(1.0, one) and population.join(2.0, other)
    for seed in range(20):
        child = population.cross(seed)
        assert sorted(child) == list(range(N))
        assert (child[8:] == one[8:]).all()  # what both have stays


def test_nodes_of_a_block_come_from_the_same_parent():
    one, other, population = (
        np.arange(N),
        np.arange(N).reshape(-1, 4)[:, ::-1].ravel(),
        Population(),
    )
    assert population.join(1.0, one) and population.join(2.0, other)
    parents = set()
    for seed in range(20):
        child = population.cross(seed, [i // 4 for i in range(N)]).reshape(-1, 4)
        for b, part in enumerate(child):
            own = [p.reshape(-1, 4)[b].tolist() for p in (one, other)]
            assert part.tolist() in own
            parents.add(own.index(part.tolist()))
    assert parents == {0, 1}
