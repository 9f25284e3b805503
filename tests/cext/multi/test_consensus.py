"""multi/consensus: matches that others confirm come first; what is not allowed is not united."""

import numpy as np
from multi_cases import random_multi
from multi_graphs import Graphs

import gmtoolbox as gm


def built(problem, matchings, costs=None):
    """Tracks from a matching of every pair, in the order (0, 1), (0, 2), ...; with costs of the
    pairs, the cheapest first.
    """
    graphs = Graphs(problem, "multi/consensus.h")
    consensus = graphs.ffi.new("multi_consensus *")
    graphs.lib.multi_consensus_take(consensus, graphs.pool, graphs.graphs)
    for k, labels in enumerate(matchings):
        for i, s in enumerate(labels):
            consensus.matchings.forward[k][i] = s
    tracks = graphs.tracks()
    for k, cost in enumerate(costs or ()):
        consensus.priced[k].pair, consensus.priced[k].cost = k, cost
    if costs is None:
        graphs.lib.multi_consensus_build(consensus, tracks)
    else:
        graphs.lib.multi_consensus_build_by_cost(consensus, tracks)
    return [own.tolist() for own in graphs.stored(tracks)[0]]


def every_pair(sizes):
    rng = np.random.default_rng(0)
    return random_multi(int(rng.integers(9)), sizes, density=1.1)


def test_matchings_that_agree_are_kept():
    assert built(every_pair((2, 2, 2)), [[1, 0], [0, 1], [1, 0]]) == [[0, 1], [1, 0], [0, 1]]


def test_the_confirmed_match_wins():
    """0-1 and 1-2 and 0-2 agree on the first node; the second of graph 0 wants the same node."""
    tracks = built(every_pair((2, 1, 1)), [[0, -1], [0, -1], [0]])
    assert tracks == [[0, 1], [0], [0]]
    # graph 0's second node is matched to graph 2 without anybody's confirmation
    tracks = built(every_pair((2, 2, 1)), [[0, 1], [0, -1], [0, -1]])
    assert tracks == [[0, 1], [0, 1], [0]]


def test_pairs_that_are_not_allowed_stay_apart():
    one = gm.Problem((1, 1), [0], [0], [-1.0])
    apart = gm.Problem((1, 2), [0], [1], [-1.0])
    other = gm.Problem((1, 2), [0, 0], [0, 1], [-1.0, -1.0])
    m = gm.MultiProblem({(0, 1): one, (0, 2): apart, (1, 2): other})
    tracks = built(m, [[0], [-1], [0]])  # 0-1 and 1-2(0), but 0 and 2(0) may not be together
    assert not (tracks[0][0] == tracks[1][0] == tracks[2][0])


def test_the_cheapest_pair_leads():
    """The three matchings do not agree: two of them decide, by their costs."""
    given = [[0, 1], [1, 0], [0, 1]]
    m = every_pair((2, 2, 2))
    assert built(m, given, [-3.0, -2.0, -1.0]) == [[0, 1], [0, 1], [1, 0]]
    assert built(m, given, [-3.0, -1.0, -2.0]) == [[0, 1], [0, 1], [0, 1]]
    assert built(m, given, [-1.0, -3.0, -2.0]) == [[0, 1], [1, 0], [1, 0]]
