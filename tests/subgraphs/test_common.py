"""Common subgraphs by partitioning, against enumeration."""

import time

import networkx as nx
import pytest
from ctrl_c import interrupted_inside
from repetition import times
from subgraph_reference import (
    EQUAL,
    by_label,
    edge_forms,
    induced_forms,
    label,
    largest_induced,
    most_common_edges,
    random_graph,
    same_edges,
    seeded,
    small_graphs,
)

import gmtoolbox as gm
from gmtoolbox.engine.limits import OutOfTime
from gmtoolbox.subgraphs import common, common_edges

NEAR = lambda a, b: a is None or b is None or abs(a - b) <= 1


def partition(G, H, kind="induced", **given):
    return gm.maximum_common_subgraph(G, H, kind, method="partition", **given)


def random_case(seed):
    """(G, H, kind, connected, fits): kinds of graphs and labels by turns."""
    rng = seeded(seed)
    kind, connected = ("induced", "edge")[seed % 2], bool(seed // 2 % 2)
    drawn = dict(
        p=float(rng.choice([0.2, 0.4, 0.6])),
        directed=bool(rng.integers(2)),
        loops=bool(rng.integers(2)),
        multi=bool(rng.random() < 0.25),
        labels=int(rng.choice([0, 2, 3])),
        kinds=int(rng.choice([0, 2, 3])),
    )
    most = 4 if kind == "edge" else 6
    G, H = (random_graph(rng, int(rng.integers(most + 1)), **drawn) for _ in range(2))
    fits = NEAR if rng.random() < 0.4 and not (drawn["multi"] and kind == "edge") else EQUAL
    return G, H, kind, connected, fits


def check_case(seed):
    G, H, kind, connected, fits = random_case(seed)
    enumerate_all = largest_induced if kind == "induced" else most_common_edges
    best = enumerate_all(G, H, connected, fits, fits)
    match = by_label(fits)
    r = partition(G, H, kind, connected=connected, node_match=match, edge_match=match)
    assert r.value == r.bound == best and r.status == "optimal", seed
    assert r.value == len(r.nodes if kind == "induced" else r.edges)
    assert all(fits(label(G, u), label(H, v)) for u, v in r.nodes)
    if kind == "induced":
        for u, x in r.nodes:
            assert all(same_edges(G, H, u, v, x, y, fits) for v, y in r.nodes)


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_random_graphs_of_all_kinds_equal_enumeration(start):
    for seed in range(start, start + 20):
        check_case(seed)


@pytest.mark.slow
def test_many_random_graphs_equal_enumeration():
    for seed in range(1000, 6000):
        check_case(seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["induced", "edge"])
@pytest.mark.parametrize("connected", [False, True])
def test_all_pairs_of_graphs_of_five_nodes(kind, connected):
    graphs = small_graphs(5)
    forms = [(induced_forms if kind == "induced" else edge_forms)(G, connected) for G in graphs]
    for G, of_G in zip(graphs, forms, strict=True):
        for H, of_H in zip(graphs, forms, strict=True):
            size = max(n if kind == "induced" else len(edges) for n, edges in of_G & of_H)
            r = partition(G, H, kind, connected=connected)
            assert r.value == r.bound == size and r.proven


@pytest.mark.parametrize("seed", range(times(20)))
def test_weights_equal_enumeration(seed):
    rng = seeded(seed)
    G, H = (random_graph(rng, 6, 0.4) for _ in range(2))
    for graph in (G, H):
        for u in graph:
            graph.nodes[u]["w"] = float(rng.integers(0, 5)) / float(rng.choice([1, 3, 7]))
    lower = lambda u, x: min(G.nodes[u]["w"], H.nodes[x]["w"])
    product = lambda u, x: G.nodes[u]["w"] * H.nodes[x]["w"]
    best = largest_induced(G, H, weight=lower)
    r = partition(G, H, node_weight="w")
    assert r.value == pytest.approx(best, abs=1e-12) and r.proven
    r = partition(G, H, node_weight=lambda a, b: a["w"] * b["w"], connected=True)
    assert r.value == pytest.approx(largest_induced(G, H, True, weight=product), abs=1e-12)
    assert r.bound >= r.value and r.proven


@pytest.mark.parametrize("kind", ["induced", "edge"])
def test_values_equal_those_of_the_matching_problem(kind):
    for seed in range(6):
        rng = seeded(seed, 7)
        G, H = (random_graph(rng, 8, 0.35, labels=2) for _ in range(2))
        given = dict(node_match=by_label(EQUAL))
        ours, theirs = (
            partition(G, H, kind, **given),
            gm.maximum_common_subgraph(G, H, kind, method="aj", **given),
        )
        assert ours.value == theirs.value and ours.proven and theirs.proven


@pytest.mark.parametrize("kind", ["induced", "edge"])
def test_threads_and_twins_change_no_answer(kind, monkeypatch):
    plain = common.kernel_options

    def without_twins(*given):
        options, kept = plain(*given)
        return {**options, "twins": False}, kept

    for seed in range(4):
        n = 16 if kind == "induced" else 9
        G, H = (nx.gnp_random_graph(n, 0.3, seed=2 * seed + k) for k in (0, 1))
        first, *rest = (partition(G, H, kind, n_jobs=n_jobs) for n_jobs in (1, 2, 3))
        for other in rest:
            assert other.nodes == first.nodes and other.bound == first.bound == first.value
        with monkeypatch.context() as patched:
            patched.setattr(common, "kernel_options", without_twins)
            assert partition(G, H, kind).value == first.value


def test_larger_first_graph():
    G, H = nx.grid_2d_graph(3, 4), nx.cycle_graph(5)
    r = partition(G, H)
    assert r.value == partition(H, G).value == 4
    assert all(u in G and v in H for u, v in r.nodes)


def test_ends_in_time_with_a_subgraph_and_a_bound():
    G, H = (nx.gnp_random_graph(60, 0.3, seed=k) for k in (1, 2))
    for given in ({}, {"n_jobs": 2}, {"connected": True}):
        r = partition(G, H, time_limit=0.2, **given)
        assert r.status == "time_limit" and 15 < r.value < r.bound <= 60
        assert r.gap == (r.bound - r.value) / r.value
        assert all(
            G.has_edge(u, v) == H.has_edge(x, y) for u, x in r.nodes for v, y in r.nodes if u != v
        )
        assert len(r.trace) and r.trace["value"][-1] == r.value
        assert (r.trace["bound"] >= r.value).all() and (r.trace["value"] >= 0).all()


@pytest.mark.parametrize("kind, given, most", [
    ("induced", {}, 5), ("edge", {}, 4), ("induced", {"node_weight": lambda a, b: 3.0}, 15),
])  # fmt: skip
def test_no_time_at_all_gives_the_empty_subgraph(kind, given, most, monkeypatch):
    def run_out(*_, **__):
        raise OutOfTime

    monkeypatch.setattr(common, "drive", run_out)
    r = partition(nx.path_graph(5), nx.cycle_graph(6), kind, **given)
    assert r.value == 0 and r.nodes == r.edges == [] and r.bound == most and not r.proven


def test_interrupted():
    G, H = (nx.gnp_random_graph(60, 0.3, seed=k) for k in (1, 2))
    started = time.perf_counter()
    with interrupted_inside(common, "search_tree"):
        r = partition(G, H, time_limit=60)
    assert r.status == "interrupted" and 0 <= r.value <= r.bound
    assert time.perf_counter() - started < 30


def test_number_of_nodes_can_be_limited():
    G, H = (nx.gnp_random_graph(30, 0.3, seed=k) for k in (1, 2))
    r, again = (partition(G, H, maxiter=500, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert r.status == "iteration_limit" and r.n_iter == 500 and r.nodes == again.nodes


def test_empty_graphs_and_graphs_without_edges():
    empty, three, P = nx.Graph(), nx.empty_graph(3), nx.path_graph(4)
    for G, H, nodes, edges in (
        (empty, empty, 0, 0),
        (empty, P, 0, 0),
        (P, empty, 0, 0),
        (three, P, 2, 0),
        (P, three, 2, 0),
    ):
        for connected in (False, True):
            least = min(nodes, 1) if connected else nodes
            assert partition(G, H, connected=connected).value == least
            assert partition(G, H, "edge", connected=connected).value == edges


def test_what_is_refused():
    P, D = nx.path_graph(3), nx.DiGraph([(0, 1)])
    for given, text in (
        (dict(kind="edge", node_weight="w"), "node_weight needs kind='induced'"),
        (dict(node_weight="w"), "a node has no attribute 'w'"),
        (dict(node_weight=3), "node_weight must be a function or an attribute, got 3"),
        (dict(node_weight=lambda a, b: -1), "node_weight must be a finite number >= 0, got -1"),
        (dict(node_weight=lambda a, b: "x"), "node_weight must be a finite number >= 0"),
        (dict(connected=2), "connected must be True or False"),
        (dict(n_jobs=0), "n_jobs must be"),
        (dict(maxiter=0), "maxiter must be"),
        (dict(memory=3), "method 'partition' has no option 'memory'; it takes maxiter"),
        (dict(time_limit=-1), "time_limit must be"),
    ):
        with pytest.raises(gm.InputError, match=text):
            partition(P, P, **given)
    with pytest.raises(gm.InputError, match="both be directed or both undirected"):
        partition(P, D)
    with pytest.raises(gm.InputError, match="connected needs method 'partition', got 'aj'"):
        gm.maximum_common_subgraph(P, P, connected=True, method="aj")
    M = nx.MultiGraph([(0, 1), (0, 1)])
    for u, v, k in M.edges:
        M.edges[u, v, k]["label"] = k
    with pytest.raises(gm.InputError, match="parallel edges"):
        partition(M, M, "edge", edge_match=by_label(lambda a, b: a <= b))
    with pytest.raises(gm.InputError, match="too large for method 'partition': 5000 nodes"):
        partition(nx.path_graph(5000), nx.path_graph(5000))


def test_labels_that_cannot_be_hashed():
    G, H = nx.path_graph(3), nx.path_graph(2)
    for graph in (G, H):
        nx.set_node_attributes(graph, {u: [u] for u in graph}, "label")
    assert partition(G, H, node_match=by_label(EQUAL)).value == 2


def test_weights_that_are_not_sums_of_powers_of_two_are_rounded_within_the_bound():
    G = nx.empty_graph(50)
    r = partition(G, G, node_weight=lambda a, b: 0.1)
    assert r.value == pytest.approx(5.0, rel=1e-14) and r.value <= r.bound < 5.0 + 1e-12
    assert r.proven


def test_the_engine_is_chosen_by_how_far_the_search_comes(monkeypatch):
    sparse = [nx.random_regular_graph(3, 8, seed=k) for k in (1, 2)]
    dense = [nx.gnp_random_graph(9, 0.5, seed=k) for k in (1, 2)]
    for pair in (sparse, dense):
        r = gm.maximum_common_subgraph(*pair)
        assert r.method in ("partition", "assignment") and r.proven
        with monkeypatch.context() as patched:
            patched.setattr(common_edges, "SECOND_NODES", 5)
            patched.setattr(common_edges, "more_nodes", lambda run, pair: None)
            other = gm.maximum_common_subgraph(*pair)
        assert other.method == "auto" and other.proven and other.value == r.value


def test_few_pairs_of_labelled_edges_are_left_to_matching_early(monkeypatch):
    asked = []
    plain = common_edges.more_nodes

    def counting(run, quick_matching):
        asked.append(plain(run, quick_matching))
        return asked[-1]

    monkeypatch.setattr(common_edges, "more_nodes", counting)
    monkeypatch.setattr(common_edges, "FIRST_NODES", 50)
    pair = [nx.random_labeled_tree(24, seed=k) for k in (1, 2)]
    assert gm.maximum_common_subgraph(*pair).method in ("partition", "assignment")
    assert asked == []  # without labels the searches go on
    for graph in pair:
        nx.set_node_attributes(graph, {u: u % 3 for u in graph}, "label")
    same = lambda a, b: a["label"] == b["label"]
    assert gm.maximum_common_subgraph(*pair, node_match=same).method == "partition"
    assert asked[0] == 100  # they end soon, as far as progress says
    monkeypatch.setattr(common_edges, "FIRST_PATIENCE", 0.0)
    assert gm.maximum_common_subgraph(*pair, node_match=same).method == "auto"
    assert asked[-1] is None


def test_a_short_limit_is_not_spent_on_building_a_matching_problem(monkeypatch):
    """The default has the partitioning search answer if the other engine could not even begin."""
    from gmtoolbox.editing import subgraphs

    monkeypatch.setattr(subgraphs, "common_by_matching", None)  # would raise
    G, H = (nx.gnp_random_graph(60, 0.5, seed=s) for s in (1, 2))
    r = gm.maximum_common_subgraph(G, H, time_limit=0.05)
    assert r.method == "partition" and r.status == "time_limit" and r.value <= r.bound <= 885


@pytest.mark.parametrize("weight", ["w", lambda a, b: min(a.get("w", 2.0), b.get("w", 2.0))])
@pytest.mark.parametrize("node_label", [None, ("element",)])
def test_weights_see_attributes_that_nothing_compares(weight, node_label):
    light, heavy = ({"element": "C", "w": w} for w in (1.0, 5.0))
    if node_label is None:
        G, H = nx.Graph(), nx.Graph()
        G.add_nodes_from([(0, light), (1, heavy)])
        H.add_node(0, **heavy)
    else:
        G = gm.Graph([0, 1], [], [light, heavy], node_label=node_label)
        H = gm.Graph([0], [], [heavy], node_label=node_label)
    r = partition(G, H, node_weight=weight)
    assert r.value == 5.0 and r.nodes == [(1, 0)]
