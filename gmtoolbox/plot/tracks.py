"""Tracks drawn across all frames in one picture."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import count_noun, show
from gmtoolbox.core.values import as_list, as_numbers
from gmtoolbox.plot.canvas import GRID, INK, label, legend_row, picture
from gmtoolbox.plot.charts import PALETTE
from gmtoolbox.plot.matchings import CORRECT, WRONG, dot, in_the_plane, scale_points

FRAME, GAP, MARGIN, MOST_COLUMNS = 150, 26, 16, 6
STUB = GAP / 2 + 4  # pixels of a link whose other end is in another row
NAME = "Tracks"


def tracks(points, tracks, truth=None, names=None, title=None):
    """Draw all graphs side by side, each track a line through its nodes in its own colour.

    Parameters
    ----------
    points : d arrays (n_g, 2), or a MultiProblem that has points
    tracks : d int arrays, or a MultiResult
        The track of each node.
    truth : d int arrays, optional
        Links between nodes of one true track are green, others red. Default: that of the problem.
    names : d texts, optional
        Captions of the graphs.
    title : str, optional
        Drawn above.

    Returns
    -------
    Picture
        Six graphs a row. A link to a graph in another row leaves its frame on the right and enters
        the other one on the left.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> points = [[[0, 0], [1, 1]], [[0, 1], [1, 0]]]
    >>> gm.plot.tracks(points, [[0, 1], [0, 1]])
    <Picture 'Tracks', 358 x 232>
    """
    if hasattr(points, "points"):
        truth = points.truth if truth is None else truth
        points = points.points
        if points is None:
            raise InputError("the problem has no points: give them instead of it")
    points = as_list("points", points)
    points = [in_the_plane(f"points[{g}]", own) for g, own in enumerate(points)]
    sizes = tuple(map(len, points))
    tracks = check_tracks("tracks", getattr(tracks, "tracks", tracks), sizes)
    truth = None if truth is None else check_tracks("truth", truth, sizes)
    d = len(points)
    columns = min(d, MOST_COLUMNS)
    rows = -(-d // columns)
    width = 2 * MARGIN + columns * FRAME + (columns - 1) * GAP
    height = 2 * MARGIN + rows * (FRAME + GAP) + 24
    members, body = {}, ""
    for g in range(d):
        x = MARGIN + (g % columns) * (FRAME + GAP)
        y = MARGIN + (g // columns) * (FRAME + GAP)
        body += (
            f"<rect class='frame' x='{x - 6}' y='{y - 6}' width='{FRAME + 12}'"
            f" height='{FRAME + 4}' fill='none' stroke='{GRID}'/>"
        )
        body += label(x, y + FRAME + 13, names[g] if names else f"graph {g}")
        places = scale_points(points[g], x, y, FRAME, FRAME - 8) if len(points[g]) else []
        for i, place in enumerate(places):
            members.setdefault(int(tracks[g][i]), []).append((g, i, place))
    dots, counts = "", {"correct": 0, "wrong": 0, "unjudged": 0}
    for number, (track, nodes) in enumerate(sorted(members.items())):
        own = PALETTE[number % len(PALETTE)] if len(nodes) > 1 else None
        for one, other in zip(nodes, nodes[1:], strict=False):
            kind, colour = "unjudged", own
            if truth is not None:
                kind, colour = judge(truth, one, other)
            counts[kind] += 1
            body += link(track, one, other, kind, colour, columns)
        for g, i, (x, y) in nodes:
            dots += dot(x, y, own, f"graph {g} node {i}, track {track}")
    long = sum(len(nodes) > 1 for nodes in members.values())
    alone = len(members) - long
    parts = [(count_noun(long, "track"), INK)]
    parts += [(f"{counts['correct']} links correct", CORRECT)] if counts["correct"] else []
    parts += [(f"{counts['wrong']} links wrong", WRONG)] if counts["wrong"] else []
    parts += [(f"{count_noun(alone, 'node')} alone (hollow)", INK)] if alone else []
    body += dots + legend_row(width / 2, height - 10, parts, width - 8)
    return picture(width, height, title or NAME, body, title)


def check_tracks(name, tracks, sizes):
    """Return one array of numbers for each graph, one number for each node."""
    tracks = [as_numbers(f"{name}[{g}]", own, int) for g, own in enumerate(as_list(name, tracks))]
    found = tuple(own.shape for own in tracks)
    if found != tuple((n,) for n in sizes):
        raise InputError(
            f"{name} must hold one number for each node of {len(sizes)} graphs, got shapes"
            f" {show(found)}"
        )
    return tracks


def judge(truth, one, other):
    """Return the kind and colour of a link between (graph, node, place) and another one."""
    (g, i, _), (h, s, _) = one, other
    is_known = truth[g][i] >= 0 and truth[g][i] == truth[h][s]
    return ("correct", CORRECT) if is_known else ("wrong", WRONG)


def link(track, one, other, kind, colour, columns):
    """Return the SVG of a link; of one to another row, its two ends."""
    (g, i, (x1, y1)), (h, s, (x2, y2)) = one, other
    ends = [(x1, y1, x2, y2)]
    if g // columns != h // columns:
        out = MARGIN + (g % columns) * (FRAME + GAP) + FRAME + STUB
        into = MARGIN + (h % columns) * (FRAME + GAP) - STUB
        ends = [(x1, y1, out, y1), (into, y2, x2, y2)]
    return "".join(
        f"<line class='track {kind}' x1='{a:.1f}' y1='{b:.1f}' x2='{c:.1f}' y2='{e:.1f}'"
        f" stroke='{colour}' stroke-width='1.1' stroke-opacity='.55'>"
        f"<title>track {track}: {i} of graph {g} to {s} of graph {h}</title></line>"
        for a, b, c, e in ends
    )
