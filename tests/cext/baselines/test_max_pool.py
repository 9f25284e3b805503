"""Max-pooling over neighbours, told once more in Python."""

import numpy as np

from gmtoolbox.core._ffi import lib, pointer


def test_the_squared_maxima_of_each_node_add_up():
    rng = np.random.default_rng(0)
    for _ in range(50):
        n, n_nodes = int(rng.integers(1, 12)), int(rng.integers(1, 5))
        node = rng.integers(0, n_nodes, n).astype(np.int32)
        rows = [rng.permutation(n)[: rng.integers(0, n + 1)] for _ in range(n)]
        rows = [row[np.argsort(node[row], kind="stable")] for row in rows]
        start = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        neighbour = np.concatenate(rows).astype(np.int32)
        weight, s, q = rng.normal(size=len(neighbour)), rng.random(n), np.empty(n)
        arrays = (start, neighbour, weight, node, s, q)
        lib.gm_max_pool(
            n, *(pointer(np.append(x, x[:0])) if not len(x) else pointer(x) for x in arrays)
        )
        for p in range(n):
            support = weight[start[p] : start[p + 1]] * s[rows[p]]
            expected = sum(
                max(support[node[rows[p]] == i].max(), 0.0) ** 2 for i in set(node[rows[p]])
            )
            assert np.isclose(q[p], expected)
