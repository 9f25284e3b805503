"""Common subgraphs and patterns against exhaustive search."""

import doctest
import math

import networkx as nx
import numpy as np
import pytest
from edit_reference import KINDS, edges_between, partial_maps, places, random_graph, turning_cost
from repetition import times

import gmtoolbox as gm
from gmtoolbox.editing import subgraphs

same = lambda a, b: a["label"] == b["label"]
FREE = {"edge_subst": lambda a, b: 0 if same(a, b) else math.inf, "edge_ins": lambda a: 0}


def allowed_maps(G, H):
    for mapping in partial_maps(list(G), list(H)):
        if all(same(G.nodes[u], H.nodes[v]) for u, v in mapping.items()):
            yield mapping


def common_edges(G, H, mapping):
    costs = {**FREE, "edge_del": lambda a: 1}
    both = [(u, v) for u, v in places(G) if u in mapping and v in mapping]
    return sum(
        len(A) - turning_cost(A, edges_between(H, mapping[u], mapping[v]), costs)
        for u, v in both
        for A in [edges_between(G, u, v)]
    )


def is_induced(G, H, mapping):
    exact = {**FREE, "edge_del": lambda a: 1, "edge_ins": lambda a: 1}
    return all(
        turning_cost(edges_between(G, u, v), edges_between(H, mapping[u], mapping[v]), exact) == 0
        for u, v in places(G)
        if u in mapping and v in mapping
    )


def two_graphs(seed, most=4):
    rng = np.random.default_rng(seed)
    return [random_graph(rng, KINDS[seed % 4], most) for _ in range(2)]


@pytest.mark.parametrize("seed", range(times(60)))
def test_common_edges_equal_exhaustive_search(seed):
    G, H = two_graphs(seed)
    r = gm.maximum_common_subgraph(G, H, node_match=same, edge_match=same)
    assert r.value == r.bound == max(common_edges(G, H, m) for m in allowed_maps(G, H))
    assert r.proven and len(r.edges) == r.value
    for u, v in r.nodes:
        assert same(G.nodes[u], H.nodes[v])
    for e, f in r.edges:
        assert same(G.edges[e], H.edges[f])
        ends = (r.mapping[e[0]], r.mapping[e[1]])
        assert ends == f[:2] or (not G.is_directed() and ends == f[1::-1])


@pytest.mark.parametrize("seed", range(times(60)))
def test_induced_equals_exhaustive_search(seed):
    G, H = two_graphs(seed)
    r = gm.maximum_common_subgraph(G, H, "induced", node_match=same, edge_match=same)
    best = max(len(m) for m in allowed_maps(G, H) if is_induced(G, H, m))
    assert r.value == r.bound == best == len(r.nodes) and r.proven
    assert is_induced(G, H, r.mapping)


def test_induced_answer_without_time_is_a_common_subgraph():
    G, H = nx.gnp_random_graph(14, 0.5, seed=1), nx.gnp_random_graph(14, 0.5, seed=2)
    r = gm.maximum_common_subgraph(G, H, "induced", time_limit=0.02)
    for graph in (G, H):
        nx.set_edge_attributes(graph, 0, "label")
    assert is_induced(G, H, r.mapping) and r.value <= r.bound


@pytest.mark.parametrize("seed", range(times(40)))
def test_pattern_equals_exhaustive_search(seed):
    pattern, G = sorted(two_graphs(seed), key=len)
    relabel = {**FREE, "edge_del": lambda a: 1, "edge_subst": lambda a, b: 0 if same(a, b) else 1}
    roots = None
    if seed % 3 == 0 and len(pattern):
        roots = (list(pattern)[0], list(G)[-1])
    best = math.inf
    for mapping in partial_maps(list(pattern), list(G)):
        if len(mapping) < len(pattern) or (roots and mapping[roots[0]] != roots[1]):
            continue
        cost = sum(not same(pattern.nodes[u], G.nodes[v]) for u, v in mapping.items())
        cost += sum(
            turning_cost(edges_between(pattern, u, v), edges_between(G, mapping[u], mapping[v]),
                         relabel)
            for u, v in places(pattern)
        )  # fmt: skip
        best = min(best, cost)
    r = gm.find_subgraph(pattern, G, node_match=same, edge_match=same, roots=roots)
    assert r.distance == best and r.proven
    assert len(r.mapping) == len(pattern) and len(r.edge_path) == pattern.number_of_edges()
    assert roots is None or r.mapping[roots[0]] == roots[1]


