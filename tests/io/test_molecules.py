"""Molecules from SMILES and SDF, with RDKit and without."""

import builtins
import sys

import pytest
from graph_cases import MOL

import gmtoolbox as gm
from gmtoolbox.io.molecules import read_smiles


def test_smiles(tmp_path):
    pytest.importorskip("rdkit")
    (tmp_path / "two.smi").write_text("# drugs\nCCO ethanol\nCC[NH3+]\n")
    G, H = gm.load_graphs(tmp_path / "two.smi")
    assert (G.name, H.name, len(G)) == ("ethanol", "two-3", 3)
    assert H.node_data[2] == {"symbol": "N", "charge": 1} and G.edge_data[0] == {"bond": "SINGLE"}
    assert gm.graph_edit_distance(G, H).distance == 1.0
    assert gm.graph_edit_distance(G, read_smiles("CCO")).distance == 0.0
    (tmp_path / "bad.smi").write_text("C(")
    with pytest.raises(gm.InputError, match=r"1: 'C\(' is no SMILES"):
        gm.load_graphs(tmp_path / "bad.smi")


def test_sdf(tmp_path):
    pytest.importorskip("rdkit")
    (tmp_path / "m.sdf").write_bytes(MOL + MOL.replace(b" O ", b" N ").replace(b">a", b">b"))
    G, H = gm.load_graphs(tmp_path / "m.sdf")
    assert (G.name, G.graph_class, G.info) == ("methanol", "a", {"class": "a"})
    assert gm.graph_edit_distance(G, H).distance == 1.0
    (tmp_path / "m.sdf").write_bytes(MOL + b"nothing\n\n\nof the kind\n$$$$\n")
    with pytest.raises(gm.FileFormatError, match="molecule 2 cannot be read"):
        gm.load_graphs(tmp_path / "m.sdf")


@pytest.mark.parametrize("name", ["m.sdf", "m.smi"])
def test_without_rdkit(tmp_path, monkeypatch, name):
    (tmp_path / name).write_text("C methane\n")
    for module in [module for module in sys.modules if module.startswith("rdkit")]:
        monkeypatch.delitem(sys.modules, module)
    real = builtins.__import__

    def refuse(module, *rest):
        if module.startswith("rdkit"):
            raise ImportError(module)
        return real(module, *rest)

    monkeypatch.setattr("gmtoolbox.io.files.import_module", refuse)
    with pytest.raises(gm.InputError, match="reading it needs rdkit: pip install rdkit"):
        gm.load_graphs(tmp_path / name)


def test_logs_of_rdkit_are_silent_inside_and_as_before_outside(tmp_path, capfd):
    Chem = pytest.importorskip("rdkit.Chem")
    (tmp_path / "h.smi").write_text("[H]\n")  # RDKit warns of it
    (tmp_path / "m.sdf").write_bytes(MOL)
    gm.load_graphs(tmp_path / "h.smi"), gm.load_graphs(tmp_path / "m.sdf")
    assert capfd.readouterr().err == ""
    Chem.MolFromSmiles("[H]")
    assert "hydrogen" in capfd.readouterr().err
