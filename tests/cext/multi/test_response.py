"""multi/response: one graph matched to the tracks of all others, never for the worse."""

import numpy as np
import pytest
from multi_cases import random_multi
from multi_graphs import Graphs


def improved(graphs, tracks, g, vain=60):
    response = graphs.ffi.new("multi_response *")
    graphs.lib.multi_response_take(response, graphs.pool, graphs.graphs)
    found = graphs.lib.multi_response_improve(response, tracks, g, graphs.random(), vain)
    graphs.lib.multi_response_free(response)
    return found


def best_response(m, split, g):
    """The least cost with all graphs but g as they are."""
    others = sorted({int(t) for h, own in enumerate(split) if h != g for t in own})
    fresh, best = max(others) + 1, np.inf

    def place(i, taken):
        if i == m.sizes[g]:
            yield []
            return
        for t in [t for t in others if t not in taken] + [fresh + i]:
            for rest in place(i + 1, taken | {t}):
                yield [t, *rest]

    for own in place(0, frozenset()):
        tracks = [own if h == g else list(map(int, split[h])) for h in range(m.d)]
        best = min(best, m.bare_cost(tracks))
    return best


@pytest.mark.parametrize("seed", range(5))
def test_the_best_response_is_found(seed):
    m = random_multi(seed, (3, 2, 2), density=1.1)
    graphs = Graphs(m, "multi/response.h")
    tracks = graphs.tracks()
    before, cost = graphs.stored(tracks)
    wanted = best_response(m, before, 0)
    assert improved(graphs, tracks, 0) == (wanted < cost - 1e-9)
    after, reached = graphs.stored(tracks)
    assert reached == pytest.approx(wanted) and tracks.value == pytest.approx(reached)
    assert improved(graphs, tracks, 0) == 0  # nothing is left to gain


def test_nodes_that_were_out_are_put():
    m = random_multi(3, (3, 3), density=1.1)
    graphs = Graphs(m, "multi/response.h")
    tracks = graphs.tracks([-1, -1, -1, 0, 1, 2])
    assert improved(graphs, tracks, 0) >= 0
    assert all(tracks.track[i] >= 0 for i in range(6))
