"""An independent check of a result: value, feasibility and, from stored duals, the root bound in
higher precision.

Nothing of the solver is used or trusted. For any splits d of the pair costs and any column duals
v <= 0 the following is a lower bound on every matching (docs/exact.md has the argument):

    C_{a->b} = (theta_ab + d_ab)/2,  C_{b->a} = (theta_ab - d_ab)/2
    V_p = sum over nodes j of min over pairs (p, q), q at j, of (C_{p->q} - v_p,label(q))  +  sum of
    v_p
    D   = sum over nodes i of min over candidates p at i of (c_p + V_p - v_label(p))  +  sum of v

where a node j whose candidates are not all paired with p may also contribute 0. Bad duals make the
bound weak, never wrong. It is computed in long double and rounded down.
"""

import json
import sys
from dataclasses import dataclass

from gmtoolbox.core.errors import FileFormatError, InputError, VerificationError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import gap_closed
from gmtoolbox.core.transforms import LEFT_COMPLETE, prepare

FIELDS = {
    "a": "i",
    "b": "i",
    "split": "f",
    "star": "i",
    "star_label": "i",
    "star_dual": "f",
    "label_dual": "f",
}
VALUE_TOLERANCE = 1e-9  # relative to the costs that the matching pays


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
    scale = (
        abs(problem.offset)
        + np.abs(problem.cost[paid]).sum()
        + np.abs(problem.edge_cost[paid[problem.a] & paid[problem.b]]).sum()
    )
    if np.isnan(bound):
        raise VerificationError("the bound is NaN")
    if not abs(real - value) <= VALUE_TOLERANCE * scale:
        raise VerificationError(f"the labels are worth {real!r}, the result claims {value!r}")
    if problem.signed(bound) > problem.signed(real) + VALUE_TOLERANCE * scale:
        raise VerificationError(f"the bound {bound!r} lies beyond the value {real!r} of the labels")
    if certificate is None:
        return Verification(real, problem.signed(-float("inf")), value, bound, proven=False)
    costs = problem.as_costs().without_offset()
    root = certified_bound(costs, certificate)
    proven = gap_closed(costs.total_cost(labels), root, costs.largest_cost)
    if problem.offset:
        root = float(np.nextafter(root + problem.offset, -np.inf))
    return Verification(real, problem.signed(root), value, bound, proven)


