"""Random graphs in the shape of collections of the edit-distance literature.

Numbers of nodes and edges, alphabets of labels, coordinates and their noise are drawn to look like
the graphs of the IAM repository (Letter, GREC, CMU, Mutagenicity) and of TU Dortmund (PROTEINS).
Each function returns networkx graphs with the attributes that the cost models read.
"""

import networkx as nx
import numpy as np
from scipy.spatial import Delaunay

# endpoints of the strokes of some letters, on a grid of 3 x 3
STROKES = {
    "A": [(0, 0, 1, 2), (1, 2, 2, 0), (0.5, 1, 1.5, 1)],
    "E": [(2, 0, 0, 0), (0, 0, 0, 2), (0, 2, 2, 2), (0, 1, 1.5, 1)],
    "F": [(0, 0, 0, 2), (0, 2, 2, 2), (0, 1, 1.5, 1)],
    "H": [(0, 0, 0, 2), (2, 0, 2, 2), (0, 1, 2, 1)],
    "K": [(0, 0, 0, 2), (0, 1, 2, 2), (0, 1, 2, 0)],
    "M": [(0, 0, 0, 2), (0, 2, 1, 1), (1, 1, 2, 2), (2, 2, 2, 0)],
    "N": [(0, 0, 0, 2), (0, 2, 2, 0), (2, 0, 2, 2)],
    "T": [(1, 0, 1, 2), (0, 2, 2, 2)],
    "W": [(0, 2, 0.5, 0), (0.5, 0, 1, 1), (1, 1, 1.5, 0), (1.5, 0, 2, 2)],
    "Z": [(0, 2, 2, 2), (2, 2, 0, 0), (0, 0, 2, 0)],
}
VALENCE = {"C": 4, "N": 3, "O": 2, "H": 1}


def letters(count, seed, noise=0.45):
    """Return drawings of letters, strongly distorted: coordinates, and strokes that come or go."""
    rng = np.random.default_rng([seed, 1])
    return [draw_letter(rng, noise) for _ in range(count)]


def draw_letter(rng, noise):
    """Return one distorted letter."""
    strokes = STROKES[rng.choice(sorted(STROKES))]
    points = list(dict.fromkeys((x, y) for a in strokes for x, y in (a[:2], a[2:])))
    G = nx.Graph()
    for k, (x, y) in enumerate(points):
        dx, dy = rng.normal(0.0, noise, 2)
        G.add_node(k, x=round(x + dx, 6), y=round(y + dy, 6))
    for a in strokes:
        if rng.random() < 0.9:
            G.add_edge(points.index(a[:2]), points.index(a[2:]))
    for _ in range(rng.binomial(2, 0.3)):
        u, v = rng.choice(len(points), 2, replace=False)
        G.add_edge(int(u), int(v))
    return G


def symbols(count, seed):
    """Return symbols as GREC: corners, endpoints, intersections and circles in a picture, joined
    by lines and arcs. Graphs of one of 22 kinds are distorted copies.
    """
    rng = np.random.default_rng([seed, 2])
    kinds = [draw_symbol(rng) for _ in range(22)]
    return [distort_symbol(rng, kinds[rng.integers(22)]) for _ in range(count)]


def draw_symbol(rng):
    """Return a symbol of 5 to 24 nodes, mostly about 11."""
    n = int(np.clip(rng.poisson(11), 5, 24))
    G = nx.random_labeled_tree(n, seed=int(rng.integers(2**31)))
    for _ in range(rng.poisson(0.12 * n)):
        G.add_edge(*map(int, rng.choice(n, 2, replace=False)))
    types = rng.choice(["endpoint", "corner", "intersection", "circle"], n, p=[0.4, 0.3, 0.2, 0.1])
    for u in G:
        G.nodes[u].update(x=float(rng.integers(500)), y=float(rng.integers(500)), type=types[u])
    for u, v in G.edges:
        lines = 1 + int(rng.random() < 0.05)
        kinds = rng.choice(["line", "arc"], lines, p=[0.85, 0.15])
        G.edges[u, v].update(frequency=lines, **{f"type{k}": str(x) for k, x in enumerate(kinds)})
    return G


