"""Contained subgraphs and isomorphisms against networkx and igraph."""

import time

import networkx as nx
import numpy as np
import pytest
from ctrl_c import interrupted_inside
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher
from repetition import times
from subgraph_reference import by_label, random_graph, seeded

import gmtoolbox as gm
from gmtoolbox.subgraphs.contained import Question

EQUAL = lambda a, b: a == b
same = by_label(EQUAL)


def drawn_kind(rng):
    return dict(
        directed=bool(rng.integers(2)),
        loops=bool(rng.random() < 0.3),
        labels=int(rng.choice([0, 0, 2, 3])),
        kinds=int(rng.choice([0, 0, 2])),
    )


def matcher(G, H, **given):
    kind = DiGraphMatcher if G.is_directed() else GraphMatcher
    return kind(G, H, node_match=same, edge_match=same, **given)


def check_places(seed):
    """Lists and counts of a random pattern equal networkx's; returns whether there are any."""
    rng = seeded(seed, 4)
    kind, induced = drawn_kind(rng), bool(rng.integers(2))
    sizes = int(rng.integers(1, 6)), int(rng.integers(3, 11))
    pattern, G = (random_graph(rng, n, float(rng.choice([0.2, 0.4, 0.7])), **kind) for n in sizes)
    found = matcher(G, pattern)
    found = found.subgraph_isomorphisms_iter() if induced else found.subgraph_monomorphisms_iter()
    expected = {frozenset((p, v) for v, p in m.items()) for m in found}
    given = dict(induced=induced, node_match=same, edge_match=same)
    ours = list(gm.find_subgraphs(pattern, G, **given))
    assert {frozenset(m.items()) for m in ours} == expected and len(ours) == len(expected), seed
    assert gm.count_subgraphs(pattern, G, **given) == len(expected)
    first = next(gm.find_subgraphs(pattern, G, limit=1, **given), None)
    assert (first is None) == (not expected)
    assert first is None or frozenset(first.items()) in expected
    return bool(expected)


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_places_equal_those_of_networkx(start):
    found = [check_places(seed) for seed in range(start, start + 50)]
    assert 10 < sum(found) < 40


@pytest.mark.slow
def test_many_places_equal_those_of_networkx():
    for seed in range(1000, 3000):
        check_places(seed)


@pytest.mark.parametrize("induced", [False, True])
def test_numbers_equal_those_of_igraph(induced):
    igraph = pytest.importorskip("igraph")
    for seed in range(30):
        rng = seeded(seed, 5)
        P = random_graph(rng, int(rng.integers(2, 7)), 0.5)
        G = random_graph(rng, int(rng.integers(7, 15)), 0.4)
        one, other = (igraph.Graph(n=len(g), edges=list(g.edges)) for g in (P, G))
        expected = len(other.get_subisomorphisms_lad(one, induced=induced))
        assert gm.count_subgraphs(P, G, induced=induced) == expected


@pytest.mark.parametrize("seed", range(times(40)))
def test_isomorphisms_equal_those_of_networkx(seed):
    rng = seeded(seed, 6)
    n = int(rng.integers(1, 8))
    G = random_graph(rng, n, float(rng.choice([0.2, 0.5, 0.8])), **drawn_kind(rng))
    place = rng.permutation(n).tolist()
    H = type(G)()
    H.add_nodes_from((place[u], data) for u, data in sorted(G.nodes(data=True)))
    H.add_edges_from((place[u], place[v], data) for u, v, data in G.edges(data=True))
    if seed % 3 == 0 and H.number_of_edges():
        u, v, data = list(H.edges(data=True))[0]
        H.remove_edge(u, v)
        H.add_edge(*map(int, rng.integers(n, size=2)), **data)
    given = dict(node_match=same, edge_match=same)
    expected = {frozenset(m.items()) for m in matcher(G, H).isomorphisms_iter()}
    ours = list(gm.isomorphisms(G, H, **given))
    assert {frozenset(m.items()) for m in ours} == expected and len(ours) == len(expected)
    assert gm.is_isomorphic(G, H, **given) == bool(expected)


