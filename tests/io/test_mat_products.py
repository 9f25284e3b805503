"""Koopmans-Beckmann problems in .mat files without K."""

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.products import Products
from gmtoolbox.io import mat
from gmtoolbox.io.mat_files import read_variables


def problem(n=5, m=6, sense="min", **rest):
    rng = np.random.default_rng(n)
    C = rng.normal(size=(n, m))
    C[1, 2] = np.inf if sense == "min" else -np.inf
    A, B = rng.normal(size=(n, n)), rng.normal(size=(m, m))
    return gm.models.from_koopmans_beckmann(A, B, C, sense=sense, offset=2.5, **rest)


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("version", ["6", "7", "7.3"])
def test_products_come_back(sense, version, tmp_path):
    p = problem(sense=sense, ground_truth=[0, 1, -1, 3, 2], complete=sense == "min")
    gm.save(p, tmp_path / "p.mat", schema="products", version=version)
    found = gm.load(tmp_path / "p.mat")
    assert found == p and isinstance(found.edges, Products)
    assert "K" not in read_variables(tmp_path / "p.mat")


def test_too_many_products_for_a_matrix(tmp_path):
    """Before, n = 200 could not be saved as .mat at all."""
    A = sparse.random(400, 400, 0.05, random_state=0, format="csr")
    p = gm.models.from_graphs(A, A)
    gm.save(p, tmp_path / "p.mat")
    found = gm.load(tmp_path / "p.mat")
    labels = np.random.default_rng(0).permutation(400)
    assert found.energy(labels) == p.energy(labels) and found.sense == "max"
    assert sparse.issparse(found.edges.A) and found.complete


def test_only_products_are_saved_as_products(tmp_path):
    with pytest.raises(InputError, match="Koopmans-Beckmann"):
        gm.save(gm.synth.car(seed=0, size=5), tmp_path / "p.mat", schema="products")


@pytest.mark.parametrize(
    "changes, said",
    [({"A": np.ones((2, 3))}, "A must be a square"), ({"B": None}, "needs the matrix B"),
     ({"C": np.ones((2, 2))}, "C must be 5 x 6"),
     ({"A": np.full((5, 5), np.nan)}, "A must be finite")],
)  # fmt: skip
def test_what_is_wrong_is_named(changes, said):
    variables = {**mat.variables_of(problem(), "products"), **changes}
    variables = {name: value for name, value in variables.items() if value is not None}
    variables["constant"] = np.array([[2.5]])
    variables["complete"] = np.array([[1.0]])
    with pytest.raises(InputError, match=said):
        mat.problem_of(variables)
