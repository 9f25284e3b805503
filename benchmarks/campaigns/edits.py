"""graph_edit_distance, edit_distances, find_subgraph and the networkx backend: graphs of at most
five nodes, all maps of nodes tried.

A path pays only costs that are not negative, so that its sum has all digits: distances are compared
to ROUNDING of themselves, whatever magnitudes the costs have.
"""

import networkx as nx
import numpy as np

import gmtoolbox as gm
from campaigns import PROVEN, REFUSED, UNPROVEN, Wrong
from campaigns.matchings import all_labels

ROUNDING = 1e-12
KINDS = (nx.Graph, nx.DiGraph)
NAMES = ("node_subst", "node_del", "node_ins", "edge_subst", "edge_del", "edge_ins")
LABELS = 3


# ---- graphs and costs


def draw_graph(rng, kind, least=0, most=4):
    """Return a random graph whose nodes and edges have labels."""
    G, n = kind(), int(rng.integers(least, most + 1))
    names = rng.permutation(50)[:n].tolist()
    for name in names:
        G.add_node(name, label=int(rng.integers(LABELS)))
    density, loops = rng.random(), rng.random() < 0.3
    for a, u in enumerate(names):
        for b, v in enumerate(names):
            wanted = a != b or loops
            if wanted and (G.is_directed() or a <= b) and rng.random() < density:
                G.add_edge(u, v, label=int(rng.integers(LABELS)))
    return G


def draw_costs(rng):
    """Return {name: table of costs by label} of one of several families."""
    family = int(rng.integers(5))
    tables = {}
    for name in NAMES:
        shape = (LABELS, LABELS) if name.endswith("subst") else LABELS
        if family == 0:  # deletions cost much: the usual way to ask for a one-to-one matching
            large = 10.0 ** rng.uniform(3, 12) if name in ("node_del", "node_ins") else 1.0
            table = rng.choice([rng.random(shape), rng.integers(0, 3, shape).astype(float)])
            tables[name] = np.full(shape, large) if large > 1 else table
        elif family == 1:  # each kind of step has a magnitude
            tables[name] = rng.random(shape) * 10.0 ** rng.uniform(-6, 12)
        elif family == 2:  # each step has
            tables[name] = 10.0 ** rng.uniform(-6, 12, shape)
        elif family == 3:
            tables[name] = rng.integers(0, 4, shape) * 10.0 ** rng.integers(-3, 9)
        else:
            tables[name] = rng.random(shape)
        if rng.random() < 0.15:
            tables[name] = tables[name] * (rng.random(shape) < 0.5)
        if name.endswith("subst"):
            np.fill_diagonal(
                tables[name], np.where(rng.random(LABELS) < 0.5, 0.0, tables[name].diagonal())
            )
            tables[name] = np.where(
                rng.random(shape) < rng.choice([0, 0, 0.3]), np.inf, tables[name]
            )
    return tables


def functions(tables):
    """Return the keyword arguments with these costs."""
    given = {}
    for name, table in tables.items():
        if name.endswith("subst"):
            given[f"{name}_cost"] = lambda a, b, t=table: float(t[a["label"], b["label"]])
        else:
            given[f"{name}_cost"] = lambda a, t=table: float(t[a["label"]])
    return given


# ---- exhaustive search


