"""No forged certificate has a wrong value called proven: docs/results/certificates.md."""

import numpy as np
import pytest
from attacks import forgeries, tree_forgeries

import gmtoolbox as gm
from gmtoolbox.proofs.verify import verify

EMPTY = {name: [] for name in ("a", "b", "split", "star", "star_label", "star_dual")}


def certificate(cutoff, **stage):
    """Return a certificate of one stage for a problem of two labels, without any other duals."""
    stage = {"label_dual": [0.0, 0.0], "slack_dual": [], **stage}
    return {**EMPTY, "label_dual": [0.0, 0.0], "cutoff": cutoff, "stages": [stage]}


@pytest.fixture
def square():
    """Two nodes, two labels: the best matching [0, 1] costs 1.2, the other one 2."""
    return gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [0.0, 0.1, 1.9, 1.2], complete=True)


def test_huge_duals_of_a_deletion_prove_nothing(square):
    """1.1 + 1.5 * 2^64 is 2 + 1.5 * 2^64 in long double: the best candidate seemed to cost 2."""
    forged = certificate(
        2.0, variable=[-1, 0, 1, 2, 3], Z=[0.0] * 25,
        gone=[0], gone_star=[0], gone_label=[1], gone_dual=[-1.5 * 2**64],
    )  # fmt: skip
    done = verify(square, [1, 0], 2.0, 2.0, forged)
    assert not done.proven and done.bound == 0.1


def test_huge_duals_of_a_slack_prove_nothing():
    """What a free label costs was lost beside 1e30, which no margin counted."""
    problem = gm.Problem((1, 2), [0, 0], [0, 1], [0.0, 1.0], complete=True)
    Z = np.zeros((4, 4))
    Z[3] = 2.0, -2.0, -2.0, 0.0
    forged = certificate(
        0.9999999, variable=[-1, 0, 1, -3], Z=(Z + Z.T).ravel(), slack_dual=[-1e30, 0.0]
    )
    done = verify(problem, [1], 1.0, 1.0, forged)
    assert not done.proven and done.bound == 0.0


def test_a_matrix_near_the_largest_double_proves_nothing(square):
    """Two entries of -1e308, whose margin was -inf."""
    Z = np.zeros((7, 7))
    Z[0, 2] = Z[4, 2] = -1e308
    forged = certificate(
        1.9999998, variable=[-1, 0, 1, 2, 3, -2, -3], Z=Z.ravel(), slack_dual=[0.0] * 4,
        gone=[0, 3],
    )  # fmt: skip
    done = verify(square, [1, 0], 2.0, 2.0, forged)
    assert not done.proven and done.bound <= 1.2


def test_the_search_for_the_truth_is_exhaustive():
    problem = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0], [0], [3], [0.5])
    costs = forgeries.exact_costs(problem)
    assert costs[0, 1] == 5.5 and costs[1, 0] == 5.0 and costs[-1, -1] == 0 and len(costs) == 7


def test_honest_certificates_pass_where_forged_ones_do_not():
    """The cases of the campaign have proofs: the judge sees them."""
    cases = [case for case in map(forgeries.make_case, range(12)) if case]
    proven = 0
    for case in cases:
        r = gm.gm_solve(case.problem, "aj")
        for own in case.honest:
            proven += verify(case.problem, r.labels, r.value, r.bound, own).proven
    assert proven > len(cases)


def check_campaign(n, n_cases):
    counts, accepted = forgeries.campaign(n, n_cases=n_cases)
    assert sum(counts.values()) == n
    assert not accepted, [name for _, name, _ in accepted]
    assert sum(x for (_, outcome), x in counts.items() if outcome == "weak") > n / 4
    assert {name for name, _ in counts} >= set(forgeries.FORGERIES)


def test_forged_certificates_are_not_accepted(repeats):
    check_campaign(max(repeats(600), 300), 12)  # 300 contain every kind


@pytest.mark.slow  # ten minutes of CPU time
def test_a_hundred_thousand_forged_certificates_are_not_accepted():
    check_campaign(100_000, 200)


def test_forged_trees_prove_nothing_false():
    counts, accepted = tree_forgeries.campaign(20, seed=1, n_cases=2)
    assert not accepted
    assert counts["unchanged", "refused"] == 0 < counts["unchanged", "weak"]
