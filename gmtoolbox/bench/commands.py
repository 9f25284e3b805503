"""The benchmark's part of the command line: bench, batch, run, report, fetch. Imports
wait until a command runs, since most are heavy.
"""

from pathlib import Path

from gmtoolbox.bench.arguments import (
    all_seeds,
    batch_arguments,
    fraction,
    refuse_flags,
    run_arguments,
)
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.terminal import say
from gmtoolbox.engine.registry import DEFAULT_METHOD

MODES = ("merge", "status", "resubmit", "dry_run", "submit")  # instead of running here
RUNNING = ("methods", "own", "time_limits", "trials", "jobs", "seed", "threads") + (
    "memory", "wall", "fresh", "retry_failed"
)  # fmt: skip
FORMATS = ("text", "runs", "csv", "latex", "tabular", "gaps", "gaps-csv", "significance")


def add_bench_commands(command, positive):
    """Declare the commands that run methods; `command(run, name, summary)` gives a parser,
    `positive` reads a positive number.
    """
    sub = command(
        bench,
        "bench",
        "run methods on datasets, keep the runs in a store, print tables",
    )
    batch_arguments(sub, positive)
    add_table_arguments(sub)
    add_job_arguments(sub, positive)

    sub = command(batch, "batch", "solve a folder of problem files, results in one file")
    batch_command_arguments(sub, positive)

    sub = command(shard, "run", "one part of a benchmark, for arrays of jobs on a cluster")
    batch_arguments(sub, positive)
    sub.add_argument(
        "--shard",
        required=True,
        type=fraction,
        metavar="K/N",
        help="the K-th of N equal parts of the runs",
    )


def add_report_commands(command, positive):
    """Declare the commands before and after the runs: datasets to download, a site of results."""
    sub = command(
        report, "report", "write the results of a store as a website that opens from disk"
    )
    add_report_arguments(sub, positive)

    sub = command(fetch, "fetch", "download the study's datasets, or QAPLIB, from their own pages")
    sub.add_argument("source", choices=("study", "qaplib"), help="the data to download")
    sub.add_argument(
        "--output", "-o", metavar="FOLDER", help="target (default: a folder of that name)"
    )
    sub.add_argument("--page", metavar="ADDRESS", help="another page that links to the files")


def add_table_arguments(sub):
    """Add the arguments of `bench` about its tables and about existing stores."""
    sub.add_argument(
        "--merge",
        nargs="+",
        metavar="STORE",
        help=(
            "do not run: gather in --store these stores (of `run --shard`) "
            "or folders of the study's JSON files; DATASETs then only give optimum and ground truth"
        ),
    )
    sub.add_argument(
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        default="text",
        help=(
            "one of "
            + " ".join(FORMATS)
            + ": tables as text, CSV, LaTeX (a document) or tabular (to \\input); runs: a line per"
            " run; gaps, gaps-csv: a line per instance and method; significance: wins and"
            " Wilcoxon's p"
        ),
    )
    sub.add_argument(
        "--dry-run", action="store_true", help="do not run: say how many runs and how long"
    )


