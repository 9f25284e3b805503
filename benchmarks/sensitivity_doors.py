"""The calls of bench_sensitivity.py that read the numbers of Python: every door once, and methods.

Models are judged by their matches: the cost is the number of true ones that are missing. Other
costs are those of the answer. Iterations are limited, never seconds.
"""

from functools import partial
from itertools import combinations

import networkx as nx
import numpy as np
from bench_frames import frames
from scipy import sparse
from sensitivity_problems import (
    costs_of,
    make_matchings,
    make_matrices,
    make_sets,
    make_trees,
    solve_one,
    solve_set,
)

import gmtoolbox as gm

METHODS = ("faq", "fgmd", "ga", "ipfps", "ipfpu", "lsm", "mpm", "pm", "rrwm", "sm", "smac")
PROBLEMS = ("car", "house", "partial", "dense", "opengm", "worms")
MATRICES = ("qap15", "cycle30", "tree3x3x3", "border6", "network150")
SWAPS, STEPS = 2000, 200  # iterations of auto on matrices and on other problems


def make_doors():
    """Return {name: call}."""
    calls = {}
    for add in (add_methods, add_auto, add_networks, add_graphs, add_points, add_sets, add_others):
        add(calls)
    return calls


def add_methods(calls):
    """Add every method that is written in Python."""
    matchings, matrices = make_matchings(), make_matrices()
    given = {name: matchings[name] for name in PROBLEMS}
    given |= {name: matrices[name] for name in ("qap15", "network150")}
    for method in METHODS:
        for name, problem in given.items():
            if name in PROBLEMS[:4] or method in ("faq", "sm", "ga"):
                calls[f"{method} {name}"] = partial(
                    solve_one, gm.gm_solve, problem, method, maxiter=30
                )


def add_auto(calls):
    """Add auto: its ways on listed costs and on two matrices."""
    for name, problem in {**make_matchings(), **make_trees()}.items():
        calls[f"auto {name}"] = partial(solve_one, gm.gm_solve, problem, maxiter=STEPS)
        if name in PROBLEMS:
            calls[f"marginals {name}"] = partial(judge_marginals, problem)
            calls[f"confidence {name}"] = partial(judge_confidence, problem)
    matrices = make_matrices()
    for name in MATRICES:
        calls[f"auto {name}"] = partial(solve_one, gm.gm_solve, matrices[name], maxiter=SWAPS)


def judge_marginals(problem):
    """Return the facts of the marginals of an answer, without a cost."""
    result = gm.gm_solve(problem, maxiter=STEPS)
    return 0.0, 0.0, 0, np.asarray(result.marginals).tolist()


def judge_confidence(problem):
    """Return the facts of the confidence of an answer, of which the sum of all is a bound."""
    result = gm.gm_solve(problem, maxiter=STEPS)
    sure = np.nan_to_num(np.asarray(result.confidence, float), posinf=0.0, neginf=0.0)
    return 0.0, float(sure.sum()), 0, sure.tolist()


def make_network(n, degree, changed, seed, weighted=False):
    """Return two adjacency matrices of which one is permuted, with some edges moved."""
    rng = np.random.default_rng(seed)
    graph = np.triu(rng.random((n, n)) < degree / n, 1)
    kept = graph & (rng.random((n, n)) >= changed)
    other = np.triu(kept | (rng.random((n, n)) < changed * degree / n), 1)
    weights = np.round(rng.random((n, n)) * 8 + 1) if weighted else np.ones((n, n))
    order = rng.permutation(n)
    first, second = (np.triu(edges * weights, 1) for edges in (graph, other))
    return first + first.T, (second + second.T)[np.ix_(order, order)]


