"""The report's page of a dataset: the study's tables, the profile, and the list of instances."""

import math

from gmtoolbox.bench.evaluate.tables import NO_SOLUTION, limit_text
from gmtoolbox.bench.evaluate.verdict import advice, name_fastest
from gmtoolbox.bench.site.html import (
    chart,
    crumbs,
    instance_page,
    page,
    part_of,
    scrolling,
    seconds,
    sortable,
    switch,
)
from gmtoolbox.core.text import markup, number


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
    body = f"""
<h1>{markup(dataset)}</h1>
<p class='verdict'>{markup(" ".join(said))}</p>
{switch("limit", "Time limit", [(f"{limit:g}", limit_text(limit)) for limit in limits], last)}
{tables}
<p class='quiet'>opt: solved instances (%); gap: average distance
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
    for method, line in table.parted():
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
    return scrolling(sortable(caption, ["method", *fields], rows, marks, scroll=False), caption)


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
