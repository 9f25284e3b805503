"""Messages in the limit of many links: what returns is left out, and dense noisy graphs align."""

import numpy as np
import pytest
import scipy.sparse as sp
from noisy_graphs import correlated, kept

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._messages import (
    CLEAR,
    Messages,
    affords_messages,
    message_point,
    start_messages,
)
from gmtoolbox.solvers._portfolio import Portfolio


def factors_of(A, B, **named):
    return QapFactors(gm.models.from_graphs(A, B, **named).as_costs())


def chebyshev(M, k):
    """U_k(M), of the second kind, for a spectrum in [-2, 2]."""
    last, U = np.zeros_like(M), np.eye(len(M))
    for _ in range(k):
        last, U = U, M @ U - last
    return U


def test_support_counts_the_walks_that_never_turn_back():
    A, B, _ = correlated(12, 0.4, 0.2, 1)
    messages = Messages(factors_of(A, B))
    start = messages.P = np.random.default_rng(2).random((12, 12)).astype(np.float32)
    for k in range(1, 5):
        S = messages.support(1.0)
        expected = chebyshev(messages.A, k) @ start @ chebyshev(messages.B, k)
        assert np.allclose(S, expected, rtol=1e-3, atol=1e-3)
        messages.P, messages.last = S, messages.P


def test_dense_graphs_with_a_fifth_of_noise_are_aligned():
    A, B, truth = correlated(250, 0.3, 0.2, 3)
    P = message_point(factors_of(A, B), Budget())
    assert np.mean(P.argmax(axis=1) == truth) > 0.95
    assert np.allclose(P.sum(axis=1), 1, atol=0.1)


def test_directed_graphs_and_a_smaller_side():
    A, B, truth = correlated(250, 0.2, 0.1, 4)
    keep = np.random.default_rng(5).random(A.shape) < 0.8
    back = np.empty_like(truth)
    back[truth] = np.arange(250)
    A, B = A * keep, B * keep[np.ix_(back, back)]
    P = message_point(factors_of(A[:225, :225], B), Budget())
    assert P.shape == (225, 250)
    assert P.sum(axis=0).max() < 1.01
    assert np.mean(P.argmax(axis=1) == truth[:225]) > 0.95


def test_costs_of_pairs_point_the_way():
    A, B, truth = correlated(100, 0.35, 0.3, 6)
    C = np.zeros((100, 100))
    C[np.arange(15), truth[:15]] = 20.0
    factors = factors_of(A, B, similarity=C)
    assert factors.C is not None
    assert np.mean(message_point(factors_of(A, B), Budget()).argmax(axis=1) == truth) < 0.5
    assert np.mean(message_point(factors, Budget()).argmax(axis=1) == truth) > 0.7


def test_forbidden_pairs_stay_improbable():
    A, B, truth = correlated(150, 0.3, 0.1, 6)
    C = np.where(np.random.default_rng(7).random((150, 150)) < 0.2, np.inf, 0.0)
    C[np.arange(150), truth] = 0.0
    problem = gm.models.from_koopmans_beckmann(-A, B, C).as_costs()
    P = message_point(QapFactors(problem), Budget())
    assert P[np.isinf(C)].max() < 1e-6
    assert np.mean(P.argmax(axis=1) == truth) > 0.95


def test_it_is_for_graphs_of_many_links_and_needs_time_and_memory():
    A, B, _ = correlated(200, 0.3, 0.1, 7)
    few = factors_of(sp.csr_array(A * (A.cumsum(axis=1) < 5)), sp.csr_array(B))
    assert affords_messages(factors_of(A, B), 10.0, 1.0)
    assert not affords_messages(few, 10.0, 1.0)
    assert not affords_messages(factors_of(A, B), 1e-3, 1.0)
    assert not affords_messages(factors_of(A, B), 10.0, 1e-4)
    assert not affords_messages(factors_of(-A, B), 10.0, 1.0)


def portfolio_of(A, B):
    """A Portfolio whose matching is random."""
    state = Portfolio(gm.models.from_graphs(A, B).as_costs(), Budget())
    state.offer(np.random.default_rng(9).permutation(len(A)), "noise")
    return state


def test_a_portfolio_knows_the_truth_from_noise():
    A, B, truth = correlated(150, 0.25, 0.15, 8)
    state = portfolio_of(A, B)
    assert start_messages(state, 1.0)
    assert np.array_equal(state.labels, truth)
    assert state.cost == -kept(A, B, truth)
    assert not start_messages(state, 1.0)


def test_independent_graphs_are_noise_even_if_a_random_matching_keeps_less():
    A, B = (correlated(150, 0.25, 0.15, seed)[0] for seed in (8, 11))
    state = portfolio_of(A, B)
    before = state.cost
    assert not start_messages(state, 1.0)
    assert state.ran[-1][0] == "messages + faq"
    assert state.cost < CLEAR * before


@pytest.mark.long
def test_auto_starts_from_messages_if_the_first_start_is_not_clear():
    A, B, truth = correlated(300, 0.16, 0.25, 10)
    r = gm.gm_solve(gm.models.from_graphs(A, B), maxiter=500)
    assert np.array_equal(r.labels, truth)
    assert any(name == "messages + faq" for name, *_ in r.extra["ran"])
