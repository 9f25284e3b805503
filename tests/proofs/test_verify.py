"""The independent checker: true claims pass, false ones are named, no certificate proves too
much.
"""

import json

import numpy as np
import pytest
from small import brute_force, gallery, random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.core.errors import FileFormatError, InputError, VerificationError
from gmtoolbox.proofs.verify import certified_bound, read_result, verify


@pytest.mark.parametrize("name", gallery())
def test_certificates_of_every_small_problem(name):
    problem, optimum = gallery()[name]
    r = gm.gm_solve(problem, "aj", certify=True)
    done = verify(
        problem,
        r.labels,
        r.value,
        r.bound,
        r.extra["certificate"] if r.extra["certificate"]["label_dual"].size else None,
    )
    assert done.value == r.value
    assert problem.signed(done.bound) <= optimum + 1e-12 * (
        abs(optimum) + np.abs(problem.edge_cost).sum()
    )


def test_a_tight_root_is_a_whole_proof():
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.3, complete=True)
    r = gm.gm_solve(problem, "aj", certify=True, fix=False, branch=False)
    assert r.status == "optimal"
    assert verify(problem, r.labels, r.value, r.bound, r.extra["certificate"]).proven


def semidefinite_roots(rng, smallest):
    """60 random problems with their optimum and the Result of the semidefinite root alone."""
    for k in range(60):
        shape = rng.integers(smallest, 5, 2)
        problem = random_problem(rng, *shape, edges=0.8, signs="any", complete=k % 2 == 0)
        r = gm.gm_solve(problem, "aj", sdp="at once", certify=True, fix=False, branch=False)
        yield problem, brute_force(problem), r


def test_certificates_of_the_semidefinite_bound():
    """They are as good as the bound itself, and never above the optimum."""
    rng = np.random.default_rng(11)
    close = 0
    for problem, optimum, r in semidefinite_roots(rng, 3):
        proof = r.extra["certificate"]
        assert len(proof["Z"]) == len(proof["variable"]) ** 2 > 0
        bound = certified_bound(problem, proof)
        assert bound <= optimum + 1e-12 * (abs(optimum) + np.abs(problem.edge_cost).sum())
        close += bound >= r.bound - 1e-6 * (abs(r.bound) + problem.largest_cost)
    assert close > 50


def test_no_matrix_proves_too_much():
    """Z that is not negative semidefinite proves nothing, however far above the bound would be."""
    rng = np.random.default_rng(12)
    proven = 0
    for problem, optimum, r in semidefinite_roots(rng, 2):
        proof = dict(r.extra["certificate"])
        size = len(proof.get("variable", ()))
        noise = rng.normal(size=(size, size)) * 10.0 ** rng.integers(-9, 2)
        proof["Z"] = proof["Z"] + (noise + noise.T).ravel() if size else []
        proof["slack_dual"] = rng.normal(size=len(proof.get("slack_dual", ())))
        bound = certified_bound(problem, proof)
        assert bound <= optimum + 1e-12 * (abs(optimum) + np.abs(problem.edge_cost).sum())
        proven += np.isfinite(bound)
    assert 0 < proven < 60


def test_integer_costs_lift_a_certified_bound():
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.9, complete=True)
    whole = gm.Problem(
        problem.shape, problem.left, problem.right, np.round(9 * problem.cost) * 2,
        problem.a, problem.b, np.round(9 * problem.edge_cost) * 2, complete=True,
    )  # fmt: skip
    r = gm.gm_solve(whole, "aj", sdp="at once", certify=True, fix=False, branch=False)
    bound = certified_bound(whole, r.extra["certificate"])
    assert bound == np.floor(bound) and bound % 2 == 0 and bound <= brute_force(whole)


