"""Edit distances of all pairs of 50 graphs in the shape of each collection of the literature.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_samples.py [NAME ...]
    [--sample FRACTION] [--seconds SECONDS] [--seed SEED] [--limit SECONDS] [--answers FILE]
    [--output docs/results/edit.md]

The graphs are drawn by like_collections.py, those of IMDB are the first 50 with more than 20 nodes
of the collection itself. Times are CPU seconds, measured as in bench_edit.py. The pairs of a line
are solved in random order, until `--seconds` of CPU time are used if it is given. Every answer is
added to FILE at once (JSON lines); with the same FILE a later run solves only the other pairs.
"""

import argparse
import json
import math
import os
import sys
import time
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
REPORT = 20.0  # seconds between two lines on stderr
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


class Answers:
    """(proven, CPU seconds) of pairs, kept in a file of lines (name, seed, limit, i, j, proven,
    seconds) if there is one.
    """

    def __init__(self, path):
        self.path, self.known = path, {}
        if path and path.exists():
            for line in path.read_text("utf-8").splitlines():
                *key, proven, used = json.loads(line)
                self.known[tuple(key)] = proven, used

    def add(self, key, proven, used):
        """Keep the answer to one pair."""
        self.known[key] = proven, used
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*key, proven, used]) + "\n")


def solve_line(name, graphs, given, how, answers):
    """Return (proven, CPU seconds) of the pairs of a line that are solved in its time; how far it
    is stands on stderr.
    """
    pairs = list(combinations(range(len(graphs)), 2))
    order = np.random.default_rng(given.seed).permutation(len(pairs))
    chosen = [pairs[k] for k in order[: max(int(len(pairs) * given.sample), 2)]]
    found, spent, spoke = [], 0.0, time.monotonic()
    for i, j in chosen:
        key = (name, given.seed, given.limit, i, j)
        if key not in answers.known:
            r, used = bench_edit.timed(
                gm.graph_edit_distance, graphs[i], graphs[j], given.limit, **how
            )
            answers.add(key, bool(r.proven), round(used, 6))
        found.append(answers.known[key])
        spent += found[-1][1]
        if time.monotonic() - spoke > REPORT:
            spoke = time.monotonic()
            said = f"{name}: {len(found)} of {len(chosen)} pairs, {spent:.0f} s of CPU"
            print(said, file=sys.stderr, flush=True)
        if spent >= given.seconds:
            break
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", metavar="NAME", help="parts of names of lines")
    options.add_argument("--sample", type=float, default=1.0, help="share of the pairs")
    options.add_argument("--seconds", type=float, default=math.inf, help="of CPU for a line")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--limit", type=float, default=10, help="seconds of each pair")
    options.add_argument("--answers", type=Path, help="a file of answers, which is continued")
    options.add_argument("--output", type=Path, help="a page whose places are filled")
    given = options.parse_args()
    gm.graph_edit_distance(nx.path_graph(3), nx.path_graph(2))  # imports
    answers = Answers(given.answers)
    lines = ["| " + " | ".join(bench_edit.SIZES) + " |", "|" + "---|" * len(bench_edit.SIZES)]
    for name, (draw, how) in ROWS.items():
        if given.names and not any(part in name for part in given.names):
            continue
        graphs = ego_networks() if draw is None else draw(GRAPHS, given.seed)
        found = solve_line(name, graphs, given, how, answers)
        cells = bench_edit.with_sizes(bench_edit.cells_of(name, given.limit, found), graphs)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        print(lines[-1], flush=True)
        if given.output:
            write_page(given.output, lines, bool(given.names))


def write_page(path, lines, is_part):
    """Put the lines into their place on a page; is_part: next to the older ones."""
    page = path.read_text("utf-8")
    lines = bench_edit.with_older(lines, page, COMMAND) if is_part else lines
    path.write_text(keep.kept(page, COMMAND, "\n".join(lines), date.today().isoformat()))


if __name__ == "__main__":
    main()
