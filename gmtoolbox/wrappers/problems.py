"""Problems as MATLAB has them: matrices, files, structs of matrices, and structs of a model.

A struct of a model has a field `model` and the parts of the problem, never K:

    model    'points'   points1, points2 and options of from_points
             'graphs'   A, B and options of from_graphs
             'qap'      A, B and C: io/mat_products.py reads and writes it
    sense, complete     as of the problem; `complete` may be changed
    shape               [n1 n2], for the reader of the struct
    neighbours1, neighbours2, ground_truth, ...   describe the problem, if there are any

The last problem that was made of a model is kept, so that a builder and the calls that follow it
make it once.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.factors import Factors
from gmtoolbox.core.products import Products
from gmtoolbox.core.values import dense
from gmtoolbox.driver import as_problem
from gmtoolbox.io import load, mat
from gmtoolbox.io.mat_checks import check_factors
from gmtoolbox.io.mat_files import read_variables
from gmtoolbox.io.mat_products import factor_variables, has_products
from gmtoolbox.models import from_graphs, from_points
from gmtoolbox.wrappers.arguments import (
    as_flag,
    as_given,
    as_graph_edges,
    as_indices,
    as_integer,
    as_number,
    as_path,
    as_text,
    as_vector,
    plain,
    settings_of,
)
from gmtoolbox.wrappers.speech import rename_arguments

ASSIGNMENT_LISTS = ("L12", "group1", "group2", "E12")  # how the originals' programs name them
POINT_OPTIONS = {
    "F1": as_given,
    "F2": as_given,
    "edges1": as_graph_edges,
    "edges2": as_graph_edges,
    "candidates": as_indices,
    "seeds": as_indices,
    "k": as_integer,
    "width": as_number,
    "unary": as_number,
    "unmatched": as_number,
    "both": as_flag,
    "complete": as_flag,
    "metric": as_text,
    "geometry": as_text,
}
GRAPH_OPTIONS = {
    "similarity": as_given,
    "seeds": as_indices,
    "complete": as_flag,
    "directed": as_flag,
}
MODELS = {  # name: (builder, its two arrays, the kinds of its options)
    "points": (from_points, ("points1", "points2"), POINT_OPTIONS),
    "graphs": (from_graphs, ("A", "B"), GRAPH_OPTIONS),
}
NAMES = {"points": {}, "graphs": {"G1": "A", "G2": "B"}}  # in messages
OF_MODEL = "model"  # begins the origin of a problem that was made of one
ARRAYS = ("F1", "F2", "edges1", "edges2", "candidates", "seeds", "similarity")


# ---- from MATLAB


def problem_of(request, report=None):
    """Return the Problem of a request: a matrix, a path or a problem struct. If a dataset.json
    decided something, a line says so.
    """
    listed = {name: request[name] for name in ASSIGNMENT_LISTS if name in request}
    complete = as_flag("complete", request["complete"]) if "complete" in request else None
    sense = as_text("sense", request["sense"]) if "sense" in request else None
    shape, Ct = request.get("shape"), request.get("Ct")
    if shape is not None:
        shape = tuple(as_vector("shape", shape))
    if "K" in request and (listed or is_reduced(request)):
        return listed_problem(request, listed, sense, complete)
    if "K" in request:
        check_orientation(request["K"], Ct)
        return as_problem(request["K"], shape, Ct, sense, complete)
    if listed:
        raise InputError(f"{next(iter(listed))} goes with a matrix K")
    if "path" in request:
        problem = problem_of_file(request, sense, shape, report)
    else:
        problem = saved_problem(request, 1, sense, shape)
    return as_problem(problem, None, Ct, None, complete)


def problem_of_file(request, sense, shape, report):
    """Return the Problem of a path; a .mat file may hold a struct of a model."""
    reading = settings_of(request.get("reading") or {}, {"complete": as_flag, "key": as_text})
    path = as_path("file", request["path"])
    try:
        problem = load(path, **reading, sense=sense, shape=shape)
    except FileFormatError:
        model = model_in_file(path, reading.get("key"))
        if model is None:
            raise
        return model_problem(model, sense, shape, reading.get("complete"))
    stated = "complete" in reading or "complete" in request
    if report is not None and not stated and "dataset.json" in problem.origin:
        report("line", f"{path}: complete, as its dataset.json says")
    return problem


def model_in_file(path, key):
    """Return the variables of a model in a .mat file, or None."""
    if Path(path).suffix.lower() != mat.SUFFIX:
        return None
    variables = read_variables(path)
    if key is not None:
        variables = variables.get(key)
    return variables if isinstance(variables, dict) and "model" in variables else None


def check_orientation(K, Ct):
    """InputError if Ct is the transposed mask of K: K has entries at pairs that Ct forbids, or
    between pairs with a node in common, and none with the transposed mask.
    """
    if Ct is None or np.prod(Ct.shape) != K.shape[0]:
        return
    Ct = dense(Ct)
    if Ct.shape[0] == Ct.shape[1] and np.array_equal(Ct, Ct.T):
        return
    if n_odd_entries(K, Ct) and not n_odd_entries(K, Ct.T):
        n1, n2 = Ct.shape
        raise InputError(
            f"Ct must be n1 x n2 with n1 left nodes, got {n1} x {n2}, whose transpose fits K: give"
            " Ct.'"
        )


def n_odd_entries(K, Ct):
    """Return the number of entries of K that a mask does not explain: those of forbidden pairs and
    those between two pairs with a node in common.
    """
    entries = sparse.coo_array(K)
    row, column = (np.asarray(index)[entries.data != 0] for index in entries.coords)
    n1, forbidden = Ct.shape[0], Ct.ravel(order="F") == 0
    left, right = (row % n1 == column % n1), (row // n1 == column // n1)
    return np.count_nonzero(forbidden[row] | forbidden[column] | ((left | right) & (row != column)))


def is_reduced(request):
    """Return True if K has a row for each one of the mask only."""
    Ct, N = request.get("Ct"), request["K"].shape[0]
    return Ct is not None and np.prod(Ct.shape) != N and Ct.sum() == N


def listed_problem(request, listed, sense, complete):
    """Return the problem of K over a list of assignments, as the originals' programs take it."""
    variables = {name: request[name] for name in ("K", "Ct") if name in request}
    if complete is not None:
        variables["complete"] = np.array([[complete]])
    return mat.problem_of({**variables, **listed}, key="K", sense=sense)


