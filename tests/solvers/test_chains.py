"""Chains: structure is found under noise that hides it from spectra, and noise is known as such."""

import numpy as np
import pytest
from noisy_graphs import correlated, kept

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._chains import Chains
from gmtoolbox.solvers._portfolio import Portfolio


def test_a_link_rewards_the_pairs_that_keep_most():
    A, B, truth = correlated(30, 0.2, 0.05, 1)
    state = Portfolio(gm.models.from_graphs(A, B).as_costs(), Budget())
    rng = np.random.default_rng(2)
    labels = truth.copy()
    labels[:15] = rng.permutation(truth[:15])
    chains = Chains(state, [labels, rng.permutation(30)])
    weights = [kept_at(A, B, labels, i) for i in range(30)]
    assert np.allclose(chains.kept_weights(labels), weights)
    pull = chains.pull(labels, 0.2)
    top = np.argsort(-pull[np.arange(30), labels])[:6]
    assert np.mean(labels[top] == truth[top]) >= 0.8
    assert pull.max() <= 2 * 0.03 + 1e-12 and pull.min() >= 0


def kept_at(A, B, labels, i):
    """Common edges of one node."""
    return sum(A[i, j] * B[labels[i], labels[j]] for j in range(len(A)))


def test_noise_is_what_descents_do_not_agree_on():
    A, B, truth = correlated(60, 0.2, 0.1, 3)
    problem = gm.models.from_graphs(A, B).as_costs()
    rng = np.random.default_rng(4)
    others = [rng.permutation(60), rng.permutation(60)]
    chains = Chains(Portfolio(problem, Budget()), others)
    assert chains.is_clear(truth) and chains.is_clear(others[0])
    assert not chains.is_clear(rng.permutation(60))
    assert chains.level == -min(kept(A, B, labels) for labels in others)


@pytest.mark.long
@pytest.mark.parametrize(("density", "start"), [(0.06, "neighbours"), (0.2, "convex")])
def test_auto_finds_the_truth_under_a_fifth_of_noise(density, start):
    A, B, truth = correlated(120, density, 0.2, 0)
    r = gm.gm_solve(gm.models.from_graphs(A, B), maxiter=2000)
    assert r.value >= kept(A, B, truth)
    assert gm.accuracy(r.labels, truth) > 0.9
    assert any(start in name for name, *_ in r.extra["ran"])
