"""gmtoolbox distance | distances: edit distances on the command line. Imports wait until a
command runs, since most are heavy.
"""

import json
from pathlib import Path

from gmtoolbox.bench.arguments import seed_argument
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.terminal import fit_table
from gmtoolbox.core.text import number, seconds_text


def add_edit_commands(command, positive):
    """Both; command(function, name, summary) makes a parser, `positive` reads a number."""

    def add_shared_arguments(sub):
        sub.add_argument(
            "--costs",
            default="unit",
            metavar="C",
            help="unit, unlabelled, chem1, chem2, letter-low, letter-med, letter-high, fingerprint,"
            " cmu, grec1, grec2, protein, or four numbers with commas: node, node relabelled, edge,"
            " edge relabelled (default: unit)",
        )
        sub.add_argument(
            "--node-label",
            metavar="NAME",
            help="attribute of nodes that is compared (default: the label that the file has, as"
            " symbol, chem or type in .gxl, element and charge in SMILES)",
        )
        sub.add_argument(
            "--edge-label",
            metavar="NAME",
            help="the same for edges (default: their label, as valence in .gxl)",
        )
        sub.add_argument(
            "--upper-bound",
            type=positive,
            metavar="D",
            help="it is enough to know whether a distance is at most this",
        )
        seed_argument(sub)

    sub = command(distance, "distance", "edit distance of two graphs")
    sub.add_argument("first", metavar="GRAPH1", help="file of one graph: .gxl .gml .smi .json ...")
    sub.add_argument("second", metavar="GRAPH2")
    sub.add_argument("--smiles", action="store_true", help="the two arguments are SMILES, no files")
    add_shared_arguments(sub)
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="wall seconds")
    sub.add_argument("--path", action="store_true", help="print the edit path, too")
    sub.add_argument("--json", action="store_true", help="the whole result as one JSON object")
    sub.add_argument("--plot", metavar="FILE", help="draw the edit path (.svg, .png or .pdf)")

    sub = command(distances, "distances", "edit distances of all graphs in a folder")
    sub.add_argument(
        "folder",
        metavar="GRAPHS",
        help="folder of graph files or of a TU data set, or a file of many graphs: a collection"
        " (.xml .cxl), .smi .sdf .json .g6",
    )
    add_shared_arguments(sub)
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="wall seconds a pair")
    sub.add_argument("--jobs", "-j", type=int, default=1, help="processes; -1 = one per processor")
    sub.add_argument("--output", "-o", metavar="FILE", help="matrix as .csv, or all as .npz")
    sub.add_argument("--store", metavar="FILE", help="keeps finished pairs; the same call resumes")


def distance(given):
    """Print, and draw, the edit distance of two graphs."""
    from gmtoolbox.editing.distance import graph_edit_distance

    if given.plot:
        from gmtoolbox.plot import check_suffix

        check_suffix(given.plot)
    graphs = read_pair(given)
    r = graph_edit_distance(
        *graphs,
        **cost_arguments(given, graphs),
        upper_bound=given.upper_bound,
        time_limit=given.time_limit,
        seed=given.seed,
    )
    if given.json:
        print(json.dumps(r.to_dict()))
    else:
        print(answer(r))
        if given.path:
            print(fit_table(["", "first", "second"], list(operations(r)), texts=3))
    if given.plot:
        from gmtoolbox.plot import edit_path, save_picture

        labels = dict(node_label=given.node_label, edge_label=given.edge_label)
        save_picture(edit_path(*graphs, r, **labels), given.plot)


def answer(r):
    """The result in one line."""
    if r.proven:
        return f"distance {number(r.value, 10)} (proven, {seconds_text(r.time)})"
    if r.exceeds:
        return f"distance more than {number(r.upper_bound, 10)} (proven, {seconds_text(r.time)})"
    low, high = number(r.bound, 10), number(r.value, 10)
    return f"distance between {low} and {high} (not proven, {r.status}, {seconds_text(r.time)})"


