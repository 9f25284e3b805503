"""A proof by deletions, checked stage by stage.

A certificate may have a `cutoff` and `stages`. Each stage has a matrix Z and duals of the
semidefinite bound (see `certificates`) for what remains after the stages before, and names
candidates and pairs that it deletes. With l and r the reduced costs of the master problem and of
the stars, all at least 0, every matching that remains costs at least

    D + sum of l_p over its candidates + sum of r_{p->q} over its ordered pairs.

So a pair may go if D + l_p + l_q + r_{p->q} + r_{q->p} reaches the cutoff, and a candidate p if
D + l_p + (the least assignment of l_q + r_{p->q} + r_{q->p} to the other nodes) does: the stage
brings column duals w <= 0 for that assignment, any numbers of which give a valid bound. A node with
a single candidate has chosen it, what a chosen candidate excludes is gone, and so is a candidate
without a partner at some node. When the bound of a stage reaches the cutoff, every matching costs
at least the cutoff: the proof is whole.
"""

from dataclasses import dataclass

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import csgraph, np, sparse
from gmtoolbox.core.transforms import LEFT_COMPLETE, prepare
from gmtoolbox.proofs.certificates import (
    candidates_with_dummies,
    common_divisor,
    matching_span,
    minima,
    numbers,
    padded,
    proven_margin,
    rounding_error,
    without_slacks,
)

MOST_CANDIDATES = 2000  # the tables below are square
KINDS = {
    "variable": "i",
    "Z": "f",
    "star": "i",
    "star_label": "i",
    "star_dual": "f",
    "label_dual": "f",
    "slack_dual": "f",
    "gone": "i",
    "gone_star": "i",
    "gone_label": "i",
    "gone_dual": "f",
    "pair_a": "i",
    "pair_b": "i",
}


@dataclass
class Rest:
    """What remains of a problem: which of all candidates, and which pairs of them, are alive."""

    n1: int
    n2: int
    node: object  # of every candidate, dummies included
    label: object
    cost: object  # longdouble
    theta: object  # longdouble, square
    alive: object  # bool
    pair: object  # bool, square

    def propagate(self):
        """Delete what follows from what is deleted. False when no matching remains."""
        at = self.node == np.arange(self.n1)[:, None]  # node by candidate
        while True:
            before = self.alive.sum()
            self.pair &= self.alive & self.alive[:, None]
            # a partner at every other node; at its own node a candidate needs none
            partners = self.pair @ at.T.astype(np.int32) > 0
            partners[np.arange(len(self.node)), self.node] = True
            self.alive &= partners.all(axis=1)
            count = at[:, self.alive].sum(axis=1)
            if count.min(initial=1) == 0:
                return False
            chosen = self.alive & (count[self.node] == 1)
            if len(np.unique(self.label[chosen])) < chosen.sum():
                return False
            self.alive &= chosen | ~np.isin(self.label, self.label[chosen])
            if self.alive.sum() == before:
                return True

    def lacks_labels(self):
        """Whether fewer labels than nodes remain: then no matching does."""
        open_, _ = self.undecided()
        return len(np.unique(self.label[open_])) < len(np.unique(self.node[open_]))

    def undecided(self):
        """(candidates of nodes with several, candidates that are chosen)."""
        count = np.bincount(self.node[self.alive], minlength=self.n1)
        several = self.alive & (count[self.node] > 1)
        return np.flatnonzero(several), np.flatnonzero(self.alive & ~several)


def staged_bound(problem, certificate):
    """The cutoff of a certificate whose stages prove it, else -inf; offset included."""
    if not isinstance(certificate, dict) or not certificate.get("stages"):
        return -float("inf")
    stages, cutoff = certificate["stages"], certificate.get("cutoff")
    if not isinstance(stages, (list, tuple)) or not all(isinstance(s, dict) for s in stages):
        raise InputError("certificate field 'stages' must be a list of objects")
    cutoff = float(numbers("certificate field 'cutoff'", [cutoff], "f")[0])
    p = prepare(problem.as_costs(), (LEFT_COMPLETE,)).problem
    rest = everything(p)
    for k, stage in enumerate(stages):
        duals = checked_stage(stage, k, rest)
        open_, chosen = rest.undecided()
        if not np.array_equal(np.sort(duals["variable"][duals["variable"] >= 0]), open_):
            return -float("inf")  # a stage of another problem than the rest proves nothing
        bound, reduced, star = evaluate(rest, duals, open_, chosen)
        if bound >= cutoff:
            return lifted(p, cutoff + p.offset)
        delete(rest, duals, open_, bound, reduced, star, cutoff)
        if not rest.propagate() or rest.lacks_labels():
            return lifted(p, cutoff + p.offset)
        open_, chosen = rest.undecided()
        if len(open_) == 0:  # one matching remains
            return lifted(p, min(cutoff, rounded_down(rest, chosen)) + p.offset)
    return -float("inf")


