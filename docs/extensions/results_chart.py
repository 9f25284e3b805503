"""Write docs/time-for-the-same-answer.svg, the chart of the README and of the results, from the
tables of docs/results.

    python docs/extensions/results_chart.py
"""

import math
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent
WIDTH, TOP, ROW, LEFT, RIGHT = 760, 28, 46, 290, 690  # pixels
LEAST, MOST = 1e-5, 10.0  # seconds at the ends of the axis
OURS, THEIRS, INK = "#1d74cb", "#9a9a9a", "#222222"


def only_row(page, *starts):
    """Return the only table row of a results page that begins with these cells, by column name."""
    text = (DOCS / "results" / page).read_text(encoding="utf-8")
    split = lambda line: [cell.strip() for cell in line.strip("|").split("|")]
    found = {}
    for head, body in re.findall(r"^(\|.*\|)\n\|[-: |]+\|\n((?:\|.*\|\n)+)", text, re.M):
        for cells in map(split, body.splitlines()):
            if tuple(cells[: len(starts)]) == starts:
                found[tuple(cells)] = dict(zip(split(head), cells, strict=True))
    (row,) = found.values()
    return row


def comparisons():
    """Yield (question, our seconds, the other program, its seconds)."""
    row = only_row("edit.md", "AIDS700 graphs 1 and 9", "networkx")
    ours, theirs = float(row["our ms"]) / 1e3, float(row["its s"])
    yield "Edit distance of two AIDS molecules", ours, "networkx", theirs
    row = only_row("edit.md", "propranolol, atenolol", "HiGHS")
    ours, theirs = float(row["our ms"]) / 1e3, float(row["its s"])
    yield "Edit distance of two drugs (19 atoms)", ours, "HiGHS", theirs
    row = only_row("exact.md", "car", "20", "20 / 20 / 20")
    ours = float(row["median"].removesuffix(" ms")) / 1e3
    theirs = ours / float(row["median / pylibmgm's"])
    yield "Keypoints of car pictures", ours, "pylibmgm (no proof)", theirs
    pair = "G(2000, 20/n), 200 seeds", "2000"
    ours, theirs = (
        float(only_row("networks.md", *pair, name)["CPU s"]) for name in ("faq", "SciPy FAQ")
    )
    yield "Networks of 2000 nodes, 200 known", ours, "SciPy FAQ", theirs
    row = only_row("subgraphs.md", "10 x 10 grid in 12 x 12")
    ours, theirs = float(row["ours"]), float(row["rustworkx"])
    yield "A grid of 100 nodes in one of 144", ours, "rustworkx", theirs


def shown(seconds):
    """Return a time with two digits at most."""
    unit, factor = ("s", 1) if seconds >= 0.95 else ("ms", 1e3)
    return f"{float(f'{seconds * factor:.2g}'):g} {unit}"


def place(seconds):
    """Return the x coordinate of a time on the logarithmic axis."""
    return LEFT + (RIGHT - LEFT) * math.log(seconds / LEAST) / math.log(MOST / LEAST)


def bar(y, seconds, name, colour):
    """Return the SVG of one bar with its time."""
    end = place(seconds)
    inside = end > 640  # the text would not fit behind a long bar
    x, anchor, ink = (end - 6, "end", "#000000") if inside else (end + 6, "start", INK)
    return (
        f'<rect x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="15" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{y + 12}" text-anchor="{anchor}" fill="{ink}">'
        f"{name} {shown(seconds)}</text>"
    )


def chart():
    """Return the chart as SVG."""
    rows = list(comparisons())
    height = TOP + ROW * len(rows) + 26
    title = "CPU time for the same answer, gmtoolbox and other programs (logarithmic)"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" role="img" aria-label="{title}"'
        ' font-family="system-ui, Helvetica, Arial, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="10" y="18" fill="{INK}" font-weight="bold">'
        "CPU time for the same answer (logarithmic)</text>",
    ]
    for power in range(round(math.log10(LEAST)), round(math.log10(MOST)) + 1):
        x, time = (
            place(10.0**power),
            f"{10.0**power:g} s" if power >= 0 else f"{10.0 ** (power + 3):g} ms",
        )
        parts.append(
            f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - 26}" stroke="#dddddd"/>'
            f'<text x="{x:.1f}" y="{height - 9}" text-anchor="middle" fill="#555555">{time}</text>'
        )
    for k, (question, ours, name, theirs) in enumerate(rows):
        y = TOP + ROW * k + 7
        parts.append(f'<text x="10" y="{y + 19}" fill="{INK}">{question}</text>')
        parts.append(bar(y, ours, "gmtoolbox", OURS))
        parts.append(bar(y + 17, theirs, name, THEIRS))
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    (DOCS / "time-for-the-same-answer.svg").write_text(chart(), encoding="utf-8")
    for question, ours, name, theirs in comparisons():
        print(f"{question}: gmtoolbox {shown(ours)}, {name} {shown(theirs)}")