def operations(r):
    """Yield a row for the edit of every node and edge."""
    for kind, path in (("node", r.node_path), ("edge", r.edge_path)):
        for one, two in path:
            verb = "match"
            if None in (one, two):
                verb = "insert" if one is None else "delete"
            yield f"{verb} {kind}", *("" if x is None else spell_name(x) for x in (one, two))


def spell_name(name):
    """The name of a node or edge in one word."""
    return "-".join(map(str, name)) if isinstance(name, tuple) else str(name)


def read_pair(given):
    """Return the two graphs."""
    if given.smiles:
        from gmtoolbox.io.molecules import read_smiles

        return [read_smiles(text) for text in (given.first, given.second)]
    from gmtoolbox.io.graphs import load_graphs

    graphs = []
    for path in (given.first, given.second):
        if not Path(path).suffix and not Path(path).exists():
            raise InputError(f"{path}: no such file or folder; --smiles reads it as SMILES")
        found = load_graphs(path)
        if len(found) != 1:
            raise InputError(f"{path}: holds {len(found)} graphs; see `gmtoolbox distances`")
        graphs += found
    return graphs


class SameAttribute:
    """Whether two attribute dicts agree on one name; a class, since processes exchange it."""

    def __init__(self, name):
        self.name = name

    def __call__(self, first, second):
        return first.get(self.name) == second.get(self.name)


def cost_arguments(given, graphs):
    """Return the keywords of graph_edit_distance for the costs of edits."""
    costs = given.costs
    if "," in costs:
        try:
            costs = tuple(float(part) for part in costs.split(","))
        except ValueError:
            raise InputError(f"costs must be a name or four numbers, got {costs!r}") from None
    match = {"costs": costs}
    for kind, name in (("node", given.node_label), ("edge", given.edge_label)):
        if name:
            check_attribute(kind, name, graphs)
            match[f"{kind}_match"] = SameAttribute(name)
    return match


def check_attribute(kind, name, graphs):
    """InputError if no graph of a file has the attribute that is to be compared."""
    from gmtoolbox.models.attributed import as_attributed

    made = [as_attributed(f"graph {k}", graph) for k, graph in enumerate(graphs)]
    data = [own for graph in made for own in getattr(graph, f"{kind}_data")]
    known = dict.fromkeys(key for own in data for key in own)
    if data and name not in known:
        listed = " ".join(map(str, known)) or "none"
        raise InputError(f"--{kind}-label must be an attribute of {kind}s ({listed}), got {name!r}")


def distances(given):
    """Print or write the edit distances of all graphs of a folder."""
    from gmtoolbox.editing.matrix import edit_distances
    from gmtoolbox.io.formats import DISTANCES, format_of
    from gmtoolbox.io.graphs import load_graphs

    if not Path(given.folder).exists():
        raise InputError(f"{given.folder}: no such file or folder")
    if given.output:
        format_of(given.output, DISTANCES, role="writer")
    found = load_graphs(given.folder)
    matrix = edit_distances(
        found,
        n_jobs=given.jobs,
        upper_bound=given.upper_bound,
        time_limit=given.time_limit,
        store=given.store,
        progress=True,
        seed=given.seed,
        **cost_arguments(given, found),
    )
    if given.output:
        matrix.save(given.output)
    else:
        rows = zip(matrix.names, matrix.values, strict=True)
        cells = [[name, *(spell_value(value) for value in row)] for name, row in rows]
        print(fit_table(["", *matrix.names], cells))
    n, sure = matrix.proven.size, int(matrix.proven.sum())
    print(f"{len(found)} graphs, {sure} of {n} distances proven, {seconds_text(matrix.time)}")


def spell_value(value):
    """A distance in words: 'more' than the upper bound, or its number."""
    return "more" if value == float("inf") else number(value, 6)
