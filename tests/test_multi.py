"""gm_solve_multi and synchronise: right against enumeration, repeatable, within their limits."""

import pickle
import time

import numpy as np
import pytest
from multi_cases import brute_force, random_multi

import gmtoolbox as gm
from gmtoolbox.core.tracks import cycle_consistency


def check_answer(m, r):
    """What every answer must hold."""
    assert [len(own) for own in r.tracks] == list(m.sizes)
    assert r.value == pytest.approx(m.energy(r.tracks), rel=1e-12, abs=1e-12)
    flat = np.concatenate(r.tracks)
    first = np.unique(flat, return_index=True)[1]
    assert (np.diff(first) > 0).all() and flat.min() == 0  # numbered by first appearance
    better = r.value <= r.bound if m.sense == "max" else r.bound <= r.value
    assert better
    assert r.status in ("optimal", "converged", "time_limit", "iteration_limit")
    matchings = {(g, h): r.labels(g, h) for g, h in m.pairs}
    assert cycle_consistency(matchings, m.sizes) in (1.0, pytest.approx(np.nan, nan_ok=True))
    for (g, h), labels in matchings.items():
        assert np.array_equal(
            np.flatnonzero(labels >= 0), np.sort(r.labels(h, g)[r.labels(h, g) >= 0])
        )
    assert sum(len(clique) for clique in r.cliques) == m.n_nodes
    if len(r.trace):
        assert r.trace["value"][-1] == pytest.approx(r.value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("bound", ["pairs", "auto", "cycles", "none"])
@pytest.mark.parametrize("seed", range(6))
def test_three_graphs_against_enumeration(seed, bound):
    m = random_multi(seed, (3, 3, 3) if seed % 2 else (2, 4, 3), density=(1.0, 0.7, 0.5)[seed % 3])
    optimum = brute_force(m)
    r = gm.gm_solve_multi(m, bound=bound)
    check_answer(m, r)
    assert r.value == pytest.approx(optimum, abs=1e-9)
    assert r.bound <= optimum + 1e-9
    if r.status == "optimal":
        assert r.value == pytest.approx(optimum, abs=1e-6 * max(1, abs(optimum)))


@pytest.mark.parametrize(
    "seed, sizes",
    [(0, (3, 2, 3, 2)), *(pytest.param(k, (3,) * 4, marks=pytest.mark.long) for k in range(3))],
)
def test_four_graphs_against_enumeration(seed, sizes):
    m = random_multi(100 + seed, sizes, density=0.6)
    optimum = brute_force(m)
    for bound in ("pairs", "cycles"):
        r = gm.gm_solve_multi(m, bound=bound, seed=seed)
        check_answer(m, r)
        assert r.value == pytest.approx(optimum, abs=1e-9)
        assert r.bound <= optimum + 1e-9


def test_maximised_and_with_offsets():
    m = random_multi(3, (3, 3, 3), sense="max", offset=2.5)
    r = gm.gm_solve_multi(m, bound="cycles")
    check_answer(m, r)
    assert m.offset == 7.5
    assert r.value == pytest.approx(-brute_force(m), abs=1e-9)
    shifted = random_multi(3, (3, 3, 3), sense="max")
    s = gm.gm_solve_multi(shifted, bound="cycles")
    assert s.gap == pytest.approx(r.gap, rel=1e-6, abs=1e-12) and s.status == r.status


def test_the_same_seed_gives_the_same_tracks_whatever_the_clock():
    m = random_multi(0, (8, 9, 7, 8, 6), density=0.8, edge_density=0.2)
    runs = [gm.gm_solve_multi(m, seed=5, maxiter=300) for _ in range(2)]
    runs.append(gm.gm_solve_multi(m, seed=5, maxiter=300, time_limit=60, progress=lambda *_: None))
    for r in runs:
        check_answer(m, r)
        assert r.value == runs[0].value and r.bound == runs[0].bound and r.n_iter == 300
        assert r.status == "iteration_limit"
        assert all(np.array_equal(x, y) for x, y in zip(r.tracks, runs[0].tracks, strict=True))
    again = gm.gm_solve_multi(m, seed=6, maxiter=300)
    assert again.seed == 6


def test_time_limit_and_trace():
    m = random_multi(1, (12,) * 6, density=0.8, edge_density=0.1)
    began = time.process_time()
    r = gm.gm_solve_multi(m, time_limit=0.3)
    assert time.process_time() - began < 5.0  # CPU: machines are shared
    check_answer(m, r)
    assert r.status == "time_limit"
    assert (np.diff(r.trace["time"]) >= 0).all() and (np.diff(r.trace["value"]) <= 0).all()
    bounds = r.trace["bound"][np.isfinite(r.trace["bound"])]
    assert (np.diff(bounds) >= 0).all()


def test_a_warm_start_is_never_lost():
    m = random_multi(2, (6, 7, 5, 6), density=0.8, edge_density=0.3)
    r = gm.gm_solve_multi(m, time_limit=0.3, bound="none")
    again = gm.gm_solve_multi(m, init=r.tracks, maxiter=1)
    assert again.value <= r.value + 1e-9
    with pytest.raises(gm.InputError, match="join|forbidden"):
        wrong = [np.arange(n) for n in m.sizes]
        for seed in range(20):
            sparse = random_multi(seed, m.sizes, density=0.3)
            gm.gm_solve_multi(sparse, init=wrong, maxiter=1)


def test_progress_tells_tracks_of_their_value():
    m = random_multi(4, (5, 5, 5), density=0.9, edge_density=0.3)
    told = []
    r = gm.gm_solve_multi(m, progress=lambda event, tracks, k: told.append((event, tracks)))
    values = [(event[1], tracks) for event, tracks in told if tracks is not None]
    assert values
    for value, tracks in values:
        assert m.energy(tracks) == pytest.approx(value, abs=1e-9)
    assert values[-1][0] == pytest.approx(r.value)


def test_pairs_that_agree_are_proven_at_once():
    rng = np.random.default_rng(0)
    order = [rng.permutation(6) for _ in range(5)]
    pairs = {}
    for g in range(5):
        for h in range(g + 1, 5):
            cost = np.where(order[g][:, None] == order[h], -1.0, 0.5)
            right, left = (x.ravel() for x in np.meshgrid(range(6), range(6), indexing="ij"))
            pairs[g, h] = gm.Problem((6, 6), left, right, cost[left, right])
    m = gm.MultiProblem(pairs, truth=order)
    r = gm.gm_solve_multi(m)
    assert r.status == "optimal" and r.value == -60 and r.gap <= 1e-6
    assert gm.track_f1(r.tracks, m.truth) == 1.0


@pytest.mark.parametrize("sense, none", [("min", -np.inf), ("max", np.inf)])
def test_no_bound_is_the_infinity_on_its_side(sense, none):
    pair = gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, -2.0], sense=sense)
    pairs = {(0, 1): pair, (0, 2): pair, (1, 2): pair}
    r = gm.gm_solve_multi(gm.MultiProblem(pairs), bound="none", maxiter=1)
    assert r.bound == none and r.status != "optimal" and np.isinf(r.gap)


