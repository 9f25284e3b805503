#include "base/pool.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* a cache line, and any vector register */

struct gm_pool_block {
    struct gm_pool_block *before;
};

void *gm_pool_take(gm_pool *pool, int64_t n, size_t size)
{
    const size_t count = n > 0 ? (size_t)n : 1;
    if (count > (SIZE_MAX - 2 * ALIGNMENT) / size) {
        pool->failed = 1;
        return NULL;
    }
    struct gm_pool_block *block = calloc(1, sizeof *block + ALIGNMENT + count * size);
    if (!block) {
        pool->failed = 1;
        return NULL;
    }
    block->before = pool->last;
    pool->last = block;
    const uintptr_t behind = (uintptr_t)(block + 1);
    return (void *)((behind + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void gm_pool_free(gm_pool *pool)
{
    while (pool->last) {
        struct gm_pool_block *before = pool->last->before;
        free(pool->last);
        pool->last = before;
    }
}