def test_no_duals_prove_too_much():
    """Whatever a certificate says, the bound computed from it is one."""
    rng = np.random.default_rng(8)
    for k in range(150):
        problem = random_problem(
            rng, *rng.integers(2, 5, 2), density=0.8, edges=0.6, complete=k % 2 == 0
        )
        optimum = brute_force(problem)
        p = gm.transforms.prepare(problem, (gm.transforms.LEFT_COMPLETE,)).problem
        N = p.n_candidates + (0 if p.complete else p.shape[0])
        m, stars = rng.integers(0, 40, 2)
        garbage = {
            "a": rng.integers(0, N, m),
            "b": rng.integers(0, N, m),
            "split": rng.normal(size=m),
            "star": rng.integers(0, N, stars),
            "star_label": rng.integers(0, p.shape[1], stars),
            "star_dual": rng.normal(size=stars),
            "label_dual": rng.normal(size=p.shape[1]),
        }
        assert certified_bound(problem, garbage) <= optimum + 1e-12


def test_false_claims_are_named():
    problem, _ = gallery()["complete 4x4"]
    r = gm.gm_solve(problem, "aj", certify=True)
    with pytest.raises(VerificationError, match="worth"):
        verify(problem, r.labels, r.value - 0.1, r.bound)
    with pytest.raises(VerificationError, match="beyond the value"):
        verify(problem, r.labels, r.value, r.value + 1.0)
    with pytest.raises(VerificationError, match="used twice"):
        verify(problem, np.zeros(4, int), r.value, r.bound)
    partial = np.array([-1, *r.labels[1:]])
    with pytest.raises(VerificationError, match="all 4 nodes"):
        verify(problem, partial, problem.energy(partial), r.bound)
    with pytest.raises(InputError, match="'split' must have one length"):
        certified_bound(problem, {**r.extra["certificate"], "split": [0.0]})


def test_command_line(tmp_path, capsys):
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.3)
    gm.save(problem, tmp_path / "p.dd")
    assert cli.main(f"solve {tmp_path}/p.dd -m aj --set certify=true fix=false --json".split()) == 0
    result = tmp_path / "result.json"
    result.write_text(capsys.readouterr().out)
    assert cli.main(["verify", str(result), str(tmp_path / "p.dd")]) == 0
    assert "recomputed from the duals" in capsys.readouterr().out
    record = {**read_result(result), "value": 1e6}
    result.write_text(json.dumps(record))
    assert cli.main(["verify", str(result), str(tmp_path / "p.dd")]) == 2
    assert "the result claims" in capsys.readouterr().err
    result.write_text("{}\n")
    with pytest.raises(FileFormatError, match="no record with 'labels'"):
        read_result(result)


def checked_by_command(tmp_path, capsys, file, *options):
    """What `gmtoolbox verify` prints of the result of `gmtoolbox solve -m aj`."""
    solve = ["solve", str(file), "-m", "aj", "-t", "900", "--json"]
    assert cli.main([*solve, "--set", "certify=true", "branch=false", "sdp=at once", *options]) == 0
    result = tmp_path / "result.json"
    result.write_text(capsys.readouterr().out)
    assert cli.main(["verify", str(result), str(file)]) == 0
    return capsys.readouterr().out


@pytest.mark.slow  # half a minute of CPU time
@pytest.mark.data
def test_the_whole_proof_of_caltech_small11_is_checked(data, tmp_path, capsys):
    file = data / "caltech-small" / "caltech-small11.dd.xz"
    told = checked_by_command(tmp_path, capsys, file)
    assert "value    -15713.594" in told and told.rstrip().endswith("proves the value")


@pytest.mark.slow
@pytest.mark.data
def test_the_root_bound_of_nug20_is_checked(data, tmp_path, capsys):
    told = checked_by_command(tmp_path, capsys, data / "qaplib" / "nug20.dd.xz", "fix=false")
    bound = float(told.split("bound")[1].split()[0])
    assert 2490 <= bound < 2570 and "root bound, not the whole proof" in told


def test_an_offset_hides_no_false_value():
    """The checker allows for rounding, of the offset too, and for nothing else."""
    problem = random_problem(np.random.default_rng(4), 3, 3, edges=0.5, offset=1e12)
    r = gm.gm_solve(problem)
    assert verify(problem, r.labels, r.value, r.bound).value == r.value
    with pytest.raises(VerificationError, match="worth"):
        verify(problem, r.labels, r.value + 0.1, r.bound)
    with pytest.raises(VerificationError, match="beyond"):
        verify(problem, r.labels, r.value, r.value + 0.1)
