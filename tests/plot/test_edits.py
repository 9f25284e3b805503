"""Pictures of edit paths: every node and edge once on its side, in the colour of its fate."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.plot.edits import layout

nx = pytest.importorskip("networkx")


def kinds(svg, shape):
    ElementTree.fromstring(svg)
    return [found.split()[1] for found in re.findall(rf"class='({shape} \w+)'", svg)]


def test_kept_deleted_inserted():
    G, H = nx.cycle_graph(4), nx.path_graph(5)
    r = gm.graph_edit_distance(G, H)
    svg = gm.plot.edit_path(G, H, r)
    nodes, edges = kinds(svg, "node"), kinds(svg, "edge")
    assert len(nodes) == 9 and nodes.count("inserted") == 1 and nodes.count("kept") == 8
    assert len(edges) == 4 + 4
    changed = edges.count("deleted") + edges.count("inserted") + nodes.count("inserted")
    assert changed == r.distance


def test_relabelled_nodes_show_their_labels():
    G, H = nx.path_graph(2), nx.path_graph(2)
    nx.set_node_attributes(G, {0: "C", 1: "C"}, "symbol")
    nx.set_node_attributes(H, {0: "C", 1: "<N>"}, "symbol")
    r = gm.graph_edit_distance(G, H, node_match=lambda a, b: a["symbol"] == b["symbol"])
    svg = gm.plot.edit_path(G, H, r, node_label="symbol")
    assert kinds(svg, "node").count("relabelled") == 2 and "&lt;N&gt;" in svg


def test_layouts_keep_distances():
    ring = np.zeros((6, 6), bool)
    for i in range(6):
        ring[i, (i + 1) % 6] = ring[(i + 1) % 6, i] = True
    X = layout(ring)
    sides = np.linalg.norm(X - np.roll(X, 1, axis=0), axis=1)
    assert np.ptp(sides) < 0.05 * sides.mean() and np.linalg.norm(X[0] - X[3]) > 1.5 * sides.mean()
    assert layout(np.zeros((1, 1), bool)).shape == (1, 2)
    assert np.all(np.isfinite(layout(np.zeros((3, 3), bool))))  # three parts
