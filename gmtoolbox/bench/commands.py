"""The benchmark's part of the command line: bench, run, report, plot. Imports nothing heavy before
a command runs.
"""

import argparse
import os
import sys
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.text import printable
from gmtoolbox.engine.registry import DEFAULT_METHOD


def add_commands(command, positive):
    """Declare the commands; `command(run, name, summary)` gives a parser, `positive` reads a
    positive number.
    """
    sub = command(
        bench,
        "bench",
        "run methods on datasets and collect the results in a store; print the tables",
    )
    batch_arguments(sub, positive)
    sub.add_argument(
        "--merge",
        nargs="+",
        metavar="STORE",
        help=(
            "do not run: gather in --store these stores (of `run --shard`) "
            "or folders of the study's JSON files; DATASETs then only tell optimum and ground truth"
        ),
    )

    sub.add_argument("--format", choices=("text", "runs", "csv", "latex"), default="text",
                     help="tables as text, CSV or LaTeX; or a line per run")  # fmt: skip

    sub = command(shard, "run", "one part of a benchmark, for arrays of jobs on a cluster")
    batch_arguments(sub, positive)
    sub.add_argument(
        "--shard",
        required=True,
        type=fraction,
        metavar="K/N",
        help="the K-th of N equal parts of the runs",
    )

    sub = command(report, "report", "write a site of a store's results that opens from disk")
    sub.add_argument("store", metavar="STORE", help="what `bench` wrote")
    sub.add_argument(
        "--output",
        "-o",
        default="site",
        metavar="FOLDER",
        help="folder of the site (default: site)",
    )
    sub.add_argument("--time-limits", "-t", nargs="+", type=positive, metavar="S",
                     help="of the tables (default: those of the study, as far as run)")  # fmt: skip
    sub.add_argument(
        "--published",
        metavar="FILE",
        help="the study's results.json.gz, drawn dashed in the profiles",
    )
    sub.add_argument(
        "--export",
        nargs="+",
        default=[],
        metavar="FILE",
        help=(
            "also write all runs: .csv, .h5, .mat, or a folder in the "
            "study's layout (a name without suffix)"
        ),
    )

    sub = command(plot, "plot", "solve one problem and draw the matching or the convergence")
    sub.add_argument("file", metavar="FILE", help="problem file")
    sub.add_argument(
        "--method",
        "-m",
        nargs="+",
        default=[DEFAULT_METHOD],
        metavar="M",
        help="one for a matching, any number for a trace",
    )
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="wall seconds per run")
    sub.add_argument("--seed", type=int, default=0, help="fixes the sequence of iterates")
    sub.add_argument(
        "--kind",
        choices=("matching", "trace"),
        help="default: matching where the file has coordinates, else trace",
    )
    sub.add_argument("--output", "-o", required=True, metavar="FILE", help=".svg or .png")


def batch_arguments(sub, positive):
    sub.add_argument(
        "datasets",
        nargs="*",
        metavar="DATASET",
        help=(
            "folders with a dataset.json, folders of such, or files; "
            "default: $GMTOOLBOX_DATA, else matfiles"
        ),
    )
    sub.add_argument(
        "--methods",
        "-m",
        nargs="+",
        default=["all"],
        metavar="M",
        help="names that `methods` lists, or 'all'",
    )
    sub.add_argument(
        "--import",
        dest="own",
        nargs="+",
        default=[],
        metavar="FILE",
        help="Python files with solvers of your own (@gmtoolbox.solver)",
    )
    sub.add_argument(
        "--time-limits",
        "-t",
        nargs="+",
        type=positive,
        default=[1.0, 10.0, 100.0, 300.0],
        metavar="S",
        help="seconds; each run gets the largest, the tables show all (default: 1 10 100 300)",
    )
    sub.add_argument(
        "--trials", type=int, default=1, help="runs of the same thing, of which the fastest counts"
    )
    sub.add_argument(
        "--jobs", "-j", type=int, default=1, help="runs at the same time; -1 = one per processor"
    )
    sub.add_argument(
        "--store",
        "-s",
        default="bench.db",
        metavar="FILE",
        help="collects the runs; the same command resumes (default: bench.db)",
    )
    sub.add_argument("--seed", type=int, default=0, help="fixes the sequence of iterates")
    sub.add_argument(
        "--threads", type=int, default=1, help="threads of the numerical libraries in one run"
    )
    sub.add_argument(
        "--memory",
        type=positive,
        metavar="MB",
        help="address space of one run (default: an equal share of the memory)",
    )
    sub.add_argument(
        "--wall",
        type=positive,
        metavar="S",
        help="a run is killed after this (default: the largest limit and a minute)",
    )
    sub.add_argument(
        "--fresh", action="store_true", help="make everything anew, whatever the store has"
    )
    sub.add_argument(
        "--retry-failed", action="store_true", help="run again what crashed or was killed before"
    )


