"""Results as MATLAB has them: INFO of gm_solve, saved, loaded and judged."""

import numpy as np

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.quality import evaluate
from gmtoolbox.core.result import Result, trace_dtype
from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.io.formats import save_file
from gmtoolbox.io.mat_files import read_variables
from gmtoolbox.io.results import load_result
from gmtoolbox.wrappers.arguments import (
    as_flag,
    as_given,
    as_integer,
    as_labels,
    as_number,
    as_real,
    as_target,
    as_text,
    as_vector,
    plain,
    verb,
)
from gmtoolbox.wrappers.problems import problem_of

FIELDS = {  # of INFO, and the functions that check them
    ("value", "bound", "gap", "time"): as_number,
    ("seed", "n_iter"): as_integer,
    ("status", "sense", "method"): as_text,
    ("labels", "shape"): as_given,
}


@verb
def save_result(request, report):
    """Write INFO of gm_solve as a result file."""
    variables = read_variables(f"{request['stem']}.problem1.mat")
    settings = {}
    if "version" in request:
        settings["version"] = as_text("version", request["version"])
    save_file(result_of(variables), as_target("file", request["target"]), **settings)


def result_in_file(path):
    """Return the Result that gm_save or Python wrote to a file, or None."""
    try:
        result = load_result(path)
    except InputError:
        return None
    return result if isinstance(result, Result) else None


def result_of(variables):
    """Return the Result of an INFO."""
    info = plain({name: value for name, value in variables.items() if name != "scores"})
    for names, check in FIELDS.items():
        for name in names:
            if name not in info:
                raise changed_error(f"it has no {name}")
            info[name] = check(f"INFO.{name}", info[name])
    labels, shape = as_labels("INFO.labels", info["labels"]), as_vector("INFO.shape", info["shape"])
    if len(shape) != 2 or len(labels) != shape[0]:
        raise changed_error("its labels do not fit its shape")
    trace = (
        as_real("INFO.trace", info["trace"]) if np.size(info.get("trace", ())) else np.zeros((0, 3))
    )
    if trace.ndim != 2 or trace.shape[1] != 3:
        raise changed_error("its trace must have three columns")
    scores = variables.get("scores")
    if scores is not None:
        scores = as_real("INFO.scores", scores) if np.size(scores) else None
    if scores is not None and scores.shape != tuple(shape):
        raise changed_error("its scores do not fit its shape")
    for name in ("options", "extra"):
        if not isinstance(info.get(name, {}), dict):
            raise changed_error(f"{name} must be a struct")
    return Result(
        labels=labels,
        shape=tuple(int(n) for n in shape),
        trace=np.array([tuple(row) for row in trace], dtype=trace_dtype()),
        options=options_of(info["method"], info.get("options", {})),
        scores=scores,
        extra={name: vectors_of(value) for name, value in info.get("extra", {}).items()},
        **{name: info[name] for names in list(FIELDS)[:3] for name in names},
    )


def options_of(method, given):
    """Return the options of a result as Python has them: whole doubles as int, and None for those
    that MATLAB leaves out.
    """
    known = {solver.name: solver.options for solver in gm_methods()}.get(method, ())
    left_out = {option.name: None for option in known if option.default is None}
    whole = [option.name for option in known if option.type is int]
    return left_out | {
        name: as_integer(name, value) if name in whole else value for name, value in given.items()
    }


def changed_error(reason):
    """Return the error of an INFO that is not one of gm_solve."""
    return InputError(f"INFO must be the second output of gm_solve; {reason}")


def vectors_of(value):
    """Return an array inside `extra` as vectors, which every format holds."""
    return value.tolist() if isinstance(value, np.ndarray) else value


@verb
def evaluate_result(request, report):
    """Answer recall, precision, F1 and counts of a matching."""
    labels, outliers = as_labels("labels", request["labels"]), True
    if "outliers" in request:
        outliers = as_flag("outliers", request["outliers"])
    if "truth" in request:
        truth, problem = as_labels("truth", request["truth"]), None
        if len(truth) != len(labels):
            raise InputError(
                f"labels and truth must have one length, got {len(labels)} and {len(truth)}"
            )
    else:
        truth = problem = problem_of(request)
        if problem.ground_truth is None:
            raise InputError("the problem has no ground_truth; give the true labels")
    found = evaluate(labels, truth, outliers=outliers)
    rates = {name: getattr(found, name) for name in ("recall", "precision", "f1")}
    rates["edge_correctness"] = found.edge_correctness
    verdicts = [str(verdict) for verdict in found.nodes["verdict"]]
    return {**rates, **found.counts(), "verdicts": verdicts}
