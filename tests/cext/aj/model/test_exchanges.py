"""aj/model/exchanges: the commuting exchanges of grids and hypercubes, their coordinates, the mean
over all images.
"""

import numpy as np
import pytest
from exchanged import Found, costs, grid, hypercube, without_structure


@pytest.mark.parametrize(
    ("distance", "n_exchanges"),
    [
        (grid(2, 3), 2), (grid(3, 4), 2), (grid(3, 3), 2), (grid(1, 5), 1),
        (hypercube(8), 3), (hypercube(16), 4), (without_structure(6), 0),
    ],
)  # fmt: skip
def test_exchanges_of_grids_and_hypercubes_are_found(distance, n_exchanges):
    n = len(distance)
    flow = without_structure(n, seed=1)
    found = Found(flow, distance)
    assert found.nodes.n_exchanges == 0
    assert found.labels.n_exchanges == n_exchanges
    images = found.images(found.labels)
    assert len(set(map(tuple, images))) == 1 << n_exchanges
    for g in images:
        assert [g[y] for y in g] == list(range(n))
        assert np.array_equal(distance[np.ix_(g, g)], distance)
        assert all([g[y] for y in h] == [h[y] for y in g] for h in images)
    turned = Found(distance, flow)
    assert (turned.nodes.n_exchanges, turned.labels.n_exchanges) == (n_exchanges, 0)


@pytest.mark.parametrize("distance", [grid(3, 4), grid(3, 3), hypercube(8), without_structure(5)])
def test_coordinates_make_what_exchanges_leave_alone_block_diagonal(distance):
    found = Found(without_structure(len(distance)), distance)
    T, classes = found.coordinates(found.labels)
    assert np.allclose(T @ T.T, np.eye(len(T)))
    turned = T @ distance @ T.T
    assert np.allclose(turned[classes[:, None] != classes], 0)
    assert np.allclose(T[classes > 0].sum(1), 0)


def test_costs_and_allowed_pairs_both_decide():
    flow, distance = without_structure(6, seed=1), grid(2, 3)
    L, allowed = costs(flow, distance)
    assert Found(flow, distance).labels.n_exchanges == 2
    L[3, 3] = 1.0  # node 0, label 2: a cost of its own
    assert Found(flow, distance, L=L).labels.n_exchanges == 0
    allowed[1, 8] = allowed[8, 1] = 0
    assert Found(flow, distance, allowed=allowed).labels.n_exchanges == 0


def test_the_mean_is_that_of_all_images():
    rng = np.random.default_rng(3)
    found = Found(hypercube(4), grid(2, 2))
    assert found.nodes.n_exchanges >= 2
    X = rng.normal(size=(17, 17))
    X += X.T
    images = []
    for g in found.images(found.nodes):
        for h in found.images(found.labels):
            order = np.array([0, *(1 + 4 * g[i] + h[s] for i in range(4) for s in range(4))])
            images.append(X[np.ix_(order, order)])
    assert np.allclose(found.average(X), np.mean(images, axis=0))
