"""Graphs from tables of edges: .csv and .tsv, as spreadsheets, Gephi and pandas write them."""

import csv

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.graph import EDGE_LABELS, Graph, label_among
from gmtoolbox.io.files import text_of
from gmtoolbox.io.formats import GRAPH, reader

ENDS = (  # the names of the first two columns, in small letters
    ("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"), ("u", "v"),
    ("node_1", "node_2"), ("start", "end"), ("head", "tail"), ("i", "j"),
)  # fmt: skip
KINDS = {"directed", "undirected"}  # in Gephi's column "type"


@reader(".csv", ".tsv", holds=GRAPH)
def read_table(path):
    """Return the graph of a table: two node names a row, then attributes of the edge.

    If the first line names the columns (source, target, weight, ...), so are the attributes named;
    otherwise a third column is the label. A row with one name is a node. A column "type" with
    "directed" in every row makes a directed graph.
    """
    text = text_of(path)
    delimiter = max("\t;,", key=text.count)
    rows = [
        (number, [word.strip() for word in row])
        for number, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), 1)
        if any(word.strip() for word in row) and not row[0].startswith("#")
    ]
    names = [word.lower() for word in rows[0][1]] if rows else []
    has_names = len(names) > 1 and (names[0], names[1]) in ENDS
    names, rows = (names, rows[1:]) if has_names else (["", "", "label"], rows)
    nodes, edges = {}, {}
    for number, row in rows:
        if len(row) > len(names):
            raise FileFormatError(
                path, f"a row has {len(row)} columns where {len(names)} have names", number
            )
        if not row[0]:
            raise FileFormatError(path, "a row must begin with a node", number)
        ends = tuple(word for word in row[:2] if word)
        nodes.update(dict.fromkeys(ends))
        if len(ends) == 2:
            edges.setdefault(ends, dict(zip(names[2:], row[2:], strict=False)))
    return edge_graph(list(nodes), edges)


def edge_graph(nodes, edges):
    """Return the Graph of {(u, v): attributes}, undirected unless each edge is of type directed."""
    kinds = {data.get("type", "").lower() for data in edges.values()}
    is_directed, dropped = kinds == {"directed"}, "type" if kinds <= KINDS else ""
    kept = {}
    for (u, v), data in edges.items():
        if is_directed or (v, u) not in kept:
            known = {name: word for name, word in data.items() if name != dropped and word}
            kept[u, v] = {name: as_number(name, word) for name, word in known.items()}
    edge_data = list(kept.values())
    label = label_among(edge_data, EDGE_LABELS)
    return Graph(nodes, list(kept), None, edge_data, is_directed, edge_label=label)


def as_number(name, word):
    """Return a weight as a number, any other attribute as it is."""
    try:
        return float(word) if name == "weight" else word
    except ValueError:
        return word
