"""Edit distances and common subgraphs: proofs and times next to networkx, HiGHS and RASCAL.

    GMTOOLBOX_DATA=.../data OMP_NUM_THREADS=1 python benchmarks/bench_edit.py [TABLE ...]
    [--sample FRACTION] [--output docs/results/edit.md]

Times are CPU seconds of this process, one thread, building the problem from networkx graphs or
RDKit molecules included. A limit counts CPU time, too: where a busy machine gave less, the pair is
solved again with more wall time. Costs are unit: insert, delete and relabel cost 1; labels are
compared. Molecules are well-known drugs (drugs.smi next to this script), without hydrogen atoms.
networkx and HiGHS solve the same pairs in this process; `(time)` marks answers that their limit
of wall time cut off. The machine was busy (a load of ten and more on its two processors), which
lengthens CPU times, too.
"""

import argparse
import contextlib
import json
import lzma
import math
import os
import re
import statistics
import time
from datetime import date
from itertools import combinations
from pathlib import Path

import keep
import networkx as nx
import numpy as np
from bench_overrun import cpu_clock

import gmtoolbox as gm
from gmtoolbox.io.molecules import read_smiles

same = lambda a, b: a["label"] == b["label"]
DRUGS = Path(__file__).with_name("drugs.smi")
ONLY = []  # texts of which one must be in the name of a line of the table of proofs


# ---- graphs


def literature(data, name):
    """Graphs of the edit-distance literature, as networkx graphs."""
    graphs = []
    with lzma.open(data / "edit-distance" / f"{name}.jsonl.xz", "rt") as file:
        for line in file:
            record = json.loads(line)
            labels = record["labels"] or [None] * record["n"]
            G = nx.Graph()
            G.add_nodes_from((k, {"label": label}) for k, label in enumerate(labels))
            G.add_edges_from(record["edges"])
            graphs.append(G)
    return graphs


def query60(data):
    """The graphs of aids-query60, as networkx graphs."""
    graphs = []
    with lzma.open(data / "edit-distance" / "aids-query60.txt.xz", "rt") as file:
        for line in file:
            words = line.split()
            if words[0] == "t":
                graphs.append(nx.Graph())
            elif words[0] == "v":
                graphs[-1].add_node(int(words[1]), label=words[2])
            else:
                graphs[-1].add_edge(int(words[1]), int(words[2]), label=words[3])
    return graphs


def molecules():
    """{name: (atoms, RDKit molecule)} of the drugs."""
    lines = [line.split() for line in DRUGS.read_text("utf-8").splitlines() if line]
    read = {name: read_smiles(text) for text, name in lines}
    return {name: (molecule.GetNumHeavyAtoms(), molecule) for name, molecule in read.items()}


def drug_pairs(low, high, count, seed):
    """Random pairs of drugs with that many atoms."""
    found = sorted(name for name, (n, _) in molecules().items() if low <= n <= high)
    known = molecules()
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for k, a in enumerate(found) for b in found[k + 1 :]]
    order = rng.permutation(len(pairs))[:count]
    return [(known[pairs[k][0]][1], known[pairs[k][1]][1]) for k in order]


def random_pairs(graphs, count, seed):
    """Pairs of random graphs of a collection."""
    rng = np.random.default_rng(seed)
    return [(graphs[i], graphs[j]) for i, j in rng.integers(0, len(graphs), (count, 2))]


# ---- measuring


def timed(function, G, H, limit, **given):
    """(result, CPU seconds) with a limit of CPU time."""
    wall_limit = limit
    while True:
        started, wall = time.process_time(), time.perf_counter()
        r = function(G, H, time_limit=wall_limit, **given)
        used = time.process_time() - started
        if r.status != "time_limit" or used >= 0.9 * limit:
            return r, used
        wall_limit = limit / max(used / (time.perf_counter() - wall), 0.05)


def row(name, pairs, limit, function=gm.graph_edit_distance, **given):
    """One line of the table of proofs, None where others were asked for."""
    if ONLY and not any(text in name for text in ONLY):
        return None
    found = [timed(function, G, H, limit, **given) for G, H in pairs]
    return cells_of(name, limit, [(r.proven, used) for r, used in found])


def cells_of(name, limit, found):
    """Return a line of the table of proofs: (proven, CPU seconds) of each pair."""
    seconds = [used for _, used in found]
    return (
        name,
        len(found),
        f"{limit:g}",
        sum(proven for proven, _ in found),
        f"{1e3 * statistics.median(seconds):.2f}",
        seconds_text(max(seconds)),
    )


