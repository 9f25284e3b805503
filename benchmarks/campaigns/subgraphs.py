"""Common and contained subgraphs, isomorphic graphs and searches in collections: graphs of at most
five nodes, all maps of nodes tried.
"""

import networkx as nx
import numpy as np

import gmtoolbox as gm
from campaigns import PROVEN, UNPROVEN, Wrong
from campaigns.edits import KINDS, LABELS, NAMES, Paths, draw_costs, draw_graph, functions
from campaigns.matchings import all_labels


class Common:
    """What two graphs have in common under each map of nodes (rows of labels)."""

    def __init__(self, G1, G2, by_label):
        n1, n2 = len(G1), len(G2)
        self.G1, self.nodes1 = G1, list(G1)
        labels = all_labels(n1, n2) if n1 else np.zeros((1, 0), int)
        of_node = [np.array([G.nodes[u]["label"] for u in G], int) for G in (G1, G2)]
        if by_label:
            for i in range(n1):
                fits = np.append(of_node[1] == of_node[0][i], True)
                labels = labels[fits[labels[:, i]]]
        self.labels, self.of_node = labels, of_node
        A, B = (self.edge_labels(G, by_label) for G in (G1, G2))
        self.A, self.B = A, np.pad(B, ((0, 1), (0, 1)), constant_values=-1)  # the last: no node

    @staticmethod
    def edge_labels(G, by_label):
        """Return the matrix of edge labels (0 without labels), -1 for no edge."""
        place = {u: k for k, u in enumerate(G)}
        M = np.full((len(G), len(G)), -1)
        for u, v, data in G.edges(data=True):
            label = data["label"] if by_label else 0
            M[place[u], place[v]] = label
            if not G.is_directed():
                M[place[v], place[u]] = label
        return M

    def common_edges(self):
        """Return (edges (i, j) of G1, whether each map keeps each of them)."""
        place = {u: k for k, u in enumerate(self.nodes1)}
        edges = [(place[u], place[v]) for u, v in self.G1.edges]
        kept = [
            (self.labels[:, i] >= 0) & (self.labels[:, j] >= 0)
            & (self.B[self.labels[:, i], self.labels[:, j]] == self.A[i, j])
            for i, j in edges
        ]  # fmt: skip
        shape = (len(self.labels), len(edges))
        return edges, np.array(kept, bool).T.reshape(shape)

    def largest_by_edges(self, connected):
        """Return the most common edges."""
        edges, kept = self.common_edges()
        if not connected:
            return int(kept.sum(1).max(initial=0))
        best = 0
        for row in np.unique(kept, axis=0):
            H = nx.Graph([edge for edge, keep in zip(edges, row, strict=True) if keep])
            own = [edge for edge, keep in zip(edges, row, strict=True) if keep]
            for part in nx.connected_components(H):
                best = max(best, sum(i in part for i, _ in own))
        return best

    def largest_induced(self, connected, weight):
        """Return the largest sum of weights of common nodes whose edges agree."""
        n1, best = len(self.nodes1), 0.0
        good = np.ones(len(self.labels), bool)
        for i in range(n1):
            for j in range(n1):
                both = (self.labels[:, i] >= 0) & (self.labels[:, j] >= 0)
                good &= ~both | (self.B[self.labels[:, i], self.labels[:, j]] == self.A[i, j])
        for row in self.labels[good]:
            own = [i for i in range(n1) if row[i] >= 0]
            if connected and own:
                links = [(i, j) for i in own for j in own if i != j and self.A[i, j] >= 0]
                H = nx.Graph(links)
                H.add_nodes_from(own)
                if not nx.is_connected(H):
                    continue
            label1, label2 = self.of_node
            best = max(best, sum(weight[label1[i], label2[row[i]]] for i in own))
        return best


