"""Subgraph questions answered by plain enumeration, on small graphs, without any code of ours.

Graphs are networkx graphs of any kind whose nodes and edges may have a `label`; `fits(a, b)`
decides whether two labels may be the same.
"""

from itertools import combinations, permutations

import networkx as nx
import numpy as np

EQUAL = lambda a, b: a == b


def labels_between(G, u, v):
    """Labels of the edges from u to v, sorted by their text."""
    if not G.has_edge(u, v):
        return []
    data = G.get_edge_data(u, v)
    several = data.values() if G.is_multigraph() else [data]
    return sorted((one.get("label") for one in several), key=repr)


def most_pairs(one, other, fits):
    """The largest number of disjoint pairs of two lists that fit."""
    if not one:
        return 0
    rest = one[1:]
    best = most_pairs(rest, other, fits)
    for k, b in enumerate(other):
        if fits(one[0], b):
            best = max(best, 1 + most_pairs(rest, other[:k] + other[k + 1 :], fits))
    return best


def same_edges(G, H, u, v, x, y, fits):
    """Whether the edges from u to v can be those from x to y, one by one."""
    one, other = labels_between(G, u, v), labels_between(H, x, y)
    return len(one) == len(other) == most_pairs(one, other, fits)


def partial_maps(G, H, allowed):
    """Every one-to-one map of some nodes of G into H whose pairs pass allowed(mapping, u, x)."""

    def extend(k, mapping):
        if k == len(nodes):
            yield dict(mapping)
            return
        yield from extend(k + 1, mapping)
        for x in H:
            if x not in mapping.values() and allowed(mapping, nodes[k], x):
                mapping[nodes[k]] = x
                yield from extend(k + 1, mapping)
                del mapping[nodes[k]]

    nodes = list(G)
    yield from extend(0, {})


def is_connected(G, nodes):
    """Whether these nodes are connected in G, whatever the directions."""
    return not nodes or nx.is_connected(nx.Graph(G.subgraph(nodes)).to_undirected())


def label(G, u):
    return G.nodes[u].get("label")


def largest_induced(G, H, connected=False, node_fits=EQUAL, edge_fits=EQUAL, weight=None):
    """The most nodes, or the largest weight, of a common induced subgraph."""

    def allowed(mapping, u, x):
        if not node_fits(label(G, u), label(H, x)):
            return False
        pairs = [*mapping.items(), (u, x)]
        return all(
            same_edges(G, H, a, u, b, x, edge_fits) and same_edges(G, H, u, a, x, b, edge_fits)
            for a, b in pairs
        )

    worth = lambda m: len(m) if weight is None else sum(weight(u, x) for u, x in m.items())
    return max(
        worth(m) for m in partial_maps(G, H, allowed) if not connected or is_connected(G, list(m))
    )


def common_edges(G, H, mapping, fits):
    """{(u, v): number of common edges} of a map."""
    count = {}
    for u, v in combinations(mapping, 2):
        ways = [(u, v), (v, u)] if G.is_directed() else [(u, v)]
        count[u, v] = sum(
            most_pairs(labels_between(G, a, b), labels_between(H, mapping[a], mapping[b]), fits)
            for a, b in ways
        )
    for u, x in mapping.items():
        count[u, u] = most_pairs(labels_between(G, u, u), labels_between(H, x, x), fits)
    return {pair: n for pair, n in count.items() if n}


def most_common_edges(G, H, connected=False, node_fits=EQUAL, edge_fits=EQUAL):
    """The most edges of a common subgraph."""
    best = 0
    for m in partial_maps(G, H, lambda _, u, x: node_fits(label(G, u), label(H, x))):
        count = common_edges(G, H, m, edge_fits)
        if not connected:
            best = max(best, sum(count.values()))
            continue
        whole = nx.Graph(list(count))
        for part in nx.connected_components(whole):
            best = max(best, sum(n for (u, _), n in count.items() if u in part))
    return best


# ---- all small graphs, by canonical forms


def small_graphs(most):
    """All graphs of at most so many nodes, one of each isomorphism class, the empty one first."""
    return [nx.Graph(g) for g in nx.graph_atlas_g() if len(g) <= most]


def canonical(n, edges):
    """The same for isomorphic graphs of n nodes only."""
    return n, min(
        tuple(sorted(tuple(sorted((order[u], order[v]))) for u, v in edges))
        for order in permutations(range(n))
    )


def induced_forms(G, connected):
    """Canonical forms of all induced subgraphs."""
    forms = set()
    for size in range(len(G) + 1):
        for nodes in combinations(G, size):
            if connected and not is_connected(G, list(nodes)):
                continue
            place = {u: k for k, u in enumerate(nodes)}
            forms.add(canonical(size, [(place[u], place[v]) for u, v in G.subgraph(nodes).edges]))
    return forms


def edge_forms(G, connected):
    """Canonical forms of all subgraphs without isolated nodes."""
    forms, known = set(), {}
    for size in range(G.number_of_edges() + 1):
        for edges in combinations(G.edges, size):
            part = nx.Graph(edges)
            if connected and size and not nx.is_connected(part):
                continue
            place = {u: k for k, u in enumerate(sorted(part))}
            key = (len(part), tuple(sorted(tuple(sorted((place[u], place[v]))) for u, v in edges)))
            if key not in known:
                known[key] = canonical(*key)
            forms.add(known[key])
    return forms


def random_graph(rng, n, p=0.4, directed=False, loops=False, multi=False, labels=0, kinds=0):
    """A random graph with that many different labels of nodes and edges; 0: none."""
    classes = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    G = classes[directed, multi]()
    for u in range(n):
        G.add_node(u, **({"label": int(rng.integers(labels))} if labels else {}))
    for u in range(n):
        for v in range(n):
            if (u == v and not loops) or (not directed and u > v):
                continue
            for _ in range(1 + int(multi and rng.random() < 0.3)):
                if rng.random() < p:
                    G.add_edge(u, v, **({"label": int(rng.integers(kinds))} if kinds else {}))
    return G


def by_label(fits):
    """A match function of attribute dicts."""
    return lambda a, b: fits(a.get("label"), b.get("label"))


def seeded(*numbers):
    return np.random.default_rng(list(numbers))
