"""FreePairs: the same answers as the same candidates in a list, which are made only on demand."""

import pickle
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

import gmtoolbox as gm
from gmtoolbox.core.candidates import sort_candidates
from gmtoolbox.core.free_pairs import FreePairs


def with_seeds(seed, n1, n2):
    """FreePairs, and the same candidates in a list."""
    rng = np.random.default_rng(seed)
    m = rng.integers(0, min(n1, n2) + 1)
    label_of = np.full(n1, -1)
    label_of[rng.permutation(n1)[:m]] = rng.permutation(n2)[:m]
    mask = np.ones((n1, n2), dtype=bool)
    nodes = np.flatnonzero(label_of >= 0)
    mask[nodes], mask[:, label_of[nodes]] = False, False
    mask[nodes, label_of[nodes]] = True
    left, right = np.nonzero(mask)
    if not len(left):
        return None, None
    return FreePairs((n1, n2), label_of), sort_candidates((n1, n2), left, right)[0]


@settings(max_examples=times(150), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6))
def test_every_question_has_the_answer_of_the_list(seed, n1, n2):
    free, listed = with_seeds(seed, n1, n2)
    if free is None:
        return
    nodes, labels = np.indices((n1, n2)).reshape(2, -1)
    assert free.index(nodes, labels).tolist() == listed.index(nodes, labels).tolist()
    chosen = np.arange(len(listed))
    for one, other in zip(free.pairs(chosen), listed.pairs(chosen), strict=True):
        assert one.tolist() == other.tolist()
    assert sorted(zip(*free.alone(), strict=True)) == sorted(zip(*listed.alone(), strict=True))
    assert "left" not in free.__dict__ or len(free.labels) == 1  # nothing was listed for that
    assert len(free) == len(listed)
    assert free.left.tolist() == listed.left.tolist()
    assert free.right.tolist() == listed.right.tolist()
    assert free.key.tolist() == listed.key.tolist()
    back = pickle.loads(pickle.dumps(free))
    assert "left" not in back.__dict__ and back.index(nodes, labels).tolist() == (
        free.index(nodes, labels).tolist()
    )


def seeded_pair(n, m, *, dense=False, directed=False, complete=True, seed=0):
    rng = np.random.default_rng(seed)
    A, B = (rng.integers(-2, 4, (n, n)) * (rng.random((n, n)) < 0.4) for _ in range(2))
    A, B = (M.astype(float) if directed else (M + M.T).astype(float) for M in (A, B))
    if not dense:
        A, B = sp.csr_array(A), sp.csr_array(B)
    seeds = list(zip(range(m), rng.permutation(n)[:m].tolist(), strict=True))
    return gm.models.from_graphs(A, B, seeds=seeds, complete=complete), seeds


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("directed", [True, False])
def test_fixing_pairs_keeps_every_value(dense, directed):
    for seed in range(20):
        problem, seeds = seeded_pair(7, 3, dense=dense, directed=directed, seed=seed)
        if not isinstance(problem.candidates, FreePairs):
            continue  # both matrices have a diagonal: unary costs
        rest = problem.fix(seeds[:2])
        assert isinstance(rest.problem.candidates, FreePairs)
        rng = np.random.default_rng(seed)
        listed = gm.Problem(
            problem.shape, problem.left.copy(), problem.right.copy(), problem.cost,
            edges=type(problem.edges)(problem.edges.A, problem.edges.B),
            complete=True, sense="max",
        )  # fmt: skip
        other = listed.fix(seeds[:2])
        assert rest.problem.cost.tolist() == pytest.approx(other.problem.cost.tolist())
        for _ in range(5):
            labels = np.full(5, -1)
            label = dict(seeds)[2]
            free = [s for s in range(7) if s not in dict(seeds).values()]
            place = {s: k for k, s in enumerate(sorted({*range(7)} - {seeds[0][1], seeds[1][1]}))}
            labels[0], labels[1:] = place[label], [place[s] for s in rng.permutation(free)]
            value = problem.energy(rest.lift(labels))
            assert rest.problem.energy(labels) == pytest.approx(value)
            assert rest.lower(rest.lift(labels)).tolist() == labels.tolist()


def test_unary_costs_stay_where_pairs_are_fixed():
    rng = np.random.default_rng(3)
    edges = gm.models.from_graphs(np.ones((4, 4)) - np.eye(4), np.ones((4, 4)) - np.eye(4)).edges
    problem = gm.Problem((4, 4), None, None, rng.random(16), edges=edges)
    assert isinstance(problem.candidates, FreePairs)
    rest = problem.fix([(1, 2)])
    for labels in ([0, 1, 2], [2, 0, 1]):
        assert rest.problem.energy(labels) == pytest.approx(problem.energy(rest.lift(labels)))


def test_fixing_everything_leaves_nothing():
    problem, _ = seeded_pair(3, 0)
    rest = problem.fix([(0, 1), (1, 0), (2, 2)])
    assert rest.lift(rest.lower([1, 0, 2])).tolist() == [1, 0, 2]


def test_memory_is_that_of_the_graphs():
    n = 20_000
    ring = np.arange(n)
    A = sp.csr_array((np.ones(n), (ring, np.roll(ring, 1))), shape=(n, n))
    A = sp.csr_array(A + A.T)
    tracemalloc.start()
    problem = gm.models.from_graphs(A, A, seeds=[(k, k) for k in range(0, n, 10)])
    assert problem.n_candidates == 18_000**2 + 2000
    assert problem.energy(np.arange(n)) == 2 * n
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    zeros = problem.cost.nbytes  # asked for, never written: no page of it is there
    assert held - zeros < 30e6 and peak - zeros < 60e6
