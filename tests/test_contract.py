"""The contract: what every registered method promises on every small problem (CONTRIBUTING.md, "Add
a solver").
"""

import pickle
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.optimize  # noqa: F401  a busy machine takes seconds to import it: no part of a run
from bad_options import bad_values
from named_case import named_case
from repetition import times
from small import brute_force, check_claims, gallery, matchings, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InfeasibleError, InputError, OptionError

METHODS = [method.name for method in gm.gm_methods()]
TIME_LIMIT = 2.0  # wall seconds a small problem may take; a test hangs for none of them


def solve(problem, method, **options):
    return gm.gm_solve(problem, method, **{"time_limit": TIME_LIMIT, "seed": 0, **options})


def limited(method):
    """A small iteration limit: a sequence of iterates that no clock can cut."""
    maxiter = next(
        option for option in gm.registry.get_solver(method).options if option.name == "maxiter"
    )
    return min(maxiter.default or 30, 30)


def is_proven(problem, r, optimum):
    """Whether an answer is as good as 'optimal' promises, by the true optimum: both costs go
    without the offset.
    """
    entries = np.abs(np.concatenate([problem.cost, problem.edge_cost]))
    cost = problem.without_offset().total_cost(r.labels)
    largest = entries.max(initial=0.0)
    rounding = 1e-15 * len(entries) * largest  # of the two sums that are compared
    return cost - optimum <= max(problem.tolerance, problem.cost_error(r.labels)) + rounding


@pytest.mark.parametrize("method", METHODS)
def test_answer_is_valid(method):
    for name, (problem, optimum) in gallery().items():
        with named_case(name):
            r = solve(problem, method)
            assert r.labels.shape == (problem.shape[0],) and np.issubdtype(
                r.labels.dtype, np.integer
            )
            assert r.value == problem.energy(r.labels)  # also checks one-to-one and allowed pairs
            assert not problem.complete or problem.is_complete_matching(r.labels)

            slack = 1e-11 * (
                np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum() + abs(problem.offset)
            )
            _, bound = check_claims(problem, r, optimum, slack)
            assert r.status != "optimal" or is_proven(problem, r, optimum - problem.offset)
            has_bound = gm.registry.get_solver(method).has_bound
            assert has_bound or not np.isfinite(bound)
            assert r.time <= TIME_LIMIT * 1.5 + 1
            if r.scores is not None:
                assert r.scores.shape == problem.shape
            assert np.array_equal(r.X.sum(1), (r.labels >= 0).astype(float))


OFFSET_CASES = ("partial 4x4", "complete 5x3", "maximised", "conflicting edges")


@pytest.mark.parametrize("method", METHODS)
def test_an_offset_changes_neither_answer_nor_gap_nor_status(method):
    """Also not one that cancels the value, or one beside which no cost can be seen."""
    options = {"maxiter": limited(method), "time_limit": None}
    for name in OFFSET_CASES:
        problem = gallery()[name][0].without_offset()
        plain = solve(problem, method, **options)
        cost = problem.signed(plain.value)
        for offset in (-cost, -cost * (1 - 1e-9), -cost + 1e-3, 1e12, -1e12):
            moved = replace(problem, offset=offset)
            r = solve(moved, method, **options)
            assert np.array_equal(r.labels, plain.labels) and r.n_iter == plain.n_iter
            assert (r.gap, r.status) == (plain.gap, plain.status)
            assert r.value == moved.energy(r.labels)
            assert moved.signed(r.bound) <= moved.signed(r.value)
            exact = (
                Fraction(problem.signed(plain.bound)) + Fraction(offset)
                if np.isfinite(plain.bound)
                else -np.inf
            )
            assert moved.signed(r.bound) <= exact, "the sum was rounded to the wrong side"
            assert np.all(moved.signed(r.trace["bound"]) <= moved.signed(r.trace["value"]))


