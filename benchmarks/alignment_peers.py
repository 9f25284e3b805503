"""Two alignments of the literature, written for comparison (bench_alignment.py --others):

grampa       spectral similarities of all eigenvectors, rounded (Fan, Mao, Wu and Xu 2020): see
             bench_networks.py.
fugal        after FUGAL (Bommakanti, Vonteri, Skitsas, Ranu, Mottin, Karras 2024): Frank-Wolfe on

                 -<A P B, P> + <D, P> + lambda <P, J - P>     over doubly stochastic P

             for lambda = 0, 1, ..., 14, ten steps each, whose directions are entropic assignments
             by Sinkhorn's scaling; D has the distances of four features of the nodes.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

ROUNDS, STEPS = 15, 10  # values of lambda, and steps for each
REGULARISATION = 1.0  # of the entropic assignments
MOST_SWEEPS, SWEEP_TOLERANCE = 100, 1e-3


def features(A):
    """Degree, clustering coefficient, and the means of both over the neighbours."""
    degree = np.asarray(A.sum(axis=1)).ravel()
    triangles = np.asarray((A @ A).multiply(A).sum(axis=1)).ravel()
    clustering = triangles / np.maximum(degree * (degree - 1), 1)
    near = np.maximum(degree, 1)
    return np.column_stack([degree, clustering, A @ degree / near, A @ clustering / near])


def entropic_assignment(gradient):
    """exp(-gradient) scaled to sums 1."""
    E = np.exp((gradient.min(axis=1, keepdims=True) - gradient) / REGULARISATION)
    u, v, tiny = np.ones(len(E), E.dtype), np.ones(E.shape[1], E.dtype), np.finfo(E.dtype).tiny
    for _ in range(MOST_SWEEPS):
        u = 1.0 / np.maximum(E @ v, tiny)
        sums = u @ E
        if np.abs(sums * v - 1.0).max() < SWEEP_TOLERANCE:
            break
        v = 1.0 / np.maximum(sums, tiny)
    return u[:, None] * E * v


def fugal(A, B):
    """Labels of two sparse graphs of equal size."""
    F, G = features(A), features(B)
    D = cdist(F, G).astype(np.float32)
    A, B = A.astype(np.float32), B.astype(np.float32)
    P = np.full(D.shape, 1.0 / len(D), np.float32)
    for weight in range(ROUNDS):
        for step in range(STEPS):
            gradient = -2.0 * ((A @ P) @ B) + D + weight * (1.0 - 2.0 * P)
            P += 2.0 / (2.0 + step) * (entropic_assignment(gradient) - P)
    return linear_sum_assignment(P, maximize=True)[1]
