"""multi/swap: exchanges between tracks only gain, and what they say is what they gain."""

import numpy as np
import pytest
from multi_cases import random_multi
from multi_graphs import Graphs


@pytest.mark.parametrize("seed", range(6))
def test_exchanges_never_lose(seed):
    m = random_multi(seed, (2, 2, 2, 2), density=1.1)
    graphs = Graphs(m, "multi/swap.h")
    swap = graphs.ffi.new("multi_swap *")
    graphs.lib.multi_swap_take(swap, graphs.pool, graphs.graphs)
    rng = np.random.default_rng(seed)
    flat = np.concatenate([rng.permutation(2) for _ in range(4)])
    tracks = graphs.tracks(flat)
    cost = graphs.stored(tracks)[1]
    for _ in range(3):
        for track in range(graphs.graphs.n_nodes):
            found = graphs.lib.multi_swap_track(swap, tracks, track)
            after = graphs.stored(tracks)[1]
            assert after < cost if found > 0 else after == pytest.approx(cost)
            assert tracks.value == pytest.approx(after)
            cost = after


def test_a_wrong_member_changes_places():
    """Two tracks over three graphs; graph 2's members are exchanged."""
    from gmtoolbox import MultiProblem, Problem

    right = Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [-5.0, 1.0, 1.0, -5.0])
    m = MultiProblem({(0, 1): right, (0, 2): right, (1, 2): right})
    graphs = Graphs(m, "multi/swap.h")
    swap = graphs.ffi.new("multi_swap *")
    graphs.lib.multi_swap_take(swap, graphs.pool, graphs.graphs)
    tracks = graphs.tracks([0, 1, 0, 1, 1, 0])
    while sum(graphs.lib.multi_swap_track(swap, tracks, track) for track in range(6)):
        pass
    split, cost = graphs.stored(tracks)
    assert [own.tolist() for own in split] == [[0, 1]] * 3 and cost == -30.0


@pytest.mark.parametrize("seed", range(8))
def test_exchanges_of_many_graphs_are_found(seed):
    """Two tracks over eleven graphs: the best of all 2^10 exchanges."""
    from gmtoolbox import MultiProblem, Problem

    d, rng = 11, np.random.default_rng(seed)
    gain = rng.normal(size=(d, d)).round(3)  # what it brings that g and h are as they began
    pairs = {
        (g, h): Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1],
                        [-9 - gain[g, h], -9.0, -9.0, -9 - gain[g, h]])
        for h in range(d) for g in range(h)
    }  # fmt: skip
    graphs = Graphs(MultiProblem(pairs), "multi/swap.h")
    swap = graphs.ffi.new("multi_swap *")
    graphs.lib.multi_swap_take(swap, graphs.pool, graphs.graphs)
    tracks = graphs.tracks([0, 1] * d)
    while sum(graphs.lib.multi_swap_track(swap, tracks, track) for track in range(2)):
        pass
    sides = (np.arange(2 ** (d - 1))[:, None] >> np.arange(d)) & 1
    least = min(
        sum(-18 - 2 * gain[g, h] * (x[g] == x[h]) for h in range(d) for g in range(h))
        for x in sides
    )
    assert graphs.stored(tracks)[1] == pytest.approx(least, abs=1e-9)
