"""GXL, the format of the IAM and GREYC collections of graphs, and their lists of files and classes.

The collections differ in the names of their attributes and are careless about types: Protein writes
<int> around text, GREC <String> around numbers. A value that does not have its declared type is
kept as text.
"""

from pathlib import PurePosixPath

from gmtoolbox.core.errors import FileFormatError, GraphWarning, warn
from gmtoolbox.core.graph import EDGE_LABELS, NODE_LABELS, Graph, label_among
from gmtoolbox.io.files import read_bytes
from gmtoolbox.io.formats import GRAPH, reader
from gmtoolbox.io.xml_files import xml_root

NUMBERS = {"int": int, "integer": int, "float": float, "double": float}


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
    nodes = element.findall("node")
    names = [node.get("id") for node in nodes]
    if None in names:
        raise FileFormatError(path, "a node has no id")
    directed = element.get("edgemode", "undirected") in ("directed", "defaultdirected")
    edges, known = {}, set(names)
    for edge in element.findall("edge"):
        ends = edge.get("from"), edge.get("to")
        for end in ends:
            if end not in known:
                raise FileFormatError(path, f"an edge ends at {end!r}, which is not a node")
        add_edge(path, edges, ends, gxl_attributes(edge), directed)
    node_data, edge_data = [gxl_attributes(node) for node in nodes], list(edges.values())
    return Graph(
        nodes=names,
        edges=list(edges),
        node_data=node_data,
        edge_data=edge_data,
        directed=directed,
        graph_class=element.get("class", element.get("label")),
        node_label=label_among(node_data, NODE_LABELS),
        edge_label=label_among(edge_data, EDGE_LABELS),
    )


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


def gxl_attributes(element):
    """Return {name: value} of the attr elements of a node or edge."""
    values = {}
    for attribute in element.findall("attr"):
        for value in attribute:
            parts = tuple(map(gxl_value, value))  # of a seq, set, bag or tup
            values[attribute.get("name")] = parts or gxl_value(value)
    return values


def gxl_value(element):
    """Return the value of an element: a number if it says so and is one, else text."""
    text = (element.text or "").strip()
    kind = element.tag.lower()
    if kind == "bool":
        return text.lower() == "true"
    try:
        return NUMBERS.get(kind, str)(text)
    except ValueError:
        return text


# ---- collections


def collection_classes(path):
    """Return {file name: class} of a collection: every element with a `file`."""
    root = xml_root(path, read_bytes(path)[:-1])
    listed = {}
    for element in root.iter():
        name = element.get("file")
        if name is None:
            continue
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts or "\0" in name or place.suffix != ".gxl":
            raise FileFormatError(path, f"must list GXL files inside its folder, got {name!r}")
        listed[name] = element.get("class")
    if not listed:
        raise FileFormatError(path, "lists no graph files")
    return listed
