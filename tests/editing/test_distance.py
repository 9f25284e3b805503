"""graph_edit_distance against exhaustive search, of every kind of graph and cost."""

import copy
import doctest
import importlib
import math
import pickle

import networkx as nx
import numpy as np
import pytest
from edit_reference import KINDS, brute_force, cost_of_path, random_costs, random_graph
from repetition import times

import gmtoolbox as gm
from gmtoolbox.editing import distance as door
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

same = lambda a, b: a["label"] == b["label"]


def random_case(seed, most):
    """Two graphs of one kind and keyword arguments, from a seed."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % 4]
    first = rng.integers(most + 1)
    G, H = random_graph(rng, kind, int(first)), random_graph(rng, kind, most)
    given = random_costs(rng)
    if rng.random() < 0.3 and len(G) and len(H):
        given["roots"] = (list(G)[int(rng.integers(len(G)))], list(H)[int(rng.integers(len(H)))])
    return G, H, given


def check(seed, most):
    G, H, given = random_case(seed, most)
    distance = brute_force(G, H, **given)
    if distance == math.inf:
        with pytest.raises(gm.InfeasibleError):
            gm.graph_edit_distance(G, H, **given)
        return
    r = gm.graph_edit_distance(G, H, **given)
    assert r.status == "optimal" and r.proven, (seed, r)
    assert r.distance == pytest.approx(distance, abs=1e-9), seed
    assert r.bound <= r.value and r.bound == pytest.approx(distance, abs=1e-3)
    given.pop("roots", None)
    cost = cost_of_path(G, H, r.node_path, r.edge_path, **given)
    assert cost == pytest.approx(r.value, abs=1e-12), seed


@pytest.mark.parametrize("portion", range(times(10)))
def test_random_pairs_equal_exhaustive_search(portion):
    for seed in range(portion * 30, portion * 30 + 30):
        check(seed, 4)


@pytest.mark.slow
@pytest.mark.parametrize("portion", range(10))
def test_a_thousand_random_pairs_equal_exhaustive_search(portion):
    for seed in range(10_000 + portion * 100, 10_000 + portion * 100 + 100):
        check(seed, 5)


@pytest.mark.parametrize("portion", range(4))
def test_products_of_matrices_equal_exhaustive_search(portion, monkeypatch):
    """As large graphs are solved: labelled or not, directed, with loops, roots, forbidden pairs."""
    for name in ("MANY_PAIRS", "MANY_ALIKE"):
        monkeypatch.setattr(f"gmtoolbox.models.edits.{name}", 0)
    for seed in range(50_000 + portion * 30, 50_000 + portion * 30 + 30):
        check(seed, 4)


def edited_copy(G, edits, seed):
    """Return a graph that differs from G by one edge for each of the edits, its nodes shuffled."""
    rng, H = np.random.default_rng(seed), G.copy()
    edges, others = sorted(G.edges), sorted(nx.non_edges(G))
    H.remove_edges_from(edges[k] for k in rng.choice(len(edges), edits // 2, replace=False))
    added = rng.choice(len(others), edits - edits // 2, replace=False)
    H.add_edges_from(others[k] for k in added)
    return nx.relabel_nodes(H, dict(enumerate(rng.permutation(len(G)).tolist())))


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_regular_graphs_a_few_edits_apart(seed):
    """32,400 pairs of edges and no labels: local search on two matrices crosses many optima."""
    G = nx.random_regular_graph(3, 120, seed=seed)
    H = edited_copy(G, 6, seed)
    model = EditModel.of(EditCosts(), G, H)
    assert model.has_many_edges and model.lifted.problem is model.by_products
    for rare, is_alike in ((100, True), (10, False)):
        for graph in (G, H):
            nx.set_node_attributes(graph, {u: int(u % rare == 0) for u in graph}, "label")
        labelled = EditCosts(node_match=lambda a, b: a["label"] == b["label"])
        assert EditModel.of(labelled, G, H).has_many_edges == is_alike
    r = gm.graph_edit_distance(G, H, time_limit=60.0)
    assert r.value <= 6.0 and r.bound <= 6.0


def test_dense_graphs_of_few_nodes_are_solved_on_all_pairs_of_edges():
    """40,000 pairs of edges of 25 nodes."""
    dense = [nx.gnm_random_graph(25, 200, seed=k) for k in (1, 2)]
    assert not EditModel.of(EditCosts(), *dense).has_many_edges
    sparse = [nx.gnm_random_graph(100, 200, seed=k) for k in (1, 2)]
    assert EditModel.of(EditCosts(), *sparse).has_many_edges


def test_large_graphs_a_few_edits_apart():
    """360,000 pairs of edges: the products of two matrices stand for them."""
    G = nx.gnm_random_graph(300, 600, seed=1)
    order = dict(enumerate(np.random.default_rng(0).permutation(300).tolist()))
    H = nx.relabel_nodes(G, order)
    removed = list(H.edges)[:300:30]
    H.remove_edges_from(removed)
    model = EditModel.of(EditCosts(), G, H)
    assert model.common_gain == -2.0 and model.lifted.problem is model.by_products
    r = gm.graph_edit_distance(G, H, maxiter=200)
    assert r.value == 10.0 == cost_of_path(G, H, r.node_path, r.edge_path) and r.bound <= 10.0


def test_a_bound_below_by_its_last_digit_proves_a_distance():
    """Costs of 10 and 2e8 (found by the campaign): the bound is 240000009.99999997."""
    G, H = nx.DiGraph([(0, 2)]), nx.empty_graph(1, create_using=nx.DiGraph)
    G.add_node(1)
    given = dict(
        node_subst_cost=lambda a, b: 10.0,
        node_del_cost=lambda a: 2e7,
        node_ins_cost=lambda a: 2e7,
        edge_del_cost=lambda a: 2e8,
        edge_ins_cost=lambda a: 1e8,
        edge_subst_cost=lambda a, b: 100.0,
    )
    assert gm.graph_edit_distance(G, H, **given).distance == 240000010.0
    found, cost = nx.optimal_edit_paths(G, H, backend="gmtoolbox", **given)
    assert cost == 240000010.0 and len(found) == 3


def test_where_networkx_is_wrong():
    """Two equal graphs of one edge: networkx says 6 (issue 8099), the truth is 3."""
    G, H = nx.path_graph(2), nx.path_graph(2)
    given = dict(
        node_subst_cost=lambda a, b: 1.5,
        node_del_cost=lambda a: 0.5,
        node_ins_cost=lambda a: 0.5,
        edge_del_cost=lambda a: 2.0,
        edge_ins_cost=lambda a: 2.0,
    )
    assert brute_force(G, H, **given) == 3.0
    assert gm.graph_edit_distance(G, H, **given).distance == 3.0


def test_graphs_of_networkx_issue_2997():
    """networkx answers 9 after 90 seconds."""
    G = nx.Graph([(5, 4), (5, 6), (5, 7), (21, 8), (2, 1), (2, 0), (5, 3)])
    H = nx.Graph([(15, 13), (23, 16), (23, 24), (100, 7), (18, 19), (100, 23), (19, 20), (22, 21)])
    r = gm.graph_edit_distance(G, H)
    assert r.distance == 5.0 and cost_of_path(G, H, r.node_path, r.edge_path) == 5.0


def test_networkx_agrees_on_simple_graphs():
    """Unit costs, no loops: networkx is right there."""
    rng = np.random.default_rng(3)
    for _ in range(12):
        G, H = (nx.gnp_random_graph(int(rng.integers(1, 5)), 0.5, seed=int(rng.integers(99)))
                for _ in range(2))  # fmt: skip
        assert gm.graph_edit_distance(G, H).distance == nx.graph_edit_distance(G, H)


def test_empty_graphs():
    empty, G = nx.Graph(), nx.path_graph(3)
    assert gm.graph_edit_distance(empty, empty).distance == 0.0
    assert gm.graph_edit_distance(empty, G).distance == 5.0
    r = gm.graph_edit_distance(G, empty)
    assert r.distance == r.bound == 5.0 and r.gap == 0.0 and r.status == "optimal"
    assert r.node_path == [(0, None), (1, None), (2, None)] and len(r.edge_path) == 2


def test_nothing_may_be_substituted():
    G = nx.path_graph(3)
    never = {"node_subst_cost": lambda a, b: math.inf}
    assert gm.graph_edit_distance(G, G, **never).distance == 10.0
    with pytest.raises(gm.InputError, match="edit distance is 10"):
        gm.models.from_edit_costs(G, G, **never)
    with pytest.raises(gm.InfeasibleError):
        gm.graph_edit_distance(G, G, roots=(0, 0), **never)


def test_upper_bound():
    G, H = nx.cycle_graph(5), nx.complete_graph(6)
    d = gm.graph_edit_distance(G, H).distance
    assert d == 11.0
    r = gm.graph_edit_distance(G, H, upper_bound=11)
    assert r.distance == 11.0 and not r.exceeds
    r = gm.graph_edit_distance(G, H, upper_bound=10.5)
    assert r.distance is None and r.exceeds and r.bound > 10.5
    assert cost_of_path(G, H, r.node_path, r.edge_path) == r.value >= r.bound
    with pytest.raises(gm.InputError, match="upper_bound"):
        gm.graph_edit_distance(G, H, upper_bound="much")


def test_graphs_without_labels_on_their_matrices(monkeypatch):
    """Once the searches give up, as they do for larger graphs."""
    monkeypatch.setattr(door, "search_distance", lambda *given: None)
    monkeypatch.setattr(door, "by_common_edges", lambda model, seconds, seed: None)
    monkeypatch.setattr(door, "MOST_TWINS", 2.0)
    for seed in range(6):
        n, m, directed = 4 + seed % 2, 5 + seed % 3, seed % 2 == 1
        G = nx.gnm_random_graph(n, m, seed=seed, directed=directed)
        H = nx.gnm_random_graph(n, m + 1 - seed % 4, seed=seed + 50, directed=directed)
        costs = [(1, 0, 1, 0), (0.5, 0, 2, 0), (4, 0, 1, 0)][seed % 3]
        functions = scale_functions(costs)
        assert door.is_solved_on_matrices(EditModel.of(EditCosts(costs=costs), G, H)), seed
        r = gm.graph_edit_distance(G, H, costs=costs)
        assert r.distance == brute_force(G, H, **functions), seed
        assert cost_of_path(G, H, r.node_path, r.edge_path, **functions) == r.distance
        far = gm.graph_edit_distance(G, H, costs=costs, upper_bound=r.distance - 0.25)
        assert far.exceeds or r.distance < 0.25


def scale_functions(costs):
    """Return the cost functions of unlabelled graphs."""
    node, _, edge, _ = costs
    return dict(
        node_subst_cost=lambda a, b: 0.0,
        edge_subst_cost=lambda a, b: 0.0,
        **{f"node_{verb}_cost": lambda a: float(node) for verb in ("del", "ins")},
        **{f"edge_{verb}_cost": lambda a: float(edge) for verb in ("del", "ins")},
    )


@pytest.mark.parametrize("seed", range(8))
def test_labelled_graphs_of_two_sizes_on_their_matrices(monkeypatch, seed):
    monkeypatch.setattr(door, "search_distance", lambda *given: None)
    monkeypatch.setattr(door, "by_common_edges", lambda model, seconds, seed: None)
    monkeypatch.setattr(door, "MOST_TWINS", 2.0)
    rng = np.random.default_rng(seed)
    n1, n2, directed = 4 + seed % 2, 3 + seed % 3, seed % 4 > 1
    G, H = (nx.gnp_random_graph(n, 0.8, seed=seed + n, directed=directed) for n in (n1, n2))
    for graph in (G, H):
        nx.set_node_attributes(graph, {u: int(rng.integers(2)) for u in graph}, "label")
        graph.add_edges_from((u, u) for u in graph if rng.random() < 0.3)
    costs = [(1, 1, 1, 0), (2, 0.5, 0.25, 0), (4, 2, 1, 2)][seed % 3]
    same = lambda a, b: a["label"] == b["label"]
    model = EditModel.of(EditCosts(costs=costs, node_match=same), G, H)
    assert door.saves_alike(model)
    monkeypatch.setattr(door, "DENSE", 0.0)
    functions = scale_functions(costs)
    functions["node_subst_cost"] = lambda a, b: 0.0 if same(a, b) else float(costs[1])
    r = gm.graph_edit_distance(G, H, costs=costs, node_match=same)
    assert r.distance == brute_force(G, H, **functions)
    assert cost_of_path(G, H, r.node_path, r.edge_path, **functions) == r.distance
    far = gm.graph_edit_distance(G, H, costs=costs, node_match=same, upper_bound=r.distance - 0.125)
    assert far.exceeds or r.distance < 0.125
    dear = EditModel.of(EditCosts(costs=(1, 3, 1, 0), node_match=same), G, H)
    assert not door.saves_alike(dear) or not np.any(dear.unary > 0)


def test_symmetric_graphs_are_not_solved_on_their_matrices():
    costs = EditCosts()
    model = lambda G, H: EditModel.of(costs, G, H)
    rough = [nx.gnm_random_graph(20, 45, seed=k) for k in (1, 2)]
    assert door.is_solved_on_matrices(model(*rough))
    assert not door.is_solved_on_matrices(model(rough[0], nx.star_graph(19)))
    assert not door.is_solved_on_matrices(model(nx.complete_graph(20), rough[1]))
    assert not door.is_solved_on_matrices(model(rough[0], nx.gnm_random_graph(30, 60, seed=3)))
    assert door.count_twins(EditModel.of(costs, nx.star_graph(4), rough[0]).first) == 3
    assert door.count_twins(EditModel.of(costs, nx.complete_graph(4), rough[0]).first) == 3


@pytest.mark.parametrize("seed", [14, 53, 203, 1070])
@pytest.mark.parametrize("drop", [0.2, 1e-5, 1e-9])
def test_an_upper_bound_decides_although_costs_span_many_magnitudes(seed, drop):
    """The search ended at the bound that it was asked for, which rounding lowered afterwards."""
    rng = np.random.default_rng(seed)
    cost = (10.0 ** rng.integers(-6, 10, 8) * rng.integers(1, 10, 8)).tolist()
    draw = lambda: nx.gnm_random_graph(
        *rng.integers(3, 6, 2).tolist(), seed=int(rng.integers(1000))
    )
    graphs = [draw() for _ in range(2)]
    for G in graphs:
        nx.set_node_attributes(G, {v: int(rng.integers(2)) for v in G}, "l")
    given = dict(
        node_subst_cost=lambda a, b: 0.0 if a == b else cost[0],
        node_del_cost=lambda a: cost[1] if a["l"] else cost[2],
        node_ins_cost=lambda a: cost[3] if a["l"] else cost[4],
        edge_subst_cost=lambda a, b: 0.0,
        edge_del_cost=lambda a: cost[5],
        edge_ins_cost=lambda a: cost[6],
    )
    distance = gm.graph_edit_distance(*graphs, **given).distance
    assert distance == pytest.approx(brute_force(*graphs, **given), rel=1e-13)
    r = gm.graph_edit_distance(*graphs, upper_bound=distance * (1 - drop), **given)
    assert r.exceeds and r.distance is None


def test_paths_that_are_put_off_are_there_when_asked_for():
    G, H = nx.cycle_graph(5), nx.complete_graph(6)
    answers = [gm.graph_edit_distance(G, H, upper_bound=3) for _ in range(4)]
    assert all("node_path" not in vars(r) for r in answers)
    assert len(answers[0].mapping) == 5 and len(answers[0].edge_path) >= 15
    assert pickle.loads(pickle.dumps(answers[1])) == answers[0] == copy.copy(answers[2])
    assert answers[3].to_dict()["node_path"] == answers[0].to_dict()["node_path"]
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = answers[0].other


def settled(costs, below):
    """(status, bound, cost) of an optimal matching whose bound is lower by below(model, cost)."""
    G, H = nx.path_graph(3), nx.cycle_graph(4)
    nx.set_node_attributes(G, {0: 1, 1: 2, 2: 1}, "label")
    nx.set_node_attributes(H, 1, "label")
    same = lambda a, b: a["label"] == b["label"]
    model = EditModel.of(EditCosts(costs=costs, node_match=same), G, H)
    labels, cost = np.array([0, 1, 2]), model.path([0, 1, 2])[2]
    answer = door.answer_unsolved(labels, cost - below(model, cost), 0)
    answer = door.settle_distance(answer, model, cost)
    return answer.status, answer.bound, cost


def test_the_tolerance_of_a_solver_is_kept():
    """The bound is lowered by the error of sums: that does not open a gap that was closed."""
    closed = lambda model, cost: 0.999 * model.lifted.problem.tolerance
    assert settled((0.1, 0.3, 0.7, 0.1), closed)[0] == "optimal"
    assert settled((0.1, 0.3, 0.7, 0.1), lambda model, cost: 1e-6)[0] == "converged"


def test_bounds_are_raised_to_the_next_distance():
    wide = (3e10, 1e10, 3e11, 0.0)  # every distance is a multiple of 1e10
    status, bound, cost = settled(wide, lambda model, cost: 1e6)
    assert status == "optimal" and bound == cost
    status, bound, cost = settled((0.1, 0.3, 0.7, 0.1), lambda model, cost: 0.06)
    assert status == "converged" and bound < cost - 0.059  # sums are rounded: no grid


def test_sizes_decide_without_a_path():
    G, H = nx.path_graph(3), nx.complete_graph(6)
    answers = [gm.graph_edit_distance(G, H, upper_bound=3) for _ in range(3)]
    assert all(r.exceeds and r.distance is None and "value" not in vars(r) for r in answers)
    r = answers[0]
    assert r.bound == 16.0 <= r.value and 0.0 <= r.gap < 1.0 and len(r.mapping) == 3
    assert pickle.loads(pickle.dumps(answers[1])) == r and answers[2].to_dict()["value"] == r.value
    model = lambda **given: EditModel.of(EditCosts(**given), G, H)
    assert door.size_bound(model(costs=(4, 2, 0.25, 1))) == 3 * 4 + 13 * 0.25
    assert door.size_bound(model(costs=(1, 1, 0.1, 1))) == 0.0  # its sum is rounded
    assert door.size_bound(model(edge_ins_cost=lambda data: 1.0)) == 0.0
    assert door.size_bound(model(edge_del_cost=lambda data: 1.0)) == 16.0  # nothing is deleted
    assert not gm.graph_edit_distance(G, H, upper_bound=16).exceeds


@pytest.mark.parametrize("portion", range(4))
def test_an_upper_bound_decides_as_the_distance_does(portion):
    n_beyond = 0
    for seed in range(portion * 25, portion * 25 + 25):
        G, H, given = random_case(seed, 4)
        distance = brute_force(G, H, **given)
        if distance == math.inf:
            continue
        plain = {name: value for name, value in given.items() if name != "roots"}
        for limit in (0.5 * distance, distance - 1e-3, distance + 1e-3, distance + 0.5):
            r = gm.graph_edit_distance(G, H, upper_bound=limit, **given)
            assert r.exceeds == (distance > limit), (seed, limit)
            assert r.bound <= distance + 1e-9 and r.value >= distance - 1e-9
            assert (r.distance is None) == r.exceeds
            cost = cost_of_path(G, H, r.node_path, r.edge_path, **plain)
            assert cost == pytest.approx(r.value, abs=1e-12)
            n_beyond += r.exceeds and r.n_iter == 0  # decided without a search
    assert n_beyond > 10


def test_time_limit_gives_a_path_and_a_bound():
    G, H = nx.gnp_random_graph(40, 0.3, seed=1), nx.gnp_random_graph(40, 0.3, seed=2)
    r = gm.graph_edit_distance(G, H, time_limit=0.5)
    assert r.status == "time_limit" and r.distance is None and 0 < r.bound <= r.value
    assert cost_of_path(G, H, r.node_path, r.edge_path) == r.value
    assert "distance in [" in repr(r)


def test_a_bound_of_labels_decides_gap_and_status():
    """Of a method without a bound: equal to the cost it is a proof, below it a finite gap."""
    r = gm.graph_edit_distance(nx.path_graph(6), nx.cycle_graph(8), method="fw")
    assert r.value == r.bound == r.distance == 5.0 and r.status == "optimal" and r.gap == 0.0
    r = gm.graph_edit_distance(nx.star_graph(5), nx.path_graph(6), method="fw")
    assert r.value > r.bound == 0.0 and r.status == "converged" and r.distance is None
    assert r.gap == 1.0, "relative to the distance"


def test_functions_are_called_once_per_distinct_pair():
    calls = []

    def subst(a, b):
        calls.append((a["label"], b["label"]))
        return float(a != b)

    G, H = nx.path_graph(12), nx.cycle_graph(11)
    for graph in (G, H):
        nx.set_node_attributes(graph, {v: v % 3 for v in graph}, "label")
    gm.graph_edit_distance(G, H, node_subst_cost=subst)
    assert sorted(calls) == sorted((a, b) for a in range(3) for b in range(3))


def test_equal_numbers_of_different_type_are_told_apart():
    G, H = nx.Graph(), nx.Graph()
    G.add_nodes_from([(0, {"x": 1}), (1, {"x": True})])
    H.add_nodes_from([(0, {"x": 1.0}), (1, {"x": 1})])
    kinds = lambda a, b: float(type(a["x"]) is not type(b["x"]))
    assert gm.graph_edit_distance(G, H, node_subst_cost=kinds).distance == 1.0


def test_attributes_that_cannot_be_hashed():
    G, H = nx.Graph(), nx.Graph()
    G.add_nodes_from([(0, {"x": [1, 2]}), (1, {"x": np.arange(3)})])
    H.add_nodes_from([(0, {"x": np.arange(3)}), (1, {"x": [1, 2]})])
    G.add_edge(0, 1, w=[1])
    H.add_edge(0, 1, w=[1])
    size = lambda a, b: float(len(a["x"]) != len(b["x"]))
    r = gm.graph_edit_distance(G, H, node_subst_cost=size, edge_match=lambda a, b: a == b)
    assert r.distance == 0.0 and r.mapping == {0: 1, 1: 0}


def test_matrices_with_labels():
    A = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    B = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    assert gm.graph_edit_distance(A, B).distance == 1.0  # one edge relabelled
    assert gm.graph_edit_distance(A, B, edge_match=lambda a, b: True).distance == 0.0
    assert gm.graph_edit_distance((A, ["C", "C", "O"]), (A, ["C", "C", "N"])).distance == 1.0
    r = gm.graph_edit_distance((A, ["C", "C", "O"]), (A, ["C", "C", "N"]), costs="chem1")
    assert r.distance == 2.0
    one_way = np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    assert gm.graph_edit_distance(A, one_way).distance == 2.0  # two arcs less
    with pytest.raises(gm.InputError, match="square"):
        gm.graph_edit_distance(A[:2], A)
    with pytest.raises(gm.InputError, match="one label"):
        gm.graph_edit_distance((A, ["C"]), A)


@pytest.mark.parametrize(
    "given, message",
    [
        (
            {"node_subst_cost": lambda a, b: -1},
            "node_subst_cost must be .* got -1 for nodes 7 and 7",
        ),
        ({"node_del_cost": lambda a: math.nan}, "node_del_cost must be .* got nan for node 7"),
        ({"node_ins_cost": lambda a: math.inf}, "node_ins_cost must be a finite .* for node 7"),
        ({"edge_subst_cost": lambda a, b: "x"}, "edge_subst_cost must be .* for edges"),
        ({"edge_del_cost": lambda a: -0.5}, r"edge_del_cost .* for edge \(7, 8\)"),
        ({"edge_ins_cost": lambda a: None}, r"edge_ins_cost .* for edge \(7, 8\)"),
        ({"node_match": 3}, "node_match must be a function"),
        ({"roots": (7, 1)}, "roots must be a node of G2, got 1"),
        ({"roots": 7}, "roots must be a pair"),
        ({"costs": "dear"}, "costs must be one of unit, constant, unlabelled, chem1"),
        ({"costs": (1, 2, 3)}, "costs must be four"),
    ],
)
def test_bad_input_is_named(given, message):
    G = nx.Graph([(7, 8)])
    with pytest.raises(gm.InputError, match=message):
        gm.graph_edit_distance(G, G, **given)


def test_examples_in_docstrings():
    for module in ("editing.distance", "models.edits"):
        failed, tried = doctest.testmod(importlib.import_module(f"gmtoolbox.{module}"))
        assert tried and not failed


def test_kinds_do_not_mix():
    with pytest.raises(gm.InputError, match="directed and undirected"):
        gm.graph_edit_distance(nx.DiGraph([(0, 1)]), nx.Graph([(0, 1)]))
    with pytest.raises(gm.InputError, match="G2 must be a networkx graph"):
        gm.graph_edit_distance(nx.Graph([(0, 1)]), "graph")


@pytest.mark.parametrize("suffix", [".json", ".npz", ".h5", ".mat"])
def test_results_are_saved(tmp_path, suffix):
    r = gm.graph_edit_distance(nx.grid_2d_graph(2, 3), nx.path_graph(7), upper_bound=20)
    r.save(tmp_path / f"r{suffix}")
    read = gm.load_result(tmp_path / f"r{suffix}")
    assert read == r and read.node_path == r.node_path and read.edge_path == r.edge_path
    c = gm.maximum_common_subgraph(nx.grid_2d_graph(2, 3), nx.path_graph(7))
    c.save(tmp_path / f"c{suffix}")
    assert gm.load_result(tmp_path / f"c{suffix}") == c
    assert "nodes    6 substituted, 0 deleted, 1 inserted" in r.summary()


def test_problem_speaks_the_names_of_the_graphs():
    G, H = nx.path_graph(["a", "b", "c"]), nx.path_graph(["x", "y", "z"])
    p = gm.models.from_edit_costs(G, H, roots=("b", "y"))
    assert p.shape == (2, 2) and gm.gm_solve(p).mapping.keys() == {"a", "c"}


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True, 2**70])
@pytest.mark.parametrize(
    "door", [gm.graph_edit_distance, gm.find_subgraph, gm.maximum_common_subgraph]
)
def test_wrong_seeds_are_refused_although_small_graphs_need_none(door, seed):
    with pytest.raises(gm.InputError, match="seed must be an integer"):
        door(nx.path_graph(3), nx.cycle_graph(4), seed=seed)