def add_networks(calls):
    """Add network alignment: noisy, sparse, large, weighted, in layers, with seeds."""
    from_graphs, from_layers = gm.models.from_graphs, gm.models.from_layers
    kinds = {
        "noisy50": (50, 12, 0.15),
        "clear100": (100, 8, 0.02),
        "sparse160": (160, 4, 0.05),
        "dense45": (45, 20, 0.1),
        "large220": (220, 8, 0.03),
    }
    for seed, (name, (n, degree, changed)) in enumerate(kinds.items()):
        pair = make_network(n, degree, changed, seed)
        problem = from_graphs(*pair)
        calls[f"auto {name}"] = partial(solve_one, gm.gm_solve, problem, maxiter=SWAPS)
        if n < 50:
            calls[f"align {name}"] = partial(align, pair)
    tree = [nx.to_numpy_array(nx.random_labeled_tree(60, seed=s)) for s in (1, 2)]
    heavy = [nx.to_numpy_array(nx.barabasi_albert_graph(110, 3, seed=s)) for s in (1, 2)]
    lattice = [nx.to_numpy_array(nx.watts_strogatz_graph(80, 6, 0.1, seed=s)) for s in (1, 2)]
    weighted = make_network(60, 10, 0.1, 7, weighted=True)
    layers = [make_network(50, 8, 0.1, seed) for seed in (8, 9)]
    seeds = np.column_stack([np.arange(5), np.arange(5)])
    made = {
        "tree60": from_graphs(*tree),
        "heavy110": from_graphs(*heavy),
        "lattice80": from_graphs(*lattice),
        "weighted60": from_graphs(*weighted),
        "overlap60": from_graphs(*weighted, overlap="min"),
        "layers50": from_layers([pair[0] for pair in layers], [pair[1] for pair in layers]),
        "seeds80": from_graphs(*lattice, seeds=seeds),
        "unequal": from_graphs(heavy[0], lattice[0]),
    }
    for name, problem in made.items():
        calls[f"auto {name}"] = partial(solve_one, gm.gm_solve, problem, maxiter=SWAPS)


def align(pair):
    """Return the facts of an alignment of small graphs by S3."""
    result = gm.align_graphs(pair[0][:10, :10], pair[1][:12, :12], maximise="s3")
    return *costs_of(result), result.n_iter, result.labels.tolist()


def add_graphs(calls):
    """Add edit distances, common subgraphs and patterns, on random graphs and molecules."""
    molecules = list(gm.data.load_molecules().values())
    graphs = {
        "random": [nx.gnp_random_graph(n, 0.35, seed=n) for n in (8, 9, 11)],
        "trees": [nx.random_labeled_tree(n, seed=n) for n in (12, 13, 14)],
        "dense": [nx.gnp_random_graph(n, 0.7, seed=n) for n in (9, 10, 11)],
        "larger": [nx.gnp_random_graph(n, 0.12, seed=n) for n in (26, 27, 28)],
        "molecules": molecules[:3],
        "drugs": molecules[-3:],
    }
    for name, own in graphs.items():
        one, two, three = own
        for other, place in ((two, "a"), (three, "b")):
            limits = {"maxiter": STEPS} if name == "larger" else {}
            calls[f"distance {name} {place}"] = partial(
                solve_set, gm.graph_edit_distance, one, other, **limits
            )
            if name != "larger":
                for kind in ("edge", "induced"):
                    calls[f"common {kind} {name} {place}"] = partial(
                        solve_set, gm.maximum_common_subgraph, one, other, kind
                    )
        pattern = nx.path_graph(4)
        if name not in ("molecules", "drugs"):
            calls[f"pattern {name}"] = partial(solve_set, gm.find_subgraph, pattern, three)
            calls[f"patterns {name}"] = partial(count, pattern, three)
    calls["matrix of distances"] = partial(distances, molecules[:8])
    calls["matrix of limited distances"] = partial(distances, molecules, upper_bound=4)

    calls["common core"] = partial(join_core, molecules[:4])
    calls["search"] = partial(search_molecules, molecules)
    calls["paths"] = partial(list_paths, nx.path_graph(5), nx.cycle_graph(6))
    large = nx.barabasi_albert_graph(150, 3, seed=1)
    small = graphs["trees"][0]
    calls["pattern in a large graph"] = partial(solve_set, gm.find_subgraph, small, large)