@pytest.mark.parametrize("factor", [1e-310, 1e-200, 1e150])
@pytest.mark.parametrize("method", METHODS)
def test_costs_of_any_magnitude(method, factor):
    """Down to denormal numbers: no false bound, and no false 'optimal'."""
    for name in ("partial 4x4", "complete 4x4, forbidden pairs", "maximised", "ties"):
        problem = gallery()[name][0].without_offset()
        problem = replace(problem, cost=factor * problem.cost, edge_cost=factor * problem.edge_cost)
        optimum = brute_force(problem)
        r = solve(problem, method)
        cost, bound = problem.signed(r.value), problem.signed(r.bound)
        largest = problem.largest_cost
        assert optimum <= cost + 1e-13 * largest and bound <= cost
        assert bound <= optimum + 1e-13 * largest, "the bound is above the optimum"
        assert r.status != "optimal" or r.gap <= 1e-9
        assert r.status != "optimal" or is_proven(problem, r, optimum)


@pytest.mark.parametrize("method", METHODS)
def test_trace_only_improves_and_ends_at_the_result(method):
    for name in ("partial 4x4", "maximised", "6x6"):
        problem, _ = gallery()[name]
        r = solve(problem, method)
        assert r.trace.dtype.names == ("time", "value", "bound") and len(r.trace)
        cost, bound = problem.signed(r.trace["value"]), problem.signed(r.trace["bound"])
        assert (
            np.all(np.diff(r.trace["time"]) >= 0)
            and 0 <= r.trace["time"][0]
            and r.trace["time"][-1] <= r.time + 1e-6
        )
        assert np.all(np.diff(cost[np.isfinite(cost)]) <= 0) and np.all(
            np.diff(bound[np.isfinite(bound)]) >= 0
        )
        assert r.trace["value"][-1] == r.value and r.trace["bound"][-1] == r.bound


def symmetric_problem():
    """A cycle mapped to itself: every start that treats all pairs alike is an eigenvector."""
    node = np.arange(16)
    steps = abs(node[:, None] - node)
    cycle = np.minimum(steps, 16 - steps)
    return gm.models.from_koopmans_beckmann(cycle, cycle)


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_answer(method):
    problems = [gallery()[name][0] for name in ("partial 3x5, forbidden pairs", "6x6", "ties")]
    if method != "ilp":  # symmetries make it slow
        problems.append(symmetric_problem())
    for problem in problems:
        first, second = (
            solve(problem, method, seed=7, maxiter=limited(method), time_limit=None)
            for _ in range(2)
        )
        assert np.array_equal(first.labels, second.labels)
        assert (first.value, first.bound, first.n_iter) == (
            second.value,
            second.bound,
            second.n_iter,
        )


@pytest.mark.parametrize("method", METHODS)
def test_input_is_untouched_and_result_pickles(method):
    problem, _ = gallery()["complete 3x5"]
    before = pickle.dumps(problem)
    K = random_problem(np.random.default_rng(5), 3, 3, complete=True, sense="max").K.toarray()
    copy = K.copy()
    solve(K, method)
    assert np.array_equal(K, copy)
    r = pickle.loads(pickle.dumps(solve(problem, method)))
    assert pickle.dumps(problem) == before
    assert problem.energy(r.labels) == r.value


