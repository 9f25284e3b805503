"""A small problem that has everything (forbidden pairs, zero costs, points, neighbours, ground
truth), and damaged files.
"""

import numpy as np
import pytest
from hypothesis import strategies as st

import gmtoolbox as gm


@pytest.fixture(scope="session")
def random_problem():
    def make(seed=0, **settings):
        rng = np.random.default_rng(seed)
        n1, n2 = 4, 6
        left, right = np.nonzero(rng.random((n1, n2)) < 0.6)
        N = len(left)
        a, b = np.nonzero(np.triu(rng.random((N, N)) < 0.4, 1))
        edge_cost = rng.normal(size=len(a))
        edge_cost[::5] = 0.0
        cost = rng.normal(size=N)
        cost[0] = 0.0
        return gm.Problem(
            (n1, n2),
            left,
            right,
            cost,
            a,
            b,
            edge_cost,
            points1=rng.random((n1, 2)),
            points2=rng.random((n2, 3)),
            neighbours1=[[0, 1], [2, 3]],
            neighbours2=[[5, 0]],
            ground_truth=[1, -1, 0, 5],
            **settings,
        )

    return make


@pytest.fixture(scope="session")
def load_damaged():
    """What gm.load makes of a content with up to eight bytes changed from `first` on; None where it
    refuses the file.
    """

    def load(path, content, data, first=0):
        content = bytearray(content)
        for at in data.draw(st.lists(st.integers(first, len(content) - 1), min_size=1, max_size=8)):
            content[at] ^= data.draw(st.integers(1, 255))
        path.write_bytes(content)
        try:
            return gm.load(path)
        except gm.FileFormatError:
            return None

    return load
