"""dd-ls: subproblems against brute force, the bound against the optimum and against the linear
programme.
"""

import itertools
import json

import numpy as np
import pytest
from relaxations import symmetrised
from scipy import sparse
from small import brute_force, gallery, random_problem

import gmtoolbox as gm
from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.engine.budget import Budget
from gmtoolbox.engine.kernels import run_kernel

VARIANTS = {"dd-ls0": 0, "dd-ls3": 3, "dd-ls4": 4}
ASSIGNMENT, LEFT_TREE, RIGHT_TREE, LEFT_LOCAL, RIGHT_LOCAL = range(5)


def split_after(problem, local, maxiter):
    """The kernel's split of the costs after some steps: copies (part, a, b, cost), parts (kind,
    minimum), bound.

    Rounds end at once, so that the local subproblems come in early."""

    def read(run):
        n, m = lib.gm_ddls_copies(run, *[ffi.NULL] * 4), lib.gm_ddls_parts(run, *[ffi.NULL] * 2)
        part, a, b = (np.empty(n, np.int32) for _ in range(3))
        cost, kind, minimum = np.empty(n), np.empty(m, np.int32), np.empty(m)
        lib.gm_ddls_parts(run, pointer(kind), pointer(minimum))
        lib.gm_ddls_copies(run, pointer(part), pointer(a), pointer(b), pointer(cost))
        return {
            "part": part,
            "a": a,
            "b": b,
            "cost": cost,
            "kind": kind,
            "minimum": minimum,
            "bound": run.bound,
        }

    options = {"step": 0.1, "deflection": 1.9, "patience": 1, "tol": 0.095, "seed": 0}
    return run_kernel(
        "ddls", problem, Budget(20.0), maxiter=maxiter, finish=read, local=local, **options
    ).extra


def part_minimum(problem, split, number):
    """Least cost of one tree or local subproblem by enumeration."""
    kind = split["kind"][number]
    right_side = kind in (RIGHT_TREE, RIGHT_LOCAL)
    node, label = (problem.right, problem.left) if right_side else (problem.left, problem.right)
    n1, n2 = problem.shape
    dummy = not problem.complete or (right_side and n1 < n2)
    mine = split["part"] == number
    a, b, cost = split["a"][mine], split["b"][mine], split["cost"][mine]
    unary = {p: c for p, q, c in zip(a, b, cost, strict=True) if q < 0}
    pair = {frozenset((p, q)): c for p, q, c in zip(a, b, cost, strict=True) if q >= 0}
    nodes = sorted({node[p] for p in unary})
    joined = {frozenset((node[p], node[q])) for p, q in pair}
    states = [[p for p in unary if node[p] == u] + ([None] if dummy else []) for u in nodes]
    least = np.inf
    for chosen in itertools.product(*states):
        taken = [p for p in chosen if p is not None]
        total = sum(unary[p] for p in taken)
        for p, q in itertools.combinations(taken, 2):
            apart = kind in (LEFT_LOCAL, RIGHT_LOCAL) or frozenset((node[p], node[q])) in joined
            total += np.inf if apart and label[p] == label[q] else pair.get(frozenset((p, q)), 0.0)
        least = min(least, total)
    return least


def n_nodes(problem, split, number):
    node = problem.right if split["kind"][number] in (RIGHT_TREE, RIGHT_LOCAL) else problem.left
    return len(np.unique(node[split["a"][split["part"] == number]]))


def problems():
    rng = np.random.default_rng(7)
    yield random_problem(rng, 4, 4)
    yield random_problem(rng, 4, 4, edges=0.9, complete=True)
    yield random_problem(rng, 3, 5, edges=0.2, complete=True)
    yield random_problem(rng, 5, 4, density=0.6, edges=0.4)
    yield random_problem(rng, 5, 5, density=0.7, edges=0.15, complete=True, integer=True)
    yield random_problem(rng, 4, 4, edges=0.6, signs="positive", complete=True)


@pytest.mark.parametrize("maxiter", [1, 40, 200])
@pytest.mark.parametrize("local", VARIANTS.values())
def test_subproblem_minima_match_enumeration(local, maxiter):
    seen, sizes = set(), set()
    for problem in problems():
        split = split_after(problem, local, maxiter)
        seen |= set(split["kind"][split["minimum"] != 0].tolist())
        sizes |= {
            n_nodes(problem, split, k)
            for k in np.flatnonzero((split["kind"] >= LEFT_LOCAL) & (split["minimum"] != 0))
        }
        for number in range(1, len(split["kind"])):
            assert split["minimum"][number] == pytest.approx(
                part_minimum(problem, split, number), abs=1e-9
            )
    assert seen == ({0, 1, 2} if local == 0 or maxiter == 1 else {0, 1, 2, 3, 4})
    if maxiter == 200:
        assert sizes == set(range(3, local + 1))


@pytest.mark.parametrize("local", VARIANTS.values())
def test_copies_add_up_to_the_model_and_cover_it(local):
    for problem in problems():
        split = split_after(problem, local, 100)
        n = problem.n_candidates
        unary = split["b"] < 0
        total = np.bincount(split["a"][unary], split["cost"][unary], minlength=n)
        assert np.allclose(total, problem.cost, atol=1e-9)
        first, second = np.sort([split["a"][~unary], split["b"][~unary]], axis=0)
        pairs = sparse.csr_array((split["cost"][~unary], (first, second)), shape=(n, n))
        assert np.allclose(pairs[problem.a, problem.b], problem.edge_cost, atol=1e-9)
        assert abs(pairs).sum() > 0 and pairs.nnz <= problem.n_edges


def test_sets_of_four_take_the_place_of_triples():
    came_in = 0
    for problem in problems():
        three, four = (split_after(problem, local, 200) for local in (3, 4))
        locals_of = [
            [k for k in np.unique(split["part"]) if split["kind"][k] >= LEFT_LOCAL]
            for split in (three, four)
        ]
        assert len(locals_of[0]) == len(locals_of[1])
        came_in += sum(n_nodes(problem, four, k) == 4 for k in locals_of[1])
    assert came_in > 0


# ---- bounds


def lp_problems():
    rng = np.random.default_rng(11)
    for k in range(3):
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
    assert tighter >= 2


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
def test_iterates_do_not_depend_on_time_slices(method):
    rng = np.random.default_rng(3)
    problem = random_problem(rng, 7, 8, edges=0.3)
    heard = []
    alone = gm.gm_solve(problem, method, maxiter=60)
    sliced = gm.gm_solve(
        problem, method, maxiter=60, progress=lambda *event: heard.append(event)
    )  # one step a slice
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
    facts = json.loads((folder / f"{name}.json").read_text())
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
