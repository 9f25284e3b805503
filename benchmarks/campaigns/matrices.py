"""Problems of two matrices, of weights that overlap and of layers, alignments, the calls of other
libraries, and linear assignment: at most five nodes a side, all matchings tried in fractions.
"""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
from scipy import sparse

import gmtoolbox as gm
from campaigns import PROVEN, REFUSED, Claims, Wrong, judge
from campaigns.matchings import ROUNDING, all_labels, magnitudes
from gmtoolbox.compat.graspologic import graph_match
from gmtoolbox.compat.pygmtools import hungarian


class Sums:
    """All matchings with their values: terms(labels) lists exact numbers.

    sense: which of them is the best, "min" or "max".
    """

    def __init__(self, n1, n2, terms, sense, complete=True):
        rows = all_labels(n1, n2)
        if complete:
            rows = rows[(rows >= 0).sum(1) == min(n1, n2)]
        self.sign, self.exact = 1 if sense == "min" else -1, {}
        for row in rows.tolist():
            found = terms(row)
            self.exact[tuple(row)] = self.sign * sum(found), sum(map(abs, found))

    def among(self, pairs):
        """Keep the matchings that have these pairs."""
        self.exact = {
            row: found for row, found in self.exact.items() if all(row[i] == s for i, s in pairs)
        }

    def check(self, labels, value, bound, status):
        """Return the word for an answer."""
        row = tuple(int(s) for s in labels)
        if row not in self.exact:
            raise Wrong(f"{row} is not a matching")
        cost, size = self.exact[row]
        best = min(cost for cost, _ in self.exact.values())
        allowed = Fraction(ROUNDING) * (size + abs(best))
        return judge(Claims(value, bound, status), self.sign, cost, best, allowed)

    def check_result(self, r):
        """Return the word for a Result."""
        return self.check(r.labels, r.value, r.bound, r.status)


def draw_matrix(rng, n, nonnegative=False):
    """Return a random matrix, symmetric or not, with a diagonal or without."""
    M = magnitudes(rng, (n, n))
    M = M * (rng.random((n, n)) < rng.choice([0.4, 1.0]))
    if rng.integers(2):
        M = np.triu(M) + np.triu(M, 1).T
    if rng.integers(2):
        np.fill_diagonal(M, 0.0)
    return abs(M) if nonnegative else M


def products(A, B):
    """Return terms(labels) of sum A_ij B_p(i)p(j)."""
    A, B = ([[Fraction(x) for x in row] for row in M.tolist()] for M in (A, B))

    def terms(labels):
        on = [(i, s) for i, s in enumerate(labels) if s >= 0]
        return [A[i][j] * B[s][t] for i, s in on for j, t in on]

    return terms


def entries(C):
    """Return terms(labels) of sum C_ip(i)."""
    C = [[Fraction(x) for x in row] for row in C.tolist()]
    return lambda labels: [C[i][s] for i, s in enumerate(labels) if s >= 0]


def together(*parts):
    """Return the terms of all parts."""
    return lambda labels: [x for part in parts for x in part(labels)]


def stored(rng, M):
    """Return a matrix as it is, or sparse."""
    return sparse.csr_array(M) if rng.integers(2) else M


def draw_sides(rng, most=4):
    """Return (n1, n2, sense, complete)."""
    n1, n2 = (int(n) for n in rng.integers(1, most + 1, 2))
    return n1, n2, ("min", "max")[rng.integers(2)], bool(rng.integers(2))


def draw_pairs(rng, n1, n2):
    """Return some pairs that a complete matching may have."""
    k = int(rng.integers(0, min(n1, n2) + 1))
    return np.column_stack([rng.permutation(n1)[:k], rng.permutation(n2)[:k]])


# ---- doors


def check_koopmans_beckmann(rng):
    """gm_solve(from_koopmans_beckmann(A, B, C))."""
    n1, n2, sense, complete = draw_sides(rng)
    A, B = draw_matrix(rng, n1), draw_matrix(rng, n2)
    C = magnitudes(rng, (n1, n2)) if rng.integers(2) else None
    parts = [products(A, B)] + ([] if C is None else [entries(C)])
    given = dict(sense=sense, complete=complete)
    problem = gm.models.from_koopmans_beckmann(stored(rng, A), stored(rng, B), C, **given)
    sums = Sums(n1, n2, together(*parts), sense, complete)
    return sums.check_result(gm.gm_solve(problem))


def check_overlap(rng):
    """gm_solve(from_graphs(A, B, overlap="min"))."""
    n1, n2, sense, complete = draw_sides(rng)
    A, B = draw_matrix(rng, n1, True), draw_matrix(rng, n2, True)
    S = magnitudes(rng, (n1, n2)) if rng.integers(2) else None

    def shared(labels):
        on = [(i, s) for i, s in enumerate(labels) if s >= 0]
        return [Fraction(min(A[i, j], B[s, t])) for i, s in on for j, t in on]

    parts = [shared] + ([] if S is None else [entries(S)])
    given = dict(sense=sense, complete=complete, similarity=S)
    problem = gm.models.from_graphs(A, B, overlap="min", directed=True, **given)
    sums = Sums(n1, n2, together(*parts), sense, complete)
    return sums.check_result(gm.gm_solve(problem))


