"""Result: what gm_solve returns, the same for every method."""

import sys
from dataclasses import dataclass, field

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

STATUSES = ("optimal", "converged", "time_limit", "iteration_limit", "interrupted", "breakdown")
OPTIMAL_GAP = 1e-6


def relative_gap(value, bound):
    """abs(value - bound) / max(abs(value), tiny); inf without a bound or a value."""
    if not (np.isfinite(value) and np.isfinite(bound)):
        return float("inf")
    return (
        abs(float(value) - float(bound)) / max(abs(float(value)), sys.float_info.min)
        if value != bound
        else 0.0
    )


def accuracy(labels, ground_truth):
    """Fraction of rightly labelled nodes among those whose right label is known; nan if none is.

    ground_truth holds for each left node its right label, a collection of labels that all count as
    right, or -1 / None / an empty collection where nothing is known.
    """
    if len(labels) != len(ground_truth):
        raise InputError(
            f"labels and ground_truth must have one length, got {len(labels)} and"
            f" {len(ground_truth)}"
        )
    right = [
        (
            ()
            if truth is None
            else tuple(truth)
            if np.iterable(truth)
            else (truth,)
            if truth >= 0
            else ()
        )
        for truth in ground_truth
    ]
    hits = [label in accepted for label, accepted in zip(labels, right, strict=True) if accepted]
    return sum(hits) / len(hits) if hits else float("nan")


def trace_dtype():
    return np.dtype([("time", float), ("value", float), ("bound", float)])


@dataclass
class Result:
    """A matching and everything needed to judge it and to run it again.

    labels   (n1,) 0-based right node of each left node, -1 = unmatched
    value    energy of labels on the original problem, in its own sense
    bound    valid bound on the optimum (-inf / +inf if the method has none)
    status   optimal, converged, time_limit, iteration_limit, interrupted or breakdown
    trace    structured array (time, value, bound), improvements only
    scores   (n1, n2) continuous matrix before rounding, or None
    extra    method-specific facts, e.g. a dual certificate
    """

    labels: object
    value: float
    bound: float
    status: str
    time: float
    n_iter: int
    trace: object
    shape: tuple
    method: str
    options: dict
    seed: int
    sense: str = "min"
    scores: object = None
    extra: dict = field(default_factory=dict)

    @property
    def X(self):
        """(n1, n2) 0/1 matrix of the matching."""
        X = np.zeros(self.shape)
        nodes = np.flatnonzero(self.labels >= 0)
        X[nodes, self.labels[nodes]] = 1.0
        return X

    @property
    def gap(self):
        return relative_gap(self.value, self.bound)

    def to_matlab(self):
        """1-based labels (0 = unmatched) and plain arrays, as the MATLAB side wants them."""
        return {
            "labels": self.labels.astype(float) + 1.0,
            "X": self.X,
            "value": float(self.value),
            "bound": float(self.bound),
            "gap": float(self.gap),
            "status": self.status,
            "time": float(self.time),
            "n_iter": float(self.n_iter),
            "trace": np.column_stack([self.trace[name] for name in ("time", "value", "bound")]),
            "method": self.method,
            "options": {name: value for name, value in self.options.items() if value is not None},
            "seed": float(self.seed),
        }

    def __repr__(self):
        return (
            f"<Result {self.method}: value {self.value:.6g}, bound {self.bound:.6g}, gap"
            f" {self.gap:.2g}, {self.status}, {self.time:.3g} s, {self.n_iter} iterations>"
        )
