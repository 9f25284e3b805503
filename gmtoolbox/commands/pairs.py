"""gmtoolbox match | common: two networks, point sets, pictures or molecules on the command line.
Imports wait until a command runs, since most are heavy.
"""

import json
import re
import warnings
from pathlib import Path

from gmtoolbox.bench.arguments import refuse_flags, seed_argument
from gmtoolbox.commands.answers import answer_of, match_lines, print_answers
from gmtoolbox.core.errors import FileFormatError, GuessWarning, InputError, warn
from gmtoolbox.core.terminal import pairs
from gmtoolbox.core.text import printable, seconds_text
from gmtoolbox.engine.registry import DEFAULT_METHOD

MOST_PAIRS = 10  # that are printed
COORDINATES = ("x", "y"), ("x", "y", "z")  # in the first line of a table


def add_pair_commands(command, positive):
    """Both; command(function, name, summary) makes a parser, `positive` reads a number."""
    sub = command(match, "match", "match two networks, point sets or pictures")
    sub.add_argument(
        "first",
        metavar="FILE1",
        help="a graph (.edges .gml .graphml .gxl .json ..., or .csv with source,target in its first"
        " line), points in the rows of a table (.csv .tsv .npy), or a picture (.png .jpg ...)",
    )
    sub.add_argument("second", metavar="FILE2", help="one of the same kind")
    sub.add_argument(
        "--method",
        "-m",
        default=DEFAULT_METHOD,
        help=f"of graphs and points (default: {DEFAULT_METHOD})",
    )
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="wall seconds")
    seed_argument(sub)
    sub.add_argument(
        "--labels", action="store_true", help="print the labels, 0-based, -1 = unmatched"
    )
    sub.add_argument(
        "--confidence",
        action="store_true",
        help="of graphs and points: a lower bound on the cost of changing each match",
    )
    sub.add_argument("--json", action="store_true", help="the whole result as one JSON object")
    sub.add_argument("--output", "-o", metavar="FILE", help="keep the result: .json .mat .csv ...")
    sub.add_argument("--plot", metavar="FILE", help="draw the matching (.svg, .png or .pdf)")

    sub = command(common, "common", "largest common subgraph of two graphs")
    sub.add_argument("first", metavar="GRAPH1", help="file of one graph: .gxl .gml .smi .json ...")
    sub.add_argument("second", metavar="GRAPH2")
    sub.add_argument("--smiles", action="store_true", help="the two arguments are SMILES, no files")
    sub.add_argument("--induced", action="store_true", help="most nodes with all of their edges")
    sub.add_argument("--connected", action="store_true", help="in one piece")
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="wall seconds")
    sub.add_argument("--json", action="store_true", help="the whole result as one JSON object")


def match(given):
    """Match two files of one kind, print and draw the answer."""
    kinds = [kind_of_file(path) for path in (given.first, given.second)]
    if kinds[0] != kinds[1]:
        held = f"{given.first} holds {kinds[0]}, {given.second} {kinds[1]}"
        raise InputError(f"{held}: give two of one kind")
    if given.plot:
        from gmtoolbox.plot import check_suffix

        check_suffix(given.plot)
    if kinds[0] == "a picture":
        match_pictures(given)
    else:
        match_problem(given, graphs_of(given) if kinds[0] == "a graph" else points_of(given))


def kind_of_file(path):
    """Return the content of a file, by its suffix; of a table, by its entries."""
    from gmtoolbox.io.formats import GRAPH, MATRIX, suffixes_of
    from gmtoolbox.io.graphs import plain_name

    suffix = plain_name(path).suffix.lower()
    if suffix in suffixes_of(MATRIX):
        return "a graph" if suffix in suffixes_of(GRAPH) and holds_edges(path, suffix) else "points"
    return "a graph" if suffix in suffixes_of(GRAPH) else "a picture"


