"""The report's first page: which method to use, the map of all results, the curves.

Every cell of the map has its number, so colour is never the only sign.
"""

import json
import math
import statistics
from collections import Counter

from gmtoolbox._version import __version__
from gmtoolbox.bench.evaluate.comparison import comparison_section
from gmtoolbox.bench.evaluate.evaluation import hardware_warning, unverified_warning
from gmtoolbox.bench.evaluate.gaps import compare_methods
from gmtoolbox.bench.evaluate.profiles import (
    FLOOR,
    SHIFT,
    TAU_MAX,
    advice,
    mean_ratio,
    most_solved,
)
from gmtoolbox.bench.site.pages import (
    chart,
    dataset_page,
    instance_page,
    page,
    part_of,
    seconds,
    sortable,
    span,
    switch,
    wrap_table,
)
from gmtoolbox.core.text import (
    ROUNDING,
    count_noun,
    file_name,
    gap_text,
    limit_text,
    markup,
    percent,
)

ALL = "all"
SOLVED = "Number of instances solved within a time, all datasets."
SHOWN = 200  # oddities, and pairs of methods, that a page lists
MEASURES = {
    "solved": "Solved instances",
    "gap": "Mean gap",
    "time": "Median time to a solution",
}
STEPS = 5  # classes h0 (worst) to h5 (best) of the style sheet


def overview(site):
    """The page's text."""
    evaluation, datasets = site.evaluation, list(site.evaluation.problems)
    found = site.standings[ALL]
    said = " ".join(advice(found, len(evaluation.keys())))
    warnings = filter(None, (hardware_warning(site.runs), unverified_warning(site.runs)))
    warned = "".join(f"<p class='warning' role='note'>{markup(text)}</p>" for text in warnings)
    overlay = (
        "<label><input type='checkbox' data-overlay checked> the study's published curves"
        " (thin)</label>"
        if site.published
        else ""
    )
    choice = "".join(
        f"<option value='{markup(name, True)}'>{markup(shown)}</option>"
        for name, shown in [(ALL, "all datasets"), *((name, name) for name in datasets)]
    )
    charts = "".join(profile_figure(site, name) for name in (ALL, *datasets))
    against = ""
    if site.against is not None:
        name, comparison = site.against
        against = comparison_section(comparison, name)
    body = f"""
<h1>Graph matching benchmark</h1>
<p>{markup(counts(site))}</p>{warned}
<p class='verdict'><strong>Which method?</strong> {markup(said)}</p>{against}
<h2 id='map'>Methods and datasets</h2>
<p class='quiet'>At {limit_text(evaluation.limits[-1])}. Solved: within 0.1 % of the optimum or, if
  it is unknown, of the best value that any method reached. Gap: to the same, relative. The methods
 that solve most, and of those the fastest, come first.</p>
{heatmap(evaluation, site.order(), site.gaps)}
<h2 id='profile'>Performance profile and solved instances over time</h2>
<p class='quiet'>ρ(τ) is the share of instances that a method solves in at most τ times the time of
 the fastest method (Dolan and Moré, <cite>Benchmarking optimization software with performance
 profiles</cite>, Mathematical Programming 91, 2002); times below 10 ms count as 10 ms. A colour is
 a family of methods, a dash one of its members. Point at a curve, choose methods below, or walk
 through them with the arrow keys on a chart; Escape clears the choice.</p>
<div class='controls'><label>Dataset <select data-shows='profile'>{choice}</select></label>{
        overlay
    }</div>
<div class='columns'><div>{charts}</div>
{chart(site.cactus, "Instances solved within a time", caption=SOLVED, files=site.files("cactus"))}
</div>
<p class='readout quiet' aria-live='polite'
 data-rest='Choose a method to read off its figures.'></p>
{site.legend(site.order())}
{time_table(site)}
<h2 id='datasets'>Datasets</h2>
{dataset_list(site, datasets)}
{significance(evaluation.methods, site.gaps)}
{oddities(site)}
{"" if site.is_one_file else downloads(datasets)}
{provenance(site.loaded, evaluation)}"""
    return page("Graph matching benchmark", body)


def counts(site):
    """Return the numbers of runs, methods and instances as text."""
    failed = len(site.runs) - Counter(run.outcome for run in site.runs)["ok"]
    trials = max(run.trial for run in site.runs)
    seeds = len({run.seed for run in site.runs})
    methods = count_noun(len(site.evaluation.methods), "method")
    parts = [
        f"{count_noun(len(site.runs), 'run')} of {methods}"
        f" on {count_noun(len(site.rows), 'instance')} of"
        f" {count_noun(len(site.evaluation.problems), 'dataset')}"
    ]
    parts += [f"{seeds} seeds"] * (seeds > 1) + [f"{count_noun(failed, 'run')} failed"] * bool(
        failed
    )
    parts.append(f"time limit {limit_text(site.evaluation.limits[-1])}")
    parts += [f"the fastest of {trials} trials counts"] * (trials > 1)
    return "; ".join(parts) + "."


