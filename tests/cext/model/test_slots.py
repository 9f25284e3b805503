"""Matchings as slots and as labels, there and back."""

import math

import numpy as np
import pytest
from c_internals import Indexed
from small import brute_force, gallery, matchings


def test_there_and_back():
    for problem, _ in gallery().values():
        setup = Indexed(problem.as_costs(), "model/slots.h")
        n1 = problem.shape[0]
        for labels in list(matchings(problem))[::13]:
            given = setup.ffi.new("int32_t[]", list(labels))
            slots, back = setup.ffi.new("int32_t[]", n1), setup.ffi.new("int32_t[]", n1)
            setup.lib.gm_labels_to_slots(setup.index, given, slots)
            setup.lib.gm_slots_to_labels(setup.index, slots, back)
            assert list(back) == list(labels) == setup.labels(slots).tolist()


def test_the_assignment_over_slots_is_that_of_the_costs():
    problem, optimum = gallery()["no edges"]
    setup = Indexed(problem, "model/slots.h")
    lap = setup.ffi.gc(setup.lib.gm_index_lap(setup.index), setup.lib.gm_lap_free)
    assert setup.lib.gm_lap_solve(lap, setup.index.slot_cost, problem.complete, 0) == 0
    slots = setup.ffi.new("int32_t[]", problem.shape[0])
    setup.lib.gm_lap_to_slots(setup.index, lap, slots)
    assert np.isclose(setup.cost(slots), optimum)


def run_of(setup):
    run = setup.ffi.new("gm_run *")
    assert setup.lib.gm_run_init(run, setup.model) == 0
    return run


def test_only_better_matchings_are_taken():
    problem = gallery()["partial 4x4"][0]
    setup = Indexed(problem, "model/slots.h")
    run, best = run_of(setup), math.inf
    for given in matchings(problem):
        cost = problem.total_cost(np.array(given)) - problem.offset
        taken = setup.lib.gm_offer_slots(run, setup.index, setup.slots(given), cost)
        assert bool(taken) == (cost < best)
        best = min(best, cost)
        held = [run.labels[i] for i in range(run.n1)]
        assert run.value == best and (not taken or tuple(held) == given)
    assert best == pytest.approx(brute_force(problem) - problem.offset)
    setup.lib.gm_run_clear(run)


def test_magnitudes_of_an_index():
    problem = gallery()["partial 3x5, forbidden pairs"][0]
    setup = Indexed(problem, "model/slots.h")
    index, lib = setup.index, setup.lib
    payable = [
        abs(cost)
        for a, b, cost in zip(problem.a, problem.b, problem.edge_cost, strict=True)
        if problem.left[a] != problem.left[b] and problem.right[a] != problem.right[b]
    ]
    total = np.abs(problem.cost).sum() + sum(payable)
    assert lib.gm_index_total(index) == pytest.approx(total)
    assert 0 < lib.gm_index_magnitude(index) <= total
    assert 0 < lib.gm_index_most_links(index) < problem.shape[0]
