"""Sides of complete problems with and without exchanges, and what aj/model/exchanges finds."""

import numpy as np
from c_internals import internals


def grid(rows, columns):
    places = [(x, y) for x in range(rows) for y in range(columns)]
    return np.array([[abs(x - u) + abs(y - v) for u, v in places] for x, y in places], float)


def hypercube(n):
    return np.array([[bin(x ^ y).count("1") for y in range(n)] for x in range(n)], float)


def without_structure(n, seed=0):
    matrix = np.random.default_rng(seed).integers(0, 100, (n, n)).astype(float)
    return matrix + matrix.T


def costs(flow, distance):
    """L of a Koopmans-Beckmann problem: variables (constant, node by node)."""
    n = len(flow)
    L = np.zeros((1 + n * n, 1 + n * n))
    L[1:, 1:] = np.kron(flow, distance)
    allowed = np.zeros_like(L, np.uint8)
    other = 1 - np.eye(n, dtype=np.uint8)
    allowed[1:, 1:] = np.kron(other, other)
    allowed[0], allowed[:, 0] = 1, 1
    np.fill_diagonal(allowed, 1)
    return L, allowed


class Found:
    """Exchanges of both sides."""

    def __init__(self, flow, distance, L=None, allowed=None):
        self.ffi, self.lib = internals("aj/model/exchanges.h")
        whole, every = costs(flow, distance)
        L, allowed = whole if L is None else L, every if allowed is None else allowed
        self.n, self.L = len(flow), np.ascontiguousarray(L)
        self.nodes, self.labels = (self.ffi.new("aj_exchanges *") for _ in range(2))
        places = self.at(self.L), self.ffi.from_buffer("uint8_t[]", np.ascontiguousarray(allowed))
        self.lib.aj_exchanges_find(self.nodes, self.labels, self.n, *places)

    def at(self, array):
        return self.ffi.from_buffer("double[]", array)

    def average(self, matrix):
        matrix = matrix.copy()
        self.lib.aj_exchanges_average(self.nodes, self.labels, self.at(matrix))
        return matrix

    def images(self, side):
        return [list(side.image[m])[: side.n] for m in range(1 << side.n_exchanges)]

    def coordinates(self, side):
        """(matrix with a coordinate in each row, class of each)."""
        T = np.zeros((side.n, side.n))
        for c in range(side.n):
            for k in range(side.start[c], side.start[c + 1]):
                T[c, side.member[k]] = side.coefficient[k]
        ends = list(side.class_start)[1 : (1 << side.n_exchanges) + 1]
        return T, np.searchsorted(ends, np.arange(side.n), "right")
