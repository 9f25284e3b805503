"""Edges: every form gives the same products, totals and lists."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times
from small import FORMS, matchings, problem_with, random_problem

from gmtoolbox.core.edges import Listed, Multiplier, canonical_edges, check_edges
from gmtoolbox.core.errors import InputError, TooManyEdgesError


def matrix_of(edges):
    """The symmetric matrix with half of each edge on both sides."""
    listed, N = edges.written_out(), len(edges.candidates)
    E = np.zeros((N, N))
    E[listed.a, listed.b] = E[listed.b, listed.a] = listed.cost / 2
    return E


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=times(25), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n1=st.integers(1, 4), n2=st.integers(1, 4))
def test_products_and_totals_are_those_of_the_list(form, seed, n1, n2):
    rng = np.random.default_rng(seed)
    problem = problem_with(form, rng, n1, n2, complete=False)
    edges, E = problem.edges, matrix_of(problem.edges)
    x = rng.normal(size=problem.n_candidates)
    assert np.allclose(edges.product(x), E @ x)
    for labels in list(matchings(problem))[:30]:
        labels = np.array(labels)
        x = np.zeros(problem.n_candidates)
        x[problem.candidates_of(labels)] = 1
        assert edges.total(labels) == pytest.approx(x @ E @ x, abs=1e-12)
        assert problem.explicit().energy(labels) == pytest.approx(problem.energy(labels))


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=times(25), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n1=st.integers(1, 3), n2=st.integers(1, 3))
def test_lists_are_canonical_and_int32(form, seed, n1, n2):
    problem = problem_with(form, np.random.default_rng(seed), n1, n2)
    listed, N = problem.edges.written_out(), problem.n_candidates
    assert listed.a.dtype == listed.b.dtype == problem.left.dtype == problem.right.dtype == np.int32
    assert listed.cost.dtype == problem.cost.dtype == np.float64
    assert np.all(listed.a < listed.b) and np.all(np.diff(listed.a.astype(int) * N + listed.b) > 0)
    assert listed.written_out() is listed and problem.edges.written_out() is listed
    assert problem.n_edges == len(listed)
    for array in (problem.a, problem.b, problem.edge_cost):
        assert not array.flags.writeable


@pytest.mark.parametrize("form", FORMS)
def test_equality_looks_at_the_edges_not_at_their_form(form):
    problem = problem_with(form, np.random.default_rng(1))
    explicit = problem.explicit()
    assert problem == explicit and explicit == problem and problem.edges == problem.edges
    other = replace(explicit, edge_cost=explicit.edge_cost + 1)
    assert problem != other and problem.edges != other.edges
    again = pickle.loads(pickle.dumps(problem))
    assert "_listed" not in again.edges.__dict__  # written out above, and not pickled
    assert again == problem and type(again.edges) is type(problem.edges)


@pytest.mark.parametrize("form", FORMS)
def test_nonpositive_is_never_claimed_wrongly(form):
    rng = np.random.default_rng(2)
    for _ in range(30):
        problem = problem_with(form, rng, 2, 2)
        if problem.edges.nonpositive:
            assert np.all(problem.edge_cost <= 0)


def test_replace_takes_new_ends_or_costs_and_keeps_the_rest():
    p = random_problem(np.random.default_rng(0), 3, 3)
    doubled = replace(p, edge_cost=2 * p.edge_cost)
    assert np.array_equal(doubled.a, p.a) and np.array_equal(doubled.edge_cost, 2 * p.edge_cost)
    none = replace(p, a=[], b=[], edge_cost=[])
    assert none.n_edges == 0 and none.n_candidates == p.n_candidates
    assert replace(p, name="x").edges is p.edges  # nothing is checked again
    with pytest.raises(InputError, match="one length"):
        replace(p, a=p.a[1:])
    with pytest.raises(InputError, match="do not fit"):
        replace(p, left=p.left[1:], right=p.right[1:], cost=p.cost[1:])


def test_a_list_in_any_order():
    candidates = random_problem(np.random.default_rng(0), 2, 2).candidates
    edges = check_edges(candidates, [3, 0, 3], [0, 1, 0], [1.0, 2.0, 4.0])
    assert (edges.a.tolist(), edges.b.tolist(), edges.cost.tolist()) == ([0, 0], [1, 3], [2.0, 5.0])
    a, b, cost = canonical_edges(np.array([1]), np.array([0]), np.array([1.0]), 2)
    assert (a.tolist(), b.tolist()) == ([0], [1])
    assert isinstance(edges, Listed)


def test_a_multiplier_is_refused_as_a_matrix():
    problem = problem_with("dense products", np.random.default_rng(3))
    K = Multiplier(problem.cost, problem.edges, 1.0)
    x = np.random.default_rng(0).random(problem.n_candidates)
    assert np.allclose(K @ x, problem.reducedK @ x)
    assert np.allclose((-K * 2.0) @ x, -2 * (problem.reducedK @ x))
    assert K.sum() == pytest.approx(problem.reducedK.sum())
    with pytest.raises(TooManyEdgesError, match="too many to be written out") as caught:
        K.tocsr()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
