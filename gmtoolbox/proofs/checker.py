"""Check a matching, and the proof that no other one is better: exact, and without the solver.

This file imports nothing of gmtoolbox. Doubles are integers times powers of two, so costs become
integers ("grains" of size 2^-g), and everything that decides is computed with Python's integers,
which neither round nor overflow. The numbers of a certificate are hints: any numbers give a valid
bound, bad ones a weak bound. Floating point guesses (`guess_factors`) and never decides.

A matching takes one candidate p = (node, label) at each of n1 nodes, no label twice. A node that
may stay unmatched has a dummy, a candidate of cost 0 with a label of its own. If all nodes must be
matched and n1 > n2, the sides are exchanged first. Candidates are numbered in the order of (label,
node); the dummy of node i is number N + i. A matching costs the sum of c_p over its candidates and
of theta_pq over their pairs.

**Stars.** Share each pair cost between its ends, C_pq + C_qp = theta_pq, and take any column duals
v <= 0. If a matching contains p, each other node j takes a partner q, and no label twice, so that
the sum of v_p,label(q) over its partners is at least the sum of v_pl over all labels. Hence its
pairs cost p at least

    V_p = sum over j of min over partners q at j of (C_pq - v_p,label(q)) + sum over l of v_pl,

and for the same reason every matching costs at least

    D = sum over nodes i of min over p at i of (c_p + V_p - v_label(p)) + sum over l of v_l.

**Changed costs.** Let y = (1, x, f) have an entry 1, an entry x_p for each candidate (1: taken) and
f_l for some labels (1: free). Matchings satisfy linear equations A y = 0: the x of a node add up to
1, and so do the x and the f of a label. For any matrices U and F,

    Z = A'U + U'A - F'F    has    y'Zy = -|Fy|^2 <= 0,    so    cost >= cost + y'Zy.

The right side is a cost of the same kind: Z_00 is a constant, c_p grows by Z_pp + 2 Z_0p, C_pq by
Z_pq, and f_l = 1 - (sum of x at label l) is replaced; the star of a free label is bounded as above.
The matrix Z of a certificate serves to guess U and F. The Z that counts is computed from these.

**Deletions.** Let l_p and r_pq >= 0 be the slacks of the minima of D and V_p. A matching costs at
least D + sum of l_p + sum of (r_pq + r_qp). So a pair with l_p + l_q + r_pq + r_qp >= cutoff - D is
in no matching below the cutoff, nor is a candidate p with

    l_p + sum over j of min over partners q at j of (l_q + r_pq + r_qp - w_label(q)) + sum of w
    >= cutoff - D    for some w <= 0,

nor one without partners of different labels at all other nodes. The next stage goes on with the
rest. Every matching costs at least the cutoff or the largest D, and a multiple of the number that
divides all costs.
"""

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

import numpy as np

LARGEST = sys.float_info.max
SPARE_BITS = 90  # a grain is at most 2^-90 of the largest cost
LARGEST_MATRIX = 8192  # sums of this many products of integers below 2^20 are exact in doubles
FEW = 3000  # candidates whose stars are looked at before the first stage
FIELDS = {  # of a stage: field -> (its content, a field of the same length)
    "a": ("candidate", "b"), "b": ("candidate", "split"), "split": ("number", "a"),
    "star": ("candidate", "star_dual"), "star_label": ("label", "star"),
    "star_dual": ("number", "star"), "label_dual": ("number", None),
    "variable": ("variable", None), "Z": ("number", None), "slack_dual": ("number", None),
    "gone": ("candidate", None), "gone_star": ("candidate", "gone_dual"),
    "gone_label": ("label", "gone_star"), "gone_dual": ("number", "gone_star"),
    "pair_a": ("candidate", "pair_b"), "pair_b": ("candidate", "pair_a"),
}  # fmt: skip


class Refused(ValueError):
    """The input is not a result or not a certificate of this problem."""


class FalseClaim(Refused):
    """The result claims something that is not true."""