def saved_problem(request, k, sense=None, shape=None):
    """Return the problem of the k-th struct of a call, from its file; parts of it that contradict
    each other are refused.
    """
    try:
        return problem_of_variables(
            read_variables(f"{request['stem']}.problem{k}.mat"), sense, shape
        )
    except InputError as error:
        raise InputError(f"the struct is not a problem: {error}") from error


def problem_of_variables(variables, sense=None, shape=None):
    """Return the problem of a struct of matrices or of a model."""
    if "model" in variables and not has_products(variables):
        return model_problem(variables, sense, shape)
    problem = mat.problem_of(variables, sense=sense, shape=shape)
    check_factors(problem, variables)
    return problem


# ---- models

_kept = {}  # at most one: the fingerprint of a model and its problem


def model_problem(variables, sense=None, shape=None, complete=None):
    """Return the problem of a struct of a model."""
    model = as_text("model", variables["model"])
    if model not in MODELS:
        raise InputError(f"model must be one of {', '.join(MODELS)}, got '{model}'")
    first, second = MODELS[model][1]
    known = (first, second, "options", "sense")
    missing = [name for name in known if name not in variables]
    if missing:
        raise InputError(f"the model '{model}' has no field {missing[0]}")
    options = plain_options(variables["options"])
    problem = build_problem(model, variables[first], variables[second], options)
    for given in (as_text("sense", variables["sense"]), sense):
        if given is not None and given != problem.sense:
            raise InputError(f"the sense of this model is '{problem.sense}', got '{given}'")
    if shape is not None and tuple(shape) != problem.shape:
        n1, n2 = problem.shape
        raise InputError(f"shape of this model is [{n1} {n2}]")
    if complete is None and "complete" in variables:
        complete = as_flag("complete", plain(variables["complete"]))
    changes = {} if complete is None else {"complete": complete}
    known = mat.extras(variables, "", problem.shape, mat.meaning_of({"sense": problem.sense}))
    changes |= {name: known[name] for name in ("ground_truth", "nodes1", "nodes2") if name in known}
    return replace(problem, origin=f"{OF_MODEL} {model}", **changes)


