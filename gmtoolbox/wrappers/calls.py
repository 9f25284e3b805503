"""The calls from MATLAB about one problem or a list of them: solve, methods, load, save, build,
transform, verify. See arguments.py for how a call travels.
"""

import os
import sys
from functools import partial

from gmtoolbox import __version__
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.transforms import BIJECTIVE, NONPOSITIVE, ZERO_UNARIES, prepare
from gmtoolbox.driver import gm_solve
from gmtoolbox.engine.registry import get_solver, gm_methods, preset
from gmtoolbox.io import mat, save
from gmtoolbox.many import gm_solve_many
from gmtoolbox.multi import gm_solve_multi
from gmtoolbox.proofs.verify import verify
from gmtoolbox.wrappers import batch_calls, graph_calls, result_calls, run_wrapper
from gmtoolbox.wrappers.arguments import (
    VERBS,
    as_integer,
    as_labels,
    as_number,
    as_path,
    as_target,
    as_text,
    driver_arguments,
    settings_of,
    spell_options,
    verb,
)
from gmtoolbox.wrappers.multi_calls import multi_problem, multi_variables
from gmtoolbox.wrappers.problems import (
    build_problem,
    plain_options,
    problem_of,
    problem_variables,
    struct_model,
)
from gmtoolbox.wrappers.result_calls import result_in_file
from gmtoolbox.wrappers.speech import in_matlab

__all__ = ["VERBS", "batch_calls", "graph_calls", "result_calls"]  # importing them registers verbs

TRANSFORMS = {"b": BIJECTIVE, "n": NONPOSITIVE, "z": ZERO_UNARIES}  # the letters of the study
MULTI_SETTINGS = {
    "time_limit": as_number,
    "seed": as_integer,
    "maxiter": as_integer,
    "bound": as_text,
    "method": as_text,
}
MANY_SETTINGS = ("n_jobs", "restarts")


@verb
def hello(request, report):
    """Answer which Python this is."""
    return {
        "version": __version__,
        "python": sys.executable,
        "pid": os.getpid(),
        "methods": len(gm_methods()),
    }


# ---- solving


@verb
def solve(request, report):
    """Answer gm_solve."""
    problem = problem_of(request, report)
    arguments = driver_arguments(request, method_of(request))
    if is_watched(request):
        arguments["progress"] = progress_of(request, report)
    return result_variables(gm_solve(problem, method_of(request), **arguments))


def method_of(request):
    """Return the method of a request, in small letters as methods are spelled."""
    return as_text("method", request["method"]).lower()


def is_watched(request):
    """Return True if improvements are printed or sent to a callback."""
    return bool(request.get("events") or request.get("display"))


def progress_of(request, report):
    """Return a progress function of gm_solve that prints a table, or sends events to a callback."""
    if request.get("display"):
        report("line", f"{'seconds':>10} {'iteration':>10} {'value':>16} {'bound':>16}")

    def pass_on(event, labels, iteration):
        time, value, bound = event
        if request.get("display"):
            report("line", f"{time:10.3f} {iteration:10d} {value:16.8g} {bound:16.8g}")
        if request.get("events"):
            report("event", f"{time:.17g} {value:.17g} {bound:.17g} {iteration:d}")

    return pass_on


@verb
def solve_many(request, report):
    """Answer gm_solve_many: an INFO for each problem."""
    given = dict(request.get("options") or {})
    settings = {
        name: as_integer(name, given.pop(name)) for name in list(given) if name in MANY_SETTINGS
    }
    settings |= spell_options(method_of(request), given, MANY_SETTINGS)
    if "seed" in settings:
        settings["seed"] = as_integer("seed", settings["seed"])
    problems = [
        batch_calls.given_problem(request, k, path) for k, path in enumerate(request["problems"], 1)
    ]
    results = gm_solve_many(problems, method_of(request), **settings)
    return {"info": [result.to_matlab() for result in results]}


