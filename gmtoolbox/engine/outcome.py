"""Outcome, the return type of solvers, and the conversion of plain labels or scores to it."""

from dataclasses import dataclass

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np


@dataclass
class Outcome:
    """The return value of a solver function; the driver rounds, lifts, scores and times.

    Give labels (a matching of the problem the solver saw) or scores (a vector over its candidates,
    or a whole matrix), or both; status only if it differs from that of the budget; options if the
    method decided about some of its own, so that Result.options runs the same again.
    """

    labels: object = None
    scores: object = None
    bound: float = float("-inf")
    n_iter: int = 0
    status: str = None
    options: dict = None
    extra: dict = None


def as_outcome(method, problem, returned):
    """Return the checked Outcome of an own solver, which returned an Outcome, labels or scores."""
    if not isinstance(returned, Outcome):
        array = None if returned is None else np.asarray(returned)
        if array is None or array.dtype.kind not in "iufb":
            raise wrong_return(method, problem, returned)
        is_labels = array.shape == (problem.shape[0],) and array.dtype.kind in "iu"
        returned = Outcome(labels=array) if is_labels else Outcome(scores=array)
    if returned.labels is not None:
        labels = np.asarray(returned.labels)
        if labels.shape != (problem.shape[0],) or labels.dtype.kind not in "iu":
            raise wrong_return(method, problem, labels)
        try:
            problem.candidates_of(labels)
        except InputError as error:
            raise InputError(f"method {method!r} returned no matching: {error}") from error
        returned.labels = labels.astype(np.int32)
    if returned.scores is not None:
        scores = np.asarray(returned.scores, dtype=float)
        if scores.shape not in ((problem.n_candidates,), problem.shape):
            raise wrong_return(method, problem, scores)
        if not np.all(np.isfinite(scores)):
            raise InputError(f"method {method!r} returned scores that are not finite")
        returned.scores = scores
    return returned


def wrong_return(method, problem, returned):
    """Return the InputError for a wrong return value of an own solver."""
    what = type(returned).__name__
    if isinstance(returned, np.ndarray):
        what = f"an array of shape {returned.shape} of {returned.dtype}"
    n1, n2 = problem.shape
    return InputError(
        f"method {method!r} must return an Outcome, labels (n1 = {n1} integers, -1 = unmatched) or"
        f" scores ({problem.n_candidates} numbers, one for each candidate, or {n1} x {n2}); it"
        f" returned {what}"
    )
