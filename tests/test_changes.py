"""What changing a match costs, against brute force: never above it, exact where there is time."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest
from aj_reference import draw
from repetition import times
from small import FORMS, matchings, problem_with, random_problem

import gmtoolbox as gm
from gmtoolbox import changes


def true_changes(problem, labels):
    """(n1,) what the best matching without each match costs more; nan for unmatched nodes."""
    cost = problem.total_cost(labels)
    true = np.where(labels >= 0, np.inf, np.nan)
    for other in matchings(problem):
        lacking = (np.array(other) != labels) & (labels >= 0)
        change = problem.total_cost(np.array(other)) - cost
        true[lacking] = np.minimum(true[lacking], change)
    return true


def rounding(problem):
    """What adding up all costs, once here and once there, may be off by."""
    total = np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum()
    return 1e-14 * (total + abs(problem.offset))


def any_matching(problem, rng):
    every = list(matchings(problem))
    return np.array(every[rng.integers(len(every))], dtype=np.int32) if every else None


def as_result(problem, labels):
    """A result of which nothing is proven."""
    made = gm.gm_solve(problem, maxiter=1)
    sign = 1 if problem.sense == "min" else -1
    return replace(
        made, labels=labels, value=problem.energy(labels), bound=-sign * math.inf,
        gap=math.inf, status="time_limit", extra={},
    )  # fmt: skip


def check_valid(problem, labels, sure):
    costs = problem.as_costs()
    true = true_changes(costs, labels)
    assert np.array_equal(np.isnan(sure), labels < 0)
    matched = labels >= 0
    assert np.all(sure[matched] <= true[matched] + rounding(costs)), (sure, true)
    return true


def any_problem(seed):
    """One of every kind, with an offset, maximised at times."""
    rng = np.random.default_rng(seed)
    if seed % 4 == 3:
        form = FORMS[rng.integers(1, len(FORMS))]
        problem = problem_with(form, rng, *rng.integers(2, 5, 2), complete=bool(rng.integers(2)))
    else:
        problem = draw(rng)
    return problem if rng.integers(2) else replace(problem, sense="max"), rng


def check_forced(seeds):
    """The bounds of all matches at once, for optimal and for other matchings."""
    sharp = total = 0
    for seed in seeds:
        problem, rng = any_problem(seed)
        labels = any_matching(problem, rng)
        if labels is None:
            continue
        costs = problem.as_costs().without_offset().materialise()
        if rng.integers(2):
            labels = gm.gm_solve(problem).labels
        taken, without = changes.bound_changes(costs, labels, 5.0)
        least = np.full(costs.n_candidates, np.inf)
        for other in matchings(costs):
            of_other = costs.candidates_of(np.array(other))
            least[of_other] = np.minimum(least[of_other], costs.total_cost(np.array(other)))
        assert np.all(taken <= least + rounding(costs)), seed
        true = check_valid(
            problem, labels, np.where(labels < 0, np.nan, without) - costs.total_cost(labels)
        )
        finite = np.isfinite(true)
        sharp += np.count_nonzero(
            without[finite] - costs.total_cost(labels) >= true[finite] - 1e-3 * costs.largest_cost
        )
        total += np.count_nonzero(finite)
    return sharp / max(total, 1)


def test_forced_bounds_never_pass_what_a_candidate_costs():
    assert check_forced(range(times(200))) > 0.5  # and are no idle talk


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_forced_bounds_of_thousands():
    check_forced(range(1000, 9000))


def check_confidence(seeds, seconds):
    for seed in seeds:
        problem, rng = any_problem(seed)
        labels = any_matching(problem, rng)
        if labels is None:
            continue
        result = gm.gm_solve(problem) if seed % 2 else as_result(problem, labels)
        sure = changes.confidence(problem, result, seconds)
        true = check_valid(problem, result.labels, sure)
        if result.status == "optimal":  # below zero by its gap at most
            cost = problem.as_costs().without_offset().total_cost(result.labels)
            open_gap = 1e-9 * max(abs(cost), problem.largest_cost)
            least = 0.0 if result.gap == 0 else -open_gap - rounding(problem)
            assert np.all(sure[result.labels >= 0] >= least)
        if seconds >= 1:
            finite = np.isfinite(true)
            cost = problem.as_costs().total_cost(result.labels)
            scale = np.maximum(problem.largest_cost, abs(cost) + np.abs(true[finite]))
            assert np.all(sure[finite] >= true[finite] - 1e-8 * scale), (seed, sure, true)


@pytest.mark.parametrize("seconds", [1e-3, 5.0])
def test_confidence_is_valid_and_with_time_exact(seconds):
    check_confidence(range(times(60)), seconds)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("seconds", [1e-3, 5.0])
def test_confidence_of_thousands(seconds):
    check_confidence(range(1000, 4000), seconds)


def test_an_offset_changes_nothing():
    problem = gm.synth.hotel(seed=1, size=6)
    plain = gm.gm_solve(problem).confidence
    for offset in (1e9, -1e15, 0.1):
        far = replace(problem, offset=offset)
        assert gm.gm_solve(far).confidence == pytest.approx(plain, rel=1e-5)


def test_below_zero_where_nothing_is_proven():
    """A poor matching: giving up some of its matches saves something, and that is told."""
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [-1.0, -3.0, -3.0, -1.0])
    result = as_result(problem, np.array([0, 1], dtype=np.int32))
    assert result.confidence == pytest.approx([-4.0, -4.0])


def test_a_match_that_every_matching_has():
    problem = gm.Problem((2, 2), [0, 1, 1], [0, 0, 1], [1.0, 1.0, 1.0], complete=True)
    assert gm.gm_solve(problem).confidence.tolist() == [np.inf, np.inf]


def test_of_a_problem_beyond_all_lists_only_the_bound_is_told(monkeypatch):
    problem = gm.synth.car(seed=0, size=5)
    result = gm.gm_solve(problem)
    monkeypatch.setattr(changes, "MOST_CANDIDATES", 24)
    assert changes.confidence(problem, result) == pytest.approx([0.0] * 5, abs=1e-4)


def test_nothing_matched():
    problem = gm.Problem((2, 2), [0, 1], [0, 1], [1.0, 1.0])
    assert np.all(np.isnan(gm.gm_solve(problem).confidence))


@pytest.mark.parametrize("complete", [False, True])
def test_alternatives_are_matchings_without_the_match(complete):
    rng = np.random.default_rng(3)
    for _ in range(40):
        n1, n2 = rng.integers(2, 6, 2)
        problem = random_problem(rng, n1, n2, density=0.8, complete=complete)
        labels = gm.gm_solve(problem).labels
        upper = changes.alternative_costs(problem, labels)
        true = true_changes(problem, labels) + problem.total_cost(labels)
        matched = labels >= 0
        assert np.all(upper[matched] >= true[matched] - 1e-9)
        assert np.all(upper[~matched] == np.inf)


def test_all_at_once_is_much_where_there_is_no_time():
    """Forty matches, and time for none of the solves that would tell them one by one."""
    problem = gm.synth.motor(seed=0, size=40)
    result = gm.gm_solve(problem, time_limit=20)
    costs = problem.as_costs().without_offset()
    _, without = changes.bound_changes(costs, result.labels, 20.0)
    gain = without - costs.total_cost(result.labels)
    assert np.median(gain) > 0


def test_time_is_kept():
    problem = gm.synth.motor(seed=1, size=40)
    result = gm.gm_solve(problem, time_limit=20)
    begin = time.thread_time()
    changes.confidence(problem, result, 0.2)
    assert time.thread_time() - begin < 2.0


def test_confidence_is_kept_and_needs_the_problem(tmp_path):
    problem = gm.synth.car(seed=0, size=5)
    result = gm.gm_solve(problem)
    result.confidence  # noqa: B018
    result.save(tmp_path / "r.json")
    assert gm.load_result(tmp_path / "r.json").confidence == pytest.approx(result.confidence)
    assert "confidence" in gm.plot.matching(problem, result)
    with pytest.raises(gm.InputError, match="confidence needs the Problem, which is gone"):
        gm.gm_solve(np.eye(4)).confidence  # noqa: B018


def test_a_file_or_a_matrix_is_enough(tmp_path):
    """As long as it is there, and as it was."""
    K, file = np.diag([5.0, 1.0, 1.0, 5.0]), tmp_path / "p.mat"
    gm.save(gm.Problem.from_matrix(K), file)
    assert gm.gm_solve(K).confidence.tolist() == [8.0, 8.0]
    assert gm.gm_solve(K, shape=(2, 2), complete=False).confidence.tolist() == [5.0, 5.0]
    result, partial = gm.gm_solve(file), gm.gm_solve(str(file), complete=False)
    assert result.confidence.tolist() == [8.0, 8.0]
    assert partial.confidence.tolist() == [5.0, 5.0]
    result = gm.gm_solve(K)
    K[0, 0] = 7.0
    with pytest.raises(gm.InputError, match="it has changed since"):
        result.confidence  # noqa: B018
    result = gm.gm_solve(K)
    K[1, 1] = 2.0  # an entry that the matching does not use: its value stays, the answer would not
    assert gm.Problem.from_matrix(K).energy(result.labels) == result.value
    with pytest.raises(gm.InputError, match="it has changed since"):
        result.confidence  # noqa: B018
    result = gm.gm_solve(file)
    gm.save(gm.Problem.from_matrix(np.diag([5.0, 2.0, 1.0, 5.0])), file)
    with pytest.raises(gm.InputError, match="it has changed since"):
        result.confidence  # noqa: B018
    file.unlink()
    with pytest.raises(gm.InputError, match="which is gone"):
        result.confidence  # noqa: B018
    problem = gm.synth.car(seed=0, size=5)
    assert gm.gm_solve(problem, complete=False).confidence.min() >= 0


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_integer_costs_give_integers_however_long_the_first_solve_takes(monkeypatch, seconds):
    """Whether all matches are looked at together depends on the clock, the answer does not."""
    monkeypatch.setattr(changes, "seconds_for_all", lambda *_: seconds)
    K = np.diag([5.0, 1.0, 1.0, 5.0])
    assert gm.gm_solve(K, shape=(2, 2), complete=False).confidence.tolist() == [5.0, 5.0]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 4, 4, complete=False)
        problem = replace(
            problem, cost=np.rint(problem.cost * 9), edge_cost=np.rint(problem.edge_cost * 9)
        )
        result = gm.gm_solve(problem)
        true = true_changes(problem, result.labels)
        assert np.array_equal(result.confidence, true, equal_nan=True)


def test_confidence_of_a_maximised_problem_is_positive():
    problem = gm.Problem.from_matrix(np.diag([5.0, 1.0, 1.0, 5.0]))
    assert gm.gm_solve(problem).confidence.tolist() == [8.0, 8.0]
