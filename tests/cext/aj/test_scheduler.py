"""aj/scheduler: matchings and proof have their turns, and neither waits for the other."""

import numpy as np
import pytest
from small import brute_force, in_slices, random_problem

import gmtoolbox as gm


def test_both_get_their_turns():
    problem = random_problem(np.random.default_rng(2), 9, 9, edges=0.6, complete=True)
    matchings_only = gm.gm_solve(problem, "aj", maxiter=10)  # the first proposals come first
    assert np.isfinite(matchings_only.value) and matchings_only.bound == -np.inf
    both = gm.gm_solve(problem, "aj", maxiter=200)
    assert both.bound > -np.inf and both.value <= matchings_only.value


def test_every_unit_of_work_counts_once():
    problem = random_problem(np.random.default_rng(5), 8, 8, edges=0.6, complete=True)
    whole = gm.gm_solve(problem, "aj", sdp="off")
    assert whole.status == "optimal"
    cut = gm.gm_solve(problem, "aj", sdp="off", maxiter=whole.n_iter - 1)
    assert cut.n_iter == whole.n_iter - 1 and cut.bound <= whole.bound


def test_what_costs_nothing_is_left_unmatched():
    r = gm.gm_solve(gm.Problem((2, 3), [0, 1], [0, 2], [1.0, 2.0]), "aj")
    assert r.status == "optimal" and r.labels.tolist() == [-1, -1] and r.value == 0.0


def test_the_proof_meets_what_the_search_for_matchings_did_not():
    problem = random_problem(np.random.default_rng(11), 6, 6, integer=True, complete=True)
    r = gm.gm_solve(problem, "aj", cutoff=brute_force(problem))
    assert r.status == "optimal" and r.value == pytest.approx(brute_force(problem))


def test_large_problems_are_the_same_in_any_slices(monkeypatch):
    """Before a large root mp, sweeps and matchings take turns by counts, never by a clock."""
    problem = gm.synth.sparse(seed=3, size=80, candidates=6, hard=True)
    cost = np.random.default_rng(0).permutation(problem.edge_cost)  # no proof is near
    problem = gm.Problem(
        problem.shape, problem.left, problem.right, problem.cost, problem.a, problem.b, cost
    )
    labels, bound, _ = in_slices(monkeypatch, problem, "aj", 400)
    mp = gm.gm_solve(problem, "mp", maxiter=16)
    assert mp.bound < bound <= problem.total_cost(np.array(labels))
