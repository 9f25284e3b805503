"""Charts of step curves over a logarithmic axis, drawn from the same data as SVG and by matplotlib;
a method has the same colour and dash in all of them.

Profiles, cactus plots and traces are Charts. `Chart.picture` is their SVG; matplotlib draws them in
the coordinates of the data, for PNG and PDF files and on the axes of a user.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import printable
from gmtoolbox.plot.canvas import (
    HEADING,
    HEIGHT,
    INK,
    LEADER,
    LETTER,
    QUIET,
    ROOM,
    Frame,
    Picture,
    curve_path,
    decades,
    end_labels,
    label,
    label_ends,
    nice_ticks,
    picture,
)

DOTTED = "1 4"  # the dash of bounds
LEADER_LINE = {"arrowstyle": "-", "linewidth": 0.75, "shrinkA": 0, "shrinkB": 0}
KEY_LINE, KEY_ROW, KEY_MARGIN = 40, 18, 12  # pixels of the key below a chart
Y_TITLE = 16  # pixels that matplotlib needs more than the SVG left of the axes

# Luminance between 0.13 and 0.3: at least 3:1 against white paper and against a dark screen.
PALETTE = (
    "#1d74cb",
    "#b45a1a",
    "#138526",
    "#df2040",
    "#a042e4",
    "#8d6f14",
    "#137f88",
    "#cd1db0",
    "#418213",
    "#5864e7",
    "#4494e4",
    "#e07224",
    "#18a730",
    "#e9657b",
    "#b871eb",
    "#b18b19",
    "#189fab",
    "#e755cf",
    "#51a317",
    "#7e87ed",
)
HUES = PALETTE[:8] + PALETTE[9:10]  # the ninth differs little from the third
DASHES = ("", "9 4", "4 3", "14 4 3 4", "9 3 2 3 2 3", "18 5", "6 2 2 2", "12 3 6 3", "3 6", "24 4")


class Style(NamedTuple):
    """The look of a curve; dash as in SVG's stroke-dasharray, '' for a solid line."""

    colour: str
    dash: str = ""


# A family has one hue. Two methods whose colours are less than 20 apart (CIE76), also for readers
# with deuteranopia or protanopia, have different dashes: tests/plot/test_styles.py.
FIXED = {
    "aj": Style("#1d74cb", "9 4"),
    "auto": Style("#1d74cb", ""),
    "dd-ls0": Style("#b45a1a", "9 4"),
    "dd-ls3": Style("#b45a1a", "3 6"),
    "dd-ls4": Style("#b45a1a", "24 4"),
    "faq": Style("#138526", "20 3 3 3"),
    "fgmd": Style("#5864e7", "14 4 3 4"),
    "fm": Style("#137f88", "9 4"),
    "fm-bca": Style("#137f88", ""),
    "fw": Style("#138526", "4 3"),
    "ga": Style("#8d6f14", "9 3 2 3 2 3"),
    "hbp": Style("#b45a1a", "18 5"),
    "ilp": Style("#1d74cb", "9 3 2 3 2 3"),
    "ipfps": Style("#df2040", "14 4 3 4"),
    "ipfpu": Style("#df2040", "7 7"),
    "lsm": Style("#418213", "15 3 2 3"),
    "mgm": Style("#1d74cb", "6 2 2 2"),
    "mp": Style("#b45a1a", ""),
    "mp-fw": Style("#b45a1a", "6 2 2 2"),
    "mp-mcf": Style("#b45a1a", "12 3 6 3"),
    "mpm": Style("#df2040", "2 2"),
    "pm": Style("#cd1db0", "18 5"),
    "rrwm": Style("#cd1db0", "4 3"),
    "sm": Style("#a042e4", "4 3"),
    "smac": Style("#a042e4", "18 5"),
    "sync": Style("#137f88", "14 4 3 4"),
}


def colours(methods):
    """A colour for each method, in the order given: the first ten differ most.

    Parameters
    ----------
    methods : iterable of str

    Returns
    -------
    dict

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.plot.colours(["fm", "aj"])
    {'fm': '#1d74cb', 'aj': '#b45a1a'}
    """
    return {method: PALETTE[k % len(PALETTE)] for k, method in enumerate(methods)}


def styles(methods):
    """Return method -> Style: the fixed ones of the registered methods, and for others looks that
    no method of the registry has.
    """
    found, taken = {}, set(FIXED.values())
    free = (Style(colour, dash) for dash in DASHES for colour in HUES)
    for method in methods:
        if method not in FIXED:
            look = next((style for style in free if style not in taken), Style(HUES[0]))
            taken.add(look)
        found[method] = FIXED.get(method) or look
    return found


def as_styles(given, methods):
    """A mapping of colours or Styles as one of Styles; every method must have one."""
    for method in methods:
        if method not in given:
            raise InputError(f"colour must name every method, but has no {method!r}")
    return {m: look if isinstance(look, Style) else Style(look) for m, look in given.items()}