def fraction(text):
    part, slash, whole = text.partition("/")
    if not (slash and part.isdecimal() and whole.isdecimal() and 1 <= int(part) <= int(whole)):
        raise argparse.ArgumentTypeError(f"must be K/N with 1 <= K <= N, got {text!r}")
    return int(part), int(whole)


# ---- commands


def bench(given):
    failed = 0
    if given.merge:
        merge(given.merge, given.store, given.datasets)
    else:
        failed = run_plan(given, plan_of(given), given.store)
    print_tables(given.store, given.format, None if given.merge else sorted(given.time_limits))
    return failed


def print_tables(path, form, limits=None):
    """The fixed-time tables of a store, and what looks odd in it on stderr."""
    from gmtoolbox.bench.evaluate import anomalies, evaluate
    from gmtoolbox.bench.store import Store
    from gmtoolbox.bench.tables import as_csv, as_latex, as_text, default_groups, make_table

    with Store(path) as store:
        loaded = store.loaded()
    evaluation = evaluate(loaded, limits)
    tables = [
        make_table(evaluation, default_groups(evaluation, dataset))
        for dataset in evaluation.problems
    ]
    if form == "runs":
        print(runs_table(loaded))
    elif form == "csv":
        print(as_csv(evaluation), end="")
    elif form == "latex":
        print(as_latex(tables), end="")
    else:
        print("\n\n".join(map(as_text, tables)))
        print(
            "\nopt: solved instances (%)  E: mean value  D: mean bound  acc: mean accuracy (%)  *:"
            " best  ---*: not all answered"
        )
    for anomaly in anomalies(loaded):
        print(
            printable(
                f"{anomaly.kind}: {anomaly.dataset}/{anomaly.instance} {anomaly.method}:"
                f" {anomaly.text}"
            ),
            file=sys.stderr,
        )


def runs_table(store):
    """A line per run; of several trials the fastest of the best."""
    from gmtoolbox.bench.evaluate import best_runs
    from gmtoolbox.core.text import RESULT_HEADINGS, natural, result_row, table

    truth = {(row.dataset, row.instance): row.ground_truth for row in store.instances()}
    best = best_runs(store)
    keys = sorted(best, key=lambda key: (key[0], natural(key[1]), key[2]))
    rows = [result_row(key[1], key[2], best[key], truth.get(key[:2])) for key in keys]
    return table(RESULT_HEADINGS, rows, left=2)


def shard(given):
    k, n = given.shard
    path = Path(given.store)
    path = path.with_name(f"{path.stem}.{k}-of-{n}{path.suffix}")
    failed = run_plan(given, plan_of(given).shard(k, n), path)
    print(path)
    return failed


def plan_of(given):
    from gmtoolbox.bench.plan import make_plan
    from gmtoolbox.engine.own import import_file

    for file in given.own:
        import_file(file)
    methods = given.methods[0] if given.methods == ["all"] else given.methods
    return make_plan(
        default_datasets(given.datasets),
        methods,
        trials=given.trials,
        time_limit=given.time_limits,
        seed=given.seed,
    )