def check_common(rng):
    """maximum_common_subgraph of both kinds, connected or not, weighted or not, by both engines."""
    kind = KINDS[rng.integers(2)]
    G1, G2 = draw_graph(rng, kind), draw_graph(rng, kind, most=5)
    by_label, induced, connected = (bool(rng.integers(2)) for _ in range(3))
    same = lambda a, b: a["label"] == b["label"]
    given = {"node_match": same, "edge_match": same} if by_label else {}
    common, weight = Common(G1, G2, by_label), np.ones((LABELS, LABELS))
    if connected:
        given["connected"] = True
    elif rng.random() < 0.3:
        given["method"] = "aj"
    if induced and "method" not in given and rng.random() < 0.5:
        weight = rng.random((LABELS, LABELS)) * 10.0 ** rng.uniform(-6, 12)
        given["node_weight"] = lambda a, b: float(weight[a["label"], b["label"]])
    result = gm.maximum_common_subgraph(G1, G2, "induced" if induced else "edge", **given)
    best = (
        common.largest_induced(connected, weight) if induced else common.largest_by_edges(connected)
    )
    allowed = 1e-12 * best
    if result.value > best + allowed or result.bound < best - allowed:
        raise Wrong(f"value {result.value!r}, bound {result.bound!r}, the optimum is {best!r}")
    if result.status != "optimal":
        return UNPROVEN
    if result.value < best - allowed:
        raise Wrong(f"'optimal' {result.value!r}, the optimum is {best!r}")
    return PROVEN


def check_similarity(rng):
    """graph_similarity of both kinds."""
    kind, same = KINDS[rng.integers(2)], lambda a, b: a["label"] == b["label"]
    G1, G2 = draw_graph(rng, kind), draw_graph(rng, kind)
    if rng.integers(2):
        tables = draw_costs(rng)
        most = whole_cost(G1, "del", tables) + whole_cost(G2, "ins", tables)
        distance = Paths(G1, G2, tables).cost.min()
        values = [1.0 if most == 0 else max(1.0 - distance / most, 0.0)]
        found = gm.graph_similarity(G1, G2, **functions(tables))
    else:
        by_label = bool(rng.integers(2))
        given = {"node_match": same, "edge_match": same} if by_label else {}
        edges, kept = Common(G1, G2, by_label).common_edges()
        sizes = [len(G) + len(G.edges) for G in (G1, G2)]
        largest = kept[kept.sum(1) == kept.sum(1).max()]
        common = {nodes_of(edges, row) + int(row.sum()) for row in largest}
        most = sizes[0] * sizes[1]
        values = [n**2 / most for n in common] if most else [float(sizes[0] == sizes[1])]
        found = gm.graph_similarity(G1, G2, "common", **given)
    if min(abs(found - value) for value in values) > 1e-12:
        raise Wrong(f"{found!r}, should be one of {values}")
    return PROVEN


def whole_cost(G, step, tables):
    """Return the cost of deleting ("del") or inserting ("ins") all of a graph."""
    nodes = sum(tables[f"node_{step}"][data["label"]] for data in G.nodes.values())
    return nodes + sum(tables[f"edge_{step}"][data["label"]] for data in G.edges.values())


def nodes_of(edges, kept):
    """Return the number of nodes of the kept edges."""
    return len({i for edge, keep in zip(edges, kept, strict=True) if keep for i in edge})


def check_core(rng):
    """common_core of three graphs: all connected sets of edges of one of them tried."""
    kind, same = KINDS[rng.integers(2)], lambda a, b: a["label"] == b["label"]
    graphs = [draw_graph(rng, kind, least=1) for _ in range(3)]
    by_label = bool(rng.integers(2))
    given = {"node_match": same, "edge_match": same} if by_label else {}
    first = min(graphs, key=lambda G: len(G.edges))
    found = [Common(first, G, by_label).common_edges() for G in graphs]
    edges, best = found[0][0], 0
    for mask in range(1 << len(edges)):
        chosen = [k for k in range(len(edges)) if mask >> k & 1]
        if len(chosen) <= best or not nx.is_connected(nx.Graph([edges[k] for k in chosen])):
            continue
        if all(kept[:, chosen].all(1).any() for _, kept in found):
            best = len(chosen)
    core = gm.common_core(graphs, **given)
    if core.value > best or core.bound < best:
        raise Wrong(f"value {core.value}, bound {core.bound}, the largest core has {best} edges")
    for G, placed in zip(graphs, core.maps, strict=True):
        check_placed(graphs[core.reference], G, core.edges, placed, by_label)
    return PROVEN if core.value == core.bound else UNPROVEN


