"""aj/forced: bounds on what taking each candidate costs; they only rise, in slices of any size."""

import numpy as np
import pytest
from aj_reference import forced

import gmtoolbox as gm


@pytest.fixture(scope="module")
def solved():
    problem = gm.synth.car(seed=2, size=7)
    return problem, gm.gm_solve(problem).labels


def test_nothing_is_known_before_the_first_evaluation(solved):
    assert np.all(np.isneginf(forced(*solved, maxiter=1)))


def test_slices_change_nothing(solved):
    assert np.array_equal(forced(*solved), forced(*solved, slices=7))


def test_a_converged_root_knows_the_cost_of_its_own_candidates(solved):
    problem, labels = solved
    bounds = forced(problem, labels)
    cost = problem.total_cost(labels)
    assert bounds[problem.candidates_of(labels)] == pytest.approx(cost, rel=1e-3)
    assert np.max(bounds[: problem.n_candidates]) > cost + 1


def test_full_tables_make_it_no_worse():
    """Without room for full tables the relaxation stays as it is."""
    problem = gm.synth.car(seed=1, size=6)
    labels = gm.gm_solve(problem).labels
    assert np.all(forced(problem, labels) >= forced(problem, labels, lift_limit=0) - 1e-9)


def test_integers_are_rounded_up_to_integers():
    rng = np.random.default_rng(4)
    costs = rng.integers(-5, 6, 9).astype(float)
    a, b = np.triu_indices(9, 1)
    left, right = np.divmod(np.arange(9), 3)
    pairs = (left[a] != left[b]) & (right[a] != right[b])
    edges = rng.integers(-5, 6, np.count_nonzero(pairs)).astype(float)
    problem = gm.Problem((3, 3), left, right, costs, a[pairs], b[pairs], edges)
    bounds = forced(problem, gm.gm_solve(problem).labels)
    assert np.array_equal(bounds, np.round(bounds))