def check_layers(rng):
    """gm_solve(from_layers(...))."""
    n1, n2, sense, complete = draw_sides(rng)
    layers = [[draw_matrix(rng, n) for _ in range(3)] for n in (n1, n2)]
    importance = magnitudes(rng, 3) if rng.integers(2) else np.ones(3)
    parts = []
    for A, B, w in zip(*layers, importance.tolist(), strict=True):
        terms = products(A, B)
        parts.append(lambda labels, t=terms, w=w: [Fraction(w) * x for x in t(labels)])
    given = dict(sense=sense, complete=complete, importance=importance, directed=True)
    problem = gm.models.from_layers(*layers, **given)
    sums = Sums(n1, n2, together(*parts), sense, complete)
    return sums.check_result(gm.gm_solve(problem))


def check_scipy(rng):
    """quadratic_assignment(A, B, options=): both senses, given matches."""
    n, sense = int(rng.integers(1, 5)), ("min", "max")[rng.integers(2)]
    A, B, pairs = draw_matrix(rng, n), draw_matrix(rng, n), draw_pairs(rng, n, n)
    options = {"maximize": sense == "max", "partial_match": pairs}
    sums = Sums(n, n, products(A, B), sense)
    sums.among(pairs.tolist())
    r = gm.quadratic_assignment(stored(rng, A), stored(rng, B), options=options)
    return sums.check(r.col_ind, r.fun, r.bound, r.status)


def check_graspologic(rng):
    """graph_match(A, B, S=, partial_match=): networks of two sizes."""
    n1, n2, sense, _ = draw_sides(rng)
    A, B, pairs = draw_matrix(rng, n1), draw_matrix(rng, n2), draw_pairs(rng, n1, n2)
    S = magnitudes(rng, (n1, n2)) if rng.integers(2) else None
    parts = [products(A, B)] + ([] if S is None else [entries(S)])
    sums = Sums(n1, n2, together(*parts), sense)
    sums.among(pairs.tolist())
    given = dict(partial_match=pairs, maximize=sense == "max", rng=int(rng.integers(99)))
    r = graph_match(A, B, S=S, **given)
    labels = np.full(n1, -1)
    labels[r.indices_A] = r.indices_B
    return sums.check(labels, r.score, r.misc[0]["bound"], r.misc[0]["status"])


def check_assign(rng):
    """assign(C) of a dense, sparse or wide matrix, complete or with a price of free nodes."""
    n1, n2, sense, complete = draw_sides(rng)
    C = magnitudes(rng, (n1, n2))
    allowed = rng.random((n1, n2)) < rng.choice([0.7, 1.0])
    price = None if complete else float(rng.choice([0.0, *magnitudes(rng, 1), 1e6, -1e9, 1e15]))

    def terms(labels):
        paid = entries(C)(labels)
        return paid + ([] if complete else [Fraction(price)] * (min(n1, n2) - len(paid)))

    sums = Sums(n1, n2, terms, sense, complete)
    sums.exact = {
        row: found
        for row, found in sums.exact.items()
        if all(allowed[i, s] for i, s in enumerate(row) if s >= 0)
    }
    forbidden = np.inf if sense == "min" else -np.inf
    given = np.where(allowed, C, forbidden)
    if rng.integers(2):
        given = sparse.coo_array((C[allowed], np.nonzero(allowed)), shape=C.shape)
        given = given.asformat(str(rng.choice(["coo", "csr", "csc"])))
    try:
        r = gm.assign(given, maximize=sense == "max", unmatched=price)
    except gm.InfeasibleError:
        if sums.exact:
            raise Wrong("there is a matching") from None
        return REFUSED
    return sums.check_result(r)


def check_alignment(rng):
    """align_graphs(A, B): common edges or S3; weights, directions and loops do not count."""
    n1, n2, _, _ = draw_sides(rng, 5)
    A, B = draw_matrix(rng, n1), draw_matrix(rng, n2)
    edges1, edges2 = (
        {frozenset((i, j)) for i, j in np.argwhere(M).tolist() if i != j} for M in (A, B)
    )
    measure = ("edges", "s3")[rng.integers(2)]

    def terms(labels):
        on = [i for i, s in enumerate(labels) if s >= 0]
        images = [{labels[i] for i in edge} for edge in edges1 if edge <= set(on)]
        common = sum(image in edges2 for image in images)
        inside = sum(edge <= {labels[i] for i in on} for edge in edges2)
        ratio = Fraction(common, len(edges1) + inside - common)
        return [Fraction(common) if measure == "edges" else ratio]

    if not edges1:
        try:
            gm.align_graphs(A, B, maximise=measure)
        except gm.InputError:
            return REFUSED
        raise Wrong("a graph without edges has an alignment")
    sums = Sums(n1, n2, terms, "max")
    limits = {"time_limit": 1e-3} if rng.random() < 0.1 else {}
    r = gm.align_graphs(stored(rng, A), stored(rng, B), maximise=measure, **limits)
    return sums.check_result(r)


