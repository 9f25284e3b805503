"""The independent checker: true claims pass, false ones are named, no certificate proves too
much.
"""

import json
from fractions import Fraction

import numpy as np
import pytest
from certified import certified_bound
from small import FORMS, brute_force, gallery, matchings, problem_with, random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.core.errors import FileFormatError, GMError, InputError, VerificationError
from gmtoolbox.proofs.verify import as_given, read_result, verify, verify_record


@pytest.mark.parametrize("name", gallery())
def test_certificates_of_every_small_problem(name):
    problem, optimum = gallery()[name]
    for options in ({}, {"fix": False, "branch": False}, {"sdp": "at once", "branch": False}):
        r = gm.gm_solve(problem, "aj", certify=True, **options)
        done = verify(problem, r.labels, r.value, r.bound, r.extra["certificate"])
        assert done.value == r.value
        assert problem.signed(done.bound) <= optimum + 1e-12 * (
            abs(optimum) + np.abs(problem.edge_cost).sum()
        )
        if "stages" in r.extra["certificate"]:
            assert done.proven


def test_a_tight_root_is_a_whole_proof():
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.3, complete=True)
    r = gm.gm_solve(problem, "aj", certify=True, fix=False, branch=False)
    assert r.status == "optimal"
    assert verify(problem, r.labels, r.value, r.bound, r.extra["certificate"]).proven


def semidefinite_roots(rng):
    """Yield 60 random problems with their optimum and the Result of the semidefinite root alone."""
    for k in range(60):
        shape = rng.integers(3, 5, 2)
        problem = random_problem(rng, *shape, edges=0.8, signs="any", complete=k % 2 == 0)
        r = gm.gm_solve(problem, "aj", sdp="at once", certify=True, fix=False, branch=False)
        yield problem, brute_force(problem), r


def test_certificates_of_the_semidefinite_bound():
    """They are as good as the bound itself, and never above the optimum."""
    rng = np.random.default_rng(11)
    close = 0
    for problem, optimum, r in semidefinite_roots(rng):
        proof = r.extra["certificate"]
        assert len(proof["Z"]) == len(proof["variable"]) ** 2 > 0
        bound = certified_bound(problem, proof)
        assert bound <= optimum + 1e-12 * (abs(optimum) + np.abs(problem.edge_cost).sum())
        close += bound >= r.bound - 1e-6 * (abs(r.bound) + problem.largest_cost)
    assert close > 50


