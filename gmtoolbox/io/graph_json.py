"""Graphs in JSON, as papers about learned edit distances and their libraries write them.

    {"graph_1": [[0, 1], ...], "labels_1": [...], "graph_2": ..., "ged": 4}     a pair
    {"id": 21, "n": 9, "labels": ["C", ...], "edges": [[7, 6], ...]}            a graph
    {"edge_index": [[0, 1], [1, 0]], "num_nodes": 2, "x": [...], "y": 1}        PyTorch Geometric
    {"nodes": [{"id": 0, ...}], "links": [{"source": 0, "target": 1, ...}]}     networkx

A file holds one such object, a list of them, or one in each line.
"""

import json

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.graph import EDGE_LABELS, NODE_LABELS, Graph, label_among
from gmtoolbox.io.files import NODE_BYTES, Allowance, text_of
from gmtoolbox.io.formats import GRAPH, reader


@reader(".json", ".jsonl", ".ndjson", holds=GRAPH)
def read_json(path):
    """Return the graphs of a JSON file or of JSON lines."""
    allowance = Allowance(path)
    text = text_of(path, allowance)
    graphs = []
    for number, record in records_of(path, text):
        try:
            graphs += graphs_of(record, allowance)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            if isinstance(error, FileFormatError):
                raise
            missing = isinstance(error, KeyError)
            said = f"a graph has no {error}" if missing else f"a graph cannot be read: {error}"
            raise FileFormatError(path, said, number) from None
    return graphs


def records_of(path, text):
    """Yield (line, object) of a file: of its one value or list, else of each line."""
    try:
        value = json.loads(text)
    except ValueError as error:
        lines = [(k, line) for k, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2:
            raise FileFormatError(path, f"is not JSON: {error}") from None
        for number, line in lines:
            try:
                yield number, json.loads(line)
            except ValueError as own:
                raise FileFormatError(path, f"is not JSON: {own}", number) from None
        return
    listed = isinstance(value, dict) and isinstance(value.get("graphs"), list)
    value = value["graphs"] if listed else value
    for record in value if isinstance(value, list) else [value]:
        yield None, record


def graphs_of(record, allowance):
    """Return the graphs of one object: two of a pair, else one."""
    if not isinstance(record, dict):
        raise ValueError(f"it must be an object, got {type(record).__name__}")
    if "graph_1" in record:
        pair = [plain_graph(record, f"graph_{k}", f"labels_{k}", allowance) for k in (1, 2)]
        for graph in pair:
            graph.info = {name: record[name] for name in ("ged",) if name in record}
        return pair
    if "edge_index" in record:
        graph = geometric_graph(record, allowance)
    elif "nodes" in record:
        graph = node_link_graph(record)
    elif "edges" in record:
        graph = plain_graph(record, "edges", "labels", allowance, "edge_labels")
    else:
        raise ValueError(
            "its object must have edges, edge_index, nodes or graph_1 and graph_2, got"
            f" {', '.join(map(repr, list(record)[:6])) or 'nothing'}"
        )
    name = record.get("id", record.get("name"))
    graph.name = "" if name is None else str(name)
    own = [record[name] for name in ("class", "graph_class", "target", "y") if name in record]
    graph.graph_class = one_value(own[0]) if own else None
    return [graph]


def one_value(value):
    """Return the only entry of nested lists of one entry, else the value as it is."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return tuple(value) if isinstance(value, list) else value


def plain_graph(record, edges, labels, allowance, edge_labels=None):
    """Return the graph of a list of edges between nodes 0 .. n - 1, and of one label per node."""
    listed, given = record[edges], record.get(labels)
    ends = [(whole(u), whole(v)) for u, v in listed]
    if given is not None:
        n = len(given)
    elif "n" in record or "num_nodes" in record:
        n = whole(record.get("n", record.get("num_nodes")))
    else:
        n = 1 + max((max(pair) for pair in ends), default=-1)
    allowance.take("nodes", 8 * NODE_BYTES * n)
    of_edges = record.get(edge_labels) if edge_labels else None
    return Graph(
        nodes=list(range(n)),
        edges=ends,
        node_data=None if given is None else [{"label": hashable(label)} for label in given],
        edge_data=None if of_edges is None else [{"label": hashable(one)} for one in of_edges],
        directed=bool(record.get("directed", False)),
        node_label=() if given is None else ("label",),
        edge_label=() if of_edges is None else ("label",),
    )


def geometric_graph(record, allowance):
    """Return the graph of a dictionary of PyTorch Geometric: `x` and `edge_attr` are features of
    nodes and arcs. Features that are whole numbers (one-hot labels) are compared as labels.
    """
    tails, heads = record["edge_index"] or ([], [])
    arcs = [(whole(u), whole(v)) for u, v in zip(tails, heads, strict=True)]
    x, edge_attr = record.get("x"), record.get("edge_attr")
    most = 1 + max((max(arc) for arc in arcs), default=-1)
    n = whole(record.get("num_nodes", most if x is None else len(x)))
    allowance.take("nodes", 8 * NODE_BYTES * n)
    node_data = None if x is None else [{"x": hashable(row)} for row in x]
    arc_data = (
        [{}] * len(arcs) if edge_attr is None else [{"x": hashable(row)} for row in edge_attr]
    )
    data = dict(zip(arcs, arc_data, strict=True))
    directed = any(data.get(arc[::-1]) != own for arc, own in data.items())
    kept = {arc: own for arc, own in data.items() if directed or arc[0] <= arc[1]}
    return Graph(
        nodes=list(range(n)),
        edges=list(kept),
        node_data=node_data,
        edge_data=[dict(own) for own in kept.values()],
        directed=directed,
        node_label=("x",) if x and all(is_whole(own["x"]) for own in node_data) else (),
        edge_label=("x",) if edge_attr and all(is_whole(own["x"]) for own in arc_data) else (),
    )


def node_link_graph(record):
    """Return the graph that networkx's node_link_data has written."""
    listed = record["links"] if "links" in record else record["edges"]
    nodes = [{name: hashable(value) for name, value in node.items()} for node in record["nodes"]]
    links = [{name: hashable(value) for name, value in link.items()} for link in listed]
    ends = [(link.pop("source"), link.pop("target")) for link in links]
    for link in links:
        link.pop("key", None)
    names = [node.pop("id") for node in nodes]
    return Graph(
        nodes=names,
        edges=ends,
        node_data=nodes,
        edge_data=links,
        directed=bool(record.get("directed", False)),
        node_label=label_among(nodes, NODE_LABELS),
        edge_label=label_among(links, EDGE_LABELS),
    )


def whole(value):
    """Return an int >= 0; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"a node must be a number 0, 1, ..., got {value!r}")
    return value


def hashable(value):
    """Return a value in which lists are tuples and objects are their JSON text."""
    if isinstance(value, list):
        return tuple(map(hashable, value))
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def is_whole(value):
    """Return True if a number, or every entry of a tuple, is whole."""
    if isinstance(value, tuple):
        return all(map(is_whole, value))
    return isinstance(value, (int, float)) and float(value).is_integer()
