"""The parts of every picture, as SVG: a frame with axes, curves, their labels, legends."""

import io
import json
import math
import re
import xml.etree.ElementTree as xml
from html import unescape

from gmtoolbox.core.errors import GMError
from gmtoolbox.core.text import markup
from gmtoolbox.io.formats import PICTURE, save_file

INK, GRID = "#222222", "#d8d8d8"
QUIET = "#5a6068"  # labels of several curves
FAINT = "#88888866"  # a grid on any ground
HEADING = 28  # pixels above a picture for its heading
FONT = "font-family='system-ui, Helvetica, Arial, sans-serif'"
GROUP = 4  # this many curves that end together have one label
NAMED = 6  # a label names at most this many curves
ROOM = 190  # pixels right of the frame for labels
COLUMNS = 26  # characters of a line of a label
LEADER = 14  # pixels between the frame and a label
HEIGHT = 14.0  # of a line
LETTER = 7.4  # pixels, about, of the font's size 13
BETWEEN = 18
# PDF fonts as Type 42, which journals accept; Type 3, matplotlib's default, they refuse
FONTS = {"pdf.fonttype": 42, "ps.fonttype": 42, "font.size": 9.75}


class Frame:
    """A plotting area with a logarithmic x axis and a linear y axis."""

    def __init__(self, x_range, y_range, width=720, height=400, left=64, right=16):
        self.x_range, self.y_range = x_range, y_range
        self.width, self.height = width, height
        self.box = (left, 14, width - right, height - 46)  # left, top, right, bottom

    def x(self, value):
        """Pixel of a value on the x axis; values beyond its ends are put there."""
        low, high = map(math.log10, self.x_range)
        share = (math.log10(min(max(value, self.x_range[0]), self.x_range[1])) - low) / (high - low)
        return self.box[0] + share * (self.box[2] - self.box[0])

    def y(self, value):
        """Pixel of a value on the y axis."""
        low, high = self.y_range
        return self.box[3] - (value - low) / (high - low) * (self.box[3] - self.box[1])

    def holds(self, value):
        """Return whether a value is between the ends of the y axis."""
        return self.y_range[0] <= value <= self.y_range[1]

    def clip(self, body):
        """Draw only the part inside the plotting area."""
        left, top, right, bottom = self.box
        name = f"area-{self.width}-{self.height}-{right}"
        area = (
            f"<clipPath id='{name}'><rect x='{left}' y='{top - 2}' width='{right - left}'"
            f" height='{bottom - top + 4}'/></clipPath>"
        )
        return f"{area}<g clip-path='url(#{name})'>{body}</g>"

    def axes(self, x_title, y_title, x_text="{:g}".format, y_text="{:g}".format, y_ticks=None):
        """SVG of the grid, the frame, the ticks and the titles."""
        left, top, right, bottom = self.box
        parts = []
        for tick in decades(*self.x_range):
            x = self.x(tick)
            parts.append(
                f"<line class='grid' x1='{x:.1f}' y1='{top}' x2='{x:.1f}' y2='{bottom}'"
                f" stroke='{GRID}'/>"
            )
            parts.append(label(x, bottom + 18, x_text(tick), "middle"))
        for tick in y_ticks or nice_ticks(*self.y_range):
            y = self.y(tick)
            parts.append(
                f"<line class='grid' x1='{left}' y1='{y:.1f}' x2='{right}' y2='{y:.1f}'"
                f" stroke='{GRID}'/>"
            )
            parts.append(label(left - 7, y + 4, y_text(tick), "end"))
        frame = (
            f"<rect class='frame' x='{left}' y='{top}' width='{right - left}'"
            f" height='{bottom - top}' fill='none' stroke='{INK}'/>"
        )
        parts += [frame, label((left + right) / 2, self.height - 8, x_title, "middle")]
        turned = f"transform='translate(15 {(top + bottom) / 2:.0f}) rotate(-90)'"
        parts.append(
            f"<text class='ink' {turned} text-anchor='middle' fill='{INK}'>{markup(y_title)}</text>"
        )
        return "".join(parts)

    def steps(self, xs, ys, start=None):
        """Return the path of a step function; it is zero from `start` on. Steps that cannot be seen
        are left out.
        """
        corners = [] if start is None else [(start, 0)]
        path, pen = "", None
        for x, y in [*corners, *zip(xs, ys, strict=True)]:
            at = f"{self.x(x):.1f}", f"{self.y(y):.1f}"
            if pen is None:
                path = f"M{at[0]} {at[1]}"
            elif at[1] == pen[1]:
                continue
            else:
                path += (f"H{at[0]}" if at[0] != pen[0] else "") + f"V{at[1]}"
            pen = at
        return f"{path}H{self.box[2]}" if path else ""


def label(x, y, text, anchor="start", colour=INK):
    """SVG of a text."""
    kind = " class='ink'" if colour == INK else ""
    return (
        f"<text{kind} x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'"
        f" fill='{colour}'>{markup(str(text))}</text>"
    )


