"""The model read node by node: slots, links and costs are those of the problem."""

import numpy as np
import pytest
from c_internals import Indexed
from small import gallery, matchings


@pytest.mark.parametrize("name", gallery())
def test_slots_and_costs(name):
    problem = gallery()[name][0].as_costs()
    setup = Indexed(problem)
    index, lib = setup.index, setup.lib
    assert (index.n1, index.n2) == problem.shape and index.n_slots == problem.n_candidates
    I, S = np.indices(problem.shape).reshape(2, -1)  # noqa: E741
    allowed = problem.allows(I, S)
    for i, s, there in zip(I.tolist(), S.tolist(), allowed, strict=True):
        slot = lib.gm_index_slot(index, i, s)
        assert (slot >= 0) == there
        if there:
            assert (index.slot_node[slot], index.slot_label[slot]) == (i, s)
    for labels in list(matchings(problem))[::7][:60]:
        slots = setup.slots(labels)
        assert setup.labels(slots).tolist() == list(labels)
        expected = problem.total_cost(np.array(labels)) - problem.offset
        assert setup.cost(slots) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_links_join_the_nodes_of_payable_edges():
    for problem, _ in gallery().values():
        setup = Indexed(problem.as_costs())
        left, right = problem.left, problem.right
        payable = {
            (min(left[a], left[b]), max(left[a], left[b]))
            for a, b in zip(problem.a, problem.b, strict=True)
            if left[a] != left[b] and right[a] != right[b]
        }
        n1 = problem.shape[0]
        found = {
            (u, v)
            for u in range(n1)
            for v in range(u + 1, n1)
            if setup.lib.gm_index_link(setup.index, v, u) >= 0
        }
        assert found == payable and setup.index.n_links == len(payable)
