"""dd-ls: subproblems against brute force, the bound against the optimum and against the linear
programme.
"""

import json

import numpy as np
import pytest
from ddls_splits import VARIANTS
from relaxations import symmetrised
from repetition import times
from small import brute_force, gallery, random_problem

import gmtoolbox as gm


def lp_problems():
    rng = np.random.default_rng(11)
    for k in range(times(3)):
        yield random_problem(rng, 4, 4, edges=0.5)
        yield random_problem(rng, 5, 5, edges=0.3, signs="nonpositive")
        yield random_problem(rng, 4, 5, edges=0.5, complete=True)
        yield random_problem(rng, 5, 5, edges=0.6, signs="positive", complete=True)
        yield random_problem(rng, 5, 6, density=0.6, edges=0.3, offset=float(k))


@pytest.mark.parametrize("method", ["dd-ls3", "dd-ls4"])
def test_local_subproblems_tighten_and_stay_below_the_optimum(method):
    tighter = 0
    for problem in lp_problems():
        lp, optimum = symmetrised(problem).value(), brute_force(problem)
        r = gm.gm_solve(problem, method, time_limit=20)
        assert r.bound <= optimum + 1e-9 * (1 + abs(optimum))
        assert r.bound >= lp - 1e-3 * abs(lp)
        tighter += r.bound > lp + 1e-3 * abs(lp)
    assert tighter >= times(2)


def test_four_nodes_are_never_looser_than_three():
    for problem in list(lp_problems())[3::5]:  # positive and complete: here the forests leave a gap
        for maxiter in (50, 500, 5000):
            three, four = (
                gm.gm_solve(problem, method, maxiter=maxiter) for method in ("dd-ls3", "dd-ls4")
            )
            rounding = 1e-12 * abs(three.bound)  # more copies, more roundings
            assert four.bound >= three.bound - rounding


@pytest.mark.parametrize("method", VARIANTS)
def test_bound_is_valid_at_every_moment(method):
    for name, (problem, optimum) in gallery().items():
        for maxiter in (1, 2, 5, 17):
            r = gm.gm_solve(problem, method, maxiter=maxiter)
            scale = np.abs(problem.cost).sum() + np.abs(problem.edge_cost).sum()
            assert problem.signed(r.bound) <= optimum + 1e-12 * scale, name


@pytest.mark.parametrize("method", VARIANTS)
def test_agreement_ends_the_run_where_the_margin_is_as_large_as_the_costs(method):
    """Denormal costs: all copies agree at once, and Polyak's step would divide 0 by 0."""
    for n1 in (2, 4):
        problem = gm.Problem(
            (n1, 1), range(n1), [0] * n1, [1e-310 * (k + 1) for k in range(n1)], complete=True
        )
        r = gm.gm_solve(problem, method, maxiter=60)
        assert r.value == 1e-310 and r.bound <= r.value and r.n_iter < 60


@pytest.mark.parametrize("method", VARIANTS)
def test_iterates_do_not_depend_on_time_slices(method):
    rng = np.random.default_rng(3)
    problem = random_problem(rng, 7, 8, edges=0.3)
    heard = []
    alone = gm.gm_solve(problem, method, maxiter=60)
    # one step a slice
    sliced = gm.gm_solve(problem, method, maxiter=60, progress=lambda *event: heard.append(event))
    assert heard and (alone.value, alone.bound, alone.n_iter) == (
        sliced.value,
        sliced.bound,
        sliced.n_iter,
    )
    assert np.array_equal(alone.labels, sliced.labels)


def test_ends_by_itself():
    rng = np.random.default_rng(4)
    problem = random_problem(rng, 6, 6, edges=0.5)
    r = gm.gm_solve(problem, "dd-ls0")
    assert r.status in ("optimal", "converged", "iteration_limit") and r.n_iter <= 200000


def load(data, name):
    folder = data / name.rstrip("0123456789")
    facts = json.loads((folder / f"{name}.json").read_text("utf-8"))
    problem = gm.load(folder / f"{name}.dd.xz", complete=facts["complete"])
    return problem, facts.get("optimum") or facts.get("best_published") or facts.get("best_known")


@pytest.mark.data
@pytest.mark.parametrize(
    "name", ["house-sparse1", "house-dense1", "hotel1", "motor1", "car20", "caltech-small14"]
)
def test_proves_the_optimum(data, name):
    problem, optimum = load(data, name)
    r = gm.gm_solve(problem, "dd-ls0", time_limit=20, maxiter=3000)
    assert r.value == pytest.approx(optimum, rel=1e-5) and r.gap <= 1e-4


@pytest.mark.data
@pytest.mark.slow
def test_local_subproblems_pass_the_linear_programme_of_car4(data):
    problem, optimum = load(data, "car4")
    lp = -53.20985240859074  # of the symmetrised relaxation; HiGHS takes six minutes for it
    none, three = (
        gm.gm_solve(problem, method, time_limit=120, maxiter=12000)
        for method in ("dd-ls0", "dd-ls3")
    )
    assert none.bound <= lp + 1e-6 < three.bound <= optimum + 1e-6
    assert none.bound >= lp * 1.003
