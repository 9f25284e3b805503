"""Koopmans-Beckmann problems: every method on small ones, bounds against exhaustive search, faq and
auto on graphs.
"""

import numpy as np
import pytest
import scipy.sparse as sp
from named_case import named_case
from products import KINDS, gallery, random_products
from small import brute_force

import gmtoolbox as gm
from gmtoolbox.core.edges import MAX_EDGES
from gmtoolbox.core.errors import GMError
from gmtoolbox.solvers._bounds import cheap_bounds
from gmtoolbox.solvers._factors import QapFactors

METHODS = [method.name for method in gm.gm_methods()]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_on_products(method):
    for name, (problem, optimum) in gallery().items():
        with named_case(name):
            r = gm.gm_solve(problem, method, time_limit=60.0 if method == "auto" else 2.0, seed=0)
            assert r.value == problem.energy(r.labels)
            assert not problem.complete or problem.is_complete_matching(r.labels)
            cost, bound = problem.signed(r.value), problem.signed(r.bound)
            assert bound <= optimum + 1e-7 * (1 + abs(optimum))
            assert cost >= optimum - 1e-9
            assert r.status != "optimal" or cost <= optimum + 2e-6 * abs(optimum) + 1e-9
            if method == "auto":
                assert cost == pytest.approx(optimum)


@pytest.fixture(scope="module")
def large():
    """Two graphs of 260 nodes."""
    return gm.models.from_graphs(*correlated(260, 31, 0.95, seed=0)[:2])


@pytest.mark.parametrize("method", METHODS)
def test_a_size_whose_edges_cannot_be_written_out(method, large):
    """Each method solves it, or says why not in one line; auto always solves it."""
    problem = large
    assert problem.n_edges > MAX_EDGES
    try:
        r = gm.gm_solve(problem, method, time_limit=0.2)
    except GMError as error:
        assert method != "auto" and len(str(error).splitlines()) == 1
        return
    assert problem.is_complete_matching(r.labels) and r.value == problem.energy(r.labels)


@pytest.mark.parametrize("rest", [{}, {"forbidden": 0.4}, {"complete": False}])
def test_bounds_hold(rest, repeats):
    for seed in range(repeats(60)):
        rng = np.random.default_rng(seed)
        n1 = int(rng.integers(1, 6))
        problem = random_products(
            rng, n1, n1 + int(rng.integers(0, 3)), KINDS[seed % 3], density=rng.choice([1.0, 0.5]),
            symmetric=bool(rng.integers(2)), unary=bool(rng.integers(2)),
            sparse=bool(rng.integers(2)), **rest,
        ).as_costs()  # fmt: skip
        optimum = brute_force(problem)
        for name, bound in cheap_bounds(QapFactors(problem)):
            assert bound(QapFactors(problem)) <= optimum + 1e-9 * (1 + abs(optimum)), name


