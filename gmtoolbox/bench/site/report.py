"""A static site of a store's results: overview, a page per dataset, a page per instance, and the
data to download.

It opens from disk without a network: plain HTML and SVG, one style sheet, one small script, without
which everything but the choices still works.
"""

import os
import secrets
import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from gmtoolbox import plot
from gmtoolbox.bench.evaluate.evaluation import anomalies, best_runs, evaluate_runs
from gmtoolbox.bench.evaluate.gaps import find_gaps, gaps_csv
from gmtoolbox.bench.evaluate.profiles import (
    cactus,
    means_of,
    performance_profile,
    standings,
    times_of,
)
from gmtoolbox.bench.evaluate.tables import (
    as_csv,
    as_latex,
    as_markdown,
    as_tabular,
    default_groups,
    make_table,
    screen_groups,
)
from gmtoolbox.bench.export import runs_csv
from gmtoolbox.bench.site.one_file import join_pages
from gmtoolbox.bench.site.overview import ALL, overview
from gmtoolbox.bench.site.pages import (
    dataset_page,
    dataset_text,
    instance_page,
    instance_text,
    put,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import file_name, markup
from gmtoolbox.io.files import write_bytes
from gmtoolbox.plot.canvas import render
from gmtoolbox.plot.charts import styles

MOST_INSTANCES = 100  # whose pages are in a report of one file
MARK = ".gmtoolbox-report"  # marks a report, which may be replaced


def write_report(store, folder, limits=None, published=None, loaded=None, against=None):
    """Write the site for a Store to `folder`, or to one file if its name ends in .html, whole or
    not at all; return the path of its first page.

    published  (Evaluation, curves) of the study, drawn thin in the profiles
    loaded     store.loaded(), if the caller has it
    against    (name of an earlier store, Comparison with it)
    """
    folder = Path(os.path.abspath(folder))  # '.' has no name for a draft next to it
    if folder.suffix == ".html":
        site = Site(loaded or store.loaded(), limits, published, against, is_one_file=True)
        write_bytes(folder, site.one_file().encode("utf-8", "backslashreplace"))
        return folder
    ours = (folder / MARK).exists()
    if folder.exists() and not ours and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is no report of ours; name another folder")
    site = Site(loaded or store.loaded(), limits, published, against)
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    draft.mkdir(parents=True)
    try:
        site.write(draft)
        store.backup(draft / "data" / "store.db")
        put(draft, MARK, "")
        if folder.exists():
            shutil.rmtree(folder)
        draft.replace(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder / "index.html"


class Site:
    """The common parts of all pages, each computed once."""

    def __init__(self, loaded, limits=None, published=None, against=None, is_one_file=False):
        self.is_one_file = is_one_file
        self.loaded, self.rows, self.runs = loaded, loaded.instances(), loaded.runs()
        if not self.runs:
            raise InputError("the store has no runs to report")
        self.evaluation = evaluate_runs(loaded, limits)
        self.published = {} if published is None else published[1]
        self.against = against
        self.looks = self.looks_of_all()
        self.has_pdf = find_spec("matplotlib") is not None
        self.gaps = find_gaps(self.evaluation)
        self.anomalies = anomalies(loaded)
        self.best_runs, self.failed_runs = {}, {}  # (dataset, instance) -> method -> Run, or Runs
        for (*instance, method), run in best_runs(loaded).items():
            self.best_runs.setdefault(tuple(instance), {})[method] = run
        for run in self.runs:
            if run.outcome != "ok":
                self.failed_runs.setdefault(run.key[:2], []).append(run)
        refuted = {
            (odd.dataset, odd.instance, odd.method)
            for odd in self.anomalies
            if odd.kind == "refuted"
        }
        optimal = [run.key[:3] for run in self.runs if run.status == "optimal"]
        self.proofs = [key for key in optimal if key not in refuted]
        self.proven = {}  # (dataset, instance) -> methods that prove its optimum
        for *instance, method in self.proofs:
            self.proven.setdefault(tuple(instance), set()).add(method)
        times, n_seeds = times_of(self.evaluation), self.evaluation.n_seeds
        self.means = means_of(times, self.evaluation.limits[-1], n_seeds)
        self.cactus = plot.cactus(cactus(times, n_seeds), colour=self.looks)
        # dataset or ALL -> list of Standing, list of Curve, picture
        self.standings, self.curves, self.profiles = {}, {}, {}
        for dataset in (ALL, *self.evaluation.problems):
            chosen = None if dataset == ALL else dataset
            proofs = self.proofs if dataset == ALL else ()
            self.standings[dataset] = standings(self.evaluation, chosen, proofs)
            self.curves[dataset] = performance_profile(times_of(self.evaluation, chosen))
            self.profiles[dataset] = plot.profile(
                self.curves[dataset],
                self.published.get(dataset, ()),
                f"Performance profile, {dataset}",
                colour=self.looks,
            )

    def looks_of_all(self):
        """Return method -> Style."""
        others = {curve.method for curves in self.published.values() for curve in curves}
        names = [*self.evaluation.methods, *sorted(others - set(self.evaluation.methods))]
        return styles(names)

    def rank(self, row, run):
        """Sort key of runs on one instance: the best value, then the fastest."""
        return (-run.value if row.sense == "max" else run.value), run.time

    def table(self, dataset, limits=None):
        """Return the table of a dataset for the screen."""
        groups = screen_groups(self.evaluation, dataset, limits)
        return make_table(self.evaluation, groups, is_study=False)

    def files(self, name):
        """Return the links to a chart of the folder data: [(text, address)]."""
        if self.is_one_file:  # the script saves it
            return []
        suffixes = (".svg", ".pdf") if self.has_pdf else (".svg",)
        return [(suffix[1:].upper(), f"data/{file_name(name)}{suffix}") for suffix in suffixes]

    def order(self, dataset=ALL):
        """Return the methods, those that solve most, and of those the fastest, first."""
        return [one.method for one in self.standings[dataset]]

    def legend(self, methods=None):
        """Buttons that highlight a method; each shows its curve's colour and dash."""
        buttons = "".join(
            f"<li><button type='button' data-method='{markup(method, True)}' aria-pressed='false'>"
            f"{swatch(self.looks[method])}{markup(method)}</button></li>"
            for method in methods or self.evaluation.methods
        )
        return f"<ul class='legend' aria-label='Methods'>{buttons}</ul>"

    def write(self, folder):
        """Write all pages."""
        for name in ("style.css", "script.js"):
            put(folder, name, part_text(name))
        for name, text in self.pages(self.rows):
            put(folder, name, text)
        self.write_data(folder / "data")

    def pages(self, rows):
        """Yield (file name, text) of the overview, the datasets and some instances."""
        yield "index.html", overview(self)
        for dataset in self.evaluation.problems:
            yield dataset_page(dataset), dataset_text(self, dataset)
        for row in rows:
            yield instance_page(row.dataset, row.instance), instance_text(self, row)

    def one_file(self):
        """Return the report as one page; with many instances without their pages."""
        rows = self.rows if len(self.rows) <= MOST_INSTANCES else []
        style, script = part_text("style.css"), part_text("script.js")
        return join_pages(dict(self.pages(rows)), style, script)

    def write_data(self, folder):
        """Write the files to download."""
        folder.mkdir()
        tables = {
            dataset: make_table(self.evaluation, default_groups(self.evaluation, dataset))
            for dataset in self.evaluation.problems
        }
        put(folder, "runs.csv", runs_csv(self.runs))
        put(folder, "gaps.csv", gaps_csv(self.gaps))
        put(folder, "tables.csv", as_csv(self.evaluation))
        put(folder, "tables.tex", as_latex(list(tables.values())))
        for dataset, table in tables.items():
            put(folder, f"table-{file_name(dataset)}.tex", as_tabular([table]))
            put(folder, f"table-{file_name(dataset)}.md", as_markdown(self.table(dataset)))
        charts = {
            f"profile-{dataset}": self.profiles[dataset]
            for dataset in (ALL, *self.evaluation.problems)
        }
        for name, svg in {**charts, "cactus": self.cactus}.items():
            put(folder, f"{file_name(name)}.svg", svg)
            if self.has_pdf:
                (folder / f"{file_name(name)}.pdf").write_bytes(render(svg, ".pdf"))


def part_text(name):
    """Return the style sheet or the script."""
    return resources.files("gmtoolbox.bench.site").joinpath(name).read_text(encoding="utf-8")


def swatch(look):
    """A piece of a curve."""
    dash = f" stroke-dasharray='{look.dash}'" if look.dash else ""
    return (
        "<svg class='swatch' viewBox='0 0 36 6' aria-hidden='true'><path d='M0 3H36' fill='none'"
        f" stroke='{look.colour}' stroke-width='3'{dash}/></svg>"
    )
