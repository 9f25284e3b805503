"""Molecules are drawn with RDKit's coordinates, the second one turned onto the first."""

import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.plot.molecules import align, are_rdkit, bond_lines, place_molecules


def test_align_undoes_a_turn_and_a_reflection():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(6, 2))
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    for change in (turn, turn @ np.diag([1, -1])):
        moved = points @ change + (3, -2)
        assert np.allclose(align(moved, moved[:4], points[:4]), points)


def test_bond_lines_are_parallel_and_as_many_as_the_order():
    start, end = np.array([0.0, 0.0]), np.array([10.0, 0.0])
    for bond, dashed in [
        ("SINGLE", [False]), (None, [False]), ("DOUBLE", [False] * 2),
        ("TRIPLE", [False] * 3), ("AROMATIC", [False, True]),
    ]:  # fmt: skip
        lines = bond_lines(start, end, bond)
        assert [is_dashed for *_, is_dashed in lines] == dashed
        assert np.allclose([b - a for a, b, _ in lines], end - start)
        assert np.allclose(np.mean([a for a, *_ in lines], axis=0), start)


def test_molecules_that_are_not_of_rdkit_have_our_layout():
    assert not are_rdkit((SimpleNamespace(GetAtoms=list, GetBonds=list),) * 2)


def test_rdkit_molecules_keep_the_angles_of_a_depiction():
    Chem = pytest.importorskip("rdkit.Chem")
    M1, M2 = Chem.MolFromSmiles("CC(=O)Oc1ccccc1"), Chem.MolFromSmiles("CC(=O)Nc1ccccc1")
    r = gm.graph_edit_distance(M1, M2)
    assert r.distance == 1 and M1.GetNumConformers() == 0  # the caller's molecule is as it was
    svg = gm.plot.edit_path(M1, M2, r)
    ElementTree.fromstring(svg)
    kinds = re.findall(r"class='edge (\w+)'", svg)
    assert len(kinds) == 20 and set(kinds) == {"kept"}
    assert svg.count("stroke-dasharray='3 2'") == 12  # aromatic bonds of both rings
    one, two = (np.array(side) for side in place_molecules((M1, M2), r.node_path))
    for molecule, points in ((M1, one), (M2, two)):
        ends = np.array([(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in molecule.GetBonds()])
        length = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
        assert np.ptp(length) < 0.05 * length.mean()
    i, j = np.array(r.node_path).T
    assert np.abs(one[i] - two[j]).max() < 0.5 * length.mean()


def test_patterns_and_molecules_without_common_atoms_are_drawn():
    Chem = pytest.importorskip("rdkit.Chem")
    pattern, molecule = Chem.MolFromSmarts("[#6]=O"), Chem.MolFromSmiles("CC(=O)O")
    r = gm.graph_edit_distance(pattern, molecule)
    ElementTree.fromstring(gm.plot.edit_path(pattern, molecule, r))
    single, empty = Chem.MolFromSmiles("C"), Chem.MolFromSmiles("")
    for pair in ((single, empty), (empty, empty)):
        r = gm.graph_edit_distance(*pair)
        ElementTree.fromstring(gm.plot.edit_path(*pair, r))