def check_placed(first, G, edges, placed, by_label):
    """Raise Wrong unless a map takes edges of the first graph to edges of another one."""
    if len(set(placed.values())) < len(placed):
        raise Wrong("two nodes have one image")
    for u, v in edges:
        if not G.has_edge(placed[u], placed[v]):
            raise Wrong(f"({u}, {v}) is not an edge of the other graph")
        there, here = G.edges[placed[u], placed[v]], first.edges[u, v]
        ends = [(first.nodes[w], G.nodes[placed[w]]) for w in (u, v)]
        if by_label and any(a["label"] != b["label"] for a, b in [(here, there), *ends]):
            raise Wrong("labels differ")


def check_automorphisms(rng):
    """automorphisms: their number, and which nodes can take each other's place."""
    kind, same = KINDS[rng.integers(2)], lambda a, b: a["label"] == b["label"]
    G, by_label = draw_graph(rng, kind, most=5), bool(rng.integers(2))
    given = {"node_match": same, "edge_match": same} if by_label else {}
    rows = all_places(Common(G, G, by_label), True)
    own = gm.automorphisms(G, **given)
    if own.order != len(rows):
        raise Wrong(f"order {own.order}, there are {len(rows)}")
    names = list(G)
    orbits = {frozenset(names[s] for s in rows[:, i].tolist()) for i in range(len(G))}
    if {frozenset(orbit) for orbit in own.orbits} != orbits:
        raise Wrong(f"orbits {own.orbits}, should be {orbits}")
    return PROVEN


# ---- contained subgraphs


def all_places(common, induced):
    """Return the rows of labels that place the whole first graph in the second."""
    n1 = len(common.nodes1)
    good = (common.labels >= 0).all(1)
    for i in range(n1):
        for j in range(n1):
            image = common.B[common.labels[:, i], common.labels[:, j]]
            good &= (image == common.A[i, j]) | ((common.A[i, j] < 0) & (not induced))
    return common.labels[good]


def check_contained(rng):
    """find_subgraphs and count_subgraphs, induced or not, and isomorphisms."""
    kind = KINDS[rng.integers(2)]
    pattern, G = draw_graph(rng, kind), draw_graph(rng, kind, most=5)
    by_label, induced = (bool(rng.integers(2)) for _ in range(2))
    same = lambda a, b: a["label"] == b["label"]
    given = {"node_match": same, "edge_match": same} if by_label else {}
    rows = all_places(Common(pattern, G, by_label), induced)
    expected = {tuple(list(G)[s] for s in row) for row in rows.tolist()}
    found = list(gm.find_subgraphs(pattern, G, induced=induced, **given))
    if len(found) != len(expected) or {tuple(f[u] for u in pattern) for f in found} != expected:
        raise Wrong(f"{len(found)} places, there are {len(expected)}")
    if gm.count_subgraphs(pattern, G, induced=induced, **given) != len(expected):
        raise Wrong(f"counts other than {len(expected)} places")
    H = nx.relabel_nodes(G, dict(zip(G, rng.permutation(len(G)).tolist(), strict=True)))
    if rng.random() < 0.5:
        H = draw_graph(rng, kind, most=5)
    twins = len(all_places(Common(G, H, by_label), True)) if len(G) == len(H) else 0
    if len(list(gm.isomorphisms(G, H, **given))) != twins:
        raise Wrong(f"other than {twins} isomorphisms")
    if gm.is_isomorphic(G, H, **given) != bool(twins):
        raise Wrong(f"is_isomorphic is false, there are {twins} isomorphisms")
    return PROVEN


