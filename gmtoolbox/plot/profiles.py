"""Performance profiles and cactus plots."""

from gmtoolbox.plot.canvas import Frame, curve_path, log_range, picture
from gmtoolbox.plot.labels import ROOM, end_labels
from gmtoolbox.plot.styles import as_styles, styles


def profile(
    curves, published=(), title="Run time performance profile", tau_max=1000.0, colour=None
):
    """rho(tau) of every method: the fraction of instances on which it is at most tau times slower
    than the fastest.

    Parameters
    ----------
    curves : objects with method, x and y
        Step functions: from x[k] on a curve has the value y[k].
    published : more of them, optional
        Drawn thin.
    title : str
    tau_max : float
        End of the x axis.
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
    looks = looks_of([*curves, *published], colour)
    frame = Frame((1.0, tau_max), (0.0, 1.0), width=820, right=ROOM)
    ticks = [k / 5 for k in range(6)]
    percent = lambda y: f"{100 * y:.0f} %"
    solved = "instances solved, ρ(τ)"
    body = frame.axes("performance ratio τ", solved, y_text=percent, y_ticks=ticks)
    ours = [(curve, False) for curve in reversed(list(curves))]  # the best on top
    for curve, thin in [*((curve, True) for curve in published), *ours]:
        path = frame.steps(curve.x, curve.y, 1.0 if curve.x and curve.x[0] > 1 else None)
        body += curve_path(path, curve.method, looks[curve.method], thin)
    ends = [(curve.y[-1], curve.method) for curve in curves if curve.y]
    body += end_labels(frame, ends, looks, percent)
    return picture(frame.width, frame.height, title, body)


def cactus(curves, title="Instances solved within a time", colour=None):
    """Number of instances that every method solved within a time.

    Parameters
    ----------
    curves : objects with method, x and y
        Step functions: from x[k] seconds on a method has solved y[k] instances.
    title : str
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
    looks = looks_of(curves, colour)
    times = [x for curve in curves for x in curve.x] or [1.0]
    most = max([1.0, *(curve.y[-1] for curve in curves if curve.y)])
    frame = Frame(log_range(times), (0.0, most), width=820, right=ROOM)
    body = frame.axes("time (s)", "instances solved")
    for curve in reversed(list(curves)):
        path = frame.steps(curve.x, curve.y, frame.x_range[0])
        body += curve_path(path, curve.method, looks[curve.method])
    ends = [(curve.y[-1], curve.method) for curve in curves if curve.y]
    body += end_labels(frame, ends, looks)
    return picture(frame.width, frame.height, title, body)


def looks_of(curves, colour):
    """method -> Style, as given or chosen here."""
    return as_styles(colour) if colour else styles(sorted({curve.method for curve in curves}))
