"""What MATLAB can ask of the server: one function per verb, all of the form call(stem, write).

Arguments arrive in `stem`.in.mat: `arguments`, a struct of scalars and texts (among them `folder`,
MATLAB's current one), and arrays beside it. A problem is the matrix K, or a path, or a whole
problem struct saved as `stem`.problem1.mat. The answer goes to `stem`.out.mat. While a call runs
it may tell(kind, text): a "line" to be printed, an "event" for a callback.
"""

import math
import os
import sys
import warnings
from dataclasses import replace
from functools import partial, wraps

import numpy as np

from gmtoolbox import __version__
from gmtoolbox.bench.export import run_record
from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.core.one_based import one_based, zero_based
from gmtoolbox.core.result import Result, trace_dtype
from gmtoolbox.core.values import dense
from gmtoolbox.driver import as_problem, gm_solve
from gmtoolbox.editing.distance import graph_edit_distance
from gmtoolbox.engine.registry import DEFAULT_METHOD, get_solver, gm_methods
from gmtoolbox.io import load, mat, save
from gmtoolbox.io.mat_checks import check_factors
from gmtoolbox.io.structs import save_variables
from gmtoolbox.models import from_graphs, from_points
from gmtoolbox.multi import gm_solve_multi
from gmtoolbox.proofs.verify import verify
from gmtoolbox.wrappers import run_wrapper
from gmtoolbox.wrappers.multi_calls import multi_problem, multi_variables

VERBS = {}


def verb(function):
    """Register call(request, tell) -> dict of the answer's variables; None: it wrote the file
    itself, or there is nothing to answer.
    """

    @wraps(function)
    def call(stem, tell):
        request = read_request(stem)
        os.chdir(request["folder"])
        answer = function(request, tell)
        if answer is not None:
            save_variables(request["out"], answer, octave=request.get("octave", False))

    VERBS[function.__name__] = call
    return function


# ---- the calls


@verb
def hello(request, tell):
    """Which Python this is."""
    return {
        "version": __version__,
        "python": sys.executable,
        "pid": os.getpid(),
        "methods": len(gm_methods()),
    }


@verb
def solve(request, tell):
    """gm_solve."""
    problem = problem_of(request, tell)
    arguments = driver_arguments(request)
    if request.get("events") or request.get("display"):
        arguments["progress"] = progress_of(request, tell)
    return result_variables(gm_solve(problem, request["method"], **arguments))


def progress_of(request, tell):
    """A progress function of gm_solve that prints a table, or sends events to a callback."""
    if request.get("display"):
        tell("line", f"{'seconds':>10} {'iteration':>10} {'value':>16} {'bound':>16}")

    def improved(event, labels, iteration):
        time, value, bound = event
        if request.get("display"):
            tell("line", f"{time:10.3f} {iteration:10d} {value:16.8g} {bound:16.8g}")
        if request.get("events"):
            tell("event", f"{time:.17g} {value:.17g} {bound:.17g} {iteration:d}")

    return improved


@verb
def solve_multi(request, tell):
    """Many graphs at once: a d x d cell of pairs, or the file of many graphs."""
    arguments = dict(request.get("settings") or {})
    for name in ("seed", "maxiter"):
        if name in arguments:
            arguments[name] = as_integer(name, arguments[name])
    if request.get("display"):
        arguments["progress"] = progress_of(request, tell)
    return multi_variables(gm_solve_multi(multi_problem(request), **arguments))


@verb
def wrapper(request, tell):
    """wrapper_<method>: gm_solve with the study's lines."""
    problem = problem_of(request)
    write = partial(tell, "line")
    return result_variables(
        run_wrapper(request["method"], problem, write=write, **driver_arguments(request))
    )


@verb
def methods(request, tell):
    """The record of one method, or of all."""
    chosen = [get_solver(request["method"])] if "method" in request else gm_methods()
    return {"methods": [method_record(solver) for solver in chosen]}


@verb
def load_problem(request, tell):
    """A problem of any file as a .mat file."""
    save(problem_of(request, tell), request["out"], version="6")


@verb
def save_problem(request, tell):
    """Write a problem as a file."""
    settings = {"version": request["version"]} if "version" in request else {}
    save(problem_of(request), request["target"], **settings)


