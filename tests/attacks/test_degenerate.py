"""Every method on degenerate problems, judged by an evaluator and a search of their own in exact
arithmetic. Under AddressSanitizer and UBSan: tests/test_sanitizers.py.
"""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from repetition import times

import gmtoolbox as gm

METHODS = [method.name for method in gm.gm_methods()]
ROUNDING = Fraction(1, 10**12)  # of the sum of the magnitudes that a value adds up
GAP = Fraction(1000001, 10**12)


def case(n1, n2, unary, edges=(), complete=False):
    """(shape, {(i, s): cost}, [((i, s), (j, t), cost)], complete)"""
    return (n1, n2), dict(unary), list(edges), complete


def grid(n1, n2, value=lambda i, s: 0.0):
    return {(i, s): float(value(i, s)) for i in range(n1) for s in range(n2)}


def all_edges(pairs, value):
    joined = [(p, q) for p, q in itertools.combinations(sorted(pairs), 2)
              if p[0] != q[0] and p[1] != q[1]]  # fmt: skip
    return [(p, q, float(value(k))) for k, (p, q) in enumerate(joined)]


def spread(k, low=-300, high=300):
    """A number of some magnitude between 10^low and 10^high, of either sign."""
    return (-1) ** k * 10.0 ** (low + (k * 97) % (high - low + 1))


def cases():
    rng = np.random.default_rng(16)
    two, three = grid(2, 2), grid(3, 3)
    normal = {pair: float(rng.normal()) for pair in three}
    whole = 2.0**53
    yield "1 x 1", case(1, 1, {(0, 0): -2.0})
    yield "1 x 1, positive", case(1, 1, {(0, 0): 2.0})
    yield "1 x 1, complete", case(1, 1, {(0, 0): 2.0}, complete=True)
    yield "1 x n", case(1, 4, grid(1, 4, lambda i, s: s - 1.5))
    yield "n x 1", case(4, 1, grid(4, 1, lambda i, s: 1.5 - i))
    yield "1 x n, complete", case(1, 4, grid(1, 4, lambda i, s: s + 1), complete=True)
    yield "n x 1, complete", case(4, 1, grid(4, 1, lambda i, s: i + 1), complete=True)
    yield "no edges", case(3, 3, normal)
    yield "no edges, complete", case(2, 3, {p: normal[p] for p in grid(2, 3)}, complete=True)
    yield "one candidate", case(3, 3, {(1, 2): -1.0})
    yield "one candidate, positive", case(3, 2, {(1, 1): 1.0})
    yield "two candidates, one edge", case(3, 3, {(0, 1): 0.0, (2, 2): 0.0},
                                           [((0, 1), (2, 2), -1.0)])  # fmt: skip
    yield "nothing but zeros", case(3, 3, three, all_edges(three, lambda k: 0.0))
    yield "zeros, complete", case(3, 3, three, all_edges(three, lambda k: 0.0), complete=True)
    yield "ties", case(3, 3, grid(3, 3, lambda i, s: -1), all_edges(three, lambda k: -1.0))
    yield "ties, complete", case(3, 3, grid(3, 3, lambda i, s: 1), all_edges(three, lambda k: 1.0),
                                 complete=True)  # fmt: skip
    twice = [((0, 0), (1, 1), -1.0), ((1, 1), (0, 0), -1.0), ((0, 0), (1, 1), 0.5)]
    yield "edges twice", case(2, 2, two, twice)
    opposite = [((0, 0), (1, 1), -1.0), ((0, 0), (1, 1), 1.0)]
    yield "edges that cancel", case(2, 2, two, opposite, complete=True)
    for name, scale in (("1e-300", 1e-300), ("1e300", 1e300), ("denormal", 5e-324)):
        unary = {pair: scale * round(4 * value) for pair, value in normal.items()}
        edges = all_edges(unary, lambda k, scale=scale: scale * (k % 5 - 2))
        for complete in (False, True):
            told = name + ", complete" * complete
            yield told, case(3, 3, unary, edges, complete=complete)
    unary = {pair: spread(k) for k, pair in enumerate(three)}
    yield "1e-300 to 1e300", case(3, 3, unary, all_edges(three, lambda k: spread(k + 5)))
    unary = {pair: spread(k) for k, pair in enumerate(three)}
    yield "1e-300 to 1e300, complete", case(3, 3, unary, all_edges(three, spread), complete=True)
    unary = {pair: -whole + k for k, pair in enumerate(three)}
    yield "2^53", case(3, 3, unary, all_edges(three, lambda k: k % 3 - 1.0))
    yield "2^53, complete", case(3, 3, unary, all_edges(three, lambda k: whole - k % 7),
                                 complete=True)  # fmt: skip


