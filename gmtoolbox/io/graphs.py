"""Graphs from files, for the edit distance: GML, GraphML, edge lists, GXL, SMILES.

GML and GraphML are read by networkx, SMILES by RDKit, where they are installed; edge lists and GXL
(the format of the IAM collections) here. All but SMILES become networkx graphs.
"""

from importlib import import_module
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.io.files import read_bytes
from gmtoolbox.io.formats import GRAPH, format_of, read_file, reader

NODE_LABEL = {".gxl": "symbol"}  # attributes that label nodes and edges, where a format has them
EDGE_LABEL = {".gxl": "valence"}


def read_graphs(path):
    """[(name, graph), ...] of a file: one graph, or one for each line of SMILES.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "triangle.edges")
    >>> _ = open(path, "w").write("a b\\nb c\\nc a\\n")
    >>> [(name, graph)] = read_graphs(path)
    >>> name, sorted(graph.edges)
    ('triangle', [('a', 'b'), ('a', 'c'), ('b', 'c')])
    """
    path = Path(path)
    form = format_of(path, GRAPH)
    try:
        found = read_file(form, path)
        return found if isinstance(found, list) else [(path.stem, found)]
    except (OSError, InputError):
        raise
    except Exception as error:  # networkx and expat: whatever a damaged file makes them say
        raise FileFormatError(path, f"cannot be read: {error}") from error


def wanted(module, path):
    """A package that is needed for this file only."""
    try:
        return import_module(module)
    except ImportError:
        name = module.split(".")[0]
        raise InputError(f"{path}: reading it needs {name}: pip install {name}") from None


@reader(".gml", holds=GRAPH)
def read_gml(path):
    """The graph of a GML file."""
    return wanted("networkx", path).read_gml(path, label="id")


@reader(".graphml", holds=GRAPH)
def read_graphml(path):
    """The graph of a GraphML file."""
    return wanted("networkx", path).read_graphml(path)


@reader(".edges", ".edgelist", ".txt", holds=GRAPH)
def read_edges(path):
    """Two node names a line and, if there is one, the edge's label; # and % begin comments."""
    graph = wanted("networkx", path).Graph()
    text = read_bytes(path)[:-1].decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split("#")[0].split("%")[0].replace(",", " ").split()
        if not parts:
            continue
        if len(parts) == 1:
            graph.add_node(parts[0])
        elif len(parts) <= 3:
            graph.add_edge(*parts[:2], **({"label": parts[2]} if len(parts) == 3 else {}))
        else:
            raise FileFormatError(path, f"a line has at most three words, got {line!r}", number)
    return graph


@reader(".gxl", holds=GRAPH)
def read_gxl(path):
    """The one graph of a GXL file, with the values of its attr elements."""
    networkx = wanted("networkx", path)
    from xml.etree import ElementTree  # only GXL needs it

    found = ElementTree.fromstring(read_bytes(path)[:-1]).find("graph")
    if found is None:
        raise FileFormatError(path, "holds no graph element")
    directed = found.get("edgemode", "undirected") in ("directed", "defaultdirected")
    graph = (networkx.DiGraph if directed else networkx.Graph)()
    for node in found.findall("node"):
        graph.add_node(node.get("id"), **gxl_attributes(node))
    for edge in found.findall("edge"):
        ends = edge.get("from"), edge.get("to")
        for end in ends:
            if end not in graph:
                raise FileFormatError(path, f"an edge ends at {end!r}, which is no node")
        graph.add_edge(*ends, **gxl_attributes(edge))
    return graph


def gxl_attributes(element):
    """{name: value} of the attr elements of a node or edge."""
    convert = {"int": int, "float": float, "double": float}
    values = {}
    for attribute in element.findall("attr"):
        for value in attribute:
            text = (value.text or "").strip()
            values[attribute.get("name")] = convert.get(value.tag.lower(), str)(text)
    return values


def read_smiles(text, where="SMILES"):
    """An RDKit molecule."""
    Chem = wanted("rdkit.Chem", where)
    log = wanted("rdkit.RDLogger", where)
    log.DisableLog("rdApp.error")  # the error below is the only one
    molecule = Chem.MolFromSmiles(text)
    log.EnableLog("rdApp.error")
    if molecule is None:
        raise InputError(f"{where}: {text!r} is no SMILES")
    return molecule


@reader(".smi", ".smiles", holds=GRAPH)
def smiles_of_file(path):
    """[(name, molecule)] of a file with a SMILES and perhaps a name in each line."""
    found = []
    for number, line in enumerate(read_bytes(path)[:-1].decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            name = words[1] if len(words) > 1 else f"{path.stem}-{number}"
            found.append((name, read_smiles(words[0], f"{path}:{number}")))
    return found
