"""Claims that contradict themselves: bounds that a matching refutes, results that no run returns.

A bound is believed as far as the method that reports it; `gmtoolbox verify` is there to check one.
What can be seen to be false without a proof is not repeated.
"""

import math
import warnings

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np

ROUNDING = 1e-9  # of cost and largest entry: a bound may pass a cost by rounding, which is capped
STATUSES = ("optimal", "converged", "time_limit", "iteration_limit", "interrupted", "breakdown")


def withdraw_refuted_bounds(budget, problem, cost, labels, method):
    """Drop the bounds of a budget, with a warning, if a matching of less cost refutes them."""
    margin = max(
        problem.tolerance,
        problem.cost_error(labels),
        ROUNDING * max(abs(cost), problem.largest_cost),
    )
    if budget.bound > cost + margin:
        warnings.warn(
            f"method {method!r} reports the lower bound {budget.bound:.10g}, but its matching costs"
            f" {cost:.10g}: all its bounds are dropped",
            RuntimeWarning,
            stacklevel=3,
        )
        budget.withdraw_bounds()


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