@dataclass
class Verdict:
    """Verified facts of a result: exact numbers in the sense of the problem, offset included."""

    value: Fraction  # of the labels
    bound: Fraction = None  # that is proven; None: without a certificate
    gap: Fraction = None  # no matching is better by more than this
    is_proven: bool = False  # the gap is at most the tolerance or the rounding of the value


def check(given, labels, value, bound, certificate=None, prove=None):
    """Return the Verdict on a result; FalseClaim if its labels, value or bound are not true.

    given: an object with shape, left, right and cost (of candidates), a, b and edge_cost (of pairs;
    a and b count candidates), all of them lists, complete, sense, offset, and the tolerance, up to
    which a gap counts as none. Costs are minimised; sense is the sign of value and bound.
    prove(given, certificate) returns the bound, by default prove_bound.
    """
    sign, offset = 1 if given.sense == "min" else -1, Fraction(given.offset)
    (value,) = numbers("value", [value])
    taken = set(matched_candidates(given, numbers("labels", labels, "i")))
    pairs = zip(given.a, given.b, given.edge_cost, strict=True)
    terms = [Fraction(given.cost[k]) for k in taken]
    terms += [Fraction(x) for a, b, x in pairs if a in taken and b in taken]
    cost = sum(terms, Fraction(0))
    total, margin = cost + offset, rounding_of([offset, *terms])
    real = float(sign * max(-LARGEST, min(LARGEST, total)))
    if abs(sign * Fraction(value) - total) > margin:
        raise FalseClaim(f"the labels are worth {real!r}, the result claims {value!r}")
    if bound != -sign * math.inf and Fraction(*numbers("bound", [bound])) * sign > total + margin:
        raise FalseClaim(f"the bound {bound!r} lies beyond the value {real!r} of the labels")
    if certificate is None:
        return Verdict(sign * total)
    lower = (prove or prove_bound)(given, certificate)
    gap = max(cost - lower, Fraction(0))
    is_proven = gap <= max(Fraction(given.tolerance), rounding_of(terms))
    return Verdict(sign * total, sign * (lower + offset), gap, is_proven)


def rounding_of(terms):
    """Return the rounding error allowed in a sum of doubles: four roundings (2^-52) per term."""
    return 4 * len(terms) * sum(map(abs, terms)) / Fraction(2**52)


def matched_candidates(given, labels):
    """Return the candidates that the labels take; FalseClaim if they are not a matching."""
    n1, n2 = given.shape
    if len(labels) != n1:
        raise FalseClaim(f"labels must have n1 = {n1} entries, got {len(labels)}")
    place = {pair: k for k, pair in enumerate(zip(given.left, given.right, strict=True))}
    pairs = [(i, s) for i, s in enumerate(labels) if s != -1]
    for pair in pairs:
        if pair not in place:
            raise FalseClaim(f"labels use the forbidden pair {pair}")
    if len({s for _, s in pairs}) < len(pairs):
        raise FalseClaim("labels: a label is used twice")
    if given.complete and len(pairs) < min(n1, n2):
        wanted = f"all {min(n1, n2)} nodes of the smaller side"
        raise FalseClaim(f"labels must match {wanted}, {len(pairs)} are matched")
    return [place[pair] for pair in pairs]


