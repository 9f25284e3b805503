"""nogoods: fire when all of their prefix is true, and not before."""

import random

from c_internals import internals

ffi, lib = internals("subgraphs/nogoods.h")


def fired(g, given, x, s):
    at, nogood, found = ffi.new("int32_t *", -2), ffi.new("int32_t *"), []
    while lib.sub_nogoods_next(g, given, x, s, at, nogood):
        found.append(nogood[0])
    return sorted(found)


def test_they_fire_when_the_last_pair_becomes_true():
    rng = random.Random(1)
    n, values = 6, 4
    pool, g = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free), ffi.new("sub_nogoods *")
    lib.sub_nogoods_take(g, pool, n, values, 1)
    prefixes = []
    for _ in range(60):
        variables = rng.sample(range(n - 1), rng.randint(1, 4))
        prefix = [(x, rng.randrange(values)) for x in variables]
        refuted = ffi.new("uint64_t[]", [rng.randrange(1, 16)])
        arrays = [ffi.new("int32_t[]", list(part)) for part in zip(*prefix, strict=True)]
        assert lib.sub_nogoods_add(g, len(prefix), *arrays, n - 1, refuted) == 1
        prefixes.append(prefix)
    total = 0
    for _ in range(300):  # down a random path and back
        given = ffi.new("int32_t[]", [-1] * n)
        for x in rng.sample(range(n), n):
            given[x] = rng.randrange(values)
            expected = [
                k
                for k, prefix in enumerate(prefixes)
                if (x, given[x]) in prefix and all(given[y] == t for y, t in prefix)
            ]
            assert fired(g, given, x, given[x]) == expected
            total += len(expected)
    assert total > 100


def test_there_is_room_for_some():
    pool, g = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free), ffi.new("sub_nogoods *")
    lib.sub_nogoods_take(g, pool, 2, 2, 1)
    one, refuted = ffi.new("int32_t[]", [0]), ffi.new("uint64_t[]", [1])
    for _ in range(g.most):
        assert lib.sub_nogoods_add(g, 1, one, one, 1, refuted)
    assert not lib.sub_nogoods_add(g, 1, one, one, 1, refuted)
