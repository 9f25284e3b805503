"""graph_match against enumeration, and its result."""

import doctest
from itertools import permutations

import numpy as np
import pytest
from repetition import times
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.compat import graspologic
from gmtoolbox.compat.graspologic import graph_match


def score(A, B, S, pairs):
    """Sum over ordered pairs of matches, loops included, and S of the matches."""
    i, s = np.array(pairs).T
    return (A[np.ix_(i, i)] * B[np.ix_(s, s)]).sum() + S[i, s].sum()


def enumerate_best(A, B, S, fixed, best):
    n, m = len(A), len(B)
    if n <= m:
        every = (list(enumerate(p)) for p in permutations(range(m), n))
    else:
        every = ([(i, s) for s, i in enumerate(p)] for p in permutations(range(n), m))
    return best(score(A, B, S, p) for p in every if {tuple(f) for f in fixed} <= set(p))


@pytest.mark.parametrize("seed", range(times(10)))
def test_best_matching_of_every_kind(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 6, 2)
    A, B, S = rng.integers(-2, 5, (n, n)), rng.integers(-2, 5, (m, m)), rng.normal(size=(n, m))
    k = int(rng.integers(0, min(n, m) + 1))
    fixed = np.stack([rng.permutation(n)[:k], rng.permutation(m)[:k]], axis=1)
    for maximize in (True, False):
        r = graph_match(A, B, S=S, partial_match=fixed, maximize=maximize, rng=seed)
        pairs = list(zip(r.indices_A.tolist(), r.indices_B.tolist(), strict=True))
        assert len(pairs) == min(n, m) and r.indices_A.tolist() == sorted(set(r.indices_A.tolist()))
        assert {tuple(f) for f in fixed.tolist()} <= set(pairs)
        assert len({s for _, s in pairs}) == len(pairs)
        assert np.isclose(r.score, score(A, B, S, pairs))
        best = enumerate_best(A, B, S, fixed.tolist(), max if maximize else min)
        assert np.isclose(r.score, best) and r.misc[0]["status"] == "optimal"


def test_arguments_that_change_nothing():
    A = np.random.default_rng(2).random((5, 5))
    plain, given = graph_match(A, A), graph_match(A, A, fast=False, use_numba=True)
    assert plain.indices_B.tolist() == given.indices_B.tolist() and plain.score == given.score


def test_runs_and_order():
    rng = np.random.default_rng(1)
    A, B = rng.random((2, 9, 9))
    r = graph_match(A, B, n_init=3, method="sm", rng=3)
    assert len(r.misc) == 3 and r.score == max(run["score"] for run in r.misc)
    assert r._fields == ("indices_A", "indices_B", "score", "misc")
    again = graph_match(A, B, n_init=3, method="sm", rng=np.random.default_rng(3))
    assert again.score <= graph_match(A, B).score + 1e-9
    given = [graph_match(np.zeros((9, 9)), np.zeros((9, 9)), rng=k).indices_B for k in (0, 1)]
    assert not np.array_equal(*given)  # ties do not favour an order
    same = [graph_match(A, B, method="sm", shuffle_input=False, rng=k).score for k in (0, 1)]
    assert same[0] == same[1]
    assert np.isclose(graph_match(sparse.csr_array(A), sparse.csr_array(B)).score,
                      graph_match(A, B).score)  # fmt: skip


@pytest.mark.parametrize(
    "more, message",
    [
        ({"AB": np.eye(3)}, "AB must be None here"),
        ({"init": np.eye(3)}, "init must be None here"),
        ({"padding": "adopted"}, "padding must be 'naive' here"),
        ({"max_iter": 50}, "max_iter must be 30 here"),
        ({"transport": True}, "transport must be False here"),
        ({"n_init": 0}, "n_init must be a positive integer"),
        ({"S": np.eye(2)}, "S must be a finite matrix of shape"),
        ({"partial_match": [[0, 4]]}, "partial_match must have right nodes in 0..2"),
        ({"A": [np.eye(3), np.eye(3)]}, "A must be a finite square matrix"),
    ],
)
def test_refused(more, message):
    with pytest.raises(gm.InputError, match=message):
        graph_match(**{"A": np.eye(3), "B": np.eye(3), **more})


def test_a_wrong_name_of_an_argument_leads_to_the_right_one():
    with pytest.raises(TypeError, match="'maximise' .did you mean 'maximize'"):
        graph_match(np.eye(3), np.eye(3), maximise=True)


def test_examples():
    assert doctest.testmod(graspologic).failed == 0
