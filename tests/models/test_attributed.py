"""Graphs with attributes, from whatever people have."""

import pickle

import networkx
import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.models.attributed import (
    CACHE_KEY,
    MOST_KEPT,
    as_attributed,
    as_directed,
    equal_key,
)


def test_networkx_keeps_names_and_attributes():
    G = networkx.Graph()
    G.add_node("a", colour=1)
    G.add_edge("a", "b", weight=2)
    graph = as_attributed("G1", G)
    assert graph.nodes == ["a", "b"] and graph.node_data == [{"colour": 1}, {}]
    assert graph.edges == [("a", "b")] and graph.edge_data == [{"weight": 2}]
    assert (graph.tail, graph.head, graph.directed) == ([0], [1], False)
    assert as_attributed("G1", graph) is graph and len(graph) == 2


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph, networkx.MultiDiGraph])
def test_edges_are_listed_as_networkx_does(kind):
    G = networkx.gnm_random_graph(12, 30, seed=3, directed=True)
    H = kind(list(G.edges)[::-1] + [(k, k) for k in (5, 0)])
    graph = as_attributed("G1", H)
    assert graph.edges == list(H.edges) and graph.nodes == list(H)
    assert graph.edge_data == [H.edges[edge] for edge in H.edges]
    ends = zip(graph.tail, graph.head, strict=True)
    assert [(graph.nodes[i], graph.nodes[j]) for i, j in ends] == [edge[:2] for edge in H.edges]


def test_changes_of_a_graph_are_seen():
    """Graphs are stored in the cache of networkx until nodes or edges change."""
    G, H = networkx.path_graph(4), networkx.path_graph(4)
    same = lambda a, b: a.get("label") == b.get("label")
    ask = lambda: gm.graph_edit_distance(G, H, node_match=same, edge_match=same).value
    assert ask() == 0.0 and CACHE_KEY in G.__networkx_cache__ and ask() == 0.0
    G.nodes[1]["label"] = "N"
    assert ask() == 1.0
    G.edges[0, 1]["label"] = 2
    assert ask() == 2.0
    networkx.set_edge_attributes(G, {(2, 3): {"label": 2}})
    assert ask() == 3.0
    G.add_node(9)
    assert ask() == 4.0
    G.remove_node(9)
    G.add_edge(0, 3)
    G.remove_node(0)
    assert as_attributed("G", G).nodes == [1, 2, 3] and len(as_attributed("G", G).edges) == 2
    view = G.subgraph([1, 2])
    assert len(as_attributed("G", view)) == 2
    G.remove_edge(1, 2)
    assert as_attributed("G", view).edges == []
    large = networkx.path_graph(MOST_KEPT)
    assert len(as_attributed("G", large)) == MOST_KEPT and CACHE_KEY not in large.__networkx_cache__
    with networkx.config(cache_converted_graphs=False):
        assert len(as_attributed("G", G)) == 3 and CACHE_KEY not in G.__networkx_cache__


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, np.ndarray.tolist])
def test_matrices_have_an_edge_per_entry(form):
    A = np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    graph = as_attributed("G1", form(A))
    pairs = {frozenset(pair) for pair in zip(graph.tail, graph.head, strict=True)}
    assert pairs == {frozenset({0, 1}), frozenset({1, 2})} and graph.symmetric


def test_direction_makes_two_edges_of_one():
    graph = as_attributed("G1", networkx.path_graph(3))
    both = as_directed(graph)
    assert both.directed and len(both.edges) == 2 * len(graph.edges)
    assert set(zip(both.tail, both.head, strict=True)) == {(0, 1), (1, 0), (1, 2), (2, 1)}


@pytest.mark.parametrize("kinds", [(int, float), (bool, int), (bool, float), (np.int8, np.float32)])
def test_equal_matrices_and_labels_of_different_types_are_one_graph(kinds):
    A = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    labels = [0, 1, 1]
    one, two = ((A.astype(kind), np.array(labels, dtype=kind)) for kind in kinds)
    assert gm.graph_edit_distance(one, two).distance == 0
    assert gm.graph_edit_distance(one[0], two[0]).distance == 0
    assert gm.graph_edit_distance(one, (two[0], [0, 1, 2])).distance == 1
    assert gm.maximum_common_subgraph(one, two, "induced").value == 3
    halves = gm.graph_edit_distance(0.5 * A, np.array([[0, 1, 0.5], [1, 0, 0], [0.5, 0, 0]]))
    assert halves.distance == 1  # an edge is relabelled


def test_attributes_that_are_equal_have_one_key():
    pairs = [
        (1, 1.0), (1, np.int64(1)), (True, 1), ("a", np.str_("a")), ([1, 2], (1, 2)),
        (np.array([1, 2]), [1.0, 2.0]), ({"a": [1]}, {"a": (1,)}), ({1, 2}, {2.0, 1.0}),
        (float("nan"), np.float64("nan")), (None, None),
    ]  # fmt: skip
    for one, other in pairs:
        assert equal_key(one) == equal_key(other) and hash(equal_key(one)) == hash(equal_key(other))
    long, changed = np.zeros(2000), np.zeros(2000)
    changed[1000] = 1e-12
    for one, other in ((1, 2), (1, "1"), (long, changed), ([1], [[1]]), (float("nan"), "NaN")):
        assert equal_key(one) != equal_key(other)


