"""Pairs of random graphs with noise between them, and the common edges of a matching."""

import numpy as np


def correlated(n, p, e, seed):
    """(A, B, truth): B has other edges for a share e of those of A."""
    rng = np.random.default_rng(seed)
    W, N1, N2 = (np.triu(rng.random((n, n)) < q, 1) for q in (p, e, p * e / (1 - p)))
    H = (W & ~N1) | (~W & N2)
    truth = rng.permutation(n)
    B = np.zeros((n, n))
    B[np.ix_(truth, truth)] = H + H.T
    return (W + W.T).astype(float), B, truth


def kept(A, B, labels):
    """Twice the number of common edges."""
    return float((A * B[np.ix_(labels, labels)]).sum())