def test_bounds_of_graphs_hold():
    """Matrices of a single value, where degrees decide."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        A, B = (np.triu(rng.random((6, 6)) < 0.5, 1).astype(float) for _ in range(2))
        problem = gm.models.from_graphs(A + A.T, B + B.T).as_costs()
        optimum = brute_force(problem)
        for name, bound in cheap_bounds(QapFactors(problem)):
            assert bound(QapFactors(problem)) <= optimum + 1e-9, name


def test_bounds_are_worth_something():
    """Known values of nug12-like data would need files; here: a grid with distances as flows."""
    x = np.arange(4)
    D = np.abs(x[:, None] - x)
    D = (D[:, None, :, None] + D[None, :, None, :]).reshape(16, 16).astype(float)
    rng = np.random.default_rng(0)
    F = np.triu(rng.integers(0, 10, (16, 16)), 1).astype(float)
    problem = gm.models.from_koopmans_beckmann(F + F.T, D)
    r = gm.gm_solve(problem, time_limit=0.3)
    found = {name: bound(QapFactors(problem)) for name, bound in cheap_bounds(QapFactors(problem))}
    assert 0.7 * r.value < found["gilmore-lawler"] <= r.value
    assert 0.7 * r.value < found["projected eigenvalues"] <= r.value


def correlated(n, degree, kept, seed):
    """G(n, degree/n), a copy with each edge kept with a probability and nodes permuted, and the
    truth.
    """
    rng = np.random.default_rng(seed)
    i, j = np.nonzero(np.triu(rng.random((n, n)) < degree / n, 1))
    stays, truth = rng.random(len(i)) < kept, rng.permutation(n)

    def graph(i, j):
        M = sp.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
        return sp.csr_array(M + M.T)

    return graph(i, j), graph(truth[i[stays]], truth[j[stays]]), truth


@pytest.mark.parametrize("n", [200, 500])
def test_auto_recovers_correlated_graphs_and_proves_it(n):
    G, H, truth = correlated(n, 20, 0.95, seed=1)
    r = gm.gm_solve(gm.models.from_graphs(G, H), time_limit=30.0)
    assert r.status == "optimal" and r.value == H.sum()
    assert np.array_equal(r.labels, truth)
    assert [name for name, *_ in r.extra["ran"]][0] == "order of sums"


@pytest.mark.parametrize("start", ["grampa", "barycenter", "convex"])
@pytest.mark.parametrize("direction", ["assignment", "sinkhorn"])
def test_faq_finds_an_isomorphism(start, direction):
    """Dense weights: every start leads there."""
    rng = np.random.default_rng(0)
    A = rng.random((40, 40))
    A, truth = A + A.T, rng.permutation(40)
    np.fill_diagonal(A, 0.0)
    B = np.empty_like(A)
    B[np.ix_(truth, truth)] = A
    options = {"start": start, "direction": direction, "restarts": 3}
    r = gm.gm_solve(gm.models.from_graphs(A, B), "faq", time_limit=20.0, **options)
    assert np.array_equal(r.labels, truth)


def test_faq_with_seeds_that_are_fixed():
    """At 30 pairs of 300 given, the rest follows from them."""
    G, H, truth = correlated(300, 12, 0.9, seed=2)
    problem = gm.models.from_graphs(G, H)
    rest = problem.fix([(i, truth[i]) for i in range(30)])
    labels = rest.lift(gm.gm_solve(rest.problem, "faq", start="barycenter").labels)
    assert gm.accuracy(labels, truth) > 0.95


def test_sparse_faq_equals_the_dense_one_on_what_it_keeps(monkeypatch):
    """The same problem with points kept sparse: as many common edges, within a little."""
    from gmtoolbox.solvers import faq as module

    G, H, truth = correlated(300, 15, 0.95, seed=3)
    problem = gm.models.from_graphs(G, H)
    dense = gm.gm_solve(problem, "faq").value
    monkeypatch.setattr(module, "SPARSE_PAIRS", 1000)
    sparse = gm.gm_solve(problem, "faq").value
    assert sparse >= 0.9 * dense


def test_seeds_are_forced_pairs():
    """Pairs that are the only one of their node are fixed first; the answer is of the whole."""
    G, H, truth = correlated(300, 12, 0.9, seed=4)
    problem = gm.models.from_graphs(G, H, seeds=[(i, int(truth[i])) for i in range(30)])
    heard = []
    for method in ("faq", "auto"):
        r = gm.gm_solve(problem, method, time_limit=20, progress=lambda e, x, k: heard.append(x))
        assert np.array_equal(r.labels[:30], truth[:30]) and r.value == problem.energy(r.labels)
        assert gm.accuracy(r.labels, truth) > 0.95
    assert all(labels is None or len(labels) == 300 for labels in heard)


def test_little_memory_leaves_tables_out():
    G, H, _ = correlated(200, 20, 0.95, seed=0)
    r = gm.gm_solve(gm.models.from_graphs(G, H), time_limit=0.5, memory=1e-4)
    assert not any("grampa" in name for name, *_ in r.extra["ran"])
    assert all(estimate > 1e-4 for estimate in r.extra["gigabytes"].values())


def test_features_lead_the_spectra():
    """Noise that hides the structure, and classes of five that show it."""
    G, H, truth = correlated(300, 8, 0.7, seed=5)
    classes = np.arange(300) // 5
    of_label = np.empty(300, dtype=int)
    of_label[truth] = classes
    same = (classes[:, None] == of_label).astype(float)
    problem = gm.models.from_graphs(G, H, similarity=same)
    r = gm.gm_solve(problem, "faq", time_limit=60.0)
    assert r.value >= 0.95 * problem.energy(truth) and gm.accuracy(r.labels, truth) > 0.8


def test_too_many_factored_edges_for_anything_but_products(monkeypatch):
    """auto goes on with faq, which only multiplies."""
    from gmtoolbox.core import edges

    monkeypatch.setattr(edges, "MAX_EDGES", 10)
    monkeypatch.setattr(
        gm.registry.get_solver("auto").function.__globals__["edges"], "MAX_EDGES", 10
    )
    rng = np.random.default_rng(0)
    G = {"G": np.eye(5)[:, [0, 1, 2, 3]], "H": np.eye(5)[:, [1, 2, 3, 4]]}
    problem = gm.models.from_factors(rng.random((5, 5)), rng.random((4, 4)), G, G)
    r = gm.gm_solve(problem, time_limit=5)
    assert r.value == problem.energy(r.labels) and r.options["run"] == "faq"
