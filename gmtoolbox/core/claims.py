"""Claims that contradict themselves: results of files that no run returns."""

import math

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

ROUNDING = 1e-9  # of a value: a bound may pass it by rounding
STATUSES = ("optimal", "converged", "time_limit", "iteration_limit", "interrupted", "breakdown")


def check_proof(result):
    """Check that value, bound and gap of a result can belong to its status."""
    if result.status not in STATUSES:
        raise InputError(f"status must be one of {', '.join(STATUSES)}, got {result.status!r}")
    if result.sense not in ("min", "max"):
        raise InputError(f"sense must be 'min' or 'max', got {result.sense!r}")
    for name in ("value", "bound", "gap"):
        number = getattr(result, name)
        if not isinstance(number, (int, float, np.number)) or isinstance(number, bool):
            raise InputError(f"{name} must be a number, got {number!r}")
    if result.status != "optimal":
        return  # nothing is said to be proven
    if math.isinf(result.bound) or not 0 <= result.gap < math.inf:
        raise InputError(
            f"status 'optimal' needs a bound and a gap, got {result.bound!r} and {result.gap!r}"
        )
    sign = 1.0 if result.sense == "min" else -1.0
    beyond = sign * (result.bound - result.value)
    slack = ROUNDING * max(abs(result.value), abs(result.bound))
    if not beyond <= slack:
        raise InputError(f"the bound {result.bound!r} lies beyond the value {result.value!r}")
    if result.gap == 0 and beyond < -slack:
        raise InputError(
            f"the gap is 0, but value {result.value!r} and bound {result.bound!r} differ"
        )


def check_labels(labels, shape):
    """Check that labels are a matching of as many nodes as the shape says."""
    n1, n2 = shape
    if labels.shape != (n1,):
        raise InputError(f"labels must have n1 = {n1} entries, got {labels.size}")
    used = labels[labels != -1]
    if used.size and not 0 <= used.min() <= used.max() < n2:
        raise InputError(f"labels must lie in -1..{n2 - 1}")
    if len(np.unique(used)) < used.size:
        raise InputError("labels: a label is used twice")
