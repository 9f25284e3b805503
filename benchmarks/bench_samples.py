"""Edit distances of all pairs of 50 graphs in the shape of each collection of the literature.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_samples.py [NAME ...]
    [--sample FRACTION] [--seed SEED] [--limit SECONDS] [--output docs/results/edit.md]

The graphs are drawn by like_collections.py, those of IMDB are the first 50 with more than 20 nodes
of the collection itself. Times are CPU seconds, measured as in bench_edit.py.
"""

import argparse
import os
from datetime import date
from itertools import combinations
from pathlib import Path

import bench_edit
import keep
import like_collections
import networkx as nx
import numpy as np

import gmtoolbox as gm

COMMAND = "benchmarks/bench_samples.py"
GRAPHS = 50
same = lambda a, b: a.get("label") == b.get("label")
LABELS = dict(node_match=same, edge_match=same)
ROWS = {  # name: (graphs of a seed, how they are compared)
    "Letter-like, letter-high": (like_collections.letters, dict(costs="letter-high")),
    "GREC-like, grec1": (like_collections.symbols, dict(costs="grec1")),
    "GREC-like, grec2": (like_collections.symbols, dict(costs="grec2")),
    "CMU-like, cmu": (like_collections.houses, dict(costs="cmu")),
    "Mutagenicity-like, 65-75 atoms, chem1": (
        like_collections.molecules,
        dict(costs="chem1", **LABELS),
    ),
    "PROTEINS-like, unit": (like_collections.proteins, dict(node_match=same)),
    "IMDB, more than 20 nodes": (None, {}),
}


def ego_networks():
    """Return graphs of IMDB with more than 20 nodes."""
    known = bench_edit.literature(Path(os.environ["GMTOOLBOX_DATA"]), "imdb")
    return [graph for graph in known if len(graph) > 20][:GRAPHS]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", metavar="NAME", help="parts of names of lines")
    options.add_argument("--sample", type=float, default=1.0, help="share of the pairs")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--limit", type=int, default=10, help="seconds of each pair")
    options.add_argument("--output", type=Path, help="a page whose places are filled")
    given = options.parse_args()
    gm.graph_edit_distance(nx.path_graph(3), nx.path_graph(2))  # imports
    lines = ["| " + " | ".join(bench_edit.SIZES) + " |", "|" + "---|" * len(bench_edit.SIZES)]
    for name, (draw, how) in ROWS.items():
        if given.names and not any(part in name for part in given.names):
            continue
        graphs = ego_networks() if draw is None else draw(GRAPHS, given.seed)
        pairs = list(combinations(graphs, 2))
        order = np.random.default_rng(given.seed).permutation(len(pairs))
        chosen = [pairs[k] for k in order[: max(int(len(pairs) * given.sample), 2)]]
        cells = bench_edit.sized_row(name, graphs, chosen, given.limit, **how)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        print(lines[-1], flush=True)
    if given.output:
        page = given.output.read_text()
        lines = bench_edit.with_older(lines, page, COMMAND) if given.names else lines
        day = date.today().isoformat()
        given.output.write_text(keep.kept(page, COMMAND, "\n".join(lines), day))


if __name__ == "__main__":
    main()
