"""Performance profiles and cactus plots."""

from gmtoolbox.plot.canvas import Frame, colours, curve_path, end_labels, log_range, picture


def profile(
    curves, published=(), title="Run time performance profile", tau_max=1000.0, colour=None
):
    """rho(tau) of every method: the fraction of instances on which it is at most tau times slower
    than the fastest.

    curves      objects with method, x, y (a step function)
    published   more of them, drawn dashed
    """
    colour = colour or colours(sorted({curve.method for curve in [*curves, *published]}))
    frame = Frame((1.0, tau_max), (0.0, 1.0), right=84)
    shares = [k / 5 for k in range(6)]
    body = frame.axes(
        "performance ratio τ",
        "instances solved, ρ(τ)",
        y_text=lambda y: f"{100 * y:.0f} %",
        y_ticks=shares,
    )
    drawn = [
        *((curve, True) for curve in published),
        *((curve, False) for curve in reversed(list(curves))),
    ]  # the best on top
    for curve, dashed in drawn:
        path = frame.steps(curve.x, curve.y, 1.0 if curve.x and curve.x[0] > 1 else None)
        body += curve_path(path, curve.method, colour[curve.method], dashed)
    ends = [(curve.y[-1], curve.method) for curve in curves if curve.y]
    return picture(frame.width, frame.height, title, body + end_labels(frame, ends, colour))


def cactus(curves, title="Instances solved within a time", colour=None):
    """Number of instances that a method solved within a time."""
    colour = colour or colours(sorted({curve.method for curve in curves}))
    times = [x for curve in curves for x in curve.x] or [1.0]
    frame = Frame(
        log_range(times), (0.0, max([1.0, *(curve.y[-1] for curve in curves if curve.y)])), right=84
    )
    body = frame.axes("time (s)", "instances solved")
    for curve in reversed(list(curves)):
        body += curve_path(
            frame.steps(curve.x, curve.y, frame.x_range[0]), curve.method, colour[curve.method]
        )
    ends = [(curve.y[-1], curve.method) for curve in curves if curve.y]
    return picture(frame.width, frame.height, title, body + end_labels(frame, ends, colour))
