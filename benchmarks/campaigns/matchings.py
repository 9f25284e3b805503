"""gm_solve, gm_solve_many and n_best: problems of two to five nodes a side, all matchings tried.

Costs are compared as exact fractions. A matching whose exact cost is above the optimum by more than
ROUNDING times the sum of the absolute costs that either pays is a wrong 'optimal'.
"""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
from scipy import sparse

import gmtoolbox as gm
from campaigns import PROVEN, REFUSED, UNPROVEN, Wrong, judge

ROUNDING = 2.0**-46


# ---- problems


def magnitudes(rng, size):
    """Return random costs of one of several families."""
    family = rng.integers(8)
    if family == 0:
        return rng.integers(-3, 4, size).astype(float)
    if family == 1:
        return rng.integers(-3, 4, size) * 0.1
    if family == 2:  # from 1e-6 to 1e12 in one model
        return rng.choice([-1.0, 1.0], size) * 10.0 ** rng.uniform(-6, 12, size)
    if family == 3:  # a few huge ones
        return rng.normal(size=size) * np.where(rng.random(size) < 0.1, 1e12, 1.0)
    if family == 4:  # most of them huge
        return rng.normal(size=size) * np.where(rng.random(size) < 0.8, 1e9, 1.0)
    if family == 5:
        return -rng.random(size)
    return rng.normal(size=size)


class Drawn:
    """A random problem as plain arrays: C (n1, n2), +inf where a pair is forbidden, and Q, the cost
    of each pair of pairs, {(i, s, j, t): cost} with i < j.
    """

    def __init__(self, rng, largest=5):
        self.n1, self.n2 = (int(n) for n in rng.integers(1, largest + 1, 2))
        n1, n2 = self.n1, self.n2
        self.complete, self.sense = bool(rng.integers(2)), ("min", "max")[rng.integers(2)]
        self.offset = float(rng.choice([0.0, 0.0, 3.5, -1e9]))
        C = magnitudes(rng, (n1, n2)) * (rng.random() < 0.8)
        shift = rng.integers(6)
        if shift == 0:  # a reward on every match
            C = C - 10.0 ** rng.uniform(2, 12)
        elif shift == 1:  # a constant for every node
            C = C + rng.normal(size=(n1, 1)) * 10.0 ** rng.uniform(2, 9)
        elif shift == 2:  # and for every label
            C = C + rng.normal(size=(n1, 1)) * 1e6 + rng.normal(size=(1, n2)) * 1e6
        elif shift == 3:  # a number that stands for 'forbidden'
            C = np.where(rng.random((n1, n2)) < 0.5, 10.0 ** rng.uniform(3, 12), C)
        C = np.where(rng.random((n1, n2)) < rng.choice([1.0, 1.0, 0.7]), C, np.inf)
        if not np.isfinite(C).any():
            C[0, 0] = 1.0
        self.C, self.Q = C, {}
        pairs = [(i, s) for s in range(n2) for i in range(n1) if np.isfinite(C[i, s])]
        density, constant = rng.choice([0.0, 0.3, 1.0]), 0.0
        if rng.random() < 0.15:
            density, constant = 1.0, 10.0 ** rng.uniform(2, 8)
        several = [
            (p, q) for p, q in itertools.combinations(pairs, 2) if p[0] != q[0] and p[1] != q[1]
        ]
        kept = rng.random(len(several)) < density
        cost = magnitudes(rng, len(several)) + constant
        for (p, q), keep, x in zip(several, kept, cost.tolist(), strict=True):
            if keep:
                (i, s), (j, t) = sorted((p, q))
                self.Q[i, s, j, t] = x

    def problem(self):
        """Return the gm.Problem."""
        right, left = np.nonzero(np.isfinite(self.C.T))
        number = {pair: k for k, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True))}
        return gm.Problem(
            (self.n1, self.n2), left, right, self.C[left, right],
            [number[i, s] for i, s, _, _ in self.Q], [number[j, t] for _, _, j, t in self.Q],
            list(self.Q.values()), complete=self.complete, sense=self.sense, offset=self.offset,
        )  # fmt: skip

    def matrix(self):
        """Return (K, Ct) of the same problem, without its offset, in its own sense."""
        n = self.n1 * self.n2
        K, sign = np.zeros((n, n)), 1.0 if self.sense == "min" else -1.0
        allowed = np.isfinite(self.C)
        np.fill_diagonal(K, sign * np.where(allowed, self.C, 0.0).ravel(order="F"))
        for (i, s, j, t), x in self.Q.items():
            a, b = i + self.n1 * s, j + self.n1 * t
            K[a, b] = K[b, a] = 0.5 * sign * x
        return K, allowed.astype(float)


@cache
def all_labels(n1, n2):
    """Return every partial matching as a row of labels, -1 for none."""
    rows = itertools.product(range(-1, n2), repeat=n1)
    return np.array([r for r in rows if len(set(x := [s for s in r if s >= 0])) == len(x)], int)


