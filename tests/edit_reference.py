"""Edit distance by exhaustive search, straight from the definition, and random graphs to try it on.

Nothing here is shared with gmtoolbox: every node map is tried, and for each of them every way to
pair the parallel edges, with the user's own functions.
"""

import itertools

import networkx as nx

NAMES = ("node_subst", "node_del", "node_ins", "edge_subst", "edge_del", "edge_ins")


def functions(node_match=None, edge_match=None, roots=None, **given):
    """All six cost functions, as networkx's documentation defines the ones not given."""
    equal = lambda match: lambda a, b: 0 if match is None or match(a, b) else 1
    default = {
        "node_subst": equal(node_match),
        "edge_subst": equal(edge_match),
        **{name: (lambda a: 1) for name in NAMES if not name.endswith("subst")},
    }
    return {name: given.get(f"{name}_cost") or default[name] for name in NAMES}


def partial_maps(first, second):
    """Every partial one-to-one map, as dicts."""
    if not first:
        yield {}
        return
    for rest in partial_maps(first[1:], second):
        yield rest
        for v in second:
            if v not in rest.values():
                yield {first[0]: v, **rest}


def edges_between(G, u, v):
    """Attribute dicts of the edges from u to v."""
    if not G.has_edge(u, v):
        return []
    return list(G[u][v].values()) if G.is_multigraph() else [G[u][v]]


def places(G):
    """Where edges can be: ordered pairs, or unordered ones."""
    if G.is_directed():
        return list(itertools.product(G.nodes, repeat=2))
    return list(itertools.combinations_with_replacement(G.nodes, 2))


def turning_cost(A, B, f):
    """Least cost to turn the edges A into the edges B."""
    best = float("inf")
    for k in range(min(len(A), len(B)) + 1):
        for chosen in itertools.combinations(range(len(A)), k):
            for onto in itertools.permutations(range(len(B)), k):
                cost = sum(f["edge_subst"](A[i], B[j]) for i, j in zip(chosen, onto, strict=True))
                cost += sum(f["edge_del"](A[i]) for i in range(len(A)) if i not in chosen)
                cost += sum(f["edge_ins"](B[j]) for j in range(len(B)) if j not in onto)
                best = min(best, cost)
    return best


def cost_of_map(G1, G2, mapping, f):
    """Cost of the cheapest edit path that substitutes these nodes."""
    cost = sum(f["node_subst"](G1.nodes[u], G2.nodes[v]) for u, v in mapping.items())
    cost += sum(f["node_del"](G1.nodes[u]) for u in G1 if u not in mapping)
    back = {v: u for u, v in mapping.items()}
    cost += sum(f["node_ins"](G2.nodes[v]) for v in G2 if v not in back)
    if cost == float("inf"):
        return cost
    for u, v in places(G1):
        both = u in mapping and v in mapping
        B = edges_between(G2, mapping[u], mapping[v]) if both else []
        cost += turning_cost(edges_between(G1, u, v), B, f)
    for u, v in places(G2):
        if u not in back or v not in back:
            cost += sum(f["edge_ins"](data) for data in edges_between(G2, u, v))
    return cost


def brute_force(G1, G2, roots=None, **given):
    """The edit distance; inf where the roots cannot be matched."""
    f = functions(**given)
    maps = partial_maps(list(G1.nodes), list(G2.nodes))
    if roots is not None:
        maps = (m for m in maps if roots[0] in m and m[roots[0]] == roots[1])
    return min((cost_of_map(G1, G2, m, f) for m in maps), default=float("inf"))


def cost_of_path(G1, G2, node_path, edge_path, **given):
    """Cost of an edit path, summed with the user's functions; it must mention everything once and
    edges must follow their nodes.
    """
    f = functions(**given)
    assert sorted(map(repr, (u for u, _ in node_path if u is not None))) == sorted(map(repr, G1))
    assert sorted(map(repr, (v for _, v in node_path if v is not None))) == sorted(map(repr, G2))
    edges1 = [e for e, _ in edge_path if e is not None]
    edges2 = [e for _, e in edge_path if e is not None]
    assert len(edges1) == len(set(edges1)) and set(edges1) == set(G1.edges)
    assert len(edges2) == len(set(edges2)) and set(edges2) == set(G2.edges)
    mapping = {u: v for u, v in node_path if u is not None and v is not None}
    cost = 0.0
    for u, v in node_path:
        cost += cost_of_step(f, "node", G1.nodes, G2.nodes, u, v)
    for e, g in edge_path:
        if e is not None and g is not None:
            ends = (mapping[e[0]], mapping[e[1]])
            assert ends == g[:2] or (not G1.is_directed() and ends == g[1::-1])
        cost += cost_of_step(f, "edge", G1.edges, G2.edges, e, g)
    return cost


def cost_of_step(f, kind, data1, data2, one, other):
    """Cost of one node or edge becoming another, None being nothing."""
    if other is None:
        return f[f"{kind}_del"](data1[one])
    if one is None:
        return f[f"{kind}_ins"](data2[other])
    return f[f"{kind}_subst"](data1[one], data2[other])


# ---- random graphs and costs

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


def random_graph(rng, kind, most=5, labels=2):
    """At most `most` nodes, any density, self loops in half of the graphs."""
    G, n = kind(), int(rng.integers(0, most + 1))
    names = rng.permutation(100)[:n].tolist()
    for name in names:
        G.add_node(name, label=int(rng.integers(labels)))
    density, loops = rng.random(), rng.random() < 0.5
    for u, v in places(G):
        if u == v and not loops:
            continue
        for _ in range(int(rng.integers(1, 3)) if G.is_multigraph() else 1):
            if rng.random() < density:
                G.add_edge(u, v, label=int(rng.integers(labels)))
    return G


def random_costs(rng):
    """Keyword arguments of one of several families: none, matching labels, tables of costs."""
    same = lambda a, b: a["label"] == b["label"]
    family = int(rng.integers(5))
    if family == 0:
        return {}
    if family == 1:
        return {"node_match": same, "edge_match": same}
    draw = (
        (lambda size: rng.integers(0, 6, size) / 2.0)
        if family in (2, 3)
        else (lambda size: rng.random(size) * 3)
    )
    given = {}
    for name in NAMES:
        if rng.random() < 0.25:
            continue
        if name.endswith("subst"):
            table = draw((2, 2))
            if name == "node_subst" and rng.random() < 0.3:
                table[0, 1] = float("inf")
            given[f"{name}_cost"] = lambda a, b, t=table: float(t[a["label"], b["label"]])
        else:
            table = draw(2)
            given[f"{name}_cost"] = lambda a, t=table: float(t[a["label"]])
    return given
