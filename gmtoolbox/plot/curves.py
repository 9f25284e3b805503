"""Curves of runs: value and bound over time, performance profiles, cactus plots."""

import math
from collections import Counter
from functools import partial

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import number, percent
from gmtoolbox.core.values import as_list
from gmtoolbox.plot.canvas import LETTER, label, log_range, nice_ticks, picture
from gmtoolbox.plot.charts import Chart, Curve, as_styles, styles

NAME = "Value and bound over time"


def trace(traces, title=None, optimum=None, colour=None):
    """Value and bound (dotted) of every method over the logarithm of time.

    Parameters
    ----------
    traces : a Result or Run, a list of them, or a dict
        Of one problem; Runs of gm_batch are a list. A dict has method -> Result or Run, or rows
        (time, value, bound) as of Result.trace.
    title : str, optional
        Drawn above.
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
    traces = rows_of(traces)
    looks = as_styles(colour, traces) if colour else styles(traces)
    events = [(float(t), float(v), float(b)) for rows in traces.values() for t, v, b in rows]
    values = [v for _, v, _ in events if math.isfinite(v)] + (
        [] if optimum is None else [float(optimum)]
    )
    bounds = [b for _, _, b in events if math.isfinite(b)]
    if not values:
        return picture(720, 60, title or NAME, label(16, 34, "no solution to show"))
    window = y_window(values, bounds)
    is_rising = rises(traces)
    if is_rising:
        window = tuple(-y for y in reversed(y_window([-v for v in values], [-b for b in bounds])))
    y_text = distinct_text(nice_ticks(*window))
    curves = [
        known_steps(method, rows, column, looks[method])
        for method, rows in traces.items()
        for column in (1, 2)
    ]
    return Chart(
        title=title or NAME,
        heading=title,
        x_title="time (s)",
        y_title="value, and bound (dotted)" if bounds else "value",
        x_range=log_range([t for t, _, _ in events] or [1.0]),
        y_range=window,
        curves=curves,
        ends=best_first([curve for curve in curves if not curve.is_dotted], is_rising),
        looks=looks,
        y_text=y_text,
        end_text=partial(number, digits=8),
        line=None if optimum is None else (float(optimum), f"optimum {number(optimum, 8)}"),
        marks=[
            curve
            for curve in curves
            if curve.y and not any(window[0] <= y <= window[1] for y in curve.y)
        ],
        left=36 + int(LETTER * max(len(y_text(tick)) for tick in nice_ticks(*window))),
    ).picture()


def distinct_text(ticks):
    """Return the function that writes numbers with as many digits as distinguish the ticks."""
    for digits in range(6, 17):
        text = partial(number, digits=digits)
        if len(set(map(text, ticks))) == len(ticks):
            break
    return text


def best_first(curves, is_rising=True):
    """Return the ends (y, method) of curves, in the order in which labels name them."""
    ends = [(curve.y[-1], curve.method) for curve in curves if len(curve.y)]
    return sorted(ends, key=lambda end: -end[0] if is_rising else end[0])


def rows_of(traces):
    """Return {method: rows (time, value, bound)} of results, runs or such rows."""
    if hasattr(traces, "method"):
        traces = [traces]
    if not hasattr(traces, "items"):
        traces = name_each(as_list("traces", traces))
    rows = {name: one.trace if hasattr(one, "method") else one for name, one in traces.items()}
    return {name: () if trace is None else trace for name, trace in rows.items()}


def name_each(found):
    """Return {name: Result or Run}: the method, with seed and trial, or a number, if several have
    the same.
    """
    if not all(hasattr(one, "method") for one in found):
        raise InputError("traces must be a Result, a Run, a list of them, or a dict method -> rows")
    problems = {(one.dataset, one.instance) for one in found if hasattr(one, "instance")}
    if len(problems) > 1:
        raise InputError(f"traces must be runs of one problem, got runs of {len(problems)}")
    count = Counter(one.method for one in found)
    named = {}
    for k, one in enumerate(found, 1):
        mark = f"seed {one.seed}, trial {one.trial}" if hasattr(one, "trial") else f"{k}"
        named[one.method if count[one.method] == 1 else f"{one.method} ({mark})"] = one
    return named


def known_steps(method, rows, column, look):
    """Return the Curve of the values (column 1) or bounds (column 2) of a trace."""
    known = [(float(row[0]), float(row[column])) for row in rows if math.isfinite(row[column])]
    return Curve(method, [t for t, _ in known], [y for _, y in known], look, is_dotted=column == 2)


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
    """Return whether values get better by rising: the sense of the problem. If no value changes,
    the side of the bounds shows it.
    """
    known = [[float(row[1]) for row in rows if math.isfinite(row[1])] for rows in traces.values()]
    gained = sum(values[-1] - values[0] for values in known if values)
    room = [row[2] - row[1] for rows in traces.values() for row in rows]
    return (gained or sum(float(one) for one in room if math.isfinite(one))) > 0


# ---- performance profiles and cactus plots


def profile(curves, published=(), title=None, tau_max=1000.0, colour=None):
    """rho(tau) of every method: the fraction of instances on which it is at most tau times slower
    than the fastest.

    Parameters
    ----------
    curves : Runs, or objects with method, x and y
        Runs of gm_batch; or step functions: from x[k] on a curve has the value y[k].
    published : more of them, optional
        Drawn thin.
    title : str, optional
        Drawn above.
    tau_max : float
        The x axis ends here, or at the last rise of a curve.
    colour : dict, optional
        Method -> colour or Style.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> from types import SimpleNamespace as Curve
    >>> gm.plot.profile([Curve(method="fm", x=[1.0, 8.0], y=[0.5, 1.0])])
    <Picture 'Run time performance profile', 820 x 400>
    """
    curves = curves_of(curves, "profile")
    looks = looks_of([*curves, *published], colour)
    last = max([x for curve in curves for x in curve.x], default=tau_max)
    begin = lambda curve: 1.0 if curve.x and curve.x[0] > 1 else None
    drawn = [(curve, True) for curve in published]
    drawn += [(curve, False) for curve in reversed(list(curves))]  # the best on top
    return Chart(
        title=title or "Run time performance profile",
        heading=title,
        x_title="performance ratio τ",
        y_title="instances solved, ρ(τ)",
        x_range=(1.0, min(tau_max, max(10.0, 1.5 * last))),
        y_range=(0.0, 1.0),
        curves=[
            Curve(curve.method, curve.x, curve.y, looks[curve.method], begin(curve), is_thin=thin)
            for curve, thin in drawn
        ],
        ends=best_first(curves),
        looks=looks,
        y_text=percent,
        y_ticks=[k / 5 for k in range(6)],
    ).picture()


def cactus(curves, title=None, colour=None):
    """Number of instances that every method solved within a time.

    Parameters
    ----------
    curves : Runs, or objects with method, x and y
        Runs of gm_batch; or step functions: from x[k] seconds on a method has solved y[k]
        instances.
    title : str, optional
        Drawn above.
    colour : dict, optional
        Method -> colour or Style.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> from types import SimpleNamespace as Curve
    >>> gm.plot.cactus([Curve(method="fm", x=[0.1, 2.0], y=[1, 2])])
    <Picture 'Instances solved within a time', 820 x 400>
    """
    curves = curves_of(curves, "cactus")
    looks = looks_of(curves, colour)
    times = [x for curve in curves for x in curve.x] or [1.0]
    most = max([1.0, *(curve.y[-1] for curve in curves if len(curve.y))])
    x_range = log_range(times)
    return Chart(
        title=title or "Instances solved within a time",
        heading=title,
        x_title="time (s)",
        y_title="instances solved",
        x_range=x_range,
        y_range=(0.0, most),
        curves=[
            Curve(curve.method, curve.x, curve.y, looks[curve.method], x_range[0])
            for curve in reversed(list(curves))
        ],
        ends=best_first(curves),
        looks=looks,
    ).picture()


def curves_of(given, kind):
    """Return the curves of Runs, or the given ones."""
    curves = given.curves(kind) if hasattr(given, "curves") else as_list("curves", given)
    for curve in curves:
        if not all(hasattr(curve, name) for name in ("method", "x", "y")):
            wrong = type(curve if isinstance(given, list) else given).__name__
            raise InputError(
                "curves must be the Runs of gm_batch (of a store: gm.Runs.load(path)), or objects"
                f" with method, x and y, got {wrong}"
            )
    return curves


def looks_of(curves, colour):
    """method -> Style, as given or chosen here."""
    methods = sorted({curve.method for curve in curves})
    return as_styles(colour, methods) if colour else styles(methods)
