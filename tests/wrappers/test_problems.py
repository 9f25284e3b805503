"""Problems as MATLAB has them: structs of models go to Python and back without K."""

import numpy as np
import pytest
from scipy import sparse
from small import random_problem
from wrapper_calls import ask_verb

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.products import Products
from gmtoolbox.io.mat_files import read_variables, save_variables
from gmtoolbox.wrappers import problems
from gmtoolbox.wrappers.problems import problem_of_variables, problem_variables

MATRICES = {"K", "KQ", "reducedK"}


@pytest.fixture
def graphs():
    rng = np.random.default_rng(3)
    return (rng.random((6, 6)) < 0.4).astype(float), (rng.random((7, 7)) < 0.4).astype(float)


def back(variables, tmp_path):
    """The problem of variables that went through a file."""
    save_variables(tmp_path / "s.mat", variables)
    return problem_of_variables(read_variables(tmp_path / "s.mat"))


def test_a_struct_of_graphs_has_no_matrix(graphs, tmp_path):
    A, B = graphs
    struct = ask_verb(tmp_path, "build", {"first": A, "second": B}, builder="graphs")
    assert not MATRICES & struct.keys() and struct["sense"] == "max"
    assert back(clean(struct), tmp_path) == gm.models.from_graphs(A, B)


def test_a_struct_of_points_has_what_it_was_made_of(tmp_path):
    rng = np.random.default_rng(1)
    P, Q = rng.random((6, 2)), rng.random((7, 2))
    edges = np.array([[1.0, 2], [2, 3], [5, 6]])
    arrays = {"first": P, "second": Q, "array_edges1": edges}
    struct = ask_verb(tmp_path, "build", arrays, builder="points", options={"width": 0.5, "k": 3.0})
    assert not MATRICES & struct.keys()
    expected = gm.models.from_points(P, Q, edges1=edges.astype(int) - 1, width=0.5, k=3)
    assert back(clean(struct), tmp_path) == expected
    changed = {
        **clean(struct),
        "complete": True,
        "ground_truth": np.array([[1.0, 2, 3, 4, 5, 0]]).T,
    }
    found = back(changed, tmp_path)
    assert found.complete and found.ground_truth.tolist() == [0, 1, 2, 3, 4, -1]


def clean(struct):
    """A struct without what loadmat adds, vectors as columns."""
    return {
        name: np.atleast_2d(value) if isinstance(value, np.ndarray) else value
        for name, value in struct.items()
        if not name.startswith("__")
    }


@pytest.mark.parametrize("field", ["points1", "points2", "options", "sense"])
def test_a_field_that_is_missing_is_named(field, tmp_path):
    P = np.random.default_rng(1).random((5, 2))
    struct = clean(ask_verb(tmp_path, "build", {"first": P, "second": P}, builder="points"))
    del struct[field]
    with pytest.raises(InputError, match=f"has no field {field}"):
        back(struct, tmp_path)


def test_another_sense_is_refused(graphs, tmp_path):
    struct = clean(
        ask_verb(
            tmp_path, "build", dict(zip(("first", "second"), graphs, strict=True)), builder="graphs"
        )
    )
    with pytest.raises(InputError, match="the sense of this model is 'max', got 'min'"):
        back({**struct, "sense": "min"}, tmp_path)


def test_products_factors_and_lists_come_back(graphs, tmp_path):
    A, B = graphs
    rng = np.random.default_rng(0)
    C = rng.random((6, 7))
    C[0, 1] = np.inf
    kb = gm.models.from_koopmans_beckmann(A, B, C)
    graph = {"G": np.eye(3), "H": np.roll(np.eye(3), 1, axis=0)}
    factors = gm.models.from_factors(rng.random((3, 3)), rng.random((3, 3)), graph, graph)
    for problem in (kb, gm.models.from_koopmans_beckmann(A, B, sense="max"), factors,
                    random_problem(rng, 4, 5)):  # fmt: skip
        struct = problem_variables(problem)
        found = back(struct, tmp_path)
        assert found == problem and type(found.edges) is type(problem.edges)
        assert ("K" in struct) == (type(problem.edges).__name__ == "Listed")


def test_a_large_problem_travels(tmp_path):
    """n = 2000: 10^13 products; nothing is written out."""
    rng = np.random.default_rng(0)
    A = sparse.random(2000, 2000, 0.002, random_state=rng, format="csc")
    struct = ask_verb(tmp_path, "build", {"first": A, "second": A}, builder="graphs")
    found = problem_of_variables(
        {
            **struct,
            "A": sparse.csc_array(struct["A"]),
            "B": sparse.csc_array(struct["B"]),
            "options": {},
            "complete": np.array([[1.0]]),
        }
    )
    assert isinstance(found.edges, Products) and found.shape == (2000, 2000)


def test_the_last_problem_is_made_once(graphs, tmp_path, monkeypatch):
    A, B = graphs
    built = problems.build_problem("graphs", A, B, {})
    assert problems.build_problem("graphs", A.copy(), B.copy(), {}) is built
    assert problems.build_problem("graphs", A, B, {"complete": False}) is not built
    assert len(problems._kept) == 1
    assert problems.build_problem("graphs", 2 * A, B, {}) == gm.models.from_graphs(2 * A, B)


def test_messages_name_the_arguments_of_matlab(tmp_path):
    with pytest.raises(InputError, match="^A must be a finite square matrix"):
        problems.build_problem("graphs", np.ones((2, 3)), np.eye(2), {})