def distort_symbol(rng, symbol):
    """Return a symbol with other coordinates and a few other lines."""
    G = symbol.copy()
    for u in G:
        for axis in "xy":
            G.nodes[u][axis] += float(rng.integers(-12, 13))
        G.nodes[u]["type"] = str(G.nodes[u]["type"])
    for edge in list(G.edges):
        if rng.random() < 0.06:
            G.remove_edge(*edge)
    return G


def houses(count, seed):
    """Return 30 landmarks that turn and move a little from frame to frame, triangulated."""
    rng = np.random.default_rng([seed, 3])
    points = rng.uniform(-1.0, 1.0, (30, 3)) * [180.0, 140.0, 90.0]
    graphs = []
    for k in range(count):
        angle = 0.9 * k / count
        turned = points[:, 0] * np.cos(angle) + points[:, 2] * np.sin(angle)
        seen = np.column_stack([turned, points[:, 1]]) + rng.normal(0.0, 1.0, (30, 2)) + 250.0
        G = nx.Graph()
        G.add_nodes_from((i, dict(x=float(x), y=float(y))) for i, (x, y) in enumerate(seen))
        for corners in Delaunay(seen).simplices.tolist():
            for i, j in ((0, 1), (1, 2), (0, 2)):
                u, v = corners[i], corners[j]
                G.add_edge(u, v, dist=float(np.hypot(*(seen[u] - seen[v]))))
        graphs.append(G)
    return graphs


def molecules(count, seed, low=65, high=75):
    """Return molecules with this many atoms, hydrogen atoms included: rings and chains of carbon
    with oxygen and nitrogen, valences filled up by hydrogen.
    """
    rng = np.random.default_rng([seed, 4])
    made = []
    while len(made) < count:
        G = draw_molecule(rng, int(rng.integers(28, 42)))
        if low <= len(G) <= high:
            made.append(G)
    return made


def draw_molecule(rng, heavy):
    """Return a molecule with about this many heavy atoms."""
    G = nx.Graph()
    free = {}

    def add(symbol, *near):
        k = len(G)
        G.add_node(k, label=symbol)
        free[k] = VALENCE[symbol]
        for u, order in near:
            G.add_edge(u, k, label=order)
            free[u] -= order
            free[k] -= order
        return k

    add("C")
    while len(free) < heavy:
        places = [u for u, left in free.items() if left > 1 or (left == 1 and len(free) > 3)]
        if not places:
            break
        u = int(rng.choice(places))
        if rng.random() < 0.3:  # an aromatic ring
            first = last = add("C", (u, 1))
            for k in range(5):
                is_nitrogen = rng.random() < 0.1 and k % 2 == 0 and k < 4
                last = add("N" if is_nitrogen else "C", (last, 1 + k % 2))
            G.add_edge(first, last, label=2)
            free[first], free[last] = free[first] - 2, free[last] - 2
        else:
            symbol = str(rng.choice(["C", "O", "N"], p=[0.7, 0.18, 0.12]))
            add(symbol, (u, 1))
    for u, left in list(free.items()):
        for _ in range(left):
            add("H", (u, 1))
    return G


def proteins(count, seed):
    """Return secondary structures as PROTEINS has them: helices, sheets and turns along a chain
    folded in space, each with its three nearest neighbours.
    """
    rng = np.random.default_rng([seed, 5])
    graphs = []
    for _ in range(count):
        n = int(np.clip(rng.lognormal(3.2, 0.6), 8, 60))
        place = np.cumsum(rng.normal(0.0, 1.0, (n, 3)), axis=0)
        place *= n ** (1 / 3) / max(float(place.std()), 1e-9)
        far = np.linalg.norm(place[:, None] - place[None], axis=2)
        types, kinds = ["helix", "sheet", "turn"], rng.choice(3, n, p=[0.45, 0.5, 0.05])
        G = nx.path_graph(n)
        nx.set_node_attributes(G, {k: types[kind] for k, kind in enumerate(kinds)}, "label")
        for u in range(n):
            G.add_edges_from((u, int(v)) for v in np.argsort(far[u], kind="stable")[1:4])
        graphs.append(G)
    return graphs
