"""refine: the coarsest equitable partition, split and undone."""

import networkx as nx
from c_internals import internals
from subgraph_kernels import labelled_graph
from subgraph_reference import random_graph, seeded

ffi, lib = internals("subgraphs/refine.h")


class Cells:
    def __init__(self, G, H):
        self.pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
        self.kept, self.near = [], []
        for graph in (G, H):
            listed, kept = labelled_graph(graph, ffi)
            near = ffi.new("sub_neighbours *")
            assert lib.sub_neighbours_take(near, self.pool, listed, graph.is_directed(), 1) == 0
            self.kept.append((listed, kept))
            self.near.append(near)
        self.cells = ffi.new("sub_cells *")
        lib.sub_cells_take(self.cells, self.pool, *self.near)
        self.n = len(G)

    def begin(self):
        zero = ffi.new("int32_t[]", self.n)
        return lib.sub_cells_begin(self.cells, zero, zero)

    def partition(self):
        cell = [self.cells.cell[u] for u in range(2 * self.n)]
        return {frozenset(u for u in range(2 * self.n) if cell[u] == c) for c in set(cell)}


def stable_colours(G, H, pairs=()):
    """Colour refinement as the textbook has it."""
    union = nx.union(G, H, rename=("a", "b"))
    colour = {v: 0 for v in union}
    for k, (u, v) in enumerate(pairs):
        colour[f"a{u}"] = colour[f"b{v}"] = k + 1
    ways = (union.successors, union.predecessors) if G.is_directed() else (union.neighbors,)
    while True:
        key = {
            v: (colour[v], *(tuple(sorted(colour[w] for w in way(v))) for way in ways))
            for v in union
        }
        names = {k: number for number, k in enumerate(sorted(set(key.values()), key=repr))}
        if len(names) == len(set(colour.values())):
            return colour
        colour = {v: names[key[v]] for v in union}


def as_sets(G, colour):
    n = len(G)
    number = lambda name: int(name[1:]) + (n if name[0] == "b" else 0)
    return {frozenset(number(v) for v in colour if colour[v] == c) for c in set(colour.values())}


def test_partition_of_isomorphic_graphs():
    for seed in range(30):
        directed = bool(seed % 2)
        G = random_graph(seeded(seed), 9, 0.25, directed=directed)
        H = nx.relabel_nodes(G, {u: (u + 4) % 9 for u in G}, copy=True)
        ordered = type(G)()
        ordered.add_nodes_from(range(9))
        ordered.add_edges_from(H.edges)
        made = Cells(G, ordered)
        assert made.begin() == 1 and lib.sub_cells_refine(made.cells) == 1
        assert made.partition() == as_sets(G, stable_colours(G, ordered))
        splits = made.cells.n_splits
        before = made.partition()
        for u in G:
            lib.sub_cells_pair(made.cells, u, (u + 4) % 9)
            assert lib.sub_cells_refine(made.cells) == 1
            assert made.partition() == as_sets(G, stable_colours(G, ordered, [(u, (u + 4) % 9)]))
            lib.sub_cells_undo(made.cells, splits)
            assert made.partition() == before


def test_different_graphs_are_told_apart():
    P, star = nx.path_graph(4), nx.star_graph(3)
    made = Cells(P, star)
    assert made.begin() == 1 and lib.sub_cells_refine(made.cells) == 0
    assert made.cells.n_queued == 0
    C6, two = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    made = Cells(C6, two)
    assert made.begin() == 1 and lib.sub_cells_refine(made.cells) == 1
    lib.sub_cells_pair(made.cells, 0, 0)
    assert lib.sub_cells_refine(made.cells) == 0
    number = ffi.new("int32_t[]", 6)
    number[0] = 1
    assert lib.sub_cells_begin(Cells(C6, two).cells, number, ffi.new("int32_t[]", 6)) == 0
