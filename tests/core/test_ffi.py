"""The border to C: pointers, copies, models and status codes."""

import numpy as np
import pytest
from small import random_problem

from gmtoolbox.core._ffi import check, ffi, lib, model, pointer, view
from gmtoolbox.core.errors import InfeasibleError, KernelError


def test_pointers_share_and_views_copy():
    array = np.arange(4, dtype=np.int32)
    shared = pointer(array)
    shared[2] = 9
    assert array.tolist() == [0, 1, 9, 3]
    copy = view(shared, 4, np.int32)
    shared[0] = 7
    assert copy[0] == 0 and view(ffi.NULL, 0, np.int32).size == 0


def test_arrays_of_other_types_are_refused():
    with pytest.raises(KeyError):
        pointer(np.zeros(2, np.float16))


def test_a_model_is_the_problem():
    problem = random_problem(np.random.default_rng(0), 3, 4, complete=True, offset=2.5)
    struct, borrowed = model(problem)
    assert (struct.n1, struct.n2, struct.complete) == (3, 4, 1)
    for name, n in (("left", 1), ("right", 1), ("cost", 1), ("a", 2), ("b", 2), ("edge_cost", 2)):
        array = getattr(problem, name)
        size = struct.n_candidates if n == 1 else struct.n_edges
        assert view(getattr(struct, name), size, array.dtype).tolist() == array.tolist()
    del borrowed


def test_status_codes_become_exceptions():
    assert check(0) == 0 and check(3) == 3
    for status, error in (
        (lib.GM_ENOMEM, MemoryError),
        (lib.GM_EINFEASIBLE, InfeasibleError),
        (lib.GM_EARGUMENT, KernelError),
        (lib.GM_ELIMIT, KernelError),
    ):
        with pytest.raises(error, match=ffi.string(lib.gm_status_text(status)).decode()[:10]):
            check(status)
