"""Questions of bench_subgraphs.py, asked of other programs: a plain McSplit, igraph (LAD),
rustworkx and networkx (VF2), and SMSD.

Each ask_... returns a function, so that graphs of the other program are made before the clock
starts.
"""

import ctypes
import subprocess
import tempfile
from itertools import islice
from pathlib import Path

import networkx as nx
import numpy as np

HERE = Path(__file__).parent


# ---- common subgraphs


def plain_mcsplit():
    """The function of mcsplit.c: (G, H) -> size."""
    folder = tempfile.mkdtemp()
    built = Path(folder) / "mcsplit.so"
    source = HERE / "mcsplit.c"
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", built, source], check=True, timeout=60)
    library = ctypes.CDLL(str(built))

    def solve(G, H):
        sides = [by_degree(graph) for graph in (G, H)]
        pointers = [side.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)) for side in sides]
        nodes = ctypes.c_int64()
        limit = ctypes.c_int64(2**62)
        return library.mcsplit(len(G), len(H), *pointers, limit, ctypes.byref(nodes))

    return solve


def by_degree(G):
    """Adjacency matrix, nodes by descending degree."""
    order = sorted(G, key=lambda u: -G.degree[u])
    return np.ascontiguousarray(nx.to_numpy_array(G, nodelist=order) > 0, np.uint8)


def ask_smsd(pair, kind, connected, seconds):
    """A function that asks SMSD by our rules: elements equal, bonds of any type."""
    import smsd

    options, rules = smsd.MCS.Options(), smsd.ChemOptions()
    rules.match_bond_order = smsd.BondOrderMode.ANY
    options.chemistry, options.timeout_ms = rules, int(1000 * seconds)
    objective, ways = smsd.MCS.Objective, smsd.MCS.Connectivity
    options.objective = objective.MCES if kind == "edge" else objective.MCIS
    options.connectivity = ways.CONNECTED if connected else ways.FRAGMENTS
    first, second = map(smsd.from_rdkit, pair)
    ask = smsd.MCS.find(first).with_options(options).match
    return lambda: ask(second)


# ---- contained subgraphs


def ask_igraph(pattern, G, labelled, everything):
    """A function that asks LAD."""
    import igraph

    graphs = [igraph.Graph(len(g), list(g.edges)) for g in (pattern, G)]
    domains = None
    if labelled:
        places = {}
        for u in G:
            places.setdefault(G.nodes[u]["label"], []).append(u)
        domains = [places[pattern.nodes[u]["label"]] for u in pattern]
    name = "get_subisomorphisms_lad" if everything else "subisomorphic_lad"
    ask = getattr(graphs[1], name)
    answer = lambda: ask(graphs[0], domains=domains, induced=False)
    return lambda: len(answer()) if everything else int(bool(answer()))


def ask_rustworkx(pattern, G, labelled, everything):
    """A function that asks VF2 of rustworkx."""
    import rustworkx

    graphs = []
    for g in (pattern, G):
        made = rustworkx.PyGraph()
        made.add_nodes_from([g.nodes[u].get("label", 0) for u in g])
        made.add_edges_from_no_data(list(g.edges))
        graphs.append(made)
    match = (lambda a, b: a == b) if labelled else None

    def ask():
        found = rustworkx.vf2_mapping(
            graphs[1], graphs[0], node_matcher=match, subgraph=True, induced=False,
            call_limit=10**7,
        )  # fmt: skip
        return sum(1 for _ in (found if everything else islice(found, 1)))

    return ask


def ask_networkx(pattern, G, labelled, everything):
    """A function that asks VF2 of networkx, for at most LIMIT seconds."""
    match = (lambda a, b: a["label"] == b["label"]) if labelled else None

    def ask():
        matcher = nx.isomorphism.GraphMatcher(G, pattern, node_match=match)
        found = matcher.subgraph_monomorphisms_iter()
        return sum(1 for _ in (found if everything else islice(found, 1)))

    return ask


def read_for_rustworkx(*given):
    """A function that makes the graphs of rustworkx and asks VF2."""
    return lambda: ask_rustworkx(*given)()


def count_by_igraph(pattern, G, induced):
    """The number of maps that LAD finds."""
    import igraph

    graphs = [igraph.Graph(len(g), list(g.edges), directed=g.is_directed()) for g in (pattern, G)]
    same = lambda u: [v for v in G if G.nodes[v]["label"] == pattern.nodes[u]["label"]]
    domains = [same(u) for u in pattern]
    if not all(domains):
        return 0
    return len(graphs[1].get_subisomorphisms_lad(graphs[0], domains=domains, induced=induced))


def count_by_networkx(pattern, G, induced):
    """The number of maps that VF2 finds."""
    names = nx.isomorphism
    kind = names.DiGraphMatcher if G.is_directed() else names.GraphMatcher
    matcher = kind(G, pattern, node_match=names.categorical_node_match("label", None))
    found = matcher.subgraph_isomorphisms_iter if induced else matcher.subgraph_monomorphisms_iter
    return sum(1 for _ in found())