def numbers(name, given, kind="f"):
    """Return a list of integers ("i") or finite doubles ("f"); Refused if it is anything else."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    wanted = (int, np.integer) if kind == "i" else (int, float, np.integer, np.floating)
    largest = 2**31 if kind == "i" else LARGEST
    is_list = isinstance(given, (list, tuple))
    if not is_list or not all(isinstance(x, wanted) and not isinstance(x, bool) for x in given):
        raise Refused(f"{name} must be a list of {'integers' if kind == 'i' else 'numbers'}")
    if not all(-largest <= x <= largest for x in given):
        raise Refused(f"{name} must hold finite numbers of at most {largest}")
    return [int(x) if kind == "i" else float(x) for x in given]


def prove_bound(given, certificate):
    """Return a number that every matching costs at least, without the offset."""
    model = Model(given)
    root = read_stage(certificate, "certificate", model)
    stages = certificate.get("stages", [])
    if not isinstance(stages, (list, tuple)):
        raise Refused("certificate field 'stages' must be a list of objects")
    stages = [read_stage(s, f"certificate stage {k}", model) for k, s in enumerate(stages)]
    if not model.propagate(model.has_star if model.n <= FEW else model.is_free):
        raise Refused("the problem has no complete matching")
    bound = evaluate(model, root)[0]
    if stages:
        (cutoff,) = numbers("certificate field 'cutoff'", [certificate.get("cutoff")])
        bound = max(bound, follow_stages(model, stages, model.grains(cutoff)))
    if model.divisor == 0:
        return Fraction(0)  # all costs are 0
    return Fraction(-(-bound // model.divisor) * model.divisor, 2**model.g)


def follow_stages(model, stages, cutoff):
    """Return the bound of a proof by deletions, which are made in the model."""
    proven = -math.inf
    for stage in [*stages, read_stage({}, "", model)]:  # the last one: without any hints
        if not model.propagate(model.has_star):
            return cutoff
        D, l, r = evaluate(model, stage)  # noqa: E741
        proven = max(proven, D)
        if proven >= cutoff:
            return cutoff
        delete(model, stage, l, r, cutoff - D)
    return proven


def read_stage(stage, name, model):
    """Return {field: list} of a stage; a missing field is empty."""
    if not isinstance(stage, dict):
        raise Refused(f"{name} must be an object, got {type(stage).__name__}")
    ends = {"candidate": (0, model.n), "label": (0, model.n2), "variable": (-1 - model.n2, model.n)}
    read = {}
    for field, (holds, _) in FIELDS.items():
        place = f"{name} field {field!r}"
        read[field] = numbers(place, stage.get(field, []), "f" if holds == "number" else "i")
        least, end = ends.get(holds, (-math.inf, math.inf))
        if not all(least <= x < end for x in read[field]):
            raise Refused(f"{place} must lie in {least}..{end - 1}")
    variable = read["variable"]
    lengths = {field: len(read[like]) for field, (_, like) in FIELDS.items() if like}
    lengths["Z"] = len(variable) ** 2
    lengths["slack_dual"] = model.n2 * sum(v <= -2 for v in variable)
    lengths["label_dual"] = model.n2 if read["label_dual"] else 0
    for field, wanted in lengths.items():
        if (got := len(read[field])) != wanted:
            raise Refused(f"{name} field {field!r} must hold {wanted} numbers, got {got}")
    if variable and (len(set(variable)) < len(variable) or -1 not in variable):
        raise Refused(f"{name} field 'variable' must hold -1 and others, each once")
    return read


class Model:
    """The candidates and pairs that are not deleted, with their costs in grains."""

    def __init__(self, given):
        (n1, n2), left, right = given.shape, given.left, given.right
        if given.complete and n1 > n2:
            n1, n2, left, right = n2, n1, right, left
        order = sorted(range(len(left)), key=lambda k: (right[k], left[k]))
        costs = [*given.cost, *given.edge_cost]
        bits = max((x.as_integer_ratio()[1].bit_length() - 1 for x in costs), default=0)
        self.g = max(bits, SPARE_BITS - math.frexp(max(map(abs, costs), default=0))[1])
        self.n1, self.n2 = n1, n2
        self.node, self.label = [left[k] for k in order], [right[k] for k in order]
        self.cost = [self.grains(given.cost[k]) for k in order]
        if not given.complete:  # dummies
            self.node += range(n1)
            self.label += range(n2, n2 + n1)
            self.cost += [0] * n1
        self.n = len(self.node)
        self.is_alive = [True] * self.n
        self.parted = [set() for _ in range(self.n)]  # the other ends of deleted pairs
        self.pairs, rank = {}, {k: p for p, k in enumerate(order)}
        for a, b, x in zip(given.a, given.b, given.edge_cost, strict=True):
            p, q = sorted((rank[a], rank[b]))
            if self.can_meet(p, q):
                self.pairs[p, q] = self.pairs.get((p, q), 0) + self.grains(x)
        self.divisor = math.gcd(*self.cost, *self.pairs.values())
        self.sort()

    def grains(self, x):
        """Return x in grains, rounded down; every cost is a whole number of grains."""
        numerator, denominator = x.as_integer_ratio()
        shift = self.g - (denominator.bit_length() - 1)
        return numerator << shift if shift >= 0 else numerator >> -shift

    def can_meet(self, p, q):
        """Return True if a matching may contain both p and q."""
        apart = self.node[p] == self.node[q] or self.label[p] == self.label[q]
        return not apart and q not in self.parted[p]

    def sort(self):
        """List the candidates that remain at each node i: at[i]."""
        self.at = [[] for _ in range(self.n1)]
        for p in range(self.n):
            if self.is_alive[p]:
                self.at[self.node[p]].append(p)
        self.needed = {self.label[own[0]]: i for i, own in enumerate(self.at) if len(own) == 1}

    def partners(self, p, j):
        """Return the candidates at another node j that p can meet."""
        label, own, parted = self.label, self.label[p], self.parted[p]
        return [q for q in self.at[j] if label[q] != own and q not in parted]

    def rows(self, p):
        """Return {j: partners of p} of all other nodes."""
        return {j: self.partners(p, j) for j in range(self.n1) if j != self.node[p]}

    def propagate(self, is_possible):
        """Delete candidates of no matching; return False if a node has no candidate."""
        gone = None
        while gone != []:
            self.sort()
            gone = [p for own in self.at for p in own if not is_possible(p)]
            for p in gone:
                self.is_alive[p] = False
        return all(self.at)

    def is_free(self, p):
        """Return whether no other node needs the label of p, for lack of other candidates."""
        return self.needed.get(self.label[p], self.node[p]) == self.node[p]

    def has_star(self, p):
        """Return whether p has partners of different labels at all other nodes."""
        rows, taker, taken = self.rows(p), {}, {}  # taker: label -> node, taken: node -> label
        for j in rows:
            came_from, queue = {}, [j]
            for i in queue:  # breadth first, until a label is free
                found = {self.label[q]: i for q in rows[i] if self.label[q] not in came_from}
                came_from |= found
                free = next((s for s in found if s not in taker), None)
                if free is not None:
                    break
                queue += [taker[s] for s in found]
            else:
                return False
            while free is not None:  # everyone on the way takes the next label
                i = came_from[free]
                taker[free], taken[i], free = i, free, taken.get(i)
        return True


def evaluate(model, stage):
    """Return (D, l, r) of the remaining model: l[p], r[p][q]; a missing r is 0."""
    cost, star = split_costs(model, stage)
    D = change_costs(model, stage, cost, star) if stage["variable"] else 0
    duals, r = column_duals(model, stage, "star", "star_label", "star_dual"), {}
    for p in cost:
        V, r[p] = star_value(model, p, star[p], duals.get(p, {}))
        cost[p] += V
    v = [min(0, model.grains(x)) for x in stage["label_dual"]] or [0] * model.n2
    v += [0] * model.n1  # labels of dummies
    D += sum(v)
    l = {p: x - v[model.label[p]] for p, x in cost.items()}  # noqa: E741
    for own in model.at:
        least = min(l[p] for p in own)
        D += least
        for p in own:
            l[p] -= least
    return D, l, r


def split_costs(model, stage):
    """Return (c, C) with C[p][q] + C[q][p] = theta_pq: halves, moved by the splits."""
    cost = {p: model.cost[p] for own in model.at for p in own}
    star, known = {p: {} for p in cost}, {*stage["variable"], *stage["a"], *stage["b"]}
    for (p, q), theta in model.pairs.items():
        if p in star and q in star and q not in model.parted[p]:
            part = theta >> 1
            p_open, q_open = (len(model.at[model.node[end]]) > 1 for end in (p, q))
            if p_open != q_open and not known.issuperset((p, q)):  # the undecided one pays
                part = theta if p_open else 0
            star[p][q], star[q][p] = part, theta - part
    for p, q, split in zip(stage["a"], stage["b"], stage["split"], strict=True):
        if p in star and q in star and model.can_meet(p, q):
            moved = model.grains(split) >> 1
            star[p][q] = star[p].get(q, 0) + moved
            star[q][p] = star[q].get(p, 0) - moved
    return cost, star


def column_duals(model, stage, candidates, labels, duals):
    """Return {candidate: {label: dual <= 0}} of three fields; of two duals the lower one."""
    found = {}
    for p, s, x in zip(stage[candidates], stage[labels], stage[duals], strict=True):
        own = found.setdefault(p, {})
        own[s] = min(own.get(s, 0), model.grains(x))
    return found


def star_value(model, p, C, v):
    """Return (V_p, {q: r_pq}) for C = {q: C_pq}; a pair that is not listed costs 0."""
    r, rows = {}, {}
    for q, x in C.items():
        r[q] = x - v.get(model.label[q], 0)
        rows.setdefault(model.node[q], []).append(q)
    V = sum(v.values())
    for j, listed in rows.items():
        least = min(r[q] for q in listed)
        if least > 0 and len(listed) < len(model.partners(p, j)):
            least = 0
        V += least
        for q in listed:
            r[q] -= least
    return V, r


def change_costs(model, stage, cost, star):
    """Add y'Zy to the costs of candidates and stars; return its constant part."""
    label, x = model.label, {p: 1 + k for k, p in enumerate(cost)}  # x, f: places in y = (1, x, f)
    slacks = [-2 - v for v in stage["variable"] if v <= -2]
    f = {s: 1 + len(x) + k for k, s in enumerate(slacks)}
    Z = exact_matrix(model, stage, x, f)
    for p, at in x.items():
        # if p is taken: f_l = 1 - (sum of x_q at label l), and 0 for the label of p
        row = Z[at]
        cost[p] += row[at] + 2 * row[0] + sum(row[k] for s, k in f.items() if s != label[p])
        for q in chain(*model.rows(p).values()):
            changed = row[x[q]] - row[f[label[q]]] if label[q] in f else row[x[q]]
            star[p][q] = star[p].get(q, 0) + changed
    constant = Z[0][0]
    for k, s in enumerate(slacks):
        free = free_label_value(model, Z[f[s]], s, x, f, stage["slack_dual"][k * model.n2 :])
        constant += free  # f_s free = free - (sum of x_p at label s) free
        for p in x:
            if label[p] == s:
                cost[p] -= free
    return constant