def rounded_down(rest, chosen):
    """The cost of the chosen candidates, less what rounding may have added."""
    costs, pairs = rest.cost[chosen].astype(np.longdouble), rest.theta[np.ix_(chosen, chosen)]
    size = np.abs(costs).sum() + np.abs(pairs).sum()
    total = costs.sum() + pairs.sum() / 2
    margin = rounding_error(costs.size + pairs.size + 1, size)
    return float(np.nextafter(np.float64(total - margin), -np.inf))


def lifted(p, bound):
    """The next multiple of what divides all costs: as certified_bound does."""
    bound = float(np.nextafter(bound, -np.inf)) if p.offset else float(bound)
    grain = common_divisor(p)
    return max(bound, float(np.ceil(bound / grain) * grain)) if grain else bound


def everything(p):
    """The Rest of a problem before any stage."""
    n1, n2 = p.shape
    node, label, cost = candidates_with_dummies(p)
    size = len(node)
    if size > MOST_CANDIDATES:
        raise InputError(f"certificate stages are read up to {MOST_CANDIDATES} candidates")
    pair = (node[:, None] != node) & (label[:, None] != label)
    theta = np.zeros((size, size), dtype=np.longdouble)
    np.add.at(theta, (p.a, p.b), p.edge_cost)
    np.add.at(theta, (p.b, p.a), p.edge_cost)
    return Rest(n1, n2, node, label, cost, np.where(pair, theta, 0), np.ones(size, bool), pair)


def checked_stage(stage, k, rest):
    """The arrays of stage k, or InputError naming the field that is wrong."""
    duals = {
        name: numbers(f"certificate stage {k} field {name!r}", stage.get(name, []), kind)
        for name, kind in KINDS.items()
    }
    variable, n = duals["variable"], len(rest.node)
    size, slacks = len(variable), np.count_nonzero(variable <= -2)
    lengths = {"Z": size * size, "slack_dual": slacks * rest.n2, "label_dual": rest.n2}
    lengths |= {name: len(duals["star"]) for name in ("star_label", "star_dual")}
    lengths |= {name: len(duals["gone_star"]) for name in ("gone_label", "gone_dual")}
    lengths["pair_b"] = len(duals["pair_a"])
    for name, wanted in lengths.items():
        if len(duals[name]) != wanted:
            raise InputError(f"certificate stage {k} field {name!r} must hold {wanted} numbers")
    ends = {"star_label": rest.n2, "gone_label": rest.n2, "variable": n}
    ends |= dict.fromkeys(("star", "gone", "gone_star", "pair_a", "pair_b"), n)
    for name, end in ends.items():
        least = -1 - rest.n2 if name == "variable" else 0
        if len(duals[name]) and not least <= duals[name].min() <= duals[name].max() < end:
            raise InputError(f"certificate stage {k} field {name!r} must lie in 0..{end - 1}")
    if np.count_nonzero(variable == -1) != 1 or len(np.unique(variable)) != size:
        raise InputError(f"certificate stage {k} field 'variable' must hold -1 and others, once")
    return duals


