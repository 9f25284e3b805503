"""Convergence: value and bound over time."""

import math

from gmtoolbox.plot.canvas import INK, Frame, curve_path, label, log_range, picture
from gmtoolbox.plot.labels import ROOM, end_labels
from gmtoolbox.plot.styles import Style, as_styles, styles


def trace(traces, title="Value and bound over time", optimum=None, colour=None):
    """Value (solid) and bound (dotted) of every method over the logarithm of time.

    Parameters
    ----------
    traces : dict
        Method -> rows (time, value, bound), as of Result.trace.
    title : str
    optimum : float, optional
        Drawn as a line.
    colour : dict, optional
        Method -> colour or Style.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.plot.trace({"fm": [(0.01, -3.0, -9.0), (0.1, -5.0, -6.0)]}, optimum=-5.0)
    <Picture 'Value and bound over time', 820 x 400>
    """
    looks = as_styles(colour) if colour else styles(traces)
    events = [(float(t), float(v), float(b)) for rows in traces.values() for t, v, b in rows]
    values = [v for _, v, _ in events if math.isfinite(v)] + (
        [] if optimum is None else [float(optimum)]
    )
    bounds = [b for _, _, b in events if math.isfinite(b)]
    if not values:
        return picture(720, 60, title, label(16, 34, "no solution to show"))
    window = y_window(values, bounds)
    if rises(traces):
        window = tuple(-y for y in reversed(y_window([-v for v in values], [-b for b in bounds])))
    times = log_range([t for t, _, _ in events] or [1.0])
    frame = Frame(times, window, width=820, left=90, right=ROOM)  # numbers of seven digits
    body = frame.axes("time (s)", "value (solid) and bound (dotted)", y_text=lambda y: f"{y:.6g}")
    if optimum is not None:
        y = frame.y(optimum)
        ends = f"x1='{frame.box[0]}' y1='{y:.1f}' x2='{frame.box[2]}' y2='{y:.1f}'"
        body += f"<line class='optimum' {ends} stroke='{INK}' stroke-dasharray='2 3'/>"
    curves = ""
    for method, rows in traces.items():
        for column, dotted in ((1, False), (2, True)):
            known = [
                (float(row[0]), float(row[column])) for row in rows if math.isfinite(row[column])
            ]
            path = frame.steps([t for t, _ in known], [v for _, v in known])
            look = looks[method]
            drawn = curve_path(path, method, Style(look.colour) if dotted else look)
            dots = "class='line' stroke-dasharray='1 4' stroke-linecap='round'"
            curves += drawn.replace("class='line'", dots) if dotted else drawn
    body += frame.clipped(curves)
    ends = [
        (float(rows[-1][1]), method)
        for method, rows in traces.items()
        if len(rows) and math.isfinite(rows[-1][1])
    ]
    body += end_labels(frame, ends, looks, "{:.4g}".format)
    return picture(frame.width, frame.height, title, body)


def y_window(values, bounds):
    """Room for the best value, the best bound and most values on the way there; the worst tenth of
    them is cut off, so that the end stays readable. Values that differ by rounding only count once.
    Minimised: bounds lie below.
    """
    distinct = sorted({float(f"{value:.9g}") for value in values})
    low = min([distinct[0], max(bounds, default=distinct[0])])
    high = distinct[int(0.9 * len(distinct))]
    margin = max(0.06 * (high - low), 1e-3 * max(abs(low), abs(high))) or 1.0
    return low - margin, high + margin


def rises(traces):
    """Whether values get better by rising: the sense of what was solved."""
    known = [[float(row[1]) for row in rows if math.isfinite(row[1])] for rows in traces.values()]
    return sum(values[-1] - values[0] for values in known if values) > 0
