"""Problems without pair costs are one linear assignment: right against brute force, and proven."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm
from gmtoolbox.solvers._linear import is_linear


def best_by_force(C, complete, sense):
    """The best value of a matrix with nan where a pair is forbidden; None without a matching."""
    n1, n2 = C.shape
    values = []
    for labels in itertools.product(range(-1, n2), repeat=n1):
        used = [s for s in labels if s >= 0]
        if len(set(used)) < len(used) or (complete and len(used) < min(n1, n2)):
            continue
        value = sum(C[i, s] for i, s in enumerate(labels) if s >= 0)
        if not np.isnan(value):
            values.append(value)
    return (min if sense == "min" else max)(values, default=None)


def draw_matrix(rng):
    n1, n2 = rng.integers(1, 5, 2)
    C = rng.choice([rng.normal(size=(n1, n2)), rng.integers(-3, 4, (n1, n2)).astype(float)])
    if rng.random() < 0.5:
        C[rng.random((n1, n2)) < 0.3] = np.nan
    return C


def problems_of(C, sense, complete, offset):
    """The same linear problem in all forms that people give it."""
    n1, n2 = C.shape
    sign = 1.0 if sense == "min" else -1.0
    left, right = np.nonzero(~np.isnan(C))
    named = {"sense": sense, "complete": complete, "offset": offset}
    cost = sign * C[left, right]
    yield gm.Problem((n1, n2), left, right, cost, **named)
    if len(left) > 1:  # edges that cost nothing
        yield gm.Problem((n1, n2), left, right, cost, [0], [1], [0.0], **named)
    pairs = [
        (p, q)
        for p, q in itertools.combinations(range(len(left)), 2)
        if left[p] == left[q] or right[p] == right[q]
    ]
    if pairs:  # edges that no matching has
        a, b = np.transpose(pairs)
        yield gm.Problem((n1, n2), left, right, cost, a, b, np.full(len(a), -9.0), **named)
    forbidden = np.where(np.isnan(C), sign * np.inf, C)
    A, B = np.zeros((n1, n1)), np.ones((n2, n2))
    yield gm.models.from_koopmans_beckmann(A, B, forbidden, **named)
    A, B = sparse.csr_array((n1, n1)), sparse.csr_array((n2, n2))
    yield gm.models.from_koopmans_beckmann(A, B, forbidden, **named)


@pytest.mark.parametrize("method", ["auto", "aj"])
def test_against_brute_force(method):
    rng, n_solved = np.random.default_rng(3), 0
    for _ in range(40):
        C = draw_matrix(rng)
        if np.isnan(C).all():
            continue
        sense, complete = str(rng.choice(["min", "max"])), bool(rng.integers(2))
        offset = float(rng.choice([0.0, 7.5, -1e6]))
        best = best_by_force(C, complete, sense)
        for problem in problems_of(C, sense, complete, offset):
            assert is_linear(problem)
            if best is None:
                with pytest.raises(gm.InfeasibleError):
                    gm.gm_solve(problem, method)
                continue
            r = gm.gm_solve(problem, method)
            assert r.status == "optimal"
            shift = offset if sense == "min" else -offset  # it is added to the costs
            assert r.value == pytest.approx(best + shift, abs=1e-9)
            assert r.value == problem.energy(r.labels)
            assert (r.bound <= r.value) if sense == "min" else (r.bound >= r.value)
            n_solved += 1
    assert n_solved > 100


def test_medium_sizes_dense_and_sparse():
    """Dense ones beside scipy; sparse ones beside the same with large costs for forbidden pairs."""
    rng = np.random.default_rng(0)
    for n1, n2, share in [
        (60, 60, 1.0),
        (40, 70, 1.0),
        (70, 40, 1.0),
        (60, 60, 0.2),
        (40, 90, 0.2),
    ]:
        C = rng.integers(0, 50, (n1, n2)) + rng.random((n1, n2))
        allowed = rng.random((n1, n2)) < share
        allowed[np.arange(n1) % n1, np.arange(n1) % n2] = True
        left, right = np.nonzero(allowed)
        p = gm.Problem((n1, n2), left, right, C[left, right], complete=True)
        rows, columns = linear_sum_assignment(np.where(allowed, C, 1e6))
        r = gm.gm_solve(p)
        assert r.status == "optimal" and r.n_iter == 1
        assert r.value == pytest.approx(C[rows, columns].sum(), rel=1e-12)
        partial = gm.gm_solve(gm.Problem((n1, n2), left, right, C[left, right] - 25.0))
        rows, columns = linear_sum_assignment(np.where(allowed, np.minimum(C - 25.0, 0.0), 0.0))
        best = np.where(allowed, np.minimum(C - 25.0, 0.0), 0.0)[rows, columns].sum()
        assert partial.status == "optimal" and partial.value == pytest.approx(best, rel=1e-12)


def test_affinity_matrix_with_nothing_off_its_diagonal():
    K = sparse.diags_array(np.arange(16.0))
    r = gm.gm_solve(K)
    best = np.arange(16.0).reshape(4, 4).T  # row left + n1 * right
    assert r.status == "optimal"
    assert r.value == best[linear_sum_assignment(best, maximize=True)].sum()


def test_pairs_without_any_cost():
    """No list of all pairs is made."""
    n = 5000
    empty = sparse.csr_array((n, n))
    r = gm.gm_solve(gm.models.from_koopmans_beckmann(empty, empty))
    assert r.status == "optimal" and r.value == 0.0
    assert sorted(r.labels) == list(range(n))
    p = gm.models.from_graphs(sparse.csr_array((5, 5)), sparse.csr_array((4, 4)), seeds=[(1, 2)])
    r = gm.gm_solve(p)
    assert r.status == "optimal" and r.labels[1] == 2 and np.count_nonzero(r.labels >= 0) == 4


def test_large_shared_costs_hide_nothing():
    """A constant of 1e9 in every cost leaves the differences that decide."""
    rng = np.random.default_rng(5)
    C = rng.integers(0, 100, (12, 12)) / 64.0
    p = gm.models.from_koopmans_beckmann(np.zeros((12, 12)), np.zeros((12, 12)), C + 1e9)
    r = gm.gm_solve(p)
    assert r.status == "optimal"
    labels = r.labels
    assert C[np.arange(12), labels].sum() == C[linear_sum_assignment(C)].sum()


def test_problems_with_pair_costs_are_not_linear():
    assert not is_linear(gm.synth.hotel(seed=0, size=5))
    p = gm.models.from_koopmans_beckmann(np.ones((3, 3)), np.ones((3, 3)))
    assert not is_linear(p)


def test_a_cost_that_no_good_matching_pays_takes_no_digit_of_the_proof():
    """Next to 6e9 the optimum 1.2e-4 has 46 binary digits fewer than a double."""
    cost = [-130.40079537198713, 2.430606281945355e-06, 0.00012036796835356362, 5968530320.553747]
    r = gm.gm_solve(gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], cost, complete=True))
    assert r.labels.tolist() == [1, 0] and r.status == "optimal"
