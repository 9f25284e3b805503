"""gmtoolbox behind networkx's own functions: dispatch, meaning, and networkx's tests of them."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from edit_reference import brute_force, cost_of_path, partial_maps, random_graph
from repetition import times

from gmtoolbox.networkx_backend import FUNCTIONS, Backend, GraphView, backend_info

ROOT = Path(__file__).resolve().parent.parent
same = lambda a, b: a["label"] == b["label"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Variables under which networkx finds the backend as pyproject.toml declares it, even where an
    older version is installed.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = project["entry-points"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    if not any(found.name == "gmtoolbox" for found in entry_points(group="networkx.backends")):
        folder = tmp_path_factory.mktemp("metadata")
        info = folder / "gmtoolbox_declared-0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: gmtoolbox-declared\nVersion: 0\n"
        )
        groups = ("networkx.backends", "networkx.backend_info")
        text = "".join(
            f"[{group}]\n{name} = {target}\n"
            for group in groups
            for name, target in declared[group].items()
        )
        (info / "entry_points.txt").write_text(text)
        environment["PYTHONPATH"] = str(folder)
    return environment


def run(arguments, environment, folder):
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )


SCRIPT = """
import warnings
import networkx as nx
nx.config.warnings_to_ignore.add("cache")
assert "gmtoolbox" in nx.utils.backends.backends
assert "gmtoolbox" not in __import__("sys").modules or "numpy" not in __import__("sys").modules
G, H = nx.cycle_graph(6), nx.wheel_graph(7)
print(nx.graph_edit_distance(G, H, backend="gmtoolbox"))
same = lambda a, b: a.get("color") == b.get("color")
print(nx.graph_edit_distance(G, H, same, backend="gmtoolbox"))
G.nodes[0]["color"] = "red"             # networkx's cache does not see this
G.nodes[1]["color"] = "red"
print(nx.graph_edit_distance(G, H, same, backend="gmtoolbox"))
print(len(nx.optimal_edit_paths(nx.path_graph(3), nx.path_graph(2), backend="gmtoolbox")[0]))
nx.config.backend_priority.algos = ["gmtoolbox"]
one, two = (nx.gnp_random_graph(11, 0.3, seed=k) for k in (1, 2))
print(nx.graph_edit_distance(one, two))
print(list(nx.optimize_graph_edit_distance(G, H))[-1])
print(list(nx.optimize_edit_paths(G, H))[-1][2])
"""


def test_networkx_dispatches_to_us(environment, tmp_path):
    done = run(["-c", SCRIPT], environment, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["7.0", "7.0", "9.0", "4", "7.0", "7.0", "7.0"]


# The first turns the edge (a, b) into the loop (a, a) at no cost, where by definition one is
# deleted and the other inserted. The second expects that nothing is found within 0.1 ms.
KNOWN = ("test_symmetry_with_custom_matching", "test_graph_edit_distance_roots_and_timeout")


@pytest.mark.long
def test_networkx_own_tests(environment, tmp_path):
    chosen = [
        "-k",
        f"not ({' or '.join(KNOWN)})",
        "--pyargs",
        "networkx.algorithms.tests.test_similarity",
        "networkx.algorithms.isomorphism.tests.test_isomorphism",
        "networkx.algorithms.isomorphism.tests.test_vf2pp",
        "networkx.algorithms.isomorphism.tests.test_isomorphvf2",
        "networkx.algorithms.isomorphism.tests.test_match_helpers",
    ]
    plain = ["-c", os.devnull, "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    variables = {"NETWORKX_TEST_BACKEND": "gmtoolbox", "NETWORKX_FALLBACK_TO_NX": "True"}
    done = run(["-m", "pytest", "-q", *plain, *chosen], {**environment, **variables}, tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout and "failed" not in done.stdout


def test_backend_info_names_what_there_is():
    assert set(backend_info()["functions"]) == set(FUNCTIONS)
    for name in FUNCTIONS:
        assert callable(getattr(Backend, name)) and callable(getattr(nx, name))


def test_conversion_is_a_view():
    G = nx.path_graph(3)
    view = Backend.convert_from_nx(G, edge_attrs=None, name="graph_edit_distance")
    assert isinstance(view, GraphView) and Backend.convert_to_nx(view) is G
    assert Backend.convert_to_nx(3.0) == 3.0


@pytest.mark.parametrize("seed", range(times(25)))
def test_all_cheapest_paths(seed):
    rng = np.random.default_rng(seed)
    G, H = (random_graph(rng, nx.Graph, 3) for _ in range(2))
    paths, cost = Backend.optimal_edit_paths(GraphView(G), GraphView(H), same)
    assert cost == brute_force(G, H, node_match=same)
    for nodes, edges in paths:
        assert cost_of_path(G, H, nodes, edges, node_match=same) == cost
    told = {frozenset((u, v) for u, v in nodes if None not in (u, v)) for nodes, _ in paths}
    assert len(told) == len(paths)
    from edit_reference import cost_of_map, functions

    f = functions(node_match=same)
    wanted = {
        frozenset(m.items())
        for m in partial_maps(list(G), list(H))
        if cost_of_map(G, H, m, f) == cost
    }
    assert told == wanted


def test_paths_that_decrease_and_all_of_the_cheapest():
    G, H = GraphView(nx.cycle_graph(4)), GraphView(nx.path_graph(4))
    strict = list(Backend.optimize_edit_paths(G, H))
    assert [cost for *_, cost in strict] == [1.0]
    every = list(Backend.optimize_edit_paths(G, H, strictly_decreasing=False))
    assert len(every) == len(Backend.optimal_edit_paths(G, H)[0]) == 8
    assert {cost for *_, cost in every} == {1.0}
    assert list(Backend.optimize_edit_paths(G, H, upper_bound=0.5)) == []
    assert Backend.optimal_edit_paths(G, H, upper_bound=0.5) == ([], None)


def test_a_timeout_ends_the_list_of_cheapest_paths():
    """Two empty graphs of 9 nodes have 362,880 cheapest paths."""
    G, H = GraphView(nx.empty_graph(9)), GraphView(nx.empty_graph(9))
    found = list(Backend.optimize_edit_paths(G, H, strictly_decreasing=False, timeout=0.2))
    assert len(found) < 362_880


def test_arguments_by_position():
    G, H = GraphView(nx.cycle_graph(4)), GraphView(nx.path_graph(4))
    none = [None] * 8
    assert Backend.graph_edit_distance(G, H, *none, (0, 0), 5, 10) == 1.0
    assert Backend.graph_edit_distance(G, H, *none, None, 0.5) is None
    assert list(Backend.optimize_graph_edit_distance(G, H, *none, 5)) == [1.0]
    with pytest.raises(nx.NodeNotFound):
        Backend.graph_edit_distance(G, H, roots=(9, 0))
    with pytest.raises(nx.NetworkXError):
        Backend.graph_edit_distance(G, H, timeout=0)


def test_a_value_without_proof_is_told():
    G, H = (GraphView(nx.gnp_random_graph(40, 0.3, seed=k)) for k in (1, 2))
    with pytest.warns(UserWarning, match="the edit distance is between"):
        assert Backend.graph_edit_distance(G, H, timeout=0.3) > 0


# ---- isomorphisms


def isomorphic_pair(seed):
    """Two graphs of any kind, the second one the first under other names or with an edge moved, and
    functions that compare them.
    """
    rng = np.random.default_rng(seed)
    kind = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph][seed % 4]
    n = int(rng.integers(1, 7))
    G = kind()
    G.add_nodes_from((u, {"label": int(rng.integers(2))}) for u in range(n))
    for _ in range(int(rng.integers(0, 2 * n + 1))):
        G.add_edge(*map(int, rng.integers(n, size=2)), label=int(rng.integers(2)))
    H = nx.relabel_nodes(G, dict(zip(range(n), "abcdefg", strict=False)))
    if rng.random() < 0.5 and H.number_of_edges():
        H.remove_edge(*list(H.edges)[0][:2])
        H.add_edge(*rng.choice(list(H), size=2), label=int(rng.integers(2)))
    several = kind in (nx.MultiGraph, nx.MultiDiGraph)
    names = nx.algorithms.isomorphism
    edges = names.categorical_multiedge_match if several else names.categorical_edge_match
    nodes = names.categorical_node_match("label", None)
    return G, H, nodes if rng.random() < 0.5 else None, edges("label", 0), several


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_isomorphisms_are_those_of_networkx(start):
    seen = set()
    for seed in range(start, start + 50):
        G, H, nodes, edges, several = isomorphic_pair(seed)
        for match in (None, edges):
            expected = nx.is_isomorphic(G, H, node_match=nodes, edge_match=match)
            assert Backend.is_isomorphic(GraphView(G), GraphView(H), nodes, match) == expected, seed
            seen.add(expected)
        if several:
            continue  # vf2pp of networkx counts some parallel edges and loops wrongly
        label = "label" if nodes else None
        theirs = list(nx.vf2pp_all_isomorphisms(G, H, label))
        ours = list(Backend.vf2pp_all_isomorphisms(G, H, label))
        assert sorted(map(sorted, map(dict.items, ours))) == sorted(
            map(sorted, map(dict.items, theirs))
        ), seed
        assert Backend.vf2pp_is_isomorphic(G, H, label) == bool(theirs)
        found = Backend.vf2pp_isomorphism(G, H, label)
        assert found in theirs if theirs else found is None
    assert seen == {False, True}


def test_isomorphisms_of_unlike_graphs():
    assert Backend.is_isomorphic(nx.Graph(), nx.Graph()) is True
    assert Backend.vf2pp_is_isomorphic(nx.Graph(), nx.Graph()) is False  # as networkx has it
    assert list(Backend.vf2pp_all_isomorphisms(nx.Graph(), nx.Graph())) == []
    with pytest.raises(nx.NetworkXError, match="not of the same type"):
        Backend.is_isomorphic(nx.Graph(), nx.DiGraph())
    labels = nx.Graph()
    labels.add_node(0, colour="red")
    other = nx.Graph()
    other.add_node(1)
    assert not Backend.vf2pp_is_isomorphic(labels, other, "colour")
    assert Backend.vf2pp_is_isomorphic(labels, other, "colour", "red")
