"""graph6, digraph6, sparse6: against networkx, which writes and reads all but digraph6."""

import random

import pytest

import gmtoolbox as gm


def test_against_networkx(tmp_path):
    nx = pytest.importorskip("networkx")
    rng, path = random.Random(0), tmp_path / "g.g6"
    graphs = [nx.gnp_random_graph(n, 0.4, seed=n) for n in (*range(12), 62, 63, 70)]
    path.write_bytes(b"".join(map(nx.to_graph6_bytes, graphs)))
    found = gm.load_graphs(path)
    assert [set(g.edges) for g in found] == [set(g.edges) for g in graphs]
    assert [len(g) for g in found] == [len(g) for g in graphs] and found[3].name == "g-4"
    for graph in graphs:
        graph.add_edges_from((i, i) for i in graph if rng.random() < 0.3)
    path.write_bytes(b"".join(map(nx.to_sparse6_bytes, graphs)))
    same = lambda g: sorted(tuple(sorted(edge)) for edge in g.edges)
    assert list(map(same, gm.load_graphs(path))) == list(map(same, graphs))


def test_digraph6(tmp_path):
    (tmp_path / "d.d6").write_bytes(b"&DI?AO?\n")  # the example of the specification
    [graph] = gm.load_graphs(tmp_path / "d.d6")
    assert graph.directed and graph.edges == [(0, 2), (0, 4), (3, 1), (3, 4)]


@pytest.mark.parametrize(
    "content, message",
    [
        (b"D?", "5 nodes need 2 bytes, got 1"),
        (b"D??????", "5 nodes need 2 bytes"),
        (b"~?", "cut off"),
        (b"~~~~~~~~", "expands to more than the limit"),
        (b":~~~~~~~~", "expands to more than the limit"),
        (b"D\x10?", "bytes outside 63..126"),
    ],
)
def test_damaged_lines(tmp_path, content, message):
    (tmp_path / "x.g6").write_bytes(content)
    with pytest.raises(gm.FileFormatError, match=message):
        gm.load_graphs(tmp_path / "x.g6")