def check_hungarian(rng):
    """hungarian(s, unmatch1=, unmatch2=) of pygmtools: free nodes have scores of their own."""
    n1, n2 = (int(n) for n in rng.integers(1, 5, 2))
    S, free = magnitudes(rng, (n1, n2)), rng.random() < 0.5
    ends = (magnitudes(rng, n1), magnitudes(rng, n2)) if free else (np.zeros(n1), np.zeros(n2))
    u, v = ([Fraction(x) for x in end.tolist()] for end in ends)

    def terms(labels):
        found = entries(S)(labels) + [u[i] for i, s in enumerate(labels) if s < 0]
        return found + [v[s] for s in range(n2) if s not in labels]

    given = dict(unmatch1=ends[0], unmatch2=ends[1]) if free else {}
    X = hungarian(S, **given)
    labels = np.where(X.any(1), X.argmax(1), -1)
    if X.sum() != np.count_nonzero(labels >= 0):
        raise Wrong("a row has two columns")
    sums = Sums(n1, n2, terms, "max", complete=not free)
    if tuple(labels.tolist()) not in sums.exact:
        raise Wrong(f"{labels} is not a matching")
    cost, size = sums.exact[tuple(labels.tolist())]
    value = float(-cost)
    total = sum(map(abs, u)) + sum(map(abs, v))  # S - u - v is rounded
    best = min(cost for cost, _ in sums.exact.values())
    if cost - best > Fraction(ROUNDING) * (size + total + abs(best)):
        raise Wrong(f"{value!r}, the optimum is {float(-best)!r}")
    return PROVEN


def draw_mirrored(rng, n):
    """Return integers that some exchanges of places leave alone: a path, a ring, a grid, a star, or
    two halves, with weights.
    """
    place, kind = np.arange(n), rng.integers(6)
    apart = abs(place[:, None] - place)
    if kind == 0:
        M = apart
    elif kind == 1:
        M = np.minimum(apart, n - apart)
    elif kind == 2:  # a grid of two rows
        row, column = place % 2, place // 2
        M = abs(row[:, None] - row) * rng.integers(1, 4) + abs(column[:, None] - column)
    elif kind == 3:
        M = (np.minimum.outer(place, place) == 0).astype(int)
    elif kind == 4:
        M = (place[:, None] // 2 == place // 2) * rng.integers(1, 5) + 1
    else:  # any matrix, with its mirror image
        M = rng.integers(-3, 9, (n, n))
        M = M + M[::-1, ::-1]
    of_entry = rng.integers(-2, 9, M.max() - M.min() + 1)  # equal entries stay equal
    M = of_entry[M - M.min()]
    if rng.random() < 0.3:
        M = M + np.diag(rng.integers(0, 3) * (apart[0] == apart[-1]))
    order = rng.permutation(n)
    return M[order][:, order]


@cache
def permutations_of(n):
    """Return every permutation as a row."""
    return np.array(list(itertools.permutations(range(n))))


def check_symmetries(rng):
    """aj(sdp="at once") of matrices with symmetries: its matrices fall into blocks."""
    n, sense = int(rng.choice([4, 5, 5, 6, 6, 7])), ("min", "max")[rng.integers(2)]
    A, B = draw_mirrored(rng, n), draw_mirrored(rng, n)
    if rng.random() < 0.3:  # one side without symmetries
        B = rng.integers(0, 9, (n, n))
    C = np.zeros((n, n), int)
    if rng.random() < 0.3:  # and costs that only some of them leave alone
        C = rng.integers(0, 4, (n, 1)) + rng.integers(0, 4, n)
    problem = gm.models.from_koopmans_beckmann(A, B, C, sense=sense, complete=True)
    rows = permutations_of(n)
    costs = (A[None] * B[rows[:, :, None], rows[:, None, :]]).sum((1, 2))
    costs += C[np.arange(n), rows].sum(1)
    best = int(costs.min() if sense == "min" else costs.max())
    sign = 1 if sense == "min" else -1
    options = {"branch": False, "maxiter": 300} if rng.integers(2) else {}  # a slow ascent
    r = gm.gm_solve(problem, "aj", sdp="at once", **options)
    row = np.flatnonzero((rows == r.labels).all(1))
    if len(row) != 1 or r.value != costs[row[0]]:
        raise Wrong(f"{r.labels} with the value {r.value!r}")
    slack = ROUNDING * (1 + np.abs(A).sum() * np.abs(B).max())
    found = sign * int(costs[row[0]])
    return judge(r, sign, found, sign * best, Fraction(float(slack)))


DOORS = {
    "from_koopmans_beckmann": check_koopmans_beckmann,
    "from_graphs(overlap='min')": check_overlap,
    "from_layers": check_layers,
    "quadratic_assignment": check_scipy,
    "compat.graspologic.graph_match": check_graspologic,
    "aj(sdp='at once'), symmetries": check_symmetries,
    "assign": check_assign,
    "align_graphs": check_alignment,
    "compat.pygmtools.hungarian": check_hungarian,
}