def seconds_text(seconds):
    """Return seconds with two decimals; less than half a hundredth is not 0."""
    return f"{seconds:.2f}" if seconds >= 0.005 else "< 0.01"


PROOFS_OF_PAIRS = ("pairs", "limit s", "proven", "median ms", "longest s")
PROOFS = ("graphs", *PROOFS_OF_PAIRS)


def proofs(data, share):
    """How many distances are proven, and how fast."""
    some = lambda count: max(int(count * share), 2)
    labels = dict(node_match=same, edge_match=same)
    molecules_of_query = query60(data)
    n = len(molecules_of_query)
    following = [(molecules_of_query[k], molecules_of_query[k + 1]) for k in range(n - 1)]
    yield row("aids-query60, consecutive", following[: some(n - 1)], 10, **labels)
    pairs = random_pairs(molecules_of_query, some(300), 0)
    yield row("aids-query60, random", pairs, 10, **labels)
    pairs = random_pairs(literature(data, "aids"), some(2000), 1)
    yield row("AIDS700, random", pairs, 10, node_match=same)
    yield row("LINUX, random", random_pairs(literature(data, "linux"), some(2000), 2), 10)
    yield row("IMDB, random", random_pairs(literature(data, "imdb"), some(500), 3), 5)
    yield row("drugs, 9-37 atoms", drug_pairs(9, 37, some(40), 4), 3)
    yield row("drugs, 39-46 atoms", drug_pairs(39, 46, some(12), 5), 10)
    yield row("drugs, 39-62 atoms", drug_pairs(39, 62, some(20), 6), 12)
    pairs = drug_pairs(9, 37, some(20), 7)
    for costs in ("chem1", "chem2"):
        yield row(f"drugs, 9-37 atoms, {costs}", pairs, 3, costs=costs)


COLLECTIONS = (  # of the IAM and GREYC repositories, with their cost models
    ("AIDS", "chem1"), ("AIDS", "chem2"), ("Mutagenicity", "chem1"), ("Mutagenicity", "chem2"),
    ("Protein", "protein"), ("GREC", "grec1"), ("GREC", "grec2"), ("Letter-HIGH", "letter-high"),
    ("CMU", "cmu"), ("Fingerprint", "fingerprint"), ("acyclic", "chem1"), ("alkane", "chem1"),
    ("mao", "chem1"), ("pah", "chem1"), ("pah", "chem2"),
)  # fmt: skip
SIZES = ("graphs", "nodes", "edges", *PROOFS_OF_PAIRS)


def sized_row(name, graphs, pairs, limit, **given):
    """Return a line of the table of proofs with the sizes of the graphs, or None."""
    found = row(name, pairs, limit, **given)
    return None if found is None else with_sizes(found, graphs)


def with_sizes(cells, graphs):
    """Return a line of the table of proofs with the sizes of the graphs."""
    sizes = [sorted(map(count, graphs)) for count in (n_nodes, n_edges)]
    return (cells[0], *(f"{few[0]}-{few[-1]}" for few in sizes), *cells[1:])


def n_nodes(graph):
    """Return the number of nodes of a graph or a molecule."""
    return graph.GetNumAtoms() if hasattr(graph, "GetNumAtoms") else len(graph)


def n_edges(graph):
    """Return the number of edges of a Graph, a networkx graph or a molecule."""
    if hasattr(graph, "number_of_edges"):
        return graph.number_of_edges()
    return graph.GetNumBonds() if hasattr(graph, "GetNumBonds") else len(graph.edges)


def collections(data, share):
    """Return the proofs of all pairs of the graphs of each collection that are at hand."""
    for name, costs in COLLECTIONS:
        graphs = gm.load_graphs(data / "gxl" / name)
        pairs = list(combinations(graphs, 2))
        pairs = pairs[: max(int(len(pairs) * share), 2)]
        yield sized_row(f"{name}, {costs}", graphs, pairs, 10, costs=costs)
    large = [graph for graph in literature(data, "imdb") if len(graph) > 20][:12]
    pairs = list(combinations(large, 2))
    yield sized_row("IMDB, more than 20 nodes", large, pairs[: max(int(66 * share), 2)], 10)
    drugs = with_hydrogen(65, 75)
    pairs = list(combinations(drugs, 2))[: max(int(28 * share), 2)]
    yield sized_row("drugs with hydrogen, chem1", drugs, pairs, 10, costs="chem1")


