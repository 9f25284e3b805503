"""Charts of step curves over a logarithmic axis, drawn from the same data as SVG and by matplotlib.

Profiles, cactus plots and traces are Charts. `Chart.picture` is their SVG; matplotlib draws them in
the coordinates of the data, for PNG and PDF files and on the axes of a user.
"""

import math
from dataclasses import dataclass, field, replace

from gmtoolbox.core.text import markup, printable
from gmtoolbox.plot.canvas import (
    HEADING,
    HEIGHT,
    INK,
    LEADER,
    ROOM,
    Frame,
    Picture,
    curve_path,
    decades,
    end_labels,
    label_ends,
    nice_ticks,
    picture,
)
from gmtoolbox.plot.styles import Style

DOTTED = "1 4"  # the dash of bounds
LEADER_LINE = {"arrowstyle": "-", "linewidth": 0.75, "shrinkA": 0, "shrinkB": 0}
Y_TITLE = 16  # pixels that matplotlib needs more than the SVG left of the axes


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
    marks: list = field(default_factory=list)  # (x, method): a curve that lies below the window
    width: int = 820
    height: int = 400
    left: int = 64
    heading: str = None  # drawn above

    @property
    def frame(self):
        """The pixels of the SVG."""
        return Frame(self.x_range, self.y_range, self.width, self.height, self.left, ROOM)

    def picture(self):
        """Return the chart as SVG."""
        frame = self.frame
        body = frame.axes(self.x_title, self.y_title, y_text=self.y_text, y_ticks=self.y_ticks)
        if self.line is not None:
            body += line_svg(frame, *self.line)
        curves = "".join(curve_svg(frame, curve) for curve in self.curves)
        marks = "".join(mark_svg(frame, x, self.looks[method]) for x, method in self.marks)
        labels = end_labels(frame, self.ends, self.looks, self.end_text or self.y_text)
        made = picture(
            self.width,
            self.height,
            self.title,
            body + frame.clipped(curves) + marks + labels,
            self.heading,
        )
        return ChartPicture(made, self)

    def draw(self, ax):
        """Draw the chart on matplotlib's axes, in the coordinates of the data."""
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
            y, text = self.line
            ax.axhline(y, color=INK, linewidth=0.75, linestyle=(0, (2, 3)))
            ax.annotate(
                spell(text), (0.01, y), xycoords=("axes fraction", "data"), fontsize=9, va="bottom"
            )
        for curve in self.curves:
            xs, ys = curve.points(self.x_range[1])
            dash = DOTTED if curve.is_dotted else curve.look.dash
            ax.step(
                xs, ys, where="post", color=curve.look.colour, label=f"_{curve.method}",
                linewidth=0.75 if curve.is_thin else 1.5,
                linestyle=(0, [0.5 * float(part) for part in dash.split()]) if dash else "-",
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
        for y, place, members, lines in label_ends(frame, self.ends, self.end_text or self.y_text):
            colour = self.looks[members[0]].colour if len(members) == 1 else "#5a6068"
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

    def draw_figure(self, figure):
        """Draw the chart on a matplotlib figure of its size."""
        left, top, right, bottom = self.frame.box
        above = HEADING if self.heading else 0
        left, right = (left + Y_TITLE) / self.width, right / self.width
        height = self.height + above
        box = (left, 1 - (bottom + above) / height, right - left, (bottom - top) / height)
        self.draw(figure.add_axes(box))


class ChartPicture(Picture):
    """The SVG of a Chart, which it keeps for matplotlib."""

    def __new__(cls, svg, chart):
        made = super().__new__(cls, svg)
        made.chart = chart
        return made

    def __getnewargs__(self):
        return str(self), replace(self.chart, y_text="{:g}".format, end_text=None)

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


def line_svg(frame, y, text):
    """Return the SVG of a labelled horizontal line, empty if it is outside the frame."""
    left, top, right, bottom = frame.box
    height = frame.y(y)
    if not (math.isfinite(height) and top <= height <= bottom):
        return ""
    ends = f"x1='{left}' y1='{height:.1f}' x2='{right}' y2='{height:.1f}'"
    return (
        f"<line class='optimum' {ends} stroke='{INK}' stroke-dasharray='2 3'/>"
        f"<text class='ink' x='{left + 6}' y='{height - 5:.1f}' font-size='12' fill='{INK}'>"
        f"{markup(text)}</text>"
    )


def mark_svg(frame, x, look):
    """Return a small triangle at the lower edge: a curve is below the window from x on."""
    across, low = frame.x(x), frame.box[3]
    points = f"M{across - 4:.1f} {low - 8}L{across + 4:.1f} {low - 8}L{across:.1f} {low - 1}Z"
    return f"<path class='below' d='{points}' fill='{look.colour}'/>"


def spell(text):
    """Return a text as matplotlib draws it: control characters are escaped, $ is no formula."""
    return printable(text).replace("$", r"\$")
