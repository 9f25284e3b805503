"""What holds for every function about subgraphs: inputs are not changed, forms and names of graphs
do not matter, limits and Ctrl-C leave true answers, bad input gets one line.
"""

import copy
import math

import networkx as nx
import numpy as np
import pytest
from ctrl_c import interrupted_inside
from scipy import sparse
from subgraph_reference import random_graph, seeded

import gmtoolbox as gm
from gmtoolbox.subgraphs import common as partition
from gmtoolbox.subgraphs.contained import Question

common = gm.maximum_common_subgraph
DOORS = {  # name: number that answers a question about two graphs
    "edge": lambda G, H, **given: common(G, H, **given).value,
    "connected": lambda G, H, **given: common(G, H, connected=True, **given).value,
    "matching": lambda G, H, **given: common(G, H, method="aj", **given).value,
    "induced": lambda G, H, **given: common(G, H, "induced", **given).value,
    "core": lambda G, H, **given: gm.common_core([G, H], **given).value,
    "find": lambda G, H, **given: sum(1 for _ in gm.find_subgraphs(G, H, **given)),
    "count": lambda G, H, **given: gm.count_subgraphs(G, H, **given),
    "count induced": lambda G, H, **given: gm.count_subgraphs(G, H, induced=True, **given),
    "is_isomorphic": lambda G, H, **given: float(gm.is_isomorphic(G, H, **given)),
    "isomorphisms": lambda G, H, **given: len(list(gm.isomorphisms(G, H, **given))),
    "search edit": lambda G, H, **given: nearest(G, H, **given),
    "search common": lambda G, H, **given: nearest(G, H, measure="common", **given),
    "search contained": lambda G, H, **given: len(gm.search(G, [H], measure="contained", **given)),
}
doors = pytest.mark.parametrize("door", DOORS)
same = lambda a, b: a.get("label") == b.get("label")


def nearest(G, H, **given):
    """The distance of the only graph of a collection."""
    return next(iter(gm.search(G, [H], k=1, **given))).distance


def drawn(seed, **how):
    rng = seeded(seed)
    return [random_graph(rng, n, 0.5, labels=2, kinds=2, **how) for n in (3, 4)]


def snapshot(G):
    return copy.deepcopy((list(G.nodes(data=True)), list(G.edges(data=True)), G.graph))


# ---- the same answer


@doors
@pytest.mark.parametrize("directed", [False, True])
def test_inputs_are_not_changed_and_answers_come_again(door, directed):
    G, H = drawn(3, directed=directed, loops=True)
    before = snapshot(G), snapshot(H)
    given = {} if door == "search edit" else {"node_match": same, "edge_match": same}
    first, again = (DOORS[door](G, H, **given) for _ in range(2))
    assert first == again and (snapshot(G), snapshot(H)) == before


@doors
def test_names_and_order_do_not_matter(door):
    for seed in range(4):
        G, H = drawn(seed)
        rng = seeded(seed + 50)
        changed = []
        for graph in (G, H):
            names = [("node", k) for k in rng.permutation(len(graph)).tolist()]
            new = nx.Graph()
            new.add_nodes_from(names[k] for k in rng.permutation(len(graph)).tolist())
            edges = [(names[v], names[u]) for u, v in graph.edges]
            new.add_edges_from(edges[k] for k in rng.permutation(len(edges)).tolist())
            changed.append(new)
        assert DOORS[door](G, H) == DOORS[door](*changed)


@doors
def test_forms_do_not_matter(door):
    G, H = (nx.convert_node_labels_to_integers(graph) for graph in drawn(5))
    H.add_edges_from([(0, 1), (1, 2), (2, 3)])
    G.add_edges_from([(0, 1), (1, 2)])
    right = DOORS[door](nx.Graph(G.edges), nx.Graph(H.edges))
    matrix = lambda graph: nx.to_numpy_array(graph, weight=None, dtype=int)
    for form in (
        matrix,
        lambda g: sparse.csr_array(matrix(g)),
        lambda g: list(g.edges),
        nx.MultiGraph,
    ):
        assert DOORS[door](form(nx.Graph(G.edges)), form(nx.Graph(H.edges))) == right


@pytest.mark.parametrize("kind", ["edge", "induced"])
def test_jobs_do_not_change_common_subgraphs(kind):
    for seed in range(3):
        G, H = (nx.gnp_random_graph(13, 0.4, seed=2 * seed + k) for k in (0, 1))
        one, two = (common(G, H, kind, method="partition", n_jobs=n) for n in (1, 2))
        assert (one.value, one.nodes, one.edges) == (two.value, two.nodes, two.edges)


# ---- limits and Ctrl-C

HARD = [nx.gnp_random_graph(60, 0.5, seed=s) for s in (1, 2)]
HOLDS = 6  # a path of this many edges is in both, so that no bound may be below


