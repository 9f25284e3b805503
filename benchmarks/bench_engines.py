"""How far the default of maximum_common_subgraph is from the better of its two searches for common
edges, over many kinds of graphs.

    OMP_NUM_THREADS=1 python benchmarks/bench_engines.py [SEED]

Each pair is solved by the default, by partition and by assignment, in turns: CPU seconds, the
fastest of ten calls (fewer if they take long). Pairs that no search proves in 2 s are left out.
"""

import random
import statistics
import sys
import time

import networkx as nx

import gmtoolbox as gm

LIMIT = 2.0  # seconds of the slower search
CALLS, LONG = 10, 0.3  # calls of each, until they have taken this many seconds
MOST = 1.5  # a ratio that is counted
METHODS = ("auto", "partition", "assignment")


def gnp(n, p, directed=False):
    return lambda seed: nx.gnp_random_graph(n, p, seed=seed, directed=directed)


def regular(degree, n):
    return lambda seed: nx.random_regular_graph(degree, n, seed=seed)


def geometric(n, radius):
    return lambda seed: nx.random_geometric_graph(n, radius, seed=seed)


def attached(n, m, p=0.0):
    return lambda seed: nx.powerlaw_cluster_graph(n, m, p, seed=seed)


def small_world(n, k, p):
    return lambda seed: nx.connected_watts_strogatz_graph(n, k, p, seed=seed)


def tree(n):
    return lambda seed: nx.random_labeled_tree(n, seed=seed)


def bipartite(n, p):
    return lambda seed: nx.bipartite.random_graph(n, n, p, seed=seed)


def labelled(make, labels, what="node"):
    """The same graphs with random labels."""

    def make_labelled(seed):
        G, rng = make(seed), random.Random(seed + 7)
        parts, put = {
            "node": (G.nodes, nx.set_node_attributes),
            "edge": (G.edges, nx.set_edge_attributes),
        }[what]
        put(G, {part: rng.randrange(labels) for part in parts}, "label")
        return G

    make_labelled.given = {f"{what}_match": lambda a, b: a["label"] == b["label"]}
    return make_labelled


def changed(G, edges, seed):
    """A copy with nodes in another order and some edges elsewhere."""
    rng, H = random.Random(seed), G.copy()
    for _ in range(edges):
        H.remove_edge(*rng.choice(list(H.edges)))
        H.add_edge(*rng.choice(list(nx.non_edges(H))))
    names = list(H)
    rng.shuffle(names)
    return nx.relabel_nodes(H, dict(zip(H, names, strict=True)))


def two(make, other=None):
    """A pair of independent graphs."""
    return lambda seed: (make(seed), (other or make)(seed + 501))


def near(make):
    """A graph and a changed copy of it."""
    return lambda seed: ((G := make(seed)), changed(G, 3, seed + 1))


KINDS = {
    "G(n, p), p < 0.4": [gnp(12, 0.3), gnp(14, 0.3), gnp(16, 0.25), gnp(20, 0.15)],
    "G(n, p), p = 0.4 to 0.8": [
        *(gnp(12, 0.4), gnp(14, 0.4), gnp(13, 0.5), gnp(15, 0.5)),
        *(gnp(12, 0.6), gnp(14, 0.6), gnp(13, 0.7), gnp(14, 0.8)),
    ],
    "regular": [regular(3, 18), regular(4, 14), regular(4, 16), regular(5, 14), regular(6, 13)],
    "geometric": [
        *(geometric(14, 0.3), geometric(16, 0.3), geometric(14, 0.4), geometric(15, 0.45)),
        geometric(20, 0.25),
    ],
    "preferential attachment": [
        *(attached(14, 2), attached(18, 2), attached(14, 3), attached(16, 3), attached(14, 4)),
        *(attached(24, 1), attached(16, 2, 0.5), attached(14, 3, 0.5)),
    ],
    "small worlds, trees, bipartite": [
        *(small_world(16, 4, 0.2), small_world(14, 4, 0.3), small_world(14, 6, 0.2)),
        *(tree(20), tree(24), bipartite(7, 0.5), bipartite(8, 0.4)),
    ],
    "labelled nodes": [
        *(labelled(gnp(16, 0.4), 2), labelled(gnp(18, 0.3), 2), labelled(gnp(20, 0.4), 3)),
        *(labelled(gnp(18, 0.6), 3), labelled(gnp(22, 0.5), 4), labelled(gnp(16, 0.6), 2)),
        *(labelled(gnp(24, 0.2), 3), labelled(attached(20, 3), 3), labelled(regular(4, 20), 3)),
        *(labelled(geometric(18, 0.4), 2), labelled(regular(3, 24), 2), labelled(tree(30), 3)),
        *(labelled(gnp(30, 0.07), 3), labelled(small_world(30, 2, 0.3), 4)),
    ],
    "labelled edges": [
        *(labelled(gnp(14, 0.4), 2, "edge"), labelled(gnp(14, 0.7), 3, "edge")),
        *(labelled(regular(3, 20), 2, "edge"), labelled(tree(26), 3, "edge")),
    ],
    "directed": [
        *(gnp(11, 0.3, True), gnp(12, 0.25, True), gnp(11, 0.5, True), gnp(14, 0.15, True)),
        labelled(gnp(14, 0.3, True), 2),
    ],
}
PAIRS = {name: [(two(make), getattr(make, "given", {})) for make in KINDS[name]] for name in KINDS}
PAIRS["changed copies"] = [
    (near(make), {})
    for make in (gnp(18, 0.3), gnp(16, 0.5), regular(3, 26), attached(20, 2), geometric(20, 0.3))
]
PAIRS["of other sizes or densities"] = [
    (two(gnp(*one), gnp(*other)), {})
    for one, other in (
        *(((10, 0.4), (18, 0.4)), ((12, 0.3), (20, 0.3)), ((10, 0.6), (16, 0.6))),
        *(((13, 0.3), (13, 0.6)), ((15, 0.2), (15, 0.5))),
    )
]


def ratio(pair, given):
    """Time of the default over that of the better search, or None."""
    best, found, spent = {}, {}, dict.fromkeys(METHODS, 0.0)
    for _ in range(CALLS):
        for method in METHODS:
            limit = 10 * LIMIT if method == "auto" else min(LIMIT, 20 * best["auto"] + 0.5)
            if spent[method] > LONG:
                continue
            started = time.process_time()
            asked = dict(method=method, time_limit=limit)
            found[method] = gm.maximum_common_subgraph(*pair, **asked, **given)
            seconds = time.process_time() - started
            best[method] = min(best.get(method, seconds), seconds)
            spent[method] += seconds
    proven = [method for method in METHODS if found[method].proven]
    values = {found[method].value for method in proven}
    assert len(values) <= 1, values
    if len(proven) < 2 or "auto" not in proven:
        return None
    return best["auto"] / min(best[method] for method in proven[1:])


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    gm.maximum_common_subgraph(nx.path_graph(3), nx.path_graph(3))  # imports
    print(f"| kind | pairs | median | worst | above {MOST:g} |\n|---|---|---|---|---|")
    every = []
    for name, makers in PAIRS.items():
        found = [ratio(make(seed), given) for make, given in makers]
        every.append((name, [one for one in found if one is not None]))
    every.append(("all", [one for _, found in every for one in found]))
    for name, found in every:
        above = sum(one > MOST for one in found)
        print(f"| {name} | {len(found)} | {statistics.median(found):.2f} | {max(found):.2f} |"
              f" {above} |")  # fmt: skip


if __name__ == "__main__":
    main()
