"""Two rules for everything that combines methods: auto on two matrices, on listed edges and on
connected parts, restrictions, edit distances and many graphs.

Every value that is reported was reached by labels that are kept, wherever the solve is stopped. And
a constraint that holds for the planted matching (seeds, candidates, a cutoff, a start) does not
make the answer worse at the same limit. benchmarks/bench_constraints.py compares many more pairs.
"""

import math

import networkx as nx
import numpy as np
import pytest
from multi_cases import random_multi
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.engine.pipeline import solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _first


def noisy_copy(n, degree, kept, seed, **options):
    """(function seeds, allowed -> problem, true labels) of a graph and its noisy permuted copy."""
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) < degree / n, 1)
    B = A & (rng.random((n, n)) < kept)
    truth, copy = rng.permutation(n), np.zeros((n, n))
    copy[np.ix_(truth, truth)] = B | B.T

    def make(seeds=None, allowed=None):
        similarity = None if allowed is None else np.where(allowed, 0.0, -np.inf)
        return gm.models.from_graphs(
            (A | A.T).astype(float), copy, seeds=seeds, similarity=similarity, **options
        )

    return make, truth


def noisy_points(n, seed):
    """The same of two point sets: listed edges."""
    rng = np.random.default_rng(seed)
    P, truth = rng.random((n, 2)), rng.permutation(n)
    Q = np.empty((n, 2))
    Q[truth] = P + rng.normal(0, 0.02, (n, 2))

    def make(seeds=None, allowed=None):
        candidates = None if allowed is None else np.argwhere(allowed)
        return gm.models.from_points(P, Q, seeds=seeds, candidates=candidates, complete=True)

    return make, truth


PAIRS = {
    "tiny": [noisy_copy(7, 3, 1.0, seed) for seed in range(6)],
    "noisy": [noisy_copy(12, 4, 0.8, seed) for seed in range(4)],
    "partial": [noisy_copy(7, 3, 0.8, seed, complete=False) for seed in range(4)],
    "sparse": [noisy_copy(70, 3, 0.9, seed) for seed in range(2)],
    "wide": [noisy_copy(170, 4, 0.9, seed) for seed in range(2)],
    "points": [noisy_points(9, seed) for seed in range(4)],
}


def constraints(truth, seed):
    """Arguments of the problem and options of the solve that the planted matching satisfies."""
    rng, n = np.random.default_rng(seed), len(truth)
    order = rng.permutation(n)
    for share in (0.1, 0.5, 0.9):
        count = max(1, round(share * n))
        yield {"seeds": [(int(i), int(truth[i])) for i in order[:count]]}, {}
    allowed = rng.random((n, n)) < 3 / n
    allowed[np.arange(n), truth] = True
    yield {"allowed": allowed}, {}
    yield {"allowed": allowed, "seeds": [(int(order[0]), int(truth[order[0]]))]}, {}
    yield {}, {"init": truth}
    yield {}, {"cutoff": "planted"}


@pytest.mark.parametrize("kind", PAIRS)
def test_a_true_constraint_does_not_make_it_worse(kind):
    for k, (make, truth) in enumerate(PAIRS[kind]):
        free = make()
        planted = free.signed(free.energy(truth))  # a cost, minimised
        limit = {"maxiter": 400}
        most = max(planted, free.signed(gm.gm_solve(free, **limit).value))
        for arguments, options in constraints(truth, k):
            problem = make(**arguments)
            if "cutoff" in options:
                options = {"cutoff": planted}
            r = gm.gm_solve(problem, **limit, **options)
            assert problem.signed(r.value) <= most + 1e-9 * abs(most)
            assert r.value == pytest.approx(problem.energy(r.labels), rel=1e-12)


def in_parts():
    """Three problems that nothing joins, as one."""
    parts = [random_problem(np.random.default_rng(k), 5, 5, edges=0.4) for k in range(3)]
    at = np.cumsum([0] + [p.n_candidates for p in parts])
    return gm.Problem(
        (15, 15),
        np.concatenate([p.left + 5 * k for k, p in enumerate(parts)]),
        np.concatenate([p.right + 5 * k for k, p in enumerate(parts)]),
        np.concatenate([p.cost for p in parts]),
        np.concatenate([p.a + at[k] for k, p in enumerate(parts)]),
        np.concatenate([p.b + at[k] for k, p in enumerate(parts)]),
        np.concatenate([p.edge_cost for p in parts]),
    )


def portfolios():
    """name -> problem that one of the portfolios solves."""
    seeded, truth = noisy_copy(20, 5, 0.9, 0)
    wide, _ = noisy_copy(170, 4, 0.85, 1)
    edits = gm.models.from_edit_costs(nx.cycle_graph(6), nx.wheel_graph(7))
    return {
        "two matrices": noisy_copy(14, 5, 0.8, 0)[0](),
        "two matrices, seeds": seeded(seeds=[(i, int(truth[i])) for i in range(15)]),
        "sparse graphs": wide(),
        "QAP": gm.models.from_koopmans_beckmann(*np.random.default_rng(0).normal(size=(2, 9, 9))),
        "listed": random_problem(np.random.default_rng(0), 8, 8, complete=True),
        "parts": in_parts(),
        "edit costs": edits,
    }


@pytest.mark.parametrize("name", portfolios())
@pytest.mark.parametrize("stop_after", [1, 2, 3, 5, 9, math.inf])
def test_what_is_reported_is_returned(name, stop_after, monkeypatch):
    """A solve that is stopped after any report returns labels as good as the best report."""
    if name == "parts":
        monkeypatch.setattr(_first, "LARGE", 0)
    problem, seen = portfolios()[name], []

    def progress(event, labels, iteration):
        _, value, bound = event
        seen.append(value)
        if labels is not None:
            assert problem.energy(labels) == pytest.approx(value, rel=1e-9, abs=1e-9)
        if len(seen) >= stop_after:
            budget.stop.set()

    with Budget(None, 0) as budget:
        r = solve_matching(budget, problem, "auto", None, progress, {"maxiter": 300})
    best = max(seen) if problem.sense == "max" else min(seen)
    assert r.value == problem.energy(r.labels)
    assert problem.signed(r.value) <= problem.signed(best) + 1e-9 * abs(best)
    assert problem.signed(r.bound) <= problem.signed(r.value)


def test_many_graphs_keep_what_they_report_and_what_they_start_from():
    for seed in range(6):
        multi, seen = random_multi(seed, (3, 3, 2)), []
        listen = lambda event, *_, seen=seen: seen.append(event[1])
        r = gm.gm_solve_multi(multi, maxiter=60, progress=listen)
        assert r.value == pytest.approx(min(seen)) == multi.energy(r.tracks)
        for maxiter in (1, 3, 60):  # the start is never lost, however early the end
            again = gm.gm_solve_multi(multi, maxiter=maxiter, init=r.tracks)
            assert again.value <= r.value + 1e-9 and again.value == multi.energy(again.tracks)