def evaluate(rest, duals, open_, chosen):
    """(D, l, r): the bound of a stage, rounded down, and reduced costs of the open candidates."""
    exact, n_labels = np.longdouble, rest.n2 + rest.n1
    variable = duals["variable"]
    where = {int(v): k for k, v in enumerate(variable)}
    x = np.array([where[int(p)] for p in open_], dtype=np.int64)
    one = where[-1]
    f = np.flatnonzero(variable <= -2)
    slack_label = -2 - variable[f]
    nodes, node = np.unique(rest.node[open_], return_inverse=True)
    label = rest.label[open_]
    n1 = len(nodes)
    Z = duals["Z"].reshape(len(variable), -1)
    Z = (Z + Z.T) / 2
    theta = rest.theta[np.ix_(open_, open_)]
    pair = rest.pair[np.ix_(open_, open_)]
    cost = rest.cost[open_] + rest.theta[np.ix_(open_, chosen)].sum(axis=1)
    constant = rest.cost[chosen].sum() + rest.theta[np.ix_(chosen, chosen)].sum() / 2
    unit = float(max(np.abs(theta).max(initial=0), np.abs(cost).max(initial=0)))
    W = matching_span(n1, node, label, x, one, f, slack_label, len(variable))
    error = exact(proven_margin(Z, W, unit) * (1 + n1 + len(f)))

    M = Z.astype(exact)
    M[x, x] += cost
    M[np.ix_(x, x)] += np.where(pair, theta, 0) / 2
    dual = np.minimum(duals["slack_dual"].reshape(len(f), rest.n2), 0).astype(exact)
    slacks = one, f, slack_label, dual
    constant, changed, lost = without_slacks(M, constant, node, label, n1, n_labels, x, *slacks)

    star_dual = label_duals(duals, "star", open_, n_labels, exact)
    star_cost = np.where(pair, M[np.ix_(x, x)] - lost[x] - star_dual[:, label], np.inf)
    least = np.stack([star_cost[:, node == j].min(axis=1) for j in range(n1)], axis=1)
    own = node[:, None] == np.arange(n1)
    V = star_dual.sum(axis=1) + np.where(own, 0, least).sum(axis=1)
    V[~have_stars(pair, node, label, n1, n_labels)] = np.inf
    with np.errstate(invalid="ignore"):
        star_reduced = np.where(pair, star_cost - least[:, node], np.inf)
    v = padded(np.minimum(duals["label_dual"], 0).astype(exact), n_labels)
    master = changed + V - v[label]
    u = minima(node, master, n1)
    reduced = master - u[node]
    terms = len(open_) ** 2 + 8 * n_labels
    finite = [np.abs(x[np.isfinite(x)]).max(initial=0) for x in (M, star_cost, V, changed, u, v)]
    error += rounding_error(64 * terms, sum(finite) * (n1 + len(f) + 2) + abs(constant))
    bound = constant + u.sum() + v.sum() - error
    return (bound if np.isfinite(bound) or bound == np.inf else -np.inf), reduced, star_reduced


def have_stars(pair, node, label, n1, n_labels):
    """Which candidates have partners at all other nodes, with different labels."""
    able = np.zeros(len(node), bool)
    for p in range(len(node)):
        (q,) = np.nonzero(pair[p])
        star = sparse.csr_array(
            (np.ones(len(q), np.int8), (node[q], label[q])), shape=(n1, n_labels)
        )
        found = csgraph.maximum_bipartite_matching(star, perm_type="column")
        able[p] = np.count_nonzero(found >= 0) == n1 - 1
    return able


def label_duals(duals, name, open_, n_labels, exact):
    """Column duals of each open candidate's assignment problem, 0 where none is given."""
    table = np.zeros((len(open_), n_labels), dtype=exact)
    at = np.searchsorted(open_, duals[name])
    at[at == len(open_)] = 0
    known = open_[at] == duals[name] if len(open_) else np.zeros(len(at), bool)
    key = "gone" if name == "gone_star" else name
    np.minimum.at(
        table,
        (at[known], duals[f"{key}_label"][known]),
        np.minimum(duals[f"{key}_dual"][known], 0).astype(exact),
    )
    return table


def delete(rest, duals, open_, bound, reduced, star, cutoff):
    """Delete those named candidates and pairs whose bounds reach the cutoff."""
    if not np.isfinite(bound):
        return
    position = np.full(len(rest.node), -1)
    position[open_] = np.arange(len(open_))
    both = star + star.T
    nodes, node = np.unique(rest.node[open_], return_inverse=True)
    label = rest.label[open_]
    exact = np.longdouble
    w = label_duals(duals, "gone_star", open_, rest.n2 + rest.n1, exact)
    margin = rounding_error(64 * len(open_), abs(bound) + abs(exact(cutoff)))
    gap = cutoff - bound + margin
    for p in duals["gone"]:
        k = position[p]
        if k < 0:
            continue
        least = minima(node, reduced + both[k] - w[k, label], len(nodes))
        others = np.arange(len(nodes)) != node[k]
        if reduced[k] + least[others].sum() + w[k].sum() >= gap:
            rest.alive[p] = False
    a, b = position[duals["pair_a"]], position[duals["pair_b"]]
    known = (a >= 0) & (b >= 0)
    a, b = a[known], b[known]
    enough = reduced[a] + reduced[b] + both[a, b] >= gap
    p, q = open_[a[enough]], open_[b[enough]]
    rest.pair[p, q] = rest.pair[q, p] = False
