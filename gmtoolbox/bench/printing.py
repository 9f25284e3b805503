"""A store on the terminal: tables, runs, gaps and comparisons."""

from gmtoolbox.bench.evaluate.evaluation import (
    anomalies,
    best_runs,
    correctness,
    evaluate_runs,
    unverified_warning,
)
from gmtoolbox.bench.evaluate.gaps import find_gaps, gaps_csv, gaps_text, significance_text
from gmtoolbox.bench.evaluate.tables import (
    as_csv,
    as_latex,
    as_tabular,
    as_text,
    default_groups,
    make_table,
    screen_groups,
)
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.terminal import fit_table, fold, say
from gmtoolbox.core.text import RESULT_HEADINGS, natural, result_row

LEGEND = {  # column or mark -> meaning
    "opt": "solved instances (%)",
    "gap": "mean distance to the optimum or the best value seen",
    "E": "mean value",
    "D": "mean bound",
    "acc": "mean accuracy (%)",
    "*": "best",
    "---*": "not all answered",
}
SEEDS = "means over instances and seeds; sd: standard deviation of the value over the seeds"


def print_tables(path, form="text", limits=None, places=None):
    """Print the tables of a store's file in one of the forms of `bench --format`, and suspicious
    content on stderr; places: those of the selected runs, None: all.
    """
    with Store(path) as store:
        loaded = store.loaded()
    loaded = loaded if places is None else loaded.only(places)
    print_store(loaded, form, limits)
    print_oddities(loaded)


def with_legend(tables):
    """Return the text of tables with the meaning of the columns and marks that occur in it."""
    words = set(tables.split())
    marks = {mark for mark in ("---*", "*") if any(word.endswith(mark) for word in words)}
    said = [f"{name}: {meaning}" for name, meaning in LEGEND.items() if name in words | marks]
    return f"{tables}\n\n{fold(', '.join(said))}\n"


def print_store(loaded, form="text", limits=None):
    """Print the tables of a loaded store in one of the forms of `bench --format`."""
    print(tables_text(loaded, form, limits), end="")


def tables_text(loaded, form="text", limits=None):
    """Return the tables of a loaded store in one of the forms of `bench --format`."""
    evaluation = evaluate_runs(loaded, limits)

    def tables():
        names = evaluation.problems
        return [make_table(evaluation, default_groups(evaluation, name)) for name in names]

    forms = {
        "runs": lambda: runs_table(loaded) + "\n",
        "csv": lambda: as_csv(evaluation),
        "latex": lambda: as_latex(tables()),
        "tabular": lambda: as_tabular(tables()),
        "gaps": lambda: gaps_text(find_gaps(evaluation)) + "\n",
        "gaps-csv": lambda: gaps_csv(find_gaps(evaluation)),
        "significance": lambda: significance_text(evaluation) + "\n",
        "text": lambda: (
            with_legend("\n\n".join(map(as_text, screen_tables(evaluation))))
            + (f"{fold(SEEDS)}\n" if evaluation.several_seeds else "")
        ),
    }
    if form not in forms:
        raise InputError(f"form must be one of {', '.join(forms)}, got {form!r}")
    return forms[form]()


def screen_tables(evaluation):
    """Return the Table of each dataset for the screen."""
    return [
        make_table(evaluation, screen_groups(evaluation, name), is_study=False)
        for name in evaluation.problems
    ]


def print_oddities(loaded):
    """A line on stderr for everything that deserves a look."""
    for odd in anomalies(loaded):
        say(f"{odd.kind}: {odd.dataset}/{odd.instance} {odd.method}: {odd.text}")
    print_shared_names(loaded)
    if warning := unverified_warning(loaded.runs()):
        say(f"unverified: {warning}")


def print_shared_names(loaded):
    """A line on stderr for every name under which different problems were solved."""
    for name, problems in loaded.shared.items():
        say(f"{'/'.join(name)}: {len(problems)} problems of this name: {', '.join(problems)}")


def runs_table(store):
    """A line per run; of several trials the fastest of the best."""
    row_of = {(row.dataset, row.instance): row for row in store.instances()}
    best = best_runs(store)
    keys = sorted(best, key=lambda key: (key[0], natural(key[1]), natural(key[2])))
    correct = {
        key: correctness(row_of[key[:2]], best[key].labels) if key[:2] in row_of else None
        for key in keys
    }
    rows = [result_row(key[1], key[2], best[key], correct[key]) for key in keys]
    return fit_table(RESULT_HEADINGS, rows, texts=2)
