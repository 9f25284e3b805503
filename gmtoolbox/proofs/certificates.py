"""Bounds that follow from the duals of a certificate, in higher precision.

Nothing of the solver is used or trusted. For any splits d of the pair costs and any column duals
v <= 0 the following is a lower bound on every matching (docs/exact.md has the argument):

    C_{a->b} = (theta_ab + d_ab)/2,  C_{b->a} = (theta_ab - d_ab)/2
    V_p = sum over nodes j of min over pairs (p, q), q at j, of (C_{p->q} - v_p,label(q))  +  sum of
    v_p
    D   = sum over nodes i of min over candidates p at i of (c_p + V_p - v_label(p))  +  sum of v

where a node j whose candidates are not all paired with p may also contribute 0. Bad duals make the
bound weak, never wrong. It is computed in long double and rounded down.

A certificate with a matrix Z is one of the semidefinite bound: the costs L are changed to L + Z,
which is a bound if y'Zy <= 0 on the span of all matchings y. `semidefinite_costs` checks how far
that holds, by its own elimination and a Cholesky factorisation, and the rest is as above.
"""

import sys

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
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
SEMIDEFINITE_FIELDS = {"variable": "i", "Z": "f", "slack_dual": "f"}
LARGEST_SHIFT = 1e-6  # of the largest entry of Z: a matrix that needs more proves nothing


def certified_bound(problem, certificate):
    """The bound that the duals of a certificate prove for the problem's costs, offset included."""
    p = prepare(problem.as_costs(), (LEFT_COMPLETE,)).problem
    duals = checked(certificate, p)
    n1, n2 = p.shape
    exact = np.longdouble
    node, label, cost = candidates_with_dummies(p)
    if len(duals["variable"]):
        constant, cost, owner, other, star_cost, rounding = semidefinite_costs(p, duals)
    else:
        constant, rounding = exact(0), exact(0)
        owner, other, star_cost = split_costs(p, duals, node, label)
    V, star_cost, star_dual = star_values(duals, node, label, owner, other, star_cost, n1, n2)

    v = padded(np.minimum(duals["label_dual"], 0).astype(exact), n2 + n1)
    u = minima(node, cost + V - v[label], n1)
    terms = len(star_cost) + len(cost) + n1 + n2
    magnitude = (
        np.abs(star_cost).sum()
        + np.abs(star_dual).sum()
        + np.abs(cost).sum()
        + np.abs(u).sum()
        + np.abs(v).sum()
    )
    rounding = rounding + rounding_error(terms, magnitude + abs(constant))
    total = constant + u.sum() + v.sum() - rounding + exact(p.offset)
    total = float(np.nextafter(np.float64(total), -np.inf))
    if not np.isfinite(total):
        return -float("inf")  # duals that overflow prove nothing
    grain = common_divisor(p)
    return max(total, float(np.ceil(total / grain) * grain)) if grain else total


def rounding_error(n_roundings, magnitude):
    """What so many roundings of long doubles may add to a bound whose terms have this magnitude
    together: the rule of cext/src/base/rounding.h, written again, as nothing of the solver is used.
    """
    return np.finfo(np.longdouble).eps * n_roundings * magnitude


