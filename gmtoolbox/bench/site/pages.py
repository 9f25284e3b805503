"""The report's pages of an instance (every method's way to its value, and the matchings) and of a
dataset (the study's tables, the profile, and the list of instances), and the pieces of HTML that
all pages are made of.
"""

import math

from gmtoolbox import plot
from gmtoolbox.bench.evaluate.evaluation import consistency, correctness, true_tracks
from gmtoolbox.bench.evaluate.gaps import relative
from gmtoolbox.bench.evaluate.profiles import advice, name_fastest
from gmtoolbox.bench.evaluate.tables import NO_SOLUTION, screen_groups
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import (
    ROUNDING,
    file_name,
    gap_text,
    limit_text,
    markup,
    number,
    percent,
    time_text,
)
from gmtoolbox.core.tracks import split_by_graph
from gmtoolbox.plot.matchings import kind_of

KINDS = {"correct": "correct", "wrong": "wrong", "unjudged": "not judged", "unmatched": "unmatched"}
HEADINGS = (
    "method", "value", "from the best", "bound", "proven gap", "solved in", "time", "iterations",
    "accuracy", "status",
)  # fmt: skip


def find_optimum(site, row, runs):
    """Return (the optimum of an instance or None, which methods prove it: "" if it was known).

    runs: the best Run of each method.
    """
    if row.optimum is not None:
        return row.optimum, ""
    proven = site.proven.get((row.dataset, row.instance), ())
    methods = [method for method in runs if method in proven and runs[method].status == "optimal"]
    if not methods:
        return None, ""
    best = min(methods, key=lambda method: site.rank(row, runs[method]))
    return runs[best].value, f", proven by {name_some(methods)}"


def find_winners(row, runs):
    """Return the methods that have the best value: values that differ by rounding are equal."""
    better = max if row.sense == "max" else min
    best = better(run.value for run in runs.values())
    allowed = ROUNDING * abs(best)
    return [method for method, run in runs.items() if abs(run.value - best) <= allowed]


def instance_text(site, row):
    """The page's text."""
    key = (row.dataset, row.instance)
    found = site.best_runs.get(key, {})
    runs = {method: found[method] for method in site.evaluation.methods if method in found}
    traces = {method: run.trace for method, run in runs.items()}
    optimum, origin = find_optimum(site, row, runs)
    drawn = plot.trace(traces, f"Value and bound over time, {row.instance}", optimum, site.looks)
    facts = [
        size_text(row),
        "complete matchings only" if row.complete else "partial matchings allowed",
        "minimised" if row.sense == "min" else "maximised",
        "optimum unknown" if optimum is None else f"optimum {number(optimum, 10)}{origin}",
    ]
    failures = "".join(
        f"<li>{markup(run.method)}, trial {run.trial}, seed {run.seed}: {markup(run.outcome)}:"
        f" {markup(run.reason)}</li>"
        for run in site.failed_runs.get(key, ())
    )
    body = f"""
<h1>{markup(row.instance)}</h1>
{neighbours(site, row)}
<p>{markup("; ".join(facts))}.</p>
<h2>Value and bound over time</h2>
{chart(drawn, "Value and bound over time")}
{site.legend(list(runs))}
<h2>Methods</h2>
{run_table(site, row, runs)}
{f"<h2>Failed runs</h2><ul>{failures}</ul>" if failures else ""}
{matchings(site, row, runs) if row.sizes is None else track_figures(site, row, runs)}"""
    return page(
        f"{row.instance}: graph matching benchmark",
        body,
        crumbs((row.dataset, dataset_page(row.dataset))),
    )


def neighbours(site, row):
    """Return links to the instances before and after one in its dataset."""
    rows = [one for one in site.rows if one.dataset == row.dataset]
    k = next(k for k, one in enumerate(rows) if one.instance == row.instance)
    links = []
    for word, at in (("previous", k - 1), ("next", k + 1)):
        if 0 <= at < len(rows):
            target = instance_page(row.dataset, rows[at].instance)
            links.append(f"<a href='{target}'>{word}: {markup(rows[at].instance)}</a>")
    return f"<p class='around'>{' '.join(links)}</p>" if links else ""


