"""The first look: methods x datasets as a map of colours, of solved instances, gaps or times.

Every cell says its number, so colour is never the only sign.
"""

import math
import statistics

from gmtoolbox.bench.site.html import dataset_page, part_of, scrolling, seconds, switch
from gmtoolbox.core.text import gap_text, markup

MEASURES = {
    "solved": "Solved instances",
    "gap": "Mean gap",
    "time": "Median time to a solution",
}
STEPS = 5  # classes h0 (worst) to h5 (best) of the style sheet


def heatmap(evaluation, order, found):
    """The map with its switch; order: the methods from top to bottom, found: all Gaps."""
    table = figures(found)
    maps = "".join(
        f"<div {part_of('measure', measure, 'solved')}>"
        f"{one_map(evaluation, order, table, measure)}</div>"
        for measure in MEASURES
    )
    return switch("measure", "Show", list(MEASURES.items()), "solved") + maps


def figures(found):
    """Return {(method, dataset): {measure: number}} of Gaps; inf if a method has no answer or no
    solution.
    """
    rows = {}
    for one in found:
        rows.setdefault((one.method, one.dataset), []).append(one)
    return {
        key: {
            "solved": statistics.fmean(one.solved for one in some),
            "gap": statistics.fmean(one.gap for one in some),
            "time": statistics.median_high([one.time for one in some]),
        }
        for key, some in rows.items()
    }


def one_map(evaluation, order, table, measure):
    """HTML table of one measure."""
    datasets = list(evaluation.problems)
    head = "".join(
        f"<th scope='col'><a href='{dataset_page(name)}'>{markup(name)}</a></th>"
        for name in datasets
    )
    fastest = {
        name: min(table[method, name]["time"] for method in evaluation.methods) for name in datasets
    }
    lines = []
    for method in order:
        cells = ""
        for name in datasets:
            value = table[method, name][measure]
            step = {"solved": solved_step, "gap": gap_step}.get(measure)
            level = step(value) if step else time_step(value, fastest[name])
            cells += f"<td class='h{level}'>{shown(measure, value)}</td>"
        mark = f" data-method='{markup(method, True)}'"
        lines.append(f"<tr{mark}><th scope='row'>{markup(method)}</th>{cells}</tr>")
    caption = f"{MEASURES[measure]} of every method on every dataset"
    return scrolling(
        f"<table class='heat'><caption>{caption}</caption><thead><tr><th scope='col'>method</th>"
        f"{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>",
        caption,
    )


def shown(measure, value):
    """A number of a measure in words."""
    if not math.isfinite(value):
        return "-"
    if measure == "time":
        return seconds(value)
    return f"{100 * value:.0f} %" if measure == "solved" else gap_text(value)


def solved_step(share):
    """0 to STEPS, by the fraction of solved instances."""
    return STEPS if share >= 1 else min(STEPS - 1, int(STEPS * share))


def gap_step(gap):
    """0.1 %, 1 %, 3 %, 10 %, 30 % are the borders."""
    borders = (1e-3, 1e-2, 3e-2, 1e-1, 3e-1)
    return sum(gap <= border for border in borders) if math.isfinite(gap) else 0


def time_step(time, fastest):
    """1.5, 5, 20, 100 times the fastest are the borders; unsolved is worst."""
    if not math.isfinite(time):
        return 0
    ratio = max(time, 0.01) / max(fastest, 0.01)
    return 1 + sum(ratio <= border for border in (1.5, 5.0, 20.0, 100.0))