def test_nothing_worth_matching_is_proven_too():
    one = gm.Problem((2, 2), [0, 1], [0, 1], [1.0, 2.0])
    r = gm.gm_solve_multi({(0, 1): one, (0, 2): one, (1, 2): one})
    assert r.value == 0 and r.status == "optimal" and r.n_tracks == 0
    assert [own.tolist() for own in r.tracks] == [[0, 1], [2, 3], [4, 5]]


def test_pairs_without_candidates_keep_their_graphs_apart():
    one = gm.Problem((1, 1), [0], [0], [-1.0])
    m = gm.MultiProblem({(0, 1): one, (0, 2): one, (1, 2): None})
    r = gm.gm_solve_multi(m)
    assert r.value == -1 and r.labels(1, 2).tolist() == [-1]
    with pytest.raises(gm.InputError, match="no candidates"):
        m.energy([[0], [0], [0]])


def test_sync_method_keeps_to_allowed_pairs():
    m = random_multi(7, (6, 6, 6, 6), density=0.6, edge_density=0.2)
    check_answer(m, gm.gm_solve_multi(m, method="sync"))


def noisy_matchings(rng, d, n, wrong):
    order = [rng.permutation(n) for _ in range(d)]
    given = {}
    for g in range(d):
        for h in range(g + 1, d):
            labels = np.argsort(order[h])[order[g]]
            for _ in range(wrong):
                i, j = rng.choice(n, 2, replace=False)
                labels[i], labels[j] = labels[j], labels[i]
            labels[rng.random(n) < 0.1] = -1
            given[g, h] = labels
    return order, given


@pytest.mark.parametrize("method", ["consensus", "spectral"])
def test_synchronise_mends_wrong_matches(method):
    order, given = noisy_matchings(np.random.default_rng(0), 8, 10, 1)
    assert cycle_consistency(given, [10] * 8) < 0.9
    r = gm.synchronise(given, [10] * 8, method=method)
    kept = sum(
        int(np.count_nonzero((r.labels(g, h) == labels) & (labels >= 0)))
        for (g, h), labels in given.items()
    )
    assert r.value == kept
    assert gm.track_f1(r.tracks, order) > 0.97


def test_synchronise_joins_only_what_matches_connect():
    r = gm.synchronise({(0, 1): [0, -1]}, (2, 2, 2))
    assert [own.tolist() for own in r.tracks] == [[0, 1], [0, 2], [3, 4]]


