"""Batches as MATLAB asks for them: every problem with every method, each run in a process of its
own, and a row for every one of them.
"""

import os
import warnings
from dataclasses import replace
from pathlib import Path

from gmtoolbox.bench.export import run_record
from gmtoolbox.bench.store.rows import Run
from gmtoolbox.core.errors import GMError, InputError, OptionError
from gmtoolbox.engine.registry import get_solver, gm_methods
from gmtoolbox.wrappers.arguments import (
    as_flag,
    as_integer,
    as_number,
    as_path,
    as_store,
    as_text,
    as_vector,
    settings_of,
    suggestion,
    verb,
)
from gmtoolbox.wrappers.problems import problem_of, saved_problem


def as_struct(name, value):
    """Return a struct as a dict."""
    if not isinstance(value, dict):
        raise InputError(f"{name} must be a struct")
    return value


SETTINGS = {
    "time_limit": as_vector,
    "n_jobs": as_integer,
    "trials": as_integer,
    "seed": as_integer,
    "store": as_store,
    "resume": as_flag,
    "retry_failed": as_flag,
    "threads": as_integer,
    "memory": as_number,
    "wall": as_number,
    "progress": as_flag,
    "options": as_struct,
}


def given_problem(request, k, path):
    """Return the k-th problem of a call: that of a path, or of a saved struct."""
    try:
        return problem_of({"path": path}) if path else saved_problem(request, k)
    except (GMError, OSError) as error:
        raise InputError(f"problem {k}: {error}") from error


@verb
def batch(request, report):
    """Answer the runs of every problem with every method. A problem is a path, or '' for a saved
    struct; for one that cannot be read there are rows that say why.
    """
    run_batch, plan = batch_modules()
    given = settings_of(request.get("settings") or {}, SETTINGS)
    if given.get("progress"):
        given["progress"] = Reporter(report)
    methods = batch_methods(request["methods"], given.pop("options", None))
    groups = [
        (path or f"problem{k}", entries_or_reason(request, k, path, plan))
        for k, path in enumerate(request["problems"], 1)
    ]
    if not groups:
        raise InputError("give at least one problem")
    entries = [entry for _, found in groups if not isinstance(found, str) for entry in found]
    names = list(plan.choose_methods(methods))
    runs = run_batch(entries, methods, **given) if entries else []
    return {"runs": [run_record(run) for run in in_given_order(groups, runs, names, given)]}


def batch_modules():
    """Return gm_batch and the module of plans, which need modules that only some systems have: the
    other calls work without it.
    """
    try:
        from gmtoolbox.bench.run import plan  # may fail
        from gmtoolbox.bench.run.runner import gm_batch  # may fail
    except ImportError as error:
        raise InputError(f"gm_batch does not work on this system: {error}") from error
    return gm_batch, plan


class Reporter:
    """A stream whose lines are sent to MATLAB, whatever happens to stderr there."""

    def __init__(self, report):
        self.report, self.text = report, ""

    def write(self, text):
        """Take some text and send the lines that are complete."""
        *lines, self.text = (self.text + text).split("\n")
        for line in lines:
            self.report("line", line)

    def flush(self):
        """Do nothing: lines are sent at once."""

    def isatty(self):
        """Return that no line can be overwritten."""
        return False


def entries_or_reason(request, k, path, plan):
    """Return the entries of the k-th given problem, or why there are none, which is also warned
    of.
    """
    try:
        if path:
            return plan.entries_of(as_path("file", path))
        problem = replace(given_problem(request, k, path), name=f"problem{k}")
        return plan.entries_of({problem.name: problem})
    except (GMError, OSError) as error:
        reason = str(error)
        if not reason.startswith("problem "):
            reason = f"problem {k}: {reason}"
        warnings.warn(reason, UserWarning, stacklevel=2)
        return reason


def in_given_order(groups, runs, methods, given):
    """Return the runs in the order of the given problems, with failed ones for those that could not
    be read.
    """
    of_entry = {}
    for run in runs:
        of_entry.setdefault((run.dataset, run.instance), []).append(run)
    ordered = []
    for name, found in groups:
        if isinstance(found, str):
            instance = Path(name).name.split(".")[0] or name
            ordered += [
                Run("files" if os.sep in name or "." in name else "batch", instance, method, trial,
                    outcome="error", reason=found, seed=given.get("seed", 0))
                for method in methods
                for trial in range(1, given.get("trials", 1) + 1)
            ]  # fmt: skip
        else:
            ordered += [run for entry in found for run in of_entry.get(entry.name, [])]
    return ordered


def batch_methods(names, options):
    """Return the methods for gm_batch: 'all', a list of names, or {name: options}. Each method gets
    the options that it has; a warning names those that it lacks.
    """
    names = [as_text("method", name).lower() for name in names]
    if not options:
        return "all" if names == ["all"] else names
    if names == ["all"]:
        names = [method.name for method in gm_methods() if not method.chooses]
    chosen, lacking = {}, {}
    for name in names:
        known = {option.name.lower(): option.name for option in get_solver(name).options}
        chosen[name] = {known[o.lower()]: v for o, v in options.items() if o.lower() in known}
        lacking[name] = [option for option in options if option.lower() not in known]
    for option in options:
        without = [name for name in names if option in lacking[name]]
        if len(without) == len(names):
            known = [o.name for name in names for o in get_solver(name).options]
            raise OptionError(
                f"no method of this batch has an option '{option}'{suggestion(option, known)}"
            )
        if without:
            plural = "methods" if len(without) > 1 else "method"
            warnings.warn(
                f"{plural} {', '.join(without)}: there is no option '{option}'; run without it",
                UserWarning,
                stacklevel=2,
            )
    return chosen
