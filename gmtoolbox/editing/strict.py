"""Edit distances of 0 and 1 without a matching problem: the graphs are the same, or a graph holds a
pattern as it is or without one of its edges.
"""

import math
from dataclasses import replace

from gmtoolbox.core.lazy import np
from gmtoolbox.subgraphs.contained import Question
from gmtoolbox.subgraphs.labelled import LabelledGraph

CONTAINED = "contained"  # the method's name in results
MOST_WORK = 3e8  # nodes of the search tree times nodes and edges of the graphs
MOST_EDGES = 100  # of a pattern whose edges are left out one by one


def find_isomorphism(model, seconds=math.inf):
    """Return labels of an EditModel that cost nothing, since its graphs are the same; or None."""
    if not looks_equal(model.first, model.second):
        return None
    asked = Question(model, isomorphic=True)
    return first_map(asked, model, MOST_WORK, seconds)[0]


def looks_equal(first, second):
    """Return True if two graphs have equal numbers of nodes, edges and neighbours."""
    if len(first) != len(second) or len(first.tail) != len(second.tail):
        return False
    counts = [
        np.sort(np.bincount(np.concatenate([g.tail, g.head]), minlength=len(g)))
        for g in (first, second)
    ]
    return np.array_equal(*counts)


def first_map(asked, model, work, seconds):
    """Return (the first map or None, whether the search has ended), within this much work."""
    size = sum(len(nodes) for nodes in asked.nodes) + len(asked.pair.second.tail) + 1
    options = {}
    if model.root_pair is not None:
        fixed = np.full(len(model.first), -1, np.int32)
        fixed[model.root_pair[0]] = model.root_pair[1]
        options["fixed"] = fixed
    return asked.first(max(int(work / size), 1), seconds, **options)


def find_pattern(model, least, seconds=math.inf):
    """Return (labels, bound) of the pattern of an EditModel in a graph.

    labels are those of a map that costs nothing, or `least` if there is none; None if neither is
    found. bound is `least` if no map costs nothing, else 0. least: the cost of leaving out
    an edge, if no map costs less, else 0.
    """
    asked = Question(model)
    labels, is_over = first_map(asked, model, MOST_WORK, seconds / 2)
    if labels is not None or not is_over or least == 0:
        return labels, 0.0
    whole, single = asked.pair, single_edges(model)
    for k in single if len(single) <= MOST_EDGES else ():
        asked.pair = without_edge(whole, k)
        labels, _ = first_map(asked, model, MOST_WORK / 100, seconds / (4 * len(single)))
        if labels is not None:
            return labels, least
    return None, least


def single_edges(model):
    """Return the places of the pattern's edges that have no parallel ones."""
    content = model.costs.bundles.content
    return [k for k, bundle in enumerate(model.first.bundle) if len(content[bundle]) == 1]


def without_edge(pair, k):
    """Return the pair without edge k of its first graph."""
    first = pair.first
    kept = np.arange(len(first.tail)) != k
    smaller = LabelledGraph(first.type, first.tail[kept], first.head[kept], first.kind[kept])
    return replace(pair, first=smaller)
