"""
Two networks
============

*For users of networkx: find which node is which from the edges alone.*

The second graph has other names and lacks some edges. ``from_graphs`` counts common edges.
"""

import networkx as nx
import numpy as np

import gmtoolbox as gm

rng = np.random.default_rng(1)
G = nx.Graph(nx.karate_club_graph().edges)
names = rng.permutation(34)
H = nx.relabel_nodes(G, dict(enumerate(map(int, names))))
lost = list(H.edges)
H.remove_edges_from([lost[k] for k in rng.permutation(len(lost))[:6]])

problem = gm.models.from_graphs(G, H)
result = gm.gm_solve(problem, time_limit=5)
print(f"{result.value / 2:.0f} of {H.number_of_edges()} edges kept, {result.status}")
found = sum(result.mapping[k] == names[k] for k in G)
print(f"{found} of 34 people found")

# %%
# Several matchings keep all edges, for example those that exchange two people with the same
# friends, so the edges alone do not determine all 34 people. Both networks have one layout, matched
# people at the same place: common edges are bold, lost ones red.

column = {node: k for k, node in enumerate(H)}
truth = [column[int(names[k])] for k in G]
picture = gm.plot.matching(problem, result, ground_truth=truth, title="Karate club")