def plain_options(options):
    """Return the options of a model: arrays as they are, the rest plain."""
    if not isinstance(options, dict):
        raise InputError("options of a model must be a struct")
    return {
        name: value if name in ARRAYS and not is_text_array(value) else plain(value)
        for name, value in options.items()
    }


def is_text_array(value):
    """Return True if this is neither a dense nor a sparse matrix."""
    return not sparse.issparse(value) and not isinstance(value, np.ndarray)


def build_problem(model, first, second, options):
    """Return the Problem that a builder of gmtoolbox.models makes; the last one is kept."""
    if model not in MODELS:
        raise InputError(f"model must be one of {', '.join(MODELS)}, got '{model}'")
    builder, _, kinds = MODELS[model]
    key = fingerprint((model, first, second, options))
    if key not in _kept:
        _kept.clear()  # before another one is made: only one fits into memory
        try:
            _kept[key] = builder(first, second, **settings_of(options, kinds))
        except InputError as error:
            raise InputError(rename_arguments(str(error), NAMES[model])) from error
    return _kept[key]


def fingerprint(value):
    """Return a digest of nested dicts, sequences, arrays, texts and numbers."""
    digest = hashlib.sha256()

    def add(value):
        if isinstance(value, dict):
            for name in sorted(value):
                digest.update(f"{name}:".encode())
                add(value[name])
        elif isinstance(value, (list, tuple)):
            digest.update(f"list {len(value)}".encode())
            for item in value:
                add(item)
        elif sparse.issparse(value):
            value = sparse.csc_array(value)
            add((value.shape, value.indptr, value.indices, value.data))
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            digest.update(f"{value.dtype} {value.shape}".encode())
            digest.update(np.ascontiguousarray(value).data)
        else:
            digest.update(f"{type(value).__name__} {value!r};".encode())

    add(value)
    return digest.hexdigest()


def struct_model(request, problem):
    """Return (name, first, second, options) of the model that a request gives as a struct or as a
    file and that the problem was made of, or None.
    """
    if not problem.origin.startswith(OF_MODEL):
        return None
    if "path" in request:
        variables = model_in_file(
            as_path("file", request["path"]), (request.get("reading") or {}).get("key")
        )
    else:
        variables = read_variables(f"{request['stem']}.problem1.mat")
    first, second = (variables[name] for name in MODELS[variables["model"]][1])
    return variables["model"], first, second, plain_options(variables["options"])


# ---- to MATLAB


def problem_variables(problem, model=None):
    """Return the fields of the struct of a problem: those of its model (name, first, second,
    options) if it was made of one, the matrices of a product, factors, or all matrices.
    """
    if model is not None:
        name, first, second, options = model
        arrays = dict(zip(MODELS[name][1], (first, second), strict=True))
        variables = {"model": name, **arrays, "options": options}
        return {**described_variables(problem), **variables, "sense": problem.sense}
    if isinstance(problem.edges, Products):
        return mat.variables_of(problem, "products")
    if isinstance(problem.edges, Factors):
        return {**described_variables(problem), **factor_variables(problem)}
    return mat.variables_of(problem, mat.schema_of(problem))


def described_variables(problem):
    """Return the general fields of a struct: its shape, points, neighbours, truth and names."""
    variables = mat.describing_variables(problem)
    return {"shape": np.array([problem.shape], dtype=float), **variables}
