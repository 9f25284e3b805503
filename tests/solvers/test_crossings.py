"""Crossings of local optima: never worse than any, allowed pairs only, no bounds of parts."""

import math

import numpy as np
import scipy.sparse as sp
from products import random_products

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers import _restriction
from gmtoolbox.solvers._crossings import Crossings, exchange_labels
from gmtoolbox.solvers._portfolio import Portfolio, exactly


def heavy_tailed_copy(n, seed):
    """(problem, truth) of a graph with hubs and leaves and its copy without a few edges."""
    rng = np.random.default_rng(seed)
    degrees = np.minimum(np.floor(rng.pareto(1.3, n) + 1), n // 10).astype(int)
    ends = rng.permutation(np.repeat(np.arange(n), degrees))
    i, j = ends[: len(ends) // 2 * 2].reshape(2, -1)
    truth, sides = rng.permutation(n), []
    for place, kept in ((np.arange(n), 1.0), (truth, 0.95)):
        stays = (rng.random(len(i)) < kept) & (i != j)
        M = np.zeros((n, n))
        M[place[i[stays]], place[j[stays]]] = 1.0
        sides.append(sp.csr_array(np.maximum(M, M.T)))
    return gm.models.from_graphs(*sides).as_costs(), truth.astype(np.int32)


def crossings_of(problem, labels, starts=()):
    """(Crossings, Portfolio) that knows these labels and starts."""
    state = Portfolio(problem, Budget(time_limit=60.0, seed=0))
    state.offer(labels, "start")
    state.starts = list(starts)

    def descend(labels, patience, attempt):
        return state.explore(labels, math.inf, maxiter=2000, patience=patience, attempt=attempt)

    return Crossings(state, exactly, descend), state


def test_a_crossing_takes_the_best_part_of_each():
    """Two matchings, each wrong in another half: crossed, they are the truth or better."""
    problem, truth = heavy_tailed_copy(120, 0)
    rng, halves = np.random.default_rng(1), np.array_split(np.arange(120), 2)
    wrong = []
    for half in halves:
        labels = truth.copy()
        labels[half] = truth[rng.permutation(half)]
        wrong.append(labels)
    wrong.sort(key=problem.total_cost)
    crossings, state = crossings_of(problem, wrong[0])
    found = crossings.cross(wrong)
    assert problem.total_cost(found) <= problem.total_cost(truth) < problem.total_cost(wrong[0])
    assert state.bound == -math.inf  # the proof holds among these pairs only


def test_rounds_find_what_local_search_does_not():
    problem, truth = heavy_tailed_copy(150, 3)
    start = np.random.default_rng(0).permutation(150).astype(np.int32)
    crossings, state = crossings_of(problem, truth, [start])
    planted = state.cost
    assert not crossings_of(problem, truth)[0].improve(lambda: False)  # without starts: nothing
    assert crossings.improve(lambda: crossings.rounds >= 6) == (state.cost < planted)
    assert crossings.rounds == 6 and state.cost <= planted
    assert state.cost == problem.total_cost(state.labels)


def test_exchanges_use_allowed_pairs_only():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = random_products(
            rng, 6, 7, "mixed", complete=seed % 2 == 0, forbidden=0.3, symmetric=True
        ).as_costs()
        labels = gm.gm_solve(problem, "fm", maxiter=3).labels
        other = exchange_labels(problem, labels, 0.9, rng)
        used = other[other >= 0]
        assert len(set(used.tolist())) == len(used) == np.count_nonzero(labels >= 0)
        assert np.all(problem.candidates.index(np.flatnonzero(other >= 0), used) >= 0)


def test_what_is_too_large_ends_it(monkeypatch):
    problem, truth = heavy_tailed_copy(120, 0)
    crossings, state = crossings_of(problem, truth, [truth])
    monkeypatch.setattr(_restriction, "MOST_EDGES", 0)
    assert not crossings.improve(lambda: False) and crossings.rounds == 1