def with_hydrogen(low, high):
    """Return the drugs with this many atoms, hydrogen atoms included."""
    from rdkit.Chem import AddHs

    made = [AddHs(molecule) for _, molecule in molecules().values()]
    return [molecule for molecule in made if low <= molecule.GetNumAtoms() <= high][:8]


GAPS = ("graphs", "pairs", "limit s", "proven", "bound", "value")


def gaps(data, share):
    """Return mean bounds and values of dense random graphs without labels, which stay open."""
    for n, m in ((17, 54), (30, 60), (30, 90)):
        pairs = random_graphs(n, m, max(int(2 * share), 1), 8)
        found = [timed(gm.graph_edit_distance, *pair, 10)[0] for pair in pairs]
        mean = lambda name, found=found: f"{statistics.mean(getattr(r, name) for r in found):.1f}"
        proven = sum(r.proven for r in found)
        yield f"{n} nodes, {m} edges", len(found), 10, proven, mean("bound"), mean("value")


def random_graphs(n, m, count, seed):
    """Return pairs of random graphs without labels."""
    draw = lambda k: nx.gnm_random_graph(n, m, seed=1000 * seed + k)
    return [(draw(2 * k), draw(2 * k + 1)) for k in range(count)]


def unlabelled(data, share):
    """Return how many distances of random graphs without labels are proven, and how fast."""
    for n, m, count, limit in (
        (10, 15, 50, 10), (12, 18, 50, 10), (12, 30, 50, 10), (14, 36, 20, 10), (16, 24, 20, 10),
        (20, 30, 20, 10), (25, 40, 10, 60), (30, 45, 10, 60),
    ):  # fmt: skip
        pairs = random_graphs(n, m, max(int(count * share), 2), 8)
        yield row(f"{n} nodes, {m} edges", pairs, limit)


def least_time(G, H, **given):
    """Return (result, least CPU seconds of three calls): other processes lengthen single calls."""
    found = [timed(gm.graph_edit_distance, G, H, 10, **given) for _ in range(3)]
    return min(found, key=lambda one: one[1])


BOUNDED = ("graphs", "pairs", "at most 4", "distance: ms a pair", "decided: ms a pair", "ratio")


def bounded(data, share):
    """Whether the distance is at most 4, compared with the distance itself."""
    labels = dict(node_match=same, edge_match=same)
    for name, graphs, given in (
        ("aids-query60", query60(data), labels),
        ("AIDS of IAM", gm.load_graphs(data / "gxl" / "AIDS"), {}),
        ("AIDS700", literature(data, "aids"), dict(node_match=same)),
        ("LINUX", literature(data, "linux"), {}),
    ):
        pairs = random_pairs(graphs, max(int(300 * share), 2), 9)
        exact = [least_time(*pair, **given) for pair in pairs]
        decided = [least_time(*pair, **given, upper_bound=4) for pair in pairs]
        for (r, _), (d, _) in zip(exact, decided, strict=True):
            assert not r.proven or (r.value <= 4) == (d.distance is not None), name
        ms = [1e3 * statistics.median(used for _, used in found) for found in (exact, decided)]
        ratio = sum(used for _, used in exact) / sum(used for _, used in decided)
        within = sum(d.distance is not None for d, _ in decided)
        yield name, len(pairs), within, f"{ms[0]:.2f}", f"{ms[1]:.2f}", f"{ratio:.1f}"
    for name, graphs, given in (
        ("AIDS700, matrix", literature(data, "aids"), dict(node_match=same)),
        ("LINUX, matrix", literature(data, "linux"), {}),
    ):
        graphs = graphs[: max(int(60 * math.sqrt(share)), 6)]
        seconds = []
        for bound in ({}, dict(upper_bound=4)):
            started = time.process_time()
            D = gm.edit_distances(graphs, **given, **bound)
            seconds.append(time.process_time() - started)
        pairs = len(graphs) * (len(graphs) + 1) // 2
        within = int(np.triu(np.isfinite(D.values)).sum())
        ms = [f"{1e3 * used / pairs:.3f}" for used in seconds]
        yield name, pairs, within, *ms, f"{seconds[0] / seconds[1]:.1f}"


COMMON = ("pair of drugs", "atoms", "ours", "proven", "CPU s", "RASCAL", "its s")


def common_edges(G, H, **given):
    """Return the common edges of two molecules, by strict labels and not connected, as RASCAL has
    them.
    """
    rules = dict(connected=False, atoms="strict", bonds="strict")
    return gm.maximum_common_subgraph(G, H, **rules, **given)


