"""Problems from two matrices: values, edges and products; sizes at which nothing is written out."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox import models
from gmtoolbox.core.products import Products


def kb_problem(seed=0, n1=4, n2=5, symmetric=False, **options):
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(n1, n1)) * (rng.random((n1, n1)) < 0.6), rng.normal(size=(n2, n2))
    C = rng.normal(size=(n1, n2))
    if symmetric:
        A, B = A + A.T, B + B.T
    return models.from_koopmans_beckmann(A, B, C, **options), A, B, C


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_koopmans_beckmann_value_edges_and_product(sense, symmetric):
    problem, A, B, C = kb_problem(symmetric=symmetric, sense=sense)
    rng = np.random.default_rng(1)
    labels = rng.permutation(5)[:4]
    value = (A * B[np.ix_(labels, labels)]).sum() + C[np.arange(4), labels].sum()
    explicit = problem.explicit()
    assert type(explicit) is gm.Problem and problem == explicit and explicit == problem
    assert problem.energy(labels) == pytest.approx(value) == explicit.energy(labels)
    assert problem.n_edges == explicit.n_edges
    partial = np.array([labels[0], -1, labels[2], -1])
    assert problem.energy(partial) == pytest.approx(explicit.energy(partial))
    x = rng.normal(size=problem.n_candidates)
    assert np.allclose(
        problem.signed(problem.cost * x + problem.edges.product(x)), explicit.reducedK @ x
    )
    assert np.allclose(problem.K.toarray(), explicit.K.toarray())


def test_implicit_problems_are_problems(tmp_path):
    problem, *_ = kb_problem()
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert (
        isinstance(replace(problem, complete=False).edges, Products)
        and not replace(problem, complete=False).complete
    )
    for name in ("x.dd", "x.mat", "x.h5"):
        gm.save(problem, tmp_path / name)
        assert gm.load(tmp_path / name, complete=True) == problem
    best = gm.gm_solve(problem, "ilp")
    for method in ("sm", "rrwm", "fw", "ilp"):
        r = gm.gm_solve(problem, method)
        assert (
            r.value == pytest.approx(problem.explicit().energy(r.labels))
            and r.value >= best.value - 1e-9
        )


def test_forbidden_pairs_in_C():
    A, B, C = np.ones((2, 2)), np.ones((2, 2)), np.array([[np.inf, 0], [0, 0]])
    problem = models.from_koopmans_beckmann(A, B, C)
    assert problem.n_candidates == 3 and gm.gm_solve(problem, "ilp").labels.tolist() == [1, 0]
    assert models.from_koopmans_beckmann(A, B, -C, sense="max").n_candidates == 3