def profile_figure(site, dataset):
    """HTML of the performance profile of a dataset or of all, with its figures for the script."""
    total = len(site.evaluation.keys(None if dataset == ALL else dataset))
    facts = {
        curve.method: (
            f"{curve.method}: fastest on {percent(curve.at(1.0))}, solves"
            f" {percent(curve.at(TAU_MAX))} of {total}"
        )
        for curve in site.curves[dataset]
    }
    facts = markup(json.dumps(facts), quote=True)
    return chart(
        site.profiles[dataset],
        f"Performance profile, {dataset}",
        f'{part_of("profile", dataset, ALL)} data-facts="{facts}"',
        "Share of the instances solved within τ times the fastest time.",
        site.files(f"profile-{dataset}"),
    )


def time_table(site):
    """Return the HTML of shifted geometric means, ranks and pairwise ratios."""
    found = {one.method: one for one in site.means}
    total = len(site.evaluation.keys())
    order = [method for method in site.order() if method in found]
    rows = [
        [
            (markup(method), method),
            (one_decimal(found[method].solved), found[method].solved),
            (seconds(found[method].mean), found[method].mean),
            (ratio_text(found[method].ratio), found[method].ratio),
            (f"{found[method].rank:.1f}", found[method].rank),
        ]
        for method in order
    ]
    headings = ["method", f"solved of {total}", "mean time", "ratio to the best", "mean rank"]
    pairwise = [
        [
            (markup(one), one),
            *(
                (ratio_text(q), q)
                for q in (mean_ratio(found[one].mean, found[other].mean) for other in order)
            ),
        ]
        for one in order
    ]
    return f"""<h2 id='times'>Times in one number</h2>
<p class='quiet'>Shifted geometric mean of the time to a solution, (∏(t + s))<sup>1/n</sup> − s with
 s = {SHIFT:g} s; an instance that is not solved counts as the time limit
 ({limit_text(site.evaluation.limits[-1])}). In ratios a mean below {seconds(FLOOR)} counts as
 {seconds(FLOOR)}. Mean rank: place among all methods, averaged over the
 instances; equal times share places.</p>
{sortable("Shifted geometric means and ranks", headings, rows)}
<details><summary>Pairwise ratios of the means: row divided by column</summary>
{sortable("Pairwise ratios of the shifted geometric means", ["method", *order], pairwise)}
</details>"""


def ratio_text(ratio):
    """Return a ratio of times: '1.25', and '0.0033' if it is small: none is printed as 0."""
    return f"{ratio:.2f}" if ratio >= 0.095 else f"{ratio:.2g}"


def one_decimal(count):
    """Return '21', or '20.7' of a count that was averaged over seeds; 59.97 of 60 is not 60."""
    is_whole = abs(count - round(count)) <= ROUNDING
    shown = count if is_whole or f"{count:.1f}"[-1] != "0" else math.floor(10 * count) / 10
    return f"{shown:.1f}".removesuffix(".0")


def dataset_list(site, datasets):
    """HTML table of the datasets."""
    rows = []
    for name in datasets:
        problems = site.evaluation.problems[name]
        sizes = [
            (row.n1, row.n2) for row in site.rows if row.dataset == name and row.n1 is not None
        ]
        found = site.standings[name]
        rows.append(
            [
                (f"<a href='{dataset_page(name)}'>{markup(name)}</a>", name),
                (len(problems), len(problems)),
                (sum(p.optimum is not None for p in problems),) * 2,
                (span([n for n, _ in sizes]), max((n for n, _ in sizes), default="")),
                (span([n for _, n in sizes]), max((n for _, n in sizes), default="")),
                (markup(most_solved(found)), found[0].solved),
            ]
        )
    headings = ["dataset", "instances", "known optima", "|V|", "|L|", "most solved by"]
    return sortable("Datasets and the methods that solve most of them", headings, rows)


def significance(methods, found):
    """Return HTML of the pairs of methods whose difference is significant; found: all Gaps."""
    found = sorted(compare_methods(methods, found), key=lambda pair: (pair.p, -pair.won))
    sure = [pair for pair in found if pair.p < 0.05]
    if not found:
        return ""
    rows = [
        [
            (markup(pair.first), pair.first),
            (markup(pair.second), pair.second),
            (pair.won,) * 2,
            (pair.tied,) * 2,
            (pair.lost,) * 2,
            (f"{pair.p:.2g}", pair.p),
        ]
        for pair in sure[:SHOWN]
    ]
    table = sortable(
        "Pairs of methods with p < 0.05", ["better", "than", "won", "tied", "lost", "p"], rows
    )
    return f"""<h2 id='significance'>Is the difference more than chance?</h2>
<p class='quiet'>Instances on which the value was better, equal, worse; p of Wilcoxon's signed-rank
 test on the gaps, corrected for {len(found)} pairs by Holm's method.</p>
<details><summary>{len(sure)} of {len(found)} pairs differ (p &lt; 0.05)</summary>{
        table if rows else ""
    }</details>"""


