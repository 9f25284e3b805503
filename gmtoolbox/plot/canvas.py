"""What every picture is made of: a frame with axes, and curves, as SVG."""

import math
import re
from html import unescape

from gmtoolbox.core.text import markup

INK, GRID = "#222222", "#d8d8d8"
FAINT = "#88888866"  # a grid on any ground
HEADING = 28  # pixels above a picture for its heading
FONT = "font-family='system-ui, Helvetica, Arial, sans-serif'"


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

    def clipped(self, body):
        """What lies outside the plotting area is not drawn."""
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
        """Return the path of a step function; it is zero from `start` on."""
        points = [f"M{self.x(start):.1f} {self.y(0):.1f}"] if start is not None else []
        for x, y in zip(xs, ys, strict=True):
            step = "H{:.1f}V{:.1f}" if points else "M{:.1f} {:.1f}"
            points.append(step.format(self.x(x), self.y(y)))
        return "".join([*points, f"H{self.box[2]}"]) if points else ""


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
        told = f" {unescape(title[1])!r}" if title else ""
        return f"<Picture{told}{', ' + size[1].replace(' ', ' x ') if size else ''}>"

    def _repr_svg_(self):
        """The text itself."""
        return str(self)

    def _repr_html_(self):
        """As a part of the page: with its ink, in dark ones too, and no wider than it."""
        themed = self.replace(f"'{INK}'", "'currentColor'").replace(f"'{GRID}'", f"'{FAINT}'")
        return themed.replace("<svg ", "<svg style='max-width:100%;height:auto' ", 1)

    def save(self, path):
        """Write the picture as .svg, .png or .pdf."""
        from gmtoolbox.plot.files import save_picture  # most pictures are only shown

        save_picture(self, path)

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
    return [round(tick, 12) for tick in ticks]


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
