"""Forged trees: refused, or the bound that they prove is true."""

import copy
import itertools
import json
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from aj_pieces import Matchings
from cext.aj.test_open import hard
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.proofs import tree
from gmtoolbox.proofs.checker import Refused
from gmtoolbox.proofs.tree_checker import prove_tree
from gmtoolbox.proofs.verify import as_given


def proof_of(problem, path):
    """The objects of a genuine proof; with linear duals alone, so that it branches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "BOUNDS", ("off",))
        tree.write_proof(problem, gm.gm_solve(problem, "aj"), path)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()][1:]


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """(problem as the checker takes it, least cost, objects of its proof)."""
    problem = hard(8, np.random.default_rng(6))
    objects = proof_of(problem, tmp_path_factory.mktemp("proof") / "x")
    assert sum("branch" in found for found in objects) > 1
    return as_given(problem), Matchings(problem.materialise()).best, objects


def test_a_genuine_tree_proves_the_optimum(proof):
    given, best, objects = proof
    assert prove_tree(given, objects) == best


def leaves(objects):
    return [k for k, found in enumerate(objects) if "leaf" in found]


def test_a_missing_leaf_is_refused(proof):
    given, _, objects = proof
    for k in leaves(objects)[::9]:
        with pytest.raises(Refused, match="ends before all"):
            prove_tree(given, objects[:k] + objects[k + 1 :])


def test_a_missing_end_is_refused(proof):
    given, _, objects = proof
    for k in range(0, len(objects), 7):
        with pytest.raises(Refused, match="ends before all"):
            prove_tree(given, objects[:k])


def test_a_leaf_twice_proves_nothing_false(proof):
    """It is refused, unless a branch that moves to another depth has as many children there."""
    given, best, objects = proof
    for k in leaves(objects)[::9]:
        with suppress(Refused):
            assert prove_tree(given, [*objects[:k], objects[k], *objects[k:]]) <= best
    with pytest.raises(Refused, match="has ended before"):
        prove_tree(given, [*objects, objects[-1]])


def test_a_missing_branch_is_refused(proof):
    given, _, objects = proof
    for k, found in enumerate(objects):
        if "branch" in found:
            with pytest.raises(Refused):
                prove_tree(given, objects[:k] + objects[k + 1 :])


def test_exchanged_leaves_are_weak(proof):
    given, best, objects = proof
    for j, k in itertools.pairwise(leaves(objects)[::9]):
        swapped = list(objects)
        swapped[j], swapped[k] = objects[k], objects[j]
        assert prove_tree(given, swapped) <= best


@pytest.mark.parametrize("i", [-1, 8, True, 0.0, "0", None, [0], 10**30])
def test_a_branch_on_no_node_is_refused(proof, i):
    given, _, objects = proof
    with pytest.raises(Refused, match="must branch on a node"):
        prove_tree(given, [{"branch": i}, *objects[1:]])


def test_a_branch_on_a_decided_node_is_refused(proof):
    given, _, objects = proof
    with pytest.raises(Refused, match="must branch on a node"):
        prove_tree(given, [objects[0], objects[0], *objects[1:]])


@pytest.mark.parametrize(
    "found", [[], None, 7, "leaf", {}, {"leaf": {}, "branch": 0}, {"x": 1}, {"leaf": []}]
)
def test_other_objects_are_refused(proof, found):
    given, _, objects = proof
    with pytest.raises(Refused):
        prove_tree(given, [found, *objects[1:]])


def test_the_deletions_of_a_leaf_end_with_it(proof):
    """Each leaf is bounded on its own candidates, whatever leaf came before."""
    given, best, objects = proof
    k = leaves(objects)[0]
    weak = [*objects[:k], {"leaf": {}}, *objects[k + 1 :]]
    assert prove_tree(given, weak) <= best


def test_a_deep_tree_is_checked():
    """Depth is not limited by the interpreter's stack."""
    n = 600
    given = as_given(gm.Problem((n, n), range(n), range(n), [1.0] * n, [], [], [], complete=True))
    objects = [*({"branch": i} for i in range(n)), {"leaf": {}}]
    assert prove_tree(given, objects) == n


def forge(objects, rng):
    """A copy with random changes of structure and numbers."""
    objects = copy.deepcopy(objects)
    for _ in range(int(rng.integers(1, 4))):
        k, j = rng.integers(len(objects), size=2)
        kind = rng.integers(6)
        if kind == 0:
            del objects[k]
        elif kind == 1:
            objects.insert(j, copy.deepcopy(objects[k]))
        elif kind == 2:
            objects[k], objects[j] = objects[j], objects[k]
        elif kind == 3:
            objects[k] = {"branch": int(rng.integers(9))}
        elif kind == 4:
            objects[k] = {"leaf": {}}
        elif "leaf" in objects[k]:
            forge_numbers(objects[k]["leaf"], rng)
        if not objects:
            break
    return objects


def forge_numbers(duals, rng):
    """Change numbers of one field of a leaf."""
    name = rng.choice(sorted(duals)) if duals else None
    if name is None:
        return
    at = rng.integers(len(duals[name]), size=3)
    for x in at:
        old = duals[name][x]
        if isinstance(old, int):
            duals[name][x] = int(rng.integers(-1, 66))
        else:
            duals[name][x] = float(rng.choice([0.0, -old, 1e3 * old, rng.normal() * 1e6, np.nan]))


def attack(given, best, objects, rng, n):
    """How many of n forged trees prove the optimum; AssertionError if one proves more."""
    proven = 0
    for _ in range(n):
        try:
            bound = prove_tree(given, forge(objects, rng))
        except Refused:
            continue
        assert bound <= Fraction(best), "a forged tree proves a bound above the optimum"
        proven += bound == best
    return proven


@pytest.mark.long
def test_forged_trees_prove_nothing_false(proof):
    assert attack(*proof, np.random.default_rng(0), 60) < 60


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_forged_trees_of_many_problems_prove_nothing_false(tmp_path):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        shape = [(6, 6), (4, 7), (5, 5)][seed % 3]
        options = {"density": 0.9, "edges": 1.0, "complete": True, "integer": seed % 2 == 0}
        problem = random_problem(rng, *shape, **options) if seed % 4 else hard(7, rng)
        objects = proof_of(problem, tmp_path / f"{seed}")
        every = Matchings(problem.materialise())
        exact = exact_best(problem.materialise(), every)
        attack(as_given(problem), exact, objects, rng, 100)


def exact_best(problem, every):
    """The least cost in exact fractions."""
    number = {pair: k for k, pair in enumerate(zip(problem.left, problem.right, strict=True))}
    near = every.labels[every.costs <= every.best + every.error]
    return min(exact_cost(problem, number, labels) for labels in near)


def exact_cost(problem, number, labels):
    taken = {number[i, s] for i, s in enumerate(labels) if s >= 0}
    cost = sum(Fraction(problem.cost[k]) for k in taken)
    pairs = zip(problem.a, problem.b, problem.edge_cost, strict=True)
    return cost + sum(Fraction(x) for a, b, x in pairs if a in taken and b in taken)