@pytest.mark.parametrize("method", METHODS)
def test_dense_sparse_problem_and_file_agree(method, tmp_path):
    problem = random_problem(np.random.default_rng(3), 4, 4, complete=True, sense="max")
    options = {"maxiter": limited(method), "time_limit": None}
    answers = [solve(K, method, **options) for K in (problem, problem.K, problem.K.toarray())]
    costs = random_problem(np.random.default_rng(4), 4, 4)
    gm.save(costs, tmp_path / "costs.dd")
    for group in (
        answers,
        [solve(costs, method, **options), solve(tmp_path / "costs.dd", method, **options)],
    ):
        for r in group[1:]:
            assert np.array_equal(r.labels, group[0].labels)
            assert r.value == pytest.approx(group[0].value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_max_is_min_of_the_negative(method):
    K = random_problem(np.random.default_rng(6), 4, 4, complete=True, sense="max").K
    most, least = (
        solve(M, method, sense=sense, maxiter=limited(method), time_limit=None)
        for M, sense in ((K, "max"), (-K, "min"))
    )
    assert np.array_equal(most.labels, least.labels)
    assert (most.value, most.bound) == (-least.value, -least.bound)


@pytest.mark.parametrize("method", METHODS)
def test_bad_options_are_refused(method):
    problem, _ = gallery()["partial 4x4"]
    for option in gm.registry.get_solver(method).options:
        for value in bad_values(option):
            with pytest.raises(OptionError, match=option.name):
                gm.gm_solve(problem, method, **{option.name: value})
    with pytest.raises(OptionError, match="maxiter"):
        gm.gm_solve(problem, method, maxitr=3)


@pytest.mark.parametrize("method", METHODS)
def test_init_is_used_or_refused(method):
    problem, _ = gallery()["complete 4x4"]
    start = solve(problem, method).labels
    if gm.registry.get_solver(method).takes_init:
        r = solve(problem, method, init=start)
        assert r.value <= problem.energy(start) + 1e-12
        with pytest.raises(InputError, match="labels"):
            solve(problem, method, init=[0, 0, 1, 2])
    else:
        with pytest.raises(InputError, match="init"):
            solve(problem, method, init=start)


@pytest.mark.parametrize("method", METHODS)
def test_no_complete_matching_is_an_error(method):
    impossible = gm.Problem((2, 2), [0, 1], [0, 0], [1.0, 2.0], complete=True)
    with pytest.raises(InfeasibleError, match="only 1"):
        solve(impossible, method)


@pytest.mark.parametrize("method", METHODS)
def test_time_limit_is_kept(method):
    """Generous, since the machine may be busy; the exact promise is measured in tests/bench."""
    problem = random_problem(np.random.default_rng(8), 25, 30, density=0.4, edges=0.05)
    begin = time.process_time()
    r = solve(problem, method, time_limit=0.2)
    assert min(r.time, time.process_time() - begin) < 1.5
    assert r.value == problem.energy(r.labels)


def exact_cost(problem, labels):
    """Cost of a matching without the offset, in exact arithmetic."""
    chosen = set(problem.candidates_of(np.asarray(labels)).tolist())
    unary = sum((Fraction(float(problem.cost[k])) for k in chosen), Fraction(0))
    edges = zip(problem.a.tolist(), problem.b.tolist(), problem.edge_cost.tolist(), strict=True)
    return unary + sum(Fraction(cost) for a, b, cost in edges if a in chosen and b in chosen)


def exact_campaign(seeds):
    """Tiny problems of all kinds and magnitudes, offsets that cancel or drown the value: no bound
    above the value, none above the true optimum by more than the value's own rounding, and no
    'optimal' that exact arithmetic denies.
    """
    proving = [method.name for method in gm.gm_methods() if method.has_bound]
    proving.remove("ilp")  # as good as its solver's tolerances
    for seed in seeds:
        rng = np.random.default_rng(seed)
        problem = random_problem(
            rng,
            *rng.integers(1, 5, 2).tolist(),
            density=rng.choice([0.6, 1.0]),
            edges=rng.choice([0.0, 0.3, 0.9]),
            signs=rng.choice(["any", "nonpositive", "positive"]),
            complete=bool(rng.integers(2)),
            integer=rng.integers(4) == 0,
            scale=10.0 ** rng.choice([0, 0, 0, -9, 9, -310, -150, 150]),
        )
        best = min(exact_cost(problem, labels) for labels in matchings(problem))
        cancelling = -float(best) * (1 + float(rng.choice([0, 1e-9, 1e-3])))
        offset = float(rng.choice([0, 1e12, -1e12, rng.normal(), cancelling]))
        moved, largest = replace(problem, offset=offset), Fraction(problem.largest_cost)
        for method in proving:
            r = gm.gm_solve(moved, method, seed=seed, maxiter=60)
            assert r.bound <= r.value, (seed, method)
            if np.isfinite(r.bound):
                above = Fraction(r.bound) - best - Fraction(offset)
                assert above <= Fraction(1e-15) * largest, (seed, method)
            if r.status == "optimal":
                cost = exact_cost(problem, r.labels)
                closed = max(moved.tolerance, moved.cost_error(r.labels))
                assert cost - best <= Fraction(closed), (seed, method)
                assert closed <= 2e-9 * problem.largest_cost


def test_bounds_and_proofs_in_exact_arithmetic():
    exact_campaign(range(times(150)))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_bounds_and_proofs_in_exact_arithmetic_thousands_of_times():
    exact_campaign(range(1000, 6000))
