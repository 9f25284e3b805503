"""Edit costs of many magnitudes: the same distance from numbers of one size."""

import math

import networkx as nx
import numpy as np
import pytest
from edit_reference import brute_force, random_graph

import gmtoolbox as gm
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edit_scales import (
    SubstitutingModel,
    cap_steps,
    common_divisor,
    is_wide,
    largest_step,
    make_substituting,
    raise_to_grid,
)
from gmtoolbox.models.edits import EditModel


def dear_deletions(rng, deletion):
    """Costs of labels at random, and of deletions and insertions of nodes."""
    table = rng.random((2, 2))
    return dict(
        node_subst_cost=lambda a, b: float(table[a["label"], b["label"]]),
        edge_subst_cost=lambda a, b: float(table[b["label"], a["label"]]),
        node_del_cost=lambda a: deletion,
        node_ins_cost=lambda a: deletion,
    )


def two_graphs(rng, kind=nx.Graph):
    while True:
        graphs = random_graph(rng, kind, most=4), random_graph(rng, kind, most=4)
        if all(len(G) for G in graphs):
            return graphs


def model_of(G1, G2, **given):
    return EditModel.of(EditCosts(**given), G1, G2)


@pytest.mark.parametrize("deletion", [1e-6, 1.0, 1e5, 1e6, 1e9, 1e12])
def test_distances_are_right_where_deletions_cost_much(deletion):
    rng = np.random.default_rng(int(math.log10(deletion)) + 50)
    for k in range(12):
        G1, G2 = two_graphs(rng, (nx.Graph, nx.DiGraph)[k % 2])
        given = dear_deletions(rng, deletion)
        r = gm.graph_edit_distance(G1, G2, **given)
        distance = brute_force(G1, G2, **given)
        assert r.status == "optimal" and r.value == pytest.approx(distance, rel=1e-13, abs=0)
        assert r.bound <= distance * (1 + 1e-13)


def test_steps_above_a_known_path_change_nothing():
    rng = np.random.default_rng(1)
    for _ in range(10):
        G1, G2 = two_graphs(rng)
        given = {**dear_deletions(rng, 1e9), "edge_del_cost": lambda a: 1e7}
        model, distance = model_of(G1, G2, **given), brute_force(G1, G2, **given)
        if model.lifted is None or distance == 0:
            continue
        small = cap_steps(model, distance)
        assert largest_step(small) <= 2 * distance
        r = gm.gm_solve(small.lifted.problem, "ilp")
        assert r.value == pytest.approx(distance)
        assert model.path(small.lifted.lift(r.labels))[2] == pytest.approx(distance)


def test_forbidden_nodes_stay_forbidden():
    table = np.array([[0.0, math.inf], [1e9, 1e-3]])
    G, H = nx.Graph(), nx.Graph()
    G.add_nodes_from([(0, {"label": 0}), (1, {"label": 1})])
    H.add_nodes_from([(0, {"label": 1}), (1, {"label": 0})])
    model = model_of(G, H, node_subst_cost=lambda a, b: float(table[a["label"], b["label"]]))
    assert model.whole.n_candidates == 3 and is_wide(model)
    assert cap_steps(model, 1.0).whole.n_candidates == 3


def test_nothing_large_is_in_the_costs_if_all_nodes_are_substituted():
    rng = np.random.default_rng(2)
    for _ in range(20):
        G1, G2 = two_graphs(rng)
        model = model_of(G1, G2, **dear_deletions(rng, 1e12))
        used = make_substituting(model)
        if model.lifted is None:
            continue
        assert type(used) is SubstitutingModel and used.whole.complete
        assert np.abs(used.whole.cost).max() < 10 and used.moved < 100
        more = abs(len(G1) - len(G2))
        assert used.offset == pytest.approx(used.moved + 1e12 * more)
    given = dear_deletions(rng, 0.0)  # substitutions cost more than deletions: not all of them pay
    model = model_of(*two_graphs(rng), **given)
    assert make_substituting(model) is model


def test_usual_costs_are_solved_as_they_are():
    G, H = nx.cycle_graph(5), nx.path_graph(6)
    for costs in ("unit", "chem1", "chem2"):
        assert not is_wide(model_of(G, H, costs=costs))
    assert is_wide(model_of(G, H, costs=(1e6, 1.0, 1.0, 1.0)))


def test_a_distance_of_nothing_is_proven():
    G = nx.gnp_random_graph(6, 0.5, seed=1)
    r = gm.graph_edit_distance(G, nx.relabel_nodes(G, lambda u: 5 - u), costs=(1e9, 1.0, 1e3, 1.0))
    assert r.distance == 0.0 and r.status == "optimal" and r.gap == 0.0


def test_bounds_are_raised_to_the_next_sum_of_costs():
    model = lambda *costs: EditModel.of(EditCosts(costs=costs), nx.path_graph(3), nx.cycle_graph(4))
    wide = model(3e10, 1e10, 3e11, 0.0)
    assert raise_to_grid(wide, 6.4e11) == 6.6e11 and raise_to_grid(wide, 6.2e11) == 6.3e11
    assert raise_to_grid(wide, 6.6e11) == 6.6e11 and raise_to_grid(wide, 6.6e11 + 1e-4) < 6.7e11
    halves = model(1.5, 1.0, 0.75, 0.0)
    assert raise_to_grid(halves, 2.3) == 3.0 and raise_to_grid(halves, 3.0) == 3.0
    rounded = model(0.1, 0.3, 0.7, 0.1)
    assert raise_to_grid(rounded, 0.64) == 0.64  # sums have no grid
    free = model(0.0, 0.0, 0.0, 0.0)
    assert raise_to_grid(free, -1.0) == -1.0 and common_divisor([]) == 0.0
    assert common_divisor([0.75, 3.0, 1.5]) == 0.75
