"""Probabilities of matches: a distribution, the Gibbs distribution where it is known, and sure of
what every matching has.
"""

import numpy as np
import pytest
from small import FORMS, problem_with

import gmtoolbox as gm
from gmtoolbox.marginals import estimate_marginals, median_move, perturb


def softmax(costs):
    weight = np.exp(-np.asarray(costs))
    return weight / weight.sum()


@pytest.mark.parametrize("complete", [True, False])
def test_one_node_has_the_gibbs_distribution(complete):
    costs = np.array([0.3, -0.5, 1.2])
    p = gm.Problem((1, 3), [0, 0, 0], [0, 1, 2], costs, complete=complete)
    found = estimate_marginals(p, gm.gm_solve(p), temperature=1.0, samples=2000, seconds=None)
    true = softmax(costs) if complete else softmax([*costs, 0.0])[:3]
    assert np.abs(found[0] - true).max() < 0.04  # four standard deviations


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("complete", [True, False])
def test_rows_and_columns_are_probabilities_of_candidates(form, complete):
    rng = np.random.default_rng(len(form) + complete)
    p = problem_with(form, rng, n1=3, n2=4, density=1.0 if complete else 0.7)
    p = p.changed(complete=complete)
    r = gm.gm_solve(p)
    found = estimate_marginals(p, r, samples=10, seconds=None)
    allowed = np.zeros(p.shape, bool)
    allowed[p.left, p.right] = True
    assert found.shape == p.shape and found.min() >= 0 and not found[~allowed].any()
    assert np.all(found.sum(axis=1) <= 1 + 1e-12) and np.all(found.sum(axis=0) <= 1 + 1e-12)
    if complete:
        assert np.allclose(found.sum(axis=1), 1.0)
    again = estimate_marginals(p, r, samples=10, seconds=None)
    assert np.array_equal(found, again)


@pytest.mark.parametrize("sense", ["min", "max"])
def test_unit_and_offset_of_the_costs_do_not_matter(sense):
    left, right = np.repeat(range(8), 8), np.tile(range(8), 8)
    costs = np.random.default_rng(1).normal(size=64)
    found = []
    for scale, offset in ((1.0, 0.0), (1024.0, 512.0)):
        p = gm.Problem(
            (8, 8), left, right, scale * costs, sense=sense, offset=offset, complete=True
        )
        found.append(estimate_marginals(p, gm.gm_solve(p), samples=40, seconds=None))
    assert np.allclose(found[0], found[1])
    assert 0 < np.count_nonzero((found[0] > 0) & (found[0] < 1))


def test_low_temperature_gives_the_matching_and_high_temperature_every_one():
    p = gm.synth.hotel(seed=0, size=5)
    r = gm.gm_solve(p)
    assert np.array_equal(estimate_marginals(p, r, temperature=1e-9, samples=5), r.X)
    hot = estimate_marginals(p, r, temperature=1e6, samples=400, seconds=None)
    assert np.abs(hot - 0.2).max() < 0.1


def test_noise_is_that_of_the_temperature():
    p = gm.synth.hotel(seed=0, size=12)
    rng = np.random.default_rng(0)
    change = np.concatenate([perturb(p, 3.0, rng).cost - p.cost for _ in range(20)])
    assert np.std(change) == pytest.approx(3.0 * np.pi / np.sqrt(6), rel=0.1)


def test_median_move_by_hand():
    # node 0 pays 1 for label 1 instead of 0, node 1 pays 3 for label 0 instead of 1
    p = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [0.0, 3.0, 1.0, 0.0], complete=True)
    assert median_move(p, np.array([0, 1])) == 2.0
    # a pair cost counts with the match of the other node
    q = gm.Problem((2, 3), [0, 0, 1], [0, 1, 2], [0.0, 0.0, 0.0], [0], [2], [-5.0], complete=True)
    assert median_move(q, np.array([0, 2])) == 5.0


def test_marginals_of_a_result_are_kept_and_need_the_problem():
    p = gm.synth.hotel(seed=0, size=5)
    r = gm.gm_solve(p)
    assert r.marginals is r.marginals and r.marginals.shape == (5, 5)
    with pytest.raises(gm.InputError, match="marginals needs the Problem, which is gone"):
        gm.gm_solve(np.eye(4)).marginals  # noqa: B018


@pytest.mark.parametrize(
    "given", [{"samples": 0}, {"temperature": 0.0}, {"temperature": float("nan")}]
)
def test_bad_arguments_are_refused(given):
    p = gm.synth.hotel(seed=0, size=4)
    with pytest.raises(gm.InputError, match=next(iter(given))):
        estimate_marginals(p, gm.gm_solve(p), **given)