def certified_bound(problem, certificate):
    """The bound that the duals of a certificate prove for the problem's costs, offset included."""
    p = prepare(problem.as_costs(), (LEFT_COMPLETE,)).problem
    duals = checked(certificate, p)
    n1, n2 = p.shape
    N, exact = p.n_candidates, np.longdouble
    dummies = 0 if p.complete else n1  # candidate N + i: node i stays unmatched
    node = np.concatenate([p.left, np.arange(dummies)]).astype(np.int64)
    label = np.concatenate([p.right, n2 + np.arange(dummies)]).astype(np.int64)
    cost = np.concatenate([p.cost, np.zeros(dummies)]).astype(exact)

    # every pair of the certificate and every edge of the problem, once; conflicting ones never
    # count
    a, b = (
        np.concatenate([duals["a"], p.a]).astype(np.int64),
        np.concatenate([duals["b"], p.b]).astype(np.int64),
    )
    split = np.concatenate(
        [np.where(duals["a"] < duals["b"], 1, -1) * duals["split"], np.zeros(p.n_edges)]
    )
    theta = np.concatenate([np.zeros(len(duals["a"])), p.edge_cost])
    compatible = (node[a] != node[b]) & (label[a] != label[b])
    a, b, split, theta = a[compatible], b[compatible], split[compatible], theta[compatible]
    key, where = np.unique(np.minimum(a, b) * (N + n1) + np.maximum(a, b), return_inverse=True)
    a, b = np.divmod(key, N + n1)
    theta, split = (
        np.bincount(where, weights=w, minlength=len(key)).astype(exact) for w in (theta, split)
    )

    owner, other = np.concatenate([a, b]), np.concatenate([b, a])  # each pair in both stars
    share = np.concatenate([theta + split, theta - split]) / 2
    star_key = duals["star"].astype(np.int64) * (n2 + n1) + duals["star_label"]
    star_key, at = np.unique(star_key, return_inverse=True)
    star_dual = np.zeros(len(star_key) + 1, dtype=exact)
    np.minimum.at(star_dual, at, np.minimum(duals["star_dual"], 0).astype(exact))
    wanted = owner * (n2 + n1) + label[other]
    found = np.searchsorted(star_key, wanted)
    found[(found == len(star_key)) | (np.append(star_key, -1)[found] != wanted)] = len(
        star_key
    )  # no dual: 0
    share = share - star_dual[found]

    V = np.zeros(N + dummies, dtype=exact)
    np.add.at(V, star_key // (n2 + n1), star_dual[:-1])
    row_key, row = np.unique(owner * n1 + node[other], return_inverse=True)
    least = np.full(len(row_key), np.inf, dtype=exact)
    np.minimum.at(least, row, share)
    star, j = np.divmod(row_key, n1)
    at_node = np.bincount(node, minlength=n1)
    taken = set((node * (n2 + n1) + label).tolist())
    same_label = np.array(
        [key in taken for key in (j * (n2 + n1) + label[star]).tolist()], dtype=np.int64
    )
    all_paired = np.bincount(row, minlength=len(row_key)) == at_node[j] - same_label
    np.add.at(V, star, np.where(all_paired, least, np.minimum(least, 0)))

    v = np.zeros(n2 + n1, dtype=exact)
    v[:n2] = np.minimum(duals["label_dual"], 0)
    u = np.full(n1, np.inf, dtype=exact)
    np.minimum.at(u, node, cost + V - v[label])
    terms = len(share) + len(cost) + n1 + n2
    magnitude = (
        np.abs(share).sum()
        + np.abs(star_dual).sum()
        + np.abs(cost).sum()
        + np.abs(u).sum()
        + np.abs(v).sum()
    )
    rounding = np.finfo(exact).eps * terms * magnitude
    total = float(np.nextafter(np.float64(u.sum() + v.sum() - rounding + exact(p.offset)), -np.inf))
    return total if np.isfinite(total) else -float("inf")  # duals that overflow prove nothing


def checked(certificate, problem):
    """The arrays of a certificate, or InputError naming the field that is wrong."""
    n1, n2 = problem.shape
    N = problem.n_candidates + (0 if problem.complete else n1)
    if not isinstance(certificate, dict):
        raise InputError(f"a certificate must be an object, got {type(certificate).__name__}")
    arrays = {
        name: numbers(f"certificate field {name!r}", certificate.get(name), kind)
        for name, kind in FIELDS.items()
    }
    for name, like, limit in (
        ("a", "b", N),
        ("b", "split", N),
        ("star", "star_label", N),
        ("star_label", "star_dual", n2),
    ):
        if len(arrays[name]) != len(arrays[like]):
            raise InputError(f"certificate fields {name!r} and {like!r} must have one length")
        if len(arrays[name]) and not 0 <= arrays[name].min() <= arrays[name].max() < limit:
            raise InputError(f"certificate field {name!r} must lie in 0..{limit - 1}")
    if len(arrays["label_dual"]) != n2:
        raise InputError(
            f"certificate field 'label_dual' must hold n2 = {n2} numbers, got"
            f" {len(arrays['label_dual'])}"
        )
    return arrays


def numbers(name, given, kind):
    """A list of integers or of finite numbers as an array; InputError otherwise."""
    wanted = (int, np.integer) if kind == "i" else (int, float, np.integer, np.floating)
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, (list, tuple)) or not all(
        isinstance(x, wanted) and not isinstance(x, bool) for x in given
    ):
        raise InputError(f"{name} must be a list of {'integers' if kind == 'i' else 'numbers'}")
    largest = 2**31 if kind == "i" else sys.float_info.max
    if not all(-largest <= x <= largest for x in given):
        raise InputError(f"{name} must hold finite numbers of at most {largest}")
    return np.array(given, dtype=np.int64 if kind == "i" else np.float64)


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