def join_core(graphs):
    """Return the facts of a common core."""
    core = gm.common_core(graphs)
    return -float(core.value), -float(core.bound), 0, core.edges


def search_molecules(molecules):
    """Return the facts of the nearest molecules."""
    found = gm.search(molecules[0], molecules[1:], k=3)
    return 0.0, 0.0, 0, [(hit.index, hit.distance) for hit in found]


def list_paths(one, two):
    """Return the facts of all optimal edit paths."""
    paths, cost = nx.optimal_edit_paths(one, two, backend="gmtoolbox")
    return float(cost), 0.0, 0, len(paths)


def count(pattern, graph):
    """Return the number of places of a pattern."""
    return 0.0, 0.0, 0, gm.count_subgraphs(pattern, graph)


def distances(graphs, **options):
    """Return the facts of a matrix of distances."""
    made = np.asarray(gm.edit_distances(graphs, **options).values, float)
    return float(np.nan_to_num(made, posinf=99.0).sum()), 0.0, 0, np.nan_to_num(made).tolist()


def make_scene(seed, n, clutter, noise, bend=0.0):
    """Return (P, F1, Q, F2, labels): keypoints of a scene and of its turned, noisy picture."""
    rng = np.random.default_rng(seed)
    P, F = rng.uniform(0, 300, (n, 2)), rng.normal(size=(n, 16))
    turn = 0.8 * np.array([[0.9, 0.44], [-0.44, 0.9]])
    Q = P @ turn + 20 + bend * np.sin(P[:, ::-1] / 40) + rng.normal(0, noise, P.shape)
    stray = rng.uniform(Q.min(0), Q.max(0), (clutter, 2))
    order = rng.permutation(n + clutter)
    Q = np.vstack([Q, stray])[order]
    F2 = np.vstack([F + rng.normal(0, 0.9, F.shape), rng.normal(size=(clutter, 16))])[order]
    P = np.vstack([P, rng.uniform(0, 300, (clutter, 2))])
    F1 = np.vstack([F, rng.normal(size=(clutter, 16))])
    labels = np.concatenate([np.argsort(order)[:n], np.full(clutter, -1)])
    return P, F1, Q, F2, labels


def add_points(calls):
    """Add keypoints with and without descriptors, and matches of another matcher."""
    kinds = {"flat": (0.5, 0.0), "bent": (0.5, 6.0), "noisy": (3.0, 2.0)}
    for seed, (name, (noise, bend)) in enumerate(kinds.items()):
        for n, clutter in ((50, 20), (70, 70)):
            scene = make_scene(seed, n, clutter, noise, bend)
            for geometry in ("auto", "homography", "epipolar", "similarity", "affine"):
                key = f"keypoints {name} {n} {geometry}"
                calls[key] = partial(match_points, scene, geometry)
            calls[f"matches {name} {n}"] = partial(judge_matches, scene)
            calls[f"pattern {name} {n}"] = partial(match_pattern, scene)


def missing(labels, truth):
    """Return how many true matches are missing, and false ones besides."""
    labels, truth = np.asarray(labels), np.asarray(truth)
    wrong = (labels >= 0) & (labels != truth)
    return float(np.sum((truth >= 0) & (labels != truth)) + np.sum(wrong))


def match_points(scene, geometry):
    """Return the facts of keypoints with descriptors."""
    P, F1, Q, F2, truth = scene
    made = gm.match_keypoints(P, F1, Q, F2, geometry=geometry, time_limit=None)
    labels = made.result.labels
    sure = np.round(made.confidence, 9).tolist()
    return missing(labels, truth), 0.0, 0, labels.tolist(), made.inliers.tolist(), sure


