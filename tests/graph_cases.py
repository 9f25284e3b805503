"""Random graphs in every dialect of graph files, written here by code that shares nothing with the
readers, and what must come back.

A graph is (n, {(i, j): edge label}, node labels): nodes 0 .. n - 1, i < j, labels or None.
"""

import json
from random import Random


def random_graph(rng, directed=False, loops=False):
    n = rng.randrange(1, 7)
    pairs = [(i, j) for i in range(n) for j in range(n) if i < j or (directed and i > j)]
    pairs += [(i, i) for i in range(n)] if loops else []
    edges = {pair: rng.choice("12") for pair in pairs if rng.random() < 0.5}
    return n, edges, [rng.choice("CNO") for _ in range(n)]


# ---- dialects


def xml_attribute(name, kind, value):
    return f'<attr name="{name}"><{kind}>{value} </{kind}></attr>'


def gxl(graph, rng):
    n, edges, labels = graph
    node, edge, kind = rng.choice(
        [("symbol", "valence", "int"), ("chem", "valence", "string"), ("type", "type0", "String")]
    )
    text = '<?xml version="1.0"?>\n<!DOCTYPE gxl SYSTEM "gxl-1.0.dtd">\n<gxl>'
    text += '<graph id="g" edgeids="false" edgemode="undirected">'
    for i in range(n):
        where = xml_attribute("x", "float", 0.5 * i)
        text += f'<node id="_{i}">{xml_attribute(node, "string", labels[i])}{where}</node>\n'
    for (i, j), label in edges.items():
        text += f'<edge from="_{i}" to="_{j}">{xml_attribute(edge, kind, label)}</edge>\n'
    return (text + "</graph></gxl>").encode()


def gml(graph, rng):
    n, edges, labels = graph
    nodes = "".join(f'node [ id {i} label "n{i}" symbol "{labels[i]}" ]\n' for i in range(n))
    listed = (f'edge [ source {i} target {j} valence "{x}" ]\n' for (i, j), x in edges.items())
    return f"graph [\n{nodes}{''.join(listed)}]\n".encode()


def graphml(graph, rng):
    n, edges, labels = graph
    text = '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    text += '<key id="s" for="node" attr.name="symbol" attr.type="string"/>'
    text += '<key id="v" for="edge" attr.name="valence" attr.type="string"/>'
    text += '<graph edgedefault="undirected">'
    text += "".join(f'<node id="{i}"><data key="s">{labels[i]}</data></node>' for i in range(n))
    for (i, j), x in edges.items():
        text += f'<edge source="{i}" target="{j}"><data key="v">{x}</data></edge>'
    return (text + "</graph></graphml>").encode()


def edge_list(graph, rng):
    n, edges, _ = graph
    lines = [f"{i}" for i in range(n)] + [f"{i}, {j} {x}  # an edge" for (i, j), x in edges.items()]
    return "\n".join(["% nodes and edges", *lines]).encode()


def edge_table(graph, rng):
    n, edges, _ = graph
    comma = rng.choice([",", ";"])
    lines = [f"{i}" for i in range(n)] + [
        comma.join([f"{i}", f"{j}", x]) for (i, j), x in edges.items()
    ]
    head = [comma.join(["source", "Target", "label"])]
    return "\n".join(head + lines).encode()


def edge_tabs(graph, rng):
    n, edges, _ = graph
    lines = [f"{i}\t" for i in range(n)] + [f"{i}\t{j}\t{x}" for (i, j), x in edges.items()]
    return "\n".join(["# nodes and edges", *lines]).encode()


def database(graph, rng):
    n, edges, labels = graph
    lines = [f"v {i} {labels[i]}" for i in range(n)] + [
        f"e {i} {j} {x}" for (i, j), x in edges.items()
    ]
    return "\n".join(["t # 7", *lines, ""]).encode()


