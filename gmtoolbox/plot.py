"""Pictures as plain SVG: matchings on two point sets, convergence traces, performance profiles, cactus plots.

Every function returns the text of one SVG element, which prints well by itself; elements carry classes and data-method, so that
the report's page can highlight them and give them the colours of a dark screen. save_picture writes SVG, or PNG with the
help of a converter that the machine has.
"""

import math
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from gmtoolbox.errors import GMError, InputError
from gmtoolbox.io.files import replacing

# Luminance between 0.13 and 0.3: at least 3:1 against white paper and against a dark screen.
PALETTE = (
    "#1d74cb", "#b45a1a", "#138526", "#df2040", "#a042e4", "#8d6f14", "#137f88", "#cd1db0", "#418213", "#5864e7",
    "#4494e4", "#e07224", "#18a730", "#e9657b", "#b871eb", "#b18b19", "#189fab", "#e755cf", "#51a317", "#7e87ed",
)  # fmt: skip
INK, GRID = "#222222", "#d8d8d8"
RIGHT, WRONG, UNKNOWN = "#138526", "#df2040", "#1d74cb"
FONT = "font-family='system-ui, Helvetica, Arial, sans-serif'"


def colours(methods):
    """method -> colour, in the order given: the first ten differ most."""
    return {method: PALETTE[k % len(PALETTE)] for k, method in enumerate(methods)}


# ---- frame and axes


class Frame:
    """A plotting area with a logarithmic x axis and a linear y axis."""

    def __init__(self, x_range, y_range, width=720, height=400, left=64, right=16):
        self.x_range, self.y_range = x_range, y_range
        self.width, self.height = width, height
        self.box = (left, 14, width - right, height - 46)  # left, top, right, bottom

    def x(self, value):
        low, high = map(math.log10, self.x_range)
        share = (math.log10(min(max(value, self.x_range[0]), self.x_range[1])) - low) / (high - low)
        return self.box[0] + share * (self.box[2] - self.box[0])

    def y(self, value):
        low, high = self.y_range
        return self.box[3] - (value - low) / (high - low) * (self.box[3] - self.box[1])

    def clipped(self, body):
        """What lies outside the plotting area is not drawn."""
        left, top, right, bottom = self.box
        name = f"area-{self.width}-{self.height}-{right}"
        area = f"<clipPath id='{name}'><rect x='{left}' y='{top - 2}' width='{right - left}' height='{bottom - top + 4}'/></clipPath>"
        return f"{area}<g clip-path='url(#{name})'>{body}</g>"

    def axes(self, x_title, y_title, x_text="{:g}".format, y_text="{:g}".format, y_ticks=None):
        left, top, right, bottom = self.box
        parts = []
        for tick in decades(*self.x_range):
            x = self.x(tick)
            parts.append(f"<line class='grid' x1='{x:.1f}' y1='{top}' x2='{x:.1f}' y2='{bottom}' stroke='{GRID}'/>")
            parts.append(label(x, bottom + 18, x_text(tick), "middle"))
        for tick in y_ticks or nice_ticks(*self.y_range):
            y = self.y(tick)
            parts.append(f"<line class='grid' x1='{left}' y1='{y:.1f}' x2='{right}' y2='{y:.1f}' stroke='{GRID}'/>")
            parts.append(label(left - 7, y + 4, y_text(tick), "end"))
        frame = f"<rect class='frame' x='{left}' y='{top}' width='{right - left}' height='{bottom - top}' fill='none' stroke='{INK}'/>"
        parts += [frame, label((left + right) / 2, self.height - 8, x_title, "middle")]
        turned = f"transform='translate(15 {(top + bottom) / 2:.0f}) rotate(-90)'"
        parts.append(f"<text class='ink' {turned} text-anchor='middle' fill='{INK}'>{escape(y_title)}</text>")
        return "".join(parts)

    def steps(self, xs, ys, start=None):
        """Path of a step function; `start` is where it begins to be zero."""
        points = [f"M{self.x(start):.1f} {self.y(0):.1f}"] if start is not None else []
        for k, (x, y) in enumerate(zip(xs, ys, strict=True)):
            points.append(f"H{self.x(x):.1f}V{self.y(y):.1f}" if points or k else f"M{self.x(x):.1f} {self.y(y):.1f}")
        return "".join([*points, f"H{self.box[2]}"]) if points else ""


