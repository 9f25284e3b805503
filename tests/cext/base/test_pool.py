"""Memory pools: zeroed, aligned, freed at once; a failure is remembered."""

from c_internals import internals

ffi, lib = internals("base/pool.h")


def test_pieces_are_zeroed_aligned_and_apart():
    pool = ffi.new("gm_pool *")
    pieces = [(n, lib.gm_pool_take(pool, n, 8)) for n in (0, 1, 7, 1000)]
    assert not pool.failed
    for k, (n, piece) in enumerate(pieces):
        assert int(ffi.cast("uintptr_t", piece)) % 64 == 0
        doubles = ffi.cast("double *", piece)
        assert all(doubles[i] == 0.0 for i in range(n))
        for i in range(n):
            doubles[i] = float(k + 1)
    for k, (n, piece) in enumerate(pieces):
        assert all(ffi.cast("double *", piece)[i] == k + 1 for i in range(n))
    lib.gm_pool_free(pool)
    assert pool.last == ffi.NULL


def test_what_cannot_be_had_is_remembered():
    pool = ffi.new("gm_pool *")
    assert lib.gm_pool_take(pool, 2**62, 8) == ffi.NULL and pool.failed
    lib.gm_pool_free(pool)
