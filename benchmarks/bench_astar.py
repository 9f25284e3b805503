"""Edit distances next to AStar-BMao (astar_bmao.c, written from the papers), unit costs.

    OMP_NUM_THREADS=1 python benchmarks/bench_astar.py [TABLE ...] [--output docs/results/edit.md]

CPU seconds of one thread. Ours are Python calls with networkx graphs; theirs get arrays that are
made before the clock runs. Both get the same random graphs, and their answers are compared.
"""

import argparse
import ctypes
import statistics
import subprocess
import tempfile
import time
from datetime import date
from itertools import combinations
from pathlib import Path

import keep
import networkx as nx
import numpy as np
from like_collections import draw_molecule

import gmtoolbox as gm

COMMAND = "benchmarks/bench_astar.py"
MORE, OPEN = -1, -2
LIMIT = 20_000_000  # states, of 20 bytes
same = lambda a, b: a.get("label") == b.get("label")
LABELS = dict(node_match=same, edge_match=same)


# ---- the peer


class Graph(ctypes.Structure):
    """A graph as astar_bmao.c takes it."""

    _fields_ = (("n", ctypes.c_int), ("label", ctypes.c_void_p), ("edge", ctypes.c_void_p))


def peer():
    """Return the library of astar_bmao.c."""
    built = Path(tempfile.mkdtemp()) / "astar_bmao.so"
    source = Path(__file__).with_name("astar_bmao.c")
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", built, source], check=True, timeout=60)
    library = ctypes.CDLL(str(built))
    library.astar_bmao.argtypes = (Graph, Graph, ctypes.c_int, ctypes.c_int64)
    return library


def arrays(G, known):
    """Return the Graph of a networkx graph; known: {label: number}."""
    number = lambda data: known.setdefault(data.get("label"), len(known))
    label = np.array([number(G.nodes[u]) for u in G], np.int32)
    place = {u: k for k, u in enumerate(G)}
    edge = np.zeros((len(G), len(G)), np.int32)
    for u, v, data in G.edges(data=True):
        edge[place[u], place[v]] = edge[place[v], place[u]] = 1 + number(data)
    made = Graph(len(G), label.ctypes.data, edge.ctypes.data)
    made.kept = label, edge
    return made


# ---- graphs


def random_pairs(n, m, labels, count):
    """Return pairs of random graphs of n nodes and m edges with this many labels of nodes."""

    def draw(k):
        G = nx.gnm_random_graph(n, m, seed=7000 + k)
        rng = np.random.default_rng([n, k])
        for u in G:
            G.nodes[u]["label"] = int(rng.integers(labels))
        return G

    return [(draw(2 * k), draw(2 * k + 1)) for k in range(count)]


def molecules(count, seed):
    """Return molecules of about 8 to 16 atoms without hydrogen."""
    rng, made = np.random.default_rng([seed, 9]), []
    while len(made) < count:
        G = draw_molecule(rng, int(rng.integers(8, 14)))
        made.append(G.subgraph([u for u in G if G.nodes[u]["label"] != "H"]).copy())
    return made


def as_matrix(G, known):
    """Return (matrix of edge labels, node labels), which are compared without functions."""
    one = arrays(G, known)
    label, edge = one.kept
    return edge, label.tolist()


# ---- tables


def timed(function, *given, **named):
    """Return (answer, least CPU seconds of three calls, of one if it takes long)."""
    least = float("inf")
    for _ in range(3):
        started = time.process_time()
        found = function(*given, **named)
        least = min(least, time.process_time() - started)
        if least > 0.1:
            break
    return found, least


def cells(ours, theirs):
    """Return medians and means in ms, and the ratio of means, of two lists of seconds."""
    shown = lambda seconds: f"{1e3 * seconds:.3g}"
    return (
        *(shown(statistics.median(side)) for side in (ours, theirs)),
        *(shown(statistics.mean(side)) for side in (ours, theirs)),
        f"{statistics.mean(theirs) / statistics.mean(ours):.2g}",
    )


TIMES = ("our median ms", "its median ms", "our mean ms", "its mean ms", "its mean / ours")
DISTANCES = ("graphs", "pairs", "open (its)", *TIMES)


