"""
Edit distance of two molecules
==============================

*For chemistry and pattern recognition: how many changes turn one graph into the other?*

The distance is proven, and the edit path says which changes they are.
"""

import networkx as nx

import gmtoolbox as gm


def molecule(atoms, bonds):
    G = nx.Graph()
    G.add_nodes_from((k, {"atom": atom}) for k, atom in enumerate(atoms))
    G.add_edges_from(bonds)
    return G


ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]
aspirin = molecule(
    "CCCCCCCOOOCCO",
    [*ring, (0, 6), (6, 7), (6, 8), (1, 9), (9, 10), (10, 11), (10, 12)],
)
paracetamol = molecule("CCCCCCOCONC", [*ring, (0, 6), (3, 9), (9, 7), (7, 8), (7, 10)])

result = gm.graph_edit_distance(
    aspirin, paracetamol, node_match=lambda a, b: a["atom"] == b["atom"]
)
print(result.summary())

# %%
picture = gm.plot.edit_path(aspirin, paracetamol, result, node_label="atom")
