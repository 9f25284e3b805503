"""GXL, the format of the IAM and GREYC collections of graphs, and their lists of files and classes.

The collections differ in the names of their attributes and are careless about types: Protein writes
<int> around text, GREC <String> around numbers. A value that does not have its declared type is
kept as text. A type that GXL does not have (GEDLIB writes <TYPENAME>) holds a number if the text is
one. Blanks around names and modes do not count, as in a document that is read with its DTD.
"""

from math import isfinite
from pathlib import PurePosixPath

from gmtoolbox.core.errors import FileFormatError, GraphWarning, warn
from gmtoolbox.core.graph import EDGE_LABELS, NODE_LABELS, Graph, label_among
from gmtoolbox.io.files import read_bytes
from gmtoolbox.io.formats import GRAPH, reader
from gmtoolbox.io.xml_files import xml_root

NUMBERS = {"int": int, "integer": int, "float": float, "double": float}
FLOATS = ("float", "double")
TEXTS = ("string", "enum")
ARCS = ("directed", "defaultdirected")  # modes of edges


@reader(".gxl", holds=GRAPH)
def read_gxl(path):
    """Return the graphs of a GXL file, mostly one, with the values of their attr elements."""
    found = xml_root(path, read_bytes(path)[:-1]).findall("graph")
    if not found:
        raise FileFormatError(path, "holds no graph element")
    graphs = [gxl_graph(path, element) for element in found]
    for graph, element in zip(graphs, found, strict=True):
        graph.name = element.get("id", "") if len(graphs) > 1 else ""
    return graphs


def gxl_graph(path, element):
    """Return the Graph of a graph element."""
    nodes, listed = element.findall("node"), element.findall("edge")
    names = [token(node, "id") for node in nodes]
    if "" in names:
        raise FileFormatError(path, "a node has no id")
    arcs = [is_arc(edge, element) for edge in listed]
    directed = any(arcs) or (not arcs and is_arc(element, element))
    if directed and not all(arcs):
        warn(f"{path}: undirected edges next to directed ones are read as two arcs", GraphWarning)
    edges, known = {}, set(names)
    for edge, is_single in zip(listed, arcs, strict=True):
        ends = token(edge, "from"), token(edge, "to")
        for end in ends:
            if end not in known:
                raise FileFormatError(path, f"an edge ends at {end!r}, which is not a node")
        data = gxl_attributes(path, edge)
        add_edge(path, edges, ends, data, directed)
        if directed and not is_single:
            add_edge(path, edges, ends[::-1], data, directed)
    node_data, edge_data = [gxl_attributes(path, node) for node in nodes], list(edges.values())
    info = gxl_attributes(path, element)
    return Graph(
        nodes=names,
        edges=list(edges),
        node_data=node_data,
        edge_data=edge_data,
        directed=directed,
        graph_class=element.get("class", element.get("label", info.get("class"))),
        node_label=label_among(node_data, NODE_LABELS),
        edge_label=label_among(edge_data, EDGE_LABELS),
        info=info,
    )


def token(element, name):
    """Return an attribute of an element without blanks around it, "" if it is not there."""
    return (element.get(name) or "").strip()


def is_arc(edge, graph):
    """Return whether an edge is directed: it says so, or the graph does for all of them."""
    own = token(edge, "isdirected").lower()
    return own == "true" if own else token(graph, "edgemode").lower() in ARCS


def add_edge(path, edges, ends, data, directed):
    """Put an edge into a dict by its ends; one that is listed again, in either direction if the
    graph is undirected, is the same edge.
    """
    twin = ends if directed or ends in edges else ends[::-1]
    if edges.setdefault(twin if twin in edges else ends, data) != data:
        warn(
            f"{path}: the edge {ends[0]} {ends[1]} is listed twice with different attributes; the"
            " first ones are kept",
            GraphWarning,
        )


def gxl_attributes(path, element):
    """Return {name: value} of the attr elements of a graph, node or edge."""
    values = {}
    for attribute in element.findall("attr"):
        name = token(attribute, "name")
        if not name:
            raise FileFormatError(path, f"an attr of a {element.tag} has no name")
        for value in attribute:
            parts = tuple(map(gxl_value, value))  # of a seq, set, bag or tup
            values[name] = parts or gxl_value(value)
    return values


def gxl_value(element):
    """Return the value of an element: a number if it says so and is one, else text."""
    text, kind = (element.text or "").strip(), element.tag.lower()
    if kind == "bool":
        return text.lower() == "true"
    if kind in TEXTS:
        return text
    try:
        return NUMBERS.get(kind, int)(text)
    except ValueError:
        return text if kind in FLOATS else other_number(text, is_whole=kind in NUMBERS)


def other_number(text, is_whole):
    """Return the number of a text that is not an int, such as 1.0; the text itself if it is not
    finite (an amino acid sequence may be NAN), or not whole and should be.
    """
    try:
        number = float(text)
    except ValueError:
        return text
    if is_whole:
        return int(number) if number.is_integer() else text
    return number if isfinite(number) else text


# ---- collections


def collection_classes(path):
    """Return {file name: class} of a collection: every element with a `file`."""
    root = xml_root(path, read_bytes(path)[:-1])
    listed = {}
    for element in root.iter():
        name = element.get("file")
        if name is None:
            continue
        place = PurePosixPath(name.strip().replace("\\", "/"))
        is_inside = not (place.is_absolute() or ".." in place.parts or "\0" in name)
        if not is_inside or place.suffix.lower() != ".gxl":
            raise FileFormatError(path, f"must list GXL files inside its folder, got {name!r}")
        listed[str(place)] = element.get("class")
    if not listed:
        raise FileFormatError(path, "lists no graph files")
    return listed
