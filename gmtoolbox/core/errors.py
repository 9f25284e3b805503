"""Every error that gmtoolbox raises on purpose, all of them GMError, and its warnings.

A message names places and types by element(), pair(), labels_range() and type_name(), so that it
speaks Python to Python users and, inside matlab_speech(), MATLAB to MATLAB users.
"""

import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

PACKAGE = str(Path(__file__).parents[1])
_language = ContextVar("gmtoolbox_language", default="python")
MEANT = {  # names of arguments in other packages, small and without underscores -> ours
    "timeout": "time_limit",
    "maxtime": "time_limit",
    "verbose": "progress",
    "disp": "progress",
    "callback": "progress",
    "outputfcn": "progress",
    "niter": "maxiter",
    "maxit": "maxiter",
    "iterations": "maxiter",
    "randomstate": "seed",
    "maximize": "sense",
    "maximise": "sense",
    "partial": "complete",
    "x0": "init",
    "p0": "init",
    "threads": "n_jobs",
    "workers": "n_jobs",
    "processes": "n_jobs",
    "algorithm": "method",
    "solver": "method",
    "descriptors1": "F1",
    "descriptors2": "F2",
    "desc1": "F1",
    "desc2": "F2",
    "features1": "F1",
    "features2": "F2",
}
MEANT_FIELDS = {  # names of fields of results in other packages -> ours
    "matches": "pairs",
    "matching": "pairs",
    "assignment": "labels",
    "col_ind": "labels",
    "fun": "value",
    "cost": "value",
    "energy": "value",
    "objective": "value",
    "score": "value",
    "lower_bound": "bound",
    "nit": "n_iter",
    "success": "status",
}
OF_MODELS = {  # arguments of the functions that make a problem, which solving does not take
    "seeds": "gm.models.from_graphs and from_points",
    "similarity": "gm.models.from_graphs",
    "directed": "gm.models.from_graphs",
    "unmatched": "gm.models.from_points, from_matches and from_costs, and of gm.assign",
    "geometry": "gm.models.from_points and from_matches, and of gm.match_keypoints",
}


class GuessWarning(UserWarning):
    """Base class: something was guessed that can be wrong; the text says how to state it."""


class SenseWarning(GuessWarning):
    """Whether a matrix is maximised or minimised was guessed, and its entries speak against it."""


class ShapeWarning(GuessWarning):
    """The shape of a matrix was guessed, and its entries speak against it."""


class LossWarning(UserWarning):
    """A file format does not keep a part of the saved object."""


class GraphWarning(UserWarning):
    """Attributes of graphs are not compared, or parts of a collection of graphs are missing."""


class GMError(Exception):
    """Base class: catch this to catch everything gmtoolbox refuses. A message is one line."""

    def __str__(self):
        # An array that is shown, or a library's complaint, may have several lines.
        return " ".join(line.strip() for line in super().__str__().splitlines())


class InputError(GMError, ValueError):
    """An argument breaks a rule; the message names the argument, the rule and the value."""


class FileFormatError(InputError):
    """A file breaks its format; the message starts with `path:line:` if the line is known."""

    def __init__(self, path, message, line=None):
        self.path, self.line, self.message = str(path), line, str(message)
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")


class OptionError(InputError):
    """A method has no such option, or the option's value is out of range."""


class UnknownArgumentError(InputError, TypeError):
    """A function has no argument of that name; a TypeError, too, as Python raises for its own."""


class UnknownMethodError(InputError):
    """No method of that name is registered."""


class TooManyEdgesError(InputError):
    """A method asks for every edge of a problem whose edges are only implied, and too numerous."""

    def __init__(self, n_edges, at_most, as_matrix):
        self.limits = n_edges, at_most, as_matrix
        listing = phrase(
            "[m.name for m in gm.gm_methods() if m.matrix_free]",
            "m = gm_methods; {m([m.matrix_free] ~= 0).name}",
            "gmtoolbox methods --long",
        )
        super().__init__(
            f"this problem has {n_edges} edges, too many to be written out (at most {at_most}, as a"
            f" matrix {as_matrix}); use a method that only multiplies with K: {listing}"
        )

    def __reduce__(self):
        return type(self), self.limits


class TimeLimitError(GMError, TimeoutError):
    """The time limit of a search ended before its answer was complete."""


class InfeasibleError(GMError):
    """A complete matching is asked for and none exists."""


class VerificationError(GMError):
    """A result contradicts itself."""


class KernelError(GMError, RuntimeError):
    """A compiled kernel failed; its text says why."""


def did_you_mean(name, known):
    """' (did you mean 'x'?)' for the closest known name, or ''."""
    from difflib import get_close_matches  # only errors need it, and it takes a while

    spelled = {one.lower(): one for one in known}
    close = get_close_matches(str(name).lower(), list(spelled), n=1)
    return f" (did you mean {spelled[close[0]]!r}?)" if close else ""


def suggest_name(name, known):
    """' (did you mean 'x'?)' for the known argument that a wrong name stands for, or ''."""
    meant = MEANT.get(name.lower().replace("_", ""))
    return did_you_mean(meant if meant in known else name, known)


def suggest_field(name, result):
    """' (did you mean 'x'?)' for the field of a result that a wrong name stands for, or ''."""
    meant = MEANT_FIELDS.get(name)
    return f" (did you mean {meant!r}?)" if meant and hasattr(result, meant) else ""


def suggest_model(name):
    """' (it is an argument of ...)' for an argument of the functions that make a problem, or ''."""
    return f" (it is an argument of {OF_MODELS[name]})" if name in OF_MODELS else ""


# ---- places and types, in the language of the reader of a message


@contextmanager
def speech(language):
    """Messages made inside are for readers of "python", "matlab" or "shell"."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def matlab_speech():
    """Messages made inside count from 1 and name MATLAB's types."""
    return speech("matlab")


def is_matlab():
    """Return True if messages are for readers of MATLAB."""
    return _language.get() == "matlab"


def phrase(python, matlab, shell):
    """Return the text for the reader's language."""
    return {"python": python, "matlab": matlab, "shell": shell}[_language.get()]


def element(name, *index):
    """K[2, 3], or K(3,4) in MATLAB."""
    if is_matlab():
        return f"{name}({','.join(str(int(k) + 1) for k in index)})"
    return f"{name}[{', '.join(str(int(k)) for k in index)}]"


def pair(left, right):
    """(2, 3): a left node and a right one; (3, 4) in MATLAB."""
    base = int(is_matlab())
    return f"({int(left) + base}, {int(right) + base})"


def label_text(label):
    """A label; MATLAB's unmatched is 0."""
    return str(int(label) + int(is_matlab()))


def labels_range(n2):
    """Return the range of labels as text: -1..n2-1, or 0..n2 in MATLAB."""
    return f"{label_text(-1)}..{label_text(n2 - 1)}"


def type_name(dtype):
    """A dtype's name; MATLAB calls float64 double, float32 single and bool logical."""
    name = str(dtype)
    matlab = {"float64": "double", "float32": "single", "bool": "logical", "object": "cell"}
    if not is_matlab():
        return name
    return "complex double" if name.startswith("complex") else matlab.get(name, name)


def warn(message, category):
    """Show a warning at the line of the caller's own code."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)  # threads end before the caller's code