class Table:
    """All matchings of a drawn problem with their costs: in doubles, then exactly where needed."""

    def __init__(self, drawn):
        self.drawn = drawn
        labels = all_labels(drawn.n1, drawn.n2)
        if drawn.complete:
            labels = labels[(labels >= 0).sum(1) == min(drawn.n1, drawn.n2)]
        wide = np.column_stack([drawn.C, np.zeros(drawn.n1)])  # label -1 reads the last column
        unary = wide[np.arange(drawn.n1), labels]
        kept = np.isfinite(unary).all(1)
        self.labels, unary = labels[kept], unary[kept]
        self.near, self.size = unary.sum(1), np.abs(unary).sum(1)
        for (i, s, j, t), x in drawn.Q.items():
            both = (self.labels[:, i] == s) & (self.labels[:, j] == t)
            self.near[both] += x
            self.size[both] += abs(x)

    def exact(self, labels):
        """Return (cost, sum of absolute costs) of labels as fractions, without the offset."""
        terms = [Fraction(self.drawn.C[i, s]) for i, s in enumerate(labels) if s >= 0]
        terms += [
            Fraction(x)
            for (i, s, j, t), x in self.drawn.Q.items()
            if labels[i] == s and labels[j] == t
        ]
        return sum(terms), sum(map(abs, terms))

    def order(self, first):
        """Return the exact costs of the `first` cheapest matchings, ascending."""
        error = ROUNDING * self.size
        limit = np.sort(self.near + error)[:first][-1]
        some = np.flatnonzero(self.near - error <= limit)
        return sorted(self.exact(self.labels[k].tolist())[0] for k in some)[:first]

    def contains(self, labels):
        """Return whether labels are one of the matchings."""
        return bool((self.labels == np.asarray(labels)).all(1).any())


# ---- what every answer must hold


def check_answer(table, result, offset=0.0):
    """Return the word for a Result; Wrong if it claims something false."""
    sign = 1 if table.drawn.sense == "min" else -1
    labels = result.labels.tolist()
    if not len(table.labels) or not table.contains(labels):
        raise Wrong(f"{labels} are not a matching")
    (best,), (cost, size) = table.order(1), table.exact(labels)
    allowed = Fraction(ROUNDING) * (size + abs(cost) + abs(best))
    stated = Fraction(ROUNDING) * (size + Fraction(abs(offset)))
    return judge(result, sign, cost, best, allowed, stated, offset)


def answer(drawn, table, solve, offset):
    """Return the word for what solve() returns."""
    try:
        result = solve()
    except gm.InfeasibleError:
        if len(table.labels):
            raise Wrong("called infeasible") from None
        return REFUSED
    return check_answer(table, result, offset)


def check_problem(rng):
    """gm_solve of a Problem."""
    drawn = Drawn(rng)
    problem = drawn.problem()
    return answer(drawn, Table(drawn), lambda: gm.gm_solve(problem), drawn.offset)


def check_matrix(rng):
    """gm_solve of a matrix K, dense or sparse."""
    drawn = Drawn(rng, largest=4)
    K, Ct = drawn.matrix()
    K = sparse.csr_array(K) if rng.integers(2) else K
    given = dict(Ct=Ct, sense=drawn.sense, complete=drawn.complete)
    return answer(drawn, Table(drawn), lambda: gm.gm_solve(K, **given), 0.0)


def check_methods(rng):
    """gm_solve by one of the methods that prove something."""
    drawn = Drawn(rng, largest=4)
    problem = drawn.problem()
    method = rng.choice(["aj", "fm-bca", "mp", "mp-mcf", "dd-ls0", "dd-ls3", "hbp"])
    return answer(
        drawn, Table(drawn), lambda: gm.gm_solve(problem, method, maxiter=300), drawn.offset
    )


def check_many(rng):
    """gm_solve_many of three problems, by the exact method or another one."""
    drawn = [Drawn(rng, largest=4) for _ in range(3)]
    tables = [Table(one) for one in drawn]
    possible = [one for one, table in zip(drawn, tables, strict=True) if len(table.labels)]
    if not possible:
        return REFUSED
    method = ("aj", "auto", "fm-bca")[rng.integers(3)]
    found = gm.gm_solve_many([one.problem() for one in possible], method)
    words = {
        check_answer(Table(one), result, one.offset)
        for one, result in zip(possible, found, strict=True)
    }
    return UNPROVEN if UNPROVEN in words else PROVEN


def check_n_best(rng):
    """gm_solve(n_best=k): order, no doubles, values, number."""
    drawn = Drawn(rng, largest=4)
    problem, table, k = drawn.problem(), Table(drawn), int(rng.integers(1, 12))
    sign = 1 if drawn.sense == "min" else -1
    try:
        result = gm.gm_solve(problem, n_best=k)
    except gm.InfeasibleError:
        if len(table.labels):
            raise Wrong("called infeasible") from None
        return REFUSED
    found = [result.labels.tolist(), *(other["labels"].tolist() for other in result.alternatives)]
    if len({tuple(labels) for labels in found}) < len(found):
        raise Wrong("a matching twice")
    if len(found) != min(k, len(table.labels)):
        raise Wrong(f"{len(found)} of {len(table.labels)} matchings, {k} were asked for")
    statuses = [result.status, *(other["status"] for other in result.alternatives)]
    if not all(map(table.contains, found)):
        raise Wrong("not a matching")
    values = [result.value, *(other["value"] for other in result.alternatives)]
    for labels, value, wanted, status in zip(found, values, table.order(k), statuses, strict=True):
        cost, size = table.exact(labels)
        allowed = Fraction(ROUNDING) * (
            size + abs(cost) + abs(wanted) + Fraction(abs(drawn.offset))
        )
        if abs(sign * Fraction(value) - cost - Fraction(drawn.offset)) > allowed:
            raise Wrong(f"value {value}, the labels are worth {float(cost)}")
        if status == "optimal" and abs(cost - wanted) > allowed:
            raise Wrong(f"rank: {float(cost)} instead of {float(wanted)}")
    return PROVEN if set(statuses) == {"optimal"} else UNPROVEN


DOORS = {
    "gm_solve(Problem)": check_problem,
    "gm_solve(K)": check_matrix,
    "gm_solve(Problem, method)": check_methods,
    "gm_solve_many": check_many,
    "gm_solve(n_best=)": check_n_best,
}
