"""Common and contained subgraphs next to igraph, networkx, rustworkx, RDKit, SMSD and a plain
McSplit.

    OMP_NUM_THREADS=1 python benchmarks/bench_subgraphs.py [TABLE ...]

Tables: induced, edges, contained, molecules, kinds, changed, search, queries, equal. Times are CPU
seconds of this process, one thread, median over the pairs of a line. Reading RDKit molecules is
included.
Patterns are looked for in graphs that have been read before, the fastest of three calls, and in the
columns `graphs read` in graphs that have not; building the graphs of igraph is not included. `-`
marks a limit of 5 s.
`equal` compares counts of 2,000 random cases with igraph and networkx.
"""

import argparse
import random
import statistics
import time
from itertools import islice
from pathlib import Path

import networkx as nx
from subgraph_peers import (
    ask_igraph,
    ask_networkx,
    ask_rustworkx,
    ask_smsd,
    count_by_igraph,
    count_by_networkx,
    plain_mcsplit,
    read_for_rustworkx,
)

import gmtoolbox as gm

HERE = Path(__file__).parent
LIMIT = 5.0  # CPU seconds
WAIT = 10.0  # times that, on a busy machine
PROOF = 2.0  # CPU seconds of a pair of molecules


def timed(function, *given, **named):
    """(CPU seconds, answer)."""
    started = time.process_time()
    answer = function(*given, **named)
    return time.process_time() - started, answer


def shown(seconds):
    """Seconds in three digits, `-` for none."""
    return "-" if seconds is None else f"{seconds:.3g}"


def print_table(head, rows):
    """A table of Markdown, line by line as it is measured."""
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print()


# ---- common subgraphs


def induced():
    """Largest common induced subgraphs of two G(n, 0.2)."""
    theirs = plain_mcsplit()
    for n, pairs in ((15, 5), (18, 5), (22, 5), (26, 3), (30, 2)):
        ours, plain = [], []
        for seed in range(pairs):
            G, H = (nx.gnp_random_graph(n, 0.2, seed=2 * seed + k) for k in (0, 1))
            seconds, r = timed(gm.maximum_common_subgraph, G, H, "induced", time_limit=100)
            ours.append(seconds)
            seconds, size = timed(theirs, G, H)
            plain.append(seconds)
            assert r.proven and size == r.value, (n, seed, r, size)
        a, b = statistics.median(ours), statistics.median(plain)
        yield f"G({n}, 0.2)", shown(a), shown(b), f"{a / b:.2g}"


def edge_pairs():
    """(name, pairs of graphs) whose most common edges are asked for."""
    regular = lambda n, s: nx.random_regular_graph(3, n, seed=s)
    yield "3-regular, 16 nodes", [(regular(16, s), regular(16, s + 50)) for s in range(3)]
    yield "3-regular, 20 nodes", [(regular(20, s), regular(20, s + 50)) for s in range(3)]
    for n, p in ((12, 0.5), (14, 0.5), (16, 0.5), (18, 0.2)):
        random_graph = lambda s, n=n, p=p: nx.gnp_random_graph(n, p, seed=s)
        yield f"G({n}, {p})", [(random_graph(s), random_graph(s + 50)) for s in range(3)]
    yield (
        "trees, 20 nodes",
        [tuple(nx.random_labeled_tree(20, seed=2 * s + k) for k in (0, 1)) for s in range(5)],
    )


def edges():
    """Most common edges: by the default, and by each engine."""
    for name, pairs in edge_pairs():
        columns = []
        for method in ("auto", "partition", "assignment", "aj"):
            times = [proven_in(*pair, method=method) for pair in pairs]
            median = None if None in times else statistics.median(times)
            columns.append(shown(median))
        yield name, *columns


def proven_in(*pair, **given):
    """CPU seconds until the proof; None if that takes longer than the limit."""
    waited = WAIT * LIMIT  # time limits are seconds of the clock on the wall
    seconds, r = timed(gm.maximum_common_subgraph, *pair, time_limit=waited, **given)
    return seconds if r.proven and seconds <= LIMIT else None


# ---- contained subgraphs


def planted(seed, n, p, k):
    """(pattern of k nodes, the graph that holds it)."""
    G = nx.gnp_random_graph(n, p, seed=seed)
    chosen = random.Random(seed).sample(sorted(G), k)
    return nx.convert_node_labels_to_integers(G.subgraph(chosen)), G


