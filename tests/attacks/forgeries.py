"""Forged certificates: attempts to have the checker call a matching optimal that is not.

Every forgery claims the exact value of a matching that is worse than the best one. The truth comes
from an exhaustive search in fractions that shares no code with solver or checker. A forgery is

    refused     an error says what is wrong
    weak        the bound that is computed is valid, and does not reach the claimed value
    ACCEPTED    the bound lies above the optimum, or the wrong value counts as proven

benchmarks/bench_certificates.py prints how many there were of each kind.
"""

import copy
import itertools
import random
import sys
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.proofs import checker
from gmtoolbox.proofs.verify import as_given

LARGE = [1e308, -1e308, sys.float_info.max, -sys.float_info.max, 1e300, -1e300, 1e154, -1e154]
ODD = [5e-324, -5e-324, 1e-308, 0.0, -0.0, 1e16, -1e16, 2.0**53 + 2, 10**400, -(10**400), 2**70,
       float("nan"), float("inf"), -float("inf")]  # fmt: skip
TYPES = [None, True, "1", "x", [], [[0]], {}, 1 + 0j, 0.5, -1, 2**31, 2**40, b"1"]
INDICES = ("a", "b", "star", "star_label", "variable", "gone", "gone_star", "gone_label",
           "pair_a", "pair_b")  # fmt: skip
NUMBERS = ("split", "star_dual", "label_dual", "Z", "slack_dual", "gone_dual")
OPTIONS = (
    {"sdp": "off", "fix": False},
    {"sdp": "at once", "fix": False},
    {"sdp": "at once"},
)


@dataclass
class Case:
    """A problem with its best and a worse matching, and certificates to start from."""

    problem: object
    given: object
    optimum: Fraction  # costs, without the offset
    labels: list  # of the worse matching
    cost: Fraction
    honest: list  # certificates of this problem
    foreign: list  # of others: costs that make the worse matching best, sides, sense, completeness


# ---- the truth


def allowed_pairs(problem):
    """Return [(node, label)] of all candidates in the order of the problem."""
    return list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))


def exact_costs(problem):
    """Return {labels: cost} of all matchings, in fractions and without the offset."""
    candidate = {pair: k for k, pair in enumerate(allowed_pairs(problem))}
    pair_cost = {
        frozenset(ends): Fraction(x)
        for *ends, x in np.stack([problem.a, problem.b, problem.edge_cost], axis=1).tolist()
    }
    n1, n2 = problem.shape
    wanted = min(n1, n2) if problem.complete else 0
    found = {}
    for labels in itertools.product(range(-1, n2), repeat=n1):
        pairs = [(i, s) for i, s in enumerate(labels) if s >= 0]
        if (
            len({s for _, s in pairs}) < len(pairs)
            or len(pairs) < wanted
            or not all(pair in candidate for pair in pairs)
        ):
            continue
        chosen = [candidate[pair] for pair in pairs]
        total = sum((Fraction(float(problem.cost[k])) for k in chosen), Fraction(0))
        for ends in itertools.combinations(chosen, 2):
            total += pair_cost.get(frozenset(ends), 0)
        found[labels] = total
    return found


# ---- problems


def certificates(problem):
    """Return the certificates that aj makes for a problem, as JSON would hold them."""
    found = []
    for options in OPTIONS:
        try:
            r = gm.gm_solve(problem, "aj", certify=True, branch=False, **options)
        except gm.InfeasibleError:
            continue
        found.append(as_lists(r.extra["certificate"]))
    return found