def test_a_pattern_found_without_errors_is_proven_by_any_method():
    r = gm.find_subgraph(nx.path_graph(5), nx.path_graph(5), method="fw")
    assert r.value == r.bound == r.distance == 0.0 and r.gap == 0.0 and r.status == "optimal"


@pytest.mark.parametrize("kind", ["edge", "induced"])
def test_gap_is_of_the_sizes_told(kind):
    G, H = nx.gnp_random_graph(14, 0.5, seed=1), nx.gnp_random_graph(14, 0.5, seed=2)
    r = gm.maximum_common_subgraph(G, H, kind, method="fm")
    assert r.value < r.bound == int(r.bound) and not r.proven
    assert r.gap == (r.bound - r.value) / r.value


def test_nothing_in_common_is_proven():
    r = gm.maximum_common_subgraph(nx.path_graph(3), nx.Graph())
    assert r.value == r.bound == 0.0 and r.gap == 0.0 and r.status == "optimal"


def test_pattern_is_refused():
    G = nx.path_graph(3)
    with pytest.raises(gm.InputError, match="more nodes than G, got 3 and 2"):
        gm.find_subgraph(G, nx.path_graph(2))
    with pytest.raises(gm.InfeasibleError):
        gm.find_subgraph(G, nx.path_graph(5), node_subst_cost=lambda a, b: math.inf)
    with pytest.raises(gm.InputError, match="kind must be"):
        gm.maximum_common_subgraph(G, G, "connected")
    with pytest.raises(gm.InputError, match="node_match must be a function"):
        gm.maximum_common_subgraph(G, G, node_match=1)


def test_similarity():
    empty, P, C = nx.Graph(), nx.path_graph(4), nx.cycle_graph(4)
    for kind in ("edit", "common"):
        assert gm.graph_similarity(P, P, kind) == gm.graph_similarity(empty, empty, kind) == 1.0
        assert gm.graph_similarity(P, empty, kind) == 0.0
    assert gm.graph_similarity(P, C) == pytest.approx(1 - 1 / 15)
    assert gm.graph_similarity(P, C, "common") == pytest.approx(49 / 56)
    with pytest.raises(gm.InputError, match="kind must be"):
        gm.graph_similarity(P, C, "odd")
    with pytest.raises(gm.InputError, match="upper_bound"):
        gm.graph_similarity(P, C, upper_bound=0.5)


@pytest.mark.parametrize("kind", ["edit", "common"])
def test_a_similarity_that_is_not_proven_says_so(kind):
    G, H = (nx.gnp_random_graph(40, 0.3, seed=seed) for seed in (1, 2))
    with pytest.warns(UserWarning, match="is not proven.*at least .* and at most"):
        found = gm.graph_similarity(G, H, kind, time_limit=0.05)
    assert 0 <= found < 1


def test_molecules():
    Chem = pytest.importorskip("rdkit.Chem")
    ethanol, amine = Chem.MolFromSmiles("CCO"), Chem.MolFromSmiles("CCN")
    assert gm.graph_edit_distance(ethanol, amine).distance == 1.0
    assert gm.graph_edit_distance(ethanol, amine, costs="chem1").distance == 2.0
    assert (
        gm.graph_edit_distance(Chem.MolFromSmiles("C[NH3+]"), Chem.MolFromSmiles("CN")).value == 1
    )
    assert gm.graph_edit_distance(Chem.MolFromSmiles("C=O"), Chem.MolFromSmiles("CO")).value == 1
    assert gm.maximum_common_subgraph(ethanol, amine).value == 1.0
    p = gm.models.from_molecules(ethanol, amine)
    assert p.shape == (3, 3) and gm.gm_solve(p).value == 1.0
    with pytest.raises(gm.InputError, match="M2 must be an RDKit molecule"):
        gm.models.from_molecules(ethanol, "CCN")


def test_examples_in_docstrings():
    failed, tried = doctest.testmod(subgraphs)
    assert tried and not failed
