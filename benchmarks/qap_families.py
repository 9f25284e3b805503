"""QAPs with a known optimum, after Drezner, Hahn and Taillard (Annals of OR 2005).

`rectangle(8, 9)`: flows of 1 to 10 between neighbours of a grid; distances are 1 between neighbours
and random from 1 to 10 elsewhere. The planted placement pays the sum of all flows, which is a lower
bound. Swaps of two nodes hardly ever lead there.
"""

import numpy as np

import gmtoolbox as gm


def rectangle(rows, columns, seed=0):
    """(Problem, optimum) of a grid of this many rows and columns."""
    rng, n = np.random.default_rng(seed), rows * columns
    place = np.arange(n).reshape(rows, columns)
    i = np.concatenate([place[:, :-1].ravel(), place[:-1].ravel()])
    j = np.concatenate([place[:, 1:].ravel(), place[1:].ravel()])
    flow, distance = np.zeros((n, n)), np.triu(rng.integers(1, 11, (n, n)).astype(float), 1)
    distance += distance.T
    flow[i, j] = flow[j, i] = rng.integers(1, 11, len(i))
    distance[i, j] = distance[j, i] = 1.0
    shuffled = rng.permutation(n)
    problem = gm.models.from_koopmans_beckmann(flow[np.ix_(shuffled, shuffled)], distance)
    return problem, float(flow.sum())
