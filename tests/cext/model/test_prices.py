"""Prices of assignments: centred ones stay optimal, and say what other matchings cost."""

import numpy as np
import pytest
from c_internals import Indexed
from small import matchings, random_problem


def solved(problem):
    setup = Indexed(problem, "model/prices.h", "model/slots.h")
    lap = setup.ffi.gc(setup.lib.gm_index_lap(setup.index), setup.lib.gm_lap_free)
    assert setup.lib.gm_lap_solve(lap, setup.index.slot_cost, problem.complete, 0) == 0
    u, v = (setup.ffi.new("double[]", n) for n in problem.shape)
    setup.lib.gm_centred_prices(setup.index, lap, setup.index.slot_cost, u, v)
    return setup, lap, u, v


@pytest.mark.parametrize("complete", [False, True])
def test_no_other_matching_costs_less_than_its_price(complete):
    rng, sharp = np.random.default_rng(0), 0
    for _ in range(60):
        problem = random_problem(rng, 3, 4, density=0.8, edges=0.0, complete=complete)
        setup, lap, u, v = solved(problem)
        value = setup.lib.gm_lap_value(lap)
        assert sum(u) + sum(v) == pytest.approx(value)
        best = tuple(setup.lib.gm_lap_match(lap)[i] for i in range(problem.shape[0]))
        price = setup.lib.gm_least_other_price(
            setup.index, setup.index.slot_cost, u, v, setup.ffi.new("int32_t[]", best)
        )
        others = [problem.total_cost(np.array(m)) for m in matchings(problem) if m != best]
        assert price >= -1e-12 and min(others) >= value + price - 1e-12
        sharp += price > 1e-3
    assert sharp > 40, "a unique optimum is nearly always told from the others"


def test_another_matching_than_the_best_has_no_price():
    problem = random_problem(np.random.default_rng(1), 3, 3, edges=0.0, complete=True)
    setup, lap, u, v = solved(problem)
    best = [setup.lib.gm_lap_match(lap)[i] for i in range(3)]
    other = setup.ffi.new("int32_t[]", [best[1], best[0], best[2]])
    price = setup.lib.gm_least_other_price(setup.index, setup.index.slot_cost, u, v, other)
    assert price == pytest.approx(0.0, abs=1e-12)