def run_table(site, row, runs):
    """HTML table of the best run of each method on an instance."""
    sign = -1.0 if row.sense == "max" else 1.0
    values = [sign * run.value for run in runs.values()]
    target = min(values, default=0.0) if row.optimum is None else sign * row.optimum
    rows, marks = [], []
    for method, run in runs.items():
        gap = math.inf if run.gap is None else run.gap
        excess = relative(sign * run.value, target)
        share = correctness(row, run.labels)
        solved_in = site.evaluation.time(row.dataset, row.instance, method)
        solved = math.isfinite(solved_in)
        rows.append(
            [
                (markup(method), method),
                (number(run.value, 9), run.value),
                (markup(gap_text(excess)), excess),
                (number(run.bound, 9), run.bound if math.isfinite(run.bound) else ""),
                (markup(gap_text(gap)), gap if math.isfinite(gap) else ""),
                (seconds(solved_in) if solved else "-", solved_in if solved else ""),
                (seconds(run.time), run.time),
                (run.n_iter, run.n_iter),
                (percent(share), "" if share is None else share),
                (markup(run.status), run.status),
            ]
        )
        marks.append(f" data-method='{markup(method, True)}'")
    headings = HEADINGS
    if row.sizes is not None:
        headings = many_headings(HEADINGS)
        rows = [
            track_cells(row, run, cells) for run, cells in zip(runs.values(), rows, strict=True)
        ]
    return sortable(f"Methods on {row.instance}", headings, rows, marks)


def matchings(site, row, runs):
    """The matching of every method on the two point sets, one shown at a time, the best first."""
    runs = {method: run for method, run in runs.items() if run.labels is not None}
    if row.points1 is None or row.points2 is None or not runs:
        return ""
    first, drawn_as = {}, {}  # labels -> the first method that has them; method -> that one
    for method, run in runs.items():
        drawn_as[method] = first.setdefault(tuple(run.labels.tolist()), method)
    figures = {
        method: matching_figure(row, [one for one in runs if drawn_as[one] == method], runs[method])
        for method in first.values()
    }
    choice = choice_of("matching", figures, find_winners(row, runs), drawn_as)
    return f"<h2>Matching</h2>{choice}"


def matching_figure(row, methods, run):
    """HTML of a drawn matching with its counts; methods: all that found it."""
    title = f"Matching of {row.instance} by {name_some(methods)}"
    known = {} if row.ground_truth is None else {"outliers": False}  # empty: not known
    drawn = plot.matching(
        (row.points1, row.points2), run.labels, ground_truth=row.ground_truth, title=title, **known
    )
    counts = count_verdicts(run.labels.tolist(), row)
    keys = "".join(
        f"<span class='entry'><span class='key {kind}'></span>{counts[kind]} {shown}</span>"
        for kind, shown in KINDS.items()
        if counts[kind] or kind == "unmatched"
    )
    return f"{drawn}<figcaption class='keys'>{markup(', '.join(methods))}: {keys}</figcaption>"


def count_verdicts(labels, row):
    """Return {kind: number of pairs that are correct, wrong or not judged, of unmatched nodes}."""
    truth = row.ground_truth or [[]] * len(labels)
    counts = dict.fromkeys(KINDS, 0)
    for label, accepted in zip(labels, truth, strict=True):
        if label >= 0:
            counts[kind_of(label, accepted, outliers=False)] += 1
    matched = sum(label >= 0 for label in labels)
    counts["unmatched"] = len(row.points1) + len(row.points2) - 2 * matched
    return counts


# ---- the page of a dataset


def dataset_text(site, dataset):
    """The page's text."""
    limits = site.evaluation.limits
    last = f"{limits[-1]:g}"
    tables = "".join(
        f"<div {part_of('limit', f'{limit:g}', last)}>{method_table(site, dataset, limit)}</div>"
        for limit in limits
    )
    said = advice(site.standings[dataset], len(site.evaluation.problems[dataset]))
    seeds = ""
    if site.evaluation.several_seeds:
        seeds = " sd: standard deviation of the value over the seeds."
    fields = {name for group in screen_groups(site.evaluation, dataset) for name in group.fields}
    solved = "opt: solved instances (%); " if "opt" in fields else ""
    body = f"""
<h1>{markup(dataset)}</h1>
<p class='verdict'>{markup(" ".join(said))}</p>
{switch("limit", "Time limit", [(f"{limit:g}", limit_text(limit)) for limit in limits], last)}
{tables}
<p class='quiet'>{solved}gap: average distance
 to the optimum, or to the best value seen; E: average value; D: average bound; acc: average
 accuracy (%).{seeds} Bold: best. {NO_SOLUTION}: no solution for at least one instance.
 The line separates purely primal methods from those based on duality.</p>
<h2>Performance profile</h2>
{chart(site.profiles[dataset], f"Profile of {dataset}", files=site.files(f"profile-{dataset}"))}
{site.legend()}
<h2>Instances</h2>
{instance_list(site, dataset)}"""
    return page(f"{dataset}: graph matching benchmark", body, crumbs())


