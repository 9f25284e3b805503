"""Our pictures on matplotlib's axes: `ax=` for its users, and for PNG and PDF without a browser.

All pictures are made of a few elements of SVG (line, circle, rect, path of M H V L, text, image,
g), so that a small interpreter draws them all. matplotlib is an optional extra.
"""

import math
import re
import xml.etree.ElementTree as xml

from gmtoolbox.plot.images import from_png

INHERITED = ("stroke", "fill", "stroke-width", "stroke-opacity", "font-size", "text-anchor")
STEP = re.compile(r"([MLHVZ])([^MLHVZ]*)")


def draw(svg, ax):
    """Draw a picture on axes: one unit a pixel, y downwards."""
    root = xml.fromstring(svg)
    left, top, width, height = map(float, root.get("viewBox").split())
    ax.set_xlim(left, left + width)
    ax.set_ylim(top + height, top)
    ax.set_aspect("equal")
    ax.set_axis_off()
    draw_element(root, ax, {"font-size": "13", "fill": "black"})
    return ax


def draw_element(element, ax, style):
    """Draw an element and all inside it."""
    tag = element.tag.rpartition("}")[2]
    style = {**style, **{name: element.get(name) for name in INHERITED if element.get(name)}}
    if tag in DRAWN:
        DRAWN[tag](element, ax, style)
    if tag not in ("svg", "g"):
        return
    first = len(ax.lines)
    for child in element:
        if child.tag.endswith("clipPath"):
            style = {**style, child.get("id"): child[0]}
        draw_element(child, ax, style)
    area = style.get(re.sub(r"url\(#(.*)\)", r"\1", element.get("clip-path", "")))
    if area is not None:
        clip(ax, ax.lines[first:], *numbers(area, "x", "y", "width", "height"))


def clip(ax, lines, x, y, width, height):
    """Draw only the part inside the box."""
    from matplotlib.patches import Rectangle

    for line in lines:
        line.set_clip_path(Rectangle((x, y), width, height, transform=ax.transData))


def strokes(element, style):
    """Line properties for matplotlib; pixels are 0.75 points, dashes are in widths of the line."""
    dashes, width = element.get("stroke-dasharray"), float(style.get("stroke-width", 1))
    line = (0, [float(x) / width for x in dashes.split()]) if dashes else "-"
    colour = style.get("stroke", "none")
    alpha = float(style.get("stroke-opacity", 1))
    return colour, alpha, 0.75 * width, line


def numbers(element, *names):
    """Return attributes of an element as floats, 0 if missing."""
    return [float(element.get(name, 0)) for name in names]


def draw_polyline(element, ax, style, xs, ys):
    """Draw a line through points, if it has a stroke."""
    colour, alpha, width, line = strokes(element, style)
    if colour != "none" and alpha > 0:
        ax.plot(xs, ys, color=colour, alpha=alpha, linewidth=width, linestyle=line)


def draw_line(element, ax, style):
    """Draw a `line`."""
    x1, y1, x2, y2 = numbers(element, "x1", "y1", "x2", "y2")
    draw_polyline(element, ax, style, [x1, x2], [y1, y2])


def draw_path(element, ax, style):
    """Draw a `path` of M, L, H, V and Z."""
    xs, ys, x, y = [], [], 0.0, 0.0
    for step, text in STEP.findall(element.get("d", "")):
        values = [float(v) for v in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]
        if step == "M" and xs:
            xs.append(math.nan)
            ys.append(math.nan)
        if step == "Z":
            continue
        if step == "H":
            pairs = [(v, y) for v in values]
        elif step == "V":
            pairs = [(x, v) for v in values]
        else:
            pairs = list(zip(values[::2], values[1::2], strict=True))
        for x, y in pairs:
            xs.append(x)
            ys.append(y)
    draw_polyline(element, ax, style, xs, ys)


def draw_circle(element, ax, style):
    """Draw a `circle`."""
    from matplotlib.patches import Circle

    cx, cy, r = numbers(element, "cx", "cy", "r")
    colour, _, width, line = strokes(element, style)
    fill = style.get("fill", "none")
    ax.add_patch(
        Circle(
            (cx, cy), r, facecolor=fill, edgecolor=colour, linewidth=width, linestyle=line, zorder=3
        )
    )


def draw_rect(element, ax, style):
    """Draw a `rect`."""
    from matplotlib.patches import Rectangle

    x, y, width, height = numbers(element, "x", "y", "width", "height")
    colour, _, line, _ = strokes(element, style)
    fill = element.get("fill", "none")
    ax.add_patch(Rectangle((x, y), width, height, facecolor=fill, edgecolor=colour, linewidth=line))


def draw_text(element, ax, style):
    """Draw a `text`."""
    x, y = numbers(element, "x", "y")
    turned = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
    angle = 90 if "rotate(-90)" in element.get("transform", "") else 0
    if turned:
        x, y = x + float(turned[1]), y + float(turned[2])
    across = {"start": "left", "middle": "center", "end": "right"}[
        style.get("text-anchor", "start")
    ]
    words = [element.text or "", *(part.tail or "" for part in element)]  # without its <title>
    ax.text(
        x, y, "".join(words), color=style.get("fill", "black"), rotation=angle,
        fontsize=0.75 * float(style["font-size"]), ha="center" if angle else across,
        va="center" if angle else "baseline",
    )  # fmt: skip


def draw_image(element, ax, style):
    """Draw an `image` that images.embedded made."""
    x, y, width, height = numbers(element, "x", "y", "width", "height")
    array = from_png(element.get("href"))
    shown = array[..., 0] if array.shape[2] == 1 else array
    grey = {"cmap": "gray", "vmin": 0, "vmax": 255} if shown.ndim == 2 else {}
    limits = ax.get_xlim(), ax.get_ylim()
    ax.imshow(shown, extent=(x, x + width, y + height, y), aspect="equal", zorder=0, **grey)
    ax.set_xlim(limits[0])
    ax.set_ylim(limits[1])


DRAWN = {
    "line": draw_line,
    "path": draw_path,
    "circle": draw_circle,
    "rect": draw_rect,
    "text": draw_text,
    "image": draw_image,
}
