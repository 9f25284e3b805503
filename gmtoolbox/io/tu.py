"""TU data sets: a folder of text files DS_A.txt, DS_graph_indicator.txt, DS_graph_labels.txt, ...

Line k of a file is about arc, node or graph k, and nodes and graphs count from 1. Morris et al.,
TUDataset: a collection of benchmark datasets for learning with graphs, 2020.
"""

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.graph import Graph
from gmtoolbox.io.files import read_bytes

ARCS, INDICATOR = "_A.txt", "_graph_indicator.txt"
LABEL, VALUES = "label", "attributes"  # names of the attributes of nodes and edges


def tu_prefix(folder):
    """Return DS of a folder that holds DS_A.txt and DS_graph_indicator.txt, or None."""
    found = sorted(file.name[: -len(ARCS)] for file in folder.glob(f"*{ARCS}") if is_tu_file(file))
    return found[0] if found else None


def is_tu_file(path):
    """Return True if a file is the list of arcs of a TU data set."""
    name = path.name[: -len(ARCS)]
    return path.name.endswith(ARCS) and path.with_name(name + INDICATOR).is_file()


def read_tu(folder, prefix):
    """Return the graphs of a TU data set, with their classes, labels and attributes."""
    file = lambda name: folder / f"{prefix}_{name}.txt"
    indicator = [row[0] for row in rows_of(file("graph_indicator"), width=1)]
    arcs = rows_of(file("A"), width=2)
    n_graphs = max(indicator, default=0)
    if indicator and (min(indicator) < 1 or n_graphs > len(indicator)):
        raise FileFormatError(file("graph_indicator"), "graphs must be numbered 1, 2, ...")
    node_data = attributes_of(file("node_labels"), file("node_attributes"), len(indicator))
    edge_data = attributes_of(file("edge_labels"), file("edge_attributes"), len(arcs))
    classes = optional_rows(file("graph_labels"), n_graphs)
    values = optional_rows(file("graph_attributes"), n_graphs, float)
    nodes, edges = [[] for _ in range(n_graphs)], [[] for _ in range(n_graphs)]
    for node, graph in enumerate(indicator, 1):
        nodes[graph - 1].append(node)
    for k, (u, v) in enumerate(arcs):
        inside = 1 <= u <= len(indicator) and 1 <= v <= len(indicator)
        if not inside or indicator[u - 1] != indicator[v - 1]:
            raise FileFormatError(
                file("A"), f"an arc must join two nodes of one graph, got {u} {v}", k + 1
            )
        edges[indicator[u - 1] - 1].append(k)
    directed = is_directed(arcs, edge_data)
    return [
        tu_graph(
            nodes[g],
            [(arcs[k], edge_data[k]) for k in edges[g]],
            [node_data[node - 1] for node in nodes[g]],
            directed,
            name=f"{prefix}-{g + 1}",
            graph_class=classes[g][0] if classes else None,
            info={"attributes": tuple(values[g])} if values else {},
        )
        for g in range(n_graphs)
    ]


def tu_graph(nodes, arcs, node_data, directed, **facts):
    """Return one Graph; of an undirected one, each edge once."""
    kept = {}
    for (u, v), data in arcs:
        kept.setdefault((u, v) if directed else (min(u, v), max(u, v)), data)
    first = nodes[0] if nodes else 0
    return Graph(
        nodes=[node - first for node in nodes],
        edges=[(u - first, v - first) for u, v in kept],
        node_data=node_data,
        edge_data=list(kept.values()),
        directed=directed,
        node_label=(LABEL,) if any(LABEL in data for data in node_data) else (),
        edge_label=(LABEL,) if any(LABEL in data for data in kept.values()) else (),
        **facts,
    )


def is_directed(arcs, data):
    """Return whether some arcs have no arc back with the same attributes, and some have: a data set
    that lists every edge once is undirected.
    """
    known = {tuple(arc): data[k] for k, arc in enumerate(arcs)}
    back = [known.get((v, u), data[k]) == data[k] for k, (u, v) in enumerate(arcs) if u != v]
    paired = [(v, u) in known for u, v in known if u != v]
    return not all(back) or (any(paired) and not all(paired))


# ---- rows of numbers


def attributes_of(labels, values, n):
    """Return n dicts with the label and the values of each node or arc, of the files that exist."""
    label_rows, value_rows = optional_rows(labels, n), optional_rows(values, n, float)
    found = [{} for _ in range(n)]
    for k, data in enumerate(found):
        if label_rows:
            row = label_rows[k]
            data[LABEL] = row[0] if len(row) == 1 else tuple(row)
        if value_rows:
            data[VALUES] = tuple(value_rows[k])
    return found


def optional_rows(path, n, kind=int):
    """Return the n rows of a file, or None if there is none."""
    if not path.is_file():
        return None
    rows = rows_of(path, kind)
    if len(rows) != n:
        raise FileFormatError(path, f"must have {n} lines, got {len(rows)}")
    return rows


def rows_of(path, kind=int, width=None):
    """Return the numbers of each line, which are separated by commas or blanks."""
    rows = []
    text = read_bytes(path)[:-1].decode("ascii", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.replace(",", " ").split()
        if not words:
            continue
        try:
            rows.append([number_of(word, kind) for word in words])
        except ValueError:
            raise FileFormatError(path, f"must hold numbers, got {line[:60]!r}", number) from None
        if width not in (None, len(words)):
            raise FileFormatError(path, f"must hold {width} numbers, got {line[:60]!r}", number)
    return rows


def number_of(word, kind):
    """Return a number; a whole one may be written as 1.0, a class may be any number."""
    value = float(word)
    return int(value) if kind is int and value.is_integer() else value
