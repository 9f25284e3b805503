"""Edit distances of large graphs that are a few edits apart, and of a pattern in a large graph.

    OMP_NUM_THREADS=1 python benchmarks/bench_few_edits.py [NAME ...] [--seed SEED]
    [--limit SECONDS] [--output docs/results/edit.md]

The second graph is a copy of the first with shuffled nodes, of which edges were removed and added:
the number of these edits is at least the distance. Times are CPU seconds, measured as in
bench_edit.py.
"""

import argparse
from datetime import date
from pathlib import Path

import keep
import networkx as nx
import numpy as np
from bench_edit import same, timed

import gmtoolbox as gm

COMMAND = "benchmarks/bench_few_edits.py"
LABELS = dict(node_match=same)
WEIGHTS = dict(  # as many different costs as pairs of edges
    edge_subst_cost=lambda a, b: abs(a["weight"] - b["weight"]),
    edge_del_cost=lambda a: 1.0,
    edge_ins_cost=lambda a: 1.0,
)
HEADINGS = ("graphs", "nodes", "edges", "edits", "value", "bound", "proven", "CPU s")


def random_graph(n, m, seed):
    """Return a random graph."""
    return nx.gnm_random_graph(n, m, seed=seed)


def cubic(n, seed):
    """Return a random graph in which every node has three neighbours."""
    return nx.random_regular_graph(3, n, seed=seed)


def labelled(G, shares, seed):
    """Return a graph with labels that are drawn with these shares."""
    labels = np.random.default_rng([seed, 1]).choice(len(shares), len(G), p=shares).tolist()
    nx.set_node_attributes(G, dict(zip(G, labels, strict=True)), "label")
    return G


def weighted(G, seed):
    """Return a graph with random weights of its edges."""
    weights = np.random.default_rng([seed, 2]).random(len(G.edges)).tolist()
    nx.set_edge_attributes(G, dict(zip(G.edges, weights, strict=True)), "weight")
    return G


def edited(G, edits, seed):
    """Return a shuffled copy of a graph, half of the edits of which remove edges."""
    rng, H = np.random.default_rng([seed, 3]), G.copy()
    edges, nodes = list(G.edges), list(G)
    H.remove_edges_from(edges[k] for k in rng.choice(len(edges), edits // 2, replace=False))
    while len(H.edges) < len(edges) - edits // 2 + (edits - edits // 2):
        u, v = map(int, rng.choice(len(nodes), 2, replace=False))
        if not G.has_edge(u, v):
            H.add_edge(u, v, weight=float(rng.random()))
    return nx.relabel_nodes(H, dict(zip(nodes, rng.permutation(nodes).tolist(), strict=True)))


def pattern_of(G, n, seed):
    """Return a connected part of a graph with one edge less."""
    rng = np.random.default_rng([seed, 4])
    part = [int(rng.integers(len(G)))]
    while len(part) < n:
        near = sorted({v for u in part for v in G[u]}.difference(part))
        part.append(near[rng.integers(len(near))] if near else int(rng.integers(len(G))))
    P = nx.Graph(G.subgraph(part))
    P.remove_edge(*list(P.edges)[0])
    return P


ROWS = {  # name: (graph of a seed, edits, how they are compared)
    "random": (lambda seed: random_graph(400, 1200, seed), 20, {}),
    "random, 1000 nodes": (lambda seed: random_graph(1000, 3000, seed), 20, {}),
    "isomorphic": (lambda seed: random_graph(1000, 3000, seed), 0, {}),
    "cubic": (lambda seed: cubic(300, seed), 10, {}),
    "tree": (lambda seed: nx.random_labeled_tree(300, seed=seed), 6, {}),
    "random, two labels": (
        lambda seed: labelled(random_graph(400, 1000, seed), (0.5, 0.5), seed), 15, LABELS,
    ),
    "cubic, a rare label": (
        lambda seed: labelled(cubic(300, seed), (0.99, 0.01), seed), 10, LABELS,
    ),
    "directed": (lambda seed: nx.gnm_random_graph(300, 900, seed=seed, directed=True), 15, {}),
    "weighted edges": (lambda seed: weighted(random_graph(300, 800, seed), seed), 8, WEIGHTS),
}  # fmt: skip
PATTERN = "pattern of 20 nodes, seven labels"


def cells(name, G, H, edits, limit, how):
    """Return a line of the table."""
    r, used = timed(gm.graph_edit_distance, G, H, limit, **how)
    sizes = f"{len(G)}, {len(H)}", f"{len(G.edges)}, {len(H.edges)}"
    numbers = f"{r.value:g}", f"{r.bound:.1f}", "yes" if r.proven else "no", f"{used:.1f}"
    return name, *sizes, edits, *numbers


def lines_of(names, seed, limit):
    """Yield the lines whose names hold one of these texts, all of them without."""
    wanted = lambda name: not names or any(part in name for part in names)
    for name, (draw, edits, how) in ROWS.items():
        if wanted(name):
            G = draw(seed)
            yield cells(name, G, edited(G, edits, seed), edits, limit, how)
    if wanted(PATTERN):
        G = labelled(random_graph(20_000, 44_000, seed), np.full(7, 1 / 7), seed)
        P = pattern_of(G, 20, seed)
        edits = len(G) - len(P) + len(G.edges) - len(P.edges)
        yield cells(PATTERN, P, G, edits, limit, LABELS)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", metavar="NAME", help="parts of names of lines")
    options.add_argument("--seed", type=int, default=5)
    options.add_argument("--limit", type=float, default=10.0, help="seconds of each pair")
    options.add_argument("--output", type=Path, help="a page whose place is filled")
    given = options.parse_args()
    gm.graph_edit_distance(nx.path_graph(3), nx.path_graph(2))  # imports
    lines = ["| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    for row in lines_of(given.names, given.seed, given.limit):
        lines.append("| " + " | ".join(map(str, row)) + " |")
        print(lines[-1], flush=True)
    if given.output:
        page, day = given.output.read_text("utf-8"), date.today().isoformat()
        given.output.write_text(keep.kept(page, COMMAND, "\n".join(lines), day))


if __name__ == "__main__":
    main()
