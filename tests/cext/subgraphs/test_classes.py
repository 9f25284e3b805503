"""classes: split by a pair of nodes, bounded by smaller sides, cut to what can be reached."""

import networkx as nx
import numpy as np
from c_internals import internals
from subgraph_kernels import ONE, Question, listed, plain_pair

from gmtoolbox.subgraphs.labelled import GraphPair

ffi, lib = internals("subgraphs/classes.h")


def test_a_pair_of_nodes_splits_by_adjacency():
    asked = Question(plain_pair(nx.path_graph(5), nx.star_graph(4)))
    assert asked.members(0) == ({0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}) and asked.most(0, 1) == 5
    end = asked.split(0, 1, 1, 0)  # the rest of the star is adjacent to its centre
    assert end == 2 and asked.members(1) == ({0, 2}, {1, 2, 3, 4})
    assert asked.classes.of[1].anchors == 1 and asked.most(1, 2) == 2


def test_edges_with_both_ends_mapped_are_matched_at_once():
    C = nx.cycle_graph(3)
    asked = Question(plain_pair(C, C), by_edges=1)
    end = asked.split(0, 1, 0, 0)
    assert (end, asked.matched[0]) == (3, 0)
    second = asked.split(1, 3, 1, 1)
    assert asked.matched[0] == 1 and asked.most(3, second) == 2


def test_classes_that_share_members_are_bounded_by_their_union():
    fit = [[True, True], [True, False]]
    one, other = listed(nx.empty_graph(4)), listed(nx.empty_graph(2))
    one.type[:2], other.type[1:] = 1, 1
    asked = Question(GraphPair(one, other, False, np.array(fit), ONE))
    assert asked.q.overlaps and asked.q.n_classes == 2
    assert sum(asked.classes.of[k].most for k in (0, 1)) == 3 and asked.most(0, 2) == 2


def test_what_cannot_be_reached_is_dropped():
    two = nx.disjoint_union(nx.path_graph(70), nx.path_graph(60))
    asked = Question(plain_pair(two, nx.path_graph(200)), connected=1)
    end = asked.split(0, 1, 0, 0)
    assert asked.most(1, end) == 129
    end = lib.sub_keep_reachable(asked.q, asked.classes, 1, end, asked.scratch)
    assert asked.most(1, end) == 69
    assert set().union(*(asked.members(k)[0] for k in range(1, end))) == set(range(1, 70))
