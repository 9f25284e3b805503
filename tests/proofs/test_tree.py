"""Proofs of whole searches: written for any complete problem, accepted by `verify`."""

import json

import numpy as np
import pytest
from cext.aj.test_open import hard
from small import random_problem
from solvers.test_checkpoint import hard as listed

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.proofs import tree
from gmtoolbox.proofs.tree import write_proof
from gmtoolbox.proofs.verify import read_result, verify_record


def drawn(kind):
    """A complete problem whose root does not always suffice."""
    rng = np.random.default_rng(7)
    dense = {"density": 0.9, "edges": 1.0, "complete": True}
    return {
        "qap": lambda: hard(8, np.random.default_rng(6)),
        "wide": lambda: random_problem(rng, 4, 7, **dense),
        "exchanged": lambda: random_problem(rng, 7, 4, **dense),
        "integer": lambda: random_problem(rng, 6, 6, integer=True, **dense),
        "maximised": lambda: listed(7, sense="max"),
        "offset": lambda: listed(8, 1, offset=-1e5),
    }[kind]()


@pytest.mark.parametrize("kind", ["qap", "wide", "exchanged", "integer", "maximised", "offset"])
def test_the_value_is_proven(kind, tmp_path):
    problem, path = drawn(kind), tmp_path / "x.proof"
    result = gm.gm_solve(problem, "aj")
    n = write_proof(problem, result, path)
    objects = [json.loads(line) for line in path.read_text("utf-8").splitlines()][1:]
    assert n == sum("leaf" in found for found in objects) >= 1
    done = verify_record(problem, read_result(path), path)
    assert done.proven and done.value == result.value
    assert done.bound == pytest.approx(result.value, rel=1e-12)


def objects_of(problem, path):
    """The objects of the proof of a problem."""
    write_proof(problem, gm.gm_solve(problem, "aj"), path)
    return [json.loads(text) for text in path.read_text().splitlines()][1:]


def test_linear_duals_alone_need_many_leaves(tmp_path, monkeypatch):
    problem = drawn("qap")
    (leaf,) = objects_of(problem, tmp_path / "x")
    assert len(leaf["leaf"]["Z"]) == len(leaf["leaf"]["variable"]) ** 2
    monkeypatch.setattr(tree, "BOUNDS", ("off",))
    objects = objects_of(problem, tmp_path / "y")
    assert sum("leaf" in found for found in objects) > 5
    assert {"above": True} in objects  # a child that the duals of its parent bound


def test_semidefinite_leaves_may_branch(tmp_path, monkeypatch):
    """With few steps, the semidefinite bound of the root is not enough."""
    monkeypatch.setattr(tree, "STEPS", 100)
    problem, path = hard(7, np.random.default_rng(6)), tmp_path / "x"
    objects = objects_of(problem, path)
    found = [x.get("leaf", x.get("duals", {})) for x in objects]
    assert "branch" in objects[0] and sum("variable" in duals for duals in found) > 1
    assert verify_record(problem, read_result(path), path).proven


def test_it_needs_a_complete_problem_and_a_proof(tmp_path):
    partial = random_problem(np.random.default_rng(0), 4, 4)
    with pytest.raises(gm.InputError, match="complete"):
        write_proof(partial, gm.gm_solve(partial, "aj"), tmp_path / "x")
    problem = hard(6, np.random.default_rng(0))
    with pytest.raises(gm.InputError, match="optimal result"):
        write_proof(problem, gm.gm_solve(problem, "fm", maxiter=1), tmp_path / "x")
    assert not list(tmp_path.iterdir())


def test_the_commands_write_and_check_it(tmp_path, capsys):
    """solve --proof, then verify; of another problem it proves nothing."""
    files = [str(tmp_path / f"{seed}.h5") for seed in range(2)]
    for seed, file in enumerate(files):
        gm.save(hard(8, np.random.default_rng(seed)), file)
    path = str(tmp_path / "x.proof")
    assert cli.main(["solve", files[0], "-m", "aj", "--proof", path]) == 0
    assert cli.main(["verify", path, files[0]]) == 0
    assert "recomputed from the duals: proves the value" in capsys.readouterr().out
    assert cli.main(["verify", path, files[1]]) != 0
    assert cli.main(["solve", *files, "-m", "aj", "--proof", path]) != 0
    assert "--proof proves one result" in capsys.readouterr().err
