"""The subgraph kernels on plain networkx graphs, step by step."""

import numpy as np
from c_internals import internals

from gmtoolbox.core._ffi import ffi, lib
from gmtoolbox.subgraphs.labelled import GraphPair, LabelledGraph

ONE = np.ones((1, 1), bool)

inner, inner_lib = internals("subgraphs/classes.h")


def plain_pair(G, H, directed=False):
    """The GraphPair of two graphs without labels."""
    return GraphPair(listed(G), listed(H), directed, ONE, ONE)


def listed(G):
    """A graph of nodes 0, 1, ... without labels."""
    edges = np.array(list(G.edges), np.int32).reshape(-1, 2)
    return LabelledGraph(np.zeros(len(G)), edges[:, 0], edges[:, 1], np.zeros(len(edges)))


def labelled_graph(G, of_ffi):
    """(gm_labelled_graph * of another ffi, objects that it borrows); `label` is the kind."""
    edges = list(G.edges)
    kinds = [G.edges[e].get("label", 0) for e in edges]
    arrays = [
        of_ffi.new("int32_t[]", values or [0])
        for values in ([0] * len(G), [u for u, _ in edges], [v for _, v in edges], kinds)
    ]
    graph = of_ffi.new("gm_labelled_graph *")
    graph.n_nodes, graph.n_edges = len(G), len(edges)
    graph.type, graph.tail, graph.head, graph.kind = arrays
    return graph, arrays


def inner_pair(G, H, of_ffi):
    """(gm_graph_pair * of another ffi, objects that it borrows) of graphs without labels."""
    struct, kept = plain_pair(G, H, G.is_directed()).borrowing()
    pair = of_ffi.new("gm_graph_pair *")
    of_ffi.memmove(pair, struct, of_ffi.sizeof("gm_graph_pair"))
    return pair, (struct, kept)


def new_run(G, H, **options):
    """(run, objects that it borrows)"""
    borrowing = plain_pair(G, H, G.is_directed()).borrowing()
    defaults = {"by_edges": 0, "connected": 0, "twins": 1, "n_jobs": 1}
    chosen = ffi.new("gm_common_options *", {**defaults, **options})
    return ffi.gc(lib.gm_common_new(borrowing[0], chosen), lib.gm_common_free), borrowing


def finish(run, nodes=2**62):
    """The labels of a run that has been driven to its end."""
    while not run.finished:
        assert lib.gm_common_step(run, nodes, 10.0) == 0
        for k in range(lib.gm_common_n_pieces(run)):
            assert lib.gm_common_piece(run, k, 10.0) == 0
    return [run.labels[k] for k in range(run.n1)]


class Question:
    """A sub_question with room for classes behind those of the root."""

    def __init__(self, pair, **options):
        struct, self.kept = pair.borrowing()
        self.pair = inner.new("gm_graph_pair *")
        inner.memmove(self.pair, struct, inner.sizeof("gm_graph_pair"))
        self.pool = inner.gc(inner.new("gm_pool *"), inner_lib.gm_pool_free)
        self.q = inner.new("sub_question *")
        chosen = inner.new("gm_common_options *", {"n_jobs": 1, "twins": 1, **options})
        assert inner_lib.sub_question_take(self.q, self.pool, self.pair, chosen) == 0
        self.classes = inner.new("sub_classes *")
        inner_lib.sub_classes_take(self.classes, self.pool, self.q, 100)
        n = self.q.n_classes
        inner.memmove(self.classes.of, self.q.root.of, n * inner.sizeof("sub_class"))
        for side in ("left", "right"):
            words = getattr(self.q, side).words
            inner.memmove(getattr(self.classes, side), getattr(self.q.root, side), 8 * n * words)
        self.matched, self.scratch = inner.new("int32_t *"), inner.new("uint64_t[]", 64)

    def split(self, start, end, u, v):
        return inner_lib.sub_split(self.q, self.classes, start, end, end, u, v, self.matched)

    def members(self, k):
        """(left, right) of class k, as original numbers."""
        found = []
        for name in ("left", "right"):
            side, sets = getattr(self.q, name), getattr(self.classes, name)
            found.append({
                side.original[b]
                for b in range(side.n_items)
                if sets[k * side.words + b // 64] >> (b % 64) & 1
            })  # fmt: skip
        return tuple(found)

    def most(self, start, end):
        return inner_lib.sub_most(self.q, self.classes, start, end, self.scratch)