# ---- searches

SCALES = (
    (1.0, 1.0, 1.0, 1.0),
    (1.0, 0.0, 1.0, 0.0),
    (4.0, 2.0, 1.0, 1.0),
    (0.5, 1.0, 0.25, 2.0),
    (1.0, 3.0, 1.0, 1.0),
    (0.0, 0.0, 1.0, 1.0),
    (2.0, 1.0, 0.0, 0.0),
    (1.0, 1.5, 0.75, 1.25),
    (0.3, 0.5, 0.2, 0.7),
    (1.0, 2.0, 1.0, np.inf),
)


def labelled(G):
    """Return a Graph that is compared by its labels."""
    edges = list(G.edges)
    data = [[{"label": d["label"]} for d in one] for one in (G.nodes.values(), G.edges.values())]
    names = dict(node_label=("label",), edge_label=("label",))
    return gm.Graph(list(G), edges, *data, G.is_directed(), **names)


def tables_of(scale):
    """Return the costs of a scale as tables by label."""
    node, relabel, edge, edge_relabel = scale
    single = dict(node_del=node, node_ins=node, edge_del=edge, edge_ins=edge)
    subst = dict(node_subst=relabel, edge_subst=edge_relabel)
    tables = {name: np.full(LABELS, cost) for name, cost in single.items()}
    for name, cost in subst.items():
        tables[name] = np.where(np.eye(LABELS, dtype=bool), 0.0, cost)
    return {name: tables[name] for name in NAMES}


def distances_of(measure, query, graphs, scale, induced):
    """Return the distances to all graphs by exhaustive search."""
    if measure == "edit":
        return [Paths(query, G, tables_of(scale)).cost.min() for G in graphs]
    common = [Common(query, G, True) for G in graphs]
    if measure == "contained":
        return [0.0 if len(all_places(one, induced)) else np.inf for one in common]
    edges = [len(query.edges) + len(G.edges) for G in graphs]
    return [m - 2.0 * one.largest_by_edges(False) for m, one in zip(edges, common, strict=True)]


def check_search(rng):
    """search by all measures, up to a distance or for the nearest."""
    kind = KINDS[rng.integers(2)]
    query, *graphs = (draw_graph(rng, kind, most=4) for _ in range(6))
    measure, induced = ("edit", "edit", "common", "contained")[rng.integers(4)], False
    scale = SCALES[rng.integers(len(SCALES))]
    given = {"costs": scale} if measure == "edit" else {}
    if measure == "contained":
        induced = given["induced"] = bool(rng.integers(2))
    values = distances_of(measure, query, graphs, scale, induced)
    order = sorted(range(5), key=lambda g: (round(values[g], 9), g))
    if measure == "contained":
        expected = [g for g in order if values[g] == 0.0]
    elif rng.random() < 0.5:
        k = given["k"] = int(rng.integers(1, 6))
        expected = order[:k]
    else:
        most = given["max_distance"] = float(rng.integers(0, 13)) / 2 + 1e-6
        expected = [g for g in order if values[g] <= most]
    found = gm.search(labelled(query), [labelled(G) for G in graphs], measure=measure, **given)
    right = [(g, values[g]) for g in expected]
    hits = sorted(found.hits, key=lambda hit: (round(hit.distance, 9), hit.index))
    same = [g for g, _ in right] == [hit.index for hit in hits] and all(
        abs(hit.distance - value) < 1e-9 for hit, (_, value) in zip(hits, right, strict=True)
    )
    if not same or found.undecided or not all(hit.proven for hit in hits):
        raise Wrong(f"{measure} {given}: {found.hits}, should be {right}")
    return PROVEN


DOORS = {
    "maximum_common_subgraph": check_common,
    "graph_similarity": check_similarity,
    "common_core": check_core,
    "automorphisms": check_automorphisms,
    "find_subgraphs": check_contained,
    "search": check_search,
}
