"""The contract of many graphs: what gm_solve_multi promises on every small problem, against every
partition into tracks.
"""

import pickle
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from multi_cases import brute_force, random_multi
from small import check_claims

import gmtoolbox as gm
from gmtoolbox.core.tracks import cycle_consistency

RUNS = [("mgm", "pairs"), ("mgm", "auto"), ("mgm", "cycles"), ("mgm", "none"), ("sync", "pairs")]
LIMIT = 60  # units of work: no clock decides anything here


def changed(m, change):
    """The same graphs, every pair replaced by change(pair)."""
    pairs = {key: None if p is None else change(p) for key, p in m.pairs.items()}
    return gm.MultiProblem(pairs, sizes=m.sizes)


def without_pair(m, pair):
    return gm.MultiProblem({**m.pairs, pair: None}, sizes=m.sizes)


@cache
def gallery():
    """{name: (MultiProblem, least cost)}"""
    integer = lambda p: replace(p, cost=np.round(p.cost), edge_cost=np.round(p.edge_cost))
    found = {
        "two graphs": random_multi(1, (3, 4)),
        "three graphs": random_multi(2, (3, 3, 3)),
        "three graphs, few candidates": random_multi(3, (3, 3, 3), density=0.5),
        "sizes differ": random_multi(4, (1, 4, 2)),
        "four graphs": random_multi(5, (2, 3, 2, 3), density=0.8),
        "maximised, offset": random_multi(6, (3, 3, 3), sense="max", offset=-2.25),
        "ties": changed(random_multi(7, (3, 3, 3)), integer),
        "no edges": random_multi(8, (3, 3, 3), edge_density=0.0),
        "nothing pays": changed(
            random_multi(9, (3, 3, 3)),
            lambda p: replace(p, cost=abs(p.cost), edge_cost=abs(p.edge_cost)),
        ),
        "everything pays": changed(
            random_multi(10, (3, 3, 3)),
            lambda p: replace(p, cost=-abs(p.cost), edge_cost=-abs(p.edge_cost)),
        ),
        "a pair without candidates": without_pair(random_multi(11, (3, 3, 3)), (0, 2)),
        "all costs zero": changed(
            random_multi(12, (2, 2, 2)), lambda p: replace(p, cost=0 * p.cost, a=(), b=(),
                                                           edge_cost=())
        ),
    }  # fmt: skip
    return {name: (m, brute_force(m)) for name, m in found.items()}


def check(m, r, optimum):
    """Whatever every answer must hold; optimum: the least cost, offset included."""
    assert r.value == m.energy(r.tracks)  # also checks tracks and allowed pairs
    assert all(own.dtype.kind == "i" and own.min(initial=0) >= 0 for own in r.tracks)
    entries = [np.abs(p.cost).sum() + np.abs(p.edge_cost).sum() for p in m.pairs.values() if p]
    slack = 1e-12 * (sum(entries) + abs(m.offset))
    cost, _ = check_claims(m, r, optimum, slack)
    if r.status == "optimal":
        assert cost - optimum <= m.tolerance + slack
    agreed = cycle_consistency({pair: r.labels(*pair) for pair in m.pairs}, m.sizes)
    assert agreed == 1.0 or np.isnan(agreed)  # nan: no chain of three nodes


@pytest.mark.parametrize("name", gallery())
@pytest.mark.parametrize("method, bound", RUNS)
def test_answer_is_valid(method, bound, name):
    m, optimum = gallery()[name]
    r = gm.gm_solve_multi(m, method=method, bound=bound, maxiter=LIMIT)
    check(m, r, optimum)
    assert np.isfinite(r.bound) or bound == "none"


@pytest.mark.parametrize("name", gallery())
def test_without_limits_small_problems_are_solved(name):
    m, optimum = gallery()[name]
    r = gm.gm_solve_multi(m)
    check(m, r, optimum)
    assert m.signed(r.value) == pytest.approx(optimum, abs=1e-9)


@pytest.mark.parametrize("name", ["three graphs", "maximised, offset", "nothing pays"])
@pytest.mark.parametrize("method, bound", RUNS)
def test_an_offset_changes_neither_tracks_nor_gap_nor_status(method, bound, name):
    """Also not one that cancels the value, or one beside which no cost can be seen."""
    m = changed(gallery()[name][0], lambda p: replace(p, offset=0.0))
    plain = gm.gm_solve_multi(m, method=method, bound=bound, maxiter=LIMIT)
    cost = m.signed(plain.value)
    for offset in (-cost, -cost * (1 - 1e-9), 1e12, -1e12):
        first = next(iter(m.pairs))
        pairs = {**m.pairs, first: replace(m.pairs[first], offset=offset)}
        moved = gm.MultiProblem(pairs, sizes=m.sizes)
        r = gm.gm_solve_multi(moved, method=method, bound=bound, maxiter=LIMIT)
        assert np.array_equal(r.flat, plain.flat) and r.n_iter == plain.n_iter
        assert (r.gap, r.status) == (plain.gap, plain.status)
        if np.isfinite(plain.bound):
            exact = Fraction(m.signed(plain.bound)) + Fraction(offset)
            assert moved.signed(r.bound) <= exact, "the sum was rounded to the wrong side"
        assert moved.signed(r.bound) <= moved.signed(r.value)


