"""What MATLAB can ask of the server: one function per verb, all of the form call(stem, write).

Arguments arrive in `stem`.in.mat: `arguments`, a struct of scalars and texts (among them `folder`,
MATLAB's current one), and arrays beside it. A problem is the matrix K, or a path, or a whole
problem struct saved as `stem`.problem1.mat. The answer goes to `stem`.out.mat.
"""

import os
from dataclasses import replace
from functools import wraps

import numpy as np
from scipy.io import savemat

from gmtoolbox.bench.runner import gm_batch
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.one_based import one_based, zero_based
from gmtoolbox.driver import as_problem, gm_solve
from gmtoolbox.engine.registry import get_solver, gm_methods
from gmtoolbox.io import load, save
from gmtoolbox.io.files import replacing
from gmtoolbox.io.mat import read_variables
from gmtoolbox.wrappers import run_wrapper

VERBS = {}


def verb(function):
    """Register call(request, write) -> dict of the answer's variables; None: it wrote the file
    itself, or there is nothing to tell.
    """

    @wraps(function)
    def call(stem, write):
        request = read_request(stem)
        os.chdir(request["folder"])
        answer = function(request, write)
        if answer is not None:
            save_variables(request["out"], answer, octave=request.get("octave", False))

    VERBS[function.__name__] = call
    return function


# ---- the calls


@verb
def hello(request, write):
    """Which Python this is."""
    import sys

    from gmtoolbox import __version__

    return {
        "version": __version__,
        "python": sys.executable,
        "pid": os.getpid(),
        "methods": len(gm_methods()),
    }


@verb
def solve(request, write):
    result = gm_solve(problem_of(request), request["method"], **driver_arguments(request))
    return result_variables(result)


@verb
def wrapper(request, write):
    problem = problem_of(request)
    return result_variables(
        run_wrapper(request["method"], problem, write=write, **driver_arguments(request))
    )


@verb
def methods(request, write):
    chosen = [get_solver(request["method"])] if "method" in request else gm_methods()
    return {"methods": [method_record(solver) for solver in chosen]}


@verb
def load_problem(request, write):
    save(problem_of(request), request["out"], version="6")


@verb
def save_problem(request, write):
    save(problem_of(request), request["target"])


@verb
def batch(request, write):
    """Runs of every problem with every method; a problem is a path, or '' for a saved struct."""
    paths = request["problems"]
    problems = [path or saved_problem(request, k) for k, path in enumerate(paths, 1)]
    settings = dict(request.get("settings") or {})
    for name in ("n_jobs", "trials", "threads", "seed"):
        if name in settings:
            settings[name] = as_integer(name, settings[name])
    if "time_limit" in settings:
        settings["time_limit"] = np.ravel(settings["time_limit"]).tolist()
    for name in ("resume", "retry_failed", "progress"):
        if name in settings:
            settings[name] = as_flag(name, settings[name])
    methods = (
        request["methods"] if len(request["methods"]) != 1 else request["methods"][0]
    )  # 'all' is no name of a method
    return {"runs": [run_record(run) for run in gm_batch(problems, methods, **settings)]}


# ---- from MATLAB


def read_request(stem):
    """The arguments of a call as one dict; texts and scalars plain, arrays as they are."""
    path = f"{stem}.in.mat"
    variables = read_variables(path)
    os.remove(path)
    return {
        **plain(variables.pop("arguments")),
        **variables,
        "stem": str(stem),
        "out": f"{stem}.out.mat",
    }


