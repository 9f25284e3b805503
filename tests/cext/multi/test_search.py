"""multi/search: descents and kicks; the run only gets better tracks."""

import numpy as np
import pytest
from multi_cases import brute_force, random_multi
from multi_graphs import Graphs


def started(m, seed=1):
    graphs = Graphs(m, "multi/search.h")
    search = graphs.ffi.new("multi_search *")
    graphs.lib.multi_search_take(search, graphs.pool, graphs.graphs, seed)
    run = graphs.ffi.new("gm_run *", {"value": np.inf, "bound": -np.inf})
    run.n1 = graphs.graphs.n_nodes
    graphs.kept.append(graphs.ffi.new("int32_t[]", [-1] * run.n1))
    run.labels = graphs.kept[-1]
    graphs.lib.multi_search_from_nothing(search)
    return graphs, search, run


def settle(graphs, search, run):
    settled = graphs.lib.MULTI_SETTLED
    for _ in range(500):
        before = run.value
        assert graphs.lib.multi_search_step(search, run) == 0 and run.value <= before
        if search.phase == settled:
            return
    raise AssertionError("a descent never ends")


@pytest.mark.parametrize("seed", range(4))
def test_descents_and_kicks_reach_small_optima(seed):
    m = random_multi(40 + seed, (2, 3, 2), density=0.9)
    graphs, search, run = started(m)
    settle(graphs, search, run)
    for _ in range(40):
        graphs.lib.multi_search_kick(search, run)
        settle(graphs, search, run)
    split = np.split(np.array([run.labels[i] for i in range(7)]), [2, 5])
    assert m.bare_cost(split) == pytest.approx(run.value) == pytest.approx(brute_force(m))
    graphs.lib.multi_search_free(search)


def test_a_start_is_taken_over():
    m = random_multi(50, (2, 2, 2), density=1.1)
    graphs, search, run = started(m)
    flat = [0, 1, 1, 0, 0, 1]
    graphs.lib.multi_search_from(search, graphs.ffi.new("int32_t[]", flat))
    graphs.lib.multi_search_offer(search, run)
    assert run.value == pytest.approx(m.bare_cost([[0, 1], [1, 0], [0, 1]]))
    graphs.lib.multi_search_free(search)
