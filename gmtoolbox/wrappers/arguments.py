"""Values as MATLAB sends them, checked and made plain: the border between MATLAB's types and ours.

Every number of MATLAB is a double: a whole one is accepted for an int of Python. Indices count
from 1 there and from 0 here.

VERBS is the register of the calls: VERBS[verb](stem, report). Arguments arrive in `stem`.in.mat:
`arguments`, a struct of scalars and texts (among them `folder`, MATLAB's current one), and arrays
next to it. A problem is the matrix K, or a path, or a whole problem struct saved as
`stem`.problem1.mat. The answer goes to `stem`.out.mat. While a call runs it may
report(kind, text): a "line" to be printed, an "event" for a callback.
"""

import os
from functools import wraps

import numpy as np
from scipy import sparse

from gmtoolbox.core.errors import InputError, OptionError, did_you_mean
from gmtoolbox.core.values import dense, zero_based
from gmtoolbox.engine.registry import get_solver
from gmtoolbox.io import mat
from gmtoolbox.io.mat_files import read_variables, save_variables
from gmtoolbox.io.mat_variables import kind_of

LARGEST = 2**53  # up to here all whole doubles are different
DRIVER_NAMES = (
    "time_limit", "seed", "Ct", "shape", "sense", "complete", "init", "key", "Display",
    "OutputFcn", "L12", "group1", "group2", "E12",
)  # fmt: skip
MEANT = {  # names of arguments in other toolboxes
    "mask": "Ct", "candidates": "Ct", "maxtime": "time_limit", "timeout": "time_limit",
    "verbose": "Display", "verbosity": "Display", "x0": "init", "start": "init",
    "initial": "init", "rng": "seed", "direction": "sense", "callback": "OutputFcn",
    "size": "shape", "maxiterations": "maxiter", "maxit": "maxiter", "iterations": "maxiter",
    "tolx": "tol", "tolfun": "tol", "tolerance": "tol",
}  # fmt: skip
VERBS = {}


