"""A matching drawn between two point sets, over photographs if they are given, or between two
networks.
"""

from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.quality import collections, verdict
from gmtoolbox.core.text import number_below
from gmtoolbox.core.values import as_array, check_flag
from gmtoolbox.plot.canvas import GRID, INK, hollow_nodes, label, legend_row, picture
from gmtoolbox.plot.images import embed
from gmtoolbox.plot.networks import network_matching

CORRECT, WRONG, UNKNOWN = "#0e8164", "#e00000", "#1d74cb"  # also with colour-blind eyes
FLATTEN = "; of points in space draw two coordinates: points[:, :2]"
KINDS = {"unjudged": UNKNOWN, "correct": CORRECT, "wrong": WRONG}  # in the order of drawing
MANY = 150  # lines from which on they become thinner
UNSURE = 0.1  # of the median confidence
NAME = "Matching"
ON_PHOTO = "#ffd400"
MARGIN, GAP = 20.0, 90.0
FRAME = 8.0  # between the outermost points and their frame


def matching(
    problem, result=None, *, ground_truth=None, title=None,
    outliers=True, images=None, stacked=False, edges=True, ax=None,
):  # fmt: skip
    """Draw a matching: correct matches green, wrong ones red and on top, unjudged ones blue,
    unmatched nodes hollow.

        plot.matching(problem, result)                      # or labels instead of the result
        plot.matching((P, Q), labels, images=(img1, img2))

    Points in the plane are joined by lines. If r.confidence was asked for before, unsure matches
    are dashed: changing them costs less than a tenth of the median. Two graphs without coordinates
    are drawn in one layout, matched nodes at the same place: common edges bold, edges that only one
    of them has red.

    Parameters
    ----------
    problem : Problem, or a pair of (n, 2) arrays
        The two graphs or point sets.
    result : Result, labels or dict, optional
        The matching; None draws the points alone.
    ground_truth : labels, collections of labels, matrix or dict, optional
        Which matches are correct; default: the truth of the problem.
    outliers : bool
        As in gm.evaluate, so that picture and numbers agree: a match of a node without a truth is
        wrong; False: it is not judged.
    title : str, optional
        Drawn above.
    images : pair of arrays, optional
        Photographs, (height, width) or (height, width, 3 or 4), floats in 0 .. 1 or bytes; points
        are (x, y) in their pixels.
    stacked : bool
        One picture above the other instead of side by side.
    edges : bool
        Whether the graphs are drawn, faintly; the right one, if the problem does not have it, as
        the image of the left one.
    ax : matplotlib Axes, optional
        Draw there as well.

    Returns
    -------
    Picture
        Text of one SVG element that notebooks show; `.save(file)` writes .svg, .png or .pdf.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.car(seed=0, size=6)
    >>> gm.plot.matching(p, gm.gm_solve(p)).count("class='pair correct'")
    6
    """
    points, graphs, labels, truth = sort_out(problem, result, ground_truth)
    outliers, stacked, edges = (
        check_flag(name, value)
        for name, value in (("outliers", outliers), ("stacked", stacked), ("edges", edges))
    )
    if not outliers and truth[:1] == [None]:
        raise InputError("outliers=False goes with a ground_truth")
    kinds = [kind_of(s, accepted, outliers) for s, accepted in zip(labels, truth, strict=True)]
    if points is None:
        refuse_unused(
            "goes with points in the plane", images=images is not None, stacked=stacked,
            edges=not edges,
        )  # fmt: skip
        drawn = network_matching(problem, labels, kinds, KINDS, word_of, title or NAME, title)
        if ax is not None:
            drawn.draw(ax)
        return drawn
    places = [Place(points[side], None if images is None else images[side]) for side in range(2)]
    width, height = arrange(places, stacked)
    body = "".join(place.image() or place.frame() * bool(stacked) for place in places)
    if edges:
        graphs = (graphs[0], image_of(graphs[0], labels) if graphs[1] is None else graphs[1])
        body += "".join(place.edges(pairs) for place, pairs in zip(places, graphs, strict=True))
    ends = [place.points() for place in places]
    sure = confidence_of(result)
    unsure = unsure_of(sure)
    body += lines(ends, labels, kinds, sure, unsure)
    colour = [{}, {}]
    for i, s in enumerate(labels):
        if s >= 0:
            colour[0][i] = colour[1][s] = KINDS[kinds[i]]
    for side, name in enumerate(("left", "right")):
        radius = 3.6 if len(ends[side]) <= MANY else 2.2
        for k, (x, y) in enumerate(ends[side]):
            body += dot(x, y, colour[side].get(k), f"{name} {k}", radius)
    where = ("above: ", "below: ") if stacked else ("", "")
    body += label(24, height - 28, f"{where[0]}{len(ends[0])} left nodes") + label(
        width - 24, height - 28, f"{where[1]}{len(ends[1])} right nodes", "end"
    )
    if any(s >= 0 for s in labels):
        body += legend(width, height - 8, labels, kinds, unsure, len(ends[1]))
    drawn = picture(round(width), round(height), title or NAME, body, title)
    if ax is not None:
        drawn.draw(ax)
    return drawn