@verb
def save_result(request, tell):
    """Write INFO of gm_solve as a result file."""
    info = plain(mat.read_variables(f"{request['stem']}.problem1.mat"))
    kept = ("value", "bound", "gap", "status", "time", "seed", "sense", "method", "n_iter")
    missing = [name for name in (*kept, "labels", "shape") if name not in info]
    if missing:
        raise InputError(f"INFO must be the second output of gm_solve; it has no {missing[0]}")
    trace = np.zeros((0, 3)) if "trace" not in info else np.reshape(info["trace"], (-1, 3))
    result = Result(
        labels=whole_numbers("labels", info["labels"]).ravel(),
        shape=np.ravel(info["shape"]),
        trace=np.array([tuple(row) for row in trace], dtype=trace_dtype()),
        options=info.get("options") or {},
        **{name: info[name] for name in kept},
    )
    result.seed, result.n_iter = int(result.seed), int(result.n_iter)
    result.save(request["target"])


@verb
def build(request, tell):
    """A problem from points or graphs, by the builder of gmtoolbox.models that is named."""
    builder = {"points": from_points, "graphs": from_graphs}[request["builder"]]
    prefix = "array_"
    arrays = {
        name.removeprefix(prefix): value
        for name, value in request.items()
        if name.startswith(prefix)
    }
    arguments = {**(request.get("options") or {}), **arrays}
    for name in ("edges1", "edges2", "candidates", "seeds"):
        if name in arguments and not isinstance(arguments[name], str):
            arguments[name] = whole_numbers(name, arguments[name])
    for name in ("both", "complete", "directed"):
        if name in arguments:
            arguments[name] = as_flag(name, arguments[name])
    save(builder(request["first"], request["second"], **arguments), request["out"], version="6")


@verb
def edit_distance(request, tell):
    """The edit distance of two adjacency matrices with labels of their nodes, if they have any."""
    settings = dict(request.get("settings") or {})
    if "costs" in request:
        settings["costs"] = np.ravel(request["costs"]).tolist()
    if "seed" in settings:
        settings["seed"] = as_integer("seed", settings["seed"])
    labels = [
        np.ravel(request[name]) if name in request else None for name in ("labels1", "labels2")
    ]
    r = graph_edit_distance(
        (request["first"], labels[0]), (request["second"], labels[1]), **settings
    )
    become = np.full(request["first"].shape[0], -1)
    for i, s in r.mapping.items():
        become[i] = s
    return {
        "distance": math.nan if r.distance is None else r.distance,
        "labels": one_based(become),
        **{name: getattr(r, name) for name in ("value", "bound", "gap", "status", "time")},
    }


@verb
def verify_result(request, tell):
    """Recompute what a result claims; the answer is what was found."""
    labels = whole_numbers("labels", request["labels"]).ravel()
    found = verify(problem_of(request), labels, request["value"], request["bound"])
    return {"value": found.value, "bound": found.bound}


@verb
def batch(request, tell):
    """Runs of every problem with every method; a problem is a path, or '' for a saved struct. One
    that cannot be read costs only its own runs.
    """
    problems, broken = {}, {}
    for k, path in enumerate(request["problems"], 1):
        try:
            problems[k] = path or saved_problem(request, k)
        except GMError as error:
            broken[k] = f"problem {k}: {error}"
    settings = dict(request.get("settings") or {})
    for name in ("n_jobs", "trials", "threads", "seed"):
        if name in settings:
            settings[name] = as_integer(name, settings[name])
    if "time_limit" in settings:
        settings["time_limit"] = np.ravel(settings["time_limit"]).tolist()
    for name in ("resume", "retry_failed", "progress"):
        if name in settings:
            settings[name] = as_flag(name, settings[name])
    methods = batch_methods(request["methods"], settings.pop("options", None))
    if not problems:
        raise InputError(next(iter(broken.values()), "give at least one problem"))
    for reason in broken.values():
        warnings.warn(reason, UserWarning, stacklevel=2)
    # A name for each that is no file, so that runs tell which of the given ones they solved.
    named = [path if isinstance(path, str) else (k, path) for k, path in problems.items()]
    runs = batch_runner()(
        [entry if isinstance(entry, str) else replace(entry[1], name=f"problem{entry[0]}")
         for entry in named],
        methods, **settings,
    )  # fmt: skip
    return {"runs": [run_record(run) for run in runs]}


