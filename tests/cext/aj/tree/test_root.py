"""aj/root: with or without sweeps before it; a certificate comes from the root."""

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm
from gmtoolbox.proofs.verify import verify


@pytest.mark.parametrize("signs", ["positive", "any"])
def test_the_root_proves_what_sweeps_would(signs):
    for seed in range(4):
        p = random_problem(np.random.default_rng(seed), 4, 4, edges=0.7, signs=signs)
        best = brute_force(p)
        plain, certified = (gm.gm_solve(p, "aj", certify=certify) for certify in (False, True))
        for r in (plain, certified):
            assert r.value == pytest.approx(best, abs=1e-9) and r.bound <= best + 1e-9
        proof = certified.extra["certificate"]
        checked = verify(p, certified.labels, certified.value, certified.bound, proof)
        assert -np.inf < checked.bound <= best + 1e-9


def test_nodes_without_a_choice_are_no_part_of_it():
    """Each node has one candidate: the root is empty, and its matching is proposed."""
    n = 5
    p = gm.Problem((n, n), range(n), range(n), -np.ones(n), [0], [1], [0.5], complete=True)
    r = gm.gm_solve(p, "aj")
    assert r.status == "optimal" and r.value == -n + 0.5
