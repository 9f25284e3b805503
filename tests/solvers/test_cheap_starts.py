"""Starts without Frank-Wolfe: the cheaper one comes first."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _cheap_starts
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._forced import without_forced
from gmtoolbox.solvers._neighbours import neighbour_point
from gmtoolbox.solvers._portfolio import Portfolio
from gmtoolbox.solvers._starts import best_assignment


@pytest.mark.parametrize(("degree", "hinted"), [(4, [False, True]), (100, [True])])
def test_dense_graphs_get_the_hint(degree, hinted, monkeypatch):
    graph = nx.to_scipy_sparse_array(nx.random_regular_graph(degree, 300, seed=1), dtype=float)
    state = Portfolio(gm.models.from_graphs(graph, graph).as_costs(), Budget())
    seen = []

    def watch(factors, budget, end, hint=None):
        seen.append(hint is not None)
        return np.eye(300)

    monkeypatch.setattr(_cheap_starts, "neighbour_point", watch)
    monkeypatch.setattr(_cheap_starts, "spectral_labels", lambda factors: np.arange(300))
    assert len(list(_cheap_starts.cheap_starts(state, 1.0))) == 1 + len(hinted)
    assert seen == hinted


def test_seeds_lead_the_start_from_neighbourhoods():
    """Groups of 20 nodes look alike: two seeds distinguish theirs."""
    rng = np.random.default_rng(1)
    n, group = 240, np.arange(240) // 20
    i, j = rng.integers(0, n, (2, 12 * n))
    j = np.where(rng.random(len(i)) < 0.95, 20 * group[i] + rng.integers(0, 20, len(i)), j)
    A = sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    A = sparse.csr_array(((A + A.T) > 0).astype(float))
    A.setdiag(0)
    kept, truth = sparse.triu(A).tocoo(), rng.permutation(n)
    stays = rng.random(kept.nnz) < 0.9
    ends = np.column_stack([truth[kept.row[stays]], truth[kept.col[stays]]])
    ends = np.concatenate([ends, rng.integers(0, n, (np.count_nonzero(~stays), 2))])
    B = sparse.csr_array((np.ones(len(ends)), ends.T), shape=(n, n))
    B = sparse.csr_array(((B + B.T) > 0).astype(float))
    p = gm.models.from_graphs(A, B, seeds=[(i, int(truth[i])) for i in (0, 100)])
    with Budget() as budget:
        rest = without_forced(p, budget, None)
        state = Portfolio(rest.lifted.problem, rest, (), rest)
        starts = _cheap_starts.cheap_starts(state, memory=8.0)
        seeded, factors = next(starts), QapFactors(rest.free)
        point = neighbour_point(factors, budget)
        free = rest.impose(best_assignment(factors, point))
    cost = rest.lifted.problem.total_cost
    assert cost(seeded) < cost(free)


def problem_with_candidates(n, count):
    """(problem, truth) of a sparse graph and its noisy, permuted copy, and candidates among which
    the true ones are.
    """
    rng = np.random.default_rng(n)
    graph, truth = nx.random_regular_graph(6, n, seed=n), rng.permutation(n)
    A = nx.to_scipy_sparse_array(graph, dtype=float)
    B = nx.to_scipy_sparse_array(
        nx.Graph([truth[list(e)] for e in graph.edges if rng.random() < 0.95]),
        nodelist=range(n), dtype=float,
    )  # fmt: skip
    allowed = rng.random((n, n)) < count / n
    allowed[np.arange(n), truth] = True
    similarity = np.where(allowed, 0.0, -np.inf)
    return gm.models.from_graphs(A, B, similarity=similarity), truth


def test_candidates_lead_the_descent_from_the_centre():
    problem, truth = problem_with_candidates(400, 40)
    state = Portfolio(problem.as_costs(), Budget())
    labels = next(_cheap_starts.cheap_starts(state, memory=1.0))
    assert np.mean(labels == truth) > 0.99
    assert not list(_cheap_starts.match_centre(state, memory=1e-3))


def test_few_candidates_are_proven_at_once():
    problem, truth = problem_with_candidates(3000, 8)
    r = gm.gm_solve(problem)
    assert r.status == "optimal" and r.value == problem.energy(truth)
    assert r.extra["ran"][-1][0] == "aj, first attempt"


@pytest.mark.data
@pytest.mark.parametrize("copy", ["yeast-15", "yeast-25"])
def test_normalised_spectra_find_what_other_starts_miss(copy, data):
    """A protein network and noisy supersets of it: every edge is kept. The cheap starts are clear
    of noise and lead to local optima 1 and 2 % below.
    """
    ends = [np.loadtxt(data / "networks" / f"{name}.txt.xz", int) for name in ("yeast-0", copy)]
    n = 1 + max(own[:, :2].max() for own in ends)
    A, B = (sparse.csr_array((np.ones(len(own)), own[:, :2].T), shape=(n, n)) for own in ends)
    A, B = (((M + M.T) > 0).astype(float) for M in (A, B))
    order = np.random.default_rng(7).permutation(n)
    r = gm.gm_solve(gm.models.from_graphs(A, B[order][:, order]), time_limit=15)
    assert (r.status, r.value) == ("optimal", A.nnz)