class Paths:
    """The cost of the cheapest edit path for every map of nodes (rows of labels)."""

    def __init__(self, G1, G2, tables, complete=False):
        self.nodes1, self.nodes2 = list(G1), list(G2)
        n1, n2 = len(self.nodes1), len(self.nodes2)
        labels = all_labels(n1, n2) if n1 else np.zeros((1, 0), int)
        if complete:
            labels = labels[(labels >= 0).all(1)]
        self.labels, cost = labels, np.zeros(len(labels))
        label1, label2 = ([G.nodes[u]["label"] for u in G] for G in (G1, G2))
        for i in range(n1):
            subst = np.append(tables["node_subst"][label1[i]][label2], 0.0)
            cost += np.where(labels[:, i] < 0, tables["node_del"][label1[i]], subst[labels[:, i]])
        for s in range(n2):
            cost += tables["node_ins"][label2[s]] * (labels != s).all(1)
        place1, place2 = ({u: k for k, u in enumerate(G)} for G in (G1, G2))
        edges2 = [(place2[u], place2[v], data["label"]) for u, v, data in G2.edges(data=True)]
        number = np.full((n2 + 1, n2 + 1), -1)  # of the edge from s to t; -1 also for 'no node'
        for f, (s, t, _) in enumerate(edges2):
            number[s, t] = f
            if not G2.is_directed():
                number[t, s] = f
        hit = np.zeros((len(labels), len(edges2)), bool)
        insert = tables["edge_ins"][[label for *_, label in edges2]] if edges2 else np.zeros(0)
        for u, v, data in G1.edges(data=True):
            image = number[labels[:, place1[u]], labels[:, place1[v]]]
            delete = tables["edge_del"][data["label"]]
            cost += np.where(image < 0, delete, 0.0)
            for f, (_, _, label) in enumerate(edges2):
                there = image == f
                hit[there, f] = True
                cost[there] += min(tables["edge_subst"][data["label"], label], delete + insert[f])
        for f in range(len(edges2)):
            cost += insert[f] * ~hit[:, f]
        self.cost = cost

    def of(self, node_path):
        """Return the least cost of the paths that substitute these nodes."""
        labels = np.full(len(self.nodes1), -1)
        for u, v in node_path:
            if u is not None and v is not None:
                labels[self.nodes1.index(u)] = self.nodes2.index(v)
        found = np.flatnonzero((self.labels == labels).all(1))
        if len(found) == 0:
            raise Wrong(f"{node_path} is not a path")
        return self.cost[found[0]]


def check_result(paths, result):
    """Return the word for an EditResult."""
    best, own = paths.cost.min(), paths.of(result.node_path)
    if abs(result.value - own) > ROUNDING * own:
        raise Wrong(f"value {result.value!r}, the path costs {own!r}")
    if result.bound > best * (1 + ROUNDING):
        raise Wrong(f"bound {result.bound!r} above the distance {best!r}")
    if result.status != "optimal":
        return UNPROVEN
    if result.value > best * (1 + ROUNDING):
        raise Wrong(f"'optimal' {result.value!r}, the distance is {best!r}")
    return PROVEN


# ---- doors


def check_distance(rng):
    """graph_edit_distance; with an upper_bound now and then."""
    kind, tables = KINDS[rng.integers(2)], draw_costs(rng)
    G1, G2 = draw_graph(rng, kind), draw_graph(rng, kind)
    paths = Paths(G1, G2, tables)
    if rng.random() < 0.8:
        return check_result(paths, gm.graph_edit_distance(G1, G2, **functions(tables)))
    best, limit = paths.cost.min(), float(paths.cost.min() * rng.choice([0.5, 1.0, 2.0]))
    result = gm.graph_edit_distance(G1, G2, upper_bound=limit, **functions(tables))
    if result.exceeds and best <= limit * (1 - ROUNDING):
        raise Wrong(f"exceeds {limit!r}, the distance is {best!r}")
    if result.distance is not None and result.distance > best * (1 + ROUNDING):
        raise Wrong(f"distance {result.distance!r} is {best!r}")
    return PROVEN if result.proven or result.exceeds else UNPROVEN


