"""Certificates: recomputed by code that shares nothing with the kernel, they give its bound."""

import numpy as np
import pytest
from certified import certified_bound
from small import brute_force, random_problem

import gmtoolbox as gm
from gmtoolbox.proofs.verify import verify


def test_the_root_bound_is_recomputed():
    held = 0
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 4, 5, complete=seed % 2 == 0)
        r = gm.gm_solve(problem, "aj", certify=True, branch=False, fix=False)
        certificate = r.extra["certificate"]
        if certificate["label_dual"].size == 0:
            continue  # proven before the root was built
        bound = certified_bound(problem, certificate)
        assert bound <= brute_force(problem) + 1e-9
        held += bound == pytest.approx(r.bound, abs=1e-6 * (1 + abs(r.bound)))
    assert held >= 3


def test_nobody_pays_for_a_certificate_that_nobody_wants():
    problem = random_problem(np.random.default_rng(1), 4, 4)
    assert "certificate" not in gm.gm_solve(problem, "aj").extra


@pytest.mark.parametrize("options", [{"fix": False}, {"sdp": "at once"}])
def test_what_is_optimal_is_proven_by_its_certificate(options):
    """Also where propagation decides some nodes first, and where costs are multiples of 1e-9."""
    n_optimal = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        problem = random_problem(
            rng, *(int(n) for n in rng.integers(1, 6, 2)), density=0.5, edges=0.9,
            complete=seed % 2 == 0, integer=seed % 3 == 0, scale=(1.0, 1e-9, 1e150)[seed // 3 % 3],
        )  # fmt: skip
        r = gm.gm_solve(problem, "aj", certify=True, branch=False, **options)
        certificate = r.extra["certificate"]
        if r.status == "optimal" and ("sdp" not in options or "stages" in certificate):
            n_optimal += 1
            assert verify(problem, r.labels, r.value, r.bound, certificate).proven, seed
    assert n_optimal > 30
