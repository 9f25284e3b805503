"""Molecules from SMILES and SDF files, through RDKit if it is installed.

Element and charge label the atoms, the type of the bond labels the bonds. Hydrogen atoms are left
out, as RDKit does by default.
"""

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.graph import Graph
from gmtoolbox.io.files import import_for, text_of
from gmtoolbox.io.formats import GRAPH, reader

CLASS_NAMES = ("class", "Class", "CLASS", "label", "activity")  # properties that state a class


def read_smiles(text, where="SMILES"):
    """Return an RDKit molecule."""
    Chem = import_for("rdkit.Chem", where)
    with import_for("rdkit.rdBase", where).BlockLogs():  # the error below is the only one
        molecule = Chem.MolFromSmiles(text)
    if molecule is None:
        raise InputError(f"{where}: {text!r} is no SMILES")
    return molecule


@reader(".smi", ".smiles", holds=GRAPH)
def read_smiles_file(path):
    """Return the molecules of a file with a SMILES and perhaps a name in each line."""
    found = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            graph = molecule_graph(read_smiles(words[0], f"{path}:{number}"))
            graph.name = words[1] if len(words) > 1 else f"{path.stem}-{number}"
            found.append(graph)
    return found


@reader(".sdf", ".sd", ".mol", holds=GRAPH)
def read_sdf(path):
    """Return the molecules of an SDF file; their properties are the graphs' info, and one that is
    called class, label or activity is the class.
    """
    Chem = import_for("rdkit.Chem", path)
    with import_for("rdkit.rdBase", path).BlockLogs():  # the error below is the only one
        supplier = Chem.SDMolSupplier()
        supplier.SetData(text_of(path))
        molecules = list(supplier)
    found = []
    for number, molecule in enumerate(molecules, 1):
        if molecule is None:
            raise FileFormatError(path, f"molecule {number} cannot be read by RDKit")
        graph = molecule_graph(molecule)
        facts = molecule.GetPropsAsDict()
        graph.name = molecule.GetProp("_Name").strip() if molecule.HasProp("_Name") else ""
        graph.info = {name: facts[name] for name in facts if not name.startswith("_")}
        graph.graph_class = next((facts[name] for name in CLASS_NAMES if name in facts), None)
        found.append(graph)
    return found


def molecule_graph(molecule):
    """Return the Graph of an RDKit molecule."""
    bonds = list(molecule.GetBonds())
    return Graph(
        nodes=list(range(molecule.GetNumAtoms())),
        edges=[(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in bonds],
        node_data=[
            {"symbol": atom.GetSymbol(), "charge": atom.GetFormalCharge()}
            for atom in molecule.GetAtoms()
        ],
        edge_data=[{"bond": str(bond.GetBondType())} for bond in bonds],
        node_label=("symbol", "charge"),
        edge_label=("bond",),
    )
