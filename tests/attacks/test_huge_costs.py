"""Costs near the largest double: refused in one line where their sums would overflow, in every
door, instead of pairs that are silently forbidden ('no complete matching exists') or infinite
values; below the limit every proof holds.
"""

import math

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from small import brute_force

import gmtoolbox as gm
from gmtoolbox.core.values import LARGEST_TOTAL

HUGE = 1.5e308
FULL = np.full((4, 4), HUGE)
OFF = np.full((3, 3), 1e200) * (1 - np.eye(3))


def one(cost, **rest):
    return gm.Problem((1, 1), [0], [0], [cost], **rest)


def weighted(graph):
    nx.set_edge_attributes(graph, HUGE, "weight")
    return graph


def read(folder, name, text):
    (folder / name).write_text(text)
    return gm.load(folder / name)


DOORS = {
    "dense K": lambda folder: gm.gm_solve(FULL, shape=(2, 2), sense="min"),
    "sparse K": lambda folder: gm.gm_solve(sparse.csr_array(FULL), shape=(2, 2), sense="max"),
    "sparse K, one side": lambda folder: gm.Problem.from_matrix(
        sparse.csr_array(np.triu(FULL)), shape=(2, 2), sense="min"
    ),
    "unaries": lambda folder: gm.Problem((2, 2), [0, 1], [0, 1], [HUGE, HUGE]),
    "repeated edges": lambda folder: gm.Problem(
        (2, 2), [0, 1], [0, 1], [0.0, 0.0], [0, 0], [1, 1], [HUGE, HUGE]
    ),
    "offset": lambda folder: one(1.0, offset=HUGE),
    "many graphs": lambda folder: gm.MultiProblem(
        {pair: one(0.9 * LARGEST_TOTAL) for pair in ((0, 1), (0, 2), (1, 2))}
    ),
    "products": lambda folder: gm.models.from_koopmans_beckmann(OFF, OFF),
    "diagonals": lambda folder: gm.models.from_koopmans_beckmann(OFF + 1e200, OFF + 1e200),
    "factors": lambda folder: gm.models.from_factors(
        np.zeros((2, 2)), [[HUGE]], *[{"G": [[1], [0]], "H": [[0], [1]]}] * 2
    ),
    "graphs": lambda folder: gm.models.from_graphs(
        weighted(nx.path_graph(3)), weighted(nx.cycle_graph(4)), weight="weight"
    ),
    "edit costs": lambda folder: gm.graph_edit_distance(
        nx.path_graph(2), nx.path_graph(3), node_del_cost=lambda node: HUGE
    ),
    "scale of edit costs": lambda folder: gm.graph_edit_distance(
        nx.path_graph(2), nx.path_graph(3), costs=(HUGE, 1, 1, 1)
    ),
    ".dd": lambda folder: read(folder, "x.dd", f"p 1 1 1 0\na 0 0 0 {HUGE}\n"),
    ".dat": lambda folder: read(folder, "x.dat", "2\n1e200 1\n1 1\n1e200 1\n1 1\n"),
    "many problems": lambda folder: gm.gm_solve_many([one(HUGE)]),
    "price of free nodes": lambda folder: gm.assign(np.ones((2, 3)), unmatched=HUGE),
    "price, sparse": lambda folder: gm.assign(sparse.csr_array(np.ones((2, 3))), unmatched=-HUGE),
    "weights of nodes": lambda folder: gm.maximum_common_subgraph(
        nx.path_graph(2), nx.path_graph(3), "induced", node_weight=lambda one, other: HUGE
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_sums_that_would_overflow_are_refused(door, tmp_path):
    """Warnings are errors in the tests: nothing overflows on the way to the message, either."""
    with pytest.raises(gm.InputError) as caught:
        DOORS[door](tmp_path)
    said = str(caught.value)
    assert "\n" not in said
    limits = "add up to more than", "up to 1e+290", "at most 1e+290", "must be finite"
    assert any(limit in said for limit in limits)


def largest_problem(seed):
    """A hundredth of what is allowed, which every transform keeps below the limit."""
    rng = np.random.default_rng(seed)
    left, right = np.divmod(np.arange(9), 3)
    a, b = np.triu_indices(9, 1)
    scale = 0.01 * LARGEST_TOTAL / 45  # transforms make larger sums of them
    costs = [rng.uniform(-scale, scale, n) for n in (9, len(a))]
    complete = bool(seed % 2)
    return gm.Problem((3, 3), left, right, costs[0], a, b, costs[1], complete=complete)


@pytest.mark.parametrize("method", ["aj", "auto", "fm-bca", "mp", "dd-ls4", "hbp", "fw", "fm"])
def test_answers_below_the_limit_are_right(method):
    for seed in range(10):
        problem = largest_problem(seed)
        best = brute_force(problem)
        r = gm.gm_solve(problem, method, time_limit=5.0)
        assert math.isfinite(r.value) and r.bound <= best * (1 + 1e-9 * np.sign(best))
        assert r.value == problem.energy(r.labels)
        if r.status == "optimal":
            assert r.value == pytest.approx(best, rel=1e-6)