@pytest.mark.parametrize("factor", [1e-310, 1e-200, 1e150])
@pytest.mark.parametrize("method, bound", RUNS)
def test_costs_of_any_magnitude(method, bound, factor):
    """Down to denormal numbers: no false bound, and no false 'optimal'."""
    for name in ("three graphs", "ties", "nothing pays"):
        m = changed(
            gallery()[name][0],
            lambda p: replace(p, cost=factor * p.cost, edge_cost=factor * p.edge_cost),
        )
        optimum = brute_force(m)
        r = gm.gm_solve_multi(m, method=method, bound=bound, maxiter=LIMIT)
        assert r.bound <= r.value and optimum <= r.value + 1e-13 * m.largest_cost
        assert r.bound <= optimum + 1e-12 * m.largest_cost, "the bound is above the optimum"
        assert r.status != "optimal" or r.gap <= 1e-9


@pytest.mark.parametrize("method, bound", RUNS)
def test_scaling_changes_no_gap(method, bound):
    m = gallery()["three graphs"][0]
    plain = gm.gm_solve_multi(m, method=method, bound=bound, maxiter=LIMIT)
    twice = changed(m, lambda p: replace(p, cost=2 * p.cost, edge_cost=2 * p.edge_cost))
    r = gm.gm_solve_multi(twice, method=method, bound=bound, maxiter=LIMIT)
    assert np.array_equal(r.flat, plain.flat) and (r.gap, r.status) == (plain.gap, plain.status)


@pytest.mark.parametrize("method, bound", RUNS)
def test_trace_only_improves_and_ends_at_the_result(method, bound):
    for name in ("four graphs", "maximised, offset"):
        m = gallery()[name][0]
        r = gm.gm_solve_multi(m, method=method, bound=bound, maxiter=LIMIT)
        cost, known = m.signed(r.trace["value"]), m.signed(r.trace["bound"])
        assert len(r.trace) and np.all(np.diff(r.trace["time"]) >= 0)
        assert 0 <= r.trace["time"][0] and r.trace["time"][-1] <= r.time + 1e-6
        assert np.all(np.diff(cost[np.isfinite(cost)]) <= 0)
        assert np.all(np.diff(known[np.isfinite(known)]) >= 0)
        assert r.trace["value"][-1] == r.value and r.trace["bound"][-1] == r.bound


@pytest.mark.parametrize("method, bound", RUNS)
def test_same_seed_same_tracks_and_inputs_untouched(method, bound):
    m = gallery()["four graphs"][0]
    before = pickle.dumps(m)
    given = dict(method=method, bound=bound, maxiter=LIMIT, seed=3)
    first, second = (gm.gm_solve_multi(m, **given) for _ in range(2))
    assert pickle.dumps(m) == before
    copied = gm.gm_solve_multi(pickle.loads(before), **given)
    for r in (second, copied):
        assert np.array_equal(r.flat, first.flat)
        assert (r.value, r.bound, r.n_iter) == (first.value, first.bound, first.n_iter)


def test_a_clock_only_cuts_the_sequence():
    """Time slices of any length: the iterates are those of the seed."""
    m = random_multi(20, (5, 6, 5, 4), density=0.8, edge_density=0.3)
    runs = [
        gm.gm_solve_multi(m, seed=1, maxiter=200, bound="cycles", time_limit=limit)
        for limit in (None, 1000.0)
    ]
    assert np.array_equal(runs[0].flat, runs[1].flat) and runs[0].bound == runs[1].bound


def campaign(count, sizes, first=0):
    """How many of so many random problems were proven; every answer is held against all
    partitions.
    """
    proven = 0
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        m = random_multi(
            seed,
            sizes,
            density=(1.0, 0.8, 0.6, 0.4)[seed % 4],
            edge_density=float(rng.choice([0.0, 0.2, 0.5, 0.9])),
            sense="min" if rng.random() < 0.7 else "max",
        )
        if rng.random() < 0.3:  # ties
            m = changed(
                m, lambda p: replace(p, cost=np.round(p.cost), edge_cost=np.round(p.edge_cost))
            )
        optimum = brute_force(m)
        method, bound = RUNS[seed % len(RUNS)]
        limit = None if rng.random() < 0.5 else int(rng.integers(1, 80))
        r = gm.gm_solve_multi(m, method=method, bound=bound, maxiter=limit, seed=seed)
        check(m, r, optimum)
        proven += r.status == "optimal"
    return proven


def test_random_problems_against_enumeration():
    assert campaign(60, (3, 3, 3)) > 10


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("sizes, count, proven", [((3, 3, 3), 3000, 300), ((3, 3, 3, 3), 300, 10)])
def test_many_random_problems_against_enumeration(sizes, count, proven):
    assert campaign(count, sizes, first=10_000) > proven  # most have a duality gap