def sort_out(problem, labels, truth):
    """Return ((points1, points2), their neighbours, labels, the correct labels of each left node);
    points: None if the problem has none, labels and truth: None if there are none.
    """
    graphs = names = (None, None)
    if hasattr(problem, "points1"):
        points = (problem.points1, problem.points2)
        graphs = (problem.neighbours1, problem.neighbours2)
        names = (problem.nodes1, problem.nodes2)
        truth = problem.ground_truth if truth is None and labels is not None else truth
    elif isinstance(problem, tuple) and len(problem) == 2:
        points = problem
    else:
        raise InputError(
            "problem must be a Problem or a pair of arrays (P, Q), got"
            f" {type(problem).__name__}: matching((P, Q), labels)"
        )
    if labels is None and truth is not None:
        raise InputError("ground_truth judges a matching: give labels or a result, too")
    has_points = any(one is not None for one in points)
    for side, one in enumerate(points if has_points else ()):
        if one is None or as_array("points", one).ndim != 2 or np.shape(one)[1] != 2:
            raise InputError(f"a picture needs points{side + 1} in the plane, (n, 2){FLATTEN}")
        if np.isnan(np.asarray(one, dtype=float)).any():
            raise InputError(f"a picture needs all of points{side + 1}; some are not known")
    shape = tuple(map(len, points)) if has_points else problem.shape
    if labels is None:
        found = [-1] * shape[0]
    else:
        found = [part[0] if part else -1 for part in collections("labels", labels, shape, names)]
    accepted = (
        [None] * shape[0] if truth is None else collections("ground_truth", truth, shape, names)
    )
    for name, given in (("labels", found), ("ground_truth", accepted)):
        if len(given) != shape[0]:
            raise InputError(f"{name} must have one entry for each of {shape[0]} left points")
    return points if has_points else None, graphs, found, accepted


def image_of(pairs, labels):
    """Return the edges between the labels of neighbours, None without neighbours."""
    if pairs is None:
        return None
    return [
        (labels[i], labels[j])
        for i, j in np.asarray(pairs).tolist()
        if labels[i] >= 0 and labels[j] >= 0
    ]


def kind_of(label, accepted, outliers=True):
    """Return the kind of a match, by the labels that are correct, as gm.evaluate counts it;
    accepted: None if no truth is known at all.
    """
    if accepted is None:
        return "unjudged"
    return {"correct": "correct", "unknown": "unjudged"}.get(
        verdict(label, accepted, outliers), "wrong"
    )


def confidence_of(result):
    """Return r.confidence as far as it is known, or None; it is not computed for a picture."""
    found = getattr(result, "extra", None)
    found = found.get("confidence") if isinstance(found, dict) else None
    return None if found is None else np.array(found, dtype=float)


def unsure_of(sure):
    """The left nodes whose match can be changed at little cost."""
    finite = [] if sure is None else sure[np.isfinite(sure)]
    if len(finite) == 0:
        return set()
    return set(np.flatnonzero(sure <= UNSURE * max(float(np.median(finite)), 0.0)).tolist())


def legend(width, y, labels, kinds, unsure, n_right):
    """Return the number of matches of each kind, in its colour, and of nodes without a match."""
    of_matches = [kind for s, kind in zip(labels, kinds, strict=True) if s >= 0]
    parts = [
        (f"{of_matches.count(kind)} {word_of(kind, of_matches)}", colour)
        for kind, colour in KINDS.items()
        if kind in of_matches
    ]
    parts += hollow_nodes(len(labels), n_right, len(of_matches))
    parts += [(f"{len(unsure)} unsure (dashed)", INK)] if unsure else []
    return legend_row(width / 2, y, parts, width - 20)


def word_of(kind, kinds):
    """Return a kind of match in words; without a truth for any of them, they are just matched."""
    if kind != "unjudged":
        return kind
    return "matched" if set(kinds) == {"unjudged"} else "not judged"