def labelled_graph(seed, n=10_000, labels=20):
    """A sparse labelled graph and a connected part of 16 nodes."""
    G = nx.gnm_random_graph(n, 4 * n, seed=seed)
    rng = random.Random(seed)
    nx.set_node_attributes(G, {u: rng.randrange(labels) for u in G}, "label")
    start = rng.randrange(n)
    part = list(islice((v for _, v in nx.bfs_edges(G, start)), 15))
    return nx.convert_node_labels_to_integers(G.subgraph([start, *part])), G


def questions():
    """(name, pattern, graph, whether labelled, whether all places are asked for)"""
    yield "25 of 100 nodes, p = 0.2", *planted(1, 100, 0.2, 25), False, False
    yield "20 of 1000 nodes, p = 0.05", *planted(2, 1000, 0.05, 20), False, False
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(20, 20))
    yield "C9 in a 20 x 20 grid (none)", nx.cycle_graph(9), grid, False, False
    small, large = (nx.convert_node_labels_to_integers(nx.grid_2d_graph(n, n)) for n in (10, 12))
    yield "10 x 10 grid in 12 x 12", small, large, False, False
    world = nx.watts_strogatz_graph(1000, 6, 0.1, seed=1)
    near = list(islice((v for _, v in nx.bfs_edges(world, 0)), 49))
    part = nx.convert_node_labels_to_integers(world.subgraph([0, *near]))
    yield "50 of a small world of 1000", part, world, False, False
    yield "labelled, 10,000 nodes, all", *labelled_graph(1), True, True
    yield "squares of a grid, all", nx.cycle_graph(4), large, False, True
    regular = nx.random_regular_graph(3, 30, seed=1)
    yield "paths of 8 in a 3-regular graph, all", nx.path_graph(8), regular, False, True


def fastest(ask):
    """(CPU seconds, answer) of the fastest of three calls; of one that takes long."""
    first = timed(ask)
    return first if first[0] > 0.5 else min(first, timed(ask), timed(ask), key=lambda run: run[0])


def limited(ask):
    """(CPU seconds or None, answer), in a process of its own that is ended at the limit."""
    import multiprocessing

    ours, theirs = multiprocessing.Pipe()

    def work():
        try:
            theirs.send(fastest(ask))
        except Exception as error:
            print("failed:", error)
            theirs.send((None, None))

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    answer = ours.recv() if ours.poll(4 * LIMIT) else (None, None)
    process.kill()
    process.join()
    return answer


def contained():
    """Places of a pattern: the first one, or all."""
    same = lambda a, b: a["label"] == b["label"]
    for name, pattern, G, labelled, everything in questions():
        given = {"node_match": same} if labelled else {}
        limit = None if everything else 1
        given.update(limit=limit, time_limit=2 * LIMIT)
        ask_ours = lambda *graphs: gm.count_subgraphs(*graphs, **given)  # noqa: B023
        found = [fastest(lambda: ask_ours(pattern, G))]  # noqa: B023
        unread = [(pattern.copy(), G.copy()) for _ in range(3)]  # graphs that nothing has read
        found.append(min((timed(ask_ours, *pair) for pair in unread), key=lambda run: run[0]))
        for ask in (ask_igraph, ask_rustworkx, read_for_rustworkx, ask_networkx):
            found.append(limited(ask(pattern, G, labelled, everything)))
        counts = {answer for seconds, answer in found if seconds is not None}
        assert len(counts) == 1, (name, found)
        yield name, found[0][1], *(shown(seconds) for seconds, _ in found)


# ---- molecules


def drugs(most=60):
    """RDKit molecules of drugs.smi."""
    from rdkit import Chem

    lines = (HERE / "drugs.smi").read_text("utf-8").splitlines()
    made = [Chem.MolFromSmiles(line.split()[0]) for line in lines if line]
    return [m for m in made if m.GetNumAtoms() <= most]


