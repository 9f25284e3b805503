"""Bounds on edit distances without a search: never above the distance, and as tight as defined."""

from collections import Counter
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from edit_reference import KINDS, brute_force, random_costs, random_graph
from scipy.optimize import linear_sum_assignment

from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

same = lambda a, b: a["label"] == b["label"]


def random_model(seed, most):
    """Return two graphs, cost functions and their EditModel, from a seed."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % 4]
    G, H = (random_graph(rng, kind, most) for _ in range(2))
    given = random_costs(rng)
    return G, H, given, EditModel.of(EditCosts(**given), G, H)


def check(seeds, most):
    """Return how often the branch bound is the distance, and how often it beats the histograms."""
    tight = better = 0
    for seed in seeds:
        G, H, given, model = random_model(seed, most)
        distance = brute_force(G, H, **given)
        bound, labels = model.branch_bound
        assert 0.0 <= bound <= distance + 1e-9, seed
        assert 0.0 <= model.histogram_bound <= distance + 1e-9, seed
        assert model.path(labels)[2] >= distance - 1e-9, seed
        tight += bound > distance - 1e-9
        better += bound > model.histogram_bound + 1e-9
    return tight, better


def test_bounds_of_random_pairs():
    tight, better = check(range(120), 4)
    assert tight > 40 and better > 1


@pytest.mark.slow
@pytest.mark.parametrize("portion", range(10))
def test_bounds_of_many_random_pairs(portion):
    check(range(5000 + portion * 400, 5000 + portion * 400 + 400), 4)


def branches_by_definition(G, H, directed):
    """Return the cheapest assignment of nodes with half of their edges, for unit costs."""

    def ends(graph, u):
        if not directed:
            return [Counter(d["label"] for *_, d in graph.edges(u, data=True))]
        out = Counter(d["label"] for *_, d in graph.out_edges(u, data=True))
        return [out, Counter(d["label"] for *_, d in graph.in_edges(u, data=True))]

    def half(one, other):
        return 0.5 * (max(one.total(), other.total()) - (one & other).total())

    n, m = len(G), len(H)
    costs = np.zeros((n + m, n + m))
    for i, u in enumerate(G):
        costs[i, m:] = 1 + 0.5 * sum(c.total() for c in ends(G, u))
        for s, v in enumerate(H):
            turned = sum(map(half, ends(G, u), ends(H, v)))
            costs[i, s] = (G.nodes[u]["label"] != H.nodes[v]["label"]) + turned
    for s, v in enumerate(H):
        costs[n:, s] = 1 + 0.5 * sum(c.total() for c in ends(H, v))
    return costs[linear_sum_assignment(costs)].sum()


@pytest.mark.parametrize("directed", [False, True])
def test_branch_bound_is_as_defined(directed):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        graphs = [
            nx.gnp_random_graph(6, 0.5, seed=seed + 100 * k, directed=directed) for k in (0, 1)
        ]
        for graph in graphs:
            for data in (*graph.nodes.values(), *graph.edges.values()):
                data["label"] = int(rng.integers(3))
        model = EditModel.of(EditCosts(node_match=same, edge_match=same), *graphs)
        assert model.branch_bound[0] == branches_by_definition(*graphs, directed), seed


def test_degrees_alone():
    """A star has the degrees 5 1 1 1 1 1, a path 2 2 2 2 1 1: they differ by 6 half edges."""
    model = EditModel.of(EditCosts(), nx.star_graph(5), nx.path_graph(6))
    assert model.branch_bound[0] == 3.0 and model.histogram_bound == 0.0
    assert EditModel.of(EditCosts(), nx.Graph(), nx.path_graph(3)).branch_bound[0] == 5.0


def histogram_bound(G, H, *costs):
    return EditModel.of(EditCosts(costs=costs), G, H).histogram_bound


@pytest.mark.parametrize("n", range(1, 30))
def test_rounding_does_not_lift_the_histogram_bound(n):
    """A cycle of n nodes costs its nodes and edges less than one of 2 n, exactly."""
    for cost in (0.1, 0.3, 1 / 3, 0.825, 1e-300, 1e280):
        G, H = nx.cycle_graph(n + 2), nx.cycle_graph(2 * n + 4)
        assert histogram_bound(G, G, *[cost] * 4) == 0.0
        bound = Fraction(histogram_bound(G, H, *[cost] * 4))
        distance = (2 * n + 4) * Fraction(cost)
        assert distance * (1 - Fraction(1e-11)) <= bound <= distance


@pytest.mark.parametrize("cost", [1.0, 0.5, 2.75, 3.0 * 2**36, 2.0**-60, 1e-320])
def test_histogram_bound_of_integers_and_of_short_fractions_is_exact(cost):
    assert histogram_bound(nx.cycle_graph(9), nx.cycle_graph(14), *[cost] * 4) == 10 * cost


def test_a_substitution_that_rounding_hides_is_seen():
    """1 - 2^-53 - 1 - 1 is rounded to -1."""
    G, slightly_less = nx.empty_graph(3), 1.0 - 2.0**-53
    given = {"node_subst_cost": lambda a, b: slightly_less}
    bound = EditModel.of(EditCosts(**given), G, G).histogram_bound
    assert 3 * Fraction(slightly_less) - Fraction(1e-12) < bound <= 3 * Fraction(slightly_less)
