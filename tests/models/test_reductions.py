"""The reductions of the supplement keep optima and lift matchings back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times
from small import brute_force, matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.models import reductions


def draw(seed, square=False, **options):
    rng = np.random.default_rng(seed)
    n1, n2 = rng.integers(1, 4, 2)
    signs = rng.choice(["any", "nonpositive", "positive"])
    return random_problem(
        rng, n1, n1 if square else n2, edges=0.6, signs=signs, offset=float(rng.normal()), **options
    )


SEEDS = settings(max_examples=times(25), deadline=None)


@SEEDS
@given(st.integers(0, 10**6))
def test_matching_to_qap(seed):
    problem = draw(seed, density=0.7)
    reduced = reductions.matching_to_qap(problem)
    qap = reduced.problem
    assert qap.complete and qap.shape == (sum(problem.shape),) * 2
    # every matching has a counterpart of the same value, and comes back
    for labels in matchings(problem):
        labels = np.array(labels)
        there = reduced.lower(labels)
        assert qap.total_cost(there) == pytest.approx(problem.total_cost(labels))
        assert reduced.lift(there).tolist() == labels.tolist()
    r = gm.gm_solve(qap, "ilp")
    assert r.value == pytest.approx(brute_force(problem), abs=1e-7)
    assert problem.total_cost(reduced.lift(r.labels)) == pytest.approx(r.value, abs=1e-9)


@SEEDS
@given(st.integers(0, 10**6), st.sampled_from(["all", "diagonal"]))
def test_qap_to_matching(seed, shift):
    problem = draw(seed, square=True, complete=True, density=1.0 if shift == "all" else 0.7)
    reduced = reductions.qap_to_matching(problem, shift)
    partial = reduced.problem
    assert not partial.complete
    if shift == "all":
        assert partial.cost.max() < 0 and partial.edge_cost.max(initial=-1) < 0
    else:
        assert np.array_equal(partial.edge_cost, problem.edge_cost)
    scale = np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum() + 1
    assert brute_force(partial) == pytest.approx(brute_force(problem), abs=1e-12 * scale)
    values = {labels: partial.total_cost(np.array(labels)) for labels in matchings(partial)}
    best = np.array(min(values, key=values.get))
    assert partial.is_complete_matching(best)  # leaving a node free never pays
    assert problem.total_cost(reduced.lift(best)) == pytest.approx(
        values[tuple(best)], abs=1e-12 * scale
    )


@SEEDS
@given(st.integers(0, 10**6))
def test_incomplete_lap_to_lap(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, *rng.integers(1, 5, 2), edges=0.0, density=0.7)
    reduced = reductions.incomplete_lap_to_lap(problem)
    assert reduced.problem.n_edges == 0
    r = gm.gm_solve(reduced.problem, "ilp")
    assert problem.total_cost(reduced.lift(r.labels)) == pytest.approx(
        brute_force(problem), abs=1e-9
    )


@SEEDS
@given(st.integers(0, 10**6), st.booleans())
def test_swap(seed, complete):
    problem = draw(seed, complete=complete, density=0.7)
    reduced = reductions.swap(problem)
    assert reduced.problem.shape == problem.shape[::-1]
    for labels in matchings(problem):
        there = reduced.lower(np.array(labels))
        assert reduced.problem.total_cost(there) == pytest.approx(
            problem.total_cost(np.array(labels))
        )
        assert reduced.lift(there).tolist() == list(labels)


def test_wrong_kind_of_problem():
    complete, partial = (
        draw(0, square=True, complete=True),
        random_problem(np.random.default_rng(0), 2, 3),
    )
    for call, message in [
        (lambda: reductions.matching_to_qap(complete), "QAP already"),
        (lambda: reductions.qap_to_matching(partial), "complete and square"),
        (lambda: reductions.qap_to_matching(complete, "some"), "shift must be"),
        (lambda: reductions.incomplete_lap_to_lap(partial), "has no edges"),
    ]:
        with pytest.raises(gm.InputError, match=message):
            call()