def free_label_value(model, row, s, x, f, duals):
    """Return the least that f_s = 1 costs: its own entries of Z, and the value of its star."""
    v = [min(0, model.grains(dual)) for dual in duals[: model.n2]] + [0] * model.n1
    v[s] = 0
    value = row[f[s]] + 2 * row[0] + sum(v) + sum(row[k] for other, k in f.items() if other != s)
    for own in model.at:
        others = [(q, model.label[q]) for q in own if model.label[q] != s]
        costs = [row[x[q]] - (row[f[t]] if t in f else 0) - v[t] for q, t in others]
        value += min(costs, default=0)  # if all have label s, it is never free
    return value


def exact_matrix(model, stage, x, f):
    """Return Z = A'U + U'A - F'F in grains, rounded down (y >= 0), near the Z of the stage."""
    size = 1 + len(x) + len(f)
    if size > LARGEST_MATRIX:
        raise Refused(f"a matrix Z can have at most {LARGEST_MATRIX} rows, got {size}")
    place = {-1: 0, **x, **{-2 - s: k for s, k in f.items()}}
    index = [place.get(v, size) for v in stage["variable"]]  # a last row for deleted ones
    hint, guess = np.array(stage["Z"]).reshape(len(index), -1), np.zeros((size + 1, size + 1))
    guess[np.ix_(index, index)] = hint / 2 + hint.T / 2  # candidates that it lacks have zeros
    equations = matching_equations(model, x, f)
    U, F = guess_factors(guess[:-1, :-1], equations)
    Z = -gram_matrix(F, model.g)
    for members, u in zip(equations, U.tolist(), strict=True):
        u = np.array([model.grains(number) for number in u], dtype=object)
        Z[0] -= u
        Z[:, 0] -= u
        Z[members] += u
        Z[:, members] += u[:, None]
    return Z.tolist()