def method_table(site, dataset, limit):
    """HTML table of the methods on a dataset at a time limit."""
    table = site.table(dataset, [limit])
    fields = table.groups[0].fields
    rows, marks = [], []
    for method, line in table.mark_lines():
        summary = table.values[method, 0]
        cells = [(markup(method), method)]
        said = {name: (content, bold) for _, name, content, bold in table.cells(method)}
        for name in fields:
            content, bold = said.get(name, ("", False))
            value = getattr(summary, name)
            cells.append((f"<b>{content}</b>" if bold else content, "" if value is None else value))
        rows.append(cells)
        marks.append(f" data-method='{markup(method, True)}'{' class=line' if line else ''}")
    caption = f"{dataset} at {limit_text(limit)}"
    return wrap_table(sortable(caption, ["method", *fields], rows, marks, scroll=False), caption)


def instance_list(site, dataset):
    """HTML table of the instances of a dataset."""
    rows = []
    for row in (row for row in site.rows if row.dataset == dataset):
        best = min(
            site.best_runs.get((dataset, row.instance), {}).values(),
            key=lambda run, row=row: site.rank(row, run),
            default=None,
        )
        times = {
            method: site.evaluation.time(dataset, row.instance, method)
            for method in site.evaluation.methods
        }
        fastest = min(times, key=times.get)
        found = math.isfinite(times[fastest])
        target = instance_page(dataset, row.instance)
        rows.append(
            [
                (f"<a href='{target}'>{markup(row.instance)}</a>", row.instance),
                (row.n1 or "", row.n1 or ""),
                (row.n2 or "", row.n2 or ""),
                (number(row.optimum, 9), "" if row.optimum is None else row.optimum),
                (number(best.value, 9), best.value) if best else ("-", ""),
                (sum(map(math.isfinite, times.values())),) * 2,
                (markup(name_fastest(times)), fastest) if found else ("-", ""),
                (seconds(times[fastest]), times[fastest]) if found else ("-", ""),
            ]
        )
    headings = ["instance", "|V|", "|L|", "optimum", "best value", "solved by", "fastest", "in"]
    return sortable(f"Instances of {dataset}", headings, rows)


# ---- many graphs


def many_headings(headings):
    """Those of two graphs; tracks have an F1, and chains of matches that agree."""
    at = headings.index("accuracy")
    return (*headings[:at], "F1", "cycle consistency", *headings[at + 1 :])


def track_cells(row, run, cells):
    """The cells of a run, with its consistency before the status."""
    agreed = None if run.labels is None else consistency(row, run.labels)
    return [*cells[:-1], (percent(agreed), "" if agreed is None else agreed), cells[-1]]


def track_figures(site, row, runs):
    """The tracks of every method, one shown at a time, the best first."""
    runs = {method: run for method, run in runs.items() if run.labels is not None}
    if row.points1 is None or not runs:
        return ""
    figures = {method: track_figure(row, method, run) for method, run in runs.items()}
    return f"<h2>Tracks</h2>{choice_of('tracks', figures, find_winners(row, runs))}"


def track_figure(row, method, run):
    """HTML of drawn tracks with their counts."""
    points = np.split(row.points1, np.cumsum(row.sizes)[:-1])
    truth = true_tracks(row) if any(row.ground_truth or []) else None
    title = f"Tracks of {row.instance} by {method}"
    drawn = plot.tracks(points, split_by_graph(run.labels, row.sizes), truth, title=title)
    counts = np.bincount(run.labels)
    together, alone = np.count_nonzero(counts > 1), np.count_nonzero(counts == 1)
    shown = f"{markup(method)}: {together} tracks, {alone} nodes alone"
    return f"{drawn}<figcaption>{shown}</figcaption>"


def size_text(row):
    """How large an instance is, in words."""
    if row.n1 is None:
        return "never loaded"
    candidates = f"{row.n_candidates} candidates, {row.n_edges} edges"
    if row.sizes is None:
        return f"{row.n1} × {row.n2} nodes, {candidates}"
    low, high = min(row.sizes), max(row.sizes)
    nodes = f"{low}" if low == high else f"{low} to {high}"
    return f"{len(row.sizes)} graphs of {nodes} nodes, {candidates}"


# ---- pieces of HTML that the pages are made of; names and texts are escaped here


def chart(svg, name, attributes="", caption="", files=()):
    """Return a figure that the keyboard reaches, with links to its files: [(text, address)]."""
    links = " ".join(f"<a href='{target}' download>{markup(text)}</a>" for text, target in files)
    saved = f"<span class='files'>{links}</span>" if links else ""
    words = f"<figcaption>{markup(caption)} {saved}</figcaption>" if caption or links else ""
    svg = svg.hide_key() if hasattr(svg, "hide_key") else svg  # the page has buttons
    return (
        f"<figure class='chart' tabindex='0' aria-label='{markup(name, True)}'"
        f" {attributes}>{svg}{words}</figure>"
    )