CASES = dict(cases())


# ---- evaluator and search, exact


def exact_cost(given, labels):
    """The cost of labels in exact arithmetic."""
    _, unary, edges, _ = given
    chosen = {(i, s) for i, s in enumerate(labels) if s >= 0}
    assert chosen <= unary.keys(), f"{chosen - unary.keys()} is not allowed"
    total = sum((Fraction(unary[pair]) for pair in chosen), Fraction(0))
    return total + sum(Fraction(cost) for p, q, cost in edges if p in chosen and q in chosen)


def all_matchings(given):
    (n1, n2), unary, _, complete = given
    choices = [[-1, *(s for s in range(n2) if (i, s) in unary)] for i in range(n1)]
    for labels in itertools.product(*choices):
        used = [s for s in labels if s >= 0]
        if len(set(used)) == len(used) and not (complete and len(used) < min(n1, n2)):
            yield labels


def least_cost(given):
    return min(exact_cost(given, other) for other in all_matchings(given))


def magnitude(given):
    _, unary, edges, _ = given
    return sum(map(abs, unary.values())) + sum(abs(cost) for *_, cost in edges)


def as_problem(given, sense):
    """Costs in either sense: a Problem that is maximised tells them with the other sign."""
    shape, unary, edges, complete = given
    pairs = sorted(unary, key=lambda pair: (pair[1], pair[0]))
    number = {pair: k for k, pair in enumerate(pairs)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of edges that are given twice
        return gm.Problem(
            shape, [i for i, _ in pairs], [s for _, s in pairs], [unary[pair] for pair in pairs],
            [number[p] for p, _, _ in edges], [number[q] for _, q, _ in edges],
            [cost for *_, cost in edges], complete=complete, sense=sense,
        )  # fmt: skip


def faults(given, sense, r):
    """What is wrong with a result, in words; '' if nothing."""
    labels, sign = tuple(r.labels.tolist()), 1 if sense == "min" else -1
    if labels not in set(all_matchings(given)):
        return f"{labels} is no matching"
    cost, optimum = exact_cost(given, labels), least_cost(given)
    if not math.isfinite(r.value):
        return f"value {r.value}"
    if abs(sign * Fraction(r.value) - cost) > ROUNDING * Fraction(magnitude(given)):
        return f"value {r.value} is {sign * float(cost)}"
    if math.isfinite(r.bound) and sign * Fraction(r.bound) > optimum:
        return f"bound {r.bound} passes the optimum {sign * float(optimum)}"
    largest = max(map(abs, [*given[1].values(), *(edge[2] for edge in given[2])]))
    scale = max(abs(cost), Fraction(largest) / 10**6)
    if r.status == "optimal" and cost - optimum > GAP * scale:
        return f"{r.value} is called optimal, which is {sign * float(optimum)}"
    return ""


LIMITS = None, 1e-9, 1e-3  # seconds; the default suite takes two of them


@pytest.mark.parametrize("method", METHODS)
def test_degenerate_problems(method):
    bad = []
    for (name, given), sense in itertools.product(CASES.items(), ("min", "max")):
        problem = as_problem(given, sense)
        for limit in LIMITS[: times(5) + 1]:
            try:
                fault = faults(given, sense, gm.gm_solve(problem, method, time_limit=limit))
            except Exception as error:  # noqa: BLE001 - all of them are told together
                fault = f"{type(error).__name__}: {error}"
            if fault:
                bad.append(f"{name}, {sense}, limit {limit}: {fault}")
    assert not bad, "\n".join(bad)


def test_a_limit_of_nothing_is_refused():
    problem = as_problem(CASES["ties"], "min")
    for limit in (0, 0.0, -1.0, float("nan")):
        with pytest.raises(gm.InputError, match="time_limit must be a positive number"):
            gm.gm_solve(problem, "fw", time_limit=limit)