class Place:
    """The place of one side of the picture: its own coordinates and those of the picture."""

    def __init__(self, points, image):
        self.xy = np.asarray(points, dtype=float)
        self.picture = None if image is None else np.asarray(image)
        if image is None:
            self.low = self.xy.min(axis=0)
            self.size = np.maximum(self.xy.max(axis=0) - self.low, 1e-300)
            self.size = np.where(self.size > 1e-300, self.size, 1.0)
        else:
            if self.picture.ndim not in (2, 3):
                raise InputError(f"an image must be 2-D or 3-D, got shape {self.picture.shape}")
            self.low = np.array([-0.5, -0.5])  # the centre of the first pixel is (0, 0)
            self.size = np.array(self.picture.shape[1::-1], dtype=float)

    def put(self, x, y, width, height):
        """Fit into a box without distortion, y downwards as in images."""
        self.scale = float(min(width / self.size[0], height / self.size[1]))
        spare = np.array([width, height]) - self.scale * self.size
        self.corner = np.array([x, y]) + spare / 2

    def points(self):
        """[x, y] of each point in the picture."""
        return (self.corner + self.scale * (self.xy - self.low)).tolist()

    def image(self):
        """SVG of the photograph, '' without one."""
        if self.picture is None:
            return ""
        (x, y), (width, height) = self.corner, self.scale * self.size
        return (
            f"<image x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}'"
            f" preserveAspectRatio='none' href='{embed(self.picture)}'/>"
        )

    def frame(self):
        """SVG of a faint frame around the points: where one set ends and the other begins."""
        (x, y), (width, height) = self.corner - FRAME, self.scale * self.size + 2 * FRAME
        return (
            f"<rect class='frame' x='{x:.1f}' y='{y:.1f}' width='{width:.1f}'"
            f" height='{height:.1f}' fill='none' stroke='{GRID}'/>"
        )

    def edges(self, pairs):
        """Return the SVG of faint lines between neighbours; yellow on photographs."""
        ends = self.points()
        line, wide = (GRID, 0.8) if self.picture is None else (ON_PHOTO, 1.0)
        faint = "".join(
            f"<line class='edge' x1='{ends[i][0]:.1f}' y1='{ends[i][1]:.1f}' x2='{ends[j][0]:.1f}'"
            f" y2='{ends[j][1]:.1f}' stroke='{line}' stroke-width='{wide}'/>"
            for i, j in (() if pairs is None else np.asarray(pairs).tolist())
        )
        return f"<g class='graph' stroke-opacity='.7'>{faint}</g>" if faint else ""


def in_the_plane(name, points):
    """Return an array of points of the plane; InputError for others. No points have any shape."""
    points = as_array(name, points)
    if points.size and (points.ndim != 2 or points.shape[1] != 2):
        raise InputError(f"a picture needs {name} in the plane, (n, 2){FLATTEN}")
    return points


def scale_points(points, x, y, width, height):
    """Points moved into a box without distortion."""
    place = Place(points, None)
    place.put(x, y, width, height)
    return [tuple(point) for point in place.points()]


def arrange(places, stacked):
    """(width, height) of the picture after putting both places into it."""
    width = 720.0 if places[0].picture is None else 960.0
    if not stacked:
        gap = GAP if places[0].picture is None else 12.0
        inner = (width - gap) / 2 - MARGIN
        tallest = max(place.size[1] / place.size[0] for place in places)
        height = 316.0 if places[0].picture is None else float(np.clip(inner * tallest, 80, 900))
        for side, place in enumerate(places):
            place.put(MARGIN + side * (inner + gap), MARGIN, inner, height)
        return width, height + 66
    heights = [
        float(np.clip((width - 2 * MARGIN) * place.size[1] / place.size[0], 60, 500))
        for place in places
    ]
    places[0].put(MARGIN, MARGIN, width - 2 * MARGIN, heights[0])
    places[1].put(MARGIN, MARGIN + heights[0] + 30, width - 2 * MARGIN, heights[1])
    return width, sum(heights) + 30 + 72


def lines(ends, labels, kinds, confidence, unsure):
    """Return the matched pairs, wrong ones last; thinner if they are many, dashed if unsure."""
    matched = [i for i, s in enumerate(labels) if s >= 0]
    thickness = 1.3 if len(matched) <= MANY else max(0.35, 1.3 * MANY / len(matched))
    body = ""
    for i in sorted(matched, key=lambda i: list(KINDS).index(kinds[i])):
        (x1, y1), (x2, y2), kind = ends[0][i], ends[1][labels[i]], kinds[i]
        sure = "" if confidence is None else f", confidence {number_below(float(confidence[i]))}"
        wide = thickness if kind != "wrong" else max(thickness, 0.9)
        dash = " stroke-dasharray='5 4'" if i in unsure else ""
        body += (
            f"<line class='pair {kind}' x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}'"
            f" stroke='{KINDS[kind]}' stroke-width='{wide:.2f}' stroke-opacity='.75'{dash}>"
            f"<title>{i} to {labels[i]}: {kind}{sure}</title></line>"
        )
    return body


def dot(x, y, colour, text, radius=3.6):
    """A filled circle, or a hollow one for an unmatched node."""
    look = f"class='node unmatched' fill='none' stroke='{INK}'"
    if colour:
        look = f"class='node' fill='{colour}' stroke='{colour}'"
    return f"<circle {look} cx='{x:.1f}' cy='{y:.1f}' r='{radius}'><title>{text}</title></circle>"
