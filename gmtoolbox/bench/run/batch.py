"""gmtoolbox batch: folders of problem files in, one table of results out; parfor for graph
matching.
"""

from pathlib import Path

from gmtoolbox.bench.export import export
from gmtoolbox.bench.run.plan import entries_of, make_plan
from gmtoolbox.bench.run.progress import progress_for
from gmtoolbox.bench.run.runner import execute, in_plan_order
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.terminal import say
from gmtoolbox.io.formats import RUNS, format_of


def solve_folder(folders, methods, outputs, settings, command="gm_batch", **plan):
    """Solve every problem of folders or files and write the runs; 1 if some failed, else 0.

    outputs   files to write: .mat, .csv, .h5; the store lies next to the first
    settings  Settings of the runs
    plan      time_limit, trials, seed of make_plan
    """
    outputs = [Path(output) for output in outputs]
    for output in outputs:
        format_of(output, RUNS, role="writer")
    ours = {output.absolute() for output in outputs}
    entries = [
        entry
        for entry in entries_of([str(folder) for folder in folders])
        if Path(entry.row.source).absolute() not in ours  # files that this command wrote before
    ]
    plan = make_plan(entries, methods, **plan)
    outputs[0].parent.mkdir(parents=True, exist_ok=True)
    path = outputs[0].with_suffix(".db")
    with Store(path, write=True) as store:
        try:
            answers = execute(plan, store, settings, progress_for(len(plan.tasks)), command)
        except KeyboardInterrupt:
            say(f"stopped; {path} keeps the finished runs, the same command continues")
            raise
        runs = in_plan_order(plan, store.runs(), answers)
    for output in outputs:
        export(runs, output)
    failed = [run for run in runs if run.outcome != "ok"]
    files = ", ".join(map(str, outputs))
    print(f"{len(runs) - len(failed)} of {len(runs)} runs done: {files}")
    for run in failed:
        say(f"failed: {run.instance} with {run.method}: {run.outcome}: {run.reason}")
    return int(bool(failed))