def batch_runner():
    """gm_batch, which needs what only some systems have: the other calls work without it."""
    try:
        from gmtoolbox.bench.run.runner import gm_batch  # may fail
    except ImportError as error:
        raise InputError(f"gm_batch does not work on this system: {error}") from error
    return gm_batch


def batch_methods(names, options):
    """What gm_batch takes: 'all', a list of names, or name -> options where there are any."""
    if names == ["all"] and not options:
        return "all"
    return dict.fromkeys(names, options) if options else list(names)


# ---- from MATLAB


def read_request(stem):
    """The arguments of a call as one dict; texts and scalars plain, arrays as they are."""
    path = f"{stem}.in.mat"
    variables = mat.read_variables(path)
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


def problem_of(request, tell=None):
    """The Problem of a request: a matrix, a path or a problem struct. What a dataset.json decided
    is told.
    """
    listed = {name: request[name] for name in ASSIGNMENT_LISTS if name in request}
    if "K" in request and (listed or is_reduced(request)):
        return listed_problem(request, listed)
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
        problem = load(request["path"], **reading, sense=sense, shape=shape)
        if tell is not None and complete is None and "dataset.json" in problem.origin:
            tell("line", f"{request['path']}: complete, as the dataset.json beside it says")
    else:
        problem = saved_problem(request, 1, sense, shape)
    return as_problem(problem, None, Ct, None, complete)


ASSIGNMENT_LISTS = ("L12", "group1", "group2", "E12")  # how the originals' programs name them


def is_reduced(request):
    """Whether K has a row for each one of the mask only."""
    Ct, N = request.get("Ct"), request["K"].shape[0]
    return Ct is not None and np.prod(Ct.shape) != N and Ct.sum() == N


def listed_problem(request, listed):
    """K over a list of assignments, as the originals' programs take it."""
    names = ("K", "Ct", "sense", "complete")
    variables = {name: request[name] for name in names if name in request}
    if "complete" in variables:
        variables["complete"] = np.array([[as_flag("complete", variables["complete"])]])
    return mat.problem_of({**variables, **listed}, key="K")


def saved_problem(request, k, sense=None, shape=None):
    """The k-th problem struct of a call, from its file; parts of it that contradict each other are
    refused.
    """
    try:
        variables = mat.read_variables(f"{request['stem']}.problem{k}.mat")
        problem = mat.problem_of(variables, sense=sense, shape=shape)
        check_factors(problem, variables)
        return problem
    except InputError as error:
        raise InputError(f"the struct is no problem: {error}") from error


def driver_arguments(request):
    """Keywords of gm_solve besides the problem: options, time_limit, seed and a 0-based init."""
    arguments = spelled(request.get("method", DEFAULT_METHOD), request.get("options") or {})
    if "seed" in arguments:
        arguments["seed"] = as_integer("seed", arguments["seed"])
    if "init" in request:
        arguments["init"] = whole_numbers("init", request["init"]).ravel()
    return arguments


def spelled(method, given):
    """Options by their own names, however their letters are capitalised."""
    known = {option.name.lower(): option.name for option in get_solver(method).options}
    known |= {"time_limit": "time_limit", "seed": "seed"}
    return {known.get(name.lower(), name): value for name, value in given.items()}


def whole_numbers(name, values):
    """An array of 1-based indices or labels, as 0-based integers."""
    values = dense(values)
    if not np.array_equal(values, np.round(values)):
        raise InputError(f"{name} must hold whole numbers: 1-based, 0 = unmatched")
    return zero_based(values)


def as_flag(name, value):
    """True or False of what MATLAB sends."""
    if not isinstance(value, (bool, int, float)) or value not in (0, 1):
        raise InputError(f"{name} must be true or false, got {value!r}")
    return bool(value)


def as_integer(name, value):
    """An int of what MATLAB sends."""
    if not isinstance(value, (int, float)) or not float(value).is_integer():
        raise InputError(f"{name} must be a whole number, got {value!r}")
    return int(value)


# ---- to MATLAB


def result_variables(result):
    """X and INFO of a Result."""
    info = result.to_matlab()
    return {"X": info.pop("X"), "info": info}


def method_record(solver):
    """What gm_methods tells of a method."""
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
