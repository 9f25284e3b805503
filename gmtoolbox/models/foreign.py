"""Graphs of other packages: igraph, rustworkx, NetworKit, PyTorch Geometric; lists of edges; paths
of files.

None of the packages is imported: a graph is known by the module of its class. All forms become a
Graph, whose attributes are compared only if a function compares them, as those of networkx are.
"""

from dataclasses import replace
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.graph import Graph
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_array
from gmtoolbox.io.graphs import load_graphs


def read_foreign(name, graph):
    """Return the Graph of another package's graph or of a list of edges, None of anything else;
    `name` is for messages.
    """
    if is_path(graph):
        return read_file(name, graph)
    package = type(graph).__module__.partition(".")[0]
    if package in READERS:
        return READERS[package](name, graph)
    if hasattr(graph, "edge_index") and hasattr(graph, "num_nodes"):
        return read_geometric(name, graph)
    if is_edge_list(graph):
        return read_edge_list(name, graph)
    return None


def is_path(graph):
    """Whether a graph is given by the path of its file: a Path, or text with a suffix."""
    return isinstance(graph, Path) or (isinstance(graph, str) and Path(graph).suffix != "")


def read_file(name, path):
    """Return the only Graph of a file."""
    found = load_graphs(path)
    if len(found) != 1:
        raise InputError(f"{name} must be one graph; {path} holds {len(found)}: see gm.load_graphs")
    return found[0]


def as_networkx(name, graph):
    """Return a networkx graph of another package's graph or of a list of edges; anything else as it
    is.
    """
    found = read_foreign(name, graph)
    if found is None:
        return graph
    return (weigh_edges(found) if is_path(graph) else found).to_networkx()


def weigh_edges(graph):
    """Return a Graph whose edges have weights, if they have nothing but labels that are numbers:
    the third column of an edge list.
    """
    try:
        weights = [float(data["label"]) for data in graph.edge_data if data.keys() == {"label"}]
    except (TypeError, ValueError):
        return graph
    if not weights or len(weights) < len(graph.edge_data):
        return graph
    return replace(graph, edge_data=[{"weight": weight} for weight in weights], edge_label=())


def read_igraph(name, graph):
    """Return the Graph of an igraph one; its vertices keep their names if they have different
    ones.
    """
    nodes = list(range(graph.vcount()))
    if "name" in graph.vs.attributes() and len(set(graph.vs["name"])) == len(nodes):
        nodes = list(graph.vs["name"])
    return Graph(
        nodes,
        [(nodes[u], nodes[v]) for u, v in graph.get_edgelist()],
        [vertex.attributes() for vertex in graph.vs],
        [edge.attributes() for edge in graph.es],
        bool(graph.is_directed()),
    )


def read_rustworkx(name, graph):
    """Return the Graph of a rustworkx one: dicts in it are attributes, anything else one attribute
    "data" of a node or "weight" of an edge.
    """
    if not hasattr(graph, "weighted_edge_list"):
        raise InputError(f"{name} must be a graph of rustworkx, got {type(graph).__name__}")
    listed = [tuple(edge) for edge in graph.weighted_edge_list()]
    return Graph(
        list(graph.node_indices()),
        [(u, v) for u, v, _ in listed],
        [attributes_of(payload, "data") for payload in graph.nodes()],
        [attributes_of(payload, "weight") for _, _, payload in listed],
        hasattr(graph, "successors"),
    )


def attributes_of(payload, name):
    """Return an attribute dict."""
    if payload is None:
        return {}
    return payload if isinstance(payload, dict) else {name: payload}


def read_networkit(name, graph):
    """Return the Graph of a NetworKit one; weights are attributes if it has weights."""
    if not hasattr(graph, "iterEdges"):
        raise InputError(f"{name} must be a graph of NetworKit, got {type(graph).__name__}")
    edges = [tuple(edge) for edge in graph.iterEdges()]
    weights = [{"weight": graph.weight(u, v)} for u, v in edges] if graph.isWeighted() else None
    directed = bool(graph.isDirected())
    return Graph(list(graph.iterNodes()), edges, edge_data=weights, directed=directed)


def read_geometric(name, graph):
    """Return the Graph of a Data of PyTorch Geometric: rows of x and edge_attr are attributes; a
    graph whose edges all have their opposites is undirected.
    """
    ends = as_array("edge_index", graph.edge_index)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise InputError(f"{name}: edge_index must have shape (2, edges), got {ends.shape}")
    edges = [tuple(edge) for edge in ends.T.tolist()]
    rows = table_rows(name, "edge_attr", graph, len(edges))
    directed = not is_symmetric(edges, rows)
    kept = [k for k, (u, v) in enumerate(edges) if directed or u <= v]
    return Graph(
        list(range(int(graph.num_nodes))),
        [edges[k] for k in kept],
        table_rows(name, "x", graph, int(graph.num_nodes)),
        [rows[k] for k in kept],
        directed,
    )


def table_rows(name, field, graph, n):
    """Return a dict of each row of a tensor that a graph may have: a number, or a tuple."""
    table = getattr(graph, field, None)
    if table is None:
        return [{} for _ in range(n)]
    rows = np.asarray(table).tolist()
    if len(rows) != n:
        raise InputError(f"{name}: {field} must have {n} rows, got {len(rows)}")
    return [{field: tuple(row) if isinstance(row, list) else row} for row in rows]


def is_symmetric(edges, rows):
    """Return True if every edge has as many opposites, with equal attributes, as copies."""
    count = {}
    for (u, v), row in zip(edges, rows, strict=True):
        if u != v:
            key = (min(u, v), max(u, v), repr(row))
            count[key] = count.get(key, 0) + (1 if u < v else -1)
    return not any(count.values())


def is_edge_list(graph):
    """Return True if this is a list of tuples; a list of lists is a matrix."""
    return isinstance(graph, list) and bool(graph) and all(type(edge) is tuple for edge in graph)


def read_edge_list(name, edges):
    """Return the undirected Graph of a list of tuples (u, v) or (u, v, weight or attributes)."""
    nodes, listed, data = {}, [], []
    for edge in edges:
        if len(edge) not in (2, 3):
            raise InputError(f"{name}: an edge must be (u, v) or (u, v, weight), got {edge!r}")
        try:
            nodes.update({edge[0]: None, edge[1]: None})
        except TypeError:
            raise InputError(f"{name}: nodes must be hashable, got {edge!r}") from None
        listed.append(edge[:2])
        data.append(attributes_of(edge[2] if len(edge) == 3 else None, "weight"))
    return Graph(list(nodes), listed, edge_data=data)


READERS = {
    "igraph": read_igraph,
    "rustworkx": read_rustworkx,
    "networkit": read_networkit,
    "_NetworKit": read_networkit,
}
