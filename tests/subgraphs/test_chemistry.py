"""Rules of chemistry: which atoms and bonds are the same, rings, SMARTS."""

import random
from pathlib import Path

import networkx as nx
import pytest

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


@pytest.mark.parametrize("seed", range(30))
def test_edges_on_cycles_are_those_that_are_not_bridges(seed):
    G = nx.gnp_random_graph(12, 0.16, seed=seed)
    tail, head = [u for u, _ in G.edges], [v for _, v in G.edges]
    bridges = {frozenset(edge) for edge in nx.bridges(G)}
    expected = [frozenset(edge) not in bridges for edge in G.edges]
    assert chemistry.cycle_edges(12, tail, head) == expected
    assert chemistry.cycle_edges(2, [0, 0], [1, 1]) == [True, True]  # parallel edges


@pytest.mark.parametrize("seed", range(20))
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
    lines = [line.split()[0] for line in DRUGS.read_text().splitlines() if line]
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
