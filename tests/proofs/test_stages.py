"""stages: proofs by deletions are checked, wrong ones prove nothing."""

import copy

import numpy as np
import pytest
from small import brute_force, random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.proofs.stages import staged_bound
from gmtoolbox.proofs.verify import verify

NOTHING = -float("inf")


def staged(seed):
    """(problem, optimum, result with a certificate)."""
    n1, n2 = 4 + seed % 2, 4 + seed % 3
    problem = random_problem(
        np.random.default_rng(seed),
        n1,
        n2,
        edges=0.8,
        signs=("any", "positive", "nonpositive")[seed % 3],
        complete=seed % 2 == 0 and n1 <= n2,
    )
    r = gm.gm_solve(problem, "aj", sdp="at once", certify=True, branch=False)
    return problem, brute_force(problem), r


def test_stages_prove_the_value_and_never_more():
    whole = several = 0
    for seed in range(40):
        problem, best, r = staged(seed)
        certificate = r.extra["certificate"]
        bound = staged_bound(problem.as_costs(), certificate)
        assert bound <= best + 1e-9 * max(1.0, abs(best)), seed
        if "stages" in certificate:
            assert verify(problem, r.labels, r.value, r.bound, certificate).proven, seed
            whole += 1
            several += len(certificate["stages"]) > 1
    assert whole > 20 and several > 1


def with_change(certificate, change):
    other = copy.deepcopy(certificate)
    change(other)
    return other


def test_wrong_stages_prove_nothing_false():
    """A cutoff above the optimum, deletions that do not follow, other numbers: the bound that is
    left is valid.
    """
    rng = np.random.default_rng(0)
    changed = 0
    for seed in range(40):
        problem, best, r = staged(seed)
        certificate = r.extra["certificate"]
        if "stages" not in certificate:
            continue

        def all_gone(c, n=problem.n_candidates):
            c["stages"][0]["gone"] = np.arange(n)

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

        for change in (all_gone, higher, noise, other_duals, shorter):
            bound = staged_bound(problem.as_costs(), with_change(certificate, change))
            assert bound <= best + 1e-9 * max(1.0, abs(best)), (seed, change.__name__)
            changed += bound == NOTHING
    assert changed > 20


def test_without_stages_there_is_no_bound():
    problem, _, r = staged(0)
    bare = {name: x for name, x in r.extra["certificate"].items() if name != "stages"}
    assert staged_bound(problem, bare) == NOTHING
    assert staged_bound(problem, {}) == NOTHING


def test_malformed_stages_are_named():
    problem, _, r = next(x for x in map(staged, range(40)) if "stages" in x[2].extra["certificate"])
    certificate = r.extra["certificate"]
    for name, value, message in (
        ("Z", [0.0], "'Z' must hold"),
        ("gone", [10**6], "'gone' must lie in"),
        ("variable", [-1, -1], "must hold"),
        ("star_dual", "no", "must be a list"),
    ):
        wrong = {name: value}
        broken = with_change(certificate, lambda c, w=wrong: c["stages"][0].update(w))
        with pytest.raises(InputError, match=message):
            staged_bound(problem, broken)
    with pytest.raises(InputError, match="cutoff"):
        staged_bound(problem, {**certificate, "cutoff": None})
    with pytest.raises(InputError, match="stages"):
        staged_bound(problem, {**certificate, "stages": [1]})
