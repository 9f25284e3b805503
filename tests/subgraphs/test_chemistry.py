"""Rules of chemistry: which atoms and bonds are the same, rings, SMARTS."""

import random
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from repetition import times
from subgraph_reference import partial_maps

import gmtoolbox as gm
from gmtoolbox.subgraphs import chemistry

DRUGS = Path(__file__).parents[2] / "benchmarks" / "drugs.smi"
PLAIN = {"symbol": "C", "charge": 0, "ring": False}
BOND = {"bond": "SINGLE", "ring": False}


def rules(**given):
    return chemistry.MoleculeRules(**given)


def test_atoms_by_element_charge_and_ring():
    ion, oxygen, ring = {**PLAIN, "charge": 1}, {**PLAIN, "symbol": "O"}, {**PLAIN, "ring": True}
    same = lambda how, other: rules(**how).node_match(PLAIN, other)
    assert same({}, ion) and not same({}, oxygen) and same({}, ring)
    assert not same({"atoms": "strict"}, ion) and same({"atoms": "strict"}, PLAIN)
    assert same({"atoms": "any"}, oxygen)
    assert not same({"atoms": "any", "ring_matches_ring": True}, ring)


def test_bonds_by_order():
    kinds = ("SINGLE", "DOUBLE", "TRIPLE", "AROMATIC")
    mixed = {("AROMATIC", "SINGLE"), ("AROMATIC", "DOUBLE")}
    for a in kinds:
        for b in kinds:
            pair = ({**BOND, "bond": a}, {**BOND, "bond": b})
            expected = a == b or (a, b) in mixed or (b, a) in mixed
            assert rules().edge_match(*pair) == expected
            assert rules(bonds="strict").edge_match(*pair) == (a == b)
            assert rules(bonds="any").edge_match(*pair)
    ring = {**BOND, "ring": True}
    assert not rules(bonds="any", ring_matches_ring=True).edge_match(BOND, ring)


def test_wrong_rules_are_refused():
    for given in ({"atoms": "colour"}, {"bonds": 3}, {"ring_matches_ring": "yes"}):
        with pytest.raises(gm.InputError, match=f"{next(iter(given))} must be"):
            rules(**given)
    with pytest.raises(gm.InputError, match="atoms goes with molecules without queries only"):
        gm.maximum_common_subgraph(nx.path_graph(2), nx.path_graph(2), atoms="any")


@pytest.mark.parametrize("seed", range(times(30)))
def test_edges_on_cycles_are_those_that_are_not_bridges(seed):
    G = nx.gnp_random_graph(12, 0.16, seed=seed)
    tail, head = [u for u, _ in G.edges], [v for _, v in G.edges]
    bridges = {frozenset(edge) for edge in nx.bridges(G)}
    expected = [frozenset(edge) not in bridges for edge in G.edges]
    assert chemistry.cycle_edges(12, tail, head) == expected
    assert chemistry.cycle_edges(2, [0, 0], [1, 1]) == [True, True]  # parallel edges


@pytest.mark.parametrize("seed", range(times(20)))
def test_written_patterns_are_the_graphs(seed):
    Chem = pytest.importorskip("rdkit.Chem")
    G = nx.gnp_random_graph(9, 0.3, seed=seed)
    atoms = {u: f"[#{6 + u % 3}]" for u in G}
    bonds = {edge: "-=~"[sum(edge) % 3] for edge in G.edges}
    query = Chem.MolFromSmarts(chemistry.write_smarts(atoms, bonds))
    H = nx.Graph()
    H.add_nodes_from((a.GetIdx(), {"atom": a.GetSmarts()}) for a in query.GetAtoms())
    for bond in query.GetBonds():
        H.add_edge(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), bond=bond.GetSmarts())
    nx.set_node_attributes(G, atoms, "atom")
    nx.set_edge_attributes(G, bonds, "bond")
    equal = lambda name: lambda a, b: a[name] == b[name]
    assert nx.is_isomorphic(G, H, node_match=equal("atom"), edge_match=equal("bond"))


