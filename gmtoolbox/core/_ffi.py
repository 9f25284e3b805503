"""The only importer of the compiled module: arrays in, arrays out, status codes to exceptions."""

from gmtoolbox.core.errors import InfeasibleError, KernelError
from gmtoolbox.core.lazy import np

try:
    from gmtoolbox._cext import assign_small, ffi, lib, prepare_assign, write_keys  # noqa: F401
except ImportError as error:
    raise ImportError(
        "the compiled part of gmtoolbox is missing here; in a source tree run 'pip install -e .'"
        " (or scripts/test) first"
    ) from error

CTYPES = {
    ("i", 4): "int32_t[]",
    ("i", 8): "int64_t[]",
    ("f", 4): "float[]",
    ("f", 8): "double[]",
}


def pointer(array):
    """C pointer to a contiguous array; the array must outlive the call."""
    return ffi.from_buffer(
        CTYPES[array.dtype.kind, array.dtype.itemsize],
        array,
        require_writable=array.flags.writeable,
    )


def view(ptr, n, dtype):
    """Copy of n items behind a C pointer."""
    if n == 0:
        return np.empty(0, dtype)
    return np.frombuffer(ffi.buffer(ptr, n * np.dtype(dtype).itemsize), dtype=dtype).copy()


def check(status):
    """Raise the error that a negative kernel status stands for."""
    if status < 0:
        text = ffi.string(lib.gm_status_text(status)).decode()
        if status == lib.GM_ENOMEM:
            raise MemoryError(text)
        raise InfeasibleError(text) if status == lib.GM_EINFEASIBLE else KernelError(text)
    return status


def model(problem):
    """(gm_model *, objects it borrows from) of a Problem; keep the second alive as long as the
    first.
    """
    edges, struct = problem.edges.written_out(), ffi.new("gm_model *")
    struct.n1, struct.n2 = problem.shape
    struct.n_candidates, struct.n_edges = len(problem.left), len(edges.a)
    struct.complete = problem.complete
    borrow, integers, numbers = ffi.from_buffer, "int32_t[]", "double[]"
    borrowed = (
        borrow(integers, problem.left),
        borrow(integers, problem.right),
        borrow(numbers, problem.cost),
        borrow(integers, edges.a),
        borrow(integers, edges.b),
        borrow(numbers, edges.cost),
    )
    struct.left, struct.right, struct.cost, struct.a, struct.b, struct.edge_cost = borrowed
    return struct, borrowed


def matching_cost(borrowing, labels):
    """Return the cost of int32 labels under a model, None if they are not a matching of it."""
    cost = ffi.new("double *")
    labels = np.ascontiguousarray(labels)
    status = lib.gm_matching_cost(borrowing[0], pointer(labels), cost)
    return None if status < 0 else cost[0]


def multi_model(multi):
    """(gm_multi_model *, objects it borrows from) of a MultiProblem."""
    structs, kept = ffi.new("gm_model[]", len(multi.pairs)), []
    for k, ((g, h), problem) in enumerate(multi.pairs.items()):
        if problem is None:
            structs[k].n1, structs[k].n2 = multi.sizes[g], multi.sizes[h]
            continue
        struct, borrowed = model(problem)
        structs[k] = struct[0]
        structs[k].tolerance = 0.5 * multi.tolerance / len(multi.pairs)  # gaps add up
        kept.append(borrowed)
    sizes = ffi.new("int32_t[]", list(multi.sizes))
    whole = ffi.new(
        "gm_multi_model *",
        {"d": multi.d, "n": sizes, "pairs": structs, "tolerance": multi.tolerance},
    )
    return whole, (structs, kept, sizes)
