"""checker: exact bounds from any numbers; forged certificates are in tests/attacks."""

import ast
import copy
import itertools
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from attacks.forgeries import exact_costs
from repetition import times
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.proofs import checker
from gmtoolbox.proofs.verify import as_given

FILE = Path(checker.__file__)


def test_it_imports_nothing_of_the_package():
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(FILE.read_text("utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else
                     [alias.name for alias in node.names])
    }  # fmt: skip
    assert imported - set(sys.stdlib_module_names) == {"numpy"}
    code = f"""
import sys
sys.path.insert(0, {str(FILE.parent)!r})
import checker
assert not any(name.startswith('gmtoolbox') for name in sys.modules)
from types import SimpleNamespace
given = SimpleNamespace(shape=(1, 2), left=[0, 0], right=[0, 1], cost=[2.0, -3.0], a=[], b=[],
                        edge_cost=[], complete=False, sense='min', offset=0.5,
                        tolerance=0.0)
print(checker.check(given, [1], -2.5, -2.5, {{}}).gap)
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True,
                          timeout=60)  # fmt: skip
    assert done.stdout.strip() == "0", done.stderr


# ---- numbers


def test_grains_are_exact_for_costs_and_rounded_down_for_others():
    costs = [5e-324, 1e300, -0.1, 3.0]
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], costs)
    model = checker.Model(as_given(problem))
    assert [Fraction(x, 2**model.g) for x in model.cost[:4]] == [Fraction(x) for x in costs]
    small = checker.Model(as_given(gm.Problem((1, 1), [0], [0], [1.0])))
    for x in (1e-30, -1e-30, 0.1, -0.1, 1e300):
        assert 0 <= Fraction(x) - Fraction(small.grains(x), 2**small.g) < Fraction(1, 2**small.g)


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e150, 0.0])
@pytest.mark.parametrize("g", [-900, 0, 90, 2000])
def test_gram_matrices_are_exact(scale, g):
    F = np.random.default_rng(0).normal(size=(3, 4)) * scale
    found = checker.gram_matrix(F, g)
    rows = [[Fraction(x) for x in row] for row in F.tolist()]
    unit = Fraction(2) ** g
    largest = max(abs(x) for row in rows for x in row)
    for i, j in itertools.product(range(4), repeat=2):
        exact = sum(row[i] * row[j] for row in rows) * unit
        assert abs(found[i, j] - exact) <= 1 + largest**2 * unit / 2**54
    assert np.array_equal(found, found.T)


def test_numbers_are_checked():
    assert checker.numbers("x", np.array([1, 2]), "i") == [1, 2]
    for wrong in (
        "a",
        None,
        [True],
        [1.5],
        [2**40],
        ["1"],
        [[1]],
        np.array([1.0]),
        np.array([True]),
    ):
        with pytest.raises(checker.Refused, match="x must"):
            checker.numbers("x", wrong, "i")
    for wrong in ([float("nan")], [float("inf")], [10**400], [1j], [None], np.float64(1.0)):
        with pytest.raises(checker.Refused, match="x must"):
            checker.numbers("x", wrong)


# ---- parts of the proof


def vectors(problem, model, x, f):
    """Yield y = (1, x, f) of every matching of a problem whose sides are not exchanged."""
    place = {(model.node[p], model.label[p]): p for p in range(model.n)}
    for labels in exact_costs(problem):
        y = [1] + [0] * (len(x) + len(f))
        for i, s in enumerate(labels):
            y[x[place[i, s if s >= 0 else model.n2 + i]]] = 1
        for s, k in f.items():
            y[k] = int(s not in labels)
        yield np.array(y, dtype=object)


@pytest.mark.parametrize("seed", range(times(12)))
def test_any_matrix_becomes_one_that_lowers_every_matching(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 3, 3 + seed % 2, density=0.8, complete=seed % 3 == 0)
    model = checker.Model(as_given(problem))
    x = {p: 1 + p for p in range(model.n)}
    f = {s: 1 + model.n + k for k, s in enumerate(range(0, model.n2, 1 + seed % 2))}
    size = 1 + len(x) + len(f)
    Z = rng.normal(size=(size, size)) * 10.0 ** rng.integers(-20, 20)
    variable = [-1, *x, *(-2 - s for s in f)]
    stage = checker.read_stage(
        {"variable": variable, "Z": Z.ravel(), "slack_dual": [0.0] * (len(f) * model.n2)}, "", model
    )
    exact = np.array(checker.exact_matrix(model, stage, x, f), dtype=object)
    equations = checker.matching_equations(model, x, f)
    for y in vectors(problem, model, x, f):
        assert all(sum(y[k] for k in members) == 1 for members in equations)
        assert y @ exact @ y <= 0


def test_a_semidefinite_matrix_is_kept():
    problem = random_problem(np.random.default_rng(1), 3, 3, complete=True)
    model = checker.Model(as_given(problem))
    size = 1 + model.n
    R = np.random.default_rng(2).normal(size=(size, size))
    stage = {"variable": list(range(-1, model.n)), "Z": -(R.T @ R).ravel()}
    stage = checker.read_stage(stage, "", model)
    exact = checker.exact_matrix(model, stage, {p: 1 + p for p in range(model.n)}, {})
    near = np.array(exact, dtype=object) / 2**model.g
    assert np.abs(near.astype(float) + R.T @ R).max() < 1e-12


def test_candidates_without_a_star_are_found():
    """Against all ways to complete a candidate to a matching."""
    for seed in range(60):
        problem = random_problem(np.random.default_rng(seed), 4, 4, density=0.4, complete=True)
        model = checker.Model(as_given(problem))
        for p in range(model.n):
            rows = model.rows(p).values()
            labels = [[model.label[q] for q in row] for row in rows]
            possible = any(len(set(way)) == len(way) for way in itertools.product(*labels))
            assert model.has_star(p) == possible


# ---- bounds


def lower(problem, certificate):
    """Return the proven bound without the offset."""
    return checker.prove_bound(as_given(problem), certificate)


def test_no_numbers_prove_too_much(repeats):
    """Exact: not by the last bit."""
    rng = np.random.default_rng(8)
    for k in range(repeats(100)):
        problem = random_problem(
            rng, *rng.integers(2, 5, 2), density=0.8, edges=0.6, complete=k % 2 == 0
        )
        optimum = min(exact_costs(problem).values())
        model = checker.Model(as_given(problem))
        m, stars = rng.integers(0, 40, 2)
        slacks = [s for s in range(model.n2) if rng.random() < 0.5]
        variable = [-1, *range(model.n), *(-2 - s for s in slacks)]
        garbage = {
            "a": rng.integers(0, model.n, m), "b": rng.integers(0, model.n, m),
            "split": rng.normal(size=m), "star": rng.integers(0, model.n, stars),
            "star_label": rng.integers(0, model.n2, stars), "star_dual": rng.normal(size=stars),
            "label_dual": rng.normal(size=model.n2),
        }  # fmt: skip
        stage = {
            **garbage, "variable": variable, "Z": rng.normal(size=len(variable) ** 2),
            "slack_dual": rng.normal(size=len(slacks) * model.n2),
            "gone": rng.integers(0, model.n, 5), "pair_a": garbage["a"], "pair_b": garbage["b"],
            "gone_star": garbage["star"], "gone_label": garbage["star_label"],
            "gone_dual": garbage["star_dual"],
        }  # fmt: skip
        assert lower(problem, garbage) <= optimum
        assert lower(problem, stage) <= optimum
        for cutoff in (float(optimum) + 0.5, float(optimum) + 5):
            proof = {**garbage, "cutoff": cutoff, "stages": [stage, stage]}
            assert lower(problem, proof) <= optimum


@cache
def staged(seed):
    """Return (problem, optimum without offset, result with a certificate)."""
    n1, n2 = 4 + seed % 2, 4 + seed % 3
    problem = random_problem(
        np.random.default_rng(seed), n1, n2, edges=0.8,
        signs=("any", "positive", "nonpositive")[seed % 3], complete=seed % 2 == 0 and n1 <= n2,
    )  # fmt: skip
    r = gm.gm_solve(problem, "aj", sdp="at once", certify=True, branch=False)
    return problem, min(exact_costs(problem).values()), r


def test_stages_prove_the_value_and_never_more():
    whole = several = 0
    for seed in range(18):
        problem, best, r = staged(seed)
        certificate = r.extra["certificate"]
        verdict = checker.check(as_given(problem), r.labels, r.value, r.bound, certificate)
        assert verdict.bound <= best and verdict.value - verdict.gap <= best
        if "stages" in certificate:
            assert verdict.is_proven, seed
            whole += 1
            several += len(certificate["stages"]) > 1
    assert whole > 9 and several > 1


def test_wrong_stages_prove_nothing_false():
    """A cutoff above the optimum, deletions that do not follow, other numbers: the bound that is
    left is valid.
    """
    rng = np.random.default_rng(0)
    weaker = 0

    def all_gone(c):
        c["stages"][0]["gone"] = [v for v in c["stages"][0]["variable"].tolist() if v >= 0]

    def higher(c):
        c["cutoff"] += 0.1 + 0.1 * abs(c["cutoff"])

    def noise(c):
        for stage in c["stages"]:
            stage["Z"] = stage["Z"] + rng.normal(size=len(stage["Z"]))

    def other_duals(c):
        for stage in c["stages"]:
            for name in ("star_dual", "label_dual", "slack_dual", "gone_dual"):
                stage[name] = -rng.random(len(stage[name]))

    def shorter(c):
        c["stages"] = c["stages"][1:]

    for seed in range(12):
        problem, best, r = staged(seed)
        if "stages" in r.extra["certificate"]:
            whole = lower(problem, r.extra["certificate"])
            for change in (all_gone, higher, noise, other_duals, shorter):
                other = copy.deepcopy(r.extra["certificate"])
                change(other)
                bound = lower(problem, other)
                assert bound <= best, (seed, change.__name__)
                weaker += bound < whole
    assert weaker > 10


def test_a_bound_is_raised_to_a_multiple_of_what_divides_all_costs():
    """Quarters count, too."""
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.9, complete=True)
    quarters = gm.Problem(
        problem.shape, problem.left, problem.right, np.round(9 * problem.cost) * 0.75,
        problem.a, problem.b, np.round(9 * problem.edge_cost) * 0.75, complete=True,
    )  # fmt: skip
    r = gm.gm_solve(quarters, "aj", sdp="at once", certify=True, fix=False, branch=False)
    bound = lower(quarters, r.extra["certificate"])
    assert bound % Fraction(3, 4) == 0 and bound <= min(exact_costs(quarters).values())
    nothing = gm.Problem((1, 1), [0], [0], [0.0])
    assert lower(nothing, {"label_dual": [-5.0]}) == 0


def test_malformed_certificates_are_named():
    problem, _, r = next(x for x in map(staged, range(40)) if "stages" in x[2].extra["certificate"])
    certificate = r.extra["certificate"]
    for name, value, message in (
        ("Z", [0.0], "'Z' must hold"),
        ("gone", [10**6], "'gone' must lie in"),
        ("variable", [-1, -1], "must hold"),
        ("star_dual", "no", "must be a list"),
        ("star", [-1], "'star' must lie in"),
    ):
        broken = copy.deepcopy(certificate)
        broken["stages"][0][name] = value
        with pytest.raises(checker.Refused, match=message):
            lower(problem, broken)
    for wrong, message in (
        ({"cutoff": None}, "cutoff"),
        ({"cutoff": float("inf")}, "cutoff"),
        ({"stages": 1}, "'stages' must be a list"),
        ({"stages": [1]}, "stage 0 must be an object"),
        ({"split": [0.0]}, "'split' must hold|'b' must hold"),
    ):
        with pytest.raises(checker.Refused, match=message):
            lower(problem, {**certificate, **wrong})
    with pytest.raises(checker.Refused, match="must be an object"):
        lower(problem, [])
