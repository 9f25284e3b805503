"""Graphs from files, for the edit distance: every format that is registered as holding graphs.

GXL is in gxl.py, TU data sets in tu.py, molecules in molecules.py, graph6 in graph6.py, JSON in
graph_json.py; here are folders, collections, edge lists and the text of graph databases, and GML
and GraphML, which are read by networkx if it is installed.
"""

import io
import re
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, GraphWarning, InputError, warn
from gmtoolbox.core.graph import EDGE_LABELS, NODE_LABELS, Graph, label_among
from gmtoolbox.core.text import natural
from gmtoolbox.io.files import import_for, read_bytes, text_of
from gmtoolbox.io.formats import (
    FOLDER,
    GRAPH,
    format_of,
    option_names,
    read_file,
    reader,
    suffixes_of,
)
from gmtoolbox.io.gxl import add_edge, collection_classes
from gmtoolbox.io.tu import is_tu_file, read_tu, tu_prefix
from gmtoolbox.io.xml_files import xml_root

COMPRESSED = (".gz", ".xz")
TABLES = (".csv", ".tsv")
COMMENT = re.compile(r"(^|\s)[#%].*")  # in the middle of a word both are letters of a name


def load_graphs(path, *, folder=None):
    """Load the graphs of a file, a collection or a folder, with their names and classes.

    Parameters
    ----------
    path : str or Path
        .gxl; a collection of GXL files (.xml, .cxl); a TU data set (its folder, or its file
        DS_A.txt); .smi, .smiles, .sdf, .mol (RDKit must be installed); .g6, .s6, .d6; .json and
        .jsonl; .gml and .graphml (networkx must be installed); edge lists (.edges, .edgelist, .txt,
        .csv, .tsv) and the "t # / v / e" text of graph databases (.txt); or a folder of such files,
        in which .csv and .tsv count only if there are no others. All of them may be compressed
        (.gz, .xz).
    folder : str or Path, optional
        The folder of the files of a collection. Default: next to it, or the folder of its name.

    Returns
    -------
    list of Graph
        `graph_edit_distance`, `edit_distances` and the other functions of graphs take them. Labels
        that the file has are compared; `node_label` and `edge_label` name their attributes. If a
        graph has attributes that plain costs do not compare, a GraphWarning says so when distances
        are computed.

    Raises
    ------
    FileFormatError
        If a file breaks its format.

    Examples
    --------
    >>> import gmtoolbox as gm, pathlib
    >>> _ = pathlib.Path("two.jsonl").write_text(
    ...     '{"id": "a", "n": 2, "labels": ["C", "O"], "edges": [[0, 1]]}\\n'
    ...     '{"id": "b", "n": 2, "labels": ["C", "N"], "edges": [[0, 1]]}\\n')
    >>> graphs = gm.load_graphs("two.jsonl")
    >>> graphs
    [<Graph 'a', 2 nodes, 1 edges>, <Graph 'b', 2 nodes, 1 edges>]
    >>> gm.graph_edit_distance(*graphs).distance
    1.0
    """
    path = Path(path)
    form = format_of(plain_name(path), GRAPH)
    options = {} if folder is None else {"folder": Path(folder)}
    if options and "folder" not in option_names(form.reader):
        raise InputError(f"{path}: folder= goes with collections (.xml .cxl) only")
    try:
        found = read_file(form, path, **options)
    except (OSError, InputError) as error:
        if isinstance(error, InputError) and str(path) not in str(error):
            raise FileFormatError(path, error) from error  # a rule of Graph
        raise
    except (Exception, RecursionError) as error:  # other packages: any error of a damaged file
        raise FileFormatError(path, f"cannot be read: {error}") from error
    found = found if isinstance(found, list) else [found]
    stem = Path(plain_name(path)).stem
    for k, graph in enumerate(found, 1):
        graph.name = graph.name or (stem if len(found) == 1 else f"{stem}-{k}")
    return found


def plain_name(path):
    """Return the name of a path without the suffix of its compression."""
    path = Path(path)
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path


# ---- folders


@reader(FOLDER, holds=GRAPH)
def read_folder(path):
    """Return the graphs of a TU data set, or of all graph files of a folder, with the classes that
    collections in it list.
    """
    prefix = tu_prefix(path)
    if prefix is not None:
        return read_tu(path, prefix)
    files = graph_files(path)
    is_list = lambda file: format_of(plain_name(file), GRAPH).reader is read_collection
    collections = [file for file in files if is_list(file)]
    if len(collections) == len(files):
        return [graph for file in files for graph in load_graphs(file)]
    classes = {}
    for file in collections:
        classes.update(collection_classes(file))
    graphs = []
    for file in files:
        for graph in () if file in collections else load_graphs(file):
            own = classes.get(file.name)
            graph.graph_class = graph.graph_class if own is None else own
            graphs.append(graph)
    return graphs


