"""Tracks drawn across all frames in one picture."""

from gmtoolbox.plot.canvas import label, picture
from gmtoolbox.plot.matchings import CORRECT, WRONG, dot, scaled
from gmtoolbox.plot.styles import PALETTE

FRAME, GAP, MARGIN, MOST_COLUMNS = 150, 26, 16, 6


def tracks(points, tracks, truth=None, names=None, title="Tracks"):
    """All graphs side by side, each track a line through its nodes in its own colour.

    Parameters
    ----------
    points : d arrays (n_g, 2)
    tracks : d int arrays
        The track of each node.
    truth : d int arrays, optional
        Links between nodes of one true track are green, others red.
    names : d texts, optional
        Captions of the graphs.
    title : str

    Returns
    -------
    Picture

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> points = [[[0, 0], [1, 1]], [[0, 1], [1, 0]]]
    >>> gm.plot.tracks(points, [[0, 1], [0, 1]])
    <Picture 'Tracks', 358 x 208>
    """
    d = len(points)
    columns = min(d, MOST_COLUMNS)
    rows = -(-d // columns)
    width = 2 * MARGIN + columns * FRAME + (columns - 1) * GAP
    height = 2 * MARGIN + rows * (FRAME + GAP)
    members, body = {}, ""
    for g in range(d):
        x = MARGIN + (g % columns) * (FRAME + GAP)
        y = MARGIN + (g // columns) * (FRAME + GAP)
        body += label(x, y + FRAME + 15, names[g] if names else f"graph {g}")
        for i, place in enumerate(scaled(points[g], x, y, FRAME, FRAME - 8)):
            members.setdefault(int(tracks[g][i]), []).append((g, i, place))
    dots = ""
    for number, (track, nodes) in enumerate(sorted(members.items())):
        own = PALETTE[number % len(PALETTE)] if len(nodes) > 1 else None
        for (g, i, (x1, y1)), (h, s, (x2, y2)) in zip(nodes, nodes[1:], strict=False):
            kind, colour = "unjudged", own
            if truth is not None:
                known = truth[g][i] >= 0 and truth[g][i] == truth[h][s]
                kind, colour = ("correct", CORRECT) if known else ("wrong", WRONG)
            body += (
                f"<line class='track {kind}' x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}'"
                f" y2='{y2:.1f}' stroke='{colour}' stroke-width='1.1' stroke-opacity='.55'>"
                f"<title>track {track}: {i} of graph {g} to {s} of graph {h}</title></line>"
            )
        for g, i, (x, y) in nodes:
            dots += dot(x, y, own, f"graph {g} node {i}, track {track}")
    return picture(width, height, title, body + dots)