def test_many_rings_have_numbers_of_two_digits():
    Chem = pytest.importorskip("rdkit.Chem")
    G = nx.complete_graph(7)
    text = chemistry.write_smarts(dict.fromkeys(G, "[#6]"), dict.fromkeys(G.edges, "~"))
    assert "%10" in text and Chem.MolFromSmarts(text).GetNumBonds() == 21


def test_never_smaller_than_rdkit_and_found_in_both_molecules():
    Chem = pytest.importorskip("rdkit.Chem")
    fmcs = pytest.importorskip("rdkit.Chem.rdFMCS")
    lines = [line.split()[0] for line in DRUGS.read_text("utf-8").splitlines() if line]
    molecules = [m for m in map(Chem.MolFromSmiles, lines) if m.GetNumAtoms() <= 26]
    theirs = {
        "order": fmcs.BondCompare.CompareOrder,
        "strict": fmcs.BondCompare.CompareOrderExact,
        "any": fmcs.BondCompare.CompareAny,
    }
    draw = random.Random(5)
    for k in range(24):
        pair, ring, bonds = draw.sample(molecules, 2), bool(k % 2), list(theirs)[k % 3]
        r = gm.maximum_common_subgraph(*pair, bonds=bonds, ring_matches_ring=ring)
        found = fmcs.FindMCS(pair, bondCompare=theirs[bonds], ringMatchesRingOnly=ring, timeout=10)
        assert r.proven and r.value >= found.numBonds
        if r.value:
            query = Chem.MolFromSmarts(r.smarts)
            assert query.GetNumBonds() == r.value
            assert all(molecule.HasSubstructMatch(query) for molecule in pair)


def test_eleven_bonds_that_rdkit_does_not_find():
    Chem = pytest.importorskip("rdkit.Chem")
    nicotine = Chem.MolFromSmiles("CN1CCCC1c1cccnc1")
    diazepam = Chem.MolFromSmiles("CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21")
    r = gm.maximum_common_subgraph(nicotine, diazepam)
    query = Chem.MolFromSmarts(r.smarts)
    assert r.value == query.GetNumBonds() == 11 and r.proven
    assert nicotine.HasSubstructMatch(query) and diazepam.HasSubstructMatch(query)
    assert gm.maximum_common_subgraph(nicotine, diazepam, bonds="strict").value < 11


def test_molecules_of_files_follow_the_same_rules(tmp_path):
    Chem = pytest.importorskip("rdkit.Chem")
    lines = ["c1ccccc1CC[NH3+]", "C1CCCCC1CCN"]
    path = tmp_path / "two.smi"
    path.write_text("\n".join(lines))
    loaded, plain = gm.load_graphs(path), [Chem.MolFromSmiles(line) for line in lines]
    for given in ({}, {"atoms": "strict"}, {"ring_matches_ring": True}, {"connected": False}):
        one, two = (gm.maximum_common_subgraph(*pair, **given) for pair in (loaded, plain))
        assert (one.value, one.nodes, one.smarts) == (two.value, two.nodes, two.smarts)
    whole = gm.maximum_common_subgraph(*plain)
    assert whole.value == 9 and gm.maximum_common_subgraph(*plain, bonds="strict").value == 3


def test_patterns_and_other_engines():
    Chem = pytest.importorskip("rdkit.Chem")
    molecule, pattern = Chem.MolFromSmiles("CCO"), Chem.MolFromSmarts("[C,N]O")
    assert gm.maximum_common_subgraph(pattern, molecule).smarts is None
    with pytest.raises(gm.InputError, match="connected needs method 'partition'"):
        gm.maximum_common_subgraph(molecule, molecule, method="aj")
    assert gm.maximum_common_subgraph(molecule, molecule, method="aj", connected=False).value == 2


# ---- whole rings


