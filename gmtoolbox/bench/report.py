"""A static site of a store's results: overview, a page per dataset, a page per instance, and the
data to download.

It opens from disk without a network: plain HTML and SVG, one style sheet, one small script, without
which everything but the choices still works.
"""

import json
import math
import os
import secrets
import shutil
from collections import Counter
from html import escape
from importlib import resources
from pathlib import Path

from gmtoolbox import plot
from gmtoolbox._version import __version__
from gmtoolbox.bench.evaluate import anomalies, best_runs, evaluate
from gmtoolbox.bench.export import runs_csv
from gmtoolbox.bench.latex import as_latex
from gmtoolbox.bench.profiles import TAU_MAX, cactus, performance_profile, times_of
from gmtoolbox.bench.tables import (
    NO_SOLUTION,
    as_csv,
    default_groups,
    limit_text,
    make_table,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.result import accuracy
from gmtoolbox.core.text import file_name, number, percent

MARK = ".gmtoolbox-report"  # tells a report that may be replaced from a folder that may not
ALL = "all"


def write_report(store, folder, limits=None, published=None, loaded=None):
    """Write the site for a Store to `folder`, whole or not at all; the path of its first page.

    published  (Evaluation, curves) of the study, drawn dashed in the profiles
    loaded     store.loaded(), where the caller has it already
    """
    folder = Path(os.path.abspath(folder))  # '.' has no name to put a draft beside
    if (
        folder.exists()
        and not (folder / MARK).exists()
        and (not folder.is_dir() or any(folder.iterdir()))
    ):
        raise InputError(f"{folder}: exists and is no report of ours; name another folder")
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    draft.mkdir(parents=True)
    try:
        Site(loaded or store.loaded(), limits, published).write(draft)
        store.backup(draft / "data" / "store.db")
        put(draft, MARK, "")
        if folder.exists():
            shutil.rmtree(folder)
        draft.replace(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder / "index.html"


class Site:
    """The pages and what they share, each computed once."""

    def __init__(self, loaded, limits, published):
        self.rows, self.runs = loaded.instances(), loaded.runs()
        if not self.runs:
            raise InputError("the store has no runs to report")
        self.evaluation = evaluate(loaded, limits)
        self.published = {} if published is None else published[1]
        others = {curve.method for curves in self.published.values() for curve in curves} - set(
            self.evaluation.methods
        )
        self.colour = plot.colours([*sorted(self.evaluation.methods), *sorted(others)])
        self.anomalies = anomalies(loaded)
        self.best_runs, self.failed_runs = {}, {}  # (dataset, instance) -> method -> Run, or Runs
        for (*instance, method), run in best_runs(loaded).items():
            self.best_runs.setdefault(tuple(instance), {})[method] = run
        for run in self.runs:
            if run.outcome != "ok":
                self.failed_runs.setdefault(run.key[:2], []).append(run)
        self.curves, self.profiles = {}, {}  # dataset or ALL -> list of Curve, picture
        for dataset in (ALL, *self.evaluation.problems):
            times = times_of(self.evaluation, None if dataset == ALL else dataset)
            self.curves[dataset] = performance_profile(times)
            self.profiles[dataset] = plot.profile(
                self.curves[dataset],
                self.published.get(dataset, ()),
                f"Performance profile, {dataset}",
                colour=self.colour,
            )

    def write(self, folder):
        for name in ("style.css", "script.js"):
            (folder / name).write_bytes(
                resources.files("gmtoolbox.bench").joinpath("site", name).read_bytes()
            )
        put(folder, "index.html", self.overview())
        for dataset in self.evaluation.problems:
            put(folder, dataset_page(dataset), self.dataset(dataset))
        for row in self.rows:
            put(folder, instance_page(row.dataset, row.instance), self.instance(row))
        data = folder / "data"
        data.mkdir()
        put(data, "runs.csv", runs_csv(self.runs))
        put(data, "tables.csv", as_csv(self.evaluation))
        put(
            data,
            "tables.tex",
            as_latex([self.table(dataset) for dataset in self.evaluation.problems]),
        )
        for dataset in (ALL, *self.evaluation.problems):
            put(data, f"profile-{file_name(dataset)}.svg", self.profiles[dataset])

    def table(self, dataset, limits=None):
        return make_table(self.evaluation, default_groups(self.evaluation, dataset, limits))

    # ---- overview

    def overview(self):
        datasets = list(self.evaluation.problems)
        choice = "".join(
            f"<option value='{escape(name, True)}'>{escape(shown)}</option>"
            for name, shown in [(ALL, "all datasets"), *((name, name) for name in datasets)]
        )
        overlay = (
            "<label><input type='checkbox' data-overlay checked> the study's published curves"
            " (dashed)</label>"
        )
        overlay = overlay if self.published else ""
        charts = "".join(self.profile_figure(name) for name in (ALL, *datasets))
        failed = Counter(run.outcome for run in self.runs)
        body = f"""
<h1>Graph matching benchmark</h1>
<p>{len(self.runs)} runs of {len(self.evaluation.methods)} methods on {
            len(self.rows)
        } instances of {len(datasets)} datasets{
            f", of which {len(self.runs) - failed['ok']} failed"
            if len(self.runs) != failed["ok"]
            else ""
        }.
 Time limit {limit_text(max(self.evaluation.limits))}{
            f"; the fastest of {trials} trials counts"
            if (trials := max(run.trial for run in self.runs)) > 1
            else ""
        }.</p>
<h2 id='profile'>Performance profile</h2>
<p class='quiet'>ρ(τ): on how many instances a method is at most τ times slower than the
 fastest. Solved means within 0.1 % of the optimum; times below 10 ms count as 10 ms.
 Point at a curve or choose methods to highlight them; Escape clears the choice.</p>
<div class='controls'><label>Dataset <select data-shows='profile'>{choice}</select></label>{
            overlay
        }</div>
{charts}
<p class='readout quiet' aria-live='polite'
 data-rest='Choose a method to read off its figures.'></p>
{self.legend()}
<h2>Datasets</h2>
{self.dataset_list(datasets)}
<h2>Solved instances over time</h2>
{
            self.figure(
                plot.cactus(cactus(times_of(self.evaluation)), colour=self.colour),
                "Number of instances solved within a time, all datasets.",
            )
        }
{self.oddities()}
<h2>Data</h2>
<ul><li><a href='data/tables.csv'>tables.csv</a> and
 <a href='data/tables.tex'>tables.tex</a>: the tables</li>
<li><a href='data/runs.csv'>runs.csv</a>: a line per run</li>
<li><a href='data/store.db'>store.db</a>: everything, traces and labels too (SQLite;
 import it with any tool)</li>
<li>profiles as SVG: {
            ", ".join(
                f"<a href='data/profile-{file_name(name)}.svg'>{escape(name)}</a>"
                for name in (ALL, *datasets)
            )
        }</li></ul>
{self.provenance()}"""
        return page("Graph matching benchmark", body, "")

    def profile_figure(self, dataset):
        total = len(self.evaluation.keys(None if dataset == ALL else dataset))
        facts = {
            curve.method: (
                f"{curve.method}: fastest on {percent(curve.at(1.0))}, solves"
                f" {percent(curve.at(TAU_MAX))} of {total}"
            )
            for curve in self.curves[dataset]
        }
        facts = escape(json.dumps(facts), quote=True)
        hidden = "" if dataset == ALL else " hidden"
        return (
            f"<figure class='chart' data-group='profile' data-value='{escape(dataset, True)}'"
            f' data-facts="{facts}"{hidden}>{self.profiles[dataset]}</figure>'
        )

    def figure(self, svg, caption):
        return f"<figure class='chart'>{svg}<figcaption>{escape(caption)}</figcaption></figure>"

    def legend(self, methods=None):
        buttons = "".join(
            f"<li><button type='button' data-method='{escape(method, True)}'"
            " aria-pressed='false'><span class='swatch'"
            f" style='background:{self.colour[method]}'></span>{escape(method)}</button></li>"
            for method in methods or self.evaluation.methods
        )
        return f"<ul class='legend' aria-label='Methods'>{buttons}</ul>"

    def dataset_list(self, datasets):
        rows = []
        for name in datasets:
            problems = self.evaluation.problems[name]
            sizes = [
                (row.n1, row.n2) for row in self.rows if row.dataset == name and row.n1 is not None
            ]
            best = self.curves[name][0]
            rows.append(
                [
                    (f"<a href='{dataset_page(name)}'>{escape(name)}</a>", name),
                    (len(problems), len(problems)),
                    (sum(p.optimum is not None for p in problems),) * 2,
                    (span([n for n, _ in sizes]), max((n for n, _ in sizes), default="")),
                    (span([n for _, n in sizes]), max((n for _, n in sizes), default="")),
                    (f"{escape(best.method)} ({percent(best.at(TAU_MAX))})", best.at(TAU_MAX)),
                ]
            )
        return sortable(
            ["dataset", "instances", "known optima", "|V|", "|L|", "most solved by"], rows
        )

    def oddities(self):
        found = self.anomalies
        if not found:
            return ""
        items = "".join(
            f"<li><strong>{escape(odd.kind)}</strong>: <a"
            f" href='{instance_page(odd.dataset, odd.instance)}'>{escape(odd.instance)}</a>"
            f" {escape(odd.method)}: {escape(odd.text)}</li>"
            for odd in found[:200]
        )
        more = f"<p>and {len(found) - 200} more</p>" if len(found) > 200 else ""
        return (
            f"<h2>What looks odd</h2><details><summary>{len(found)}"
            f" findings</summary><ul>{items}</ul>{more}</details>"
        )

    def provenance(self):
        def several(values):
            return escape(", ".join(sorted({str(value) for value in values if value})))

        versions = {
            f"{name} {version}" for run in self.runs for name, version in run.versions.items()
        }
        loads = [run.load for run in self.runs if run.load is not None]
        load = f", load {min(loads):.1f} to {max(loads):.1f}" if loads else ""
        return (
            f"<p class='quiet'>Run on {several(run.host for run in self.runs)}"
            f" ({several(run.cpu for run in self.runs)}{load}) with {several(versions)}. Written by"
            f" gmtoolbox {__version__}.</p>"
        )

    # ---- a dataset

    def dataset(self, dataset):
        limits = self.evaluation.limits
        radios = "".join(
            "<label><input type='radio' name='limit' data-shows='limit'"
            f" value='{limit:g}'{' checked' if limit == limits[-1] else ''}>"
            f" {limit_text(limit)}</label>"
            for limit in limits
        )
        tables = "".join(
            "<div class='scroll' data-group='limit'"
            f" data-value='{limit:g}'{'' if limit == limits[-1] else ' hidden'}>"
            f"{self.method_table(dataset, limit)}</div>"
            for limit in limits
        )
        body = f"""
<h1>{escape(dataset)}</h1>
<fieldset class='controls'><legend>Time limit</legend>{radios}</fieldset>
{tables}
<p class='quiet'>opt: solved instances (%); E: average value; D: average bound; acc: average
 accuracy (%). Bold: best.
 {NO_SOLUTION}: no solution for at least one instance.
 The line separates purely primal methods from those based on duality.</p>
<h2>Performance profile</h2>
<figure class='chart'>{self.profiles[dataset]}</figure>
{self.legend()}
<h2>Instances</h2>
{self.instance_list(dataset)}"""
        return page(f"{dataset}: graph matching benchmark", body, crumbs())

    def method_table(self, dataset, limit):
        table = self.table(dataset, [limit])
        fields = table.groups[0].fields
        rows, previous = [], None
        for method in table.methods:
            summary = table.values[method, 0]
            cells = [(escape(method), method)]
            said = {name: (content, bold) for _, name, content, bold in table.cells(method)}
            for name in fields:
                content, bold = said.get(name, ("", False))
                value = getattr(summary, name)
                cells.append(
                    (f"<b>{content}</b>" if bold else content, "" if value is None else value)
                )
            line = previous is not None and (method in table.dual) != (previous in table.dual)
            previous = method
            rows.append((cells, method, line))
        marks = [
            f" data-method='{escape(method, True)}'{' class=line' if line else ''}"
            for _, method, line in rows
        ]
        return sortable(["method", *fields], [row for row, _, _ in rows], marks, scroll=False)

    def instance_list(self, dataset):
        rows = []
        for row in (row for row in self.rows if row.dataset == dataset):
            best = min(
                self.best_runs.get((dataset, row.instance), {}).values(),
                key=lambda run: (signed(row, run.value), run.time),
                default=None,
            )
            times = {
                method: self.evaluation.time(dataset, row.instance, method)
                for method in self.evaluation.methods
            }
            fastest = min(times, key=times.get)
            found = math.isfinite(times[fastest])
            rows.append(
                [
                    (
                        (
                            f"<a href='{instance_page(dataset, row.instance)}'>"
                            f"{escape(row.instance)}</a>"
                        ),
                        row.instance,
                    ),
                    (row.n1 or "", row.n1 or ""),
                    (row.n2 or "", row.n2 or ""),
                    (number(row.optimum, 9), "" if row.optimum is None else row.optimum),
                    (number(best.value, 9), best.value) if best else ("-", ""),
                    (sum(map(math.isfinite, times.values())),) * 2,
                    (escape(fastest), fastest) if found else ("-", ""),
                    (seconds(times[fastest]), times[fastest]) if found else ("-", ""),
                ]
            )
        return sortable(
            ["instance", "|V|", "|L|", "optimum", "best value", "solved by", "fastest", "in"], rows
        )

    # ---- an instance

    def instance(self, row):
        key = (row.dataset, row.instance)
        found = self.best_runs.get(key, {})
        runs = {method: found[method] for method in self.evaluation.methods if method in found}
        traces = {method: run.trace for method, run in runs.items()}
        chart = plot.trace(
            traces, f"Value and bound over time, {row.instance}", row.optimum, self.colour
        )
        facts = [
            (
                f"{row.n1} × {row.n2} nodes, {row.n_candidates} candidates, {row.n_edges} edges"
                if row.n1
                else "never loaded"
            ),
            "complete matchings only" if row.complete else "partial matchings allowed",
            "minimised" if row.sense == "min" else "maximised",
            f"optimum {number(row.optimum, 10)}" if row.optimum is not None else "optimum unknown",
        ]
        failures = "".join(
            f"<li>{escape(run.method)}, trial {run.trial}: {escape(run.outcome)}:"
            f" {escape(run.reason)}</li>"
            for run in self.failed_runs.get(key, ())
        )
        body = f"""
<h1>{escape(row.instance)}</h1>
<p>{escape("; ".join(facts))}.</p>
<h2>Value and bound over time</h2>
<figure class='chart'>{chart}</figure>
{self.legend(list(runs))}
<h2>Methods</h2>
{self.run_table(row, runs)}
{f"<h2>Failed runs</h2><ul>{failures}</ul>" if failures else ""}
{self.matchings(row, runs)}"""
        return page(
            f"{row.instance}: graph matching benchmark",
            body,
            crumbs((row.dataset, dataset_page(row.dataset))),
        )

    def run_table(self, row, runs):
        rows, marks = [], []
        for method, run in runs.items():
            gap = math.inf if run.gap is None else run.gap
            right = (
                accuracy(run.labels, row.ground_truth)
                if any(row.ground_truth or []) and run.labels is not None
                else None
            )
            solved_in = self.evaluation.time(row.dataset, row.instance, method)
            rows.append(
                [
                    (escape(method), method),
                    (number(run.value, 9), run.value),
                    (number(run.bound, 9), run.bound if math.isfinite(run.bound) else ""),
                    (number(gap, 2) if gap else "0", gap if math.isfinite(gap) else ""),
                    (
                        seconds(solved_in) if math.isfinite(solved_in) else "-",
                        solved_in if math.isfinite(solved_in) else "",
                    ),
                    (seconds(run.time), run.time),
                    (run.n_iter, run.n_iter),
                    (percent(right), "" if right is None else right),
                    (escape(run.status), run.status),
                ]
            )
            marks.append(f" data-method='{escape(method, True)}'")
        return sortable(
            [
                "method",
                "value",
                "bound",
                "gap",
                "solved in",
                "time",
                "iterations",
                "accuracy",
                "status",
            ],
            rows,
            marks,
        )

    def matchings(self, row, runs):
        """The matching of every method on the two point sets, one shown at a time."""
        runs = {method: run for method, run in runs.items() if run.labels is not None}
        if row.points1 is None or row.points2 is None or not runs:
            return ""
        best = min(runs, key=lambda method: signed(row, runs[method].value))
        options = "".join(
            f"<option{' selected' if method == best else ''}>{escape(method)}</option>"
            for method in runs
        )

        def figure(method, run):
            title = f"Matching of {row.instance} by {method}"
            drawn = plot.matching(row.points1, row.points2, run.labels, row.ground_truth, title)
            hidden = "" if method == best else " hidden"
            group = f"data-group='matching' data-value='{escape(method, True)}'"
            return f"<figure {group}{hidden}>{drawn}</figure>"

        figures = "".join(figure(method, run) for method, run in runs.items())
        return f"""<h2>Matching</h2>
<div class='controls'><label>Method <select data-shows='matching'>{options}</select></label>
<span><span class='key full right'></span> right</span>
<span><span class='key full wrong'></span> wrong</span>
<span><span class='key'></span> unmatched</span></div>{figures}"""


# ---- pieces of HTML


def page(title, body, nav):
    depth = f"<nav aria-label='Where you are'>{nav}</nav>" if nav else ""
    return f"""<!doctype html>
<html lang='en'><head><meta charset='utf-8'>
<meta name='viewport' content='width=device-width, initial-scale=1'>
<title>{escape(title)}</title><link rel='stylesheet' href='style.css'>
<link rel='icon' href='data:,'></head>
<body>{depth}<main>{body}</main><script src='script.js'></script></body></html>
"""


def crumbs(*above):
    links = [("Overview", "index.html"), *above]
    return " / ".join(f"<a href='{target}'>{escape(name)}</a>" for name, target in links)


def sortable(headings, rows, marks=None, scroll=True):
    """A table whose columns sort; rows: lists of (HTML, sort key)."""
    head = "".join(
        f"<th scope='col'><button type='button'>{escape(heading)}</button></th>"
        for heading in headings
    )
    lines = []
    for row, mark in zip(rows, marks or [""] * len(rows), strict=True):
        cells = "".join(
            f"<td data-key='{escape(str(key), True)}'>{content}</td>" for content, key in row
        )
        lines.append(f"<tr{mark}>{cells}</tr>")
    table = (
        "<table"
        f" class='sortable'><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
    return f"<div class='scroll'>{table}</div>" if scroll else table


def put(folder, name, content):
    (folder / name).write_text(content, encoding="utf-8", errors="backslashreplace")


def dataset_page(dataset):
    return f"dataset-{file_name(dataset)}.html"


def instance_page(dataset, instance):
    """Its first '-' but one ends the dataset, so no two instances share a page."""
    return f"instance-{file_name(dataset).replace('-', '~2d')}-{file_name(instance)}.html"


def span(numbers):
    return (
        ""
        if not numbers
        else f"{min(numbers)}"
        if min(numbers) == max(numbers)
        else f"{min(numbers)}-{max(numbers)}"
    )


def seconds(value):
    return f"{1000 * value:.2g} ms" if value < 0.1 else f"{value:.3g} s"


def signed(row, value):
    return value if row.sense == "min" else -value