def check_common(r, kind):
    """A common subgraph of HARD, and a bound that no larger one contradicts."""
    G, H = HARD
    assert len(r.mapping) == len(set(r.mapping.values())) == len(r.nodes)
    pairs = [(u, v) for u in r.mapping for v in r.mapping if u < v]
    there = [(G.has_edge(u, v), H.has_edge(r.mapping[u], r.mapping[v])) for u, v in pairs]
    if kind == "induced":
        assert all(a == b for a, b in there) and r.value == len(r.nodes)
    assert kind == "induced" or r.value == len(r.edges) <= sum(a and b for a, b in there)
    assert HOLDS <= r.bound and r.value <= r.bound
    assert r.bound <= min(len(G), len(H)) if kind == "induced" else len(G.edges)


@pytest.mark.parametrize("seconds", [1e-6, 0.01, 0.1])
@pytest.mark.parametrize("kind", ["edge", "induced"])
def test_time_limits_leave_common_subgraphs_true(kind, seconds):
    r = common(*HARD, kind, time_limit=seconds)
    assert r.status == "time_limit"
    check_common(r, kind)


COUNTED = ("find", "count", "count induced", "is_isomorphic", "isomorphisms")


@pytest.mark.parametrize("door", COUNTED)
def test_time_limits_raise_or_the_answer_is_whole(door):
    G, H = nx.path_graph(4), nx.complete_graph(40)
    if door in ("is_isomorphic", "isomorphisms"):
        G = H = nx.cycle_graph(2000)
    right = {"find": 2193360, "count": 2193360, "count induced": 0, "is_isomorphic": 1}
    try:
        assert DOORS[door](G, H, time_limit=0.02) == right.get(door, 4000)
    except gm.TimeLimitError as error:
        assert "time_limit of 0.02 s is over" in str(error)


@pytest.mark.parametrize("kind", ["edge", "induced"])
def test_ctrl_c_leaves_common_subgraphs_true(kind):
    with interrupted_inside(partition, "search_tree"):
        r = common(*HARD, kind, method="partition", time_limit=60)
    assert r.status == "interrupted"
    check_common(r, kind)


@pytest.mark.parametrize("door", ["find", "count", "count induced"])
def test_ctrl_c_ends_counts(door):
    G = nx.gnp_random_graph(200, 0.5, seed=3)  # all three take hours: billions of cycles
    with interrupted_inside(Question, "begin"), pytest.raises(KeyboardInterrupt):
        DOORS[door](nx.cycle_graph(9), G, time_limit=60)


# ---- hostile input


@doors
@pytest.mark.parametrize("edge", [False, True], ids=["empty", "one edge"])
def test_empty_graphs(door, edge):
    nothing = nx.Graph()
    other = nx.path_graph(2) if edge else nx.Graph()
    right = {"find": 1, "count": 1, "count induced": 1, "search contained": 1}
    right.update(dict.fromkeys(("is_isomorphic", "isomorphisms"), 0 if edge else 1))
    right.update({"search edit": 3 * edge, "search common": edge})
    if door == "core":
        with pytest.raises(gm.InputError, match="graph"):
            DOORS[door]([], []) if not edge else gm.common_core([])
        return
    assert DOORS[door](nothing, other) == right.get(door, 0)


BAD = {
    "None": None,
    "number": 7,
    "text": "CCO",
    "object": object(),
    "not square": np.zeros((2, 3)),
    "three axes": np.zeros((2, 2, 2)),
    "NaN": np.array([[0, math.nan], [math.nan, 0]]),
    "too few labels": (np.ones((2, 2)), ["C"]),
    "other direction": nx.DiGraph([(0, 1)]),
    "edges of one end": [(0, 1), (2,)],
    "a set": {1, 2},
}


@doors
@pytest.mark.parametrize("bad", BAD)
def test_bad_graphs_get_one_line(door, bad):
    good = nx.path_graph(3)
    for graphs in ((BAD[bad], good), (good, BAD[bad])):
        with pytest.raises(gm.InputError) as caught:
            DOORS[door](*graphs)
        assert "\n" not in str(caught.value) and len(str(caught.value)) > 15


@doors
def test_attributes_that_cannot_be_hashed_or_compared(door):
    class Odd:
        """Equal to nothing, without a hash."""

        __hash__ = None

        def __eq__(self, other):
            return False

    G, H = nx.path_graph(3), nx.path_graph(4)
    right = DOORS[door](G, H)
    for graph in (G, H):
        nx.set_node_attributes(graph, {u: [[], {}, Odd(), math.nan][u % 4] for u in graph}, "label")
        nx.set_edge_attributes(graph, {e: {"w": np.arange(3)} for e in graph.edges})
    assert DOORS[door](G, H) == right  # attributes are compared only if a function asks


@doors
def test_functions_that_raise_are_heard(door):
    def fail(a, b):
        raise ZeroDivisionError("of the user")

    with pytest.raises(ZeroDivisionError, match="of the user"):
        DOORS[door](nx.path_graph(3), nx.path_graph(4), node_match=fail)