def page(title, body, nav=""):
    """Return a whole page; nav: the links back."""
    depth = f"<nav aria-label='Where you are'>{nav}</nav>" if nav else ""
    return f"""<!doctype html>
<html lang='en'><head><meta charset='utf-8'>
<meta name='viewport' content='width=device-width, initial-scale=1'>
<meta name='color-scheme' content='light dark'>
<title>{markup(title)}</title><link rel='stylesheet' href='style.css'>
<link rel='icon' href='data:,'></head>
<body><a class='skip' href='#content'>To the content</a>{depth}
<main id='content' tabindex='-1'>{body}</main><script src='script.js'></script></body></html>
"""


def crumbs(*above):
    """HTML of the way from the overview to a page; above: (name, address) in between."""
    links = [("Overview", "index.html"), *above]
    return " / ".join(f"<a href='{target}'>{markup(name)}</a>" for name, target in links)


def sortable(caption, headings, rows, marks=None, scroll=True):
    """A table whose columns sort; rows: lists of (HTML, sort key), the first names the row."""
    head = "".join(
        f"<th scope='col'><button type='button'>{markup(heading)}</button></th>"
        for heading in headings
    )
    lines = []
    for row, mark in zip(rows, marks or [""] * len(rows), strict=True):
        (name, key), *others = row
        cells = f"<th scope='row' data-key='{markup(str(key), True)}'>{name}</th>" + "".join(
            f"<td data-key='{markup(str(key), True)}'>{content}</td>" for content, key in others
        )
        lines.append(f"<tr{mark}>{cells}</tr>")
    table = (
        f"<table class='sortable'><caption>{markup(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
    return wrap_table(table, caption) if scroll else table


def wrap_table(table, name):
    """A wide table in a box of its own that the keyboard can scroll."""
    return (
        f"<div class='scroll' role='region' tabindex='0' aria-label='{markup(name, True)}'>"
        f"{table}</div>"
    )


def switch(group, legend, choices, chosen):
    """Radio buttons of which each shows the elements of its value; choices: [(value, text)]."""
    buttons = "".join(
        f"<label><input type='radio' name='{group}' data-shows='{group}'"
        f" value='{markup(value, True)}'{' checked' if value == chosen else ''}>"
        f" {markup(shown)}</label>"
        for value, shown in choices
    )
    return f"<fieldset class='controls'><legend>{markup(legend)}</legend>{buttons}</fieldset>"


def part_of(group, value, chosen):
    """Attributes of an element that a switch shows."""
    hidden = "" if value == chosen else " hidden"
    return f"data-group='{group}' data-value='{markup(value, True)}'{hidden}"


def name_some(methods):
    """Return the names of up to three methods, or how many they are."""
    if len(methods) > 3:
        return f"{len(methods)} methods"
    return " and ".join(filter(None, [", ".join(methods[:-1]), methods[-1]]))


def choice_of(group, figures, winners, drawn_as=None):
    """One of the figures {method: HTML} at a time, that of the first winner first, and a list to
    choose from.

    drawn_as: {method: the method whose figure is also its own}; default: each has one
    """
    drawn_as = drawn_as or {method: method for method in figures}
    best = drawn_as[winners[0]]
    options = "".join(
        f"<option value='{markup(figure, True)}'{' selected' * (method == winners[0])}>"
        f"{markup(method)}</option>"
        for method, figure in drawn_as.items()
    )
    shown = "".join(
        f"<figure {part_of(group, method, best)}>{figure}</figure>"
        for method, figure in figures.items()
    )
    return f"""
<div class='controls'><label>Method <select data-shows='{group}'>{options}</select></label>
<span class='quiet'>the best: {markup(name_some(winners))}</span></div>{shown}"""


def put(folder, name, content):
    """Write a file of the site."""
    (folder / name).write_text(content, encoding="utf-8", errors="backslashreplace")


def dataset_page(dataset):
    """File name of a dataset's page."""
    return f"dataset-{file_name(dataset)}.html"


def instance_page(dataset, instance):
    """Its first '-' but one ends the dataset, so no two instances have one page."""
    return f"instance-{file_name(dataset).replace('-', '~2d')}-{file_name(instance)}.html"


def span(numbers):
    """'3' or '3-8' of some numbers."""
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low}-{high}"


def seconds(value):
    """Return a time in words, for HTML."""
    return markup(time_text(value))