def judge_matches(scene):
    """Return the facts of matches that were given, a third of them wrong."""
    P, _, Q, _, truth = scene
    rng = np.random.default_rng(5)
    pairs = np.column_stack([np.arange(len(P)), np.where(truth < 0, 0, truth)])
    wrong = (truth < 0) | (rng.random(len(P)) < 0.2)
    pairs[wrong, 1] = rng.integers(0, len(Q), int(wrong.sum()))
    result = gm.gm_solve(gm.models.from_matches(P, Q, pairs), maxiter=STEPS)
    return missing(result.labels, truth), 0.0, 0, result.labels.tolist()


def match_pattern(scene):
    """Return the facts of points without descriptors."""
    P, _, Q, _, truth = scene
    result = gm.gm_solve(gm.models.from_points(P, Q, geometry="local"), maxiter=STEPS)
    return missing(result.labels, truth), 0.0, 0, result.labels.tolist()


def add_sets(calls):
    """Add many graphs: frames of points, cells, and the sets of the header `multi`."""
    for name, (many, units, bound) in make_sets().items():
        calls[f"graphs {name}"] = partial(
            solve_set, gm.gm_solve_multi, many, maxiter=units, bound=bound
        )
    kinds = {
        "few": {},
        "turned": {"any_angle": True},
        "missing": {"missing": 0.25, "clutter": 0.2},
        "bent": {"bend": 0.03},
    }
    for seed, (name, own) in enumerate(kinds.items()):
        points, truth = frames(seed, d=4, n=40, **own)
        calls[f"frames {name}"] = partial(join_frames, points, truth)
    calls["cells"] = partial(join_cells, *frames(9, d=3, n=50))


def add_others(calls):
    """Add linear assignment, advice and synchronisation."""
    rng = np.random.default_rng(4)
    square, wide = rng.random((300, 300)), rng.random((100, 600))
    thin = sparse.random_array((800, 800), density=0.02, rng=1) + sparse.eye_array(800)
    for name, C in (("square", square), ("wide", wide), ("sparse", thin.tocsr())):
        calls[f"assign {name}"] = partial(assign, C)
    for name, problem in {**make_matchings(), **make_matrices()}.items():
        if name in ("car", "dense", "worms", "qap15", "network150"):
            calls[f"advice {name}"] = partial(advise, problem)
    for n_graphs, size in ((4, 10), (6, 90)):
        given = {
            (g, h): np.where(rng.random(size) < 0.2, rng.integers(0, size, size), np.arange(size))
            for g, h in combinations(range(n_graphs), 2)
        }
        for labels in given.values():
            seen = np.ones(size, bool)
            seen[np.unique(labels, return_index=True)[1]] = False
            labels[seen] = -1
        calls[f"synchronise {size}"] = partial(join_spectrally, given, (size,) * n_graphs)


def assign(C):
    """Return the facts of a linear assignment."""
    result = gm.assign(C)
    return float(result.value), float(result.bound), 0, result.labels.tolist()


def advise(problem):
    """Return the order of the methods for a problem."""
    return 0.0, 0.0, 0, [method.name for method in gm.gm_methods(problem)]


def join_spectrally(given, sizes):
    """Return the facts of tracks of pairwise matchings."""
    result = gm.synchronise(given, sizes, method="spectral")
    return *costs_of(result), 0


def join_frames(points, truth):
    """Return the facts of many frames."""
    result = gm.gm_solve_multi(gm.models.multi_from_points(points), maxiter=STEPS)
    return wrong_pairs(result.labels, truth), 0.0, 0


def join_cells(points, truth):
    """Return the facts of cells."""
    tracks = gm.track_cells(points, time_limit=None)
    return wrong_pairs(tracks.result.labels, truth), 0.0, 0, tracks.table.tolist()


def wrong_pairs(labels, truth):
    """Return the number of missing and false pairs of points; labels(g, h) are those found."""
    total = 0.0
    for g, h in combinations(range(len(truth)), 2):
        label_of = {track: k for k, track in enumerate(truth[h]) if track >= 0}
        wanted = [label_of.get(track, -1) if track >= 0 else -1 for track in truth[g]]
        total += missing(labels(g, h), wanted)
    return total
