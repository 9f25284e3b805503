"""What every argument of the calls of other libraries changes; see argument_table."""

import numpy as np
from argument_table import Calls

from gmtoolbox.compat import graspologic, pygmtools

RNG = np.random.default_rng(3)
S = RNG.random((3, 4))
PAIR, PADDED = RNG.random((2, 3, 4)), {"s": RNG.random((2, 3, 4))}
K = RNG.random((12, 12))
K = K + K.T
SIGNED = np.random.default_rng(9).normal(size=(12, 12))  # ipfp takes several steps
WEIGHTS, ENDS = RNG.random((3, 2)), np.array([[0, 1], [1, 2], [2, 0]])
NODES = RNG.random((3, 2))
GRAPHS = {
    "node_feat1": NODES, "edge_feat1": WEIGHTS, "connectivity1": ENDS,
    "node_feat2": NODES[::-1], "edge_feat2": WEIGHTS[::-1], "connectivity2": ENDS,
}  # fmt: skip
ONLY_EDGES = {"node_feat1": None, "node_feat2": None}
ONLY_NODES = dict.fromkeys(("edge_feat1", "connectivity1", "edge_feat2", "connectivity2"))
BACKEND = {"backend": "pytorch"}
FREE = {"unmatch1": np.full(3, 0.1), "unmatch2": np.full(4, 0.1)}


def soft(function, **more):
    """Calls of a soft matching."""
    changes = {"max_iter": (1, {}), **more}
    return Calls(
        function,
        {"K": K, "n1": 3, "n2": 4},
        changes=changes,
        refused={
            "n1": [(4, {})], "n2": [(5, {})], "n1max": [(4, {})], "n2max": [(5, {})],
            "x0": [(np.ones((3, 4)), {})],
        },
        always=("max_iter", *more),
        silent=BACKEND,
        effects=dict.fromkeys(
            ("n1", "n2", "n1max", "n2max", "x0"), lambda: check_padding(function)
        ),
    )  # fmt: skip


def check_padding(function):
    """n1 and n2 choose a part of a matrix that has place for n1max and n2max nodes."""
    rows = [i + 3 * s for s in range(2) for i in range(2)]
    part = function(K[np.ix_(rows, rows)], 2, 2)
    whole = function(K, 2, 2, n1max=3, n2max=4)
    assert whole.shape == (3, 4) and np.allclose(whole[:2, :2], part)
    assert not whole[2:].any() and not whole[:, 2:].any()


PYGMTOOLS = {
    "set_backend": Calls(
        pygmtools.set_backend,
        {"backend": "numpy"},
        refused={"backend": [("jittor", {})]},
        effects={"backend": lambda: pygmtools.set_backend("pytorch")},
    ),
    "hungarian": Calls(
        pygmtools.hungarian,
        {"s": S},
        changes={
            "n1": ([2, 3], PADDED, None),
            "n2": ([2, 3], PADDED, None),
            "unmatch1": (np.full(3, 2.0), FREE),
            "unmatch2": (np.full(4, 2.0), FREE),
        },
        refused={
            "n1": [(4, {})], "n2": [([2, 3], {})], "unmatch1": [(np.ones(3), {})],
            "unmatch2": [(np.ones(4), {})],
        },
        silent={"nproc": 0, **BACKEND},
    ),
    "sinkhorn": Calls(
        pygmtools.sinkhorn,
        {"s": S},
        changes={
            "n1": ([2, 3], PADDED, None),
            "n2": ([2, 3], PADDED, None),
            "unmatch1": (np.full(3, 2.0), FREE),
            "unmatch2": (np.full(4, 2.0), FREE),
            "dummy_row": (True, {}),
            "max_iter": (2, {}),
            "tau": (0.1, {}),
        },
        refused={
            "n1": [(4, {})], "n2": [([2, 3], {})], "unmatch1": [(np.ones(3), {})],
            "unmatch2": [(np.ones(4), {})],
        },
        always=("dummy_row", "max_iter", "tau"),
        silent={"batched_operation": 2, **BACKEND},
    ),
    "sm": soft(pygmtools.sm),
    "rrwm": soft(pygmtools.rrwm, sk_iter=(2, {}), alpha=(0.9, {}), beta=(2, {})),
    "ipfp": soft(pygmtools.ipfp, max_iter=(1, {"K": SIGNED + SIGNED.T})),
}  # fmt: skip

PYGMTOOLS_UTILS = {
    "build_aff_mat": Calls(
        pygmtools.utils.build_aff_mat,
        GRAPHS,
        changes={
            "n1": (4, ONLY_EDGES), "n2": (4, ONLY_EDGES), "ne1": (2, {}), "ne2": (2, {}),
            "node_aff_fn": (pygmtools.utils.gaussian_aff_fn, {}),
            "edge_aff_fn": (pygmtools.utils.gaussian_aff_fn, {}),
        },
        refused={
            "n1": [(2, {})], "n2": [(2, {})], "ne1": [(2, ONLY_NODES)], "ne2": [(2, ONLY_NODES)],
            "node_aff_fn": [(pygmtools.utils.gaussian_aff_fn, ONLY_EDGES)],
            "edge_aff_fn": [(pygmtools.utils.gaussian_aff_fn, ONLY_NODES)],
        },
        silent=BACKEND,
    ),
    "inner_prod_aff_fn": Calls(
        pygmtools.utils.inner_prod_aff_fn, {"feat1": NODES[None], "feat2": NODES[None]}
    ),
    "gaussian_aff_fn": Calls(
        pygmtools.utils.gaussian_aff_fn,
        {"feat1": NODES[None], "feat2": NODES[None]},
        changes={"sigma": (3.0, {})},
        always=("sigma",),
    ),
    "dense_to_sparse": Calls(
        pygmtools.utils.dense_to_sparse, {"dense_adj": np.triu(K)}, silent=BACKEND
    ),
}  # fmt: skip

A, B = RNG.random((2, 5, 5))
UNUSED = {
    "AB": A, "BA": A, "init": np.eye(5), "init_perturbation": 0.5, "padding": "adopted",
    "n_jobs": 2, "max_iter": 5, "tol": 0.1, "verbose": 1, "transport": True,
    "transport_regularizer": 5, "transport_tol": 0.5, "transport_max_iter": 5,
}  # fmt: skip
GRASPOLOGIC = {
    "graph_match": Calls(
        graspologic.graph_match,
        {"A": A, "B": B},
        changes={
            "S": (10 * np.eye(5)[::-1], {}),
            "partial_match": ([[0, 0]], {}, [[0, 1]]),
            "n_init": (2, {}),
            "shuffle_input": (False, {"A": np.zeros((5, 5)), "method": "sm"}),
            "maximize": (False, {}),
            "rng": (5, {"A": np.zeros((5, 5)), "method": "sm"}),
            "method": ("sm", {}),
        },
        refused={name: [(value, {})] for name, value in UNUSED.items()},
        always=("S", "partial_match", "n_init", "shuffle_input", "maximize", "rng", "method"),
        silent={"time_limit": -1.0, "fast": "x", "use_numba": "x", **UNUSED},
        watch=lambda r: (r.indices_B.tolist(), r.score, len(r.misc), r.misc[0]["status"]),
    )
}