def molecules():
    """Pairs of drugs next to RDKit's FindMCS with the same rules."""
    from rdkit.Chem import rdFMCS

    draw = random.Random(1)
    pairs = [draw.sample([m for m in drugs() if m.GetNumAtoms() >= 20], 2) for _ in range(60)]
    compare = rdFMCS.BondCompare
    orders = {"order": compare.CompareOrder, "strict": compare.CompareOrderExact}
    for bonds, ring in (("order", False), ("order", True), ("strict", False)):
        ours, theirs, larger, smaller = [], [], 0, 0
        for pair in pairs:
            given = dict(bonds=bonds, ring_matches_ring=ring, time_limit=LIMIT)
            seconds, r = timed(gm.maximum_common_subgraph, *pair, **given)
            ours.append(seconds)
            asked = dict(bondCompare=orders[bonds], ringMatchesRingOnly=ring, timeout=10)
            seconds, found = timed(rdFMCS.FindMCS, pair, **asked)
            theirs.append(seconds)
            larger += r.value > found.numBonds
            smaller += r.value < found.numBonds
            assert r.proven
        times = [f"{1e3 * f(t):.2g} ms" for t in (ours, theirs) for f in (statistics.median, max)]
        rules = f"bonds={bonds!r}, ring_matches_ring={ring}"
        yield rules, *times, f"{larger} of {len(pairs)}", smaller


def kinds(n=24):
    """Connected or not, by bonds or induced: pairs of drugs of 30 to 60 atoms next to SMSD."""
    draw = random.Random(3)
    pairs = [draw.sample([m for m in drugs() if m.GetNumAtoms() >= 30], 2) for _ in range(n)]
    for kind, connected in (("edge", True), ("induced", True), ("edge", False), ("induced", False)):
        ours, theirs, proven, others, larger, smaller = [], [], 0, 0, 0, 0
        for pair in pairs:
            given = dict(connected=connected, bonds="any", time_limit=WAIT * PROOF)
            seconds, r = timed(gm.maximum_common_subgraph, *pair, kind, **given)
            ours.append(seconds)
            proven += r.proven and seconds <= PROOF
            seconds, found = timed(ask_smsd(pair, kind, connected, WAIT * PROOF))
            theirs.append(seconds)
            others += found.optimal and seconds <= PROOF
            size = len(found.best.bond_mapping if kind == "edge" else found.best.atom_mapping)
            larger += r.value > size
            smaller += r.value < size
        times = [f"{1e3 * statistics.median(t):.2g} ms" for t in (ours, theirs)]
        name = f"{kind!r}, {'connected' if connected else 'any'}"
        yield name, times[0], f"{proven} of {n}", times[1], f"{others} of {n}", larger, smaller


def changed(n=48):
    """Common subgraphs that need not be connected, of changed drugs of 30 to 60 atoms."""
    rng = random.Random(9)
    known = [mutated(m, 15, rng) for m in drugs() if m.GetNumAtoms() >= 33]
    known = [m for m in known if 30 <= m.GetNumAtoms() <= 60]
    pairs = [rng.sample(known, 2) for _ in range(n)]
    for kind in ("edge", "induced"):
        ours, proven = [], 0
        for pair in pairs:
            given = dict(connected=False, bonds="any", time_limit=WAIT * PROOF)
            seconds, r = timed(gm.maximum_common_subgraph, *pair, kind, **given)
            ours.append(seconds)
            proven += r.proven and seconds <= PROOF
        times = [f"{1e3 * f(ours):.2g} ms" for f in (statistics.median, max)]
        yield f"{kind!r}, any", *times, f"{proven} of {n}"


# ---- search


def mutated(molecule, changes, rng):
    """A molecule with atoms exchanged, added and removed."""
    from rdkit import Chem

    made = Chem.RWMol(molecule)
    for _ in range(changes):
        chance = rng.random()
        if chance < 0.4:
            made.GetAtomWithIdx(rng.randrange(made.GetNumAtoms())).SetAtomicNum(
                rng.choice((6, 7, 8, 9, 16, 17))
            )
        elif chance < 0.8:
            new = made.AddAtom(Chem.Atom(rng.choice((6, 7, 8))))
            made.AddBond(rng.randrange(new), new, Chem.BondType.SINGLE)
        else:
            ends = [atom.GetIdx() for atom in made.GetAtoms() if atom.GetDegree() == 1]
            if ends:
                made.RemoveAtom(rng.choice(ends))
    return made.GetMol()


