"""The most common edges by pairs of nodes and by turns, against enumeration."""

import random

import networkx as nx
import pytest
from repetition import times
from subgraph_reference import (
    EQUAL,
    by_label,
    label,
    most_common_edges,
    random_graph,
    seeded,
)

import gmtoolbox as gm
from gmtoolbox.engine.progress import Budget
from gmtoolbox.subgraphs import common_edges

METHODS = ("auto", "assignment")


def random_case(seed):
    """(G, H): kinds of graphs and labels by turns."""
    rng = seeded(seed, 3)
    drawn = dict(
        p=float(rng.choice([0.3, 0.5, 0.8])),
        directed=bool(rng.integers(2)),
        loops=bool(rng.integers(2)),
        labels=int(rng.choice([0, 2, 3])),
        kinds=int(rng.choice([0, 2, 3])),
    )
    return [random_graph(rng, int(rng.integers(6)), **drawn) for _ in range(2)]


def check_case(seed):
    G, H = random_case(seed)
    best, match = most_common_edges(G, H), by_label(EQUAL)
    for method in METHODS:
        r = gm.maximum_common_subgraph(G, H, method=method, node_match=match, edge_match=match)
        assert r.value == r.bound == best == len(r.edges) and r.proven, (seed, method)
        assert all(label(G, u) == label(H, v) for u, v in r.nodes)
        assert len(set(r.mapping.values())) == len(r.nodes)
        for e, f in r.edges:
            ends = (r.mapping[e[0]], r.mapping[e[1]])
            assert ends == f[:2] or (not G.is_directed() and ends == f[1::-1])
            assert G.edges[e].get("label") == H.edges[f].get("label")


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_random_graphs_of_all_kinds_equal_enumeration(start):
    for seed in range(start, start + 20):
        check_case(seed)


@pytest.mark.slow
def test_many_random_graphs_equal_enumeration():
    for seed in range(1000, 4000):
        check_case(seed)


@pytest.mark.parametrize("seed", range(4))
def test_searches_agree_on_larger_graphs(seed):
    G, H = (nx.gnp_random_graph(10 + k, 0.5, seed=2 * seed + k) for k in (0, 1))
    for graph in (G, H):
        nx.set_node_attributes(graph, {u: u % (1 + seed % 2) for u in graph}, "label")
    given = dict(node_match=by_label(EQUAL))
    answers = [
        gm.maximum_common_subgraph(G, H, method=method, **given)
        for method in (*METHODS, "partition")
    ]
    answers.append(gm.maximum_common_subgraph(H, G, method="assignment", **given))
    assert len({r.value for r in answers}) == 1 and all(r.proven for r in answers)


def test_labelled_graphs_that_are_nearly_trees_are_left_to_partitions_and_matching():
    def searches(G, labels):
        nx.set_node_attributes(G, {u: u % labels for u in G}, "label")
        asked = common_edges.EdgeQuestion.of(gm_model(G, G, None, by_label(EQUAL)))
        quick = asked.has_quick_matching()
        return quick, asked.searches(quick)["assignment"]

    assert searches(nx.cycle_graph(14), 4) == (True, 0)
    assert searches(nx.cycle_graph(14), 1) == (False, 1)
    assert searches(nx.random_regular_graph(3, 14, seed=1), 4) == (False, 1)


def gm_model(G, H, edge_match=None, node_match=None):
    from gmtoolbox.models.edits import EditModel
    from gmtoolbox.subgraphs.labelled import match_costs

    return EditModel.of(match_costs(node_match, edge_match), G, H)


def test_labels_that_are_not_compared_by_equality_are_left_to_partitions():
    G = nx.Graph([(0, 1, {"w": 0}), (1, 2, {"w": 1}), (2, 3, {"w": 2})])
    near = lambda a, b: abs(a["w"] - b["w"]) <= 1
    assert common_edges.EdgeQuestion.of(gm_model(G, G, near)).searches()["assignment"] == 0
    assert gm.maximum_common_subgraph(G, G, edge_match=near).value == 3
    with pytest.raises(gm.InputError, match="compared by equality"):
        gm.maximum_common_subgraph(G, G, edge_match=near, method="assignment")


