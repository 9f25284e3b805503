"""common_core: contained in every graph, bounded, never smaller than RDKit's."""

import random
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from repetition import times

import gmtoolbox as gm

DRUGS = Path(__file__).parents[2] / "benchmarks" / "drugs.smi"


def largest_core(graphs):
    """The most edges of a connected subgraph that networkx finds in all graphs."""
    first = min(graphs, key=lambda G: G.number_of_edges())
    for size in range(first.number_of_edges(), 0, -1):
        for edges in combinations(first.edges, size):
            part = first.edge_subgraph(edges)
            if nx.is_connected(part) and all(
                nx.isomorphism.GraphMatcher(G, part).subgraph_is_monomorphic() for G in graphs
            ):
                return size
    return 0


@pytest.mark.parametrize("seed", range(times(12)))
def test_cores_lie_between_their_bounds(seed):
    graphs = [nx.gnp_random_graph(5, 0.6, seed=3 * seed + k) for k in range(3)]
    core = gm.common_core(graphs)
    best = largest_core(graphs)
    assert core.value <= best <= core.bound
    assert core.proven == (core.value == core.bound)
    part = nx.Graph(core.edges)
    assert part.number_of_edges() == core.value and (not core.value or nx.is_connected(part))
    for G, mapping in zip(graphs, core.maps, strict=True):
        assert len(set(mapping.values())) == len(mapping)
        assert all(G.has_edge(mapping[u], mapping[v]) for u, v in core.edges)


def test_labels_are_compared():
    G, H = nx.path_graph(4), nx.path_graph(4)
    nx.set_node_attributes(G, 1, "label")
    nx.set_node_attributes(H, {0: 1, 1: 1, 2: 1, 3: 2}, "label")
    same = lambda a, b: a["label"] == b["label"]
    core = gm.common_core([G, H, G], node_match=same)
    assert core.value == 2 and core.proven and core.smarts is None
    assert repr(core) == "<CommonCore of 3 graphs, 2 edges>"


def test_cores_of_drugs():
    Chem = pytest.importorskip("rdkit.Chem")
    fmcs = pytest.importorskip("rdkit.Chem.rdFMCS")
    lines = [line.split()[0] for line in DRUGS.read_text("utf-8").splitlines() if line]
    molecules = [m for m in map(Chem.MolFromSmiles, lines) if m.GetNumAtoms() <= 30]
    draw = random.Random(3)
    for k in range(12):
        chosen, ring = draw.sample(molecules, draw.randint(2, 5)), bool(k % 2)
        core = gm.common_core(chosen, ring_matches_ring=ring)
        theirs = fmcs.FindMCS(chosen, ringMatchesRingOnly=ring, timeout=10).numBonds
        query = Chem.MolFromSmarts(core.smarts)
        assert theirs <= core.value == query.GetNumBonds() <= core.bound
        assert all(molecule.HasSubstructMatch(query) for molecule in chosen)


def test_wrong_input():
    for graphs in ([], [nx.path_graph(3)]):
        with pytest.raises(gm.InputError, match="graphs must hold at least two graphs"):
            gm.common_core(graphs)
    with pytest.raises(gm.InputError, match="graphs\\[1\\]"):
        gm.common_core([nx.path_graph(3), "path"])
    empty = gm.common_core([nx.path_graph(3), nx.empty_graph(4)])
    assert empty.value == 0 and empty.proven and empty.maps == [{}, {}]