def search(n=10_000):
    """One query in a collection of changed drugs."""
    rng = random.Random(1)
    known = [m for m in drugs(45) if m.GetNumAtoms() >= 15]
    collection = [mutated(rng.choice(known), rng.randint(0, 12), rng) for _ in range(n)]
    seconds, kept = timed(gm.GraphCollection, collection)
    yield f"read {n} molecules", "", "", shown(seconds)
    for most in (2, 4, 5, 6, 8):
        seconds, found = timed(gm.search, known[7], kept, max_distance=most)
        yield f"distance at most {most}", n - found.n_filtered, len(found), shown(seconds)
    seconds, found = timed(gm.search, known[7], kept, k=10)
    yield "10 nearest", n - found.n_filtered, len(found), shown(seconds)
    seconds, found = timed(gm.search, known[7], kept, max_distance=6, measure="common")
    yield "at most 6 edges not common", n - found.n_filtered, len(found), shown(seconds)
    seconds, found = timed(gm.search, known[7], kept, measure="contained")
    yield "contained", n - found.n_filtered, len(found), shown(seconds)


def queries(n=1000):
    """Ten queries in a collection of changed drugs."""
    rng = random.Random(5)
    known = [m for m in drugs(45) if m.GetNumAtoms() >= 15]
    collection = [mutated(rng.choice(known), rng.randint(0, 12), rng) for _ in range(n)]
    kept = gm.GraphCollection(collection)
    gm.search(collection[0], kept, max_distance=0)  # numbers the labels
    for most in (2, 4, 6, 8):
        ask = lambda most=most: [
            gm.search(query, kept, max_distance=most) for query in collection[:: n // 10]
        ]
        seconds, found = timed(ask)
        left = sum(n - one.n_filtered for one in found)
        yield most, left, sum(map(len, found)), shown(seconds)


# ---- equality


def random_case(seed):
    """(pattern, graph, induced, directed)."""
    rng = random.Random(seed)
    directed = rng.random() < 0.4
    n, k = rng.randint(4, 9), rng.randint(1, 5)
    G = nx.gnp_random_graph(n, rng.choice([0.3, 0.5, 0.8]), seed=seed, directed=directed)
    P = nx.gnp_random_graph(k, rng.choice([0.3, 0.5, 0.8]), seed=seed + 10**6, directed=directed)
    for graph in (G, P):
        nx.set_node_attributes(graph, {u: rng.randrange(1 + seed % 3) for u in graph}, "label")
    return P, G, rng.random() < 0.5, directed


def equal(cases=2000):
    """Counts next to those of igraph and networkx."""
    same = lambda a, b: a["label"] == b["label"]
    different, total = {"igraph": 0, "networkx": 0}, 0
    for seed in range(cases):
        P, G, induced, _ = random_case(seed)
        ours = gm.count_subgraphs(P, G, induced=induced, node_match=same)
        total += ours
        for name, count in (("igraph", count_by_igraph), ("networkx", count_by_networkx)):
            if count(P, G, induced) != ours:
                different[name] += 1
                print("different:", name, seed)
    yield cases, total, different["igraph"], different["networkx"]


TABLES = {
    "induced": (("pair", "ours", "McSplit", "ratio"), induced),
    "edges": (("pair", "default", "partition", "assignment", "matching"), edges),
    "contained": (
        (
            "question",
            "found",
            "ours",
            "ours, graphs read",
            "igraph LAD",
            "rustworkx",
            "rustworkx, graphs read",
            "networkx",
        ),
        contained,
    ),
    "molecules": (
        (
            "rules",
            "ours, median",
            "slowest",
            "FindMCS, median",
            "slowest",
            "ours larger",
            "smaller",
        ),
        molecules,
    ),
    "kinds": (
        (
            "common subgraph",
            "ours, median",
            "proven in 2 s",
            "SMSD, median",
            "proven in 2 s",
            "ours larger",
            "smaller",
        ),
        kinds,
    ),
    "changed": (("common subgraph", "median", "slowest", "proven in 2 s"), changed),
    "search": (("question", "after filters", "hits", "CPU s"), search),
    "queries": (("distance at most", "after filters", "hits", "CPU s, all ten"), queries),
    "equal": (("cases", "maps", "igraph differs", "networkx differs"), equal),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    gm.maximum_common_subgraph(nx.path_graph(3), nx.path_graph(3))  # imports
    for name in parser.parse_args().tables or TABLES:
        head, rows = TABLES[name]
        print_table(head, rows())


if __name__ == "__main__":
    main()