def graph6(graph, rng):
    n, edges, _ = graph
    bits = [int((i, j) in edges) for j in range(n) for i in range(j)]
    bits += [0] * (-len(bits) % 6)
    groups = [bits[k : k + 6] for k in range(0, len(bits), 6)]
    return bytes([63 + n, *(63 + int("".join(map(str, g)), 2) for g in groups)]) + b"\n"


def json_record(graph, rng):
    n, edges, labels = graph
    kind = rng.randrange(3)
    if kind == 0:
        listed = {"labels": labels, "edges": [[j, i] for i, j in edges]}
        return json.dumps({"id": 3, "n": n, **listed, "edge_labels": list(edges.values())}).encode()
    if kind == 1:
        nodes = [{"id": i, "symbol": labels[i]} for i in range(n)]
        links = [{"source": i, "target": j, "valence": x} for (i, j), x in edges.items()]
        return json.dumps({"nodes": nodes, "links": links, "directed": False}).encode()
    arcs = [(i, j, x) for (i, j), x in edges.items()] + [(j, i, x) for (i, j), x in edges.items()]
    return json.dumps(
        {
            "edge_index": [[i for i, _, _ in arcs], [j for _, j, _ in arcs]],
            "edge_attr": [[int(x)] for _, _, x in arcs],
            "x": [["CNO".index(label)] for label in labels],
            "y": [1],
        }
    ).encode()


SMILES = (b"CCO ethanol\n", b"c1ccccc1 benzene\nC methane\n", b"[NH4+]\n# nothing\n", b"C#N acid 1")
MOL = b"""methanol
  written by hand

  2  1  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.4000    0.0000    0.0000 O   0  0
  1  2  1  0
M  END
> <class>
a

$$$$
"""
COLLECTION = b"""<?xml version="1.0"?><GraphCollection><letters count="2">
<print file="good.gxl" class="a"/></letters></GraphCollection>"""

WRITERS = {  # suffix: function of a graph and a random generator
    ".gxl": gxl,
    ".gml": gml,
    ".graphml": graphml,
    ".edges": edge_list,
    ".edgelist": edge_list,
    ".txt": edge_list,
    ".csv": edge_table,
    ".tsv": edge_tabs,
    ".g6": graph6,
    ".json": json_record,
    ".jsonl": json_record,
    ".ndjson": json_record,
}
SAMPLES = {  # suffix: good files
    ".smi": SMILES,
    ".smiles": SMILES,
    ".sdf": (MOL, MOL + MOL),
    ".sd": (MOL,),
    ".mol": (MOL,),
    ".xml": (COLLECTION,),
    ".cxl": (COLLECTION,),
    ".s6": (b":Fa@x^\n", b">>sparse6<<:An\n"),
    ".d6": (b"&B?o\n", b"&AO\n"),
}
UNLABELLED_NODES = (".edges", ".edgelist", ".txt", ".csv", ".tsv", ".g6")
UNLABELLED_EDGES = (".g6",)


def good_files(suffix, rng, count=8):
    """Some good files of a format."""
    if suffix in SAMPLES:
        return list(SAMPLES[suffix])
    return [WRITERS[suffix](random_graph(rng), rng) for _ in range(count)]


def prepare(folder):
    """Put the file into a folder that collections list."""
    (folder / "good.gxl").write_bytes(gxl((2, {(0, 1): "1"}, ["C", "O"]), Random(0)))


def content_of(graph):
    """(n, {frozenset of ends: label}, labels) of what was read, nodes by their position; the
    numbers 0, 1, 2 of PyTorch Geometric are C, N, O.
    """

    def label(data, names):
        values = [data[name] for name in names if name in data]
        return None if not values else values[0]

    def symbol(value):
        return "CNO"[value[0]] if isinstance(value, tuple) else value

    def order(value):
        return str(value[0] if isinstance(value, tuple) else value)

    where = {node: k for k, node in enumerate(graph.nodes)}
    edges = {
        frozenset((where[u], where[v])): order(label(data, graph.edge_label))
        for (u, v), data in zip(graph.edges, graph.edge_data, strict=True)
    }
    return len(graph), edges, [symbol(label(data, graph.node_label)) for data in graph.node_data]
