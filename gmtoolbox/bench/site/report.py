"""A static site of a store's results: overview, a page per dataset, a page per instance, and the
data to download.

It opens from disk without a network: plain HTML and SVG, one style sheet, one small script, without
which everything but the choices still works.
"""

import os
import secrets
import shutil
from importlib import resources
from pathlib import Path

from gmtoolbox import plot
from gmtoolbox.bench.evaluate.evaluation import anomalies, best_runs, evaluate
from gmtoolbox.bench.evaluate.gaps import gaps, gaps_csv
from gmtoolbox.bench.evaluate.latex import as_latex, as_tabular
from gmtoolbox.bench.evaluate.profiles import cactus, performance_profile, times_of
from gmtoolbox.bench.evaluate.tables import as_csv, default_groups, make_table, screen_groups
from gmtoolbox.bench.evaluate.verdict import standings
from gmtoolbox.bench.export import runs_csv
from gmtoolbox.bench.site.dataset_pages import dataset_text
from gmtoolbox.bench.site.html import dataset_page, instance_page, put
from gmtoolbox.bench.site.instance_pages import instance_text
from gmtoolbox.bench.site.overview import ALL, overview
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import file_name, markup
from gmtoolbox.plot.styles import styles

MARK = ".gmtoolbox-report"  # marks a report, which may be replaced


def write_report(store, folder, limits=None, published=None, loaded=None, against=None):
    """Write the site for a Store to `folder`, whole or not at all; the path of its first page.

    published  (Evaluation, curves) of the study, drawn thin in the profiles
    loaded     store.loaded(), if the caller has it
    against    (name of an earlier store, Comparison with it)
    """
    folder = Path(os.path.abspath(folder))  # '.' has no name for a draft next to it
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

    def __init__(self, loaded, limits=None, published=None, against=None):
        self.loaded, self.rows, self.runs = loaded, loaded.instances(), loaded.runs()
        if not self.runs:
            raise InputError("the store has no runs to report")
        self.evaluation = evaluate(loaded, limits)
        self.published = {} if published is None else published[1]
        self.against = against
        self.looks = self.looks_of_all()
        self.gaps = gaps(self.evaluation)
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
        self.cactus = plot.cactus(cactus(times_of(self.evaluation)), colour=self.looks)
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

    def figure(self, svg, caption):
        """HTML of a picture with a caption."""
        return f"<figure class='chart'>{svg}<figcaption>{markup(caption)}</figcaption></figure>"

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
            (folder / name).write_bytes(
                resources.files("gmtoolbox.bench.site").joinpath(name).read_bytes()
            )
        put(folder, "index.html", overview(self))
        for dataset in self.evaluation.problems:
            put(folder, dataset_page(dataset), dataset_text(self, dataset))
        for row in self.rows:
            put(folder, instance_page(row.dataset, row.instance), instance_text(self, row))
        self.write_data(folder / "data")

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
        for dataset in (ALL, *self.evaluation.problems):
            put(folder, f"profile-{file_name(dataset)}.svg", self.profiles[dataset])
        put(folder, "cactus.svg", self.cactus)


def swatch(look):
    """A piece of a curve."""
    dash = f" stroke-dasharray='{look.dash}'" if look.dash else ""
    return (
        "<svg class='swatch' viewBox='0 0 36 6' aria-hidden='true'><path d='M0 3H36' fill='none'"
        f" stroke='{look.colour}' stroke-width='3'{dash}/></svg>"
    )
