"""mp, mp-mcf, mp-fw: bounds against brute force, and the study's instances."""

import numpy as np
import pytest
from small import brute_force, in_slices, random_problem

import gmtoolbox as gm

METHODS = ["mp", "mp-mcf", "mp-fw"]


def problems(seed, count):
    rng = np.random.default_rng(seed)
    for k in range(count):
        n1, n2 = rng.integers(2, 6, size=2)
        complete = bool(k % 2)
        if complete and n1 > n2:
            n1, n2 = n2, n1
        signs = ["any", "nonpositive", "positive"][k % 3]
        density, edges = rng.choice([0.6, 1.0]), rng.choice([0.2, 0.6])
        yield random_problem(
            rng, n1, n2, density=density, edges=edges, signs=signs, complete=complete
        )


@pytest.mark.parametrize("method", METHODS)
def test_bounds_are_valid_at_every_step(method):
    for problem in problems(0, 60):
        optimum = brute_force(problem)
        slack = 1e-9 * (1 + np.abs(problem.edge_cost).sum())
        r = gm.gm_solve(problem, method, maxiter=300)
        assert r.trace["bound"].max() <= optimum + slack
        assert r.value >= optimum - slack


def test_triplets_tighten():
    """Where mp leaves a gap, mp-mcf's bound is strictly better."""
    unproven = better = 0
    for problem in problems(2, 60):
        plain = gm.gm_solve(problem, "mp", maxiter=2000)
        if plain.gap > 1e-3:
            unproven += 1
            better += gm.gm_solve(problem, "mp-mcf", maxiter=2000).bound > plain.bound + 1e-6 * abs(
                plain.bound
            )
    assert unproven >= 5 and better >= 0.9 * unproven


@pytest.mark.parametrize("method", METHODS)
def test_ends_by_itself(method):
    for problem in problems(3, 12):
        assert gm.gm_solve(problem, method).status in ("optimal", "converged")


def test_time_slices_do_not_matter(monkeypatch):
    problem = random_problem(np.random.default_rng(4), 7, 7, edges=0.3, complete=True)
    in_slices(monkeypatch, problem, "mp-fw", maxiter=200)


@pytest.mark.data
@pytest.mark.parametrize(
    "method, instance",
    [("mp", "car19"), ("mp-mcf", "car1"), ("mp", "house-dense3"), ("mp-fw", "motor4")],
)
def test_proves_the_optimum(data, method, instance):
    problem = gm.load(data / instance.rstrip("0123456789") / f"{instance}.dd.xz", complete=True)
    r = gm.gm_solve(problem, method, maxiter=400)
    assert r.status == "optimal"