@verb
def solve_multi(request, report):
    """Answer gm_solve_multi: a d x d cell of pairs, or the file of many graphs."""
    arguments = settings_of(request.get("settings") or {}, MULTI_SETTINGS)
    if is_watched(request):
        arguments["progress"] = progress_of(request, report)
    return multi_variables(gm_solve_multi(multi_problem(request), **arguments))


@verb
def wrapper(request, report):
    """Answer wrapper_<method>: gm_solve with the study's lines."""
    problem = problem_of(request)
    write = partial(report, "line")
    arguments = driver_arguments(request, method_of(request))
    return result_variables(run_wrapper(method_of(request), problem, write=write, **arguments))


@verb
def methods(request, report):
    """Answer the record of one method, or of all."""
    chosen = [get_solver(method_of(request))] if "method" in request else gm_methods()
    return {"methods": [method_record(solver) for solver in chosen]}


def method_record(solver):
    """Return the record of a method in gm_methods."""
    return {
        "name": solver.name,
        "family": solver.family,
        "summary": solver.summary + in_matlab(preset(solver)),
        "paper": solver.paper,
        "needs": [str(need) for need in solver.needs],
        "has_bound": solver.has_bound,
        "takes_init": solver.takes_init,
        "matrix_free": solver.matrix_free,
        "options": [
            {
                "name": option.name,
                "type": matlab_type(option.type),
                "default": option.default,
                "rule": "" if option.rule is None else str(option.rule),
                "doc": option.doc,
            }
            for option in solver.options
        ],
    }


def matlab_type(kind):
    """Return the name that MATLAB has for the type of an option."""
    return {int: "whole number", float: "number", str: "text", bool: "logical"}.get(
        kind, kind.__name__
    )


# ---- problems


@verb
def load_file(request, report):
    """Answer the struct of the problem that a file holds, or X and INFO of a result."""
    try:
        problem = problem_of(request, report)
    except InputError:
        if (result := result_in_file(as_path("file", request["path"]))) is None:
            raise
        settings_of(request.get("reading") or {}, {})  # those are for problems
        return result_variables(result)
    return problem_variables(problem, struct_model(request, problem))


@verb
def expand_problem(request, report):
    """Answer the struct of a problem with all its matrices."""
    problem = problem_of(request)
    return mat.variables_of(problem, mat.schema_of(problem))


@verb
def transform_problem(request, report):
    """Answer a problem with the study's transforms, named by letters: b, bn, bnz."""
    letters = as_text("transforms", request["transforms"]).lower().lstrip("_")
    if not letters or set(letters) - TRANSFORMS.keys():
        raise InputError(
            f"the transforms must be '_b', '_bn', '_bnz' or other letters of bnz, got '{letters}'"
        )
    prepared = prepare(problem_of(request).as_costs(), [TRANSFORMS[one] for one in letters])
    return mat.variables_of(prepared.problem.materialise(), "costs")


@verb
def save_problem(request, report):
    """Write a problem as a file."""
    settings = {}
    if "version" in request:
        settings["version"] = as_text("version", request["version"])
    save(problem_of(request), as_target("file", request["target"]), **settings)


@verb
def build(request, report):
    """Answer the struct of a problem from points or graphs."""
    prefix = "array_"
    arrays = {
        name.removeprefix(prefix): value
        for name, value in request.items()
        if name.startswith(prefix)
    }
    options = {**plain_options(request.get("options") or {}), **arrays}
    first, second = request["first"], request["second"]
    problem = build_problem(request["builder"], first, second, options)
    return problem_variables(problem, (request["builder"], first, second, options))


@verb
def verify_result(request, report):
    """Recompute the claims of a result; answer the findings."""
    labels = as_labels("labels", request["labels"])
    value, bound = (as_number(name, request[name]) for name in ("value", "bound"))
    found = verify(problem_of(request), labels, value, bound)
    return {"value": found.value, "bound": found.bound}


def result_variables(result):
    """Return X and INFO of a Result."""
    info = result.to_matlab()
    return {"X": info.pop("X"), "info": info}
