"""Arrays of edit models."""

import numpy as np

from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edit_tables import adjacency, as_table, matching_problem, paid_for
from gmtoolbox.models.edits import EditModel


def test_adjacency_without_loops():
    A = np.array([[1, 2, 0], [2, 0, 0], [0, 0, 0]])
    graph = EditModel.of(EditCosts(), A, A).first
    assert adjacency(graph, 4).toarray().tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [0] * 4, [0] * 4]
    arcs = EditModel.of(EditCosts(), np.triu(A), np.triu(A)).first
    assert adjacency(arcs, 3).toarray().tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_steps_are_paid_once():
    substitute = lambda i, s: 10.0 * i + s
    asked = [(1, None), (None, 0), (1, 2)]
    assert [paid_for(i, s, [1.0, 2.0], [3.0], substitute) for i, s in asked] == [2.0, 3.0, 12.0]


def test_tables_of_no_rows_have_columns():
    assert as_table([], [], [1, 2]).shape == (0, 2) and as_table([[], []], [3, 4], []).size == 0
    assert as_table([[1, 2]], [5], [6, 7]).tolist() == [[1.0, 2.0]]


def test_matching_problem_leaves_out_forbidden_pairs():
    unary = np.array([[1.0, np.inf], [2.0, 3.0]])
    ends = tuple(np.array(part) for part in ([0, 0], [0, 1], [1, 1], [1, 0]))
    problem = matching_problem(unary, ends, np.array([-5.0, -7.0]), 2.0)
    assert (problem.n_candidates, problem.n_edges) == (3, 1)
    assert problem.energy([0, 1]) == 2.0 + 1.0 + 3.0 - 5.0
    assert matching_problem(np.full((2, 2), np.inf), ends, np.zeros(2), 0.0) is None