def graph_files(folder):
    """Return the graph files of a folder in the natural order of their names. A table next to files
    of other formats holds classes or distances, not a graph.
    """
    known = tuple(suffixes_of(GRAPH))
    found = [
        file
        for file in folder.iterdir()
        if file.is_file() and str(plain_name(file)).lower().endswith(known)
    ]
    if not found:
        raise InputError(f"{folder}: no graph files in this folder; known are {' '.join(known)}")
    others = [file for file in found if plain_name(file).suffix.lower() not in TABLES]
    return sorted(others or found, key=lambda file: natural(file.name))


# ---- collections


@reader(".xml", ".cxl", holds=GRAPH)
def read_collection(path, folder=None):
    """Return the graphs that a collection lists, with their classes.

    The files are searched for in `folder`, else next to the collection and in the folder of its
    name.
    """
    listed = collection_classes(path)
    places = [folder] if folder else [path.parent, path.parent / path.stem]
    graphs, missing = [], []
    for name, own in listed.items():
        file = next((place / name for place in places if (place / name).is_file()), None)
        if file is None:
            missing.append(name)
            continue
        for graph in load_graphs(file):
            graph.graph_class = graph.graph_class if own is None else own
            graphs.append(graph)
    if missing:
        said = f"lists {len(listed)} files, of which {len(missing)} are missing, e.g. {missing[0]}"
        if not graphs:
            raise FileFormatError(path, f"{said}; folder= says where they are")
        warn(f"{path}: {said}", GraphWarning)
    return graphs


# ---- networkx


@reader(".gml", holds=GRAPH)
def read_gml(path):
    """Return the graph of a GML file; labels that are all different are names of nodes."""
    networkx, lines = import_for("networkx", path), text_of(path).splitlines()
    try:
        return from_networkx(networkx.parse_gml(lines, label="label"))
    except networkx.NetworkXError:  # a node without a label, or two with the same
        return from_networkx(networkx.parse_gml(lines, label="id"))


@reader(".graphml", holds=GRAPH)
def read_graphml(path):
    """Return the graph of a GraphML file."""
    networkx, content = import_for("networkx", path), read_bytes(path)[:-1]
    xml_root(path, content)  # refuses entities, which networkx does not
    return from_networkx(networkx.read_graphml(io.BytesIO(content)))  # in the encoding it declares


def from_networkx(graph):
    """Return the Graph of a networkx graph."""
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(data=True))
    node_data, edge_data = [data for _, data in nodes], [data for *_, data in edges]
    return Graph(
        nodes=[node for node, _ in nodes],
        edges=[(u, v) for u, v, _ in edges],
        node_data=node_data,
        edge_data=edge_data,
        directed=graph.is_directed(),
        node_label=label_among(node_data, NODE_LABELS),
        edge_label=label_among(edge_data, EDGE_LABELS),
    )


# ---- text


@reader(".edges", ".edgelist", ".txt", holds=GRAPH)
def read_text(path):
    """Return the graphs of a text file: a TU data set, a graph database ("t # name", "v node
    label", "e node node label"), or one list of edges.
    """
    if is_tu_file(path):
        return read_tu(path.parent, path.name[: -len("_A.txt")])
    lines = [
        (number, COMMENT.sub("", line).replace(",", " ").split(), line)
        for number, line in enumerate(text_of(path).splitlines(), 1)
    ]
    lines = [entry for entry in lines if entry[1]]
    if lines and lines[0][1] == ["t"] and "#" in lines[0][2]:
        return read_database(path, lines)
    return read_edges(path, lines)


def read_edges(path, lines):
    """Return the graph of two node names a line and, if there is one, the edge's label."""
    nodes, edges = {}, {}
    for number, words, line in lines:
        if len(words) > 3:
            raise FileFormatError(path, f"a line has at most three words, got {line!r}", number)
        nodes.update(dict.fromkeys(words[:2]))
        if len(words) > 1:
            data = {"label": words[2]} if len(words) == 3 else {}
            add_edge(path, edges, tuple(words[:2]), data, directed=False)
    edge_data = list(edges.values())
    label = label_among(edge_data, EDGE_LABELS)
    return Graph(list(nodes), list(edges), None, edge_data, edge_label=label)


def read_database(path, lines):
    """Return the graphs of a graph database."""
    found = []
    for number, words, line in lines:
        kind, rest = words[0], words[1:]
        if kind == "t":
            found.append(([], [], [], []))
            found[-1][0].append(line.split("#", 1)[-1].strip())
        elif kind == "v" and len(rest) in (1, 2):
            found[-1][1].append((rest[0], {"label": rest[1]} if len(rest) == 2 else {}))
        elif kind == "e" and len(rest) in (2, 3):
            found[-1][2].append(tuple(rest[:2]))
            found[-1][3].append({"label": rest[2]} if len(rest) == 3 else {})
        else:
            raise FileFormatError(path, f"a line is t, v or e with its words, got {line!r}", number)
    return [
        Graph(
            nodes=[node for node, _ in nodes],
            edges=edges,
            node_data=[data for _, data in nodes],
            edge_data=edge_data,
            name=name[0],
            node_label=label_among([data for _, data in nodes], (("label",),)),
            edge_label=label_among(edge_data, (("label",),)),
        )
        for name, nodes, edges, edge_data in found
    ]