def read_request(stem):
    """Return the arguments of a call as one dict; texts and scalars plain, arrays as they are."""
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
    """Return 1x1 arrays inside a struct as scalars, cells as lists."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return [plain(item) for item in value.ravel()]
    return value.item() if isinstance(value, np.ndarray) and value.size == 1 else value


# ---- one value


def as_flag(name, value):
    """Return the bool of a value from MATLAB."""
    if not isinstance(value, (bool, int, float)) or value not in (0, 1):
        raise InputError(f"{name} must be true or false, got {kind_of(value)}")
    return bool(value)


def as_integer(name, value):
    """Return the int of a value from MATLAB."""
    if not isinstance(value, (int, float)) or not float(value).is_integer() or abs(value) > LARGEST:
        raise InputError(f"{name} must be a whole number up to 2^53, got {kind_of(value)}")
    return int(value)


def as_number(name, value):
    """Return the real number that MATLAB sends."""
    if not isinstance(value, (int, float)):
        raise InputError(f"{name} must be a real number, got {kind_of(value)}")
    return value


def as_text(name, value):
    """Return the text that MATLAB sends."""
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text, got {kind_of(value)}")
    return value


def as_path(name, value):
    """Return the file to be read: ~ is the home folder, and .mat may be left out."""
    path = os.path.expanduser(as_text(name, value))
    return (
        path + mat.SUFFIX
        if not os.path.exists(path) and os.path.isfile(path + mat.SUFFIX)
        else path
    )


def as_store(name, value):
    """Return the file of a store: ~ is the home folder."""
    return os.path.expanduser(as_text(name, value))


def as_target(name, value):
    """Return the file to be written: ~ is the home folder, and .mat is added to a bare name."""
    path = os.path.expanduser(as_text(name, value))
    return path if os.path.splitext(path)[1] else path + mat.SUFFIX


def as_vector(name, value):
    """Return real numbers as a list."""
    if isinstance(value, (int, float)):
        return [float(value)]
    return np.ravel(as_real(name, value)).tolist()


def as_real(name, value):
    """Return a real matrix, not sparse."""
    if isinstance(value, (int, float)):
        return np.array([[value]])
    if not sparse.issparse(value) and not isinstance(value, np.ndarray):
        raise InputError(f"{name} must be a matrix, got {kind_of(value)}")
    value = dense(value)
    if value.dtype.kind not in "biuf":
        raise InputError(f"{name} must be a real matrix, got {kind_of(value)}")
    return value


def as_indices(name, value):
    """Return an array of 1-based indices or labels as 0-based integers."""
    value = as_real(name, value)
    if not np.array_equal(value, np.round(value)) or np.any(np.abs(value) > LARGEST):
        raise InputError(f"{name} must hold whole numbers, counted from 1 (0: unmatched)")
    return zero_based(value)


def as_graph_edges(name, value):
    """Return pairs of nodes, or the text that names a kind of graph."""
    return value if isinstance(value, str) else as_indices(name, value)


def as_given(name, value):
    """Return the value itself: the function that gets it checks it."""
    return value


# ---- several of them


def settings_of(given, kinds):
    """Return {name: checked value} of a struct of settings; kinds has a function for each name."""
    unknown = [name for name in given if name not in kinds]
    if unknown:
        raise OptionError(
            f"there is no argument '{unknown[0]}'{suggestion(unknown[0], kinds)}; there are"
            f" {', '.join(kinds)}"
        )
    return {name: kinds[name](name, value) for name, value in given.items()}


def driver_arguments(request, method):
    """Return keywords of gm_solve besides the problem: options, time_limit, seed and init."""
    arguments = spell_options(method, request.get("options") or {})
    if "seed" in arguments:
        arguments["seed"] = as_integer("seed", arguments["seed"])
    if "init" in request:
        arguments["init"] = as_labels("init", request["init"])
    return arguments


def as_labels(name, value):
    """Return 0-based labels of a vector of labels, or of an n1 x n2 matrix X with n2 > 1 and
    entries 0 and 1.
    """
    value = as_real(name, value)
    if value.ndim == 2 and min(value.shape) > 1:
        if not np.all((value == 0) | (value == 1)) or value.sum(axis=1).max() > 1:
            raise InputError(
                f"{name} must be labels, or an n1 x n2 matrix with at most a single 1 in a row"
            )
        return np.where(value.any(axis=1), value.argmax(axis=1), -1)
    return as_indices(name, value).ravel()


def spell_options(method, given, more=()):
    """Return options by their own names, however their letters are capitalised; more names are
    those of the caller.
    """
    own = [option.name for option in get_solver(method).options] + list(more)
    known = {name.lower(): name for name in (*own, "time_limit", "seed")}
    for name, value in given.items():
        if name.lower() not in known:
            raise OptionError(
                f"method '{method}' has no option '{name}'"
                f"{suggestion(name, (*own, *DRIVER_NAMES))}; it has {', '.join(own)}, and gm_solve"
                f" {', '.join(DRIVER_NAMES)}"
            )
        if not isinstance(value, (str, int, float)):
            raise OptionError(f"option '{name}' must be a number or a text, got {kind_of(value)}")
    return {known[name.lower()]: value for name, value in given.items()}


def suggestion(name, known):
    """Return " (did you mean 'x'?)", or "": however x is spelled, and if other toolboxes call it
    by this name.
    """
    bare = bare_name(name)
    spellings = {bare_name(one): one for one in known}
    if bare in spellings:
        return f" (did you mean '{spellings[bare]}'?)"
    if MEANT.get(bare) in known:
        return f" (did you mean '{MEANT[bare]}'?)"
    return did_you_mean(name, known)


def bare_name(name):
    """Return a name in small letters and without underscores."""
    return name.lower().replace("_", "")


def verb(function):
    """Register call(request, report) -> dict of the variables of the answer, or None if there is
    nothing to answer.
    """

    @wraps(function)
    def call(stem, report):
        request = read_request(stem)
        os.chdir(request["folder"])
        answer = function(request, report)
        if answer is not None:
            save_variables(request["out"], answer, octave=request.get("octave", False))

    VERBS[function.__name__] = call
    return function