def add_report_arguments(sub, positive):
    """Add the arguments of `report`."""
    sub.add_argument("store", metavar="STORE", help="a store written by `bench`")
    sub.add_argument(
        "--output",
        "-o",
        default="site",
        metavar="FOLDER",
        help="folder of the site (default: site), or one file to send: report.html",
    )
    sub.add_argument("--time-limits", "-t", nargs="+", type=positive, metavar="S",
                     help="of the tables (default: those that were asked for)")  # fmt: skip
    sub.add_argument(
        "--published",
        metavar="FILE",
        help="the study's results.json.gz, drawn thin in the profiles",
    )
    sub.add_argument(
        "--against",
        metavar="STORE",
        help="earlier results to compare with: regressions and improvements",
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


def batch_command_arguments(sub, positive):
    """Add the arguments of `batch`."""
    sub.add_argument("folder", nargs="+", metavar="FOLDER", help="folders, or problem files")
    sub.add_argument(
        "--methods",
        "--method",
        "-m",
        nargs="+",
        default=[DEFAULT_METHOD],
        metavar="M",
        help="names that `methods` lists, 'all', or variants: [NAME=]METHOD:OPTION=VALUE,...",
    )
    sub.add_argument("--time-limit", "-t", type=positive, metavar="S", help="seconds of one run")
    sub.add_argument(
        "--output",
        "-o",
        nargs="+",
        default=["results.csv"],
        metavar="FILE",
        help=".mat, .csv or .h5 (default: results.csv); a .db next to it keeps the runs: the same"
        " command continues an interrupted one",
    )
    run_arguments(sub, positive)


def add_job_arguments(sub, positive):
    """Add the arguments of `bench` for other computers."""
    sub.add_argument(
        "--dask", metavar="ADDRESS", help="make the runs on a Dask cluster: tcp://host:8786"
    )
    jobs = sub.add_argument_group("jobs", "the benchmark as an array of jobs that go on alone")
    jobs.add_argument(
        "--submit",
        choices=("slurm", "local"),
        help="do not run here: cut the runs into parts and start each as a job",
    )
    jobs.add_argument(
        "--status",
        action="store_true",
        help="do not run: show the progress of submitted jobs, merge the finished ones, and print"
        " the tables of --store",
    )
    jobs.add_argument(
        "--resubmit", action="store_true", help="start again the parts that are missing"
    )
    jobs.add_argument(
        "--shards", type=int, metavar="N", help="number of parts (default: by --job-hours)"
    )
    jobs.add_argument(
        "--job-hours",
        type=positive,
        default=2.0,
        metavar="H",
        help="hours that a part may take if every run takes its whole time (default: 2)",
    )
    jobs.add_argument(
        "--sbatch", default="", metavar="OPTIONS", help="options of sbatch: --sbatch='--mem=8G'"
    )


# ---- commands


def bench(given):
    """Run, submit, look after or merge a benchmark and print its tables; 1 if runs failed."""
    from gmtoolbox.bench.printing import print_tables
    from gmtoolbox.bench.store.merging import merge

    check_mode(given)
    if given.merge:
        merge(given.merge, given.store, given.datasets)
        print_tables(given.store, given.format)
        return 0
    if given.status or given.resubmit:
        from gmtoolbox.bench.cluster.job_commands import look_after

        return look_after(given)
    plan = plan_of(given)
    if given.dry_run:
        return dry_run(given, plan)
    if given.submit:
        from gmtoolbox.bench.cluster.job_commands import submit_jobs

        return submit_jobs(given, plan)
    failed, places = run_plan(given, plan, given.store)
    print_tables(given.store, given.format, sorted(given.time_limits), places)
    return failed


def check_mode(given):
    """Check that every argument of `bench` has a use in the chosen mode."""
    modes = [name for name in MODES if getattr(given, name)]
    if len(modes) > 1:
        first, second = (f"--{name.replace('_', '-')}" for name in modes[:2])
        raise InputError(f"{second} does not go with {first}")
    mode = modes[0] if modes else None
    rule = f"does not go with --{mode.replace('_', '-')}" if mode else ""
    if mode in ("merge", "status", "resubmit"):
        refuse_flags(given, rule, *RUNNING, "dask", "shards", "job_hours")
    if mode in ("status", "resubmit") and given.datasets:
        raise InputError(f"DATASET {rule}")
    if mode in ("dry_run", "submit"):
        refuse_flags(given, rule, "format", "dask")
    if mode == "submit":
        refuse_flags(given, rule, "fresh")
        if given.submit == "local" or given.shards:
            why = "--shards" if given.shards else "--submit local"
            refuse_flags(given, f"does not go with {why}", "job_hours")
    else:
        refuse_flags(given, "goes with --submit", "shards", "job_hours")
    if mode != "resubmit" and given.submit != "slurm":
        refuse_flags(given, "goes with --submit slurm or --resubmit", "sbatch")
    if given.dask:
        refuse_flags(given, "does not go with --dask", "jobs")


def dry_run(given, plan):
    """Print how many runs a plan has and how long they take."""
    from gmtoolbox.bench.run.estimate import describe_estimate, estimate
    from gmtoolbox.bench.store.store import Store

    settings = settings_of(given, reads_off=True)
    if not Path(given.store).exists():
        print(describe_estimate(plan, estimate(plan, None, settings)))
        return
    with Store(given.store) as store:
        print(describe_estimate(plan, estimate(plan, store, settings)))


def shard(given):
    """Run one part of a plan in a store of its own; 1 if runs failed."""
    from gmtoolbox.bench.store.copied_store import CopiedStore

    k, n = given.shard
    path = Path(given.store)
    path = path.with_name(f"{path.stem}.{k}-of-{n}{path.suffix}")
    failed, _ = run_plan(given, plan_of(given).shard(k, n), path, CopiedStore)
    print(path)
    return failed


def plan_of(given):
    """The Plan of the command line."""
    from gmtoolbox.bench.run.plan import default_datasets, make_plan
    from gmtoolbox.engine.own import import_file

    for file in given.own:
        import_file(file)
    methods = given.methods[0] if given.methods == ["all"] else given.methods
    return make_plan(
        default_datasets(given.datasets),
        methods,
        trials=given.trials,
        time_limit=given.time_limits,
        seed=all_seeds(given),
    )


def batch(given):
    """Solve folders of problem files; 1 if runs failed."""
    from gmtoolbox.bench.run.batch import solve_folder

    methods = given.methods[0] if given.methods == ["all"] else given.methods
    return solve_folder(
        given.folder,
        methods,
        given.output,
        settings_of(given),
        given.typed,
        trials=given.trials,
        time_limit=given.time_limit,
        seed=all_seeds(given),
    )


def settings_of(given, reads_off=False):
    """The Settings of the command line; reads_off: tables are made of the runs."""
    from gmtoolbox.bench.run.runner import Settings

    return Settings(
        given.jobs,
        not given.fresh,
        given.threads,
        given.memory,
        given.wall,
        given.retry_failed,
        getattr(given, "dask", None),
        reads_off,
    )


def run_plan(given, plan, path, opened=None):
    """Run the missing tasks of a plan; return (1 if runs of it have failed, else 0; the places
    of its runs in the store). opened: another kind of Store.
    """
    from gmtoolbox.bench.run.progress import progress_for
    from gmtoolbox.bench.run.runner import execute
    from gmtoolbox.bench.store.store import Store

    with opened(path) if opened else Store(path, write=True) as store:
        try:
            show = progress_for(len(plan.tasks))
            answers = execute(plan, store, settings_of(given, reads_off=True), show, given.typed)
        except KeyboardInterrupt:
            say(f"stopped; {path} keeps the finished runs, the same command continues")
            raise
        places = set(answers.values())
        failed = any(run.outcome != "ok" for run in store.done() if run.place in places)
        return int(failed), places


def report(given):
    """Write the site of a store, and the exports that were asked for."""
    from gmtoolbox.bench.evaluate.comparison import compare
    from gmtoolbox.bench.evaluate.interchange import export_study, read_published
    from gmtoolbox.bench.export import export
    from gmtoolbox.bench.site.report import write_report
    from gmtoolbox.bench.store.store import Store

    published = read_published(given.published) if given.published else None
    with Store(given.store) as store:
        loaded = store.loaded()
        for path in given.export:
            if Path(path).suffix:
                export(loaded.runs(), path)
            else:
                export_study(loaded, path)
        limits = None if given.time_limits is None else sorted(given.time_limits)
        against = None
        if given.against is not None:
            with Store(given.against) as earlier:
                against = Path(given.against).name, compare(loaded, earlier.loaded())
        print(write_report(store, given.output, limits, published, loaded, against))
    if against is not None:
        print(against[1].summary)


def fetch(given):
    """Download datasets and make dataset folders of them."""
    from gmtoolbox.bench.fetch import fetch as fetch_files
    from gmtoolbox.bench.fetch import sources
    from gmtoolbox.bench.unpacking import MAKERS

    source = sources()[given.source]
    folder = Path(given.output or given.source)
    print(f"{source['title']}; see {source['page']}")
    archives = fetch_files({**source, "page": given.page or source["page"]}, folder)
    made = MAKERS[given.source](archives, folder)
    if not made:
        raise InputError(f"{folder}: the archives hold no problem files")
    print(f"{', '.join(made)}: gmtoolbox bench {folder}")
