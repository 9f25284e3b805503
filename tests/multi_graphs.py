"""The graphs of a MultiProblem as the C files see them, for the tests of its parts."""

from itertools import combinations

import numpy as np
from c_internals import internals

FIELDS = (
    ("left", "int32_t[]"),
    ("right", "int32_t[]"),
    ("cost", "double[]"),
    ("a", "int32_t[]"),
    ("b", "int32_t[]"),
    ("edge_cost", "double[]"),
)


class Graphs:
    """struct multi_graphs of a MultiProblem, and tracks of it."""

    def __init__(self, problem, *names):
        self.problem = problem
        self.ffi, self.lib = internals("multi/graphs.h", "multi/tracks.h", *names)
        self.pool = self.ffi.gc(self.ffi.new("gm_pool *"), self.lib.gm_pool_free)
        self.kept = [self.ffi.new("int32_t[]", list(problem.sizes))]
        models = self.ffi.new("gm_model[]", len(problem.pairs))
        for k, (g, h) in enumerate(combinations(range(problem.d), 2)):
            self.fill(models[k], problem.pairs[g, h])
        model = {"d": problem.d, "n": self.kept[0], "pairs": models}
        self.model = self.ffi.new("gm_multi_model *", model)
        self.kept.append(models)
        self.graphs = self.ffi.new("multi_graphs *")
        assert self.lib.multi_graphs_take(self.graphs, self.pool, self.model) == 0
        assert not self.pool.failed

    def fill(self, model, pair):
        """Point a gm_model to the arrays of a pair."""
        model.n1, model.n2 = pair.shape
        model.n_candidates, model.n_edges = pair.n_candidates, pair.n_edges
        for name, kind in FIELDS:
            array = np.ascontiguousarray(getattr(pair, name))
            self.kept += [array, self.ffi.from_buffer(kind, array)]
            setattr(model, name, self.kept[-1])

    def pair(self, g, h):
        """The struct of the pair g < h."""
        return self.graphs.pairs + list(combinations(range(self.problem.d), 2)).index((g, h))

    def tracks(self, flat=None):
        """A multi_tracks with these tracks; default: every node alone."""
        tracks = self.ffi.new("multi_tracks *")
        self.lib.multi_tracks_take(tracks, self.pool, self.graphs)
        assert not self.pool.failed
        flat = range(self.graphs.n_nodes) if flat is None else flat
        self.lib.multi_tracks_load(tracks, self.ffi.new("int32_t[]", list(flat)))
        return tracks

    def stored(self, tracks):
        """(tracks graph by graph, their value by the problem)"""
        flat = self.ffi.new("int32_t[]", self.graphs.n_nodes)
        self.lib.multi_tracks_store(tracks, flat)
        split = np.split(np.array(list(flat)), np.cumsum(self.problem.sizes)[:-1])
        return split, self.problem.bare_cost(split)

    def random(self, seed=1):
        """A gm_random of a seed."""
        return self.ffi.new("gm_random *", {"state": seed})