@pytest.mark.parametrize(
    "given, sizes, said",
    [
        ({(1, 0): [0]}, (1, 1), "0 <= g < h"),
        ({(0, 1): [0, 0]}, (2, 2), "one-to-one"),
        ({(0, 1): [5, 0]}, (2, 2), "-1..1"),
        ({(0, 1): [0]}, (2, 2), "2 integers"),
        ({}, (2,), "two graphs"),
    ],
)
def test_synchronise_refuses(given, sizes, said):
    with pytest.raises(gm.InputError, match=said):
        gm.synchronise(given, sizes)


def test_track_f1():
    truth = [[0, 1, -1], [0, 1], [1, 0]]
    assert gm.track_f1(truth, truth) == 1.0
    assert gm.track_f1([[0, 1, 2], [0, 1], [0, 1]], truth) == pytest.approx(2 * 2 / (6 + 6))
    assert np.isnan(gm.track_f1([[0], [1]], [[-1], [-1]]))


@pytest.mark.parametrize(
    "change, said",
    [
        ({"method": "magic"}, "method must be one of"),
        ({"bound": "cycle"}, "did you mean 'cycles'"),
        ({"maxiter": 0}, "maxiter"),
        ({"time_limit": -1}, "time_limit"),
        ({"seed": -1}, "seed"),
        ({"init": [[0], [0]]}, "one array per graph"),
    ],
)
def test_bad_arguments(change, said):
    with pytest.raises(gm.InputError, match=said):
        gm.gm_solve_multi(random_multi(0, (2, 2, 2)), **change)


def test_bad_multi_problems():
    p = gm.Problem((1, 1), [0], [0], [-1.0])
    wide = gm.Problem((1, 2), [0], [0], [-1.0])
    most = gm.Problem((1, 1), [0], [0], [-1.0], sense="max")
    whole = gm.Problem((1, 1), [0], [0], [-1.0], complete=True)
    for pairs, said in (
        ({}, "at least one pair"),
        ({(0, 2): p, (0, 1): p}, r"\(1, 2\) is missing"),
        ({(0, 1): p, (1, 0): p}, "twice"),
        ({(0, 0): p}, "two different graphs"),
        ({(0, 1): p, (0, 2): p, (1, 2): wide}, "graph 2 must have one size"),
        ({(0, 1): p, (0, 2): p, (1, 2): most}, "one sense"),
        ({(0, 1): whole}, "complete"),
        ({(0, 1): 3}, "must be a Problem"),
        ({"01": p}, "keyed by"),
    ):
        with pytest.raises(gm.InputError, match=said):
            gm.MultiProblem(pairs)
    with pytest.raises(gm.InputError, match="gm_solve matches two"):
        gm.gm_solve_multi(p)


def test_multi_problems_pickle_compare_and_turn_around():
    m = random_multi(5, (2, 3, 4), density=0.7)
    assert pickle.loads(pickle.dumps(m)) == m
    turned = {(h, g): gm.Problem(p.shape[::-1], p.right, p.left, p.cost, p.a, p.b, p.edge_cost)
              for (g, h), p in m.pairs.items()}  # fmt: skip
    assert gm.MultiProblem(turned) == m
    assert random_multi(6, (2, 3, 4)) != m
    with pytest.raises(AttributeError):
        m.sizes = (1, 2, 3)


@pytest.mark.parametrize("suffix", [".json", ".mat", ".csv", ".h5", ".npz"])
def test_results_are_kept(tmp_path, suffix):
    r = gm.gm_solve_multi(random_multi(1, (3, 2, 4)), bound="pairs")
    path = tmp_path / f"r{suffix}"
    r.save(path)
    again = gm.load_result(path)
    assert again == r and again.sizes == (3, 2, 4) and again.gap == r.gap
    assert all(np.array_equal(x, y) for x, y in zip(again.tracks, r.tracks, strict=True))
    assert "over 3 graphs" in r.summary()
    assert pickle.loads(pickle.dumps(r)) == r


@pytest.mark.parametrize("seconds", [1e-9, 1e-6, 1e-4])
def test_limits_that_are_over_before_the_set_up(seconds):
    pairs = {pair: gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, -2.0]) for pair in PAIRS_OF_THREE}
    for method in ("mgm", "sync"):
        r = gm.gm_solve_multi(gm.MultiProblem(pairs), method=method, time_limit=seconds)
        assert r.value in (0.0, -3.0, -6.0, -9.0) and r.bound <= -9.0
    init = [np.arange(2)] * 3
    assert gm.gm_solve_multi(pairs, init=init, time_limit=seconds).value == -9.0
    given = {(0, 1): [0, 1], (0, 2): [1, 0], (1, 2): [0, 1]}
    for method in ("consensus", "spectral"):
        assert gm.synchronise(given, (2, 2, 2), method=method, time_limit=seconds).value <= 4.0


PAIRS_OF_THREE = ((0, 1), (0, 2), (1, 2))
