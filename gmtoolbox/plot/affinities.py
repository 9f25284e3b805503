"""The matrix K of a problem as a picture, whole or the row of one match."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import number
from gmtoolbox.plot.canvas import INK, LETTER, label, picture
from gmtoolbox.plot.images import embed

SIDE, LEFT, TOP = 420, 70, 30
ON_WHITE = "#1a1a1a"  # lines over the matrix, whose ground is white on dark pages, too
FINEST = 420  # rows and columns of the picture; finer matrices are averaged
BLUE, RED = (29, 78, 137), (178, 34, 52)  # of numbers below and above 0


def affinity(problem, pair=None, *, result=None, title=None):
    """Draw the matrix K, or the affinities of one match to all others.

    Parameters
    ----------
    problem : Problem
    pair : (i, s), optional
        A candidate. The picture then has a row for each left node and a column for each right one:
        the entry of K between the match (i, s) and the match of that row and column, the unary
        entry at its own place.
    result : Result or labels, optional
        With a pair: its matches are framed.
    title : str, optional
        Drawn above.

    Returns
    -------
    Picture
        Blue: below 0, white: 0 or not allowed, red: above 0. The whole matrix has its candidates
        sorted by left node; if there are more than 420, a point is the mean of a square of entries.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.car(seed=0, size=6)
    >>> gm.plot.affinity(p)
    <Picture 'K, 36 x 36', 560 x 500>
    >>> gm.plot.affinity(p, (0, 3), result=gm.gm_solve(p))
    <Picture 'row of K of the match (0, 3)', 560 x 500>
    """
    if result is not None and pair is None:
        raise InputError("result goes with a pair")
    if pair is None:
        values, step = matrix_of(problem)
        m = problem.n_candidates
        name = f"K, {m} x {m}"
        note = f"candidates by left node; a point is {step} x {step} entries" if step > 1 else ""
        axes = (note or "candidates by left node", "candidates")
        marks = ()
    else:
        values = row_of(problem, *pair)
        name = f"row of K of the match ({int(pair[0])}, {int(pair[1])})"
        axes, marks = ("right nodes", "left nodes"), matches_of(problem, result)
    return heat_map(values, name, title, *axes, marks)


def matrix_of(problem):
    """Return K with its candidates sorted by left node, averaged if it is large, and the number of
    rows that make one.
    """
    m = problem.n_candidates
    step = max(-(-m // FINEST), 1)
    size = max(-(-m // step), 1)
    order = np.empty(m, dtype=int)
    order[np.lexsort((problem.right, problem.left))] = np.arange(m)
    a, b, pairwise = order[problem.a] // step, order[problem.b] // step, problem.edge_cost
    values = np.zeros((size, size))
    # the cost of an edge is half in K_ab, half in K_ba
    np.add.at(values, (a, b), 0.5 * pairwise)
    np.add.at(values, (b, a), 0.5 * pairwise)
    np.add.at(values, (order // step, order // step), problem.cost)
    return problem.signed(values) / step**2, step


def row_of(problem, i, s):
    """Return the (n1, n2) entries of the row of K of a candidate, nan for forbidden pairs."""
    n1, n2 = problem.shape
    is_inside = 0 <= i < n1 and 0 <= s < n2
    if not (is_inside and problem.allows(np.array([i]), np.array([s]))[0]):
        raise InputError(f"pair must be a candidate, ({i}, {s}) is not")
    k = int(problem.candidates.index(np.array([i]), np.array([s]))[0])
    values = np.full(problem.shape, np.nan)
    values[problem.left, problem.right] = 0.0
    for one, other in ((problem.a, problem.b), (problem.b, problem.a)):
        there = one == k
        values[problem.left[other[there]], problem.right[other[there]]] += problem.signed(
            0.5 * problem.edge_cost[there]
        )
    values[i, s] = problem.signed(problem.cost[k])
    return values


def matches_of(problem, result):
    """Return the (left, right) of a matching."""
    if result is None:
        return ()
    labels = np.asarray(getattr(result, "labels", result))
    if labels.shape != (problem.shape[0],):
        raise InputError(f"result must have {problem.shape[0]} labels, got shape {labels.shape}")
    return [(i, int(s)) for i, s in enumerate(labels) if s >= 0]


def heat_map(values, name, heading, x_title, y_title, marks):
    """Return the Picture of a matrix, with a scale."""
    rows, columns = values.shape
    cell = min(SIDE / rows, SIDE / columns)
    width, height = cell * columns, cell * rows
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    shown = colour_entries(values / largest)
    body = (
        f"<image x='{LEFT}' y='{TOP}' width='{width:.1f}' height='{height:.1f}'"
        " preserveAspectRatio='none' style='image-rendering:pixelated'"
        f" href='{embed(enlarge(shown))}'/>"
        f"<rect class='frame' x='{LEFT}' y='{TOP}' width='{width:.1f}' height='{height:.1f}'"
        f" fill='none' stroke='{INK}'/>"
    )
    for i, s in marks:
        body += (
            f"<rect class='match' x='{LEFT + s * cell:.1f}' y='{TOP + i * cell:.1f}'"
            f" width='{cell:.1f}' height='{cell:.1f}' fill='none' stroke='{ON_WHITE}'"
            f" stroke-width='1.6'><title>{i} to {s}</title></rect>"
        )
    body += label(LEFT, TOP - 8, y_title) + label(LEFT, TOP + height + 18, x_title)
    body += label(LEFT - 6, TOP + 12, "0", "end")
    body += label(LEFT - 6, TOP + height, str(rows - 1), "end") if rows > 1 else ""
    at = LEFT + SIDE + 16
    for k, share in enumerate(np.linspace(1.0, -1.0, 41)):
        red, green, blue = colour_entries(np.array([[share]]))[0, 0].tolist()
        body += (
            f"<rect x='{at}' y='{TOP + 5 * k}' width='12' height='5'"
            f" fill='#{red:02x}{green:02x}{blue:02x}'/>"
        )
    scale = [(number(share * largest, 2), y) for share, y in ((1.0, 10), (0.0, 107), (-1.0, 205))]
    body += "".join(label(at + 15, TOP + y, text) for text, y in scale)
    room = at + 17 + int(LETTER * max(len(text) for text, _ in scale))
    return picture(max(560, room), SIDE + 80, name, body, heading)


def colour_entries(shares):
    """Return (rows, columns, 3) bytes of numbers in -1 .. 1."""
    shares = np.nan_to_num(shares)
    strength = np.abs(shares)[..., None] ** 0.5  # small entries are seen, too
    end = np.where((shares < 0)[..., None], np.array(BLUE), np.array(RED))
    return np.round(255 + strength * (end - 255)).astype(np.uint8)


def enlarge(image):
    """Return an image with at least 200 pixels a side, so that viewers do not blur its cells."""
    times = max(-(-200 // max(min(image.shape[:2]), 1)), 1)
    return image.repeat(times, axis=0).repeat(times, axis=1)
