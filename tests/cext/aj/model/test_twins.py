"""aj/twins: exactly the members whose exchange changes no cost are in one class."""

import numpy as np
import pytest
from c_internals import Indexed
from small import random_problem

import gmtoolbox as gm


def classes(problem):
    setup = Indexed(problem, "aj/model/twins.h")
    twins = setup.ffi.gc(setup.lib.aj_twins_new(setup.index), setup.lib.aj_twins_free)
    n1, n2 = problem.shape
    nodes = [twins.node_class[i] for i in range(n1)]
    labels = [twins.label_class[s] for s in range(n2)]
    assert twins.n_label_classes == max(labels) + 1
    return nodes, labels


def table(problem):
    """Costs of all candidates and pairs of them by name."""
    pairs = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    costs = {frozenset([pair]): c for pair, c in zip(pairs, problem.cost.tolist(), strict=True)}
    for a, b, c in zip(problem.a, problem.b, problem.edge_cost, strict=True):
        if c and pairs[a][0] != pairs[b][0] and pairs[a][1] != pairs[b][1]:
            costs[frozenset([pairs[a], pairs[b]])] = float(c)
    return costs


def exchanged(costs, side, x, y):
    swap = {x: y, y: x}

    def moved(pair):
        pair = list(pair)
        pair[side] = swap.get(pair[side], pair[side])
        return tuple(pair)

    return {frozenset(map(moved, key)): cost for key, cost in costs.items()}


@pytest.mark.parametrize("complete", [False, True])
def test_classes_are_what_exchanges_say(complete):
    found = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        p = random_problem(rng, 3, 4, integer=True, edges=0.2, density=0.9, complete=complete)
        few = np.where(rng.random(p.n_candidates) < 0.8, 1.0, 2.0)  # many equal costs
        p = gm.Problem(p.shape, p.left, p.right, few, complete=complete)
        costs = table(p)
        for side, found_classes in enumerate(classes(p)):
            for x in range(p.shape[side]):
                for y in range(x + 1, p.shape[side]):
                    same = exchanged(costs, side, x, y) == costs
                    assert same == (found_classes[x] == found_classes[y])
                    found += same
    assert found > 20


def test_with_edges():
    star = np.zeros((4, 4))
    star[0, 1:] = star[1:, 0] = 1.0  # the leaves are twins, the centre is alone
    nodes, labels = classes(gm.models.from_koopmans_beckmann(star, star))
    for found in (nodes, labels):
        assert found[1] == found[2] == found[3] != found[0]


def test_minus_zero_is_zero():
    p = gm.Problem((1, 2), [0, 0], [0, 1], [0.0, -0.0])
    _, labels = classes(p)
    assert labels[0] == labels[1]
