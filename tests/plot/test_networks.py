"""Two networks: common edges bold, lost ones red, counted as the value counts them."""

import networkx as nx
import numpy as np
import pytest
from svg import elements

import gmtoolbox as gm
from gmtoolbox import plot
from gmtoolbox.plot import networks


def two_graphs(n=20, seed=1):
    """A graph, and a shuffled copy without some edges and with others."""
    rng = np.random.default_rng(seed)
    first = nx.gnm_random_graph(n, 2 * n, seed=seed)
    at = rng.permutation(n)
    second = nx.empty_graph(n)
    second.add_edges_from((int(at[a]), int(at[b])) for a, b in list(first.edges)[3:])
    second.add_edges_from([(0, 1), (2, 3)])
    return first, second


def test_edges_are_counted_as_common_and_lost():
    first, second = two_graphs()
    problem = gm.models.from_graphs(first, second)
    result = gm.gm_solve(problem)
    drawn = plot.matching(problem, result, title="Networks")
    image = {frozenset((result.labels[a], result.labels[b])) for a, b in first.edges}
    common = len(image & {frozenset(edge) for edge in second.edges})
    assert common == result.value / 2  # each common edge counts twice in the value
    kinds = [line.get("class") for line in elements(drawn, "line")]
    assert kinds.count("edge common") == 2 * common  # once in each graph
    lost = first.number_of_edges() - common, second.number_of_edges() - common
    assert kinds.count("edge lost") == sum(lost)
    assert f">{common} common edges (bold)</text>" in drawn
    assert f">{lost[0]} only left, {lost[1]} only right</text>" in drawn
    assert ">Networks</text>" in drawn and len(elements(drawn, "circle")) == 40


def test_truth_colours_the_nodes_and_unmatched_ones_are_hollow():
    problem = gm.models.from_graphs(nx.path_graph(4), nx.path_graph(5), complete=False)
    drawn = plot.matching(problem, [0, 1, 3, -1], ground_truth=[0, 1, 2, 3])
    for text in ("2 nodes correct", "1 node wrong", "unmatched (hollow): 1 left, 2 right"):
        assert f">{text}</text>" in drawn
    assert len(elements(drawn, "circle", class_="node unmatched")) == 1 + 2


@pytest.mark.parametrize("n", [5, 60])
def test_other_problems_have_graphs_too(n):
    """Products without neighbours, and listed edges: their own pattern is the graph."""
    rng = np.random.default_rng(0)
    A = rng.integers(0, 2, (n, n))
    made = gm.models.from_koopmans_beckmann(A + A.T, A + A.T, sense="max")
    assert "common edges" in plot.matching(made, np.arange(n))
    if n < 10:
        listed = gm.Problem.from_matrix(rng.random((n * n, n * n)), shape=(n, n))
        assert "common edges" in plot.matching(listed, np.arange(n))
        gm.Problem((1, 1), [0], [0], [0.0])
        plot.matching(gm.Problem((1, 1), [0], [0], [0.0]), [0])


def test_names_in_a_crowd_move_apart():
    rng = np.random.default_rng(3)
    points = rng.random((30, 2)) * 150
    names = [f"n{k}" for k in range(30)]
    boxes, none = [], np.empty((0, 2), dtype=int)
    for name, (x, y, anchor) in zip(
        names, networks.name_places(points, names, 5.0, (-20, 400), none), strict=True
    ):
        left = x if anchor == "start" else x - 7.5 * len(name)
        boxes.append((left, y - 10, left + 7.5 * len(name), y))
    plain = [
        (x + 7, y - 14, x + 7 + 7.5 * len(n), y - 4)
        for n, (x, y) in zip(names, points, strict=True)
    ]

    def covered(boxes):
        return sum(networks.overlap(a, b) for k, a in enumerate(boxes) for b in boxes[:k])

    assert covered(plain) > 500 and covered(boxes) < 0.1 * covered(plain)
    assert min(box[0] for box in boxes) >= -20
    alone = np.array([[50.0, 50.0]])
    assert networks.name_places(alone, ["ab"], 5.0, (0, 90), none) == [(57.0, 46.0, "start")]
    assert networks.name_places(alone, ["ab"], 5.0, (0, 60), none) == [(43.0, 46.0, "end")]


def test_too_many_edges_are_refused(monkeypatch):
    monkeypatch.setattr(networks, "MOST_EDGES", 10)
    problem = gm.models.from_graphs(*two_graphs())
    with pytest.raises(gm.InputError, match="at most 10 edges"):
        plot.matching(problem)
    with pytest.raises(gm.InputError, match="images goes with points in the plane"):
        plot.matching(problem, images=(np.zeros((3, 3)),) * 2)


def test_the_part_of_a_line_inside_a_box():
    box = (0.0, 0.0, 10.0, 4.0)
    start = np.array([[-5.0, 2.0], [3.0, -9.0], [20.0, 0.0], [2.0, 1.0]])
    end = np.array([[15.0, 2.0], [3.0, 9.0], [20.0, 4.0], [2.0, 3.0]])
    lengths = [networks.length_inside(box, start[[k]], end[[k]]) for k in range(4)]
    assert lengths == pytest.approx([10.0, 4.0, 0.0, 2.0])
    assert networks.length_inside(box, start[:0], end[:0]) == 0.0


def test_names_avoid_the_lines():
    points = np.array([[50.0, 50.0], [150.0, 50.0]])
    lines = np.array([[0, 1]])
    for (x, y, anchor), (at, _) in zip(
        networks.name_places(points, ["name", "name"], 5.0, (0, 400), lines), points, strict=True
    ):
        left = x if anchor == "start" else x - 4 * networks.LETTER
        box = (left, y - networks.HIGH, left + 4 * networks.LETTER, y)
        assert networks.length_inside(box, points[[0]], points[[1]]) == 0.0, at
