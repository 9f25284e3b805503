"""aj: every proof, bound and fixing rule against brute force; options; anytime behaviour."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from aj_reference import draw, optimum, slack
from repetition import times

import gmtoolbox as gm
from gmtoolbox.core._ffi import ffi
from gmtoolbox.core.errors import InfeasibleError
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.transforms import LEFT_COMPLETE, prepare
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.lapack import BorrowedLapack
from gmtoolbox.engine.progress import Budget

OPTIONS = [  # each part of the method alone, and all of them together
    {},
    {"fix": False},
    {"lift": 0},
    {"lift": 0, "fix": False},
    {"branch": False},
    {"branch": False, "fix": False, "lift": 0, "maxiter": 60},
]


def closed(problem, labels):
    """How far above the optimum labels may be that count as proven."""
    return max(problem.tolerance, problem.cost_error(labels))


def campaign(seeds, **more):
    for seed in seeds:
        problem = draw(np.random.default_rng(seed))
        best = optimum(problem)
        try:
            r = gm.gm_solve(
                problem,
                "aj",
                seed=seed % 3,
                **{"maxiter": 20000, **OPTIONS[seed % len(OPTIONS)], **more},
            )
        except InfeasibleError:
            assert best == float("inf"), seed
            continue
        assert r.bound <= best + slack(problem), f"seed {seed}: the bound is above the optimum"
        assert r.value >= best - slack(problem), seed
        if r.status == "optimal":
            assert r.value <= best + closed(problem, r.labels) + slack(problem), (
                f"seed {seed}: a wrong proof"
            )
        else:
            assert not OPTIONS[seed % len(OPTIONS)].get("branch", True), f"{seed}: withheld"


def test_no_wrong_proof(repeats):
    campaign(range(repeats(3000)))


def test_no_wrong_proof_where_the_ascent_went_astray():
    """Costs of 1e-200 and a first matching that is not the best: the start of the ascent was
    enormous once, and its duals became NaN.
    """
    campaign([27104])


def test_no_wrong_proof_by_the_semidefinite_phase(repeats):
    campaign(range(repeats(1200)), sdp="at once")


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_no_wrong_proof_in_a_hundred_thousand():
    campaign(range(10_000, 110_000))


@pytest.mark.slow
@pytest.mark.timeout(6000)
def test_no_wrong_proof_by_the_semidefinite_phase_in_a_hundred_thousand():
    campaign(range(200_000, 300_000), sdp="at once")


def unaided(seeds, drawn=draw, sdp=0):
    """The proof with one matching, mostly a bad one, and no search for better: whatever it deletes
    or closes wrongly is missed. Without memory (0 MB) every problem of the path but the root and
    the present one is made again.
    """
    met = 0
    for seed in seeds:
        problem = prepare(drawn(np.random.default_rng(seed)), (LEFT_COMPLETE,)).problem
        best = optimum(problem)
        if best == float("inf"):
            continue
        values, budget = [], Budget(seed=seed)
        options = {
            "branch": True,
            "memory": 0,
            "fix": seed % 3 > 0,
            "lift_limit": 250000 * (seed % 2),
            "init": ffi.NULL,
        }
        budget.on_improve = lambda event, labels, iteration, values=values: values.append(event[1])
        with BorrowedLapack() as lapack:
            outcome = run_kernel(
                "aj",
                problem,
                budget,
                maxiter=100_000,
                between=lapack.lend,
                seed=seed,
                plain=True,
                seconds=float("inf"),
                lapack=lapack.struct,
                sdp=sdp,
                **options,
            )
        assert outcome.bound <= best + slack(problem), seed
        assert min(values) <= best + problem.tolerance + slack(problem), (
            f"seed {seed}: the optimum was missed"
        )
        met += values[0] > best + problem.tolerance + slack(problem)
    return met / len(seeds)


def test_the_proof_finds_the_optimum_by_itself(repeats):
    assert unaided(range(repeats(1500))) > 0.2  # the first matching is often not the best


def test_the_semidefinite_proof_finds_the_optimum_by_itself(repeats):
    assert unaided(range(repeats(1000)), sdp=2) > 0.2


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_the_proof_finds_the_optimum_by_itself_thousands_of_times():
    assert unaided(range(10_000, 60_000)) > 0.2


def test_a_cutoff_ends_the_search_with_a_bound_above_it():
    """Cutoffs below, at and above the optimum: what costs no more than the cutoff is found and
    proven, else the bound passes the cutoff.
    """
    beyond = 0
    for seed in range(150):
        problem = draw(np.random.default_rng(seed))
        best = optimum(problem)
        if not np.isfinite(best) or 1e-6 * abs(best - problem.offset) <= 10 * slack(problem):
            continue
        for factor in (-0.5, -1e-3, 0.0, 1e-3, 0.5):
            cutoff = best + factor * abs(best - problem.offset)
            r = gm.gm_solve(problem, "aj", seed=seed, cutoff=cutoff, maxiter=20000)
            assert r.bound <= best + slack(problem), (seed, factor)
            if factor >= 0:
                assert r.status == "optimal", (seed, factor)
                assert r.value <= best + closed(problem, r.labels) + slack(problem), (seed, factor)
            else:
                assert r.bound > cutoff, (seed, factor)
                beyond += r.status != "optimal"
    assert beyond > 20


def medium(seed, n=9, signs="any"):
    from small import random_problem

    return random_problem(np.random.default_rng(seed), n, n, edges=0.4, signs=signs, complete=True)


def test_agrees_with_the_integer_programme():
    """Up to where brute force cannot go: HiGHS on the linearised problem."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array, vstack

    for seed, signs in ((2, "nonpositive"), (1, "any"), (3, "positive"))[: times(3)]:
        p = medium(seed, 6, signs)
        N, m = p.n_candidates, p.n_edges
        e, one = np.arange(m), np.ones(m)
        ends = [
            coo_array((np.r_[one, -one], (np.r_[e, e], np.r_[N + e, end])), (m, N + m))
            for end in (p.a, p.b)
        ]
        both = coo_array(
            (np.r_[-one, one, one], (np.r_[e, e, e], np.r_[N + e, p.a, p.b])), (m, N + m)
        )
        sides = [
            coo_array((np.ones(N), (side, np.arange(N))), (n, N + m))
            for side, n in ((p.left, 6), (p.right, 6))
        ]
        rows = [
            LinearConstraint(vstack(ends).tocsr(), -np.inf, 0),
            LinearConstraint(both.tocsr(), -np.inf, 1),
        ]
        rows.append(LinearConstraint(vstack(sides).tocsr(), 1, 1))
        exact = milp(
            np.r_[p.cost, p.edge_cost],
            constraints=rows,
            bounds=Bounds(0, 1),
            integrality=np.r_[np.ones(N), np.zeros(m)],
        )
        r = gm.gm_solve(p, "aj")
        assert r.status == "optimal"
        assert r.value == pytest.approx(exact.fun, rel=1e-6)