@dataclass(frozen=True)
class Curve:
    """A step function: from x[k] on it has the value y[k]."""

    method: str
    x: list
    y: list
    look: Style
    start: float = None  # it is 0 from here on
    is_thin: bool = False
    is_dotted: bool = False

    def points(self, x_end):
        """Return the corners (xs, ys) of the steps as matplotlib wants them."""
        xs, ys = list(self.x), list(self.y)
        if self.start is not None and xs:
            xs, ys = [self.start, *xs], [0.0, *ys]
        return ([*xs, x_end], [*ys, ys[-1]]) if xs else ([], [])


@dataclass(frozen=True)
class Chart:
    """Curves, their axes and the labels at their ends."""

    title: str
    x_title: str
    y_title: str
    x_range: tuple
    y_range: tuple
    curves: list
    ends: list  # (y value, method) of the curves that are labelled
    looks: dict  # method -> Style
    y_text: object = "{:g}".format
    end_text: object = None  # of a y value in a label; default: y_text
    y_ticks: list = None
    line: tuple = None  # (y value, text) of a horizontal line
    marks: list = field(default_factory=list)  # Curves that lie below or above the window
    width: int = 820
    height: int = 400
    left: int = 64
    heading: str = None  # drawn above

    @property
    def frame(self):
        """The pixels of the SVG."""
        return Frame(self.x_range, self.y_range, self.width, self.height, self.left, ROOM)

    def key(self):
        """Return (method, x, y) of the key below the chart: a piece of the curve and the name of
        each method that shares its label with others, as the label does not distinguish them.
        """
        entries = label_ends(self.frame, self.ends, self.end_text or self.y_text, self.line)
        methods = [name for _, _, some, _ in entries if len(some) > 1 for name in some]
        column = KEY_LINE + LETTER * max(map(len, methods), default=0) + 2 * KEY_MARGIN
        across = max(1, int((self.width - KEY_MARGIN) // column))
        return [
            (name, KEY_MARGIN + column * (k % across), self.height + KEY_ROW * (k // across) + 8)
            for k, name in enumerate(methods)
        ]

    def full_height(self):
        """Return the height with the key."""
        key = self.key()
        return key[-1][2] + KEY_MARGIN if key else self.height

    def picture(self):
        """Return the chart as SVG."""
        frame = self.frame
        body = frame.axes(self.x_title, self.y_title, y_text=self.y_text, y_ticks=self.y_ticks)
        if self.line is not None:
            body += line_svg(frame, self.line[0])
        curves = "".join(curve_svg(frame, curve) for curve in self.curves)
        marks = "".join(mark_svg(frame, curve) for curve in self.marks)
        labels = end_labels(frame, self.ends, self.looks, self.end_text or self.y_text, self.line)
        key = "".join(key_svg(*place, self.looks) for place in self.key())
        made = picture(
            self.width,
            self.full_height(),
            self.title,
            body + frame.clip(curves) + marks + labels + f"<g class='key'>{key}</g>" * bool(key),
            self.heading,
        )
        return ChartPicture(made, self)

    def draw(self, ax):
        """Draw the chart on matplotlib's axes, in the coordinates of the data; `ax.legend()` adds
        the key.
        """
        keyed = {method for method, _, _ in self.key()}
        ax.set_xscale("log")
        ax.set_xlim(*self.x_range)
        ax.set_ylim(*self.y_range)
        ax.set_xlabel(spell(self.x_title))
        ax.set_ylabel(spell(self.y_title))
        ticks = decades(*self.x_range)
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.minorticks_off()
        ticks = self.y_ticks or nice_ticks(*self.y_range)
        ax.set_yticks(ticks, [self.y_text(tick) for tick in ticks])
        ax.grid(True, color="#d8d8d8", linewidth=0.75)
        ax.set_axisbelow(True)
        if self.line is not None:
            ax.axhline(self.line[0], color=INK, linewidth=0.75, linestyle=(0, (2, 3)))
        for curve in self.curves:
            xs, ys = curve.points(self.x_range[1])
            dash = DOTTED if curve.is_dotted else curve.look.dash
            is_keyed = curve.method in keyed and not (curve.is_thin or curve.is_dotted)
            ax.step(
                xs, ys, where="post", color=curve.look.colour, linestyle=line_style(dash),
                label=spell(curve.method) if is_keyed else f"_{curve.method}",
                linewidth=0.75 if curve.is_thin else 1.5,
            )  # fmt: skip
        for curve in self.marks:
            ax.plot(
                [max(curve.x[0], self.x_range[0])], [0.985 if self.is_above(curve) else 0.015],
                marker="^" if self.is_above(curve) else "v", color=curve.look.colour, markersize=6,
                transform=ax.get_xaxis_transform(), linestyle="none",
            )  # fmt: skip
        self.draw_labels(ax)
        if self.heading:
            ax.set_title(spell(self.heading), fontsize=11)
        return ax

    def draw_labels(self, ax):
        """Write the names of the curves right of the axes."""
        frame = self.frame
        left, top, right, bottom = frame.box
        fraction = lambda pixel: (bottom - pixel) / (bottom - top)
        beside = 1 + LEADER / (right - left)
        entries = label_ends(frame, self.ends, self.end_text or self.y_text, self.line)
        for y, place, members, lines in entries:
            colour = self.looks[members[0]].colour if len(members) == 1 else QUIET
            colour = colour if members else INK
            ends = [fraction(y), fraction(place - 4)]
            ax.annotate(
                "", (1.0, ends[0]), (beside - 0.004, ends[1]), xycoords="axes fraction",
                annotation_clip=False, arrowprops={**LEADER_LINE, "color": colour},
            )  # fmt: skip
            for k, line in enumerate(lines):
                height = fraction(place - 4 + k * HEIGHT)
                ax.text(
                    beside, height, spell(line), color=colour, fontsize=9, va="center",
                    transform=ax.transAxes,
                )  # fmt: skip

    def is_above(self, curve):
        """Return whether a curve outside the window is above it."""
        return curve.y[-1] > self.y_range[1]

    def draw_figure(self, figure):
        """Draw the chart on a matplotlib figure of its size."""
        left, top, right, bottom = self.frame.box
        above = HEADING if self.heading else 0
        left, right = (left + Y_TITLE) / self.width, right / self.width
        height = self.full_height() + above
        box = (left, 1 - (bottom + above) / height, right - left, (bottom - top) / height)
        self.draw(figure.add_axes(box))
        from matplotlib.lines import Line2D

        for method, x, y in self.key():
            colour, dash = self.looks[method]
            at = 1 - (y + above) / height
            ends = [x / self.width, (x + KEY_LINE) / self.width]
            figure.add_artist(
                Line2D(ends, [at, at], color=colour, linewidth=1.5, linestyle=line_style(dash))
            )
            figure.text(ends[1] + 6 / self.width, at, spell(method), fontsize=9, va="center")


class ChartPicture(Picture):
    """The SVG of a Chart, which it keeps for matplotlib."""

    def __new__(cls, svg, chart):
        made = super().__new__(cls, svg)
        made.chart = chart
        return made

    def __getnewargs__(self):
        return str(self), self.chart

    def hide_key(self):
        """Return the SVG cut off above its key, for pages that have one; data-key: its height."""
        chart, full = self.chart, self.chart.full_height()
        above = HEADING if chart.heading else 0
        size = f"viewBox='0 {-above} {chart.width} {{0}}' width='{chart.width}' height='{{0}}'"
        return self.replace(
            size.format(full + above),
            size.format(chart.height + above) + f" data-key='{full - chart.height}'",
            1,
        )

    def draw(self, ax):
        """Draw the chart on matplotlib's axes, in the coordinates of the data; returns them."""
        return self.chart.draw(ax)


def curve_svg(frame, curve):
    """Return the SVG of a curve."""
    path = frame.steps(curve.x, curve.y, curve.start)
    look = Style(curve.look.colour) if curve.is_dotted else curve.look
    drawn = curve_path(path, curve.method, look, curve.is_thin)
    if curve.is_dotted:
        dots = f"class='line' stroke-dasharray='{DOTTED}' stroke-linecap='round'"
        drawn = drawn.replace("class='line'", dots)
    return drawn


def line_style(dash):
    """Return a dash of SVG as matplotlib wants it."""
    return (0, [0.5 * float(part) for part in dash.split()]) if dash else "-"


def key_svg(method, x, y, looks):
    """Return the SVG of one entry of the key."""
    colour, dash = looks[method]
    dashed = f" stroke-dasharray='{dash}'" if dash else ""
    return (
        f"<path d='M{x:.1f} {y}h{KEY_LINE}' fill='none' stroke='{colour}' stroke-width='2'"
        f"{dashed}/>{label(x + KEY_LINE + 6, y + 4, method)}"
    )


def line_svg(frame, y):
    """Return the SVG of a horizontal line, empty if it is outside the frame."""
    if not frame.holds(y):
        return ""
    left, _, right, _ = frame.box
    height = frame.y(y)
    ends = f"x1='{left}' y1='{height:.1f}' x2='{right}' y2='{height:.1f}'"
    return f"<line class='optimum' {ends} stroke='{INK}' stroke-dasharray='2 3'/>"


def mark_svg(frame, curve):
    """Return a small triangle at the lower or upper edge: a curve is beyond it."""
    across, (_, top, _, bottom) = frame.x(curve.x[0]), frame.box
    kind, base, tip = "below", bottom - 8, bottom - 1
    if curve.y[-1] > frame.y_range[1]:
        kind, base, tip = "above", top + 8, top + 1
    points = f"M{across - 4:.1f} {base}L{across + 4:.1f} {base}L{across:.1f} {tip}Z"
    return f"<path class='{kind}' d='{points}' fill='{curve.look.colour}'/>"


def spell(text):
    """Return a text as matplotlib draws it: control characters are escaped, $ is no formula."""
    return printable(text).replace("$", r"\$")