def check_distances(rng):
    """edit_distances of three graphs, each to each."""
    kind, tables = KINDS[rng.integers(2)], draw_costs(rng)
    graphs = [draw_graph(rng, kind, most=3) for _ in range(3)]
    found = gm.edit_distances(graphs, symmetric=False, **functions(tables))
    for i, G1 in enumerate(graphs):
        for j, G2 in enumerate(graphs):
            best, value = Paths(G1, G2, tables).cost.min(), found.values[i, j]
            if found.bounds[i, j] > best * (1 + ROUNDING) or value < best * (1 - ROUNDING):
                raise Wrong(f"({i}, {j}): {value!r}, bound {found.bounds[i, j]!r}, is {best!r}")
            if found.proven[i, j] and value > best * (1 + ROUNDING):
                raise Wrong(f"({i}, {j}): {value!r} is proven, but the distance is {best!r}")
    return PROVEN if found.proven.all() else UNPROVEN


def draw_four(rng):
    """Return (four costs, their tables): zeros, halves and wide magnitudes among them, integers of
    up to 31 bits, and relabellings that are forbidden.
    """
    scale = rng.choice([0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 0.1], 4)
    if rng.random() < 0.2:
        scale *= 10.0 ** rng.integers(-6, 13, 4)
    elif rng.random() < 0.25:
        scale = np.floor(2.0 ** rng.uniform(0, 31, 4)) * 2.0 ** rng.integers(-20, 21)
    if rng.random() < 0.1:
        scale[[1, 3]] = np.where(rng.random(2) < 0.5, np.inf, scale[[1, 3]])
    node, relabel, edge, edge_relabel = map(float, scale)
    same_label = np.eye(LABELS, dtype=bool)
    tables = {
        name: np.where(same_label, 0.0, cost)
        for name, cost in (("node_subst", relabel), ("edge_subst", edge_relabel))
    }
    for name, cost in (("node", node), ("edge", edge)):
        tables.update({f"{name}_{verb}": np.full(LABELS, cost) for verb in ("del", "ins")})
    return tuple(map(float, scale)), tables


def same(a, b):
    """Return whether two nodes or edges have the same label."""
    return a["label"] == b["label"]


def check_four_costs(rng):
    """graph_edit_distance with four costs, once more after labels and edges of G1 have changed, and
    with an upper_bound.
    """
    kind, (scale, tables) = KINDS[rng.integers(2)], draw_four(rng)
    G1, G2 = (draw_graph(rng, kind, least=1, most=4) for _ in range(2))
    given = dict(costs=scale, node_match=same, edge_match=same)
    words = []
    for _ in range(2):
        paths = Paths(G1, G2, tables)
        words.append(check_result(paths, gm.graph_edit_distance(G1, G2, **given)))
        best, limit = paths.cost.min(), float(paths.cost.min() * rng.choice([0.5, 1.0, 2.0]))
        result = gm.graph_edit_distance(G1, G2, upper_bound=limit, **given)
        is_near = abs(best - limit) <= ROUNDING * best  # another order of sums decides
        if not is_near and result.exceeds != (best > limit):
            raise Wrong(f"exceeds {limit!r}: {result.exceeds}, the distance is {best!r}")
        check_result(paths, result)
        change_graph(rng, G1)
    return min(words, key=(UNPROVEN, PROVEN).index)


def change_graph(rng, G):
    """Change labels in place, and now and then an edge."""
    for data in G.nodes.values():
        if rng.random() < 0.4:
            data["label"] = int(rng.integers(LABELS))
    for *_, data in G.edges(data=True):
        if rng.random() < 0.4:
            data["label"] = int(rng.integers(LABELS))
    u, v = (list(G)[k] for k in rng.integers(0, len(G), 2))
    if G.has_edge(u, v):
        G.remove_edge(u, v)
    elif rng.random() < 0.5:
        G.add_edge(u, v, label=int(rng.integers(LABELS)))