def test_anything_else_is_refused_by_name():
    with pytest.raises(InputError, match="G2 must be a networkx graph.*got dict"):
        as_attributed("G2", {})


# ---- SMARTS patterns

TARGETS = (
    "c1ccccc1Cl",
    "CC(=O)Oc1ccccc1C(=O)O",
    "C1CC1CBr",
    "FC(F)(F)c1ccncc1",
    "[NH3+]CC([O-])=O",
)
PATTERNS = (
    "[F,Cl,Br]c",
    "[#6]=[O;D1]",
    "[R]@[R]",
    "[!#6]~C",
    "[CX4;!R]",
    "c:c-[F,Cl,Br]",
    "[N+]CC",
    "*",
)


@pytest.mark.parametrize("smarts", PATTERNS)
def test_a_smarts_pattern_is_found_where_rdkit_finds_it(smarts):
    """find_subgraph compared queries as plain atoms: it said that [F,Cl,Br]c is not there."""
    Chem = pytest.importorskip("rdkit.Chem")
    pattern = Chem.MolFromSmarts(smarts)
    for target in TARGETS:
        molecule = Chem.MolFromSmiles(target)
        r = gm.find_subgraph(pattern, molecule)
        assert (r.distance == 0) == molecule.HasSubstructMatch(pattern), target
        if r.distance == 0:
            found = tuple(r.mapping[k] for k in range(pattern.GetNumAtoms()))
            assert set(found) in [set(one) for one in molecule.GetSubstructMatches(pattern)]
        common = [
            gm.maximum_common_subgraph(*pair, kind, method=method).value
            for kind in ("edge", "induced")
            for method in ("partition", "aj")
            for pair in ((pattern, molecule), (molecule, pattern))
        ]
        assert common[:4] == common[:1] * 4 and common[4:] == common[4:5] * 4
        there = gm.graph_edit_distance(pattern, molecule).distance
        assert there == gm.graph_edit_distance(molecule, pattern).distance
        assert there == gm.gm_solve(gm.models.from_molecules(pattern, molecule)).value


def test_patterns_that_cannot_be_asked_are_refused():
    Chem = pytest.importorskip("rdkit.Chem")
    molecule, pattern = Chem.MolFromSmiles("CCO"), Chem.MolFromSmarts("[C,N]O")
    for smarts in ("[$(CO)]", "C[!$(CO)]"):
        with pytest.raises(gm.InputError, match="recursive queries"):
            gm.find_subgraph(Chem.MolFromSmarts(smarts), molecule)
    with pytest.raises(gm.InputError, match="one can be compared with one molecule only"):
        gm.graph_edit_distance(pattern, pattern)
    with pytest.raises(gm.InputError, match="one can be compared with one molecule only"):
        gm.edit_distances([molecule, molecule, pattern])
    with pytest.raises(gm.InputError, match="G2 must be a molecule"):
        gm.find_subgraph(pattern, [[0, 1], [1, 0]])


def test_the_picture_of_a_pattern_shows_its_queries():
    Chem = pytest.importorskip("rdkit.Chem")
    molecule, pattern = Chem.MolFromSmiles("CCO"), Chem.MolFromSmarts("[N,O]C")
    drawn = gm.plot.edit_path(pattern, molecule, gm.find_subgraph(pattern, molecule))
    assert "[N,O]" in drawn and "node relabelled" not in drawn and "edge relabelled" not in drawn


def test_loaded_graphs_are_compared_by_their_labels_everywhere():
    """Other attributes, such as coordinates, make no difference."""
    import gmtoolbox as gm

    def molecule(atoms, shift):
        data = [{"symbol": atom, "x": k + shift} for k, atom in enumerate(atoms)]
        bonds = [(k, k + 1) for k in range(len(atoms) - 1)]
        return gm.Graph(range(len(atoms)), bonds, data, node_label=("symbol",))

    G, H = molecule("CCO", 0.0), molecule("CCN", 0.5)
    assert len(gm.maximum_common_subgraph(G, H).nodes) == 2
    assert len(gm.maximum_common_subgraph(G, molecule("OCC", 9.0)).nodes) == 3
    assert gm.find_subgraph(molecule("CO", 3.0), G).mapping == {0: 1, 1: 2}
    assert gm.graph_edit_distance(G, H).distance == 1.0
    assert gm.gm_solve(gm.models.from_edit_costs(G, H)).value == 1.0


def test_molecules_can_be_pickled():
    Chem = pytest.importorskip("rdkit.Chem")
    graph = as_attributed("M", Chem.MolFromSmiles("CCO"))
    again = pickle.loads(pickle.dumps(graph))
    assert again.node_data == graph.node_data and again.edges == graph.edges
    assert graph.parts and gm.graph_edit_distance(graph, again).distance == 0
