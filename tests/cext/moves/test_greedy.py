"""Greedy matchings: always matchings, complete where they must be, the kept nodes untouched."""

import numpy as np
from c_internals import Indexed
from small import gallery, random_problem


def greedy(problem, seed=0):
    setup = Indexed(problem, "moves/greedy.h")
    setup.own_pool = setup.pool()
    setup.greedy = setup.ffi.new("gm_greedy *")
    setup.lib.gm_greedy_take(setup.greedy, setup.own_pool, setup.index)
    setup.costs = setup.ffi.new("gm_reparametrisation *")
    setup.costs.unary = setup.index.slot_cost
    setup.random = setup.ffi.new("gm_random *", {"state": seed})
    return setup


def match(setup, slots, open_nodes=None, forced=-1):
    ffi = setup.ffi
    nodes = ffi.NULL if open_nodes is None else ffi.new("int32_t[]", open_nodes)
    n = setup.index.n1 if open_nodes is None else len(open_nodes)
    return setup.lib.gm_greedy_match(
        setup.greedy, setup.costs, setup.random, nodes, n, forced, slots
    )


def test_results_are_matchings():
    for problem, _ in gallery().values():
        problem = problem.as_costs()
        if problem.complete and problem.shape[0] > problem.shape[1]:
            continue  # the driver swaps such a problem
        for seed in range(5):
            setup = greedy(problem, seed)
            slots = setup.ffi.new("int32_t[]", [-1] * problem.shape[0])
            assert match(setup, slots) == 0
            labels = setup.labels(slots)
            problem.candidates_of(labels)  # raises where it is no matching of candidates
            assert not problem.complete or problem.is_complete_matching(labels)


def test_closed_nodes_keep_their_slots_and_the_forced_one_is_taken():
    problem = random_problem(np.random.default_rng(0), 5, 7)
    setup = greedy(problem)
    slots = setup.slots([0, 1, 2, 3, 4])
    forced = setup.lib.gm_index_slot(setup.index, 1, 6)
    assert match(setup, slots, [1, 3], forced) == 0
    labels = setup.labels(slots)
    assert labels[[0, 2, 4]].tolist() == [0, 2, 4] and labels[1] == 6
    problem.candidates_of(labels)


def test_completing_keeps_what_is_matched():
    for seed in range(20):
        problem = random_problem(np.random.default_rng(seed), 5, 6, density=0.4, complete=True)
        setup = greedy(problem)
        node = int(problem.left[0])
        labels = np.full(5, -1)
        labels[node] = problem.right[0]
        slots = setup.slots(labels)
        if setup.lib.gm_greedy_complete(setup.greedy, slots) == 0:
            completed = setup.labels(slots)
            assert problem.is_complete_matching(completed) and completed[node] >= 0
            problem.candidates_of(completed)