def test_root_only_gives_a_bound_and_ends_by_itself():
    p = medium(5)
    root = gm.gm_solve(p, "aj", branch=False)
    whole = gm.gm_solve(p, "aj")
    assert whole.status == "optimal"
    assert root.status in ("converged", "optimal")
    assert root.bound <= whole.value + 1e-6 * abs(whole.value)


def test_anytime_and_slices_do_not_matter():
    p = medium(6, 10)
    whole = gm.gm_solve(p, "aj", maxiter=400)
    again = gm.gm_solve(p, "aj", maxiter=400, time_limit=100.0)
    assert (whole.value, whole.bound, whole.n_iter) == (again.value, again.bound, again.n_iter)
    bound = whole.trace["bound"]
    assert len(whole.trace) > 2 and np.all(np.diff(bound[np.isfinite(bound)]) >= 0)


@pytest.mark.parametrize("n_jobs", [-1, 3])
def test_the_number_of_threads_changes_nothing(n_jobs):
    A, B = np.random.default_rng(3).random((2, 7, 7))
    p = gm.models.from_koopmans_beckmann(A, B)
    one, more = (gm.gm_solve(p, "aj", n_jobs=n) for n in (1, n_jobs))
    assert one.status == more.status == "optimal"
    assert one.value == more.value and one.labels.tolist() == more.labels.tolist()


def test_init_is_used():
    p = medium(7)
    best = gm.gm_solve(p, "aj")
    r = gm.gm_solve(p, "aj", init=best.labels, maxiter=1)
    assert r.value == best.value


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    ["car/car2", "motor/motor4", "house-sparse/house-sparse3", "opengm/opengm1", "qaplib/chr12a"],
)
def test_known_optimum_is_proven(data, name):
    import json

    meta = json.loads((data / f"{name}.json").read_text("utf-8"))
    r = gm.gm_solve(gm.load(data / f"{name}.dd.xz", complete=meta["complete"]), "aj", time_limit=60)
    assert r.status == "optimal" and r.value == pytest.approx(meta["optimum"], rel=1e-6)