@pytest.mark.parametrize("sense", ["min", "max"])
def test_bounds_are_rounded_to_the_side_on_which_they_hold(sense):
    """Half of them lay above the optimum, by less than one bit."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        cost, offset = rng.normal(size=2) * 1e6, float(rng.normal())
        problem = gm.Problem(
            (2, 2), [0, 1], [0, 1], cost, complete=True, sense=sense, offset=offset
        )
        r = gm.gm_solve(problem, "aj", certify=True, branch=False)
        done = verify(problem, r.labels, r.value, r.bound, r.extra["certificate"])
        optimum = sum(map(Fraction, [*cost.tolist(), offset]))
        sign = 1 if sense == "min" else -1
        assert 0 <= optimum - sign * Fraction(done.bound) < abs(optimum) / 2**51


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
    with pytest.raises(InputError, match="'b' must hold 1 numbers"):
        certified_bound(problem, {**r.extra["certificate"], "split": [0.0]})


def test_a_result_of_another_sense_or_shape_is_refused():
    problem = random_problem(np.random.default_rng(4), 3, 4, edges=0.3)
    r = gm.gm_solve(problem, "aj", certify=True)
    record = r.to_dict()
    assert verify_record(problem, record).value == r.value
    for name, other in (("sense", "max"), ("shape", [4, 3])):
        with pytest.raises(VerificationError, match=f"the {name}"):
            verify_record(problem, {**record, name: other})


def test_odd_claims_are_refused():
    problem, _ = gallery()["partial 4x4"]
    r = gm.gm_solve(problem, "aj")
    nothing = -float("inf")
    assert verify(problem, r.labels, r.value, nothing).gap == float("inf")
    for labels, value, bound in (
        (r.labels, float("nan"), nothing),
        (r.labels, None, nothing),
        (r.labels, r.value, float("nan")),
        (r.labels, r.value, float("inf")),
        (r.labels, r.value, "0"),
        (r.labels.astype(float), r.value, nothing),
        (r.labels[:-1], r.value, nothing),
        (np.full(4, -2), 0.0, nothing),
        (np.full(4, 9), 0.0, nothing),
    ):
        with pytest.raises(GMError):
            verify(problem, labels, value, bound)


def test_a_certificate_without_duals_is_not_an_error():
    """What is proven before the root is built leaves none; all duals are 0 then."""
    problem, optimum = gallery()["partial 4x4"]
    r = gm.gm_solve(problem, "aj", certify=True)
    nothing = {name: [] for name in r.extra["certificate"]}
    for empty in ({}, nothing):
        assert verify(problem, r.labels, r.value, r.bound, empty).bound <= optimum


def test_every_form_of_edges():
    rng = np.random.default_rng(3)
    for form in FORMS:
        problem = problem_with(form, rng)
        r = gm.gm_solve(problem, "aj", certify=True, fix=False, branch=False)
        done = verify(problem, r.labels, r.value, r.bound, r.extra["certificate"])
        assert problem.signed(done.bound) <= brute_force(problem) + 1e-9


def test_the_problem_of_a_file_is_read_as_others_read_it(tmp_path):
    """as_given, after gm.load, against a reader of twenty lines that shares no code with it."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        problem = random_problem(
            rng, *rng.integers(1, 6, 2), density=0.7, complete=seed % 2 == 0,
            sense=("min", "max")[seed // 2 % 2], offset=(0.0, 1e12, 0.1)[seed % 3],
            scale=10.0 ** rng.integers(-200, 200),
        )  # fmt: skip
        gm.save(problem, tmp_path / "p.dd")
        found, lines = as_given(gm.load(tmp_path / "p.dd")), {"a": [], "e": [], "p": [], "c": []}
        for line in (tmp_path / "p.dd").read_text("utf-8").splitlines():
            kind, *rest = line.split()
            lines[kind].append(rest)
        (sizes,) = lines["p"]
        comments = {rest[1]: rest[2] for rest in lines["c"]}
        assert list(found.shape) == [int(n) for n in sizes[:2]]
        assert [found.left, found.right, found.cost] == [
            [int(rest[1]) for rest in lines["a"]],
            [int(rest[2]) for rest in lines["a"]],
            [float(rest[3]) for rest in lines["a"]],
        ]
        assert [found.a, found.b, found.edge_cost] == [
            [int(rest[0]) for rest in lines["e"]],
            [int(rest[1]) for rest in lines["e"]],
            [float(rest[2]) for rest in lines["e"]],
        ]
        assert found.complete == (comments.get("complete") == "true")
        assert found.sense == comments.get("sense", "min")
        assert found.offset == float(comments.get("offset", 0))


@pytest.mark.parametrize("suffix", [".json", ".npz", ".h5", ".mat", ".csv"])
def test_results_of_every_format_are_checked(tmp_path, suffix):
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.3)
    for method, options in (("aj", {"certify": True, "fix": False}), ("fw", {})):
        r = gm.gm_solve(problem, method, **options)
        r.save(tmp_path / f"r{suffix}")
        done = verify_record(problem, read_result(tmp_path / f"r{suffix}"))
        assert done.value == r.value and done.proven == (method == "aj")


@pytest.mark.parametrize("how", ["printed", "saved"])
def test_command_line(tmp_path, capsys, how):
    problem = random_problem(np.random.default_rng(4), 5, 5, edges=0.3)
    gm.save(problem, tmp_path / "p.dd")
    result = tmp_path / "result.json"
    if how == "printed":
        solve = f"solve {tmp_path}/p.dd -m aj --set certify=true fix=false --json"
        assert cli.main(solve.split()) == 0
        result.write_text(capsys.readouterr().out)
    else:
        gm.gm_solve(problem, "aj", certify=True, fix=False).save(result)
    assert cli.main(["verify", str(result), str(tmp_path / "p.dd")]) == 0
    told = capsys.readouterr().out
    assert "recomputed from the duals" in told and "no matching is better" in told
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


@pytest.mark.parametrize("reward", [1e6, 1e9])
def test_a_reward_on_every_match_hides_no_better_matching(reward):
    """The second best matching is worse by less than a millionth of the value, and not proven."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 4, 4, edges=0.5, complete=seed % 2 == 0)
        rewarded = problem.changed(cost=problem.cost - reward)
        r = gm.gm_solve(rewarded, "aj", certify=True, fix=False, branch=False)
        certificate = r.extra["certificate"]
        costs = sorted((rewarded.total_cost(np.array(x)), x) for x in matchings(rewarded))
        best = verify(rewarded, r.labels, r.value, r.bound, certificate)
        assert best.proven or r.status != "optimal"
        for cost, labels in costs[1:4]:
            done = verify(rewarded, labels, cost, -float("inf"), certificate)
            assert not done.proven and done.gap >= cost - costs[0][0] - 1e-5