def distances(library):
    """Distances of random graphs; a pair that AStar-BMao leaves open counts with its time."""
    for n, m, labels, count in (
        (10, 15, 1, 40), (12, 18, 1, 40), (14, 21, 1, 20), (16, 24, 1, 6),
        (10, 22, 1, 40), (12, 30, 1, 20),
        (10, 12, 4, 40), (12, 14, 4, 40), (14, 16, 4, 40), (16, 19, 4, 20),
    ):  # fmt: skip
        ours, theirs, n_open, known = [], [], 0, {}
        for G, H in random_pairs(n, m, labels, count):
            given = dict(node_match=same) if labels > 1 else {}
            r, seconds = timed(gm.graph_edit_distance, G, H, **given)
            ours.append(seconds)
            pair = arrays(G, known), arrays(H, known)
            found, seconds = timed(library.astar_bmao, *pair, -1, LIMIT)
            theirs.append(seconds)
            n_open += found == OPEN
            assert r.proven and found in (OPEN, r.value), (n, m, found, r)
        kind = f"{labels} labels" if labels > 1 else "no labels"
        yield f"{n} nodes, {m} edges, {kind}", count, n_open, *cells(ours, theirs)


VERIFIED = ("at most", "pairs", "within", *TIMES)


def verified(library):
    """Whether distances of molecules are at most a bound, single calls."""
    graphs, known = molecules(40, 1), {}
    pairs = list(combinations(range(len(graphs)), 2))[::4]
    small = [arrays(G, known) for G in graphs]
    for most in (2, 4, 6, 8):
        ours, theirs, within = [], [], 0
        for i, k in pairs:
            pair = graphs[i], graphs[k]
            r, seconds = timed(gm.graph_edit_distance, *pair, **LABELS, upper_bound=most)
            ours.append(seconds)
            found, seconds = timed(library.astar_bmao, small[i], small[k], most, LIMIT)
            theirs.append(seconds)
            within += r.distance is not None
            assert (found == MORE) == (r.distance is None), (i, k, found, r)
        yield most, len(pairs), within, *cells(ours, theirs)


SEARCHED = ("at most", "found", "ours, s", "its, s", "its / ours")


def searched(library):
    """Ten queries in 1000 molecules that are read before."""
    graphs, known = molecules(1000, 2), {}
    labelled = [as_matrix(G, known) for G in graphs]
    kept = gm.GraphCollection(labelled)
    small = [arrays(G, known) for G in graphs]
    many = (Graph * len(graphs))(*small)
    answers = (ctypes.c_int32 * len(graphs))()
    gm.search(labelled[0], kept, max_distance=1)
    for most in (2, 3, 4, 5, 6):
        started, hits = time.process_time(), 0
        for k in range(10):
            hits += len(gm.search(labelled[k], kept, max_distance=most))
        ours, n_found = time.process_time() - started, 0
        started = time.process_time()
        for k in range(10):
            library.astar_bmao_search(
                small[k], many, len(graphs), most, ctypes.c_int64(LIMIT), answers
            )
            n_found += sum(one != MORE for one in answers)
        theirs = time.process_time() - started
        assert hits == n_found, (hits, n_found)
        yield most, hits, f"{ours:.3f}", f"{theirs:.3f}", f"{theirs / ours:.2g}"


MATRIX = ("pairs", "ours, us a pair", "its, us a pair", "its / ours")


def matrix(library):
    """All pairs of 60 molecules in one call, networkx graphs read within."""
    graphs, known = molecules(60, 3), {}
    gm.edit_distances(graphs[:3], **LABELS)
    started = time.process_time()
    found = gm.edit_distances(graphs, **LABELS).values
    ours = time.process_time() - started
    small = [arrays(G, known) for G in graphs]
    pairs = list(combinations(range(len(graphs)), 2))
    started = time.process_time()
    answers = [library.astar_bmao(small[i], small[k], -1, LIMIT) for i, k in pairs]
    theirs = time.process_time() - started
    assert answers == [found[pair] for pair in pairs]
    shown = [f"{1e6 * seconds / len(pairs):.0f}" for seconds in (ours, theirs)]
    yield len(pairs), *shown, f"{theirs / ours:.2g}"


TABLES = {
    "distances": (DISTANCES, distances),
    "verified": (VERIFIED, verified),
    "searched": (SEARCHED, searched),
    "matrix": (MATRIX, matrix),
}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    options.add_argument("--output", type=Path, help="a page whose places are filled")
    given = options.parse_args()
    library = peer()
    gm.graph_edit_distance(nx.path_graph(3), nx.path_graph(2))  # imports
    for name in given.tables or TABLES:
        headings, rows = TABLES[name]
        lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
        print(f"\n## {name}\n\n{lines[0]}\n{lines[1]}", flush=True)
        for row in rows(library):
            lines.append("| " + " | ".join(map(str, row)) + " |")
            print(lines[-1], flush=True)
        if given.output:
            page, day = given.output.read_text("utf-8"), date.today().isoformat()
            text = keep.kept(page, f"{COMMAND} {name}", "\n".join(lines), day)
            given.output.write_text(text)


if __name__ == "__main__":
    main()
