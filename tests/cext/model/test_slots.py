"""Matchings as slots and as labels, there and back."""

import numpy as np
from c_internals import Indexed
from small import gallery, matchings


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
