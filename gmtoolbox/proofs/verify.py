"""An independent check of a result: value, feasibility and, from stored duals, the bound.

`certificates` computes the bound that the duals of the root prove, `stages` that of a proof by
deletions. Nothing of the solver is used or trusted.
"""

import json
from dataclasses import dataclass

from gmtoolbox.core.errors import FileFormatError, InputError, VerificationError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import gap_closed, rounding_error
from gmtoolbox.proofs.certificates import certified_bound, numbers
from gmtoolbox.proofs.stages import staged_bound


@dataclass
class Verification:
    """What was recomputed: value of the labels, bound from the certificate (-inf or +inf without
    one).
    """

    value: float
    bound: float
    claimed_value: float
    claimed_bound: float
    proven: bool  # whether the recomputed bound alone closes the gap


def verify(problem, labels, value, bound, certificate=None):
    """Recompute what a result claims. Raises VerificationError where a claim is false.

    labels must be a matching of allowed pairs, complete if the problem asks for it, with the
    claimed value, and the claimed bound must not lie beyond it. A certificate says nothing that
    could be false: the bound that its duals prove is returned.
    """
    try:
        labels = numbers("labels", labels, "i")
        chosen = problem.candidates_of(labels)
    except InputError as error:
        raise VerificationError(str(error)) from error
    if problem.complete and not problem.is_complete_matching(labels):
        raise VerificationError(
            f"labels must match all {min(problem.shape)} nodes of the smaller side, {len(chosen)}"
            " are matched"
        )
    real = problem.energy(labels)
    paid = np.zeros(problem.n_candidates, dtype=bool)
    paid[chosen] = True
    terms = np.concatenate(
        [
            [problem.offset],
            problem.cost[paid],
            problem.edge_cost[paid[problem.a] & paid[problem.b]],
        ]
    )
    # two sums of the same terms in other orders
    margin = rounding_error(2 * len(terms), np.abs(terms).sum())
    if np.isnan(bound):
        raise VerificationError("the bound is NaN")
    if not abs(real - value) <= margin:
        raise VerificationError(f"the labels are worth {real!r}, the result claims {value!r}")
    if problem.signed(bound) > problem.signed(real) + margin:
        raise VerificationError(f"the bound {bound!r} lies beyond the value {real!r} of the labels")
    if certificate is None:
        return Verification(real, problem.signed(-float("inf")), value, bound, proven=False)
    costs = problem.as_costs().without_offset()
    root = max(certified_bound(costs, certificate), staged_bound(costs, certificate))
    tolerance = max(costs.tolerance, costs.cost_error(labels))
    proven = gap_closed(costs.total_cost(labels), root, tolerance)
    if problem.offset:
        root = float(np.nextafter(root + problem.offset, -np.inf))
    return Verification(real, problem.signed(root), value, bound, proven)


def read_result(path):
    """The last record with labels of a file that `gmtoolbox solve --json` wrote."""
    found = None
    with open(path, "rb") as file:
        for line, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                record = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise FileFormatError(path, f"is no JSON: {error}", line) from error
            if isinstance(record, dict) and "labels" in record:
                found = record
    if found is None:
        raise FileFormatError(
            path, "holds no record with 'labels' (write it with: gmtoolbox solve --json)"
        )
    for name in ("labels", "value", "bound"):
        if name not in found:
            raise FileFormatError(path, f"the record has no {name!r}")
    try:
        numbers("labels", found["labels"], "i")
        numbers("value", [found["value"]], "f")
        numbers("bound", [0 if found["bound"] is None else found["bound"]], "f")
        if not isinstance(found.get("certificate", {}), dict):
            raise InputError("certificate must be an object")
    except InputError as error:
        raise FileFormatError(path, str(error)) from error
    return found
