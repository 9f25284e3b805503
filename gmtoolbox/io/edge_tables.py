"""Graphs from tables of edges: .csv and .tsv, as spreadsheets, Gephi and pandas write them."""

import csv
import io

from gmtoolbox.core.errors import FileFormatError, GuessWarning, warn
from gmtoolbox.core.graph import EDGE_LABELS, Graph, label_among
from gmtoolbox.io.files import text_of
from gmtoolbox.io.formats import GRAPH, reader
from gmtoolbox.io.gxl import add_edge
from gmtoolbox.io.matrices import QUOTED, is_number

ENDS = (  # the names of the first two columns, in small letters
    ("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"), ("u", "v"),
    ("node_1", "node_2"), ("start", "end"), ("head", "tail"), ("i", "j"),
)  # fmt: skip
DELIMITERS = "\t;,"
KINDS = {"directed", "undirected"}  # in Gephi's column "type"


@reader(".csv", ".tsv", holds=GRAPH)
def read_table(path):
    """Return the graph of a table: two node names a row, then attributes of the edge.

    If the first line names the columns (source, target, weight, ...), so are the attributes named;
    otherwise a third column is the label, and a GuessWarning asks if the first line looks like
    other names. A row with one name is a node. A column "type" with "directed" in every row makes a
    directed graph.
    """
    text = text_of(path)
    delimiter = find_delimiter(text)
    entries = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = [(entries.line_num, [word.strip() for word in row]) for row in entries]
    rows = [(k, row) for k, row in rows if any(row) and not row[0].startswith("#")]
    names = [word.lower() for word in rows[0][1]] if rows else []
    has_names = len(names) > 1 and (names[0], names[1]) in ENDS
    if not has_names and looks_like_names(rows):
        warn(
            f"{path}: the first line is read as an edge; if it names the columns, call the first"
            " two source and target",
            GuessWarning,
        )
    names, rows = (names, rows[1:]) if has_names else (["", "", "label"], rows)
    nodes, edges = {}, []
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
            edges.append((ends, dict(zip(names[2:], row[2:], strict=False))))
    return edge_graph(path, list(nodes), edges)


def find_delimiter(text):
    """Return the delimiter of which the first line with one has most, outside of quotes: names of
    nodes may have commas, those of columns have none.
    """
    lines = (QUOTED.sub("", line) for line in text.splitlines() if not line.startswith("#"))
    first = next((line for line in lines if any(mark in line for mark in DELIMITERS)), "")
    return max(DELIMITERS, key=first.count)


def looks_like_names(rows):
    """Return whether the first row of a table may have the names of its columns: other rows share
    nodes with each other, but none with it; or only its third entry is not a number.
    """
    ends = [set(row[:2]) - {""} for _, row in rows]
    others = set().union(*ends[1:])
    if len(ends) < 2 or ends[0] & others or all(map(is_number, ends[0])):
        return False
    thirds = [row[2] for _, row in rows if len(row) > 2 and row[2]]
    has_weights = len(thirds) > 1 and all(map(is_number, thirds[1:])) and not is_number(thirds[0])
    return has_weights or sum(map(len, ends[1:])) > len(others)


def edge_graph(path, nodes, edges):
    """Return the Graph of [((u, v), attributes)], undirected unless each edge is of type directed;
    one that is listed again is the same edge.
    """
    kinds = {data.get("type", "").lower() for _, data in edges}
    is_directed, dropped = kinds == {"directed"}, "type" if kinds <= KINDS else ""
    kept = {}
    for ends, data in edges:
        known = {name: word for name, word in data.items() if name != dropped and word}
        known = {name: as_number(name, word) for name, word in known.items()}
        add_edge(path, kept, ends, known, is_directed)
    edge_data = list(kept.values())
    label = label_among(edge_data, EDGE_LABELS)
    return Graph(nodes, list(kept), None, edge_data, is_directed, edge_label=label)


def as_number(name, word):
    """Return a weight as a number, any other attribute as it is."""
    return float(word) if name == "weight" and is_number(word) else word