def default_datasets(given):
    """What was asked for, else $GMTOOLBOX_DATA, else the instances that come with the source."""
    if given:
        return given
    folder = os.environ.get("GMTOOLBOX_DATA") or "matfiles"
    if not Path(folder).is_dir():
        raise InputError(
            f"no datasets given, and there is no folder {folder!r} here; set GMTOOLBOX_DATA or"
            " name one"
        )
    return [folder]


def run_plan(given, plan, path):
    """Run what the store does not have yet; 1 if runs of the plan have failed, else 0."""
    from gmtoolbox.bench.progress import progress_for
    from gmtoolbox.bench.runner import execute
    from gmtoolbox.bench.store import Store

    with Store(path, write=True) as store:
        try:
            execute(
                plan,
                store,
                given.jobs,
                not given.fresh,
                given.threads,
                given.memory,
                given.wall,
                given.retry_failed,
                progress_for(len(plan.tasks)),
            )
        except KeyboardInterrupt:
            print(
                f"stopped; {path} keeps what is done, the same command goes on from there",
                file=sys.stderr,
            )
            raise
        done = store.done()
        return int(any(done[key].outcome != "ok" for key, _ in plan.tasks if key in done))


def merge(parts, target, datasets=()):
    """Gather stores, or folders of the study's files, in one store; a run that is in several comes
    from the last of them.
    """
    from gmtoolbox.bench.interchange import import_study
    from gmtoolbox.bench.plan import entries_of
    from gmtoolbox.bench.store import Store

    for part in parts:  # before the target is created
        if not Path(part).exists():
            raise InputError(f"{part}: no such store")
    with Store(target, write=True) as store:
        for entry in entries_of(list(datasets)):
            store.add_instance(entry.row)
        for part in parts:
            if Path(part).is_dir():
                import_study(part, store)
                continue
            with Store(part) as source:
                store.copy(source)


def report(given):
    from gmtoolbox.bench.export import export
    from gmtoolbox.bench.interchange import export_study, read_published
    from gmtoolbox.bench.report import write_report
    from gmtoolbox.bench.store import Store

    published = read_published(given.published) if given.published else None
    with Store(given.store) as store:
        loaded = store.loaded()
        for path in given.export:
            if Path(path).suffix:
                export(loaded.runs(), path)
            else:
                export_study(loaded, path)
        limits = None if given.time_limits is None else sorted(given.time_limits)
        page = write_report(store, given.output, limits, published, loaded)
        print(page.absolute())


def plot(given):
    from gmtoolbox import plot as pictures
    from gmtoolbox.driver import gm_solve
    from gmtoolbox.engine.registry import get_solver
    from gmtoolbox.io import is_multi, load
    from gmtoolbox.multi_commands import plot_multi

    pictures.check_suffix(given.output)  # whatever is wrong is said before any work
    if is_multi(given.file):
        pictures.save_picture(plot_multi(load(given.file), given), given.output)
        return
    for method in given.method:
        get_solver(method)
    problem = load(given.file)
    planar = all(
        points is not None and points.shape[1] == 2 for points in (problem.points1, problem.points2)
    )
    kind = given.kind or ("matching" if planar and len(given.method) == 1 else "trace")
    if kind == "matching" and not (planar and len(given.method) == 1):
        raise InputError(
            f"{given.file}: a matching is drawn for one method, on a problem with coordinates in"
            " the plane"
        )
    results = {
        method: gm_solve(problem, method, time_limit=given.time_limit, seed=given.seed)
        for method in given.method
    }
    if kind == "trace":
        svg = pictures.trace(
            {method: result.trace for method, result in results.items()}, problem.name
        )
    else:
        ((method, result),) = results.items()
        svg = pictures.matching(problem, result, title=f"{problem.name} by {method}")
    pictures.save_picture(svg, given.output)