def common(data, share):
    """Common edges of drugs next to RDKit's RASCAL, 20 s each."""
    from rdkit.Chem import rdRascalMCES

    known = molecules()
    names = {id(m): name for name, (_, m) in known.items()}
    pairs = [pair for pair in drug_pairs_named(known, max(int(20 * share), 2))]
    for G, H in pairs:
        r, used = timed(common_edges, G, H, 3)
        options = rdRascalMCES.RascalOptions()
        options.similarityThreshold = 0.0
        options.timeout = 20
        options.allBestMCESs = False
        options.completeAromaticRings = False  # as ours: any bonds
        started = time.process_time()
        found = rdRascalMCES.FindMCES(G, H, options)
        theirs = time.process_time() - started
        bonds = len(found[0].bondMatches()) if found else 0
        ended = " (time)" if found and found[0].timedOut else ""
        yield (
            f"{names[id(G)]}, {names[id(H)]}",
            f"{G.GetNumAtoms()}, {H.GetNumAtoms()}",
            int(r.value),
            "yes" if r.proven else "no",
            seconds_text(used),
            f"{bonds}{ended}",
            seconds_text(theirs),
        )


def drug_pairs_named(known, count):
    """Pairs of one size: neighbours in the list sorted by size, evenly spread."""
    names = sorted(known, key=lambda name: (known[name][0], name))
    names = [name for name in names if known[name][0] <= 46]
    step = max(len(names) // count, 1)
    for k in list(range(0, len(names) - 1, step))[:count]:
        yield known[names[k]][1], known[names[k + 1]][1]


RIVALS = ("pair", "program", "its value", "its s", "ours", "our ms", "ratio")


def rivals(data, share):
    """networkx and the integer linear programme through HiGHS."""
    known = molecules()
    as_networkx = lambda name: networkx_of(known[name][1])
    issue = (
        nx.Graph([(5, 4), (5, 6), (5, 7), (21, 8), (2, 1), (2, 0), (5, 3)]),
        nx.Graph([(15, 13), (23, 16), (23, 24), (100, 7), (18, 19), (100, 23), (19, 20), (22, 21)]),
    )
    sized = (nx.gnm_random_graph(11, 14, seed=1), nx.gnm_random_graph(16, 20, seed=2))
    small = [
        ("networkx issue 2997", *issue, 120.0),
        ("11 and 16 nodes (issue 6229)", *sized, 120.0),
        ("paths of 7, cycle of 7 and chord", nx.path_graph(7), chorded_cycle(7), 60.0),
        ("AIDS700 graphs 1 and 9", *(literature(data, "aids")[k] for k in (1, 9)), 60.0),
        ("dopamine, paracetamol", as_networkx("dopamine"), as_networkx("paracetamol"), 30.0),
    ]
    for name, G, H, limit in small[: max(int(len(small) * min(share * 2, 1)), 1)]:
        match = dict(node_match=same) if "label" in next(iter(G.nodes.values())) else {}
        started, wall = time.process_time(), time.perf_counter()
        value = nx.graph_edit_distance(G, H, timeout=limit, **match)  # a limit of wall time
        used, wall = time.process_time() - started, time.perf_counter() - wall
        yield compare(name, "networkx", value, used, wall >= limit, G, H, match)
    by_size = [
        name for name, (n, _) in sorted(known.items(), key=lambda x: x[1][0]) if 19 <= n <= 22
    ]
    pairs = list(zip(by_size[::2], by_size[1::2], strict=False))[: max(int(4 * share), 1)]
    for a, b in pairs:
        G, H = known[a][1], known[b][1]
        problem = gm.models.from_molecules(G, H)
        started = cpu_clock()  # HiGHS runs in a process of its own
        with contextlib.suppress(MemoryError):
            r = gm.gm_solve(problem, "ilp", time_limit=120.0)
        used = cpu_clock() - started
        yield compare(f"{a}, {b}", "HiGHS", r.value, used, r.status != "optimal", G, H, {})


def compare(name, rival, value, used, cut, G, H, match):
    """A line of the table of rivals: theirs and ours on one pair."""
    r, ours = timed(gm.graph_edit_distance, G, H, 30, **match)
    more = ">" if cut else ""
    return (
        name,
        rival,
        f"{value:g}{' (time)' if cut else ''}",
        f"{more}{used:.2f}",
        f"{r.value:g}" + ("" if r.proven else "?"),
        f"{1e3 * ours:.2f}",
        f"{more}{used / ours:.0f}",
    )


def chorded_cycle(n):
    """A cycle with one chord."""
    G = nx.cycle_graph(n)
    G.add_edge(0, n // 2)
    return G


def networkx_of(molecule):
    """A molecule as a networkx graph with labels."""
    G = nx.Graph()
    for atom in molecule.GetAtoms():
        G.add_node(atom.GetIdx(), label=(atom.GetSymbol(), atom.GetFormalCharge()))
    for bond in molecule.GetBonds():
        G.add_edge(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), label=str(bond.GetBondType()))
    return G


MATRICES = ("graphs", "upper bound", "pairs", "proven", "CPU s", "ms a pair")


def matrices(data, share):
    """All pairs of a collection, one process."""
    for name, match in (("aids", same), ("linux", None)):
        graphs = literature(data, name)
        graphs = graphs[: max(int(len(graphs) * math.sqrt(share)), 3)]
        for limit in (None, 5):
            started = time.process_time()
            D = gm.edit_distances(graphs, node_match=match, upper_bound=limit)
            used = time.process_time() - started
            pairs = len(graphs) * (len(graphs) + 1) // 2
            proven = int(np.triu(D.proven).sum())
            what = "none" if limit is None else limit
            yield name, what, pairs, proven, f"{used:.1f}", f"{1e3 * used / pairs:.2f}"


BUILDING = ("pair of drugs", "atoms", "from", "median ms")


def building(data, share):
    """Building the matching problem of two large molecules, without solving it."""
    known = molecules()
    first, second, third = sorted(known, key=lambda name: -known[name][0])[:3]
    for a, b in ((first, second), (first, third), (second, third)):
        mols = [known[name][1] for name in (a, b)]
        graphs = [networkx_of(mol) for mol in mols]
        labels = dict(node_match=same, edge_match=same)
        for kind, build in (
            ("RDKit", lambda mols=mols: gm.models.from_molecules(*mols)),
            ("networkx", lambda g=graphs, labels=labels: gm.models.from_edit_costs(*g, **labels)),
        ):
            seconds = []
            for _ in range(max(int(40 * share), 5)):
                started = time.process_time()
                build()
                seconds.append(time.process_time() - started)
            atoms = ", ".join(str(mol.GetNumAtoms()) for mol in mols)
            yield f"{a}, {b}", atoms, kind, f"{1e3 * statistics.median(seconds):.2f}"


TABLES = {
    "proofs": (PROOFS, proofs),
    "collections": (SIZES, collections),
    "unlabelled": (PROOFS, unlabelled),
    "gaps": (GAPS, gaps),
    "bounded": (BOUNDED, bounded),
    "common": (COMMON, common),
    "rivals": (RIVALS, rivals),
    "matrices": (MATRICES, matrices),
    "building": (BUILDING, building),
}


def with_older(lines, page, command):
    """Return the table in its place on the page, with the lines that were measured again."""
    place = re.search(rf"<!-- measured: {re.escape(command)} -->(.*?)<!-- end -->", page, re.S)
    name = lambda line: line.split("|")[1].strip()
    new = {name(line): line for line in lines[2:]}
    older = [line for line in (place[1] if place else "").splitlines() if line.startswith("|")]
    kept = [new.pop(name(line), line) for line in older[2:]]
    return [*lines[:2], *kept, *new.values()]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    options.add_argument("--sample", type=float, default=1.0, help="share of the pairs")
    options.add_argument("--output", type=Path, help="a page whose places are filled")
    options.add_argument("--only", nargs="+", default=[], help="lines of the table of proofs")
    given = options.parse_args()
    ONLY.extend(given.only)
    data = Path(os.environ["GMTOOLBOX_DATA"])
    gm.graph_edit_distance(nx.path_graph(3), nx.path_graph(2))  # imports
    for name in given.tables or TABLES:
        headings, rows = TABLES[name]
        lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
        print(f"\n## {name}\n\n{lines[0]}\n{lines[1]}", flush=True)
        for cells in filter(None, rows(data, given.sample)):
            lines.append("| " + " | ".join(map(str, cells)) + " |")
            print(lines[-1], flush=True)
        if given.output:
            page, command = given.output.read_text("utf-8"), f"benchmarks/bench_edit.py {name}"
            if given.only:
                lines = with_older(lines, page, command)
            if given.sample != 1:
                lines.append(f"\nShare of the pairs: {given.sample:g}.")
            day = date.today().isoformat()
            given.output.write_text(keep.kept(page, command, "\n".join(lines), day))


if __name__ == "__main__":
    main()