class Picture(str):
    """The text of one SVG element, which notebooks show.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.car(seed=0, size=6)
    >>> type(gm.plot.matching(p)).__name__
    'Picture'
    """

    __slots__ = ()

    def __repr__(self):
        """Return a short text: a notebook keeps it next to the picture."""
        title = re.search("<title>(.*?)</title>", self)
        size = re.search("viewBox='0 -?[0-9]+ (.*?)'", self)
        shown = f" {unescape(title[1])!r}" if title else ""
        return f"<Picture{shown}{', ' + size[1].replace(' ', ' x ') if size else ''}>"

    def _repr_svg_(self):
        """The text itself."""
        return str(self)

    def _repr_html_(self):
        """As a part of the page: with its ink, in dark ones too, and no wider than it."""
        themed = self.replace(f"'{GRID}'", f"'{FAINT}'")
        for colour in (INK, QUIET):
            themed = themed.replace(f"'{colour}'", "'currentColor'")
        return themed.replace("<svg ", "<svg style='max-width:100%;height:auto' ", 1)

    def save(self, path):
        """Write the picture as .svg, .png or .pdf."""
        save_file(self, path, holds=PICTURE)

    def draw(self, ax):
        """Draw the picture on matplotlib's axes; returns them."""
        from gmtoolbox.plot.on_axes import draw  # most pictures are only shown

        return draw(self, ax)


def picture(width, height, title, body, heading=None):
    """Return the Picture of a body with its size and title; heading: is drawn above it."""
    top = 0
    if heading:
        top = HEADING
        body += (
            f"<text class='ink heading' x='{width / 2:.1f}' y='-9' text-anchor='middle'"
            f" font-size='15' fill='{INK}'>{markup(heading)}</text>"
        )
    return Picture(
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 {-top} {width} {height + top}'"
        f" width='{width}' height='{height + top}' role='img' {FONT}"
        f" font-size='13'><title>{markup(title)}</title>{body}</svg>"
    )


def render(svg, suffix):
    """The bytes of a picture as .png at twice the size, or as .pdf."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise GMError(f"matplotlib is not installed: {error}") from error
    root = xml.fromstring(svg)
    width, height = float(root.get("width")), float(root.get("height"))
    figure = Figure(figsize=(width / 96, height / 96), dpi=192)
    FigureCanvasAgg(figure)
    chart = getattr(svg, "chart", None)
    stream = io.BytesIO()
    extra = {"metadata": {"CreationDate": None}} if suffix == ".pdf" else {}
    with rc_context(FONTS):
        if chart is not None:
            chart.draw_figure(figure)
        else:
            Picture(svg).draw(figure.add_axes((0, 0, 1, 1)))
        figure.savefig(stream, format=suffix[1:], dpi=192, facecolor="white", **extra)
    return stream.getvalue()


def decades(low, high):
    """The powers of ten in a range, and if they are few, twice and five times those."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if high / low > 10 else (1, 1.5, 2, 3, 5, 7)
    factors = (1,) if high / low > 1e3 else factors
    return [
        tick
        for power in powers
        for factor in factors
        if low * 0.999 <= (tick := factor * 10.0**power) <= high * 1.001
    ]


def nice_ticks(low, high, count=6):
    """Round numbers that cover a range."""
    step = 10.0 ** math.floor(math.log10((high - low) / count))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    first = math.ceil(low / step)
    ticks = [k * step for k in range(first, math.floor(high / step) + 1)]
    return [float(f"{tick:.12g}") for tick in ticks]


def curve_path(path, method, look, published=False):
    """A curve, and an invisible wide twin that is easy to point at; published ones are thin."""
    if not path:
        return ""
    dash = f" stroke-dasharray='{look.dash}'" if look.dash else ""
    name = markup(method, quote=True)
    kind, width = ("curve published", 1) if published else ("curve", 2)
    return (
        f"<g class='{kind}' data-method='{name}'><path class='reach' d='{path}' fill='none'"
        f" stroke='{look.colour}' stroke-opacity='0' stroke-width='14'/><path class='line'"
        f" d='{path}' fill='none' stroke='{look.colour}' stroke-width='{width}'"
        f" stroke-linejoin='round'{dash}/></g>"
    )


def log_range(times):
    """A range that holds all times, not narrower than a factor of ten."""
    low, high = max(min(times), 1e-5), max(max(times), 1e-4)
    high = max(high * 1.3, low * 10)
    return low * 0.8, high


# ---- names at the ends of curves, rows of coloured words


def end_labels(frame, ends, looks, y_text="{:g}".format, line=None):
    """Return labels right of the frame, moved apart if they would overlap, each with a line to the
    end of its curve.

    ends    [(y value, method)]
    looks   method -> Style
    y_text  a y value in words, for groups
    line    (y value, text) of a horizontal line, which gets a label, too
    """
    entries = label_ends(frame, ends, y_text, line)
    return "".join(label_svg(frame, *entry, looks) for entry in entries)


