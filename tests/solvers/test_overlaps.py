"""overlap="min" through the methods: never better than brute force, bounds hold, auto is right."""

import itertools

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._overlaps import entry_bound, has_overlaps, row_bound


def best_by_force(A, B, worth, complete, pick, allowed=None):
    """The best value over all matchings, by loops of its own."""
    n1, n2 = len(A), len(B)
    values = []
    for labels in itertools.product(range(-1, n2), repeat=n1):
        pairs = [(i, s) for i, s in enumerate(labels) if s >= 0]
        if len({s for _, s in pairs}) < len(pairs) or (complete and len(pairs) < min(n1, n2)):
            continue
        if allowed is not None and not all(allowed(i, s) for i, s in pairs):
            continue
        value = sum(min(A[i, j], B[s, t]) for i, s in pairs for j, t in pairs)
        values.append(value + sum(worth[i, s] for i, s in pairs))
    return pick(values)


def cases():
    """(problem, optimum) of every kind."""
    rng = np.random.default_rng(11)
    for k in range(16):
        n1, n2 = rng.integers(2, 6, 2)
        A, B = (rng.integers(0, 4, (n, n)) * rng.choice([1.0, 0.37]) for n in (n1, n2))
        if k % 3 == 0:
            A, B = A + A.T, B + B.T
        sense, complete = ("min" if k % 4 == 3 else "max"), k % 2 == 0
        worth = rng.normal(size=(n1, n2)) if k % 5 == 2 else np.zeros((n1, n2))
        form = sparse.csr_array if k % 2 else np.asarray
        options = {"similarity": worth} if worth.any() else {}
        p = gm.models.from_graphs(
            form(A), form(B), overlap="min", sense=sense, complete=complete, **options
        )
        pick = max if sense == "max" else min
        yield p, best_by_force(A, B, worth, complete, pick)


CASES = list(cases())
METHODS = [method.name for method in gm.gm_methods()]


@pytest.mark.parametrize("method", METHODS)
def test_against_brute_force(method):
    is_exact = method in ("auto", "aj")
    for p, best in CASES:
        assert has_overlaps(p)
        sign = 1.0 if p.sense == "min" else -1.0
        r = gm.gm_solve(p, method, time_limit=60.0 if is_exact else 2.0)
        assert r.value == pytest.approx(p.energy(r.labels))
        assert sign * r.value >= sign * best - 1e-9
        assert sign * r.bound <= sign * best + 1e-9
        if is_exact:
            assert r.status == "optimal" and r.value == pytest.approx(best, abs=1e-9)


def test_bounds_hold():
    for p, best in CASES:
        costs = p.as_costs()
        least = best if p.sense == "min" else -best
        for bound in (entry_bound, row_bound):
            assert bound(QapFactors(costs)) <= least + 1e-9


def test_seeds_stay():
    rng = np.random.default_rng(4)
    A, B = (rng.integers(0, 4, (5, 5)).astype(float) for _ in range(2))
    p = gm.models.from_graphs(A, B, overlap="min", seeds=[(1, 3)])
    r = gm.gm_solve(p)
    best = best_by_force(A, B, np.zeros((5, 5)), True, max, lambda i, s: (i == 1) == (s == 3))
    assert r.labels[1] == 3 and r.status == "optimal" and r.value == pytest.approx(best)


def connectomes(n, degree, seed):
    """A directed graph with log-normal weights, and a permuted copy with other weights on 90 % of
    its arcs; (A, B, true labels).
    """
    rng = np.random.default_rng(seed)
    A = sparse.random_array((n, n), density=degree / n, rng=rng, format="coo")
    weights = np.ceil(rng.lognormal(1.0, 1.0, A.nnz))
    kept = rng.random(A.nnz) < 0.9
    noisy = np.ceil(weights * rng.lognormal(0.0, 0.2, A.nnz))
    to = rng.permutation(n)
    row, col = A.coords
    one = sparse.csr_array((weights, (row, col)), shape=(n, n))
    other = sparse.csr_array((noisy[kept], (to[row[kept]], to[col[kept]])), shape=(n, n))
    return one, other, to


def test_finds_the_planted_matching():
    """Directed and weighted, 60 nodes."""
    A, B, truth = connectomes(60, 12, 0)
    p = gm.models.from_graphs(A, B, overlap="min")
    r = gm.gm_solve(p, maxiter=1000)
    assert r.value >= p.energy(truth) and r.bound >= r.value
    assert np.mean(r.labels == truth) > 0.9
    again = [gm.gm_solve(p, maxiter=50).labels.tolist() for _ in range(2)]
    assert again[0] == again[1]