def matching_equations(model, x, f):
    """Return lists of variables; those of each list add up to 1 in every matching."""
    equations, at_label = [[x[p] for p in own] for own in model.at], {}
    for p, k in x.items():
        at_label.setdefault(model.label[p], []).append(k)
    if len(at_label) == model.n1:  # as many labels as nodes: all are taken
        equations += [members for s, members in at_label.items() if s not in f]
    return equations + [[*at_label.get(s, []), k] for s, k in f.items()]


def guess_factors(Z, equations):
    """Return U and F with A'U + U'A - F'F near Z, by floating point: a guess.

    T is the projector onto the rows of A, P = I - T; F'F is the negative part of PZP.
    """
    A = np.zeros((len(equations), len(Z)))
    A[:, 0] = -1
    for k, members in enumerate(equations):
        A[k, members] = 1
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.pinv(A)
            T = inverse @ A
            P = np.eye(len(Z)) - T
            values, vectors = np.linalg.eigh(P @ Z @ P)
        except np.linalg.LinAlgError as error:
            raise Refused(f"the matrix Z is of no use: {error}") from error
        F = np.sqrt(-values[values < 0])[:, None] * vectors.T[values < 0]
        U = inverse.T @ (Z - Z @ T / 2)
    if not all(np.isfinite(x).all() for x in (values, U, F)):
        raise Refused("the numbers of the matrix Z are too large")
    return U, F