def label(x, y, text, anchor="start"):
    return f"<text class='ink' x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{INK}'>{escape(str(text))}</text>"


def picture(width, height, title, body):
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' role='img' "
        f"{FONT} font-size='13'><title>{escape(title)}</title>{body}</svg>"
    )


def decades(low, high):
    """The powers of ten in a range, and if they are few, twice and five times those."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1,) if high / low > 1e3 else (1, 2, 5) if high / low > 10 else (1, 1.5, 2, 3, 5, 7)
    return [tick for power in powers for factor in factors if low * 0.999 <= (tick := factor * 10.0**power) <= high * 1.001]


def nice_ticks(low, high, count=6):
    """Round numbers that cover a range."""
    step = 10.0 ** math.floor(math.log10((high - low) / count))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    first = math.ceil(low / step)
    ticks = [k * step for k in range(first, math.floor(high / step) + 1)]
    return [round(tick, 12) for tick in ticks]


def curve_path(path, method, colour, dashed=False):
    """A curve, and an invisible wide twin that is easy to point at."""
    if not path:
        return ""
    dash = " stroke-dasharray='6 4'" if dashed else ""
    name = escape(method, quote=True)
    kind = "curve published" if dashed else "curve"
    return (
        f"<g class='{kind}' data-method='{name}'>"
        f"<path class='reach' d='{path}' fill='none' stroke='{colour}' stroke-opacity='0' stroke-width='14'/>"
        f"<path class='line' d='{path}' fill='none' stroke='{colour}' stroke-width='2' stroke-linejoin='round'{dash}/></g>"
    )


def end_labels(frame, ends, colour):
    """Names at the right edge, moved apart where they would overlap; ends: [(y value, method)]."""
    ends = sorted(ends, key=lambda end: -end[0])
    top, bottom = frame.box[1] + 4, frame.box[3] + 10
    gap = min(13.0, (bottom - top) / max(len(ends) - 1, 1))
    places = []
    for value, _ in ends:  # downwards, each below the one before
        places.append(max(frame.y(value) + 4, top, places[-1] + gap if places else top))
    limit = bottom
    for k in reversed(range(len(places))):  # and back up from the bottom
        places[k] = limit = min(places[k], limit)
        limit -= gap
    text = "<text class='name' data-method='{0}' x='{1}' y='{2:.1f}' font-size='12' fill='{3}'>{4}</text>"
    return "".join(
        text.format(escape(method, quote=True), frame.box[2] + 6, y, colour[method], escape(method))
        for y, (_, method) in zip(places, ends, strict=True)
    )


# ---- the pictures


def profile(curves, published=(), title="Run time performance profile", tau_max=1000.0, colour=None):
    """rho(tau) of every method: the fraction of instances on which it is at most tau times slower than the fastest.

    curves      objects with method, x, y (a step function)
    published   more of them, drawn dashed
    """
    colour = colour or colours(sorted({curve.method for curve in [*curves, *published]}))
    frame = Frame((1.0, tau_max), (0.0, 1.0), right=84)
    shares = [k / 5 for k in range(6)]
    body = frame.axes("performance ratio τ", "instances solved, ρ(τ)", y_text=lambda y: f"{100 * y:.0f} %", y_ticks=shares)
    drawn = [*((curve, True) for curve in published), *((curve, False) for curve in reversed(list(curves)))]  # the best on top
    for curve, dashed in drawn:
        path = frame.steps(curve.x, curve.y, 1.0 if curve.x and curve.x[0] > 1 else None)
        body += curve_path(path, curve.method, colour[curve.method], dashed)
    ends = [(curve.y[-1], curve.method) for curve in curves if curve.y]
    return picture(frame.width, frame.height, title, body + end_labels(frame, ends, colour))


def cactus(curves, title="Instances solved within a time", colour=None):
    """Number of instances that a method solved within a time."""
    colour = colour or colours(sorted({curve.method for curve in curves}))
    times = [x for curve in curves for x in curve.x] or [1.0]
    frame = Frame(log_range(times), (0.0, max([1.0, *(curve.y[-1] for curve in curves if curve.y)])), right=84)
    body = frame.axes("time (s)", "instances solved")
    for curve in reversed(list(curves)):
        body += curve_path(frame.steps(curve.x, curve.y, frame.x_range[0]), curve.method, colour[curve.method])
    ends = [(curve.y[-1], curve.method) for curve in curves if curve.y]
    return picture(frame.width, frame.height, title, body + end_labels(frame, ends, colour))


def trace(traces, title="Value and bound over time", optimum=None, colour=None):
    """Value (solid) and bound (dotted) of every method over the logarithm of time; traces: method -> structured array or table."""
    colour = colour or colours(traces)
    events = [(float(t), float(v), float(b)) for rows in traces.values() for t, v, b in rows]
    values = [v for _, v, _ in events if math.isfinite(v)] + ([] if optimum is None else [float(optimum)])
    bounds = [b for _, _, b in events if math.isfinite(b)]
    if not values:
        return picture(720, 60, title, label(16, 34, "no solution to show"))
    window = y_window(values, bounds)
    if rises(traces):
        window = tuple(-y for y in reversed(y_window([-v for v in values], [-b for b in bounds])))
    frame = Frame(log_range([t for t, _, _ in events] or [1.0]), window, left=90, right=84)  # room for numbers of seven digits
    body = frame.axes("time (s)", "value (solid) and bound (dotted)", y_text=lambda y: f"{y:.6g}")
    if optimum is not None:
        y = frame.y(optimum)
        ends = f"x1='{frame.box[0]}' y1='{y:.1f}' x2='{frame.box[2]}' y2='{y:.1f}'"
        body += f"<line class='optimum' {ends} stroke='{INK}' stroke-dasharray='2 3'/>"
    curves = ""
    for method, rows in traces.items():
        for column, dotted in ((1, False), (2, True)):
            known = [(float(row[0]), float(row[column])) for row in rows if math.isfinite(row[column])]
            path = frame.steps([t for t, _ in known], [v for _, v in known])
            drawn = curve_path(path, method, colour[method])
            curves += drawn.replace("class='line'", "class='line' stroke-dasharray='1 4' stroke-linecap='round'") if dotted else drawn
    body += frame.clipped(curves)
    ends = [(float(rows[-1][1]), method) for method, rows in traces.items() if len(rows) and math.isfinite(rows[-1][1])]
    return picture(frame.width, frame.height, title, body + end_labels(frame, ends, colour))


def matching(points1, points2, labels, ground_truth=None, title="Matching"):
    """The two point sets side by side and the matching between them: right green, wrong red, unjudged blue, unmatched hollow.

    ground_truth  per left node the collection of right labels, empty where unknown; or None
    """
    width, height, gap = 720, 360, 90
    left = scaled(points1, 20, 20, (width - gap) / 2 - 30, height - 44)
    right = scaled(points2, (width + gap) / 2 + 10, 20, (width - gap) / 2 - 30, height - 44)
    body = label(24, height - 6, f"{len(left)} left nodes") + label(width - 24, height - 6, f"{len(right)} right nodes", "end")
    colour_of, used = {}, set()
    for i, s in enumerate(labels):
        truth = () if ground_truth is None else ground_truth[i]
        kind, colour = ("right", RIGHT) if s in truth else ("wrong", WRONG) if len(truth) else ("unjudged", UNKNOWN)
        if s >= 0:
            used.add(int(s))
            colour_of[i] = colour
            (x1, y1), (x2, y2) = left[i], right[int(s)]
            body += (
                f"<line class='pair {kind}' x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{colour}' stroke-width='1.3' "
                f"stroke-opacity='.75'><title>{i} to {int(s)}: {kind}</title></line>"
            )
    for i, (x, y) in enumerate(left):
        body += dot(x, y, colour_of.get(i), f"left {i}")
    taken = {int(s): colour_of[i] for i, s in enumerate(labels) if s >= 0}
    for s, (x, y) in enumerate(right):
        body += dot(x, y, taken.get(s), f"right {s}")
    return picture(width, height, title, body)


def dot(x, y, colour, text):
    """A filled circle, or a hollow one for an unmatched node."""
    look = f"class='node' fill='{colour}' stroke='{colour}'" if colour else f"class='node unmatched' fill='none' stroke='{INK}'"
    return f"<circle {look} cx='{x:.1f}' cy='{y:.1f}' r='3.6'><title>{text}</title></circle>"


def scaled(points, x, y, width, height):
    """Points moved into a box without distortion; y downwards as in images."""
    xs, ys = [float(p[0]) for p in points], [float(p[1]) for p in points]
    spread_x, spread_y = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    factor = min(width / spread_x, height / spread_y)
    shift_x, shift_y = x + (width - factor * spread_x) / 2, y + (height - factor * spread_y) / 2
    return [(shift_x + factor * (px - min(xs)), shift_y + factor * (py - min(ys))) for px, py in zip(xs, ys, strict=True)]


def log_range(times):
    """A range that holds all times, not narrower than a factor of ten."""
    low, high = max(min(times), 1e-5), max(max(times), 1e-4)
    high = max(high * 1.3, low * 10)
    return low * 0.8, high


def y_window(values, bounds):
    """Room for the best value, the best bound and most values on the way there; the worst tenth of them is cut off, so that the end
    stays readable. Values that differ by rounding only count once. Minimised: bounds lie below."""
    distinct = sorted({float(f"{value:.9g}") for value in values})
    low = min([distinct[0], max(bounds, default=distinct[0])])
    high = distinct[int(0.9 * len(distinct))]
    margin = max(0.06 * (high - low), 1e-3 * max(abs(low), abs(high))) or 1.0
    return low - margin, high + margin


def rises(traces):
    """Whether values get better by rising: the sense of what was solved."""
    known = [[float(row[1]) for row in rows if math.isfinite(row[1])] for rows in traces.values()]
    return sum(values[-1] - values[0] for values in known if values) > 0


# ---- files

CONVERTERS = {  # program -> its arguments; the first one that is installed makes the PNG
    "rsvg-convert": lambda svg, png, w, h: ["--zoom", "2", "--background-color", "white", "-o", png, svg],
    "inkscape": lambda svg, png, w, h: ["--export-type=png", f"--export-filename={png}", "--export-dpi=192", svg],
    "chromium": lambda svg, png, w, h: chrome(svg, png, w, h),
    "google-chrome": lambda svg, png, w, h: chrome(svg, png, w, h),
}


def chrome(svg, png, width, height):
    return [
        "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--force-device-scale-factor=2", f"--window-size={width},{height}", f"--user-data-dir={Path(png).parent / 'profile'}",
        f"--screenshot={png}", Path(svg).as_uri(),
    ]  # fmt: skip


def check_suffix(path):
    if Path(path).suffix not in (".svg", ".png"):
        raise InputError(f"{path}: pictures are written as .svg or .png")


def save_picture(svg, path):
    """Write a picture as .svg, or as .png at twice the size (192 dots per inch)."""
    check_suffix(path)
    content = svg.encode() if Path(path).suffix == ".svg" else rasterised(svg)
    with replacing(path) as draft:
        draft.write_bytes(content)


def rasterised(svg):
    """PNG of a picture."""
    program = next((name for name in CONVERTERS if shutil.which(name)), None)
    if program is None:
        raise GMError(f"PNG needs one of {', '.join(CONVERTERS)} (apt-get install librsvg2-bin); SVG needs nothing")
    width, height = (int(svg.split(f" {name}='")[1].split("'")[0]) for name in ("width", "height"))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "picture.svg", Path(folder) / "picture.png"
        source.write_text(svg, encoding="utf-8")
        command = [program, *map(str, CONVERTERS[program](source, target, width, height))]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if not target.is_file():
            raise GMError(f"{program} made no PNG: {done.stderr.strip()[-300:]}")
        return target.read_bytes()
