"""Fusion: never worse, always a matching, and the best of both where QPBO is exact."""

import itertools

import numpy as np
import pytest
from c_internals import Indexed
from small import matchings, random_problem


def fuse(problem, incumbent, proposal, patience=5):
    setup = Indexed(problem, "moves/fusion.h")
    pool, fusion = setup.pool(), setup.ffi.new("gm_fusion *")
    setup.lib.gm_fusion_take(fusion, pool, setup.index)
    slots = setup.slots(incumbent)
    before = setup.cost(slots)
    random = setup.ffi.new("gm_random *", {"state": 1})
    change = setup.lib.gm_fusion_fuse(fusion, slots, setup.slots(proposal), random, patience)
    return setup.labels(slots), before, change, setup.cost(slots)


@pytest.mark.parametrize("complete", [False, True])
def test_never_worse_and_always_from_the_two(complete):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 4, 5, density=0.8, complete=complete, integer=seed % 2 == 0)
        known = list(matchings(problem))
        one, other = (known[k] for k in rng.integers(len(known), size=2))
        labels, before, change, after = fuse(problem, one, other)
        assert change <= 0 and after == pytest.approx(before + change, abs=1e-9)
        assert all(s in (a, b) for s, a, b in zip(labels, one, other, strict=True))
        problem.candidates_of(labels)
        assert not complete or problem.is_complete_matching(labels)


def test_disjoint_choices_are_made_one_by_one():
    """Without edges every node that may choose freely takes the cheaper of its two labels."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 3, 6, edges=0.0)
        one, other = [0, 1, 2], [3, 4, 5]
        labels, *_ = fuse(problem, one, other)
        best = min(
            itertools.product(*zip(one, other, strict=True)),
            key=lambda choice: problem.total_cost(np.array(choice)),
        )
        assert labels.tolist() == list(best)