def test_numbers_that_fit_are_equal():
    table = common_edges.np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool)
    numbers, fit = common_edges.equal_numbers(table)
    assert numbers[2] == 0 and numbers[0] == 2 and numbers[1] >= 3
    assert (fit[:, numbers] == table).all()


def test_what_is_refused():
    G = nx.cycle_graph(4)
    for given in ({"connected": True}, {"kind": "induced"}, {"trials": 2}, {"maxiter": -1}):
        with pytest.raises((gm.InputError, gm.OptionError)):
            gm.maximum_common_subgraph(G, G, method="assignment", **given)
    with pytest.raises(gm.InputError, match="parallel"):
        gm.maximum_common_subgraph(
            nx.MultiGraph([(0, 1), (0, 1)]), nx.MultiGraph([(0, 1)]), method="assignment"
        )
    with pytest.raises(gm.InputError, match="128 nodes"):
        gm.maximum_common_subgraph(G, nx.path_graph(129), method="assignment")


def test_number_of_nodes_and_time_can_be_limited():
    G, H = (nx.gnp_random_graph(20, 0.5, seed=k) for k in (1, 2))
    r = gm.maximum_common_subgraph(G, H, method="assignment", maxiter=100)
    assert r.status == "iteration_limit" and r.n_iter == 100 and r.value < r.bound
    r = gm.maximum_common_subgraph(G, H, method="assignment", time_limit=0.1)
    assert r.status == "time_limit" and 50 < r.value < r.bound <= 95


def common_after(G, H, nodes):
    """How many edges are common when the searches have had this many nodes."""
    asked = common_edges.EdgeQuestion.of(gm_model(G, H))
    with Budget(None, 0) as budget:
        labels = asked.labels(asked.search(asked.searches(), budget, nodes)).tolist()
    edges = [(labels[u], labels[w]) for u, w in G.edges]
    return sum(min(edge) >= 0 and H.has_edge(*edge) for edge in edges)


def test_local_search_finds_most_common_edges_early():
    early = most = 0
    for seed in range(12):
        G, H = (nx.gnp_random_graph(14, 0.4, seed=2 * seed + k) for k in (0, 1))
        early += common_after(G, H, 1300)  # a few turns
        most += gm.maximum_common_subgraph(G, H).value
    assert early >= 0.97 * most  # 0.93 without local search


def test_search_begins_with_subgraph_that_first_assignment_leads_to():
    nodes = 0
    for seed in (1, 5, 6, 7, 11, 12, 13):
        rng = random.Random(seed)
        G, H = (nx.gnp_random_graph(16, 0.5, seed=seed + k) for k in (0, 501))
        for graph in (G, H):
            nx.set_node_attributes(graph, {u: rng.randrange(2) for u in graph}, "label")
        nodes += gm.maximum_common_subgraph(G, H, node_match=by_label(EQUAL)).n_iter
    assert nodes < 50_000  # 77,000 if the root is expanded before its map is improved


@pytest.mark.parametrize("seed", range(times(40)))
def test_searches_agree_on_graphs_that_take_many_turns(seed):
    rng = random.Random(seed)
    directed, loops = seed % 2 == 1, seed % 3 == 0
    G, H = (nx.gnp_random_graph(10 + k, 0.25, seed=2 * seed + k, directed=directed) for k in (0, 1))
    for graph in (G, H):
        graph.add_edges_from((u, u) for u in graph if loops and rng.random() < 0.3)
        nx.set_edge_attributes(
            graph, {e: rng.randrange(1 + seed % 2) for e in graph.edges}, "label"
        )
        nx.set_node_attributes(graph, {u: rng.randrange(1 + seed % 4) for u in graph}, "label")
    given = dict(node_match=by_label(EQUAL), edge_match=by_label(EQUAL))
    answers = [
        gm.maximum_common_subgraph(*pair, method=method, **given)
        for method in ("auto", "partition", "assignment")
        for pair in ((G, H), (H, G))
    ]
    assert len({r.value for r in answers}) == 1 and all(r.proven for r in answers)
