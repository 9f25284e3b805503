"""multi/tracks: value and prices are right after any sequence of moves."""

import numpy as np
import pytest
from multi_cases import random_multi
from multi_graphs import Graphs


@pytest.mark.parametrize("seed", range(4))
def test_value_after_moves(seed):
    m = random_multi(seed, (2, 3, 2), density=1.0)
    graphs, rng = Graphs(m), np.random.default_rng(seed)
    tracks = graphs.tracks()
    for _ in range(60):
        g = int(rng.integers(3))
        i = int(rng.integers(m.sizes[g]))
        graphs.lib.multi_tracks_out(tracks, g, i)
        n = graphs.graphs.n_nodes
        free = [
            t for t in range(n) if tracks.size[t] > 0 and tracks.member[t * 3 + g] < 0
        ]  # fmt: skip
        to = int(rng.choice([*free, -1]))
        graphs.lib.multi_tracks_put(tracks, g, i, to)
        split, cost = graphs.stored(tracks)
        assert tracks.value == pytest.approx(cost)
        assert graphs.lib.multi_tracks_cost(tracks) == pytest.approx(cost)
        again = graphs.tracks(np.concatenate(split))
        for (g, h), problem in m.pairs.items():
            k = [(0, 1), (0, 2), (1, 2)].index((g, h))
            for p in range(problem.n_candidates):
                assert tracks.price[k][p] == pytest.approx(again.price[k][p], abs=1e-9)


def test_a_node_that_is_out_is_a_track_of_its_own():
    graphs = Graphs(random_multi(1, (2, 2), density=1.0))
    tracks = graphs.tracks([0, 1, 0, 1])
    graphs.lib.multi_tracks_out(tracks, 0, 1)
    graphs.lib.multi_tracks_out(tracks, 0, 1)  # nothing happens
    split, _ = graphs.stored(tracks)
    assert [own.tolist() for own in split] == [[0, 1], [0, 2]]