def gram_matrix(F, g):
    """Return F'F in grains, rounded up, after F was rounded to 58 bits.

    F = (S0 2^40 + S1 2^20 + S2) 2^e with integers below 2^20, whose products doubles hold exactly.
    """
    e = int(np.frexp(np.abs(F).max(initial=0))[1]) - 58
    rest, parts = np.rint(np.ldexp(F, -e)), []
    for unit in (2.0**40, 2.0**20, 1.0):
        parts.append(np.rint(rest / unit))
        rest = rest - parts[-1] * unit
    total = np.zeros((F.shape[1], F.shape[1]), dtype=object)
    for i in range(3):
        for j in range(3):
            product = (parts[i].T @ parts[j]).astype(np.int64).astype(object)
            total += product << 20 * (4 - i - j)
    shift = 2 * e + g
    return total << shift if shift >= 0 else -(-total >> -shift)


def delete(model, stage, l, r, gap):  # noqa: E741
    """Delete the pairs and candidates that the stage names, if they cost at least the gap."""

    def pair_cost(p, q):
        return l[p] + l[q] + r[p].get(q, 0) + r[q].get(p, 0)

    for p, q in zip(stage["pair_a"], stage["pair_b"], strict=True):
        if p in l and q in l and model.can_meet(p, q) and pair_cost(p, q) >= gap:
            model.parted[p].add(q)
            model.parted[q].add(p)
    duals = column_duals(model, stage, "gone_star", "gone_label", "gone_dual")
    named, n_before = [p for p in stage["gone"] if p in l], None
    while len(named) != n_before:  # one deletion may allow another
        n_before = len(named)
        for p in named:
            w = duals.get(p, {})
            cost = l[p] + sum(w.values())
            for partners in model.rows(p).values():
                cheap = [q for q in partners if pair_cost(p, q) < gap]
                rest = [pair_cost(p, q) - l[p] - w.get(model.label[q], 0) for q in cheap]
                cost += min(rest, default=abs(cost) + gap)  # without a partner: more than the gap
            model.is_alive[p] = cost < gap
        model.sort()
        named = [p for p in named if model.is_alive[p]]