def check_four_matrix(rng):
    """edit_distances of five graphs with four costs, in two processes now and then, and with one of
    the distances as upper_bound.
    """
    kind, (scale, tables) = KINDS[rng.integers(2)], draw_four(rng)
    graphs = [draw_graph(rng, kind, most=3) for _ in range(5)]
    given = dict(costs=scale, node_match=same, edge_match=same)
    given["n_jobs"] = 2 if rng.random() < 0.02 else 1
    best = np.array([[Paths(G, H, tables).cost.min() for H in graphs] for G in graphs])
    found = gm.edit_distances(graphs, **given)
    check_matrix(found, best, np.zeros(best.shape, bool))
    limit = float(rng.choice(found.values.ravel()))
    bounded = gm.edit_distances(graphs, upper_bound=limit, **given)
    check_matrix(bounded, best, found.values > limit)
    return PROVEN if found.proven.all() and bounded.proven.all() else UNPROVEN


def check_matrix(found, best, above):
    """Compare an EditMatrix with the distances; above: which ones are more than upper_bound."""
    if not np.array_equal(np.isinf(found.values), above):
        raise Wrong(f"above {found.upper_bound!r}: {found.values.tolist()} of {best.tolist()}")
    if np.any(found.bounds > best * (1 + ROUNDING)):
        raise Wrong(f"bounds {found.bounds.tolist()} above {best.tolist()}")
    values, least = found.values[~above], best[~above]
    if np.any(values < least * (1 - ROUNDING)):
        raise Wrong(f"{values.tolist()} below {least.tolist()}")
    if np.any((values > least * (1 + ROUNDING)) & found.proven[~above]):
        raise Wrong(f"{values.tolist()} proven, the distances are {least.tolist()}")


def check_networkx(rng):
    """nx.graph_edit_distance and nx.optimal_edit_paths by the backend."""
    kind, tables = KINDS[rng.integers(2)], draw_costs(rng)
    G1, G2 = draw_graph(rng, kind, most=3), draw_graph(rng, kind, most=3)
    given, paths = functions(tables), Paths(G1, G2, tables)
    best = paths.cost.min()
    value = nx.graph_edit_distance(G1, G2, backend="gmtoolbox", **given)
    if abs(value - best) > ROUNDING * best:
        raise Wrong(f"{value!r}, the distance is {best!r}")
    found, cost = nx.optimal_edit_paths(G1, G2, backend="gmtoolbox", **given)
    if abs(cost - best) > ROUNDING * best or not found:
        raise Wrong(f"{len(found)} paths of cost {cost!r}, the distance is {best!r}")
    for nodes, _ in found:
        if paths.of(nodes) > best * (1 + ROUNDING):
            raise Wrong(f"a path of cost {paths.of(nodes)!r} among the cheapest, of {best!r}")
    if len({tuple(nodes) for nodes, _ in found}) < np.count_nonzero(paths.cost == best):
        raise Wrong(f"{len(found)} paths of {np.count_nonzero(paths.cost == best)}")
    return PROVEN


def check_find_subgraph(rng):
    """find_subgraph: every node of the pattern is matched, insertions cost nothing."""
    kind, tables = KINDS[rng.integers(2)], draw_costs(rng)
    pattern = draw_graph(rng, kind, least=1, most=3)
    G = draw_graph(rng, kind, least=len(pattern), most=5)
    tables.update(node_del=np.zeros(LABELS), node_ins=np.zeros(LABELS), edge_ins=np.zeros(LABELS))
    given = functions({n: tables[n] for n in ("node_subst", "edge_subst", "edge_del")})
    paths = Paths(pattern, G, tables, complete=True)
    try:
        result = gm.find_subgraph(pattern, G, **given)
    except gm.InfeasibleError:
        if np.isfinite(paths.cost.min()):
            raise Wrong("called infeasible") from None
        return REFUSED
    return check_result(paths, result)


DOORS = {
    "graph_edit_distance": check_distance,
    "edit_distances": check_distances,
    "graph_edit_distance, four costs": check_four_costs,
    "edit_distances, four costs": check_four_matrix,
    "networkx backend": check_networkx,
    "find_subgraph": check_find_subgraph,
}