def shuffled(G, seed):
    place = np.random.default_rng(seed).permutation(len(G)).tolist()
    return nx.Graph((place[u], place[v]) for u, v in G.edges)


@pytest.mark.parametrize("degree", [3, 4])
def test_regular_graphs(degree):
    G = nx.random_regular_graph(degree, 200, seed=1)
    H = shuffled(G, 2)
    [m] = gm.isomorphisms(G, H)
    assert all(H.has_edge(m[u], m[v]) for u, v in G.edges)
    assert not gm.is_isomorphic(G, nx.random_regular_graph(degree, 200, seed=2))


def test_graphs_that_refinement_cannot_tell_apart():
    rook = nx.line_graph(nx.complete_bipartite_graph(4, 4))
    steps = ((1, 0), (0, 1), (1, 1))
    shrikhande = nx.Graph(
        ((a, b), ((a + x) % 4, (b + y) % 4)) for a in range(4) for b in range(4) for x, y in steps
    )
    assert not gm.is_isomorphic(rook, shrikhande)
    assert gm.is_isomorphic(rook, nx.relabel_nodes(rook, {v: str(v) for v in rook}))
    assert not gm.is_isomorphic(nx.cycle_graph(6), nx.disjoint_union(*[nx.cycle_graph(3)] * 2))


def test_relations_that_are_no_equality():
    G, H = nx.path_graph(3), nx.path_graph(3)
    for graph, labels in ((G, (0, 1, 2)), (H, (1, 1, 1))):
        nx.set_node_attributes(graph, dict(zip(graph, labels, strict=True)), "label")
    near = by_label(lambda a, b: abs(a - b) <= 1)
    assert gm.is_isomorphic(G, H, node_match=near)
    lower = by_label(lambda a, b: a <= b)
    assert not gm.is_isomorphic(G, H, node_match=lower)
    assert len(list(gm.isomorphisms(H, G, node_match=lower))) == 0
    assert gm.count_subgraphs(nx.path_graph(1), G, node_match=lambda a, b: b["label"] > 0) == 2


def test_parallel_edges_and_loops():
    pattern = nx.MultiGraph([(0, 1), (0, 1)])
    G = nx.MultiGraph([(0, 1), (0, 1), (0, 1), (1, 2), (1, 2), (2, 3)])
    assert gm.count_subgraphs(pattern, G) == 4
    assert gm.count_subgraphs(pattern, G, induced=True) == 2
    loop = nx.Graph([(0, 0)])
    H = nx.Graph([(0, 0), (0, 1), (1, 2)])
    assert list(gm.find_subgraphs(loop, H)) == [{0: 0}]
    assert gm.count_subgraphs(nx.empty_graph(1), H) == 3
    assert gm.count_subgraphs(nx.empty_graph(1), H, induced=True) == 2


def test_limits_and_order():
    grid = nx.grid_2d_graph(4, 4)
    every = list(gm.find_subgraphs(nx.path_graph(3), grid))
    assert list(gm.find_subgraphs(nx.path_graph(3), grid, limit=5)) == every[:5]
    assert gm.count_subgraphs(nx.path_graph(3), grid, limit=5) == 5
    assert gm.count_subgraphs(nx.path_graph(3), grid, limit=10**6) == len(every)
    assert list(map(list, (next(gm.find_subgraphs(nx.path_graph(3), grid)),))) == [[0, 1, 2]]


def test_more_maps_than_wait_at_once():
    found = list(gm.find_subgraphs(nx.empty_graph(3), nx.empty_graph(50)))
    assert len(found) == len({tuple(m.values()) for m in found}) == 50 * 49 * 48