def holds_edges(path, suffix):
    """Return whether a table holds edges instead of points: its first line names their ends, or one
    of its nodes has a name that is not a number. Whole numbers are edges in a .txt file, else
    points: a GuessWarning says so unless the first line names coordinates.
    """
    from gmtoolbox.io.edge_tables import ENDS
    from gmtoolbox.io.files import text_of
    from gmtoolbox.io.matrices import is_number, read_matrix

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GuessWarning)  # it is read again, if it holds points
            matrix, _, columns = read_matrix(path)
    except FileFormatError:
        lines = [line for line in text_of(Path(path)).splitlines() if line.strip()]
        words = re.split(r"[,;\s]+", lines[-1].strip()) if lines else []
        return suffix == ".txt" or not all(map(is_number, words[:2]))
    names = () if columns is None else tuple(name.strip().lower() for name in columns)
    if names[:2] in ENDS:
        return True
    are_whole = bool((matrix % 1 == 0).all())
    if suffix != ".txt" and are_whole and matrix.shape[1] in (2, 3) and names not in COORDINATES:
        warn(
            f"{path}: whole numbers are read as points; 'source,target' in the first line makes"
            f" them edges, {','.join(COORDINATES[matrix.shape[1] - 2])!r} points",
            GuessWarning,
        )
    return suffix == ".txt" and are_whole


def graphs_of(given):
    """Return the Problem of two networks, which keeps as many edges as possible."""
    from gmtoolbox.models.graphs import from_graphs

    return from_graphs(given.first, given.second)


def points_of(given):
    """Return the Problem of two point sets."""
    from gmtoolbox.io.matrices import read_matrix
    from gmtoolbox.models.points import from_points

    return from_points(*(read_matrix(path)[0] for path in (given.first, given.second)))


def match_problem(given, problem):
    """Solve a problem and say its answer."""
    from gmtoolbox.driver import gm_solve

    name = f"{Path(given.first).name}, {Path(given.second).name}"
    result = gm_solve(problem, given.method, time_limit=given.time_limit, seed=given.seed)
    if given.confidence:
        result.confidence  # noqa: B018 (computed now, it is printed, drawn and saved)
    if given.output:
        result.save(given.output)
    if given.plot:
        from gmtoolbox.plot import matching

        matching(problem, result).save(given.plot)
    if given.json:
        print(json.dumps(result.to_dict()))
        return
    answer = answer_of(problem, given.method, result, given, name)
    print_answers([answer], name, given.output is not None, is_drawable=False)


def match_pictures(given):
    """Match the keypoints of two pictures and say how many belong together."""
    from gmtoolbox.keypoints import match_images

    refuse_flags(given, "does not go with pictures", "method", "labels", "confidence")
    limit = {} if given.time_limit is None else {"time_limit": given.time_limit}
    found = match_images(given.first, given.second, seed=given.seed, **limit)
    if given.output:
        found.result.save(given.output)
    if given.plot:
        found.plot().save(given.plot)
    if given.json:
        names = ("matches", "confidence", "inliers")
        print(json.dumps({name: getattr(found, name).tolist() for name in names}))
        return
    n1, n2 = len(found.keypoints1), len(found.keypoints2)
    facts = [
        ("matches", f"{len(found)} of {n1} and {n2} keypoints"),
        ("inliers", str(int(found.inliers.sum()))),
        ("status", found.result.status),
        ("time", seconds_text(found.result.time)),
    ]
    print(pairs(facts))
    for i, s in found.matches[:MOST_PAIRS].tolist():
        print(f"  {i} -> {s}")
    if len(found.matches) > MOST_PAIRS:
        print(f"  and {len(found.matches) - MOST_PAIRS} more (--json)")


def common(given):
    """Print the largest common subgraph of two graphs."""
    from gmtoolbox.commands.edits import read_pair
    from gmtoolbox.editing.subgraphs import maximum_common_subgraph

    kind = "induced" if given.induced else "edge"
    options = {"connected": True} if given.connected else {}
    found = maximum_common_subgraph(
        *read_pair(given), kind=kind, time_limit=given.time_limit, **options
    )
    if given.json:
        print(json.dumps(found.to_dict()))
        return
    print(pairs(found.summary_rows()))
    shown = [(printable(u), printable(v)) for u, v in list(found.mapping.items())[:MOST_PAIRS]]
    for line in match_lines(shown, [""] * len(shown)):
        print(line)
    if len(found.mapping) > MOST_PAIRS:
        print(f"  and {len(found.mapping) - MOST_PAIRS} more (--json)")
