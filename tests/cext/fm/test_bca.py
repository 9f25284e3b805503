"""The dual of fm-bca: bounds below the optimum, and costs that were moved but not changed."""

import numpy as np
import pytest
from c_internals import Indexed
from small import brute_force, matchings, random_problem


class Dual(Indexed):
    def __init__(self, problem):
        super().__init__(problem, "fm/bca.h")
        self.bca = self.ffi.gc(self.lib.gm_bca_new(self.index), self.lib.gm_bca_free)

    def cost_of(self, labels):
        """A matching's cost under the present reparametrisation."""
        costs, index = self.lib.gm_bca_costs(self.bca), self.index
        slots = self.slots(labels)
        total = sum(
            costs.dummy[i] if slots[i] < 0 else costs.unary[slots[i]] for i in range(index.n1)
        )
        for e in range(index.n_links):
            pair = [slots[index.link_u[e]], slots[index.link_v[e]]]
            if min(pair) >= 0:
                total += self.lib.gm_index_find_pair(index, *pair)
            for side, node in enumerate((index.link_u[e], index.link_v[e])):
                first, last = index.node_start[node], index.node_start[node + 1]
                place = last - first if pair[side] < 0 else pair[side] - first
                total -= costs.message[costs.start[2 * e + side] + place]
        return total


def problems():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        yield random_problem(
            rng, 4, 5, density=0.8, edges=[0.2, 0.7][seed % 2], complete=seed % 4 < 2
        )


def test_bounds_rise_and_stay_below_the_optimum():
    for problem in problems():
        dual, optimum = Dual(problem), brute_force(problem)
        bounds = []
        for _ in range(30):
            assert dual.lib.gm_bca_iterate(dual.bca) == 0
            bounds.append(dual.lib.gm_bca_bound(dual.bca))
        assert max(bounds) <= optimum + 1e-12
        assert np.all(np.diff(bounds) >= -1e-9 * (1 + abs(optimum)))


def test_every_matching_costs_what_it_cost():
    for problem in problems():
        dual = Dual(problem)
        for _ in range(5):
            dual.lib.gm_bca_iterate(dual.bca)
        for labels in list(matchings(problem))[::11]:
            assert dual.cost_of(labels) == pytest.approx(
                problem.total_cost(np.array(labels)), abs=1e-9
            )


def test_a_restart_forgets_and_climbs_again():
    for problem in problems():
        dual, optimum = Dual(problem), brute_force(problem)
        random = dual.ffi.new("gm_random *", {"state": 3})
        for _ in range(4):
            dual.lib.gm_bca_restart(dual.bca, random)
            for _ in range(3):
                dual.lib.gm_bca_iterate(dual.bca)
            assert dual.lib.gm_bca_bound(dual.bca) <= optimum + 1e-12
