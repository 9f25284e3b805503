"""The ILP: equal to brute force in both forms, its relaxation a bound, safe whatever the duals
are.
"""

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from small import brute_force, random_problem

import gmtoolbox as gm
from gmtoolbox.models.linear_program import safe_lower_bound
from gmtoolbox.models.reductions import swap


def problems():
    rng = np.random.default_rng(11)
    for k in range(24):
        signs = ("any", "nonpositive", "positive")[k % 3]
        n1, n2 = rng.integers(2, 5, 2)
        yield random_problem(
            rng,
            n1,
            n2,
            density=rng.choice([0.6, 1.0]),
            edges=rng.choice([0.2, 0.8]),
            signs=signs,
            complete=k % 2 == 0,
        )


def milp_value(program):
    constraints = LinearConstraint(program.A, program.lower, program.upper)
    return (
        milp(
            program.cost, integrality=program.integral, bounds=Bounds(0, 1), constraints=constraints
        ).fun
        + program.offset
    )


@pytest.mark.parametrize("full", [False, True])
def test_both_forms_equal_brute_force(full):
    for problem in problems():
        p = (
            swap(problem).problem
            if problem.complete and problem.shape[0] > problem.shape[1]
            else problem
        )
        assert milp_value(gm.models.to_ilp(p, full=full)) == pytest.approx(
            brute_force(problem), abs=1e-6
        )


def test_method_proves_the_optimum():
    for problem in problems():
        r = gm.gm_solve(problem, "ilp")
        assert r.status == "optimal" and r.value == pytest.approx(brute_force(problem), abs=1e-9)


def test_relaxation_is_a_bound_and_full_is_tighter():
    strict = 0
    for problem in problems():
        p = (
            swap(problem).problem
            if problem.complete and problem.shape[0] > problem.shape[1]
            else problem
        )
        values = []
        for full in (False, True):
            program = gm.models.to_ilp(p, full=full)
            found = milp(
                program.cost,
                bounds=Bounds(0, 1),
                constraints=LinearConstraint(program.A, program.lower, program.upper),
            )
            values.append(found.fun + program.offset)
        optimum = brute_force(problem)
        assert values[0] <= values[1] + 1e-7 and values[1] <= optimum + 1e-7
        r = gm.gm_solve(problem, "ilp", relax=True)
        assert (
            r.bound == pytest.approx(values[1], abs=1e-6)
            and r.bound <= optimum + 1e-12 * np.abs(p.edge_cost).sum()
        )
        strict += values[1] < optimum - 1e-4
    assert strict  # the relaxation is one


def test_bound_holds_for_any_duals():
    rng = np.random.default_rng(3)
    for problem in problems():
        if problem.complete and problem.shape[0] > problem.shape[1]:
            continue
        program = gm.models.to_ilp(problem, full=True)
        optimum = brute_force(problem)
        for scale in (0.0, 0.1, 1.0, 10.0):
            assert (
                safe_lower_bound(program, scale * rng.normal(size=program.A.shape[0]))
                <= optimum + 1e-9
            )


def test_wrong_way_round_is_refused():
    with pytest.raises(gm.InputError, match="n1 <= n2"):
        gm.models.to_ilp(random_problem(np.random.default_rng(0), 4, 3, complete=True))


def test_limits():
    problem = gm.synth.opengm(seed=0, size=16)
    r = gm.gm_solve(problem, "ilp", time_limit=0.3)
    assert r.status in ("time_limit", "optimal") and problem.is_complete_matching(r.labels)
    assert r.bound <= r.value
    r = gm.gm_solve(gm.synth.car(seed=0, size=8), "ilp", maxiter=1)
    assert r.status in ("iteration_limit", "optimal")


@pytest.mark.parametrize(
    "shape",
    ["flow", "worms"]
    + [pytest.param(name, marks=pytest.mark.long) for name in ("house-sparse", "car", "motor")],
)
def test_fifteen_nodes_are_proven(shape):
    r = gm.gm_solve(gm.synth.generate(shape, seed=0, size=15), "ilp", time_limit=60)
    assert r.status == "optimal"