def random_molecule(rng, n):
    """A Graph of atoms C and O with single bonds: mostly a ring with tails, or any bonds."""
    size = rng.randint(3, n)
    pairs = [(u, (u + 1) % size) for u in range(size)]
    pairs += [(u, rng.randrange(u)) for u in range(size, n)]
    if rng.random() < 0.3:
        pairs = [(u, v) for u in range(n) for v in range(u) if rng.random() < 0.45]
    atoms = [{"symbol": rng.choice("CCCCO"), "charge": 0} for _ in range(n)]
    return gm.Graph(
        range(n), pairs, atoms, [{"bond": "SINGLE"}] * len(pairs),
        node_label=("symbol", "charge"), edge_label=("bond",),
    )  # fmt: skip


def as_networkx(molecule):
    """Atoms with their symbol, and whether they and their bonds are in a ring."""
    G = nx.Graph(molecule.edges)
    G.add_nodes_from(molecule.nodes)
    bridges = {frozenset(edge) for edge in nx.bridges(G)}
    rings = {frozenset(edge) for edge in G.edges} - bridges
    for u, data in zip(molecule.nodes, molecule.node_data, strict=True):
        G.nodes[u]["kind"] = (data["symbol"], any(u in edge for edge in rings))
    return G, rings


def is_whole(edges, rings):
    """Whether edges are connected and all edges of rings lie on a cycle of them."""
    part = nx.Graph(edges)
    open_rings = {frozenset(edge) for edge in nx.bridges(part)} & rings
    return nx.is_connected(part) and not open_rings


def most_in_whole_rings(one, other):
    """The most common edges with whole rings, by all maps and all sets of edges."""
    (G, rings), (H, others) = as_networkx(one), as_networkx(other)
    allowed = lambda _, u, x: G.nodes[u]["kind"] == H.nodes[x]["kind"]
    sets = set()
    for m in partial_maps(G, H, allowed):
        sets.add(frozenset(
            (u, v) for u, v in G.edges
            if u in m and v in m and H.has_edge(m[u], m[v])
            and (frozenset((u, v)) in rings) == (frozenset((m[u], m[v])) in others)
        ))  # fmt: skip
    for size in range(max(map(len, sets)), 0, -1):
        chosen = {c for edges in sets for c in combinations(sorted(edges), size)}
        if any(is_whole(edges, rings) for edges in chosen):
            return size
    return 0


def check_whole_rings(seed):
    rng = random.Random(seed)
    pair = [random_molecule(rng, rng.randint(3, 5)) for _ in range(2)]
    r = gm.maximum_common_subgraph(*pair, complete_rings=True)
    assert r.value == r.bound == len(r.edges) == most_in_whole_rings(*pair) and r.proven, seed
    rings = as_networkx(pair[0])[1]
    assert not r.edges or is_whole([e for e, _ in r.edges], rings)
    two = gm.maximum_common_subgraph(*pair, complete_rings=True, n_jobs=2)
    assert two.nodes == r.nodes
    return r.value < gm.maximum_common_subgraph(*pair, ring_matches_ring=True).value


def test_whole_rings_equal_enumeration():
    assert sum(map(check_whole_rings, range(50))) > 5  # the rule matters in some


@pytest.mark.slow
def test_many_whole_rings_equal_enumeration():
    for seed in range(1000, 3000):
        check_whole_rings(seed)


def test_rings_of_other_sizes_have_only_chains_in_common():
    Chem = pytest.importorskip("rdkit.Chem")
    fmcs = pytest.importorskip("rdkit.Chem.rdFMCS")
    pair = [Chem.MolFromSmiles(text) for text in ("CCCC1CCCCC1", "CCCC1CCCC1")]
    r = gm.maximum_common_subgraph(*pair, complete_rings=True)
    theirs = fmcs.FindMCS(pair, completeRingsOnly=True, ringMatchesRingOnly=True)
    assert r.value == 3 == theirs.numBonds and r.proven
    assert gm.maximum_common_subgraph(*pair, ring_matches_ring=True).value == 7
    query = Chem.MolFromSmarts(r.smarts)
    assert query.GetNumBonds() == 3 and all(m.HasSubstructMatch(query) for m in pair)
