"""r.confidence and n_best against brute force."""

import numpy as np
import pytest
from small import matchings, random_problem

import gmtoolbox as gm


@pytest.mark.parametrize("complete", [False, True])
def test_confidence_is_what_changing_a_match_costs(complete):
    rng = np.random.default_rng(5)
    for _ in range(6):
        problem = random_problem(rng, 4, 5, density=0.8, complete=complete)
        every = [np.array(found) for found in matchings(problem)]
        result = gm.gm_solve(problem)
        sure = result.confidence
        for i in range(4):
            if result.labels[i] < 0:
                assert np.isnan(sure[i])
                continue
            others = [problem.total_cost(m) for m in every if m[i] != result.labels[i]]
            wanted = min(others, default=np.inf) - problem.total_cost(result.labels)
            assert sure[i] <= wanted + 1e-9 * (1 + abs(wanted))  # valid
            assert sure[i] >= wanted - 1e-4 * (1 + abs(wanted)) or wanted == np.inf  # and sharp
        assert np.array_equal(sure, result.confidence, equal_nan=True)


def test_confidence_is_kept_and_needs_the_problem(tmp_path):
    problem = gm.synth.car(seed=0, size=5)
    result = gm.gm_solve(problem)
    result.confidence  # noqa: B018
    result.save(tmp_path / "r.json")
    assert gm.load_result(tmp_path / "r.json").confidence == pytest.approx(result.confidence)
    assert "confidence" in gm.plot.matching(problem, result)
    with pytest.raises(gm.InputError, match="confidence needs the Problem"):
        gm.gm_solve(np.eye(4)).confidence  # noqa: B018


def test_confidence_of_a_maximised_problem_is_positive():
    problem = gm.Problem.from_matrix(np.diag([5.0, 1.0, 1.0, 5.0]))
    assert gm.gm_solve(problem).confidence.tolist() == [8.0, 8.0]


@pytest.mark.parametrize("complete", [False, True])
def test_n_best_are_the_n_best(complete):
    rng = np.random.default_rng(8)
    for _ in range(5):
        problem = random_problem(rng, 3, 4, density=0.8, complete=complete)
        costs = sorted(problem.total_cost(np.array(found)) for found in matchings(problem))
        result = gm.gm_solve(problem, n_best=7)
        found = [result.labels, *(other["labels"] for other in result.alternatives)]
        assert len({tuple(labels) for labels in found}) == len(found) == min(7, len(costs))
        values = [problem.total_cost(labels) for labels in found]
        assert values == pytest.approx(costs[:7], rel=1e-5, abs=1e-7)


def test_n_best_refuses_what_it_cannot():
    problem = gm.synth.car(seed=0, size=4)
    assert len(gm.gm_solve(problem, n_best=100).alternatives) == 23  # 4! matchings in all
    with pytest.raises(gm.InputError, match="goes with method 'auto'"):
        gm.gm_solve(problem, "sm", n_best=2)
    with pytest.raises(gm.InputError, match="positive number"):
        gm.gm_solve(problem, n_best=0)
