"""Symmetries of a graph: generators, orbits and order of its automorphism group.

A base is a sequence of nodes whose images decide an automorphism. From its end to its beginning,
one isomorphism search for each node that could be the image of a base node finds generators of the
automorphisms that fix the base nodes before it (a strong generating set, Sims 1970). The order of
the group is the product of the sizes of the orbits of the base nodes under these.
"""

from dataclasses import dataclass

from gmtoolbox.core._ffi import check, lib, pointer
from gmtoolbox.core.checks import suggest_arguments
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import count_noun
from gmtoolbox.subgraphs.contained import Question


@dataclass
class Automorphisms:
    """The automorphism group of a graph.

    Attributes
    ----------
    order : int
        How many automorphisms there are.
    generators : list of dict
        {node: image} of the nodes that move. Every automorphism is a product of these.
    orbits : list of list
        Nodes that some automorphism maps to each other, in the order of the graph's nodes.
    """

    order: int
    generators: list
    orbits: list

    def __repr__(self):
        generators = count_noun(len(self.generators), "generator")
        orbits = count_noun(len(self.orbits), "orbit")
        return f"<Automorphisms order {self.order}, {generators}, {orbits}>"


@suggest_arguments
def automorphisms(G, *, node_match=None, edge_match=None, time_limit=None):
    """Find the symmetries of a graph.

    Parameters
    ----------
    G : graph as graph_edit_distance takes it
    node_match, edge_match : callable, optional
        Whether two attribute dicts are equal. Labels of matrices and molecules are compared by
        default.
    time_limit : seconds, optional
        TimeLimitError is raised if the search has not ended by then.

    Returns
    -------
    Automorphisms

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> gm.automorphisms(nx.petersen_graph()).order
    120
    >>> gm.automorphisms(nx.star_graph(3)).orbits
    [[0], [1, 2, 3]]
    """
    asked = Question.of(G, G, node_match, edge_match, ("G", "G"), isomorphic=True, limit=1)
    if not asked.has_equal_labels():
        raise InputError("node_match and edge_match must compare by equality")
    group = AutomorphismGroup(asked, time_limit)
    nodes = asked.nodes[0]
    return Automorphisms(
        group.order,
        [{nodes[u]: nodes[v] for u, v in enumerate(g) if u != v} for g in group.generators],
        [[nodes[u] for u in orbit] for orbit in group.orbits()],
    )


class AutomorphismGroup:
    """The automorphisms of the first graph of a Question whose two graphs are the same."""

    def __init__(self, asked, time_limit):
        self.asked, self.time_limit = asked, time_limit
        self.n = len(asked.nodes[0])
        self.joined = list(range(self.n))  # a union-find structure: the orbits so far
        self.generators, self.order = [], 1
        levels = self.find_base()
        for k in reversed(range(len(levels))):
            fixed = np.full(self.n, -1, np.int32)
            base = [node for node, _ in levels[:k]]
            fixed[base] = base
            self.order *= self.find_orbit(fixed, *levels[k])

    def find_base(self):
        """Return [(base node, nodes that may be its image)] for each node of a base."""
        struct, kept = self.asked.pair.borrowing()
        fixed, cell = np.full(self.n, -1, np.int32), np.empty(self.n, np.int32)
        levels = []
        while True:
            check(lib.gm_refined_cells(struct, pointer(fixed), pointer(cell)))
            cells, first, size = np.unique(cell, return_index=True, return_counts=True)
            several = np.flatnonzero(size > 1)
            if len(several) == 0:
                del kept
                return levels
            chosen = several[size[several].argmin()]
            node = int(first[chosen])
            levels.append((node, np.flatnonzero(cell == cells[chosen]).tolist()))
            fixed[node] = node

    def find_orbit(self, fixed, node, images):
        """Find generators that keep the fixed nodes and move a node; return its orbit's size."""
        failed = []
        for image in images:
            known = self.root(image)
            if known == self.root(node) or known in {self.root(v) for v in failed}:
                continue
            fixed[node] = image
            found = next(self.asked.arrays(self.time_limit, fixed=pointer(fixed)), None)
            if found is None:
                failed.append(image)
                continue
            self.generators.append(found)
            for u, v in enumerate(found):
                self.joined[self.root(u)] = self.root(v)
        return sum(self.root(v) == self.root(node) for v in images)

    def root(self, u):
        """Return the node that stands for the orbit of u."""
        while self.joined[u] != u:
            self.joined[u] = u = self.joined[self.joined[u]]
        return u

    def orbits(self):
        """Return the orbits, each ascending, by their first node."""
        found = {}
        for u in range(self.n):
            found.setdefault(self.root(u), []).append(u)
        return list(found.values())
