"""The problem of many graphs behind gm.synchronise: which pairs it lists, and what tracks keep."""

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.core.tracks import labels_between, split_by_graph
from gmtoolbox.engine import agreement
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.engine.progress import Budget


def wrong_matchings(d, n, wrong, seed=0, has=lambda g, h: True):
    """Identities of which a share is permuted."""
    rng, given = np.random.default_rng(seed), {}
    for g in range(d):
        for h in range(g + 1, d):
            labels = np.where(rng.random(n) < 0.9, np.arange(n), -1)
            moved = np.flatnonzero(rng.random(n) < wrong)
            labels[moved] = rng.permutation(labels[moved])
            given[g, h] = labels if has(g, h) else np.full(n, -1)
    return given, (n,) * d


def listed(given, sizes, budget=None):
    made = agreement.list_agreement(agreement.agreement_of(given, sizes), budget or Budget())
    return {
        pair: set(zip(p.left.tolist(), p.right.tolist(), strict=True)) if p is not None else set()
        for pair, p in made.pairs.items()
    }, made


def chained(given, sizes, most):
    """Every (g, h): pairs of nodes with a chain of at most `most` matches, by walking."""
    next_to = {(g, i): set() for g, n in enumerate(sizes) for i in range(n)}
    for (g, h), labels in given.items():
        for i, s in enumerate(labels):
            if s >= 0:
                next_to[g, i].add((h, int(s)))
                next_to[h, int(s)].add((g, i))
    found = {pair: set() for pair in given}
    for g, i in next_to:
        reached = {(g, i)}
        for _ in range(most):
            reached |= {node for at in reached for node in next_to[at]}
        for h, s in reached:
            if g < h:
                found[g, h].add((i, s))
    return found


@pytest.mark.parametrize("wrong", [0.0, 0.3])
def test_all_connected_pairs_are_listed_if_they_are_few(wrong):
    given, sizes = wrong_matchings(4, 6, wrong)
    assert listed(given, sizes)[0] == chained(given, sizes, 24)


@pytest.mark.parametrize("chunk", [1, 7, 1_000_000])
def test_short_chains_are_listed_if_there_are_many(monkeypatch, chunk):
    given, sizes = wrong_matchings(6, 30, 0.3)
    two = chained(given, sizes, 2)
    number = sum(map(len, two.values()))
    monkeypatch.setattr(agreement, "CHUNK", chunk)
    # both triangles of the matrix count, with pairs of nodes of one graph
    monkeypatch.setattr(agreement, "MOST", 2 * number)
    assert number < sum(map(len, chained(given, sizes, 3).values())) / 1.5
    assert listed(given, sizes)[0] == two


def test_confirmed_pairs_are_listed_if_chains_of_two_are_too_many(monkeypatch):
    given, sizes = wrong_matchings(6, 30, 0.3)
    n_given = sum(int(np.count_nonzero(labels >= 0)) for labels in given.values())
    monkeypatch.setattr(agreement, "MOST", n_given + 180)
    pairs, made = listed(given, sizes)
    for pair, labels in given.items():
        assert {(i, s) for i, s in enumerate(labels.tolist()) if s >= 0} <= pairs[pair]
    assert made.n_candidates <= agreement.MOST
    assert made.n_candidates > n_given  # identities that a wrong match has replaced


def test_costs_count_the_given_matches():
    given, sizes = wrong_matchings(5, 8, 0.4, seed=3)
    model = agreement.agreement_of(given, sizes)
    made = agreement.list_agreement(model, Budget())
    for flat in (np.arange(40), np.tile(np.arange(8), 5), model.tracks_around()):
        tracks = split_by_graph(flat, sizes)
        kept = sum(
            int(np.count_nonzero((labels_between(tracks, g, h) == labels) & (labels >= 0)))
            for (g, h), labels in given.items()
        )
        assert model.bare_cost(tracks) == -kept
    assert made.energy(split_by_graph(model.tracks_around(), sizes)) == -model.cost_of(
        model.tracks_around()
    )


def test_chains_along_a_line_of_graphs_are_followed_to_the_end(monkeypatch):
    given, sizes = wrong_matchings(7, 20, 0.3, has=lambda g, h: h == g + 1)
    monkeypatch.setattr(agreement, "MOST", 1500)
    r = gm.synchronise(given, sizes)
    assert r.status == "optimal" and r.value == r.bound  # no cycle, no contradiction


@pytest.mark.parametrize("method", ["consensus", "spectral"])
def test_an_answer_without_time_keeps_the_matches_of_one_graph(method):
    given, sizes = wrong_matchings(5, 20, 0.2)
    most = max(
        sum(int(np.count_nonzero(labels >= 0)) for pair, labels in given.items() if g in pair)
        for g in range(5)
    )
    r = gm.synchronise(given, sizes, method=method, time_limit=1e-9)
    total = sum(int(np.count_nonzero(labels >= 0)) for labels in given.values())
    assert most <= r.value <= r.bound == total


def test_a_budget_that_is_over_lists_nothing():
    given, sizes = wrong_matchings(3, 5, 0.2)
    with pytest.raises(OutOfTime):
        listed(given, sizes, Budget(1e-9))


def test_fewer_pairs_keep_as_many_matches(monkeypatch):
    given, sizes = wrong_matchings(8, 40, 0.3)
    whole = gm.synchronise(given, sizes)
    monkeypatch.setattr(agreement, "MOST", 10_000)  # of 44,800
    near = gm.synchronise(given, sizes)
    assert listed(given, sizes)[1].n_candidates <= 10_000
    assert near.value >= 0.95 * whole.value


def test_tracks_of_a_short_list_are_united():
    given = {(0, 1): [0], (1, 2): [0], (2, 3): [0], (0, 2): [-1], (0, 3): [-1], (1, 3): [-1]}
    model = agreement.agreement_of({p: np.array(x) for p, x in given.items()}, (1, 1, 1, 1))
    assert agreement.unite_tracks(model, np.array([0, 0, 2, 2])).tolist() == [0, 0, 0, 0]
    given = {(0, 1): [0, 1], (0, 2): [1, 0], (1, 2): [0, 1]}
    model = agreement.agreement_of({p: np.array(x) for p, x in given.items()}, (2, 2, 2))
    flat = agreement.unite_tracks(model, np.arange(6))
    assert model.cost_of(flat) <= -4.0
    for own in split_by_graph(flat, (2, 2, 2)):
        assert len(set(own.tolist())) == 2


def test_the_gap_is_relative_to_the_matches_that_are_kept():
    r = gm.synchronise({(0, 1): [0, 1], (0, 2): [1, 0], (1, 2): [0, 1]}, (2, 2, 2))
    assert (r.value, r.bound, r.gap) == (4.0, 6.0, 0.5)
    r = gm.synchronise({(0, 1): [0, 1]}, (2, 2))
    assert (r.value, r.bound, r.gap, r.status) == (2.0, 2.0, 0.0, "optimal")