def as_lists(value):
    """Return the same with lists instead of arrays."""
    if isinstance(value, dict):
        return {name: as_lists(part) for name, part in value.items()}
    if isinstance(value, list):
        return [as_lists(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def changed(problem, **fields):
    """Return a problem with other fields."""
    names = ("shape", "left", "right", "cost", "a", "b", "edge_cost", "complete", "sense", "offset")
    return gm.Problem(**{name: getattr(problem, name) for name in names} | fields)


def other_problems(problem, labels):
    """Yield problems whose certificates might be passed off as those of this one."""
    chosen = np.isin(np.arange(problem.n_candidates), problem.candidates_of(np.array(labels)))
    largest = max(problem.largest_cost, 1e-3)
    yield changed(problem, cost=np.where(chosen, problem.cost - 50 * largest, problem.cost))
    yield changed(problem, cost=-problem.cost, edge_cost=-problem.edge_cost)
    yield changed(problem, cost=problem.cost + largest)
    yield changed(problem, complete=not problem.complete)
    yield changed(problem, shape=problem.shape[::-1], left=problem.right, right=problem.left)


def make_case(seed):
    """Return a Case, or None if all matchings cost about the same."""
    rng = np.random.default_rng(seed)
    n1, n2 = (int(n) for n in rng.integers(2, 5, 2))
    problem = random_problem(
        rng, n1, n2, density=rng.choice([0.7, 1.0]), edges=rng.choice([0.3, 0.9]),
        signs=("any", "positive", "nonpositive")[seed % 3], complete=seed % 2 == 0,
        integer=seed % 5 == 0, scale=10.0 ** rng.choice([-9, 0, 0, 0, 9]),
        sense=("min", "max")[seed // 2 % 2], offset=float(rng.choice([0.0, -3.5, 1e12])),
    )  # fmt: skip
    costs = exact_costs(problem)
    optimum = min(costs.values())
    margin = Fraction(problem.largest_cost) / 1000 + abs(optimum) / 1000
    worse = [labels for labels, cost in costs.items() if cost > optimum + margin]
    if not worse:
        return None
    worse.sort(key=costs.get)
    labels = worse[(0, -1, int(rng.integers(len(worse))))[seed % 3]]
    foreign = [c for other in other_problems(problem, labels) for c in certificates(other)]
    return Case(problem, as_given(problem), optimum, list(labels), costs[labels],
                certificates(problem), foreign)  # fmt: skip


# ---- forgeries: each changes a certificate; `case` tells what has to be "proven"


def parts(certificate):
    """Return the certificate and its stages: where fields are."""
    return [certificate, *certificate.get("stages", [])]


def some_field(rng, certificate, names):
    """Return (part, name) of a random field that is not empty, or None."""
    known = [(part, name) for part in parts(certificate) for name in names if part.get(name)]
    return rng.choice(known) if known else None


def one_entry(names, values):
    """Return a forgery that replaces one entry of one of these fields."""

    def forge(rng, case, certificate):
        found = some_field(rng, certificate, names)
        if found:
            part, name = found
            part[name] = list(part[name])
            part[name][rng.randrange(len(part[name]))] = values(rng)

    return forge


def whole_field(names, change):
    """Return a forgery that changes all entries of one of these fields."""

    def forge(rng, case, certificate):
        found = some_field(rng, certificate, names)
        if found:
            part, name = found
            part[name] = change(rng, list(part[name]))

    return forge


def scaled(rng, field):
    factor = rng.choice([-1, 2, -2, 1e6, -1e6, 1e300, 1e-300, 0])
    return [factor * x for x in field]


def shuffled(rng, field):
    return rng.sample(field, len(field))


def other_length(rng, field):
    k = rng.randrange(len(field))
    return rng.choice([field[:k], field + field[:1], field[k:], field + field, []])


def raised_cutoff(rng, case, certificate):
    """Claim the wrong value, or more, as the cutoff."""
    wanted = float(case.cost)
    certificate["cutoff"] = rng.choice(
        [wanted, wanted + abs(wanted), wanted * (1 - 1e-9), 1e308, float("inf"), float("nan"), None]
    )


def numbered(problem):
    """Return [(node, label)] of all candidates in the order of certificates."""
    n1, n2 = problem.shape
    pairs = allowed_pairs(problem)
    if problem.complete and n1 > n2:
        n1, n2, pairs = n2, n1, [(s, i) for i, s in pairs]
    pairs = sorted(pairs, key=lambda pair: pair[::-1])
    return pairs if problem.complete else pairs + [(i, n2 + i) for i in range(n1)]


def wrong_candidates(case):
    """Return the numbers of the candidates that the wrong matching takes."""
    taken = {(i, s) for i, s in enumerate(case.labels) if s >= 0}
    n1, n2 = case.problem.shape
    if case.problem.complete:
        taken = {pair[::-1] for pair in taken} if n1 > n2 else taken
    else:
        taken |= {(i, n2 + i) for i, s in enumerate(case.labels) if s < 0}
    return {p for p, pair in enumerate(numbered(case.problem)) if pair in taken}


def everything_gone(rng, case, certificate):
    """Name for deletion what is not in the wrong matching, with the wrong value as the cutoff."""
    every, kept = range(len(numbered(case.problem))), wrong_candidates(case)
    certificate["cutoff"] = float(case.cost) + rng.choice([0.0, 1.0]) * abs(float(case.cost))
    for part in certificate.get("stages", []):
        part["gone"] = [p for p in every if p not in kept]
        ends = [pair for pair in itertools.combinations(every, 2) if not kept.issuperset(pair)]
        part["pair_a"], part["pair_b"] = [a for a, _ in ends], [b for _, b in ends]


def cancelling(rng, n):
    """Return n huge duals, alike but for their last bits: what they add up to is rounding."""
    huge = -(10.0 ** rng.choice([rng.uniform(9, 30), rng.uniform(9, 30), rng.uniform(30, 307)]))
    steps = rng.choice([(0,), (0,), (0, 1), (0, 1, 2, 3, 5, 7)])
    return [huge * (1 + rng.choice(steps) * sys.float_info.epsilon) for _ in range(n)]


def huge_deletion_duals(rng, case, certificate):
    """Give every candidate that is named huge column duals on all labels but its own."""
    everything_gone(rng, case, certificate)
    pairs = numbered(case.problem)
    real = sorted({s for _, s in pairs if s < n_labels(case.problem)})
    for part in certificate.get("stages", []):
        columns = [(p, s) for p in part["gone"] for s in real if s != pairs[p][1]]
        columns = [column for column in columns if rng.random() < rng.choice([1.0, 1.0, 0.8])]
        part["gone_star"], part["gone_label"] = [p for p, _ in columns], [s for _, s in columns]
        part["gone_dual"] = cancelling(rng, len(columns))


def n_labels(problem):
    """Return how many real labels certificates know."""
    return max(problem.shape) if problem.complete else problem.shape[1]


def huge_slack_duals(rng, case, certificate):
    """Give the stars of free labels huge column duals."""
    if rng.random() < 0.5:
        everything_gone(rng, case, certificate)
    for part in parts(certificate):
        part["slack_dual"] = cancelling(rng, len(part.get("slack_dual", [])))


def huge_star_duals(rng, case, certificate):
    """Give stars, or the labels, huge column duals."""
    pairs = numbered(case.problem)
    for part in parts(certificate):
        if rng.random() < 0.5:
            part["label_dual"] = cancelling(rng, n_labels(case.problem))
        else:
            columns = list(itertools.product(range(len(pairs)), range(n_labels(case.problem))))
            columns = [(p, s) for p, s in columns if s != pairs[p][1]]
            part["star"], part["star_label"] = [p for p, _ in columns], [s for _, s in columns]
            part["star_dual"] = cancelling(rng, len(columns))


def targeted_matrix(rng, case, certificate):
    """Make Z raise the cost of all candidates outside of the wrong matching."""
    kept = wrong_candidates(case)
    large = rng.choice([1.0, 10.0, 1e6, 1e150, 1e308]) * max(case.problem.largest_cost, 1e-9)
    for part in parts(certificate):
        variable = part.get("variable", [])
        if variable:
            raised = [large if v not in kept and v >= 0 else 0.0 for v in variable]
            Z = np.array(part["Z"]).reshape(len(variable), -1)
            Z = np.diag(raised) + (Z if rng.random() < 0.5 else 0)
            part["Z"] = Z.ravel().tolist()


def overflowing_matrix(rng, case, certificate):
    """Put numbers near 1e308 into Z: everywhere, on the diagonal, or in a few places."""
    if rng.random() < 0.5:
        everything_gone(rng, case, certificate)
    for part in parts(certificate):
        n = len(part.get("variable", []))
        if n:
            Z = np.array(part["Z"]).reshape(n, n) * rng.choice([0, 1])
            huge = rng.choice([*LARGE, 5e307, -5e307, 9e307, -9e307])
            few = [(rng.randrange(n), rng.choice([0, rng.randrange(n)])) for _ in range(4)]
            few = tuple(np.array(few[: rng.randint(1, 4)]).T)
            Z[rng.choice([np.s_[:, :], np.diag_indices(n), few, few, few, few])] = huge
            if rng.random() < 0.5:
                Z = np.where(Z == 0, Z.T, Z)
            part["Z"] = Z.ravel().tolist()


def indefinite_matrix(rng, case, certificate):
    """Add a matrix that is not negative semidefinite, large or tiny, symmetric or not."""
    size = 10.0 ** rng.randint(-15, 3) * max(case.problem.largest_cost, 1e-9)
    draw = np.random.default_rng(rng.randrange(2**32))
    for part in parts(certificate):
        n = len(part.get("variable", []))
        if n:
            v = draw.normal(size=n)
            kind = rng.randrange(4)
            noise = (np.outer(v, v), draw.normal(size=(n, n)), np.eye(n), np.ones((n, n)))[kind]
            part["Z"] = (np.array(part["Z"]) + size * noise.ravel()).tolist()


def own_stage(rng, case, certificate):
    """Replace all by a stage of one's own: a matrix Z that is valid, and huge column duals.

    Z = A'U + U'A - F'F with small integers, so that what rounding drops is as large as the costs.
    """
    pairs, real = numbered(case.problem), n_labels(case.problem)
    slacks = [s for s in range(real) if rng.random() < 0.7]
    variable = [-1, *range(len(pairs)), *(-2 - s for s in slacks)]
    size, draw = len(variable), np.random.default_rng(rng.randrange(2**32))
    rows = [[1 + p for p, (i, _) in enumerate(pairs) if i == j] for j in {i for i, _ in pairs}]
    rows += [[*(1 + p for p, (_, t) in enumerate(pairs) if t == s), 1 + len(pairs) + k]
             for k, s in enumerate(slacks)]  # fmt: skip
    A = np.zeros((len(rows), size))
    A[:, 0] = -1
    for k, row in enumerate(rows):
        A[k, row] = 1
    U, F = draw.integers(-3, 4, A.shape), draw.integers(-1, 2, (2, size))
    Z = rng.choice([0, 1]) * (A.T @ U + U.T @ A) - rng.choice([0, 0, 1]) * (F.T @ F)
    Z = Z * max(case.problem.largest_cost, 1e-9) * 2.0 ** rng.randint(-2, 4)
    stage = {"variable": variable, "Z": Z.ravel().tolist(), "label_dual": [0.0] * real,
             "slack_dual": [0.0] * (len(slacks) * real)}  # fmt: skip
    certificate.clear()
    certificate.update(
        {name: [] for name in ("a", "b", "split", "star", "star_label", "star_dual")}
    )
    certificate.update({"label_dual": [0.0] * real, "stages": [stage] * rng.randint(1, 3)})
    everything_gone(rng, case, certificate)
    for _ in range(rng.randint(1, 2)):
        attack = rng.choice(
            [huge_deletion_duals, huge_slack_duals, huge_star_duals, overflowing_matrix]
        )
        attack(rng, case, certificate)


def stages_moved(rng, case, certificate):
    """Reverse, repeat, drop or shuffle the stages, or take the last one for all."""
    stages = certificate.get("stages", [])
    if stages:
        kind = rng.randrange(6)
        certificate["stages"] = (
            stages[::-1], stages + stages, stages[1:], stages[:-1],
            rng.sample(stages, len(stages)), stages[-1:] * len(stages),
        )[kind]  # fmt: skip


def stage_as_root(rng, case, certificate):
    """Use the duals of a stage for the root, and those of the root for a stage."""
    for stage in certificate.get("stages", [])[:1]:
        root = {name: x for name, x in certificate.items() if name not in ("stages", "cutoff")}
        certificate.update(copy.deepcopy(stage))
        certificate["stages"] = [root, stage]


def roles_swapped(rng, case, certificate):
    """Exchange two fields: ends of pairs, nodes and labels, duals of two kinds."""
    swaps = (("a", "b"), ("star", "star_label"), ("gone_star", "gone_label"), ("pair_a", "pair_b"),
             ("star_dual", "split"), ("gone", "star"), ("label_dual", "slack_dual"),
             ("star_dual", "gone_dual"))  # fmt: skip
    one, two = rng.choice(swaps)
    for part in parts(certificate):
        part[one], part[two] = part.get(two, []), part.get(one, [])


def odd_types(rng, case, certificate):
    """Replace a field by something else, or by an array of another type."""
    part = rng.choice(parts(certificate))
    name = rng.choice([*INDICES, *NUMBERS, "stages", "cutoff"])
    field = part.get(name, [])
    kinds = (np.float32, np.int8, np.uint64, bool, object, str, complex, np.longdouble)
    if isinstance(field, list) and field and rng.random() < 0.5 and name != "stages":
        part[name] = np.array(field).astype(rng.choice(kinds))
    else:
        part[name] = rng.choice(TYPES)


def fields_missing(rng, case, certificate):
    """Drop a field, or all of them."""
    part = rng.choice(parts(certificate))
    for name in rng.choice([list(part), rng.sample(list(part), 1)]):
        part.pop(name, None)


OWN_STAGE = "own stage, huge duals"
FORGERIES = {
    "one number: large": one_entry(NUMBERS, lambda rng: rng.choice(LARGE)),
    "one number: odd": one_entry(NUMBERS, lambda rng: rng.choice(ODD)),
    "one number: other": one_entry(NUMBERS, lambda rng: rng.gauss(0, 10.0 ** rng.randint(-9, 9))),
    "one number: not a number": one_entry(NUMBERS, lambda rng: rng.choice(TYPES)),
    "one index: other": one_entry(INDICES, lambda rng: rng.randint(-4, 30)),
    "one index: not an index": one_entry(INDICES, lambda rng: rng.choice(TYPES)),
    "field scaled": whole_field(NUMBERS, scaled),
    "field permuted": whole_field(NUMBERS + INDICES, shuffled),
    "field truncated or repeated": whole_field(NUMBERS + INDICES, other_length),
    "cutoff raised": raised_cutoff,
    "everything deleted": everything_gone,
    "huge gone_dual": huge_deletion_duals,
    "huge slack_dual": huge_slack_duals,
    "huge star_dual or label_dual": huge_star_duals,
    "Z for the wrong matching": targeted_matrix,
    "Z not semidefinite": indefinite_matrix,
    "Z near 1e308": overflowing_matrix,
    OWN_STAGE: own_stage,
    "stages moved": stages_moved,
    "stage as root": stage_as_root,
    "roles swapped": roles_swapped,
    "odd types": odd_types,
    "fields missing": fields_missing,
}
SEVERAL, FOREIGN = "several at once", "another problem's certificate"
TRIPS = (ValueError, TypeError, AttributeError, OverflowError, LookupError)  # over one another
OUTCOMES = ("refused", "weak", "ACCEPTED")


# ---- judging


def judge(case, certificate, prove=None):
    """Return 'refused', 'weak' or 'ACCEPTED' for the wrong value of a case; prove: of check."""
    given = case.given
    sign = 1 if given.sense == "min" else -1
    value = float(sign * (case.cost + Fraction(given.offset)))
    try:
        verdict = checker.check(given, case.labels, value, value, certificate, prove)
    except checker.Refused:
        return "refused"
    if verdict.bound is None:
        return "weak"
    lower = sign * verdict.bound - Fraction(given.offset)
    is_wrong = verdict.is_proven or lower > case.optimum or case.cost - verdict.gap > case.optimum
    return "ACCEPTED" if is_wrong else "weak"


def forge(rng, case):
    """Return (name, certificate) of a random forgery."""
    base = rng.choice(case.honest if rng.random() < 0.6 else case.foreign or case.honest)
    certificate = copy.deepcopy(base)
    if rng.random() < 0.5:
        raised_cutoff(rng, case, certificate)
    if rng.random() < 0.1:
        return FOREIGN, certificate
    if rng.random() < 0.2:
        own_stage(rng, case, certificate)
        return OWN_STAGE, certificate
    names = rng.sample(list(FORGERIES), 1 if rng.random() < 0.6 else rng.randint(2, 4))
    for name in names:
        with np.errstate(all="ignore"), warnings.catch_warnings(), suppress(*TRIPS):
            warnings.simplefilter("ignore")
            FORGERIES[name](rng, case, certificate)
    return names[0] if len(names) == 1 else SEVERAL, certificate


def campaign(n, seed=0, n_cases=60):
    """Return ({(kind of forgery, outcome): count}, forgeries that were accepted)."""
    cases = [case for case in map(make_case, range(seed, seed + n_cases)) if case]
    rng, counts, accepted = random.Random(seed), Counter(), []
    for k in range(n):
        case = cases[k % len(cases)]
        name, certificate = forge(rng, case)
        outcome = judge(case, certificate)
        counts[name, outcome] += 1
        if outcome == "ACCEPTED":
            accepted.append((case, name, certificate))
    return counts, accepted