def star_values(duals, node, label, owner, other, star_cost, n1, n2):
    """(V_p of every candidate, star_cost without the column duals, the duals that are given): see
    the head of this file.
    """
    star_key = duals["star"].astype(np.int64) * (n2 + n1) + duals["star_label"]
    star_key, at = np.unique(star_key, return_inverse=True)
    star_dual = np.zeros(len(star_key) + 1, dtype=np.longdouble)
    np.minimum.at(star_dual, at, np.minimum(duals["star_dual"], 0).astype(np.longdouble))
    wanted = owner * (n2 + n1) + label[other]
    found = np.searchsorted(star_key, wanted)
    missing = (found == len(star_key)) | (np.append(star_key, -1)[found] != wanted)
    found[missing] = len(star_key)  # where star_dual is 0
    star_cost = star_cost - star_dual[found]

    V = np.zeros(len(node), dtype=np.longdouble)
    np.add.at(V, star_key // (n2 + n1), star_dual[:-1])
    row_key, row = np.unique(owner * n1 + node[other], return_inverse=True)
    least = minima(row, star_cost, len(row_key))
    star, j = np.divmod(row_key, n1)
    at_node = np.bincount(node, minlength=n1)
    taken = set((node * (n2 + n1) + label).tolist())
    same_label = np.array(
        [key in taken for key in (j * (n2 + n1) + label[star]).tolist()], dtype=np.int64
    )
    all_paired = np.bincount(row, minlength=len(row_key)) == at_node[j] - same_label
    np.add.at(V, star, np.where(all_paired, least, np.minimum(least, 0)))
    return V, star_cost, star_dual


def common_divisor(p):
    """What divides the cost of every matching, or 0 where costs are not integers.

    A bound may then be raised to the next multiple; rounding in the quotient does no harm, since
    total <= k grain implies that total / grain, rounded, is at most k.
    """
    costs = np.abs(np.concatenate([p.cost, p.edge_cost]))
    if p.offset or not np.all(costs == np.floor(costs)) or costs.sum() >= 2**53:
        return 0
    return int(np.gcd.reduce(costs.astype(np.int64), initial=0))


def candidates_with_dummies(p):
    """(node, label, cost) of all candidates; candidate N + i says that node i stays unmatched."""
    n1, n2 = p.shape
    dummies = 0 if p.complete else n1
    node = np.concatenate([p.left, np.arange(dummies)]).astype(np.int64)
    label = np.concatenate([p.right, n2 + np.arange(dummies)]).astype(np.int64)
    return node, label, np.concatenate([p.cost, np.zeros(dummies)]).astype(np.longdouble)


def split_costs(p, duals, node, label):
    """(owner, other, star_cost): what the star of owner pays for other, by the splits."""
    n1, N, exact = p.shape[0], p.n_candidates, np.longdouble
    # every pair of the certificate and every edge of the problem, once; conflicting ones never
    # count
    a = np.concatenate([duals["a"], p.a]).astype(np.int64)
    b = np.concatenate([duals["b"], p.b]).astype(np.int64)
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
    star_cost = np.concatenate([theta + split, theta - split]) / 2
    return owner, other, star_cost


def semidefinite_costs(p, duals):
    """(constant, cost, owner, other, star_cost, error) of L + Z, slacks replaced by labels.

    error covers y'Zy of every matching y, and rounding.
    """
    n1, n2 = p.shape
    exact = np.longdouble
    node, label, cost = candidates_with_dummies(p)
    variable = duals["variable"]
    size = len(variable)
    last = np.iinfo(variable.dtype).max
    x = np.argsort(np.where(variable >= 0, variable, last))[: len(node)]  # of each candidate
    (one,) = np.flatnonzero(variable == -1)
    f = np.flatnonzero(variable <= -2)
    slack_label = -2 - variable[f]
    Z = duals["Z"].reshape(size, size)
    Z = (Z + Z.T) / 2

    W = matching_span(n1, node, label, x, one, f, slack_label, size)
    error = exact(proven_margin(Z, W, p.largest_cost) * (1 + n1 + len(f)))
    M = Z.astype(exact)
    M[x, x] += cost
    real = (node[p.a] != node[p.b]) & (label[p.a] != label[p.b])
    a, b, half = x[p.a[real]], x[p.b[real]], p.edge_cost[real].astype(exact) / 2
    np.add.at(M, (a, b), half)
    np.add.at(M, (b, a), half)

    dual = np.minimum(duals["slack_dual"].reshape(len(f), n2), 0).astype(exact)
    slacks = one, f, slack_label, dual
    total, changed, lost = without_slacks(M, exact(0), node, label, n1, n2 + n1, x, *slacks)
    p_, q_ = np.nonzero((node[:, None] != node) & (label[:, None] != label))
    star_cost = M[x[p_], x[q_]] - lost[x[p_], q_]
    magnitude = np.abs(M).sum() + np.abs(dual).sum() * n1
    return total, changed, p_, q_, star_cost, error + rounding_error(size**2, magnitude)


def without_slacks(M, constant, node, label, n1, n_labels, x, one, f, slack_label, dual):
    """(constant, costs of the candidates, lost): the costs M over all variables as costs of
    candidates, the slack of a label being 1 minus its candidates.

    node, label, x: node, label and variable of each candidate; one: the variable of the constant;
    f, slack_label, dual: variable, label and column duals of each slack. lost[:, p] is what p costs
    in any star beside its own pair, since the slack of its label is gone.
    """
    slack_of = np.full(n_labels, -1)
    slack_of[slack_label] = f
    lost = np.where(slack_of[label] >= 0, M[:, slack_of[label]], 0)
    constant = constant + M[one, one]
    changed = M[x, x] + 2 * M[one, x]
    for s, at in zip(slack_label, f, strict=True):
        changed += np.where(label != s, M[x, at], 0)
    for k, (s, at) in enumerate(zip(slack_label, f, strict=True)):
        v = padded(dual[k], n_labels)
        v[s] = 0
        others = label != s
        least = minima(node[others], (M[at, x] - lost[at] - v[label])[others], n1)
        star = v.sum() + M[at, f[f != at]].sum() + np.where(np.isfinite(least), least, 0).sum()
        free = M[at, at] + 2 * M[one, at] + star
        constant += free
        changed[label == s] -= free
    return constant, changed, lost


def padded(values, size):
    """The values with zeros behind them, `size` in all."""
    out = np.zeros(size, dtype=values.dtype)
    out[: len(values)] = values
    return out


def minima(group, values, n):
    """The least value of each of n groups, inf for an empty one."""
    least = np.full(n, np.inf, dtype=values.dtype)
    np.minimum.at(least, group, values)
    return least


def matching_span(n1, node, label, x, one, f, slack_label, size):
    """W of integers: every matching is y = W r with r = (1, some of its variables).

    Each of the n1 nodes takes one of the candidates (node, label), whose variables are x.
    """
    tight = len(np.unique(label)) == n1  # then every label is taken
    rows = [(x[node == i]) for i in range(n1)]
    rows += [np.append(x[label == s], at) for s, at in zip(slack_label, f, strict=True)]
    if tight:
        rows += [x[label == s] for s in np.setdiff1d(np.unique(label), slack_label)]
    A = np.zeros((len(rows), size + 1), dtype=np.int64)  # the last column is the right-hand side
    for k, columns in enumerate(rows):
        A[k, columns] = A[k, size] = 1
    pivots = {}
    for k in range(len(A)):  # Gauss and Jordan; the equations of an assignment are unimodular
        (columns,) = np.nonzero(A[k, :size])
        if len(columns) == 0:
            continue
        column = columns[-1]
        if abs(A[k, column]) != 1:
            raise InputError("certificate: the equations of the matchings are not unimodular")
        A[k] *= A[k, column]
        others = np.flatnonzero(A[:, column])
        others = others[others != k]
        A[others] -= np.outer(A[others, column], A[k])
        pivots[column] = k
    free = np.setdiff1d(np.arange(size), [one, *pivots])
    W = np.zeros((size, 1 + len(free)))
    W[one, 0] = 1
    W[free, np.arange(1, 1 + len(free))] = 1
    for column, k in pivots.items():
        W[column, 0] = A[k, size]
        W[column, 1:] = -A[k, free]
    return W


def proven_margin(Z, W, unit):
    """delta with r'W'ZWr <= delta |r|^2 for all r, proven by a Cholesky factorisation; or inf.

    Computing W'ZW is off by at most 2 gamma |W|'|Z||W|; a factorisation of A that succeeds proves
    A >= -phi trace(A) (Rump 2006). unit: the size of the costs. The factor at the end covers the
    roundings of the sum itself, each 2^-53 of it.
    """
    eps, size = np.finfo(float).eps, len(Z)
    largest = np.abs(Z).max(initial=0)
    G = W.T @ (Z @ W)
    G = (G + G.T) / 2
    off = 4 * eps * (size + 4) * largest * (np.abs(W).sum(axis=0) ** 2).sum()
    unit = max(unit, largest, np.finfo(float).tiny)
    shift = max(off, 1e-12 * unit)
    while shift <= LARGEST_SHIFT * unit:
        A = shift * np.eye(len(G)) - G
        try:
            np.linalg.cholesky(A)
        except np.linalg.LinAlgError:
            shift *= 8
            continue
        return (shift + off + 2 * eps * (len(G) + 4) * np.trace(A)) * (1 + 1e-9)
    return np.inf


def check_variables(arrays, n_candidates, n2):
    """InputError unless the variables are the constant, all candidates, and slacks of labels."""
    variable = arrays["variable"]
    size, slacks = len(variable), np.count_nonzero(variable <= -2)
    if size == 0:
        return
    if (
        np.count_nonzero(variable == -1) != 1
        or not np.array_equal(np.sort(variable[variable >= 0]), np.arange(n_candidates))
        or len(np.unique(variable)) != size
        or variable.min() < -1 - n2
    ):
        raise InputError(
            "certificate field 'variable' must hold -1, every candidate and slacks -2 - label, once"
        )
    for name, wanted in (("Z", size * size), ("slack_dual", slacks * n2)):
        if len(arrays[name]) != wanted:
            raise InputError(f"certificate field {name!r} must hold {wanted} numbers")


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
    for name, kind in SEMIDEFINITE_FIELDS.items():
        given = certificate.get(name, [])
        arrays[name] = numbers(f"certificate field {name!r}", given, kind)
    check_variables(arrays, N, n2)
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