def oddities(site):
    """Return the HTML list of warnings; '' if there are none."""
    found = site.anomalies
    if not found:
        return ""
    items = "".join(
        f"<li><strong>{markup(odd.kind)}</strong>: <a"
        f" href='{instance_page(odd.dataset, odd.instance)}'>{markup(odd.instance)}</a>"
        f" {markup(odd.method)}: {markup(odd.text)}</li>"
        for odd in found[:SHOWN]
    )
    more = f"<p>and {len(found) - SHOWN} more</p>" if len(found) > SHOWN else ""
    return (
        f"<h2 id='odd'>Warnings</h2><details><summary>{len(found)}"
        f" findings</summary><ul>{items}</ul>{more}</details>"
    )


def downloads(datasets):
    """HTML list of the files behind the report."""
    profiles = ", ".join(
        f"<a href='data/profile-{file_name(name)}.svg'>{markup(name)}</a>"
        for name in (ALL, *datasets)
    )
    tabulars = ", ".join(
        f"<a href='data/table-{file_name(name)}.tex'>{markup(name)}</a>" for name in datasets
    )
    markdown = ", ".join(
        f"<a href='data/table-{file_name(name)}.md'>{markup(name)}</a>" for name in datasets
    )
    return f"""<h2 id='data'>Data</h2>
<ul><li><a href='data/tables.csv'>tables.csv</a> and
 <a href='data/tables.tex'>tables.tex</a>: the tables; as tabulars to \\input: {tabulars}; as
 Markdown: {markdown}</li>
<li><a href='data/gaps.csv'>gaps.csv</a>: a line per instance and method</li>
<li><a href='data/runs.csv'>runs.csv</a>: a line per run</li>
<li><a href='data/store.db'>store.db</a>: everything, traces and labels too (SQLite;
 import it with any tool)</li>
<li>profiles as SVG: {profiles}; <a href='data/cactus.svg'>solved over time</a></li></ul>"""


# ---- methods x datasets as a map of colours


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
            cells += f"<td class='h{level}'>{format_measure(measure, value)}</td>"
        mark = f" data-method='{markup(method, True)}'"
        lines.append(f"<tr{mark}><th scope='row'>{markup(method)}</th>{cells}</tr>")
    caption = f"{MEASURES[measure]} of every method on every dataset"
    return wrap_table(
        f"<table class='heat'><caption>{caption}</caption><thead><tr><th scope='col'>method</th>"
        f"{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>",
        caption,
    )


def format_measure(measure, value):
    """A number of a measure in words."""
    if not math.isfinite(value):
        return "-"
    if measure == "time":
        return seconds(value)
    return percent(value) if measure == "solved" else gap_text(value)


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


# ---- origin of the figures: commands, dates, machines, seeds and versions


def provenance(loaded, evaluation):
    """A list of definitions for the foot of the page."""
    runs = loaded.runs()
    several = lambda values: ", ".join(sorted({str(value) for value in values if value})) or "-"
    dates = sorted(run.started[:10] for run in runs if run.started)
    loads = [run.load for run in runs if run.load is not None]
    seeds = sorted({run.seed for run in runs})
    commands = [f"{c.command} ({c.started[:16]}, {c.host})" for c in loaded.commands()]
    facts = {
        "Commands": commands or ["not recorded"],
        "Date": [" to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "-"],
        "Machine": [
            f"{several(run.host for run in runs)}: {several(run.cpu for run in runs)}"
            + (f"; load {min(loads):.1f} to {max(loads):.1f}" if loads else "")
        ],
        "Seeds": [format_seeds(seeds)],
        "Time limits": [", ".join(map(limit_text, evaluation.limits))],
        "Versions": [several(f"{n} {v}" for run in runs for n, v in run.versions.items())],
        "Written by": [f"gmtoolbox {__version__}"],
    }
    items = "".join(
        f"<dt>{name}</dt>" + "".join(f"<dd>{markup(value)}</dd>" for value in values)
        for name, values in facts.items()
    )
    return f"<h2 id='provenance'>How it was made</h2><dl class='facts'>{items}</dl>"


def format_seeds(seeds):
    """'0 to 9' of consecutive seeds, else all of them."""
    if len(seeds) > 2 and seeds[-1] - seeds[0] == len(seeds) - 1:
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))
