"""bench --submit, --status and --resubmit."""

import shlex
from pathlib import Path

from gmtoolbox.bench.arguments import all_seeds
from gmtoolbox.bench.cluster import jobs as cluster
from gmtoolbox.bench.printing import print_shared_names, print_tables
from gmtoolbox.bench.run.plan import default_datasets
from gmtoolbox.bench.store.merging import merge
from gmtoolbox.bench.store.store import Store


def submit_jobs(given, plan):
    """Cut a plan into parts and start each as a job."""
    here = given.submit == "local"
    cpus = 1 if here else given.jobs  # here the parts themselves go side by side
    parts = given.shards or (
        min(given.jobs, len(plan.tasks)) if here else cluster.parts_for(plan, cpus, given.job_hours)
    )
    arguments = run_arguments(given, cpus)
    extra = shlex.split(given.sbatch)
    jobs = cluster.submit(given.store, plan, arguments, given.submit, parts, cpus, extra)
    print(
        f"{jobs.parts} jobs with {len(plan.tasks)} runs started; how far they are:"
        f" gmtoolbox bench --status --store {given.store}"
    )


def run_arguments(given, cpus):
    """The arguments of `gmtoolbox run` that make the same runs from any folder."""
    datasets = [str(Path(path).absolute()) for path in default_datasets(given.datasets)]
    flags = {
        "--methods": given.methods,
        "--import": [str(Path(file).absolute()) for file in given.own],
        "--time-limits": map(repr, given.time_limits),
        "--trials": [given.trials],
        "--seeds": all_seeds(given),
        "--threads": [given.threads],
        "--memory": [] if given.memory is None else [repr(given.memory)],
        "--wall": [] if given.wall is None else [repr(given.wall)],
        "--jobs": [cpus],
    }
    words = list(datasets)
    for flag, values in flags.items():
        values = list(map(str, values))
        words += [flag, *values] if values else []
    return [*words, *(["--retry-failed"] if given.retry_failed else [])]


def look_after(given):
    """Print the progress of the jobs, start missing ones, merge finished ones; the tables at the
    end, or at once if no job was submitted for the store.
    """
    if given.status and Path(given.store).is_file() and not cluster.is_submitted(given.store):
        print_tables(given.store, given.format)
        return 0
    jobs = cluster.read_jobs(given.store)
    parts = cluster.look(given.store, jobs)
    missing = [part.number for part in parts if part.state == "missing"]
    if given.resubmit and missing:
        cluster.start(given.store, jobs, missing, shlex.split(given.sbatch))
        print(f"{len(missing)} parts started again: {', '.join(map(str, missing))}")
        return 0
    stores = [cluster.part_store(given.store, part.number, jobs.parts) for part in parts]
    merge([path for path in stores if path.is_file()], given.store)
    print(cluster.describe_parts(parts))
    with Store(given.store) as store:
        print_shared_names(store.loaded())  # a file was changed while the jobs ran
    if any(part.state != "done" for part in parts):
        return 0
    print()
    print_tables(given.store, given.format)
    return int(any(part.failed for part in parts))