def label_ends(frame, ends, y_text, line=None):
    """Return (height of the curve's end, baseline of the label, methods, lines of text) of every
    label, from the top; the label of a line has no methods.
    """
    entries = group_ends(frame, ends, y_text)
    if line is not None and frame.holds(line[0]):
        entries = sorted([(frame.y(line[0]), [], [line[1]]), *entries], key=lambda entry: entry[0])
    places = move_apart(frame, [(y, len(lines)) for y, _, lines in entries])
    return [(y, place, *rest) for (y, *rest), place in zip(entries, places, strict=True)]


def group_ends(frame, ends, y_text):
    """Return (y in pixels, methods, lines) from the top; methods whose curves end within a pixel of
    each other are one entry if they are many; its names are in the order given.
    """
    together = {}
    for value, method in ends:
        together.setdefault(round(frame.y(value)), []).append((value, method))
    entries = []
    for _, some in sorted(together.items()):
        methods = [method for _, method in some]
        y = min(max(frame.y(some[0][0]), frame.box[1]), frame.box[3])  # of the window's end
        if len(some) >= GROUP:
            entries.append((y, methods, group_lines(some, y_text)))
        else:
            entries += [(y, [method], [method]) for method in methods]
    return entries


def group_lines(some, y_text):
    """Return the lines of a label of several curves: the first names, then their values."""
    names = [method for _, method in some[:NAMED]]
    if len(some) > NAMED:
        names.append(f"{len(some) - NAMED} more")
    lines = [""]
    for k, name in enumerate(names):
        word = name + ("," if k + 1 < len(names) else "")
        if lines[-1] and len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    values = [value for value, _ in some]
    first, last = y_text(min(values)), y_text(max(values))
    return [*lines, f"at {first}" if first == last else f"at {first} to {last}"]


def move_apart(frame, labels):
    """Return the first baselines of labels (y, number of lines), in order, at least as many lines
    apart as they have if there is room.
    """
    top, bottom = frame.box[1] + 4, frame.box[3] + 10
    total = sum(lines for _, lines in labels)
    line = min(HEIGHT, (bottom - top + HEIGHT) / max(total, 1))
    places, free = [], top
    for y, lines in labels:  # downwards, each below the one before
        places.append(max(y + 4 - (lines - 1) * line / 2, free))
        free = places[-1] + lines * line
    limit = bottom
    for k in reversed(range(len(places))):  # and back up from the bottom
        last = (labels[k][1] - 1) * line
        places[k] = min(places[k], limit - last)
        limit = places[k] - line
    return places


def label_svg(frame, y, place, members, lines, looks):
    """Return the SVG of one label with its leader line."""
    right = frame.box[2]
    if not members:
        return label(right + LEADER, place, lines[0]) + leader_svg(right, y, place, INK)
    one = len(members) == 1
    colour = looks[members[0]].colour if one else QUIET
    names = f"data-members='{markup(json.dumps(members))}'"
    if one:
        names = f"data-method='{markup(members[0])}'"
    written = "".join(
        f"<tspan x='{right + LEADER}' y='{place + k * HEIGHT:.1f}'>{markup(line)}</tspan>"
        for k, line in enumerate(lines)
    )
    if one:
        written = markup(lines[0])
    title = "" if one else f"<title>{markup(', '.join(members))}</title>"
    return (
        f"{leader_svg(right, y, place, colour)}"
        f"<text class='name{'' if one else ' group'}' {names} x='{right + LEADER}'"
        f" y='{place:.1f}' font-size='12' fill='{colour}'>{title}{written}</text>"
    )


def leader_svg(right, y, place, colour):
    """Return the SVG of the line between the end of a curve and its label."""
    return (
        f"<line class='leader' x1='{right}' y1='{y:.1f}' x2='{right + LEADER - 3}'"
        f" y2='{place - 4:.1f}' stroke='{colour}' stroke-opacity='.7'/>"
    )


# ---- rows of coloured words below pictures


def hollow_nodes(n1, n2, n_matched):
    """Return the parts of a legend about the nodes without a match, of both sides."""
    free = [f"{n - n_matched} {side}" for n, side in ((n1, "left"), (n2, "right")) if n > n_matched]
    return [(f"unmatched (hollow): {', '.join(free)}", INK)] if free else []


def legend_row(x, y, parts, width):
    """Return the SVG of (text, colour) side by side around x; in as many rows upwards from y as
    they need to fit.
    """
    rows, here, room = [], [], 0.0
    for text, colour in parts:
        needed = LETTER * len(text) + BETWEEN
        if here and room + needed > width:
            rows.append(here)
            here, room = [], 0.0
        here = [*here, (text, colour)]
        room += needed
    rows.append(here)
    body = ""
    for k, row in enumerate(reversed(rows)):
        at = x - sum(LETTER * len(text) + BETWEEN for text, _ in row) / 2 + BETWEEN / 2
        for text, colour in row:
            body += label(at, y - 17 * k, text, colour=colour)
            at += LETTER * len(text) + BETWEEN
    return f"<g class='legend'>{body}</g>"
