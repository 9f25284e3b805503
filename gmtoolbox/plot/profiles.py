"""Performance profiles and cactus plots."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.plot.canvas import log_range
from gmtoolbox.plot.charts import Chart, Curve
from gmtoolbox.plot.styles import as_styles, styles


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
        ends=[(curve.y[-1], curve.method) for curve in curves if len(curve.y)],
        looks=looks,
        y_text=lambda y: f"{100 * y:.0f} %",
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
        ends=[(curve.y[-1], curve.method) for curve in curves if len(curve.y)],
        looks=looks,
    ).picture()


def curves_of(given, kind):
    """Return the curves of Runs, or the given ones."""
    curves = given.curves(kind) if hasattr(given, "curves") else list(given)
    for curve in curves:
        if not all(hasattr(curve, name) for name in ("method", "x", "y")):
            raise InputError(
                "curves must be the Runs of gm_batch, or objects with method, x and y, got"
                f" {type(curve).__name__}"
            )
    return curves


def looks_of(curves, colour):
    """method -> Style, as given or chosen here."""
    methods = sorted({curve.method for curve in curves})
    return as_styles(colour, methods) if colour else styles(methods)
