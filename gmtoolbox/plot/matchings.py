"""A matching drawn between two point sets."""

from gmtoolbox.plot.canvas import INK, label, picture

RIGHT, WRONG, UNKNOWN = "#138526", "#df2040", "#1d74cb"


def matching(points1, points2, labels, ground_truth=None, title="Matching"):
    """The two point sets side by side and the matching between them: right green, wrong red,
    unjudged blue, unmatched hollow.

    ground_truth  per left node the collection of right labels, empty where unknown; or None
    """
    width, height, gap = 720, 360, 90
    left = scaled(points1, 20, 20, (width - gap) / 2 - 30, height - 44)
    right = scaled(points2, (width + gap) / 2 + 10, 20, (width - gap) / 2 - 30, height - 44)
    body = label(24, height - 6, f"{len(left)} left nodes") + label(
        width - 24, height - 6, f"{len(right)} right nodes", "end"
    )
    colour_of, used = {}, set()
    for i, s in enumerate(labels):
        truth = () if ground_truth is None else ground_truth[i]
        kind, colour = (
            ("right", RIGHT)
            if s in truth
            else ("wrong", WRONG)
            if len(truth)
            else ("unjudged", UNKNOWN)
        )
        if s >= 0:
            used.add(int(s))
            colour_of[i] = colour
            (x1, y1), (x2, y2) = left[i], right[int(s)]
            body += (
                f"<line class='pair {kind}' x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}'"
                f" stroke='{colour}' stroke-width='1.3' stroke-opacity='.75'><title>{i} to"
                f" {int(s)}: {kind}</title></line>"
            )
    for i, (x, y) in enumerate(left):
        body += dot(x, y, colour_of.get(i), f"left {i}")
    taken = {int(s): colour_of[i] for i, s in enumerate(labels) if s >= 0}
    for s, (x, y) in enumerate(right):
        body += dot(x, y, taken.get(s), f"right {s}")
    return picture(width, height, title, body)


def dot(x, y, colour, text):
    """A filled circle, or a hollow one for an unmatched node."""
    look = (
        f"class='node' fill='{colour}' stroke='{colour}'"
        if colour
        else f"class='node unmatched' fill='none' stroke='{INK}'"
    )
    return f"<circle {look} cx='{x:.1f}' cy='{y:.1f}' r='3.6'><title>{text}</title></circle>"


def scaled(points, x, y, width, height):
    """Points moved into a box without distortion; y downwards as in images."""
    xs, ys = [float(p[0]) for p in points], [float(p[1]) for p in points]
    spread_x, spread_y = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    factor = min(width / spread_x, height / spread_y)
    shift_x, shift_y = x + (width - factor * spread_x) / 2, y + (height - factor * spread_y) / 2
    return [
        (shift_x + factor * (px - min(xs)), shift_y + factor * (py - min(ys)))
        for px, py in zip(xs, ys, strict=True)
    ]
