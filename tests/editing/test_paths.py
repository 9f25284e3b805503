"""Many edit paths: costs only fall, and all cheapest matchings are found, each once."""

from itertools import permutations

import numpy as np
import pytest

from gmtoolbox.editing.paths import improve_paths, optimal_matchings
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

nx = pytest.importorskip("networkx")


def model_of(G, H, costs="unit"):
    return EditModel.of(EditCosts(costs=costs), G, H)


def injections(n1, n2):
    """Every way to give nodes labels or none."""
    for chosen in permutations([*range(n2), *[-1] * n1], n1):
        if len({s for s in chosen if s >= 0}) == sum(s >= 0 for s in chosen):
            yield chosen


@pytest.mark.parametrize("scale", [1.0, 1e-10, 1e-300, 1e10])
@pytest.mark.parametrize("costs", [(1.0, 1.0, 1.0, 1.0), (0.1, 0.7, 0.3, 0.3)])
@pytest.mark.parametrize(
    "G, H", [(nx.path_graph(3), nx.path_graph(3)), (nx.star_graph(2), nx.cycle_graph(3))]
)
def test_all_cheapest_matchings_each_once(G, H, costs, scale):
    model = model_of(G, H, [scale * cost for cost in costs])
    costs = {labels: model.path(np.array(labels))[2] for labels in set(injections(3, 3))}
    best = min(costs.values())
    wanted = sorted(labels for labels, cost in costs.items() if cost <= best + 1e-9 * scale)
    found = [tuple(int(s) for s in labels) for labels in optimal_matchings(model, best)]
    assert len(found) == len(set(found)) and sorted(found) == wanted


def test_costs_only_fall_and_the_last_is_proven():
    results = list(improve_paths(model_of(nx.petersen_graph(), nx.cycle_graph(9)), time_limit=20))
    values = [r.value for r in results]
    assert values == sorted(values, reverse=True) and results[-1].proven


def test_nothing_within_an_upper_bound_that_is_too_low():
    model = model_of(nx.complete_graph(4), nx.empty_graph(4))
    assert list(improve_paths(model, upper_bound=5.0, time_limit=20)) == []
    assert [r.value for r in improve_paths(model, upper_bound=6.0, time_limit=20)][-1] == 6.0


def test_no_time_no_answer():
    assert list(improve_paths(model_of(nx.path_graph(2), nx.path_graph(3)), time_limit=0)) == []


def test_what_rounding_may_add_is_known_before_any_table_is_made():
    """Costs of 0.1 to 3e7 (found by the campaign): 20000000.4 and a sum of another order."""
    G, H = nx.Graph([(0, 1)]), nx.empty_graph(3)
    G.add_node(2)
    table = {0: (0.3, 0.1), 1: (0.0, 0.0), 2: (0.3, 0.1)}
    costs = EditCosts(
        node_subst_cost=lambda a, b: table[a["label"]][b["label"]],
        node_del_cost=lambda a: 100.0 * (a["label"] == 1),
        node_ins_cost=lambda a: 3e7,
        edge_del_cost=lambda a: 2e7,
        edge_ins_cost=lambda a: 0.0,
        edge_subst_cost=lambda a, b: 0.0,
    )
    for graph, labels in ((G, (0, 1, 2)), (H, (0, 1, 0))):
        for node, label in zip(graph, labels, strict=True):
            graph.nodes[node]["label"] = label
    fresh = lambda: EditModel.of(costs, G, H)
    best = min(fresh().path(np.array(labels))[2] for labels in injections(3, 3))
    assert list(optimal_matchings(fresh(), best))
    used = fresh()
    _ = used.whole
    assert fresh().cost_error(best) == used.cost_error(best) > 0.0


def test_a_small_cost_next_to_huge_ones_is_seen_in_paths_of_cost_zero():
    """Nodes of one name cost nothing, others 1e-3; insertions, which nothing needs, cost 2e11."""
    G, H = nx.Graph(), nx.Graph()
    G.add_nodes_from([("a", {"name": 0}), ("b", {"name": 1})])
    H.add_nodes_from([("c", {"name": 1}), ("d", {"name": 0})])
    G.add_edge("a", "b")
    paths, cost = nx.optimal_edit_paths(
        G,
        H,
        node_subst_cost=lambda u, v: 1e-3 * (u["name"] != v["name"]),
        node_ins_cost=lambda v: 2e11,
        edge_del_cost=lambda e: 0.0,
        backend="gmtoolbox",
    )
    assert cost == 0.0 and [nodes for nodes, _ in paths] == [[("a", "d"), ("b", "c")]]