def test_small_and_empty_graphs():
    empty, one = nx.Graph(), nx.empty_graph(1)
    assert list(gm.find_subgraphs(empty, one)) == list(gm.find_subgraphs(empty, empty)) == [{}]
    assert gm.count_subgraphs(one, empty) == 0 and gm.count_subgraphs(empty, one) == 1
    assert gm.is_isomorphic(empty, empty) and not gm.is_isomorphic(empty, one)
    assert gm.count_subgraphs(nx.path_graph(5), nx.path_graph(4)) == 0


def test_hard_searches_use_deep_propagation_and_restarts():
    odd, grid = nx.cycle_graph(13), nx.grid_2d_graph(12, 12)
    assert gm.count_subgraphs(odd, grid) == 0
    assert next(gm.find_subgraphs(odd, grid, limit=1), None) is None
    for seed in range(3):
        G = nx.gnp_random_graph(60, 0.25, seed=seed)
        chosen = np.random.default_rng(seed).permutation(60)[:18].tolist()
        P = nx.Graph(G.subgraph(chosen).edges)
        m = next(gm.find_subgraphs(P, G, limit=1))
        assert all(G.has_edge(m[u], m[v]) for u, v in P.edges)
        assert len(set(m.values())) == len(P)


def test_time_limit_is_an_error_not_an_answer():
    G = nx.gnp_random_graph(150, 0.5, seed=1)
    P = nx.gnp_random_graph(40, 0.5, seed=2)
    started = time.perf_counter()
    with pytest.raises(gm.TimeLimitError, match="time_limit of 0.1 s is over: 0 found so far"):
        gm.count_subgraphs(P, G, time_limit=0.1)
    with pytest.raises(TimeoutError):
        list(gm.find_subgraphs(P, G, time_limit=0.1))
    assert time.perf_counter() - started < 20


def test_interrupted():
    G, P = nx.gnp_random_graph(150, 0.5, seed=1), nx.gnp_random_graph(40, 0.5, seed=2)
    with interrupted_inside(Question, "begin"), pytest.raises(KeyboardInterrupt):
        gm.count_subgraphs(P, G, time_limit=60)


def test_a_generator_that_is_not_used_up():
    places = gm.find_subgraphs(nx.path_graph(4), nx.complete_graph(30))
    assert len({tuple(next(places).values()) for _ in range(5)}) == 5
    places.close()


@pytest.mark.parametrize("function", [gm.find_subgraphs, gm.count_subgraphs])
def test_what_is_refused(function):
    P = nx.path_graph(3)
    for given, text in (
        (dict(limit=0), "limit must be"),
        (dict(induced=2), "induced must be True or False"),
        (dict(node_match=1), "node_match must be a function"),
        (dict(edge_match="x"), "edge_match must be a function"),
        (dict(time_limit=0), "time_limit must be"),
    ):
        with pytest.raises(gm.InputError, match=text):
            list([function(P, P, **given)][0])
    with pytest.raises(gm.InputError, match="pattern and G must both be directed"):
        function(P, nx.DiGraph([(0, 1)]))
    with pytest.raises(gm.InputError, match="G must be a networkx graph"):
        function(P, 7)


def test_other_forms_of_graphs():
    A = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    assert gm.is_isomorphic((A, ["C", "C", "O"]), (A[::-1, ::-1], ["O", "C", "C"]))
    assert not gm.is_isomorphic((A, ["C", "C", "O"]), (A, ["O", "C", "C"]))
    assert gm.count_subgraphs(np.array([[0, 1], [1, 0]]), A) == 2
    with pytest.raises(gm.InputError, match="pattern must be a square matrix"):
        gm.count_subgraphs(np.zeros((2, 3)), A)


def test_labels_that_cannot_be_hashed():
    G, H = nx.path_graph(3), nx.path_graph(2)
    for graph in (G, H):
        nx.set_node_attributes(graph, {u: [u] for u in graph}, "label")
    assert gm.count_subgraphs(H, G, node_match=same) == 1
