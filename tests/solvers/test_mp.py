"""mp, mp-mcf, mp-fw: bounds against brute force and the LP they relax, and the study's instances."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_array
from small import brute_force, random_problem

import gmtoolbox as gm

METHODS = ["mp", "mp-mcf", "mp-fw"]


def lp_value(problem):
    """Local polytope of the left model with assignment constraints, by HiGHS: what mp's bound may reach."""
    n1, n2 = problem.shape
    dummies = 0 if problem.complete else 1
    states = [list(np.flatnonzero(problem.left == u)) + [-1] * dummies for u in range(n1)]
    links = sorted({(min(i, j), max(i, j)) for i, j in zip(problem.left[problem.a], problem.left[problem.b], strict=True) if i != j})
    pair_cost = {(a, b): cost for a, b, cost in zip(problem.a, problem.b, problem.edge_cost, strict=True)}
    cost, upper, unary = [], [], {}
    for u in range(n1):
        for p in states[u]:
            unary[u, p] = len(cost)
            cost.append(problem.cost[p] if p >= 0 else 0.0)
            upper.append(1.0)
    rows, cols, values, right = [], [], [], []

    def constraint(terms, rhs):
        for column, value in terms:
            rows.append(len(right))
            cols.append(column)
            values.append(value)
        right.append(rhs)

    for u in range(n1):
        if states[u]:
            constraint([(unary[u, p], 1) for p in states[u]], 1)
    for u, v in links:
        first = len(cost)
        for p in states[u]:
            for q in states[v]:
                real = p >= 0 and q >= 0
                cost.append(pair_cost.get((min(p, q), max(p, q)), 0.0) if real else 0.0)
                upper.append(0.0 if real and problem.right[p] == problem.right[q] else 1.0)
        grid = np.arange(first, len(cost)).reshape(len(states[u]), len(states[v]))
        for k, p in enumerate(states[u]):
            constraint([(c, 1) for c in grid[k]] + [(unary[u, p], -1)], 0)
        for k, q in enumerate(states[v]):
            constraint([(c, 1) for c in grid[:, k]] + [(unary[v, q], -1)], 0)
    equal = coo_array((values, (rows, cols)), shape=(len(right), len(cost)))
    used = [(s, unary[problem.left[p], p]) for s in range(n2) for p in np.flatnonzero(problem.right == s)]
    at_most = coo_array((np.ones(len(used)), ([s for s, _ in used], [c for _, c in used])), shape=(n2, len(cost)))
    solution = linprog(cost, A_ub=at_most, b_ub=np.ones(n2), A_eq=equal, b_eq=right, bounds=[(0, x) for x in upper], method="highs")
    assert solution.status == 0
    return solution.fun + problem.offset


def problems(seed, count):
    rng = np.random.default_rng(seed)
    for k in range(count):
        n1, n2 = rng.integers(2, 6, size=2)
        complete = bool(k % 2)
        if complete and n1 > n2:
            n1, n2 = n2, n1
        signs = ["any", "nonpositive", "positive"][k % 3]
        density, edges = rng.choice([0.6, 1.0]), rng.choice([0.2, 0.6])
        yield random_problem(rng, n1, n2, density=density, edges=edges, signs=signs, complete=complete)


@pytest.mark.parametrize("method", METHODS)
def test_bounds_are_valid_at_every_step(method):
    for problem in problems(0, 60):
        optimum = brute_force(problem)
        slack = 1e-9 * (1 + np.abs(problem.edge_cost).sum())
        r = gm.gm_solve(problem, method, maxiter=300)
        assert r.trace["bound"].max() <= optimum + slack
        assert r.value >= optimum - slack


def test_bound_is_at_most_the_lp_and_gets_near_it():
    gaps = []
    for problem in problems(1, 40):
        lp, optimum = lp_value(problem), brute_force(problem)
        r = gm.gm_solve(problem, "mp", maxiter=3000)
        slack = 1e-7 * (1 + abs(lp))
        assert r.bound <= lp + slack
        gaps.append((lp - r.bound) / max(abs(optimum), 1e-3) if r.status != "optimal" else 0.0)
    assert np.mean(np.array(gaps) < 2e-3) >= 0.9


def test_triplets_tighten():
    """Where mp leaves a gap, mp-mcf's bound is strictly better."""
    left_open = better = 0
    for problem in problems(2, 60):
        plain = gm.gm_solve(problem, "mp", maxiter=2000)
        if plain.gap > 1e-3:
            left_open += 1
            better += gm.gm_solve(problem, "mp-mcf", maxiter=2000).bound > plain.bound + 1e-6 * abs(plain.bound)
    assert left_open >= 5 and better >= 0.9 * left_open


@pytest.mark.parametrize("method", METHODS)
def test_ends_by_itself(method):
    for problem in problems(3, 12):
        assert gm.gm_solve(problem, method).status in ("optimal", "converged")


def test_time_slices_do_not_matter(monkeypatch):
    import gmtoolbox.kernels as kernels

    problem = random_problem(np.random.default_rng(4), 7, 7, edges=0.3, complete=True)
    runs = []
    for slice_ in (0.05, 1e-6):
        monkeypatch.setattr(kernels, "SLICE", slice_)
        runs.append(gm.gm_solve(problem, "mp-fw", maxiter=200))
    assert np.array_equal(runs[0].labels, runs[1].labels) and runs[0].bound == runs[1].bound


@pytest.mark.data
@pytest.mark.parametrize("method, instance", [("mp", "car19"), ("mp-mcf", "car1"), ("mp", "house-dense3"), ("mp-fw", "motor4")])
def test_proves_the_optimum(data, method, instance):
    problem = gm.load(data / instance.rstrip("0123456789") / f"{instance}.dd.xz", complete=True)
    r = gm.gm_solve(problem, method, maxiter=400)
    assert r.status == "optimal"