def twin_problem(rng):
    """A random problem in which nodes and labels have copies: costs depend on their kinds alone."""
    sizes = rng.integers(2, 4, 2)  # kinds of nodes and of labels
    kind1, kind2 = (
        rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, 2)])) for k in sizes
    )
    unary = rng.integers(-3, 3, sizes)[kind1][:, kind2].astype(float)
    right, left = np.nonzero((unary < 2).T)
    if len(left) == 0:
        return twin_problem(rng)
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    nodes = np.sort([kind1[left[a]], kind1[left[b]]], axis=0)
    labels = np.sort([kind2[right[a]], kind2[right[b]]], axis=0)
    table = rng.integers(-3, 3, (*sizes[:1], *sizes[:1], *sizes[1:], *sizes[1:])).astype(float)
    table *= rng.random(table.shape) < 0.6
    if rng.random() < 0.5:
        table = np.minimum(table, 0.0)
    cost = table[tuple([*nodes, *labels])]
    kept = cost != 0
    return Problem(
        unary.shape,
        left,
        right,
        unary[left, right],
        a[kept],
        b[kept],
        cost[kept],
        complete=len(left) == unary.size and rng.random() < 0.5,
    )


def test_twins():
    """Nodes and labels whose exchange changes nothing: one of them is explored, nothing is lost."""
    unaided(range(300), twin_problem)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_twins_thousands_of_times():
    unaided(range(1000, 9000), twin_problem)


def ring_problem(rng):
    """Nodes of few kinds on a ring or a grid: symmetries of nodes, of labels, or of both."""
    n = int(rng.integers(3, 7))
    ring = np.array([[min(abs(i - j), n - abs(i - j)) for i in range(n)] for j in range(n)])
    across = np.array(
        [[abs(i // 2 - j // 2) + abs(i % 2 - j % 2) for i in range(n)] for j in range(n)]
    )
    kinds, table = rng.integers(0, 3, n), rng.integers(-4, 9, (3, 3))
    sides = [ring, across, (table + table.T)[np.ix_(kinds, kinds)], rng.integers(-3, 9, (n, n))]
    flow, distance = (sides[int(rng.integers(0, 4))] for _ in range(2))
    order = rng.permutation(n)
    flow = flow[np.ix_(order, order)]
    left, right = (x.ravel() for x in np.indices((n, n)))
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    cost = flow[left[a], left[b]] * distance[right[a], right[b]]
    cost = cost + flow[left[b], left[a]] * distance[right[b], right[a]]
    return Problem((n, n), left, right, np.zeros(n * n), a, b, cost.astype(float), complete=True)


def test_symmetries(repeats):
    """One child for each orbit, in the trees of the semidefinite phase: nothing is lost."""
    unaided(range(repeats(300)), ring_problem, sdp=2)
    unaided(range(repeats(200)), twin_problem, sdp=2)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_symmetries_thousands_of_times():
    unaided(range(1000, 9000), ring_problem, sdp=2)
    unaided(range(1000, 9000), twin_problem, sdp=2)


def test_twins_shorten_the_search():
    """Three cliques of four in a row against two of six: thousands of equal matchings."""
    G, H = nx.caveman_graph(3, 4), nx.caveman_graph(2, 6)
    r = gm.graph_edit_distance(G, H, maxiter=20_000)
    assert r.status == "optimal" and r.value == 20.0


def rational_problem(rng):
    """Multiples of a number that is no power of two, with the rounding that such products have."""
    problem = draw(rng)
    step = float(rng.choice([0.275, 1 / 3, 0.1, 7.7]))
    drawn = lambda size: step * rng.integers(-4, 5, size)
    return replace(
        problem,
        cost=drawn(problem.n_candidates),
        edges=None,
        a=problem.a,
        b=problem.b,
        edge_cost=drawn(problem.n_edges),
        offset=0.0,
    )


def test_no_wrong_proof_on_a_rational_grid():
    unaided(range(400), rational_problem)


def test_bounds_on_a_rational_grid_are_multiples():
    G, H = nx.gnp_random_graph(9, 0.4, seed=1), nx.gnp_random_graph(8, 0.4, seed=2)
    p = gm.models.from_edit_costs(G, H, costs="chem2")
    steps = gm.gm_solve(p, "aj").trace["bound"] / 0.275
    assert np.isfinite(steps).any()
    told = steps[np.isfinite(steps)]
    assert np.abs(told - np.round(told)).max() < 1e-9
    shaken = replace(p, cost=p.cost + np.linspace(0, 1e-4, p.n_candidates))  # no grid any more
    steps = gm.gm_solve(shaken, "aj", maxiter=300).trace["bound"] / 0.275
    told = steps[np.isfinite(steps)]
    assert np.abs(told - np.round(told)).max() > 1e-3