def plain(value):
    """1x1 arrays inside a struct as scalars, cells as lists."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return [plain(item) for item in value.ravel()]
    return value.item() if isinstance(value, np.ndarray) and value.size == 1 else value


def problem_of(request):
    """The Problem of a request: a matrix, a path or a problem struct."""
    complete = as_flag("complete", request["complete"]) if "complete" in request else None
    shape, Ct, sense = request.get("shape"), request.get("Ct"), request.get("sense")
    if shape is not None:
        shape = tuple(float(n) for n in np.ravel(shape))
    if "K" in request:
        return as_problem(request["K"], shape, Ct, sense, complete)
    if "path" in request:
        reading = dict(request.get("reading", {}))
        if "complete" in reading:
            reading["complete"] = as_flag("complete", reading["complete"])
        return as_problem(load(request["path"], **reading), shape, Ct, sense, complete)
    return as_problem(saved_problem(request, 1), shape, Ct, sense, complete)


def saved_problem(request, k):
    """The k-th problem struct of a call, from its file."""
    try:
        return replace(load(f"{request['stem']}.problem{k}.mat"), name="")
    except FileFormatError as error:
        raise InputError(f"the struct is no problem: {error.message}") from error


def driver_arguments(request):
    """Keywords of gm_solve besides the problem: options, time_limit, seed and a 0-based init."""
    arguments = dict(request.get("options") or {})
    if "seed" in arguments:
        arguments["seed"] = as_integer("seed", arguments["seed"])
    if "init" in request:
        labels = np.ravel(request["init"])
        if not np.array_equal(labels, np.round(labels)):
            raise InputError("init must hold whole numbers: 1-based labels, 0 = unmatched")
        arguments["init"] = zero_based(labels)
    return arguments


def as_flag(name, value):
    if not isinstance(value, (bool, int, float)) or value not in (0, 1):
        raise InputError(f"{name} must be true or false, got {value!r}")
    return bool(value)


def as_integer(name, value):
    if not isinstance(value, (int, float)) or not float(value).is_integer():
        raise InputError(f"{name} must be a whole number, got {value!r}")
    return int(value)


# ---- to MATLAB


def result_variables(result):
    info = result.to_matlab()
    return {"X": info.pop("X"), "info": {**info, "sense": result.sense}}


def run_record(run):
    """One run of gm_batch; a failed one has NaN for its numbers and tells the reason."""
    known = lambda number: float("nan") if number is None else float(number)
    trace = (
        np.zeros((0, 3))
        if run.trace is None
        else np.column_stack([run.trace[name] for name in run.trace.dtype.names])
    )
    return {
        "dataset": run.dataset,
        "instance": run.instance,
        "method": run.method,
        "trial": run.trial,
        "outcome": run.outcome,
        "reason": run.reason,
        "status": run.status or "",
        "value": known(run.value),
        "bound": known(run.bound),
        "gap": known(run.gap),
        "time": known(run.time),
        "n_iter": known(run.n_iter),
        "labels": np.zeros((0, 0)) if run.labels is None else one_based(run.labels),
        "trace": trace,
        "options": {name: value for name, value in run.options.items() if value is not None},
        "seed": run.seed,
    }


def method_record(solver):
    return {
        "name": solver.name,
        "family": solver.family,
        "summary": solver.summary,
        "paper": solver.paper,
        "needs": [str(need) for need in solver.needs],
        "has_bound": solver.has_bound,
        "takes_init": solver.takes_init,
        "options": [
            {
                "name": option.name,
                "type": option.type.__name__,
                "default": option.default,
                "rule": "" if option.rule is None else str(option.rule),
                "doc": option.doc,
            }
            for option in solver.options
        ],
    }


def save_variables(path, variables, octave=False):
    """Write Python values as a .mat file; it appears whole or not at all.

    octave  count a text's bytes, as Octave does, not its characters, as MATLAB does
    """
    with replacing(path) as draft:
        savemat(
            draft,
            as_matlab(variables, octave),
            appendmat=False,
            oned_as="column",
            long_field_names=True,
        )


def as_matlab(value, octave=False):
    """dict -> struct, list of dicts -> struct array, list of texts -> cell, number -> double, bool
    -> logical.
    """
    if isinstance(value, dict):
        return {name: as_matlab(item, octave) for name, item in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        records = np.empty((len(value), 1), dtype=[(name, object) for name in value[0]])
        for k, item in enumerate(value):
            records[k, 0] = tuple(as_matlab(entry, octave) for entry in item.values())
        return records
    if isinstance(value, list):
        cells = np.empty((len(value), 1), dtype=object)
        for k, item in enumerate(value):
            cells[k, 0] = as_matlab(item, octave)
        return cells
    if value is None:
        return np.zeros((0, 0))
    if isinstance(value, str) and octave:
        return np.array([value.encode()])
    if isinstance(value, int) and not isinstance(value, bool):
        return float(
            value
        )  # MATLAB's numbers are doubles; an int64 scalar infects every expression it meets
    return value
